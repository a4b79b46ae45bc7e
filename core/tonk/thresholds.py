"""The numbers that Tonk's policy `threshold` plays by: tables that come with the toolkit, and files of others.

A file is JSON: `tables` by number of players. thresholds.json was made by the command that it names in `made_by`.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from core.errors import InputError

TUNED = Path(__file__).parent / "thresholds.json"

# Table rows of a drop: the seats on their first turn, then the second, third and later turns of any seat. Columns: the
# fewest cards that another player holds (5 or more, 3 or 4, less), each without and with a card in another hand that
# was taken from the discard pile. A fine table has them three times: for a player who holds 5 or more, 3 or 4, less.
LATER_TURNS = 3
COLUMNS, FINE_COLUMNS = 6, 18


@dataclass(frozen=True)
class Thresholds:
    """The numbers that `threshold` plays by, at a table of `len(drop) - LATER_TURNS` players.

    drop
        the greatest total that drops; -1: none does. Rows and columns as above, COLUMNS or FINE_COLUMNS of them
    take
        the greatest value of an up-card that is taken without a meld or a hit for it
    keep
        what a neighbour in hand is worth to a card when it comes to the discard, in quarters of a pip
    """

    drop: tuple[tuple[int, ...], ...]
    take: int
    keep: int

    def __post_init__(self) -> None:
        """Raise InputError where the table has another shape, or numbers that a kernel cannot hold."""
        if len(self.drop) < LATER_TURNS + 2 or any(
            len(row) != len(self.drop[0]) or len(row) not in (COLUMNS, FINE_COLUMNS) for row in self.drop
        ):
            raise InputError(
                f"thresholds: the drop table has not players + {LATER_TURNS} rows of {COLUMNS} or {FINE_COLUMNS} totals"
            )
        for number in (self.take, self.keep, *chain(*self.drop)):
            if isinstance(number, bool) or not isinstance(number, int) or not -1 <= number <= 1000:
                raise InputError(f"thresholds: {number!r} is not a whole number from -1 to 1000")

    @property
    def players(self) -> int:
        """The number of players that the table is for."""
        return len(self.drop) - LATER_TURNS

    @property
    def fine_drop(self) -> tuple[tuple[int, ...], ...]:
        """The drop table with FINE_COLUMNS columns."""
        return tuple(row * (FINE_COLUMNS // len(row)) for row in self.drop)


def size_class(cards: int) -> int:
    """Return which of the three classes of hands a number of cards belongs to: 5 or more, 3 or 4, less."""
    return 0 if cards >= 5 else 1 if cards >= 3 else 2


def thresholds_for(players: int, path: Path = TUNED) -> Thresholds:
    """Return the thresholds of a file for that many players.

    More players than the file has a table for play by its largest one, further seats as its last.

    Raises InputError for a file that cannot be read or holds no thresholds for so few players.
    """
    tables = _read(path)
    fitting = [number for number in tables if number <= players]
    if not fitting or (players < max(tables) and players not in tables):
        raise InputError(f"{path}: no thresholds for {players} players")
    table = tables[max(fitting)]
    seats, later = table.drop[:-LATER_TURNS], table.drop[-LATER_TURNS:]
    return Thresholds((*seats, *(seats[-1:] * (players - len(seats))), *later), table.take, table.keep)


def as_text(tables: Mapping[int, Thresholds], made_by: str, gains: Mapping[int, Mapping[str, str]]) -> str:
    """Return tables by number of players as the text of a file, with what replies still gain, by name."""
    lines = ",\n".join(
        f'"{players}": {json.dumps(asdict(table) | dict(gains.get(players, {})))}'
        for players, table in sorted(tables.items())
    )
    return f'{{"made_by": {json.dumps(made_by)}, "tables": {{\n{lines}\n}}}}\n'


def _read(path: Path) -> dict[int, Thresholds]:
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        tables = {int(players): _table(table) for players, table in data["tables"].items()}
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{path} is no file of thresholds") from None
    for players, table in tables.items():
        if table.players != players:
            raise InputError(f"{path}: the table for {players} players has {len(table.drop)} rows")
    return tables


def _table(table: dict[str, Any]) -> Thresholds:
    return Thresholds(tuple(map(tuple, table["drop"])), table["take"], table["keep"])
