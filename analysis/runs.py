"""Runs of many deals: split into chunks, counted by threads, merged in whole numbers.

A chunk's kernel adds whole numbers to arrays, and deal i depends on (seed, stream, i) alone. The sums are therefore
the same for any number of threads and any chunk size.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from analysis.effort import DEALS, MOST_DEALS, PILOT_DEALS, Effort
from analysis.estimate import Estimate, deals_for_half_width
from core.errors import InputError

Counts = NDArray[np.int64]
# `kernel(sums, start, stop)` adds the counts of the deals start .. stop - 1 to the arrays; it releases the
# interpreter's lock.
Kernel = Callable[[Sequence[Counts], int, int], None]

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

        Raises InputError for fewer than one thread, or an empty chunk.
        """
        if threads is not None and threads < 1:
            raise InputError(f"threads cannot be {threads}: it is at least 1")
        if chunk < 1:
            raise InputError(f"chunk cannot be {chunk}: it is at least 1 deal")
        self._kernel = kernel
        self._threads = threads or _cores()
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

    def extend_until(self, estimate: Callable[[], Estimate], effort: Effort) -> None:
        """Bring the run to the number of deals, or to the precision wanted of an estimate from its sums.

        Raises InputError when the most deals that may be spent do not reach the precision.
        """
        if effort.precision is None:
            self.extend(DEALS if effort.deals is None else effort.deals)
            return

        def estimate_after(n: int) -> Estimate:
            self.extend(n)
            return estimate()

        most = MOST_DEALS if effort.deals is None else effort.deals
        deals_for_half_width(estimate_after, effort.precision, pilot=PILOT_DEALS, most=most)


def _cores() -> int:
    """Return the number of cores that the process may use, or that the machine has where the system cannot tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
