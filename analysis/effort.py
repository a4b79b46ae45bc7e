"""How much to sample where an answer is estimated: checked before anything is counted, so that it is never ignored."""

import math
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from core.errors import InputError
from core.seeds import check_run

DEALS = 1_000_000
PILOT_DEALS = 100_000
MOST_DEALS = 10**13


class Sampling(TypedDict, total=False):
    """The keywords of every function that may sample: those of Effort."""

    deals: int | None
    precision: float | None
    seed: int
    threads: int | None
    workers: int | None
    scheduler: str | None
    store: Path | str | None


@dataclass(frozen=True)
class Effort:
    """Sample so many deals, or until an interval has a wanted half-width, and where.

    deals
        the number of deals (default DEALS); with a precision, the most that may be spent
    precision
        the half-width wanted, in the estimate's unit
    seed
        the run's seed; deal i is a function of the seed and i alone
    threads
        how many to use (default: all cores)
    workers
        count in so many processes on this machine instead (Dask)
    scheduler
        count on the workers of a running Dask scheduler instead, as in tcp://host:8786
    store
        the folder for checkpoints; None keeps none

    Threads, workers, scheduler and store change no number. Raises InputError naming the field that cannot be.
    """

    deals: int | None = None
    precision: float | None = None
    seed: int = 1
    threads: int | None = None
    workers: int | None = None
    scheduler: str | None = None
    store: Path | str | None = None

    def __post_init__(self) -> None:
        """Check each field."""
        if self.deals is not None and not 2 <= self.deals <= MOST_DEALS:
            raise InputError(f"deals cannot be {self.deals}: a run takes 2 to {MOST_DEALS:,}")
        if self.precision is not None and not 1e-9 <= self.precision < math.inf:
            raise InputError(f"precision {self.precision:g} is not a positive half-width of at least 1e-09")
        check_run(self.seed, 0, 0, 0)
        for name in ("threads", "workers"):
            number = getattr(self, name)
            if number is not None and not 1 <= number <= 1024:
                raise InputError(f"{name} cannot be {number}: it lies in 1..1024")
        if self.scheduler is not None and not re.fullmatch(r"\w+://\S+", self.scheduler):
            raise InputError(f"scheduler {self.scheduler!r} is not an address such as tcp://host:8786")
        places = [name for name in ("threads", "workers", "scheduler") if getattr(self, name) is not None]
        if len(places) > 1:
            raise InputError(f"{' and '.join(places)} exclude each other: give one of them")


def default_store() -> Path:
    """Return the folder for checkpoints where none is named: TONLAB_STORE, or one in the user's cache folder."""
    import platformdirs

    named = os.environ.get("TONLAB_STORE")
    return Path(named) if named else platformdirs.user_cache_path("tonlab") / "runs"
