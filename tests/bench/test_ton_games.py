"""Whole hands of Ton for four players: a second's worth on one core, two threads, and a peer's card game."""

import os
import random
from time import perf_counter

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from analysis.effort import Effort
from analysis.runs import Run
from analysis.ton import TonRules
from analysis.ton.sampling import Games
from tests.bench.test_deals import paired

DEALS = 1 << 18


def play_hands(policy: str, threads: int) -> Run:
    run = Run(Games((policy,) * 4, TonRules(), 1), Effort(threads=threads))
    run.extend(DEALS)
    return run


@pytest.mark.parametrize("policy", ["random", "plain"])
def test_four_player_hands(benchmark: BenchmarkFixture, policy: str) -> None:
    benchmark.pedantic(play_hands, (policy, 1), rounds=7, warmup_rounds=1)
    rate = 1e-6 * DEALS / benchmark.stats.stats.median
    print(f"\nhands of Ton, four players by {policy}, one thread: {rate:.2f} million a second (bound 1.2)")


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_two_threads(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(play_hands, ("random", 2), rounds=7, warmup_rounds=1)
    *_, faster = paired(lambda: play_hands("random", 1), lambda: play_hands("random", 2))
    print(f"\ntwo threads: {faster:.2f} times one (bound 1.8)")


def test_random_hands_against_euchre(benchmark: BenchmarkFixture) -> None:
    """OpenSpiel's euchre: four players, five tricks, and the nearest to Ton of its games."""
    pyspiel = pytest.importorskip("pyspiel")
    game, chance = pyspiel.load_game("euchre"), random.Random(1)

    def euchre(hands: int) -> None:
        for _ in range(hands):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))

    benchmark.pedantic(play_hands, ("random", 1), rounds=7, warmup_rounds=1)
    start = perf_counter()
    euchre(300)
    peer = 300 / (perf_counter() - start)
    ours = DEALS / benchmark.stats.stats.median
    print(f"\n{ours / peer:.0f} times OpenSpiel's euchre in random play from Python ({peer:.0f} hands a second)")
