"""What a page's link holds: named fields, read from a query string and written back to it.

A field's value stands in the link only where it is not the default, so that the plain address is the page as it
opens. Values are what the questions take: numbers, words, card ids; rules as the command line writes them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar
from urllib.parse import urlencode

from core.cards import format_card, format_cards, parse_cards
from core.errors import InputError
from core.ruleset import RuleSet, nearest

Values = dict[str, Any]
R = TypeVar("R", bound=RuleSet)
# A link is read up to so many characters a field; no field needs more.
LONGEST = 200


class Field(Protocol):
    """How one value stands in a link."""

    @property
    def default(self) -> Any:
        """The value where the link names none."""

    def parse(self, text: str) -> Any:
        """Return the value; raises InputError in one line."""

    def text(self, value: Any) -> str:
        """Return what `parse` reads as this value."""


@dataclass(frozen=True)
class Whole:
    """A whole number in a range."""

    default: int
    least: int
    most: int

    def parse(self, text: str) -> int:
        """Return the number."""
        if not (text.isascii() and text.isdigit() and len(text) < 10 and self.least <= int(text) <= self.most):
            raise InputError(f"{text!r} is not a whole number in {self.least}..{self.most}")
        return int(text)

    def text(self, value: int) -> str:
        """Return the number's digits."""
        return str(value)


@dataclass(frozen=True)
class Word:
    """One of some words, the default first."""

    words: tuple[str, ...]

    @property
    def default(self) -> str:
        """The first word."""
        return self.words[0]

    def parse(self, text: str) -> str:
        """Return the word."""
        if text not in self.words:
            raise InputError(f"{text!r} is not a choice: {nearest(text, self.words)}")
        return text

    def text(self, value: str) -> str:
        """Return the word."""
        return value


@dataclass(frozen=True)
class Cards:
    """Up to `most` cards of a deck, as many copies of each as `decks` may hold."""

    most: int
    deck: tuple[int, ...]
    default: tuple[int, ...] = ()
    decks: int = 1

    def parse(self, text: str) -> tuple[int, ...]:
        """Return the card ids, in the order of the text."""
        cards = parse_cards(text, decks=self.decks)
        for card in cards:
            if card not in self.deck:
                raise InputError(f"{format_card(card)} is not in the deck of {len(self.deck)} cards")
        if len(cards) > self.most:
            raise InputError(f"{format_cards(cards)!r} are {len(cards)} cards: {self.most} at most")
        return cards

    def text(self, value: tuple[int, ...]) -> str:
        """Return the cards' names."""
        return format_cards(value)


@dataclass(frozen=True)
class Rule:
    """A rule's value, as `--set` takes it; whether the rules fit each other is for the rule set to say."""

    game: type[RuleSet]
    name: str

    @cached_property
    def words(self) -> tuple[str, ...] | None:
        """The values, or None for a number."""
        return self.game.options()[self.name]

    @cached_property
    def default(self) -> str:
        """The default rule set's value."""
        return self.text(self.game().as_dict()[self.name])

    def parse(self, text: str) -> str:
        """Return the text, lower case and without blanks around."""
        text = text.strip().lower()
        if self.words is not None:
            return Word(self.words).parse(text)
        if text == "none":
            # Raises where the rule cannot be switched off.
            self.game.from_options({self.name: text})
        elif not (text.isascii() and text.isdigit() and len(text) < 10):
            raise InputError(f"{text!r} is not a whole number")
        return text

    def text(self, value: object) -> str:
        """Return the value as `--set` takes it."""
        return "none" if value is None else str(value)


def read(fields: Mapping[str, Field], query: Mapping[str, str]) -> tuple[Values, list[str]]:
    """Return each field's value, the default where the query has none or a wrong one, and what is wrong.

    >>> read({"players": Whole(3, 2, 10)}, {"players": "99"})
    ({'players': 3}, ["players: '99' is not a whole number in 2..10"])
    """
    values = {name: field.default for name, field in fields.items()}
    wrong = []
    for name, text in query.items():
        if name not in fields:
            wrong.append(f"{name[:LONGEST]!r}: {nearest(name[:LONGEST], fields)}")
            continue
        try:
            values[name] = fields[name].parse(text[:LONGEST])
        except InputError as error:
            wrong.append(f"{name}: {error}")
    return values, wrong


def write(fields: Mapping[str, Field], values: Values) -> str:
    """Return the query string of the values that are not the defaults.

    >>> write({"players": Whole(3, 2, 10), "model": Word(("open", "play"))}, {"players": 4, "model": "open"})
    'players=4'
    """
    texts = {name: field.text(values[name]) for name, field in fields.items() if values[name] != field.default}
    return urlencode(texts)


def rule_fields(game: type[RuleSet], names: tuple[str, ...], prefix: str = "") -> dict[str, Field]:
    """Return fields for rules of a game, named as the rules are, after a prefix."""
    return {prefix + name: Rule(game, name) for name in names}


def rules_of(game: type[R], values: Values, prefix: str = "") -> R:
    """Return the rule set that the values of such fields make. Raises InputError where rules do not fit each other."""
    names = [name for name in game.options() if prefix + name in values]
    return game.from_options({name: values[prefix + name] for name in names})
