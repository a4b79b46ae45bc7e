"""What a run has counted so far: sums over the deals 0 .. n - 1, and over spans of deals further on.

Chunks finish in any order. Sums are whole numbers, so the order in which they are added changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Part:
    """The sums over the deals start .. stop - 1."""

    start: int
    stop: int
    sums: Sequence[Counts]


class Tally:
    """The sums over the deals 0 .. `deals` - 1, in `sums`, and parts that wait for the deals before them."""

    def __init__(self, shapes: Sequence[tuple[int, ...]]) -> None:
        """Start with no deals; each of the sums has one of the shapes."""
        self._total = Part(0, 0, [np.zeros(shape, np.int64) for shape in shapes])
        self._waiting: dict[int, Part] = {}

    @property
    def deals(self) -> int:
        """The number of deals that the sums cover."""
        return self._total.stop

    @property
    def sums(self) -> Sequence[Counts]:
        """The sums over these deals; they are replaced, not changed, when parts are added."""
        return self._total.sums

    def add(self, part: Part) -> None:
        """Take in a part that overlaps no other."""
        self._waiting[part.start] = part
        while self.deals in self._waiting:
            following = self._waiting[self.deals]
            sums = [total + more for total, more in zip(self.sums, following.sums, strict=True)]
            # In one step, so that Ctrl-C finds the part added wholly or not at all.
            self._total = Part(0, following.stop, sums)
            del self._waiting[following.start]

    def gaps(self, deals: int) -> list[tuple[int, int]]:
        """Return the spans (start, stop) of the deals below `deals` that are still to be counted.

        Parts that reach past `deals` are dropped, so that the sums will end there.
        """
        self._waiting = {
            start: part for start, part in self._waiting.items() if start >= self.deals and part.stop <= deals
        }
        spans, start = [], self.deals
        for part in sorted(self._waiting.values(), key=lambda part: part.start):
            spans.append((start, part.start))
            start = part.stop
        spans.append((start, deals))
        return [(start, stop) for start, stop in spans if start < stop]
