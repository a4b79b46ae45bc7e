"""Estimates: Wilson's and the normal interval against scipy and numpy, and coverage as often as they claim."""

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from analysis.effort import Effort
from analysis.estimate import LEVEL, Estimate, deals_for_half_width, mean, normal_quantile, proportion
from analysis.runs import Run
from analysis.tonk.opening import odds
from analysis.tonk.sampling import Holders
from analysis.tonk.table import Table
from core.errors import InputError
from core.tonk.rules import TonkRules

# Proportions


@pytest.mark.parametrize("n", [1, 2, 3, 10, 97, 1000, 20_000])
@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.99, 0.999999])
def test_proportion_has_wilsons_interval_as_scipy_computes_it(n, level):
    for successes in sorted({0, 1, n // 50, n // 3, n // 2, n - n // 10, n - 1, n}):
        estimate = proportion(successes, n, seed=4, level=level)
        wanted = stats.binomtest(successes, n).proportion_ci(level, method="wilson")
        assert estimate.low == pytest.approx(wanted.low, rel=1e-12, abs=1e-15)
        assert estimate.high == pytest.approx(wanted.high, rel=1e-12, abs=1e-15)
        assert estimate.value == successes / n
        assert estimate.se == pytest.approx(np.sqrt(successes * (n - successes) / n**3), rel=1e-12)
        assert (estimate.n, estimate.level, estimate.seed) == (n, level, 4)


@pytest.mark.parametrize("n", [1, 2, 5, 49, 1000, 10**6, 10**11])
def test_interval_ends_exactly_at_0_and_1_where_no_or_every_deal_succeeds(n):
    none, every = proportion(0, n, seed=1), proportion(n, n, seed=1)
    z2 = normal_quantile(LEVEL) ** 2
    assert (none.value, none.low) == (0, 0)
    assert (every.value, every.high) == (1, 1)
    assert none.high == pytest.approx(z2 / (n + z2), rel=1e-12)
    assert every.low == pytest.approx(n / (n + z2), rel=1e-12)


@pytest.mark.parametrize("n", [10**9, 10**11])
def test_wilsons_interval_keeps_its_digits_in_the_longest_runs(n):
    for successes in (1, 2, 1000, n // 97, n // 2):
        with localcontext() as context:
            context.prec = 60
            z, k, deals = Decimal(normal_quantile(LEVEL)), Decimal(successes), Decimal(n)
            centre = (k + z * z / 2) / (deals + z * z)
            spread = z * (k * (deals - k) / deals + z * z / 4).sqrt() / (deals + z * z)
        estimate = proportion(successes, n, seed=1)
        assert estimate.low == pytest.approx(float(centre - spread), rel=1e-12)
        assert estimate.high == pytest.approx(float(centre + spread), rel=1e-12)
        # And the same for failures, as far as numbers near 1 tell them.
        opposite = proportion(n - successes, n, seed=1)
        assert opposite.low == pytest.approx(float(1 - centre - spread), abs=1e-15)
        assert opposite.high == pytest.approx(float(1 - centre + spread), abs=1e-15)


def test_interval_holds_the_value_and_stays_within_0_and_1():
    for n in range(1, 60):
        for successes in range(n + 1):
            estimate = proportion(successes, n, seed=1)
            assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
            assert estimate.half_width > 0


def test_numpy_counts_are_taken_as_python_ones_are():
    assert proportion(np.int64(30), np.int64(100), seed=1) == proportion(30, 100, seed=1)


@pytest.mark.parametrize(("successes", "n"), [(0, 0), (0, -1), (-1, 10), (11, 10)])
def test_proportions_that_cannot_be_are_refused(successes, n):
    with pytest.raises(InputError, match=f"{successes} of {n} "):
        proportion(successes, n, seed=1)


@pytest.mark.parametrize("level", [0, 1, -0.5, 1.5, 95, float("nan")])
def test_levels_that_cannot_be_are_refused(level):
    for call in (
        lambda: proportion(3, 10, seed=1, level=level),
        lambda: mean(3, 9, 10, seed=1, level=level),
        lambda: normal_quantile(level),
    ):
        with pytest.raises(InputError, match=f"level {level} "):
            call()


def test_normal_quantile_equals_scipys():
    for level in (1e-6, 0.5, 0.6827, 0.9, 0.95, 0.99, 1 - 1e-9):
        assert normal_quantile(level) == pytest.approx(stats.norm.ppf((1 + level) / 2), rel=1e-9)


# Means


@pytest.mark.parametrize("n", [2, 3, 10, 1000])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_mean_equals_numpys_with_the_normal_interval(n, level):
    values = np.random.default_rng(n).integers(-6, 19, n)
    estimate = mean(int(values.sum()), int((values**2).sum()), n, seed=8, level=level)
    se = values.std(ddof=1) / np.sqrt(n)
    low, high = stats.norm.interval(level, values.mean(), se)
    assert estimate.value == pytest.approx(values.mean(), rel=1e-12)
    assert estimate.se == pytest.approx(se, rel=1e-12)
    assert estimate.low == pytest.approx(low, rel=1e-12)
    assert estimate.high == pytest.approx(high, rel=1e-12)
    assert (estimate.n, estimate.level, estimate.seed) == (n, level, 8)


def test_mean_of_fractions_is_computed_exactly_before_it_is_rounded():
    values = [Fraction(1, 3), Fraction(-5, 7), Fraction(2), Fraction(1, 3), Fraction(22, 9)]
    estimate = mean(sum(values), sum(value * value for value in values), 5, seed=1)
    average = sum(values) / 5
    variance = sum((value - average) ** 2 for value in values) / 4
    assert estimate.value == float(average)
    assert estimate.se == pytest.approx(float(variance / 5) ** 0.5, rel=1e-15)


def test_spread_is_not_lost_under_a_large_mean():
    # Half of 10**6 values are 10**12, half 10**12 + 1; in floats the two sums would cancel to nothing.
    n, large = 10**6, 10**12
    total = n // 2 * (2 * large + 1)
    squares = n // 2 * (large**2 + (large + 1) ** 2)
    estimate = mean(total, squares, n, seed=1)
    assert estimate.se == pytest.approx((0.25 / (n - 1)) ** 0.5, rel=1e-12)


@pytest.mark.parametrize("value", [0, 3, Fraction(1, 3)])
def test_values_without_spread_allow_for_deals_not_seen(value):
    estimate = mean(7 * value, 7 * value * value, 7, seed=1)
    assert estimate.se == 0
    assert estimate.value == float(value)
    # Seven of seven deals alike: one in three might differ by 1.
    assert estimate.high - estimate.value == pytest.approx(proportion(0, 7, seed=1).high)
    assert estimate.value - estimate.low == pytest.approx(proportion(0, 7, seed=1).high)


def test_sums_of_chunks_give_the_same_bytes_in_any_order():
    values = [Fraction(number, 7) for number in np.random.default_rng(1).integers(-20, 20, 300).tolist()]
    chunks = [values[at : at + 41] for at in range(0, 300, 41)]
    estimates = set()
    for order in (chunks, chunks[::-1], chunks[3:] + chunks[:3]):
        total = sum((sum(chunk) for chunk in order), Fraction(0))
        squares = sum((sum(value * value for value in chunk) for chunk in order), Fraction(0))
        estimates.add(mean(total, squares, 300, seed=1))
    assert len(estimates) == 1


def test_paired_differences_have_the_spread_of_the_differences():
    rng = np.random.default_rng(3)
    luck = rng.integers(-10, 11, 5000)
    one, other = luck + rng.integers(0, 2, 5000), luck + rng.integers(0, 3, 5000)
    paired = other - one
    estimate = mean(int(paired.sum()), int((paired**2).sum()), 5000, seed=1)
    assert estimate.value == pytest.approx(other.mean() - one.mean(), rel=1e-12)
    assert estimate.se == pytest.approx(paired.std(ddof=1) / 5000**0.5, rel=1e-12)
    # The common part of the deals drops out: values taken apart would have seven times the error or more.
    apart = [mean(int(values.sum()), int((values**2).sum()), 5000, seed=1).se for values in (one, other)]
    assert estimate.se < np.hypot(*apart) / 7


@pytest.mark.parametrize("n", [1, 0, -3])
def test_too_few_deals_for_a_mean_are_refused(n):
    with pytest.raises(InputError, match=f"{n} deals"):
        mean(1, 1, n, seed=1)


# What an estimate shows


def test_estimate_shows_value_interval_level_and_deals():
    estimate = Estimate(0.25, 0.01, 0.2, 0.3, 12345, 0.9, 1)
    assert str(estimate) == "0.25 (90%: 0.2 to 0.3, n = 12,345)"
    assert estimate.half_width == pytest.approx(0.05)


# Deals for a half-width


class Coin:
    """Deals of a coin, drawn as they are asked for; keeps the numbers of deals that were looked at."""

    def __init__(self, probability, seed):
        self.probability, self.rng = probability, np.random.default_rng(seed)
        self.deals = self.successes = 0
        self.looks = []

    def after(self, n):
        if n > self.deals:
            self.successes += int(self.rng.binomial(n - self.deals, self.probability))
            self.deals = n
        self.looks.append(n)
        return self.now()

    def now(self):
        return proportion(self.successes, self.deals, seed=1)


@pytest.mark.parametrize("probability", [0.0104, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("half_width", [0.05, 0.01, 0.003, 0.0011])
def test_deals_reach_the_half_width_and_are_the_last_ones_looked_at(probability, half_width):
    for seed in range(20):
        coin = Coin(probability, seed)
        n = deals_for_half_width(coin.after, half_width, pilot=500, most=10**8)
        assert n == coin.deals == coin.looks[-1]
        assert coin.now().half_width <= half_width
        assert coin.looks[0] == 500
        assert coin.looks == sorted(set(coin.looks))


@pytest.mark.parametrize("probability", [0.3, 0.5])
@pytest.mark.parametrize("half_width", [0.01, 0.003, 0.0011])
def test_deals_are_hardly_more_than_the_half_width_takes(probability, half_width):
    needed = (normal_quantile(LEVEL) / half_width) ** 2 * probability * (1 - probability)
    for seed in range(20):
        coin = Coin(probability, seed)
        n = deals_for_half_width(coin.after, half_width, pilot=5000, most=10**8)
        # 2 % are spare; the pilot's own p (1 - p) is off by 2.5 % at most but once in 10**7 pilots (p = 0.3).
        assert n == 5000 or 0.97 * needed < n < 1.1 * needed
        assert len(coin.looks) <= 3


def test_deals_stop_at_the_pilot_where_it_reaches_the_half_width_exactly():
    reached = proportion(50, 100, seed=1)
    looks = []

    def after(n):
        looks.append(n)
        return reached

    assert deals_for_half_width(after, reached.half_width, pilot=100, most=1000) == 100
    assert looks == [100]


@pytest.mark.parametrize("pilot", [10, 5000, 10**6])
def test_deals_never_exceed_the_most_and_may_reach_it(pilot):
    coin = Coin(0.5, 1)
    # 9,604 deals are just enough for 0.01; a search that takes some spare would want more than 9,650.
    assert deals_for_half_width(coin.after, 0.01, pilot=pilot, most=9650) <= 9650
    assert max(coin.looks) <= 9650
    with pytest.raises(InputError, match=r"precision 0\.01 .* 9,000 deals"):
        deals_for_half_width(Coin(0.5, 1).after, 0.01, pilot=pilot, most=9000)


@pytest.mark.parametrize("half_width", [0, -1, float("nan")])
def test_half_width_that_is_not_positive_is_refused_before_a_look(half_width):
    coin = Coin(0.5, 1)
    with pytest.raises(InputError, match="positive"):
        deals_for_half_width(coin.after, half_width, pilot=10, most=100)
    assert coin.looks == []


# Coverage

# The share of 95 % intervals that hold the true value, over so many fixed seeds, must lie in 93.5 .. 96.5 %. That is
# over five standard errors (0.29 points each) from 95 %: a right program misses it less than once in three million
# runs; and one whose true coverage is 94.94 or 95.05 %, as Wilson's intervals have here by their exact sum over the
# binomial, less than once in a million.
SEEDS = 5600
LEAST_COVERED, MOST_COVERED = 0.935 * SEEDS, 0.965 * SEEDS
DEALS = 20_000


def covers(estimate, exact):
    return estimate.low <= exact <= estimate.high


def first_payment(number, held, deals):
    """Estimate what seat 0 of three is paid under several_tonks = first: 2 by each without TONK; without, it pays 2."""
    total = squares = 0
    for j in (1, 2, 3):
        total += 2 * (3 - j) * held[0][j] - 2 * (number[j] - held[0][j])
        squares += (2 * (3 - j)) ** 2 * held[0][j] + 4 * (number[j] - held[0][j])
    return mean(total, squares, deals, seed=1)


@pytest.fixture(scope="module")
def covered():
    """How many runs of three players cover the exact chances and payment, and how many when stopped at a half-width."""
    exact = odds(3, TonkRules(several_tonks="first"))
    table = Table.seen(exact.rules, 3, None, None)
    counts = Counter()
    for seed in range(SEEDS):
        run = Run(Holders(table, seed), Effort(threads=1))

        def any_after(n, run=run):
            run.extend(n)
            return proportion(run.deals - int(run.sums[0][0]), run.deals, seed=1)

        counts["any"] += covers(any_after(DEALS), exact.any)
        number, held, _ = (sums.tolist() for sums in run.sums)
        counts["single"] += covers(proportion(sum(held[0]), DEALS, seed=1), exact.single)
        counts["payment"] += covers(first_payment(number, held, DEALS), exact.payment[0])
        deals = deals_for_half_width(any_after, 0.00225, pilot=DEALS, most=10**6)
        stopped = any_after(deals)
        assert stopped.half_width <= 0.00225
        counts["lengthened"] += deals > DEALS
        counts["stopped at a precision"] += covers(stopped, exact.any)
    return counts


# On one worker, as what they ask for takes half a minute.
@pytest.mark.xdist_group("covered")
@pytest.mark.parametrize("quantity", ["any", "single", "payment", "stopped at a precision"])
def test_intervals_of_sampled_hands_cover_the_exact_value_as_often_as_they_claim(covered, quantity):
    assert LEAST_COVERED < covered[quantity] < MOST_COVERED
    assert covered["lengthened"] > 0.99 * SEEDS


@pytest.mark.parametrize(
    ("probability", "pilot", "half_width"),
    [
        (3371 / 324870, 100_000, 0.0004),
        (3371 / 324870, 100_000, 0.0006),  # about half of the pilots suffice
        (0.03, 5000, 0.0025),
        (0.3, 1000, 0.02),
        (0.5, 1000, 0.005),
    ],
)
def test_proportions_sampled_to_a_precision_are_covered_as_often_as_they_claim(probability, pilot, half_width):
    count = 0
    for seed in range(SEEDS):
        coin = Coin(probability, seed)
        n = deals_for_half_width(coin.after, half_width, pilot=pilot, most=10**9)
        assert len(coin.looks) <= 6
        count += covers(proportion(coin.successes, n, seed=1), probability)
    assert LEAST_COVERED < count < MOST_COVERED


def test_means_sampled_to_a_precision_are_covered_as_often_as_they_claim():
    values, chances = np.array([6, 2, 0, -2, -4]), np.array([0.01, 0.05, 0.84, 0.08, 0.02])
    exact = float(values @ chances)
    count = lengthened = 0
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        drawn = np.zeros(5, np.int64)

        def payment_after(n, rng=rng, drawn=drawn):
            drawn += rng.multinomial(n - drawn.sum(), chances)
            return mean(int(values @ drawn), int(values**2 @ drawn), n, seed=1)

        n = deals_for_half_width(payment_after, 0.02, pilot=2000, most=10**9)
        estimate = payment_after(n)
        assert estimate.half_width <= 0.02
        lengthened += n > 2000
        count += covers(estimate, exact)
    assert lengthened == SEEDS
    assert LEAST_COVERED < count < MOST_COVERED
