"""Actions of a position, each tried in the same sampled worlds: what each gives, and what it loses against the best."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from analysis.estimate import LEVEL, Estimate, mean, paired_difference
from analysis.tally import Counts


@dataclass(frozen=True)
class Advised:
    """An action, as a record writes it, with what it gives its player and what it loses against the best; estimated."""

    action: str
    payment: Estimate
    minus_best: Estimate


def payments(sums: Sequence[Counts], worlds: int, seed: int, scale: int = 1) -> list[Estimate]:
    """Return what each action gives. `sums` are its totals times `scale`, and the products of two actions' totals."""
    totals, products = sums
    return [
        mean(Fraction(int(total), scale), Fraction(int(products[number, number]), scale**2), worlds, seed=seed)
        for number, total in enumerate(totals)
    ]


def advised(
    actions: Sequence[str], sums: Sequence[Counts], worlds: int, seed: int, scale: int = 1
) -> tuple[Advised, ...]:
    """Return the actions, best first, with what they give; the arguments are those of `payments`."""
    found = payments(sums, worlds, seed, scale)
    order = sorted(range(len(actions)), key=lambda number: -found[number].value)
    totals, products = sums

    def minus_best(number: int) -> Estimate:
        best = order[0]
        if number == best:
            # Nothing is uncertain about the best one itself.
            return Estimate(0.0, 0.0, 0.0, 0.0, worlds, LEVEL, seed)
        return paired_difference(
            (Fraction(int(totals[best]), scale), Fraction(int(totals[number]), scale)),
            (Fraction(int(products[best, best]), scale**2), Fraction(int(products[number, number]), scale**2)),
            Fraction(int(products[best, number]), scale**2),
            worlds,
            seed=seed,
        )

    return tuple(Advised(actions[number], found[number], minus_best(number)) for number in order)
