"""One player of Ton among others: nothing gained among equals, more by a better policy, the same on both engines."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from analysis.effort import Effort
from analysis.main import main
from analysis.ton.duels import Duels, gain, head_to_head, worths
from core.errors import InputError
from core.ton.play import play
from core.ton.policies import POLICIES, policy
from core.ton.rules import TonRules
from tests.core.ton.hands import random_tuned

RULES = TonRules(zero_trick_points=4, five_bid_failed_tricks="lost")


@pytest.mark.parametrize(("one", "others"), [("greedy", "plain"), ("random", "greedy"), ("plain", "random")])
def test_kernel_and_reference_engine_give_the_same_gain(one, others, monkeypatch):
    kernel = [np.zeros(2, np.int64)]
    reference = [np.zeros(2, np.int64)]
    duels = Duels(RULES, 3, policy(one, 3), policy(others, 3), 4, 5)
    duels.count(kernel, 2040, 2090)
    monkeypatch.setattr("analysis.ton.duels.in_kernel", lambda policies: False)
    duels.count(reference, 2040, 2090)
    assert kernel[0].tolist() == reference[0].tolist()
    assert kernel[0][1] > 0


@pytest.mark.parametrize("name", POLICIES)
def test_among_equals_nothing_is_gained_on_any_deal(name):
    found = gain(Duels(RULES, 4, POLICIES[name], POLICIES[name], 4, 3), Effort(deals=2000, seed=3))
    assert (found.value, found.se, found.n) == (0, 0, 2000)


def test_gain_is_what_one_gets_more_on_his_seats_than_another_would():
    one, plain = policy("pimc:3", 3), policy("plain", 3)
    found = gain(Duels(RULES, 3, one, plain, 4, 2), Effort(deals=4, seed=2))

    def points(deal: int, own: int | None) -> list[int]:
        table = [one if seat == own else plain for seat in range(3)]
        return worths(play(RULES, 3, table, 2, deal).result, 4)

    gains = [points(deal, own)[own] - points(deal, None)[own] for deal in range(4) for own in range(3)]
    assert found.value == pytest.approx(sum(gains) / 12)
    assert found.n == 4


def test_among_one_policy_the_gains_are_those_of_the_whole_table():
    names = ("plain", "greedy", "random")
    whole = head_to_head(3, names, RULES, deals=500, seed=2)
    assert head_to_head(3, names, RULES, among="plain", deals=500, seed=2) == {
        pair: whole[pair] for pair in (("greedy", "plain"), ("random", "plain"))
    }
    with pytest.raises(InputError, match="among tuned: it is not one of"):
        head_to_head(3, names, RULES, among="tuned")


def test_pimc_gains_among_random_players():
    found = gain(Duels(TonRules(), 3, policy("pimc:4", 3), policy("random", 3), 5, 1), Effort(deals=60))
    assert found.value > 5 * found.se


def test_a_gain_is_the_same_on_any_threads_and_is_kept_apart_by_what_it_depends_on(tmp_path):
    duels = Duels(RULES, 4, policy("greedy", 4), policy("plain", 4), 4, 1)
    once = gain(duels, Effort(deals=5000, threads=1))
    assert gain(duels, Effort(deals=5000, threads=2, store=tmp_path)) == once
    others = [
        replace(duels, rules=TonRules()),
        replace(duels, players=5),
        replace(duels, one=policy("pimc", 4)),
        replace(duels, others=policy("random", 4)),
        replace(duels, others=random_tuned(1, 4)),
        replace(duels, others=random_tuned(2, 4)),
        replace(duels, plus_worth=5),
        replace(duels, seed=2),
    ]
    described = [str(each.description()) for each in (duels, *others)]
    assert len(set(described)) == len(described)


def test_the_command_prints_the_gains_of_head_to_head(monkeypatch, capsys):
    words = "ton duel --players 3 --policies plain,greedy --deals 3000 --seed 4 --json --set must_beat=free"
    monkeypatch.setattr(sys, "argv", ["tonlab", *words.split()])
    with pytest.raises(SystemExit) as stopped:
        main()
    out, err = capsys.readouterr()
    assert (stopped.value.code, err) == (0, "")
    found = json.loads(out)
    expected = head_to_head(3, ["plain", "greedy"], TonRules(must_beat="free"), deals=3000, seed=4)
    points = {(duel["one"], duel["others"]): duel["points"]["value"] for duel in found["duels"]}
    assert points == {pair: estimate.value for pair, estimate in expected.items()}
    assert points["greedy", "plain"] > 0 > points["plain", "greedy"]
    assert (found["players"], found["seed"]) == (3, 4)


@pytest.mark.parametrize(
    ("players", "policies", "said"),
    [
        (3, ["plain", "plain"], "two different"),
        (3, ["plain", "best"], "'best'"),
        (1, ["plain", "greedy"], "1 players"),
    ],
)
def test_duels_that_cannot_be_are_refused(players, policies, said):
    with pytest.raises(InputError, match=said):
        head_to_head(players, policies, deals=10)
