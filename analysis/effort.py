"""How much to sample where an answer is estimated: checked before anything is counted, so that it is never ignored."""

import math
from dataclasses import dataclass

from core.errors import InputError
from core.seeds import check_run

DEALS = 1_000_000
PILOT_DEALS = 100_000
MOST_DEALS = 10**11


@dataclass(frozen=True)
class Effort:
    """Sample so many deals, or until an interval has a wanted half-width.

    deals
        the number of deals (default DEALS); with a precision, the most that may be spent
    precision
        the half-width wanted, in the estimate's unit
    seed
        the run's seed; deal i is a function of the seed and i alone
    threads
        how many to use (default: all cores); changes no number

    Raises InputError naming the field that cannot be.
    """

    deals: int | None = None
    precision: float | None = None
    seed: int = 1
    threads: int | None = None

    def __post_init__(self) -> None:
        """Check each field."""
        if self.deals is not None and not 2 <= self.deals <= MOST_DEALS:
            raise InputError(f"deals cannot be {self.deals}: a run takes 2 to {MOST_DEALS:,}")
        if self.precision is not None and not 1e-9 <= self.precision < math.inf:
            raise InputError(f"precision {self.precision:g} is not a positive half-width of at least 1e-09")
        check_run(self.seed, 0, 0, 0)
        if self.threads is not None and not 1 <= self.threads <= 1024:
            raise InputError(f"threads cannot be {self.threads}: it lies in 1..1024")
