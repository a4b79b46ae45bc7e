"""Dealing and judging three-player hands against numpy, and against drawing the random words alone, in one run."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from time import perf_counter

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

from analysis.effort import Effort
from analysis.runs import Run
from analysis.tonk import TonkRules
from analysis.tonk.sampling import Holders
from analysis.tonk.table import Table
from core.deals import LANES
from core.jit import kernel
from core.rng import fill_block
from core.tonk.rules import card_value

DEALS = 1 << 24
PLAYERS, CARDS = 3, 15
VALUES = np.array([card_value(card) for card in range(52)])


@kernel
def draw_words_only(deals: int) -> np.uint32:
    """Draw the words that the deals take, four blocks of four each, and do nothing else with them."""
    words = np.empty((4, LANES), np.uint32)
    for first in range(0, deals, LANES):
        for block in range(4):
            fill_block(words, block, np.uint64(1), np.uint32(0), first)
    return words[0, 0]


def deal_and_judge(threads: int) -> Run:
    run = Run(Holders(Table.seen(TonkRules(), PLAYERS, None, None), 1), Effort(threads=threads))
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


def paired(one: Callable[[], object], other: Callable[[], object], rounds: int = 15) -> tuple[float, float, float]:
    """Return the middle seconds of each call, and the middle of `one` over `other`, the two being timed in turn."""
    seconds = []
    for call in [one, other] * (rounds + 1):
        start = perf_counter()
        call()
        seconds.append(perf_counter() - start)
    pairs = list(zip(seconds[2::2], seconds[3::2], strict=True))
    return median(a for a, _ in pairs), median(b for _, b in pairs), median(a / b for a, b in pairs)


def test_three_player_hands(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(deal_and_judge, (1,), rounds=7, warmup_rounds=1)
    ours, words, ratio = paired(lambda: deal_and_judge(1), lambda: draw_words_only(DEALS))
    print(f"\nthree-player hands, one thread: {1e-6 * DEALS / ours:.1f} million a second")
    some = 1 << 17  # numpy's arrays then still fit a cache
    for way in (numpy_partition, numpy_permuted, numpy_shuffle_columns):
        _, peer, faster = paired(lambda: deal_and_judge(1), lambda way=way: numpy_judge(way, some), 5)
        print(f"  {DEALS / some / faster:.1f} times {way.__name__} ({1e-6 * some / peer:.2f} million; bound 5)")
    print(f"  {ratio:.2f} times the time of drawing the words alone ({1e-6 * DEALS / words:.0f} million; bound 2)")


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_two_threads(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(deal_and_judge, (2,), rounds=7, warmup_rounds=1)
    with ThreadPoolExecutor(2) as pool:
        *_, machine = paired(
            lambda: draw_words_only(DEALS), lambda: list(pool.map(draw_words_only, [DEALS // 2, DEALS // 2]))
        )
        *_, faster = paired(lambda: deal_and_judge(1), lambda: deal_and_judge(2))
    print(f"\ntwo threads: {faster:.2f} times one (bound 1.8; drawing words alone gains {machine:.2f} here)")
