"""Simulated hands: estimates equal what the reference engine's hands give, on any threads; wrong input is refused."""

import json
import shlex
import sys
from fractions import Fraction
from statistics import stdev

import numpy as np
import pytest

from analysis.main import main
from analysis.tonk import TonkRules, simulate
from analysis.tonk.games import Games
from core.errors import InputError
from core.tonk.play import play
from core.tonk.policies import policy


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Return what runs `tonlab tonk simulate` and returns status, output and error output."""
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("TONLAB_STORE", str(tmp_path))

    def run_(options: str):
        monkeypatch.setattr(sys, "argv", ["tonlab", "tonk", "simulate", *shlex.split(options)])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code, *capsys.readouterr()

    return run_


def test_estimates_are_those_of_the_reference_engine_s_hands():
    # Shares: several holders of a TONK, and several lowest totals when the stock runs out.
    rules = TonkRules(several_tonks="split", low_tonk=25, high_tonk=46, tonk_pay=3, drop_settlement="lowest_only")
    names, deals = ["simple:4", "random", "simple"], 150
    found = simulate(3, names, rules, deals=deals, seed=5)
    hands = [play(rules, 3, [policy(name, 3) for name in names], 5, deal) for deal in range(deals)]
    assert any(pay.denominator > 1 for hand in hands for pay in hand.result.payments)
    for seat, estimate in enumerate(found.payment):
        paid = [hand.result.payments[seat] for hand in hands]
        assert estimate.value == float(sum(paid, Fraction(0)) / deals)
        assert estimate.se == pytest.approx(stdev(map(float, paid)) / deals**0.5)
    turns = [hand.turns for hand in hands]
    assert found.turns.value == sum(turns) / deals
    assert found.turns.se == pytest.approx(stdev(turns) / deals**0.5)
    for kind, rate in found.kinds.items():
        assert rate.value == sum(hand.result.kind == kind for hand in hands) / deals
    assert sum(rate.value for rate in found.kinds.values()) == pytest.approx(1)


def test_rollouts_are_played_on_the_reference_engine():
    names, deals = ["rollout:5", "simple", "random"], 12
    found = simulate(3, names, deals=deals, seed=5)
    hands = [play(TonkRules(), 3, [policy(name, 3) for name in names], 5, deal) for deal in range(deals)]
    paid = [sum(hand.result.payments[seat] for hand in hands) for seat in range(3)]
    assert [estimate.value for estimate in found.payment] == [float(pay / deals) for pay in paid]
    assert found.turns.value == sum(hand.turns for hand in hands) / deals
    assert found.kinds["drop_won"].value == sum(hand.result.kind == "drop_won" for hand in hands) / deals
    assert simulate(3, names, deals=deals, seed=5, threads=2) == found


def test_threads_and_store_change_no_number(tmp_path):
    policies = ["simple", "random", "random", "simple:20"]
    once = simulate(4, policies, deals=3000, threads=1)
    assert simulate(4, policies, deals=3000, threads=2, store=tmp_path) == once
    assert sum(payment.value for payment in once.payment) == pytest.approx(0)


def test_a_precision_holds_for_every_seat():
    found = simulate(2, ["simple", "random"], precision=0.02)
    assert all(payment.half_width <= 0.02 for payment in found.payment)


@pytest.mark.parametrize(
    ("players", "policies", "said"),
    [
        (3, ["random"] * 2, "2 policies for 3 players"),
        (2, ["random", "simpel:12"], "did you mean simple?"),
        (2, ["randm", "simple"], "did you mean random?"),
        (2, ["simple:x", "simple"], "'simple:x'"),
        (2, ["simple:", "simple"], "whole number"),
        (11, ["random"] * 11, "at most 10"),
        (1, ["random"], "at least 2"),
    ],
)
def test_wrong_input_is_refused(players, policies, said):
    with pytest.raises(InputError, match=said.replace("?", r"\?")):
        simulate(players, policies, deals=10)


def test_sums_that_could_overflow_are_refused():
    games = Games(TonkRules(tonk_pay=1000), ("random",) * 10, 1)
    sums = [np.zeros(shape, np.int64) for shape in games.shapes]
    with pytest.raises(InputError, match="92,233,720,368 hands at most"):
        games.count(sums, 10**11, 10**11 + 1)


def test_the_command_prints_the_agreed_json(run):
    status, out, err = run("--players 3 --policies 'simple:12, random,simple' --deals 2000 --seed 9 --json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    fields = {"value", "se", "low", "high", "n", "level"}
    assert [set(payment) for payment in found["payment"]] == [fields] * 3
    assert list(found["kinds"]) == ["tonk", "drop_won", "drop_lost", "out", "stock_out"]
    assert all(set(rate) == fields for rate in [*found["kinds"].values(), found["turns"]])
    assert (found["turns"]["n"], found["seed"], found["players"]) == (2000, 9, 3)
    assert found["policies"] == ["simple:12", "random", "simple"]


def test_the_command_prints_a_table(run):
    status, out, err = run("--players 2 --policies simple,random --deals 500 --rules american")
    assert (status, err) == (0, "")
    assert "payment of seat 1 (random), stakes" in out
    assert "ends with a stock that ran out" in out


def test_the_command_refuses_an_unknown_policy_in_one_line(run):
    status, out, err = run("--players 2 --policies simple,rand")
    assert (status, out) == (2, "")
    assert err == "tonlab: unknown Tonk policy 'rand': did you mean random?\n"
