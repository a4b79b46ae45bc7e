"""Sampled openings of Tonk: what is counted over deals, on the kernels of core.tonk."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.tally import Counts
from analysis.tonk.table import Table
from core.cards import format_cards
from core.tonk.kernels import count_drops, count_holders, tonk_limits, value_bounds


@dataclass(frozen=True)
class Holders:
    """Counts holders of a TONK at the table.

    The sums are: deals by number of holders, shape (players + 1,); deals in which a seat holds one, and in which it is
    the first who does, by number of holders, shape (players, players + 1). A seen hand counts at its seat.
    """

    table: Table
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        n = self.table.players
        return [(n + 1,), (n, n + 1), (n, n + 1)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the counts of the deals start .. stop - 1."""
        table, seed, stream = self.table, np.uint64(self.seed), np.uint32(0)
        deck, bounds, size = len(table.deck), value_bounds(table.deck), table.rules.hand_size
        low, high = tonk_limits(table.rules)
        own = -1 if table.own_seat is None else table.own_seat
        number, held, first = sums
        count_holders(
            number, held, first, seed, stream, start, stop, deck, bounds, size, low, high, own, table.own_tonk
        )

    def description(self) -> dict[str, Any]:
        """Return what the counts depend on."""
        return _description(self, "holders of a TONK on the deal")


@dataclass(frozen=True)
class Drops:
    """Compares a dropper's hand with the others', in deals where nobody holds a TONK.

    The sum, of shape (totals, others + 1, others + 1), is the number of such deals by the dropper's total and by number
    of others with a lesser and with an equal one. Where the dropper's hand is seen, there is one total: his.
    """

    table: Table
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shape of the sum."""
        totals = 1 if self.table.hand else self.table.rules.total_range()[1] + 1
        return [(totals, self.table.players, self.table.players)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the counts of the deals start .. stop - 1."""
        table, seed, stream = self.table, np.uint64(self.seed), np.uint32(0)
        deck, bounds, size = len(table.deck), value_bounds(table.deck), table.rules.hand_size
        low, high = tonk_limits(table.rules)
        own = table.total if table.hand else -1
        count_drops(sums[0], seed, stream, start, stop, deck, bounds, size, low, high, own)

    def description(self) -> dict[str, Any]:
        """Return what the counts depend on."""
        return _description(self, "drop on the first turn")


def _description(measure: Holders | Drops, name: str) -> dict[str, Any]:
    table = measure.table
    return {
        "game": "tonk",
        "measure": name,
        "players": table.players,
        "hand": format_cards(table.hand),
        "up": "" if table.up is None else format_cards([table.up]),
        "seat": table.seat,
        "rules": table.rules.as_dict(),
        "seed": measure.seed,
    }
