"""A measure from any function, to try the run engine on counts that are known beforehand."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analysis.effort import Effort
from analysis.runs import Run
from analysis.tally import Counts


@dataclass(frozen=True)
class Plain:
    """Counts what `function(sums, start, stop)` adds."""

    function: Callable[[Sequence[Counts], int, int], None]
    shapes: Sequence[tuple[int, ...]]
    facts: dict[str, Any] = field(default_factory=dict)

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        self.function(sums, start, stop)

    def description(self) -> dict[str, Any]:
        return {"measure": self.function.__name__, **self.facts}


def run_of(function, shapes, *, chunk: int | None = None, **sampling: Any) -> Run:
    """Return a run of the function."""
    return Run(Plain(function, shapes), Effort(**sampling), chunk=chunk)


def scatter(sums: Sequence[Counts], start: int, stop: int) -> None:
    """Count deals by a hash of their number, slowly enough to be interrupted: a deal lost or counted twice shows."""
    numbers = np.arange(start, stop, dtype=np.int64)
    sums[0] += np.bincount(numbers * 2654435761 % 2**32 >> 7 & 7, minlength=8)
    sums[1] += (numbers * numbers % 10007).sum()
    time.sleep((stop - start) * 2e-6)


SCATTER_SHAPES = ((8,), (1, 1))


def scattered(deals: int) -> list[list[int]]:
    """Return the sums of `scatter` over the deals 0 .. deals - 1, counted at once."""
    numbers = np.arange(deals, dtype=np.int64)
    hashes = np.bincount(numbers * 2654435761 % 2**32 >> 7 & 7, minlength=8)
    return [hashes.tolist(), [[int((numbers * numbers % 10007).sum())]]]
