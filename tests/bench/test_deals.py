"""Dealing and judging three-player hands against numpy, and against drawing the random words alone, in one run."""

import os
from collections.abc import Callable
from time import perf_counter

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

from analysis.effort import Effort
from analysis.runs import Run
from analysis.tonk import TonkRules
from analysis.tonk.sampling import holders_run
from analysis.tonk.table import Table
from core.deals import LANES
from core.jit import kernel
from core.rng import fill_words
from core.tonk.rules import card_value

DEALS = 1 << 22
PLAYERS, CARDS = 3, 15
VALUES = np.array([card_value(card) for card in range(52)])


@kernel
def draw_words_only(deals: int) -> np.uint32:
    """Draw the words that the deals take, four blocks of four each, and do nothing else with them."""
    words = np.empty((4, 4, LANES), np.uint32)
    for first in range(0, deals, LANES):
        fill_words(words, np.uint64(1), np.uint32(0), first)
    return words[0, 0, 0]


def deal_and_judge(threads: int) -> Run:
    run = holders_run(Table.seen(TonkRules(), PLAYERS, None, None), Effort(threads=threads))
    run.extend(DEALS)
    return run


def numpy_partition(deals: int) -> NDArray[np.int64]:
    """The fifteen smallest of 52 random numbers name the cards; within hands their order does not matter."""
    keys = np.random.default_rng(1).random((deals, 52), dtype=np.float32)
    return np.argpartition(keys, (4, 9, 14), axis=1)[:, :CARDS]


def numpy_permuted(deals: int) -> NDArray[np.int64]:
    decks = np.broadcast_to(np.arange(52, dtype=np.uint8), (deals, 52))
    return np.random.default_rng(1).permuted(decks, axis=1)[:, :CARDS]


def numpy_shuffle_columns(deals: int) -> NDArray[np.int64]:
    """A Fisher-Yates shuffle of all decks at once, a column of positions at a time."""
    rng, rows = np.random.default_rng(1), np.arange(deals)
    decks = np.tile(np.arange(52, dtype=np.uint8), (deals, 1))
    for j in range(CARDS):
        picked = rng.integers(j, 52, deals, dtype=np.uint8)
        taken = decks[rows, picked]
        decks[rows, picked] = decks[:, j]
        decks[:, j] = taken
    return decks[:, :CARDS]


def numpy_judge(deal: Callable[[int], NDArray[np.int64]], deals: int) -> NDArray[np.int64]:
    totals = VALUES[deal(deals)].reshape(deals, PLAYERS, 5).sum(axis=2)
    return np.bincount(((totals <= 15) | (totals >= 49)).sum(axis=1), minlength=PLAYERS + 1)


def fastest(call: Callable[[], object], rounds: int = 5) -> float:
    call()
    seconds = []
    for _ in range(rounds):
        start = perf_counter()
        call()
        seconds.append(perf_counter() - start)
    return min(seconds)


def test_three_player_hands(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(deal_and_judge, (1,), rounds=7, warmup_rounds=1)
    ours = benchmark.stats.stats.min / DEALS
    words = fastest(lambda: draw_words_only(DEALS), 7) / DEALS
    some = 1 << 17  # numpy's arrays then still fit a cache
    peers = {
        way.__name__: fastest(lambda way=way: numpy_judge(way, some)) / some
        for way in (numpy_partition, numpy_permuted, numpy_shuffle_columns)
    }
    print(f"\nthree-player hands, one thread: {1e-6 / ours:.1f} million a second")
    for name, seconds in peers.items():
        print(f"  {seconds / ours:.1f} times {name} ({1e-6 / seconds:.2f} million)")
    print(f"  {ours / words:.2f} times the time of drawing the words alone ({1e-6 / words:.0f} million; bound 2)")


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_two_threads(benchmark: BenchmarkFixture) -> None:
    one = fastest(lambda: deal_and_judge(1), 7)
    benchmark.pedantic(deal_and_judge, (2,), rounds=7, warmup_rounds=1)
    print(f"\ntwo threads: {one / benchmark.stats.stats.min:.2f} times one (bound 1.8)")
