"""Paired sums: what comes of them is what a plain recomputation from all deals gives."""

from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from analysis.effort import Effort
from analysis.estimate import Estimate
from analysis.paired import BATCH, MOST_DEALS, MOST_FACT, ONE, Paired, deals_to_tell_apart, pairs_of
from analysis.runs import Run
from core.errors import InputError
from tests.analysis.sides import CoinRules, Coins

DEALS = 3 * BATCH + 17
A, B, C = (Coins(CoinRules(**fields), ()) for fields in ({}, {"bias": 53}, {"pay": 3}))
COLUMNS = (("paid:0", ONE), ("even_paid", "even"), ("even_falls", "even"))


def run(sides=(A, B, C), columns=COLUMNS, *, chunk=None, deals=DEALS, **sampling) -> Run:
    found = Run(Paired(sides, columns, 7), Effort(seed=7, **sampling), chunk=chunk)
    found.extend(deals)
    return found


@pytest.fixture(scope="module")
def pairs():
    found = run(threads=1)
    return pairs_of(found.sums, found.deals, 7)


def facts(side, *columns):
    return side.facts(columns, 7, 0, DEALS).T.astype(float)


@pytest.mark.parametrize(("number", "other"), [(0, B), (1, C)])
def test_mean_difference_is_that_of_each_deal_s_differences(pairs, number, other):
    (one,), (two,) = facts(A, "paid:0"), facts(other, "paid:0")
    change = (two - one) / 4
    found = pairs[number][0].difference(4, 0.95, stopping=False, step=Fraction(0))
    assert found.value == pytest.approx(change.mean())
    assert found.se == pytest.approx(change.std(ddof=1) / DEALS**0.5)
    assert (found.n, found.level, found.seed) == (DEALS, 0.95, 7)
    assert found.half_width == pytest.approx(1.959964 * found.se, rel=1e-3)
    # The two have much in common, so that two separate runs would need many more deals.
    assert found.se < 0.7 * np.hypot(one.std(), two.std()) / 4 / DEALS**0.5
    for side, values in ((False, one / 4), (True, two / 4)):
        estimate = pairs[number][0].side(side, 4, 0.95, rate=False, stopping=False, step=Fraction(1))
        assert estimate.value == pytest.approx(values.mean())
        assert estimate.se == pytest.approx(values.std(ddof=1) / DEALS**0.5)
    assert pairs[number][0].differing == int((one != two).sum()) > 0
    assert pairs[number][0].differs(0.95).value == (one != two).mean()


def test_difference_of_means_over_some_deals_has_the_error_of_a_jackknife(pairs):
    (x, y), (u, v) = facts(A, "even_paid", "even"), facts(B, "even_paid", "even")
    found = pairs[0][1].difference(1, 0.95, stopping=False, step=Fraction(1))
    assert found.value == pytest.approx(u.sum() / v.sum() - x.sum() / y.sum())
    # Leaving out each deal in turn.
    left_out = (u.sum() - u) / (v.sum() - v) - (x.sum() - x) / (y.sum() - y)
    spread = np.sqrt((DEALS - 1) / DEALS * ((left_out - left_out.mean()) ** 2).sum())
    assert found.se == pytest.approx(spread, rel=1e-3)
    rate = pairs[0][2].side(True, 1, 0.95, rate=True, stopping=False, step=Fraction(1))
    (falls, even) = facts(B, "even_falls", "even")
    assert rate.n == even.sum()
    assert rate.value == pytest.approx(falls.sum() / even.sum())


def test_interval_covers_as_often_as_it_says():
    """Of 1,000 intervals of 90 %, 100 miss on average, and 160 or more once in a hundred million times."""
    missed = 0
    for seed in range(1000):
        sums = [np.zeros(shape, np.int64) for shape in Paired((A, B), COLUMNS[:1], seed).shapes]
        Paired((A, B), COLUMNS[:1], seed).count(sums, 0, 3000)
        found = pairs_of(sums, 3000, seed)[0][0].difference(4, 0.9, stopping=False, step=Fraction(0))
        missed += not found.low <= 0.03 * 2 / 4 <= found.high
    assert 50 < missed < 160


def test_sums_are_the_same_for_any_threads_and_chunks_and_go_on_from_a_checkpoint(tmp_path):
    def sums(found: Run):
        return [part.tolist() for part in found.sums]

    whole = sums(run(threads=1))
    assert sums(run(threads=2, chunk=1000)) == whole
    assert sums(run(threads=2, chunk=7001, deals=9000, store=tmp_path)) != whole
    assert sums(run(threads=1, chunk=5000, store=tmp_path)) == whole


@dataclass(frozen=True)
class Great:
    """Facts as great as there may be, of both signs."""

    factor: int = 1

    def facts(self, columns, seed, start, stop):
        return (
            np.array([[MOST_FACT], [-MOST_FACT], [MOST_FACT - 12345], [-77], [65537]], np.int64)[start:stop]
            * self.factor
        )

    def description(self) -> dict[str, Any]:
        return {"game": "none"}


def test_products_of_the_greatest_facts_are_exact_and_greater_ones_refused():
    (pair,) = pairs_of(run((Great(), Great(-1)), (("x", ONE),), deals=5).sums, 5, 7)[0]
    values = [int(x) for x in Great().facts((), 0, 0, 5)[:, 0]]
    assert pair.products[0][0] == pair.products[2][2] == sum(x * x for x in values)
    assert pair.products[0][2] == pair.products[2][0] == -sum(x * x for x in values)
    assert pair.products[0][1] == pair.totals[0] == sum(values)
    with pytest.raises(InputError, match="above 2,147,483,648"):
        run((Great(), Great(2)), (("x", ONE),), deals=5)
    with pytest.raises(InputError, match="2,147,483,648 deals at most"):
        Paired((A, B), COLUMNS, 7).count([], MOST_DEALS, MOST_DEALS + 1)


def test_equal_sides_differ_by_nothing_seen_and_by_what_a_bound_allows():
    found = run((A, A))
    pair = pairs_of(found.sums, found.deals, 7)[0][0]
    change = pair.difference(4, 0.95, stopping=False, step=Fraction(1))
    assert (change.value, change.se, pair.differing) == (0, 0, 0)
    # In the quantity's unit as much as Wilson's bound has it in deals.
    assert change.high == -change.low == pytest.approx(pair.differs(0.95).high, rel=1e-3)
    assert deals_to_tell_apart(change, Fraction(1)) is None


def test_too_few_deals_that_come_to_it_are_refused():
    sums = run((A, B), deals=2).sums
    sums[0][..., [1, 3]] = 1
    with pytest.raises(InputError, match="1 of 2 deals come to what is asked for"):
        pairs_of(sums, 2, 7)[0][1].difference(1, 0.95, stopping=False, step=Fraction(1))


@pytest.mark.parametrize("se", [0.0001, 0.01, 0.5])
def test_so_many_deals_bring_the_interval_to_exclude_zero_and_one_less_does_not(se):
    change = Estimate(0.01, se, 0, 0, 4000, 0.95, 1)
    needed = deals_to_tell_apart(change, Fraction(1))
    reach = NormalDist().inv_cdf(0.975)

    def width(n: int) -> float:
        return reach * np.hypot(se * (4000 / n) ** 0.5, reach / n)

    assert width(needed) <= 0.01 < width(needed - 1)
