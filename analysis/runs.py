"""Runs of many deals: split into chunks, counted by threads, merged in whole numbers.

A chunk's kernel adds whole numbers to arrays, and deal i depends on (seed, stream, i) alone. The sums are therefore
the same for any number of threads and any chunk size.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from analysis.estimate import Estimate, deals_for_half_width
from core.errors import InputError

Counts = NDArray[np.int64]
# `kernel(sums, start, stop)` adds the counts of the deals start .. stop - 1 to the arrays; it releases the
# interpreter's lock.
Kernel = Callable[[Sequence[Counts], int, int], None]

DEALS = 1_000_000
PILOT_DEALS = 100_000
MOST_DEALS = 10**11
# Some ten milliseconds: short enough to share out evenly, long enough not to notice the overhead.
CHUNK = 1 << 18


class Run:
    """The sums of a kernel over the deals 0 .. n - 1, for an n that may grow."""

    def __init__(
        self,
        kernel: Kernel,
        shapes: Sequence[tuple[int, ...]],
        *,
        threads: int | None = None,
        chunk: int = CHUNK,
    ) -> None:
        """Prepare a run whose sums have the given shapes; `threads` defaults to the cores the process may use.

        Raises InputError for fewer than one thread.
        """
        if threads is not None and threads < 1:
            raise InputError(f"threads cannot be {threads}: it is at least 1")
        self._kernel = kernel
        self._threads = threads or len(os.sched_getaffinity(0))
        self._chunk = chunk
        self.deals = 0
        self.sums = [np.zeros(shape, np.int64) for shape in shapes]

    def extend(self, deals: int) -> None:
        """Bring the run to that many deals; a run that has them is left as it is.

        Raises InputError for a number of deals that no run takes.
        """
        if not 2 <= deals <= MOST_DEALS:
            raise InputError(f"deals cannot be {deals}: a run takes 2 to {MOST_DEALS:,}")
        starts = range(self.deals, deals, self._chunk)

        def count(start: int) -> list[Counts]:
            part = [np.zeros_like(total) for total in self.sums]
            self._kernel(part, start, min(start + self._chunk, deals))
            return part

        with ThreadPoolExecutor(self._threads) as pool:
            # A window of chunks at a time keeps memory flat however long the run is.
            window = 8 * self._threads
            for index in range(0, len(starts), window):
                chunks = starts[index : index + window]
                # All or none of a window's chunks are added, so that an interrupted run can go on.
                for part in list(pool.map(count, chunks)):
                    for total, more in zip(self.sums, part, strict=True):
                        total += more
                self.deals = min(chunks[-1] + self._chunk, deals)

    def extend_until(self, estimate: Callable[[], Estimate], deals: int | None, precision: float | None) -> None:
        """Bring the run to `deals` deals (default DEALS), or to the `precision` wanted of an estimate from its sums.

        With both, `deals` is the most that may be spent. Raises InputError when these do not reach the precision.
        """
        if precision is None:
            self.extend(DEALS if deals is None else deals)
            return

        def estimate_after(n: int) -> Estimate:
            self.extend(n)
            return estimate()

        deals_for_half_width(estimate_after, precision, pilot=PILOT_DEALS, most=MOST_DEALS if deals is None else deals)
