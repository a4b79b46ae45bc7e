"""Solving Ton with open cards against a plain minimax, against DDS (through endplay), and two threads against one."""

import os
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

from core.cards import format_card
from core.ton.open_masks import LED, beating, legal, suit_around, suit_mask
from core.ton.rules import DECK, TonRules
from core.ton.solver import BITS, solve_many
from tests.bench.test_deals import paired

Ints = NDArray[np.int64]


# Not core.jit.kernel: numba does not load recursive functions from its cache.
@njit(nogil=True)
def most(first: int, second: int, trump: int, led: int) -> int:
    """Return the tricks of who leads (holds `first`, has led `led` or nothing yet) with two hands, every card tried."""
    best = -1
    if led == 0:
        if first == 0:
            return 0
        cards = first
        while cards:
            card = cards & -cards
            cards ^= card
            best = max(best, most(first ^ card, second, trump, card))
        return best
    suit = suit_around(led)
    cards = legal(second, suit, led, led, trump, LED, 0)
    best = 100
    while cards:
        card = cards & -cards
        cards ^= card
        rest = second ^ card
        if card & beating(led, suit, trump):
            tricks = _left(first) - most(rest, first, trump, 0)
        else:
            tricks = 1 + most(first, rest, trump, 0)
        best = min(best, tricks)
    return best


@njit(nogil=True)
def _left(hand: int) -> int:
    cards = 0
    while hand:
        hand &= hand - 1
        cards += 1
    return cards


@njit(nogil=True)
def plain(hands: Ints, trumps: Ints, into: Ints) -> None:
    """Solve endings of two hands, the first leading."""
    for number in range(len(hands)):
        into[number, 0] = most(hands[number, 0], hands[number, 1], trumps[number], 0)
        into[number, 1] = _left(hands[number, 0]) - into[number, 0]


def endings(number: int, players: int) -> tuple[Ints, Ints, Ints]:
    """Deals of five cards a hand from the whole deck, with a trump suit; the first seat leads."""
    chance = random.Random(players)
    cards = np.array([chance.sample(DECK, 5 * players) for _ in range(number)]).reshape(number, players, 5)
    return cards, np.array([chance.randrange(4) for _ in range(number)]), np.zeros(number, np.int64)


def solver(given: tuple[Ints, Ints, Ints], threads: int = 1) -> Callable[[], Ints]:
    return lambda: solve_many(*given, TonRules(), threads=threads)


def test_two_hands_against_plain_minimax(benchmark: BenchmarkFixture) -> None:
    given = endings(1000, 2)
    benchmark.pedantic(solver(given), rounds=3, warmup_rounds=1)
    masks, trumps = BITS[given[0]].sum(axis=2), np.array([suit_mask(int(suit)) for suit in given[1]])
    found = np.zeros((len(masks), 2), np.int64)
    ours, theirs, ratio = paired(lambda: plain(masks, trumps, found), solver(given), 5)
    assert (found == solver(given)()).all()
    print(f"\ntwo hands, five tricks: {len(masks) / theirs:,.0f} endings a second for both seats")
    print(f"  {ratio:.1f} times plain minimax ({len(masks) / ours:,.0f}; bound 5)")


def test_four_hands_against_dds(benchmark: BenchmarkFixture) -> None:
    dds = pytest.importorskip("endplay.dds")
    types = pytest.importorskip("endplay.types")
    given = endings(1000, 4)
    benchmark.pedantic(solver(given), rounds=3, warmup_rounds=1)
    boards = [board(types, hands, int(trump)) for hands, trump in zip(given[0][:200], given[1], strict=False)]
    pytest.importorskip("endplay._dds").SetMaxThreads(1)
    theirs, ours, _ = paired(lambda: dds.solve_all_boards(boards, dds.solve.SolveMode.OptimalOne), solver(given), 5)
    values, peer = 4 * len(given[0]) / ours, len(boards) / theirs
    print(f"\nfour hands, five tricks: {values:,.0f} values a second, all against each seat in turn")
    print(f"  {values / peer:.1f} times DDS through endplay ({peer:,.0f} endings, one value each; bound 10)")


def board(types: ModuleType, hands: Ints, trump: int) -> Any:
    """Return a bridge ending of the same cards, for endplay."""
    names = [[format_card(card).replace("10", "T") for card in hand] for hand in hands]
    deal = " ".join(".".join("".join(card[0] for card in hand if card[1] == suit) for suit in "shdc") for hand in names)
    return types.Deal(f"N:{deal}", first=types.Player.north, trump=list(types.Denom)[trump])


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_two_threads(benchmark: BenchmarkFixture) -> None:
    given = endings(8192, 4)
    benchmark.pedantic(solver(given, 2), rounds=3, warmup_rounds=1)
    *_, faster = paired(solver(given, 1), solver(given, 2), 5)
    print(f"\nsolving on two threads: {faster:.2f} times one (bound 1.8)")
