"""Estimates: a sampled value with its standard error and an interval that covers the true value as often as it claims.

Proportions get Wilson's interval, which stays inside 0..1 and has a sensible width at 0 of n (Wilson 1927; Brown, Cai
and DasGupta 2001 recommend it over the textbook one). Means get the normal interval. The sums behind both are whole
numbers or fractions, so that chunks of a run merge to the same bytes in any order.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

from core.errors import InputError

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A sampled quantity: value, standard error, and an interval at a confidence level.

    `n` counts the independent deals behind the value; `seed` is the run's seed. Never exact.
    """

    value: float
    se: float
    low: float
    high: float
    n: int
    level: float
    seed: int

    @property
    def half_width(self) -> float:
        """Half the interval's length, in the value's unit."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        """Show the value with its interval."""
        return f"{self.value:.6g} ({self.level:.0%}: {self.low:.6g} to {self.high:.6g}, n = {self.n:,})"


def normal_quantile(level: float) -> float:
    """Return how many standard errors a two-sided interval of this level reaches to each side.

    Raises InputError unless 0 < level < 1.
    """
    if not 0 < level < 1:
        raise InputError(f"level {level} is not between 0 and 1")
    return NormalDist().inv_cdf((1 + level) / 2)


def proportion(successes: int, n: int, *, seed: int, level: float = LEVEL) -> Estimate:
    """Estimate a probability from `successes` in `n` independent deals, with Wilson's interval.

    >>> print(proportion(0, 100, seed=1))
    0 (95%: 0 to 0.0369935, n = 100)

    Raises InputError when n is 0 or successes lie outside 0..n.
    """
    if n < 1 or not 0 <= successes <= n:
        raise InputError(f"{successes} of {n} deals is not a proportion")
    z = normal_quantile(level)
    p = successes / n
    shrunk = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / shrunk
    spread = z / shrunk * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # At 0 of n and n of n Wilson's bound is the end itself; rounding must not move it.
    low = 0.0 if successes == 0 else max(0.0, centre - spread)
    high = 1.0 if successes == n else min(1.0, centre + spread)
    return Estimate(p, math.sqrt(p * (1 - p) / n), low, high, n, level, seed)


def mean(total: Fraction | int, squares: Fraction | int, n: int, *, seed: int, level: float = LEVEL) -> Estimate:
    """Estimate an expectation from the exact sum and sum of squares over `n` independent deals.

    The normal interval needs n large enough for the mean to be nearly normal. Where all deals are equal, that says
    nothing of deals not seen: the interval then allows for as many that differ by 1 as Wilson's does at 0 of n.

    >>> print(mean(0, 0, 100, seed=1))
    0 (95%: -0.0369935 to 0.0369935, n = 100)

    Raises InputError when n < 2.
    """
    if n < 2:
        raise InputError(f"{n} deals are too few for a standard error")
    value = Fraction(total) / n
    variance = (Fraction(squares) - n * value * value) / (n - 1)
    se = math.sqrt(variance / n)
    reach = normal_quantile(level) * se if variance else proportion(0, n, seed=seed, level=level).high
    return Estimate(float(value), se, float(value) - reach, float(value) + reach, n, level, seed)


def paired_difference(
    totals: tuple[Fraction | int, Fraction | int],
    squares: tuple[Fraction | int, Fraction | int],
    products: Fraction | int,
    n: int,
    *,
    seed: int,
    level: float = LEVEL,
) -> Estimate:
    """Estimate the expectation of b - a from `n` deals on which both were measured.

    Takes the exact sums over the deals: of a and of b, of their squares, and of their product a * b. What a and b have
    in common on a deal cancels, so the interval is narrower than two separate runs'. Raises InputError as `mean` does.

    >>> print(paired_difference((4, 6), (6, 14), 9, 3, seed=1))
    0.666667 (95%: 0.0133453 to 1.31999, n = 3)
    """
    (total_a, total_b), (squares_a, squares_b) = totals, squares
    return mean(total_b - total_a, squares_a + squares_b - 2 * products, n, seed=seed, level=level)


def deals_for_half_width(estimate_after: Callable[[int], Estimate], half_width: float, *, pilot: int, most: int) -> int:
    """Return how many deals bring the interval's half-width down to `half_width`, at most `most`.

    `estimate_after(n)` gives the estimate from the first n deals. A pilot of `pilot` deals measures the spread; the
    half-width falls with the root of n. The run is then long enough at once, or nearly so, and lengthened until it
    is: the number of looks stays small, so the interval keeps its level (tested by simulation).

    Raises InputError when half_width is not positive or `most` deals do not reach it.
    """
    if not half_width > 0:
        raise InputError(f"precision {half_width} must be positive")
    n = min(pilot, most)
    while (estimate := estimate_after(n)).half_width > half_width:
        # The half-width falls with the root of n; where no spread has been seen yet, with n itself.
        wanted = 1.02 * n * (estimate.half_width / half_width) ** (2 if estimate.se > 0 else 1)
        if n == most or wanted > 4 * most:
            raise InputError(
                f"precision {half_width:g} needs more than {most:,} deals; {n:,} deals reach {estimate.half_width:.3g}"
            )
        n = min(most, max(n + 1, math.ceil(wanted)))
    return n
