"""Reading a recorded hand of Ton: the deal, and the lines of play in order. `core.ton.replay` judges the play.

A record is plain text, one item a line; `#` starts a comment. The lines that describe the deal are

    players: A, B, C          the last one is the dealer
    points: 0 13 4            optional: the points before the hand
    hand A: As 7d 8d Jh 9c
    talon: 6c Jd Qh 8c        in turning order
    trump: 9s                 the card shown; it stands before the buy-in, and not at all in a bid of five
    stock: …                  optional; in a bid of five its first card may be the one after the talon

`?` stands for a card that nobody may know, or alone for all cards of its line; a hand, talon or stock without a line is
unknown too. Where cards of a single place are unknown, they are the cards left of the 36. A deal that cannot be raises
InputError, as wrong input of any command does. Every other line is play, `player: what he does`:

    five · refuse · keep 6s · trumpless Ks · discard 7c · play · fold · 10h (a card to a trick)

Besides, `pass` may say that a player bids nothing, `trumpless` alone that he has not yet fetched a card, and `plus` or
`minus` what a player without a trick takes (plus, where nothing is said).
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.cards import format_card, parse_card
from core.errors import InputError
from core.ton.rules import DECK, TonRules
from core.ton.state import UNKNOWN, Cards, Deal

_ONCE = ("players", "points", "talon", "trump", "stock")
_WORDS = ("pass", "five", "refuse", "trumpless", "play", "fold", "plus", "minus")
_WORDS_WITH_CARD = ("keep", "trumpless", "discard")


@dataclass(frozen=True)
class Line:
    """A line of play: its number, whose it is, what he does, and with which card.

    The word is an Action's, or "trump" for the line that shows the trump card, or "unreadable"; then `seat` is None
    and `text` says what is wrong.
    """

    number: int
    seat: int | None
    word: str
    card: int | None = None
    text: str = ""


@dataclass(frozen=True)
class Record:
    """A recorded hand: names by seat, points before the hand, the deal, and the lines of play in order."""

    names: tuple[str, ...]
    points: tuple[int, ...]
    deal: Deal
    lines: tuple[Line, ...]


def read_record(text: str, rules: TonRules) -> Record:
    """Read a record.

    Raises InputError, naming line and card, when the deal cannot be one of these rules.
    """
    split = list(_split(text))
    described: dict[str, tuple[int, str]] = {}
    for number, key, value in split:
        if key in _ONCE or _hand_of(key) is not None:
            if key in described:
                raise InputError(f"line {number}: {key} stands already in line {described[key][0]}")
            described[key] = (number, value)
    names = _read_names(described, rules)
    for key, (number, _) in described.items():
        if (name := _hand_of(key)) is not None and name not in names:
            raise InputError(f"line {number}: {name} is not one of the players {', '.join(names)}")
    lines = tuple(
        _read_play(number, key, value, names)
        for number, key, value in split
        if key == "trump" or (key not in _ONCE and _hand_of(key) is None)
    )
    return Record(names, _read_points(described, len(names)), _read_deal(described, names, rules), lines)


def _split(text: str) -> Sequence[tuple[int, str, str]]:
    """Return number, key and value of each line that says something; the key is empty where there is no colon."""
    found = []
    # Only line feeds count lines, as in an editor; combining marks are composed, so that names compare equal.
    for number, line in enumerate(unicodedata.normalize("NFC", text).removeprefix("\ufeff").split("\n"), 1):
        content = line.partition("#")[0].strip()
        if content:
            key, colon, value = content.partition(":")
            found.append((number, " ".join(key.split()), value.strip()) if colon else (number, "", content))
    return found


def _hand_of(key: str) -> str | None:
    word, _, name = key.partition(" ")
    return name if word == "hand" and name else None


def _read_names(described: Mapping[str, tuple[int, str]], rules: TonRules) -> tuple[str, ...]:
    if "players" not in described:
        raise InputError("the record has no line of players, as in: players: A, B, C")
    number, value = described["players"]
    names = tuple(" ".join(name.split()) for name in value.split(","))
    for name in names:
        if not name or ":" in name or name in _ONCE or _hand_of(name) is not None:
            raise InputError(f"line {number}: {name!r} cannot be a player's name")
        if names.count(name) > 1:
            raise InputError(f"line {number}: two players are called {name}")
    try:
        rules.check_players(len(names))
    except InputError as error:
        raise InputError(f"line {number}: {error}") from None
    return names


def _read_points(described: Mapping[str, tuple[int, str]], players: int) -> tuple[int, ...]:
    if "points" not in described:
        return (0,) * players
    number, value = described["points"]
    words = _words(value)
    for word in words:
        if not re.fullmatch("[-−+]?[0-9]{1,6}", word):
            raise InputError(f"line {number}: {word!r} is not a number of points")
    if len(words) != players:
        raise InputError(f"line {number}: {len(words)} numbers of points for {players} players")
    return tuple(int(word.replace("−", "-")) for word in words)


def _read_deal(described: Mapping[str, tuple[int, str]], names: Sequence[str], rules: TonRules) -> Deal:
    """Put the deal together from its lines; cards without a line are UNKNOWN, or those that are left."""
    size = rules.hand_size
    taken: dict[int, int] = {}

    def cards(key: str, *sizes: int) -> Cards:
        if key not in described:
            return (UNKNOWN,) * sizes[0]
        return _read_cards(*described[key], sizes, taken)

    hands = [cards(f"hand {name}", size) for name in names]
    talon = cards("talon", rules.talon_size)
    stock_size = rules.stock_size(len(names))
    trump = cards("trump", 1)
    stock = cards("stock", stock_size) if "trump" in described else cards("stock", stock_size, stock_size + 1)
    if len(stock) > stock_size:
        trump, stock = stock[:1], stock[1:]
    return Deal(*_fill_in([*hands, talon, trump, stock]))


def _read_cards(number: int, value: str, sizes: Sequence[int], taken: dict[int, int]) -> Cards:
    """Read the cards of line `number`, of one of these sizes; `taken` tells the line of each card named so far."""
    words = _words(value)
    if words == ["?"]:
        return (UNKNOWN,) * sizes[0]
    found = []
    for word in words:
        card = _read_card(number, word)
        if card in taken:
            where = "twice" if taken[card] == number else f"in line {taken[card]} too"
            raise InputError(f"line {number}: {format_card(card)} is named {where}")
        if card != UNKNOWN:
            taken[card] = number
        found.append(card)
    if len(found) not in sizes:
        raise InputError(f"line {number}: {len(found)} cards ({value}), not {sizes[0]} (T3)")
    return tuple(found)


def _read_card(number: int, word: str) -> int:
    if word == "?":
        return UNKNOWN
    try:
        card = parse_card(word)
    except InputError as error:
        raise InputError(f"line {number}: {error}") from None
    if card not in DECK:
        raise InputError(f"line {number}: {format_card(card)} is not one of the 36 cards, six to ace (T1)")
    return card


def _fill_in(places: list[Cards]) -> tuple[tuple[Cards, ...], Cards, int, Cards]:
    """Fill the cards that are left into the only place with unknown cards, unless that would invent their order."""
    left = sorted(set(DECK) - {card for place in places for card in place})
    unknown = [index for index, place in enumerate(places) if UNKNOWN in place]
    talon_index = len(places) - 3
    if len(unknown) == 1 and (unknown[0] != talon_index or len(left) == 1):
        places[unknown[0]] = tuple(left.pop() if card == UNKNOWN else card for card in places[unknown[0]])
    *hands, talon, trump, stock = places
    return tuple(hands), talon, trump[0], stock


def _read_play(number: int, key: str, value: str, names: Sequence[str]) -> Line:
    """Read a line of play; one that is none comes back as "unreadable", for the replay to report at its place."""
    if key == "trump":
        return Line(number, None, "trump")
    if not key:
        return Line(number, None, "unreadable", text=f"{value!r} is not of the form player: what he does")
    if key not in names:
        return Line(number, None, "unreadable", text=f"{key} is not one of the players {', '.join(names)}")
    seat = names.index(key)
    words = value.split()
    if len(words) == 1 and words[0].lower() in _WORDS:
        return Line(number, seat, words[0].lower())
    word, name = ("card", value) if len(words) == 1 else (words[0].lower() if words else "", " ".join(words[1:]))
    if word != "card" and word not in _WORDS_WITH_CARD:
        return Line(number, None, "unreadable", text=f"{value!r} is nothing that a player can do")
    try:
        card = parse_card(name) if name != "?" else UNKNOWN
    except InputError as error:
        return Line(number, None, "unreadable", text=str(error))
    return Line(number, seat, word, card)


def _words(value: str) -> list[str]:
    return [word for word in re.split(r"[\s,]+", value) if word]
