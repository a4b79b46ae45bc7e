"""Confidence sequences: they miss as seldom as they say however one stops, also where differences are rare and skewed.

Paths of sums are drawn at the looks of a run, with the exact distribution of the sums of independent differences. Each
bound is missed by a right program less than once in a million: of 4,000 paths at 5 %, 200 are expected and 270 allowed.
"""

import math

import numpy as np
import pytest

from analysis.estimate import normal_quantile
from analysis.sequential import FIRST_LOOK, half_width, quantile, sequence_quantile
from core.errors import InputError

PATHS, ALLOWED = 4000, 270
# What a deal's difference may be, with its chances; the rest is 0.
DIFFERENCES = {
    "often and evenly": {-1: 0.2, 1: 0.2},
    "seldom": {-1: 0.0003, 1: 0.0003},
    "only upwards": {1: 0.0002},
    "a few large ones": {19: 0.0005, -1: 0.0095},
    "large and rare": {-40: 0.0002, 2: 0.004},
}


def paths(chances: dict[int, float]):
    """Yield (n, means, standard errors) of all paths at looks 10 % apart, from FIRST_LOOK to 2,000,000 deals."""
    chance = np.random.default_rng(5)
    values, weights = np.array([*chances, 0]), [*chances.values(), 1 - sum(chances.values())]
    counts, n = np.zeros((PATHS, len(values)), np.int64), 0
    while n < 2_000_000:
        more = FIRST_LOOK if n == 0 else n // 10
        counts += chance.multinomial(more, weights, size=PATHS)
        n += more
        means, squares = counts @ values / n, counts @ values**2 / n
        yield n, means, np.sqrt((squares - means**2) / (n - 1))


def missed(chances: dict[int, float], reach) -> int:
    """Return how many paths have an interval that misses the true mean at some look."""
    true = sum(value * weight for value, weight in chances.items())
    ever = np.zeros(PATHS, bool)
    for n, means, errors in paths(chances):
        widths = np.array([half_width(se, n, reach(n), max(map(abs, chances))) for se in errors])
        ever |= np.abs(means - true) > widths
    return int(ever.sum())


@pytest.mark.parametrize("name", DIFFERENCES)
def test_whoever_stops_when_he_likes_is_misled_as_seldom_as_the_level_says(name):
    assert missed(DIFFERENCES[name], lambda n: sequence_quantile(n, 0.95)) <= ALLOWED


def test_the_usual_interval_would_mislead_him_much_more_often():
    """So that the test above can fail, and the sequence is not needlessly wide."""
    usual = normal_quantile(0.95)
    assert missed(DIFFERENCES["often and evenly"], lambda n: usual) > 2 * ALLOWED
    assert missed(DIFFERENCES["often and evenly"], lambda n: sequence_quantile(n, 0.6)) > 2 * ALLOWED


def test_quantile_is_robbins_mixture_and_at_its_best_at_20000_deals():
    level, n = 0.95, 50_000
    rate = (-2 * math.log(0.05) + math.log(-2 * math.log(0.05)) + 1) / 20_000
    # As Waudby-Smith et al. write it, with rho squared for the rate.
    reach = math.sqrt(2 * (n * rate + 1) / (n**2 * rate) * math.log(math.sqrt(n * rate + 1) / 0.05)) * math.sqrt(n)
    assert sequence_quantile(n, level) == pytest.approx(reach)
    best = min(range(1000, 60_000, 100), key=lambda n: sequence_quantile(n, level))
    # The approximation of the best rate is a good one.
    assert 15_000 < best < 25_000
    assert quantile(n, level, stopping=True) == sequence_quantile(n, level)
    assert quantile(n, level, stopping=False) == normal_quantile(level)


def test_allowance_is_wilsons_without_spread_and_fades_with_it():
    assert half_width(0, 1000, 2, 1) == pytest.approx(4 / 1000)
    assert half_width(0, 1000, 2, 10) == pytest.approx(40 / 1000)
    assert half_width(0.1, 10**6, 2, 1) == pytest.approx(0.2, rel=1e-6)


@pytest.mark.parametrize(("n", "level"), [(0, 0.95), (10, 0.0), (10, 1.0)])
def test_no_sample_and_no_level_are_refused(n, level):
    with pytest.raises(InputError):
        sequence_quantile(n, level)
