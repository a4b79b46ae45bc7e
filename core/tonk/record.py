"""The record format of a Tonk hand: its lines read into values, and what is wrong with their form.

One item a line; `#` starts a comment:

    players: Voron, Goblin                     seats from the dealer's left
    hand Voron: 10s 8d 8h 5s 4c = 35           the total may be left out
    up: 5c                                     or, in mid-play, the pile, top last:  pile: Qd
    table Voron: Kh Kd Ks                      a meld that lies on the table already
    turn: Voron                                who is to play, if not the first seat
    Voron: stock 6s; hit 7s on 8s 9s 10s; discard 10s
    total Voron = 31                           a check
    pile: 10s                                  a check of the pile's top, after the first turn or after `up`

Actions: `stock C` (`stock` alone: it was empty), `up C` or `up`, `lay CARDS`, `hit CARDS on CARDS`, `discard C`,
`drop`, and `tonk`, which only declares what the deal shows. A meld is named by some or all of its cards. A turn may
take several lines.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from core.cards import parse_cards
from core.errors import InputError

# How many cards each action names, least and most.
_VERBS = {
    "stock": (0, 1),
    "up": (0, 1),
    "lay": (1, 99),
    "hit": (1, 99),
    "discard": (1, 1),
    "drop": (0, 0),
    "tonk": (0, 0),
}
_KEYWORDS = ("players", "up", "pile", "turn")
_PLAYER_KEYWORDS = ("hand", "table", "total")
_RESERVED = re.compile(rf"({'|'.join(_KEYWORDS)}|({'|'.join(_PLAYER_KEYWORDS)})\s.*|.*[:;=].*)", re.IGNORECASE)

_ON = re.compile(r"\bon\b", re.IGNORECASE)


class Problem(NamedTuple):
    """What is wrong in one line of a record."""

    line: int
    message: str


class Play(NamedTuple):
    """One action as written: for a hit, `onto` names the meld."""

    verb: str
    cards: tuple[int, ...] = ()
    onto: tuple[int, ...] = ()


@dataclass(frozen=True)
class Item:
    """One line. `seat` is its player, `stated` the total that it states."""

    line: int
    kind: Literal["hand", "up", "pile", "table", "turn", "total", "play"]
    seat: int = -1
    cards: tuple[int, ...] = ()
    stated: int | None = None
    plays: tuple[Play, ...] = ()


@dataclass
class Record:
    """A record as read: the players' names by seat, the line that names them, and all other lines that can be read."""

    names: tuple[str, ...] = ()
    line: int = 1
    items: list[Item] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def parse_record(text: str, *, decks: int = 1) -> Record:
    """Read a record. Every line whose form is wrong is a problem; the other lines are items."""
    record = Record()
    for number, line in _lines(text):
        try:
            if record.names:
                record.items.append(_item(number, line, record.names, decks))
            else:
                record.names, record.line = _names(line), number
        except InputError as error:
            record.problems.append(Problem(number, str(error)))
            if not record.names:
                return record  # every other line needs the names
    if not record.names:
        record.problems.append(Problem(1, "the record is empty: its first line names the players"))
    return record


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and content of each line that has any; a letter and its accent may come as one character or two."""
    for number, line in enumerate(unicodedata.normalize("NFC", text).split("\n"), start=1):
        content = " ".join(line.partition("#")[0].split())
        if content:
            yield number, content


def _names(line: str) -> tuple[str, ...]:
    keyword, colon, rest = line.partition(":")
    if not colon or keyword.strip().lower() != "players":
        raise InputError(f"{line!r} is not the list of players, with which a record starts: players: A, B, C")
    names = tuple(name.strip() for name in rest.split(","))
    for name in names:
        if not name or _RESERVED.fullmatch(name):
            raise InputError(f"a player cannot be called {name!r}")
        if names.count(name) > 1:
            raise InputError(f"two players are called {name!r}")
    return names


def _item(number: int, line: str, names: tuple[str, ...], decks: int) -> Item:
    head, colon, rest = (part.strip() for part in line.partition(":"))
    word, _, name = head.partition(" ")
    word = word.lower()
    if word == "total" and not colon:
        name, equals, stated = (part.strip() for part in name.partition("="))
        if not equals:
            raise InputError(f"{line!r} does not state a total: total NAME = N")
        return Item(number, "total", _seat(name, names), stated=_number(stated))
    if not colon:
        raise InputError(f"{line!r} cannot be read: a line is of the form NAME: actions, or hand NAME: cards, …")
    if word == "players" and not name:
        raise InputError("the players are named twice")
    if word == "turn" and not name:
        return Item(number, "turn", _seat(rest, names))
    if word in ("up", "pile") and not name:
        cards = parse_cards(rest, decks=decks)
        if not cards or (word == "up" and len(cards) > 1):
            raise InputError(f"{word}: {len(cards)} cards are named, not one")
        return Item(number, "up" if word == "up" else "pile", cards=cards)
    if word == "hand" and name:
        shown, equals, stated = rest.partition("=")
        total = _number(stated.strip()) if equals else None
        return Item(number, "hand", _seat(name, names), parse_cards(shown, decks=decks), total)
    if word == "table" and name:
        return Item(number, "table", _seat(name, names), parse_cards(rest, decks=decks))
    return Item(number, "play", _seat(head, names), plays=tuple(_plays(rest, decks)))


def _seat(name: str, names: tuple[str, ...]) -> int:
    if name not in names:
        raise InputError(f"unknown player {name!r}: the players are {', '.join(names)}")
    return names.index(name)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise InputError(f"total {text!r} is not a whole number")
    return int(text)


def _plays(text: str, decks: int) -> Iterator[Play]:
    parts = [part.strip() for part in text.split(";") if part.strip()]
    if not parts:
        raise InputError("no action is named")
    for part in parts:
        verb, _, rest = part.partition(" ")
        verb = verb.lower()
        if verb not in _VERBS:
            raise InputError(f"{part!r} is no action: the actions are {', '.join(_VERBS)}")
        shown, *meld = _ON.split(rest, maxsplit=1) if verb == "hit" else (rest,)
        cards, onto = parse_cards(shown, decks=decks), parse_cards("".join(meld), decks=decks)
        if verb == "hit" and not onto:
            raise InputError(f"{part!r} does not say which meld is hit: hit CARD on CARDS")
        least, most = _VERBS[verb]
        if not least <= len(cards) <= most:
            raise InputError(f"{part!r} names a wrong number of cards")
        yield Play(verb, cards, onto)
