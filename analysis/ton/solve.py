"""Positions of Ton with open cards, one JSON object a line, and what each seat can force in them."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from core.cards import SUITS, format_cards, parse_cards
from core.errors import InputError
from core.ton.position import Position

_FIELDS = ("hands", "trump", "leader", "trick", "won")


def read_positions(text: str, file: str) -> Iterator[Position]:
    """Yield the positions of a file; blank lines are left out.

    Raises InputError as "FILE line N: …" for a line that holds none.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield _position(line)
        except InputError as error:
            raise InputError(f"{file} line {number}: {error}") from None


def tricks_of(position: Position, cards: Sequence[int]) -> list[str]:
    """Return the cards of a line trick by trick, each from the card that leads it; the first one may lie already."""
    players, cards = len(position.hands), (*position.trick, *cards)
    return [format_cards(cards[first : first + players]) for first in range(0, len(cards), players)]


def _position(line: str) -> Position:
    try:
        given = json.loads(line)
    except ValueError as error:
        raise InputError(f"not JSON: {error}") from None
    except RecursionError:
        raise InputError("not JSON that holds a position: nested too deep") from None
    if not isinstance(given, dict):
        raise InputError('not a JSON object such as {"hands": ["As 7h", "Ks Ah"], "trump": "s", "leader": 0}')
    for name in given:
        if name not in _FIELDS:
            raise InputError(f"unknown field {name!r}: the fields are {', '.join(_FIELDS)}")
    for name in _FIELDS[:3]:
        if name not in given:
            raise InputError(f"{name} is missing")
    hands, won = _list(given["hands"], "hands", str), _list(given.get("won", []), "won", int)
    trick = given.get("trick", "")
    if not isinstance(trick, str):
        raise InputError('trick is not text such as "As 10h"')
    leader = given["leader"]
    if type(leader) is not int:
        raise InputError(f"leader {json.dumps(leader)} is not a seat")
    return Position(tuple(map(parse_cards, hands)), _trump(given["trump"]), leader, parse_cards(trick), tuple(won))


def _list(value: Any, name: str, kind: type) -> list[Any]:
    if not isinstance(value, list) or any(type(item) is not kind for item in value):
        raise InputError(f"{name} is not a list of {'numbers' if kind is int else 'texts'}")
    return value


def _trump(name: Any) -> int | None:
    if name is None:
        return None
    if name not in SUITS:
        raise InputError(f"trump {json.dumps(name, ensure_ascii=False)} is not a suit: write s, h, d, c or null")
    return SUITS.index(name)
