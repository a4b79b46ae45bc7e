"""The tables that Ton's policy `tuned` plays by: their parts, and files of them.

A part has a choice, a small whole number, for each cell; `core.ton.tuned` says which cell a decision looks up. A file
is JSON: tables by number of players, each part as a string of digits. tables.json was made by the command that it names
in `made_by`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.ton.rules import MAX_PLAYERS, MIN_PLAYERS

TUNED = Path(__file__).parent / "tables.json"

# Trumps held, the class of the highest one, side aces: of a hand, in three parts' cells.
TRUMPS, TOPS, ACES = 6, 5, 4
# The class of a trump by rank, from six to ace.
TOP_CLASS = (0, 0, 0, 0, 1, 1, 2, 3, 4)

# bid      cards that nothing of their suit beats; the highest other card's rank, or none
# buy      seat, trumps and aces among the talon cards turned, hand
# fold     seat, whether somebody bought, how many have folded, hand
# lead     tricks left, whether one has been taken, participants, whether others may hold trumps, kinds of cards held
# follow   tricks left, whether one has been taken, players to come, whether the best card is sure, trumps held, kinds
PARTS = {
    "bid": (6, 10),
    "buy": (5, 4, TRUMPS, TOPS, ACES),
    "fold": (5, 2, 3, TRUMPS, TOPS, ACES),
    "lead": (5, 2, 3, 2, 64),
    "follow": (5, 2, 3, 2, 3, 16),
}
_SIZES = {part: prod(shape) for part, shape in PARTS.items()}
STARTS = {part: sum(list(_SIZES.values())[:number]) for number, part in enumerate(PARTS)}
SIZE = sum(_SIZES.values())

# Choices to buy: refuse; keep the highest trump, or the highest card without one; keep the highest other card; use the
# trumpless right.
TO_REFUSE, KEEP_TRUMP, KEEP_SIDE, USE_RIGHT = range(4)
# Kinds of cards to lead, and to follow with: the choices, and the bits of the last index of those parts.
BOSS_TRUMP, HIGH_TRUMP, LOW_TRUMP, BOSS_SIDE, HIGH_SIDE, LOW_SIDE = range(6)
LOW_WINNING, HIGH_WINNING, LOW_LOSING, HIGH_LOSING = range(4)
CHOICES = {"bid": 2, "buy": 4, "fold": 2, "lead": 6, "follow": 4}
MOST_CHOICES = max(CHOICES.values())


@dataclass(frozen=True)
class Tables:
    """The choices of all parts one after the other, each in the order of its shape in PARTS; for so many players."""

    players: int
    choices: bytes

    def __post_init__(self) -> None:
        """Raise InputError for another number of choices, or one that does not exist."""
        if not MIN_PLAYERS <= self.players <= MAX_PLAYERS:
            raise InputError(f"tables for {self.players} players: there are {MIN_PLAYERS} to {MAX_PLAYERS} (T1)")
        if len(self.choices) != SIZE:
            raise InputError(f"tables of {len(self.choices)} choices: there are {SIZE}")
        for part, start in STARTS.items():
            if max(self.choices[start : start + _SIZES[part]]) >= CHOICES[part]:
                raise InputError(f"tables: {part} has the choices 0 to {CHOICES[part] - 1}")

    def __repr__(self) -> str:
        """Return a short text that tells tables apart."""
        return f"Tables({self.players}, {sha256(self.choices).hexdigest()[:16]})"

    def choice(self, part: str, *place: int) -> int:
        """Return the choice of a part's cell."""
        cell = 0
        for index, size in zip(place, PARTS[part], strict=True):
            cell = cell * size + index
        return self.choices[STARTS[part] + cell]


def tables_for(players: int, path: Path = TUNED) -> Tables:
    """Return the tables of a file for that many players.

    Raises InputError for a file that cannot be read or holds none for so many.
    """
    try:
        return _read(path, path.stat().st_mtime_ns)[players]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except KeyError:
        raise InputError(f"{path}: no tables for {players} players") from None


def as_text(tables: Mapping[int, Tables], made_by: str, gains: Mapping[int, Mapping[str, str]]) -> str:
    """Return tables by number of players as the text of a file, with what replies still gain, by name."""
    lines = ",\n".join(
        f'"{players}": {json.dumps(_parts(table) | dict(gains.get(players, {})))}'
        for players, table in sorted(tables.items())
    )
    return f'{{"made_by": {json.dumps(made_by)}, "tables": {{\n{lines}\n}}}}\n'


def _parts(tables: Tables) -> dict[str, str]:
    digits = "".join(map(str, tables.choices))
    return {part: digits[start : start + _SIZES[part]] for part, start in STARTS.items()}


@lru_cache(maxsize=8)
def _read(path: Path, changed: int) -> dict[int, Tables]:
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        return {
            int(players): Tables(int(players), bytes(int(digit) for part in PARTS for digit in table[part]))
            for players, table in data["tables"].items()
        }
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{path} is no file of tables") from None
