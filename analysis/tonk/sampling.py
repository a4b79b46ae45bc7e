"""Sampled openings of Tonk: the runs behind the estimates, on the kernels of core.tonk."""

from collections.abc import Sequence

import numpy as np

from analysis.effort import Effort
from analysis.runs import Counts, Run
from analysis.tonk.table import Table
from core.tonk.kernels import count_drops, count_holders, tonk_limits, value_bounds


def holders_run(table: Table, effort: Effort) -> Run:
    """Return a run that counts holders of a TONK at the table.

    Its sums are: deals by number of holders, shape (players + 1,); deals in which a seat holds one, and in which it is
    the first who does, by number of holders, shape (players, players + 1). A seen hand counts at its seat.
    """
    key, stream = np.uint64(effort.seed), np.uint32(0)
    deck, bounds = len(table.deck), value_bounds(table.deck)
    size = table.rules.hand_size
    low, high = tonk_limits(table.rules)
    own_seat = -1 if table.own_seat is None else table.own_seat
    own_tonk = table.own_tonk

    def count(sums: Sequence[Counts], start: int, stop: int) -> None:
        number, held, first = sums
        count_holders(number, held, first, key, stream, start, stop, deck, bounds, size, low, high, own_seat, own_tonk)

    n = table.players
    return Run(count, [(n + 1,), (n, n + 1), (n, n + 1)], threads=effort.threads)


def drops_run(table: Table, effort: Effort) -> Run:
    """Return a run that compares a dropper's hand with the others', in deals where nobody holds a TONK.

    Its sum, of shape (totals, others + 1, others + 1), is the number of such deals by the dropper's total and by number
    of others with a lesser and with an equal one. Where the dropper's hand is seen, there is one total: his.
    """
    key, stream = np.uint64(effort.seed), np.uint32(0)
    deck, bounds = len(table.deck), value_bounds(table.deck)
    size = table.rules.hand_size
    low, high = tonk_limits(table.rules)
    own_total = table.total if table.hand else -1

    def count(sums: Sequence[Counts], start: int, stop: int) -> None:
        count_drops(sums[0], key, stream, start, stop, deck, bounds, size, low, high, own_total)

    totals = 1 if table.hand else table.rules.total_range()[1] + 1
    return Run(count, [(totals, table.players, table.players)], threads=effort.threads)
