"""Whole hands of Ton for four players: a second's worth on one core, two threads, and a peer's card game."""

import os

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from analysis.effort import Effort
from analysis.runs import Run
from analysis.ton import TonRules
from analysis.ton.sampling import Games
from core.ton.policies import policy as named
from tests.bench.peers import play_openspiel
from tests.bench.test_deals import paired

DEALS = 1 << 18
PEER_GAMES = 1 << 13


def play_hands(policy: str, threads: int) -> Run:
    run = Run(Games((named(policy, 4),) * 4, TonRules(), 1), Effort(threads=threads))
    run.extend(DEALS)
    return run


@pytest.mark.parametrize("policy", ["random", "plain", "greedy"])
def test_four_player_hands(benchmark: BenchmarkFixture, policy: str) -> None:
    benchmark.pedantic(play_hands, (policy, 1), rounds=7, warmup_rounds=1)
    rate = 1e-6 * DEALS / benchmark.stats.stats.median
    print(f"\nhands of Ton, four players by {policy}, one thread: {rate:.2f} million a second")


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_two_threads(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(play_hands, ("random", 2), rounds=7, warmup_rounds=1)
    *_, faster = paired(lambda: play_hands("random", 1), lambda: play_hands("random", 2))
    print(f"\ntwo threads: {faster:.2f} times one (bound 1.8)")


def test_random_hands_against_euchre(benchmark: BenchmarkFixture) -> None:
    """OpenSpiel's euchre: four players, five tricks, and the nearest to Ton of its games."""
    play_openspiel("euchre", 1)
    benchmark.pedantic(play_hands, ("random", 1), rounds=7, warmup_rounds=1)
    ours, peer, ratio = paired(lambda: play_hands("random", 1), lambda: play_openspiel("euchre", PEER_GAMES), 5)
    print(f"\nOpenSpiel's euchre at random: {PEER_GAMES / peer:,.0f} hands a second, Ton {DEALS / ours:,.0f}")
    print(f"  {DEALS / PEER_GAMES / ratio:.0f} times (bound 20)")
