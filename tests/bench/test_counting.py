"""Exact counts against the plain program, and icepool, in one run."""

from statistics import median
from time import perf_counter

import icepool
from pytest_benchmark.fixture import BenchmarkFixture

from analysis.tonk import TonkRules, odds_by_players
from tests.reference import tonk_count

PLAYERS = range(2, 11)


def seconds(benchmark: BenchmarkFixture) -> float:
    return float(benchmark.stats.stats.median)


def test_default_table_against_the_plain_count(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(odds_by_players, (PLAYERS, TonkRules()), rounds=15, warmup_rounds=2)
    table = tonk_count.table(PLAYERS, 15, 49)
    assert all(list(answer.exactly) == table[n] for n, answer in odds_by_players(PLAYERS).items())
    # In turn, because the machine's speed changes; twenty of ours, to be measured over a like time.
    ratios = []
    for _ in range(5):
        start = perf_counter()
        tonk_count.table(PLAYERS, 15, 49)
        plain = perf_counter() - start
        start = perf_counter()
        for _ in range(20):
            odds_by_players(PLAYERS)
        ours = (perf_counter() - start) / 20
        ratios.append(plain / ours)
    print(f"\nplain count {plain:.2f} s, ours {1000 * ours:.1f} ms:", end=" ")
    print(f"{median(ratios):.0f} times faster (middle of {len(ratios)}; bound 200)")


def test_low_tonk_20_for_all_players(benchmark: BenchmarkFixture) -> None:
    rules = TonkRules(low_tonk=20)
    benchmark.pedantic(odds_by_players, (PLAYERS, rules), rounds=3)
    print(f"\nlow_tonk = 20, 2 to 10 players: {seconds(benchmark):.2f} s (bound 2 s)")


def test_two_hands_against_icepool(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(odds_by_players, ([2], TonkRules()), rounds=15, warmup_rounds=2)

    class Tonks(icepool.MultisetEvaluator):  # type: ignore[misc]
        def initial_state(self, order, outcomes, sizes):  # type: ignore[no-untyped-def]
            return 0, 0

        def next_state(self, state, order, value, counts):  # type: ignore[no-untyped-def]
            return state[0] + value * counts[0], state[1] + value * counts[1]

        def final_outcome(self, state, order, outcomes, sizes):  # type: ignore[no-untyped-def]
            return sum(total <= 15 or total >= 49 for total in state)

    start = perf_counter()
    deal = icepool.Deck({value: 16 if value == 10 else 4 for value in range(1, 11)}).deal((5, 5))
    result = Tonks().evaluate(deal)
    peer = perf_counter() - start
    assert 1 - result.probability(0) == odds_by_players([2])[2].any
    print(
        f"\nicepool {peer:.2f} s, ours {1000 * seconds(benchmark):.1f} ms: {peer / seconds(benchmark):.0f} times faster"
    )
