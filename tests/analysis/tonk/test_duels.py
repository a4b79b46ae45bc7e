"""One player of Tonk among others: nothing gained among equals, more by a better policy, on any threads."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.effort import Effort
from analysis.tonk.duels import Duels, gain
from core.errors import InputError
from core.tonk.policies import Random, Simple, Threshold
from core.tonk.rules import TonkRules
from core.tonk.thresholds import thresholds_for

SOURCE = TonkRules()
THRESHOLD = Threshold(thresholds_for(4))


@pytest.mark.parametrize("policy", [Random(), Simple(), THRESHOLD], ids=["random", "simple", "threshold"])
def test_among_equals_nothing_is_gained_on_any_deal(policy):
    found = gain(Duels(SOURCE, 4, policy, policy, 3), Effort(deals=2000, seed=3))
    assert (found.value, found.se, found.n, found.seed) == (0, 0, 2000, 3)


def test_a_policy_that_drops_gains_among_random_ones_and_a_random_one_loses():
    better = gain(Duels(SOURCE, 3, Simple(), Random(), 1), Effort(deals=3000))
    worse = gain(Duels(SOURCE, 3, Random(), Simple(), 1), Effort(deals=3000))
    assert better.value - 6 * better.se > 0.2
    assert worse.value + 6 * worse.se < -0.2


def test_a_gain_is_the_same_on_any_threads_and_is_kept_apart_by_what_it_depends_on(tmp_path):
    duels = Duels(SOURCE, 4, THRESHOLD, Simple(), 1)
    once = gain(duels, Effort(deals=3000, threads=1))
    assert gain(duels, Effort(deals=3000, threads=2, store=tmp_path)) == once
    others = [
        replace(duels, rules=TonkRules(drop_penalty=3)),
        replace(duels, players=5, one=Threshold(thresholds_for(5))),
        replace(duels, one=Simple(9)),
        replace(duels, others=Simple(9)),
        replace(duels, seed=2),
    ]
    described = [str(each.description()) for each in (duels, *others)]
    assert len(set(described)) == len(described)


def test_sums_that_could_overflow_are_refused():
    duels = Duels(TonkRules(drop_penalty=1000), 4, Simple(), Simple(), 1)
    with pytest.raises(InputError, match="hands at most"):
        duels.count([np.zeros(2, np.int64)], 10**12, 10**12 + 1)
