"""The same deals under several rule sets: sums from which each difference, and its error, is had deal by deal.

A quantity is a mean over deals, or a mean over those deals that come to something (drops, say): in both cases the sum
of a numerator over the sum of a denominator, which for a plain mean is 1 on each deal. What two rule sets have in
common on a deal cancels in the error of their difference.
"""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, sqrt
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from analysis.estimate import Estimate, proportion
from analysis.sequential import half_width, quantile
from analysis.tally import Counts
from core.errors import InputError
from core.sources import CORE, source_hash

# Deals whose facts are held at the same time.
BATCH = 4096
# Facts are at most so great, and a run at most so long, that sums of products of facts fit (see `_products`).
MOST_FACT = 2**31
MOST_DEALS = 2**31
_LOW = 16
Floats = NDArray[np.float64]
ONE = ""  # the denominator of a plain mean

# Numerator and denominator under the one rule set and under the other.
_XA, _YA, _XB, _YB = range(4)


class Side(Protocol):
    """What is played under one rule set. A side is a value, as a measure is."""

    def facts(self, columns: Sequence[str], seed: int, start: int, stop: int) -> Counts:
        """Return what these columns name for each of the deals start .. stop - 1, in whole numbers; a row a deal."""
        ...

    def description(self) -> dict[str, Any]:
        """Return all that the facts depend on but seed and code, as JSON values."""
        ...


@dataclass(frozen=True)
class Paired:
    """Plays each deal on every side, and sets the first side against each of the others.

    `columns` names a numerator and a denominator for each quantity. The sums are, by other side and quantity: those of
    numerator and denominator on the first side and on the other; of the products of any two of these, in three parts
    (see `_products`); the deals on which the two sides differ.
    """

    sides: tuple[Side, ...]
    columns: tuple[tuple[str, str], ...]
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        pairs = (len(self.sides) - 1, len(self.columns))
        return [(*pairs, 4), (3, *pairs, 4, 4), pairs]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the deals start .. stop - 1."""
        if stop > MOST_DEALS:
            raise InputError(f"a comparison can add up {MOST_DEALS:,} deals at most")
        totals, products, differing = sums
        for first in range(start, stop, BATCH):
            last = min(first + BATCH, stop)
            one = self._facts(self.sides[0], first, last)
            for number, side in enumerate(self.sides[1:]):
                other = one if side == self.sides[0] else self._facts(side, first, last)
                both = np.concatenate([one, other], axis=2)
                totals[number] += both.sum(axis=0)
                products[:, number] += _products(both)
                differing[number] += (one != other).any(axis=2).sum(axis=0)

    def _facts(self, side: Side, start: int, stop: int) -> Counts:
        """Return numerators and denominators, shape (deals, quantities, 2)."""
        names = list(dict.fromkeys(name for pair in self.columns for name in pair if name != ONE))
        facts = side.facts(names, self.seed, start, stop)
        if np.abs(facts).max(initial=0) > MOST_FACT:
            raise InputError(f"on some deal a quantity is above {MOST_FACT:,}: its mean is not to be had by sampling")
        table = np.concatenate([facts, np.ones((len(facts), 1), np.int64)], axis=1)
        places = {name: place for place, name in enumerate([*names, ONE])}
        return table[:, [[places[name] for name in pair] for pair in self.columns]]

    def description(self) -> dict[str, Any]:
        """Return what the sums depend on: the sides' code, too, which may be in another file than this one."""
        files = {Path(inspect.getfile(type(side))) for side in self.sides}
        first = self.sides[0].description()
        return {
            "game": first.pop("game"),
            "measure": "the same deals under several rules",
            "columns": [list(pair) for pair in self.columns],
            "sides": [side.description() for side in self.sides],
            "sides_code": source_hash(CORE, tuple(sorted(files))),
            "seed": self.seed,
        }


def _products(facts: Counts) -> Counts:
    """Return the sums over deals of products of two facts: (3, quantities, k, k), of facts (deals, quantities, k).

    Each fact is high * 2**16 + low; the parts are the sums of high * high, of both mixed products, and of low * low.
    A product in a part is at most 2**32: as many as 2**31 fit whole numbers, and a batch of them fits floats, which
    multiply matrices faster.
    """
    by_quantity = np.ascontiguousarray(facts.transpose(1, 2, 0))
    high, low = (by_quantity >> _LOW).astype(float), (by_quantity & (1 << _LOW) - 1).astype(float)

    def summed(one: Floats, other: Floats) -> Counts:
        return np.asarray(one @ other.transpose(0, 2, 1), np.int64)

    mixed = summed(high, low)
    return np.stack([summed(high, high), mixed + mixed.transpose(0, 2, 1), summed(low, low)])


@dataclass(frozen=True)
class Pair:
    """One quantity under two rule sets over n deals: sums of facts, their products, and deals that differ; exact."""

    totals: Sequence[int]
    products: Sequence[Sequence[int]]
    differing: int
    n: int
    seed: int

    def side(self, other: bool, scale: int, level: float, *, rate: bool, stopping: bool, step: Fraction) -> Estimate:
        """Estimate the quantity under the one rule set, or under the other; facts are the quantity times `scale`.

        A `rate` has a proportion's interval. `stopping` and `step` are those of `difference`.
        """
        x, y = (_XB, _YB) if other else (_XA, _YA)
        self._check(y)
        if rate and not stopping:
            return proportion(self.totals[x], self.totals[y], seed=self.seed, level=level)
        value, weights = self._mean(x, y, scale)
        found = self._estimate(value, weights, self.totals[y], level, stopping, step)
        return replace(found, low=max(0.0, found.low), high=min(1.0, found.high)) if rate else found

    def difference(self, scale: int, level: float, *, stopping: bool, step: Fraction) -> Estimate:
        """Estimate the other rule set's quantity less the one's, from what differs on each deal.

        `stopping` gives an interval that is valid wherever the run stops; `step` is about as much as a deal may
        change, for the allowance of `half_width`.
        """
        self._check(_YA)
        self._check(_YB)
        (one, minus), (other, plus) = self._mean(_XA, _YA, scale), self._mean(_XB, _YB, scale)
        weights = {**{place: -weight for place, weight in minus.items()}, **plus}
        least = min(self.totals[_YA], self.totals[_YB])
        return self._estimate(other - one, weights, least, level, stopping, step)

    def differs(self, level: float) -> Estimate:
        """Estimate how often the two rule sets give different facts on a deal."""
        return proportion(self.differing, self.n, seed=self.seed, level=level)

    def _check(self, y: int) -> None:
        if self.totals[y] < 2:
            raise InputError(f"{self.totals[y]} of {self.n:,} deals come to what is asked for: too few to estimate")

    def _mean(self, x: int, y: int, scale: int) -> tuple[Fraction, dict[int, Fraction]]:
        """Return x over y, and what each deal's facts weigh in its error: of (x - value * y) over the mean of y."""
        value = Fraction(self.totals[x], self.totals[y])
        unit = Fraction(self.n, self.totals[y]) / scale
        return value / scale, {x: unit, y: -value * unit}

    def _estimate(
        self, value: Fraction, weights: dict[int, Fraction], counted: int, level: float, stopping: bool, step: Fraction
    ) -> Estimate:
        """Return the estimate from what each deal's facts weigh; `counted` deals come to what is asked for."""
        squares = sum(one * other * self.products[i][j] for i, one in weights.items() for j, other in weights.items())
        se = sqrt(squares / (self.n - 1) / self.n)
        reach = half_width(se, counted, quantile(self.n, level, stopping=stopping), float(step))
        return Estimate(float(value), se, float(value) - reach, float(value) + reach, self.n, level, self.seed)


def pairs_of(sums: Sequence[Counts], n: int, seed: int) -> list[list[Pair]]:
    """Return the pairs of a run's sums, by other side and quantity."""
    totals, products, differing = (part.tolist() for part in sums)
    high, mixed, low = products
    return [
        [
            Pair(
                totals[side][q],
                [
                    [
                        (high[side][q][i][j] << 2 * _LOW) + (mixed[side][q][i][j] << _LOW) + low[side][q][i][j]
                        for j in range(4)
                    ]
                    for i in range(4)
                ],
                differing[side][q],
                n,
                seed,
            )
            for q in range(len(totals[side]))
        ]
        for side in range(len(totals))
    ]


def deals_to_tell_apart(difference: Estimate, step: Fraction) -> int | None:
    """Return how many deals bring the usual interval of a difference to exclude 0, if it is the one observed.

    Of the difference's level, `step` being that of `half_width`; an estimate. None where no difference is observed.
    """
    if difference.value == 0:
        return None
    reach, square = quantile(difference.n, difference.level, stopping=False), difference.value**2
    variance = difference.se**2 * difference.n
    return ceil(reach**2 * (variance + sqrt(variance**2 + 4 * square * float(step) ** 2)) / (2 * square))
