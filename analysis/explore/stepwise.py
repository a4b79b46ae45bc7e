"""Answers of Tonk that are exact where little work does it: at once if they are, else estimates until they are."""

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

# Updates of a table: a drop counts several tables, and all of them together take about a tenth of a second.
QUICK_STEPS = 10_000
# Deals sampled while the exact count is not at hand.
QUICK_DEALS = (20_000, 300_000)
LAST_DEALS = 1_000_000


class Noted(Protocol):
    """An answer whose note says why something in it is sampled; None where all is exact."""

    @property
    def note(self) -> str | None:
        """The note."""


N = TypeVar("N", bound=Noted)


def stepwise(ask: Callable[[int, int], N], steps: int) -> Iterator[N]:
    """Yield better and better answers; `ask` takes a bound of work and a number of deals, `steps` is the last bound."""
    for deals in QUICK_DEALS:
        found = ask(QUICK_STEPS, deals)
        yield found
        if found.note is None:
            return
    yield ask(steps, LAST_DEALS)
