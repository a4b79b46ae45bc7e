"""An estimate that is asked for again and again while its run grows, so that its interval narrows before one's eyes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Generic, TypeVar

from analysis.effort import PILOT_DEALS
from core.errors import InputError

if TYPE_CHECKING:
    from analysis.estimate import Estimate
    from analysis.runs import Run

T = TypeVar("T")

# The first step's deals: few, because a deal's cost is not known yet. Later steps grow to so many seconds.
FIRST_STEP = 128
STEP_SECONDS = 0.25
GROWTH = 2


@dataclass(frozen=True)
class Growing(Generic[T]):
    """A run, what its deals say so far, and the estimate by whose interval its precision is judged."""

    run: "Run"
    answer: Callable[[], T]
    judged: "Callable[[], Estimate]"

    def complete(self, *, pilot: int = PILOT_DEALS) -> T:
        """Return the answer with the effort that the run was given. Raises InputError as `Run.complete` does."""
        self.run.complete(self.judged, pilot=pilot)
        return self.answer()

    def answers(self, precision: float, most: int) -> Iterator[T]:
        """Yield the answer after more and more deals, a few times a second, until it is precise enough.

        Ends when the judged interval's half-width is at most `precision`, or after `most` deals. Each answer is the
        one that as many deals give at once. Raises InputError where even `most` deals are too few for any.
        """
        step = FIRST_STEP
        while True:
            begun = perf_counter()
            self.run.extend(min(self.run.deals + step, most))
            try:
                yield self.answer()
                if self.run.deals >= most or self.judged().half_width <= precision:
                    return
            except InputError:
                if self.run.deals >= most:
                    raise
            seconds = max(perf_counter() - begun, 1e-9)
            step = max(1, min(GROWTH * self.run.deals, int(step * STEP_SECONDS / seconds)))
