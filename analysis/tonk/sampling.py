"""Sampled openings of Tonk: the runs behind the estimates, on the kernels of core.tonk."""

from collections.abc import Sequence

import numpy as np

from analysis.runs import Counts, Run
from analysis.tonk.table import Table
from core.rng import check_run
from core.tonk.kernels import count_below, count_holders, tonk_limits, value_bounds


def holders_run(table: Table, seed: int, threads: int | None = None) -> Run:
    """Return a run that counts holders of a TONK at the table.

    Its sums are: deals by number of holders, shape (players + 1,); deals in which a seat holds one, and in which it is
    the first who does, by number of holders, shape (players, players + 1). A seen hand counts at its seat.
    """
    check_run(seed, 0, 0, 0)
    key, stream = np.uint64(seed), np.uint32(0)
    deck, bounds = len(table.deck), value_bounds(table.deck)
    size = table.rules.hand_size
    low, high = tonk_limits(table.rules)
    own_seat = -1 if table.own_seat is None else table.own_seat
    own_tonk = table.own_tonk

    def count(sums: Sequence[Counts], start: int, stop: int) -> None:
        number, held, first = sums
        count_holders(number, held, first, key, stream, start, stop, deck, bounds, size, low, high, own_seat, own_tonk)

    n = table.players
    return Run(count, [(n + 1,), (n, n + 1), (n, n + 1)], threads=threads)


def below_run(table: Table, seed: int, threads: int | None = None) -> Run:
    """Return a run that compares the hidden hands with the seen one, in deals where nobody holds a TONK.

    Its sum is the number of such deals by number of hidden hands with a lesser, and with an equal total.
    """
    check_run(seed, 0, 0, 0)
    key, stream = np.uint64(seed), np.uint32(0)
    deck, bounds = len(table.deck), value_bounds(table.deck)
    size = table.rules.hand_size
    low, high = tonk_limits(table.rules)
    total = np.uint8(table.total)

    def count(sums: Sequence[Counts], start: int, stop: int) -> None:
        count_below(sums[0], key, stream, start, stop, deck, bounds, size, low, high, total)

    n = table.hidden_players
    return Run(count, [(n + 1, n + 1)], threads=threads)
