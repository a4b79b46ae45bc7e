"""Whole hands of Tonk by the kernel: random play against OpenSpiel's gin rummy, in one run; policies; two threads."""

import os

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from analysis.effort import Effort
from analysis.runs import Run
from analysis.tonk import TonkRules
from analysis.tonk.games import Games
from core.tonk.policies import policy as named
from tests.bench.peers import play_openspiel
from tests.bench.test_deals import paired

HANDS = 1 << 17
PEER_GAMES = 100


def play(policy: str, threads: int) -> Run:
    run = Run(Games(TonkRules(), (named(policy, 3),) * 3, 1), Effort(threads=threads))
    run.extend(HANDS)
    return run


def test_policies(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(play, ("random", 1), rounds=5, warmup_rounds=1)
    print("\nwhole three-player hands, one thread")
    for policy in ("threshold", "simple:10"):
        at_random, theirs, ratio = paired(lambda: play("random", 1), lambda policy=policy: play(policy, 1), 5)
        print(
            f"  random {HANDS / at_random:,.0f} a second, {policy} {HANDS / theirs:,.0f}: {1 / ratio:.2f} times slower",
            end="",
        )
        print(" (bound 3)" if policy == "threshold" else "")


def test_against_openspiel(benchmark: BenchmarkFixture) -> None:
    play_openspiel("gin_rummy", 1)
    benchmark.pedantic(play, ("random", 1), rounds=5, warmup_rounds=1)
    ours, peer, ratio = paired(lambda: play("random", 1), lambda: play_openspiel("gin_rummy", PEER_GAMES), 5)
    faster = HANDS / PEER_GAMES / ratio
    print(f"\nOpenSpiel's gin rummy at random: {PEER_GAMES / peer:,.0f} games a second, Tonk {HANDS / ours:,.0f}")
    print(f"  {faster:,.0f} times (bound 1,000)")


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_two_threads(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(play, ("random", 2), rounds=5, warmup_rounds=1)
    *_, faster = paired(lambda: play("random", 1), lambda: play("random", 2), 7)
    print(f"\ntwo threads: {faster:.2f} times one (bound 1.8)")
