"""Whole hands of Tonk by the kernel: random play against OpenSpiel's gin rummy, in one run; `simple`; two threads."""

import os
import random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from analysis.effort import Effort
from analysis.runs import Run
from analysis.tonk import TonkRules
from analysis.tonk.games import Games
from core.tonk.policies import policy as named
from tests.bench.test_deals import paired

HANDS = 1 << 17
PEER_GAMES = 100


def play(policy: str, threads: int) -> Run:
    run = Run(Games(TonkRules(), (named(policy, 3),) * 3, 1), Effort(threads=threads))
    run.extend(HANDS)
    return run


def play_gin_rummy() -> None:
    """Play OpenSpiel's gin rummy at random, as its examples do."""
    import pyspiel

    game, choose = pyspiel.load_game("gin_rummy"), random.Random(1)
    for _ in range(PEER_GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choose.choices(actions, chances)[0])
            else:
                state.apply_action(choose.choice(state.legal_actions()))


def test_random_hands(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(play, ("random", 1), rounds=5, warmup_rounds=1)
    at_random, simply, ratio = paired(lambda: play("random", 1), lambda: play("simple:10", 1), 5)
    print(f"\nwhole three-player hands, one thread: random {HANDS / at_random:,.0f} a second")
    print(f"  simple:10 {HANDS / simply:,.0f} a second, {ratio:.2f} of random")


def test_against_openspiel(benchmark: BenchmarkFixture) -> None:
    pytest.importorskip("pyspiel")
    benchmark.pedantic(play, ("random", 1), rounds=5, warmup_rounds=1)
    ours, peer, ratio = paired(lambda: play("random", 1), play_gin_rummy, 5)
    faster = HANDS / PEER_GAMES / ratio
    print(f"\nOpenSpiel's gin rummy at random: {PEER_GAMES / peer:,.0f} games a second, Tonk {HANDS / ours:,.0f}")
    print(f"  {faster:,.0f} times (bound 1,000)")


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_two_threads(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(play, ("random", 2), rounds=5, warmup_rounds=1)
    *_, faster = paired(lambda: play("random", 1), lambda: play("random", 2), 7)
    print(f"\ntwo threads: {faster:.2f} times one (bound 1.8)")
