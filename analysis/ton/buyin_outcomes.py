"""Choices at the buy-in compared on the same deals: how often each gives so many tricks where refusing gives so many.

A measure of any model adds these counts up; all that is said of a choice follows from them, whatever a plus is worth.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from analysis.estimate import LEVEL, Estimate, mean, proportion
from analysis.tally import Counts
from core.errors import InputError
from core.ton.rules import TonRules

# The place of the choice that all are compared with.
REFUSE = 0
# In place of tricks, of a player who folds (T8): -1 stands for no such deal.
FOLDED = -2


def add_outcomes(sums: Counts, tricks: NDArray[np.int8]) -> None:
    """Add the deals to counts of shape (choices, tricks of the choice, tricks after refusing); the last place: a fold.

    `tricks` has the shape (deals, choices); where it is -1, the deal does not give the choice.
    """
    choices, most, _ = sums.shape
    places = np.where(tricks == FOLDED, most - 1, tricks).astype(np.int64)
    for choice in range(choices):
        given = places[:, choice] >= 0
        pairs = places[given, choice] * most + places[given, REFUSE]
        sums[choice] += np.bincount(pairs, minlength=most * most).reshape(most, most)


def zero_cost(rules: TonRules, plus_worth: float | None) -> Fraction:
    """Return how many points a hand without a trick costs: the better of plus and minus that `zero_trick` allows (T11).

    `plus_worth` is what a plus costs, in points; None stands for as many as the minus. Raises InputError for a
    worth outside 0..1000.
    """
    if plus_worth is not None and not 0 <= plus_worth <= 1000:
        raise InputError(f"plus_worth cannot be {plus_worth:g}: it lies in 0..1000 points")
    minus = Fraction(rules.zero_trick_points)
    plus = minus if plus_worth is None else Fraction(plus_worth)
    return {"choice": min(plus, minus), "plus_only": plus, "minus_only": minus}[rules.zero_trick]


@dataclass(frozen=True)
class Option:
    """A choice at the buy-in and what it gives its player; all estimated, in tricks or points a hand.

    tricks
        the mean number
    points
        the mean change of his record: tricks, and for none what a plus or the minus costs, whichever is less (T11); 0
        for a fold (T8)
    minus_refuse
        the points that it gives more than refusing, on the same deals
    p_no_trick
        the chance of taking part without a trick
    """

    option: str
    tricks: Estimate
    points: Estimate
    minus_refuse: Estimate
    p_no_trick: Estimate


def option_of(name: str, counts: Counts, cost: Fraction, seed: int) -> Option:
    """Return a choice's estimates from its counts of shape (its tricks, tricks after refusing).

    Raises InputError for fewer than two deals.
    """
    cells = [(own, other, n) for own, row in enumerate(counts.tolist()) for other, n in enumerate(row) if n]
    deals, folded = sum(n for *_, n in cells), len(counts) - 1

    def points(tricks: int) -> Fraction:
        return Fraction(0) if tricks == folded else Fraction(tricks) if tricks else -cost

    def estimate(values: Iterable[Fraction]) -> Estimate:
        terms = [(value, n) for value, (*_, n) in zip(values, cells, strict=True)]
        total = sum((value * n for value, n in terms), Fraction(0))
        return mean(total, sum((value**2 * n for value, n in terms), Fraction(0)), deals, seed=seed)

    gain = estimate(points(own) - points(other) for own, other, _ in cells)
    if name == "refuse":
        # Nothing is uncertain about it.
        gain = Estimate(0.0, 0.0, 0.0, 0.0, deals, LEVEL, seed)
    return Option(
        name,
        estimate(Fraction(own % folded) for own, *_ in cells),
        estimate(points(own) for own, *_ in cells),
        gain,
        proportion(sum(n for own, _, n in cells if own == 0), deals, seed=seed),
    )
