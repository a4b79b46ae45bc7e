"""One player of Tonk among others: nothing gained among equals, more by a better policy, on any threads."""

import json
import sys
from dataclasses import replace
from statistics import stdev

import numpy as np
import pytest

from analysis.effort import Effort
from analysis.main import main
from analysis.tonk.duels import Duels, gain, head_to_head
from core.errors import InputError
from core.tonk.play import play
from core.tonk.policies import Random, Simple, Threshold, policy
from core.tonk.rules import TonkRules
from core.tonk.thresholds import thresholds_for

SOURCE = TonkRules()
THRESHOLD = Threshold(thresholds_for(4))


@pytest.mark.parametrize("each", [Random(), Simple(), THRESHOLD], ids=["random", "simple", "threshold"])
def test_among_equals_nothing_is_gained_on_any_deal(each):
    found = gain(Duels(SOURCE, 4, each, each, 3), Effort(deals=2000, seed=3))
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


def test_a_rollout_s_gain_is_that_of_the_reference_engine():
    one, others = policy("rollout:4", 3), Simple()
    found = gain(Duels(SOURCE, 3, one, others, 2), Effort(deals=8, seed=2))
    seats = range(3)
    paid = [
        sum(
            play(SOURCE, 3, [one if seat == own else others for seat in seats], 2, deal).result.payments[own]
            for own in seats
        )
        for deal in range(8)
    ]
    assert found.value == pytest.approx(float(sum(paid) / 24))
    assert found.se == pytest.approx(stdev(map(float, paid)) / 3 / 8**0.5)


def test_head_to_head_sets_each_two_policies_against_each_other():
    names = ["simple", "random", "threshold"]
    found = head_to_head(4, names, deals=2000, seed=3)
    assert list(found) == [(one, others) for one in names for others in names if one != others]
    expected = gain(Duels(SOURCE, 4, THRESHOLD, Simple(), 3), Effort(deals=2000, seed=3))
    assert found["threshold", "simple"] == expected


@pytest.mark.parametrize(
    ("players", "policies", "said"),
    [
        (3, ["simple", "simple"], "two different"),
        (3, ["simple", "best"], "'best'"),
        (1, ["simple", "random"], "1 players"),
    ],
)
def test_duels_that_cannot_be_are_refused(players, policies, said):
    with pytest.raises(InputError, match=said):
        head_to_head(players, policies, deals=10)


def test_the_command_prints_the_same_numbers_in_json(monkeypatch, capsys):
    words = "tonk duel --players 3 --policies simple,random --deals 500 --seed 4 --json --set drop_penalty=3"
    monkeypatch.setattr(sys, "argv", ["tonlab", *words.split()])
    with pytest.raises(SystemExit) as stopped:
        main()
    out, err = capsys.readouterr()
    assert (stopped.value.code, err) == (0, "")
    found = json.loads(out)
    expected = head_to_head(3, ["simple", "random"], TonkRules(drop_penalty=3), deals=500, seed=4)
    payments = {(duel["one"], duel["others"]): duel["payment"]["value"] for duel in found["duels"]}
    assert payments == {pair: payment.value for pair, payment in expected.items()}
    assert (found["players"], found["seed"]) == (3, 4)


def test_sums_that_could_overflow_are_refused():
    duels = Duels(TonkRules(drop_penalty=1000), 4, Simple(), Simple(), 1)
    with pytest.raises(InputError, match="hands at most"):
        duels.count([np.zeros(2, np.int64)], 10**12, 10**12 + 1)
