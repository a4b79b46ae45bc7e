"""Dealing kernels of Tonk: exactly the counts of a plain recount of the very same deals (K4, K8)."""

from collections import Counter

import numpy as np
import pytest

from analysis.effort import Effort
from analysis.runs import Run
from analysis.tonk.sampling import Drops, Holders
from analysis.tonk.table import Table
from core.deals import sample_hands
from core.tonk.kernels import count_drops, count_holders, tonk_limits, value_bounds
from core.tonk.rules import TonkRules, card_value

# Rules, players, seen hand, seen up-card, seat of the seen hand; then deals, none a multiple of the kernels' 512.
OPENINGS = [
    ({}, 2, None, None, 0, 3000),
    ({}, 3, None, None, 0, 1537),
    ({}, 5, None, "Qd", 0, 1000),
    ({}, 10, None, None, 0, 700),
    ({"low_tonk": None}, 4, None, None, 0, 3000),
    ({"high_tonk": None}, 4, None, None, 0, 3000),
    ({"low_tonk": None, "high_tonk": None}, 4, None, None, 0, 513),
    ({"low_tonk": 6, "high_tonk": 50}, 4, None, None, 0, 3000),
    ({"low_tonk": 28, "high_tonk": 33}, 6, None, None, 0, 1537),
    ({"low_tonk": 30, "high_tonk": 31}, 6, None, None, 0, 1023),  # everybody holds one
    # Seen hands, short of a TONK, at each end and in the middle.
    ({}, 4, "Ah 5h 9c Kd Jh", None, 0, 1537),
    ({}, 4, "Ah 5h 9c Kd Jh", "3s", 2, 1537),
    ({}, 4, "Ah 5h 9c Kd Jh", "As", 3, 1537),
    ({"low_tonk": 28, "high_tonk": 40}, 5, "Ah 5h 9c Kd Jh", None, 2, 1537),
    ({"several_tonks": "first", "low_tonk": 28, "high_tonk": 37}, 3, "Ah 5h 9c Kd Jh", "Qs", 1, 3000),
    # Hands of other sizes, from several decks.
    ({"hand_size": 1, "low_tonk": 1, "high_tonk": 10}, 9, None, None, 0, 700),
    ({"hand_size": 1, "low_tonk": 2, "high_tonk": 9}, 51, None, None, 0, 513),
    ({"hand_size": 3, "low_tonk": 9, "high_tonk": 27}, 6, "2s 9d 4c", "Kh", 1, 1537),
    ({"hand_size": 7, "low_tonk": 30, "high_tonk": 55}, 7, None, "7c", 0, 1537),
    ({"hand_size": 13, "low_tonk": 80, "high_tonk": 95, "up_card": "no"}, 4, None, None, 0, 1537),
    ({"decks": 2}, 8, None, None, 0, 1537),
    ({"decks": 2, "low_tonk": 25, "high_tonk": 45}, 20, "7s 7s 8d Jc 2h", "Jc", 11, 513),
    ({"decks": 4, "low_tonk": 20, "high_tonk": 42}, 7, "9h 9h 9h 9h 2s", "2s", 6, 1537),
    ({"decks": 4, "low_tonk": 26, "high_tonk": 40}, 41, None, None, 0, 513),
    ({"decks": 4, "hand_size": 13, "low_tonk": 70, "high_tonk": 130}, 15, None, None, 0, 513),
    ({"decks": 4, "hand_size": 1, "low_tonk": 3, "high_tonk": 8}, 207, None, None, 0, 130),
    ({"decks": 4, "hand_size": 1, "low_tonk": 3, "high_tonk": 8}, 207, "5h", "6h", 206, 130),
]
# Hands that are a TONK themselves, which no dropper holds.
DECLARED = [
    ({}, 4, "As 2s 3s 4s 5s", None, 0, 1537),
    ({}, 4, "As 2s 3s 4s 5s", "Ah", 3, 1537),
    ({}, 4, "10s Jc Qs Kd 10d", "Ah", 2, 1537),
    ({"low_tonk": 28, "high_tonk": 33}, 6, "9h 9s 9d 9c 2s", None, 3, 1537),
    ({"low_tonk": 28, "high_tonk": 33}, 6, "9h 9s 9d 9c 2s", None, 5, 1537),
]


def name(case):
    rules, players, hand, up, seat, _ = case
    return f"{players}p-{'-'.join(map(str, rules.values())) or 'source'}-{hand and f'{hand} at {seat}'}-{up}"


def table_of(case):
    rules, players, hand, up, seat, _ = case
    return Table.seen(TonkRules(**rules), players, hand, up, seat)


def hidden_totals(table, hands, start, stop, seed, stream=0):
    """Yield for each deal the totals of so many hidden hands."""
    size = table.rules.hand_size
    for cards in sample_hands(table.deck, [size] * hands, stop - start, seed=seed, stream=stream, first=start).tolist():
        yield [sum(map(card_value, cards[at : at + size])) for at in range(0, len(cards), size)]


def recount_holders(table, start, stop, seed, stream=0):
    """Count holders as the kernel does, hand by hand."""
    players = table.players
    number, held, first = Counter(), Counter(), Counter()
    for totals in hidden_totals(table, table.hidden_players, start, stop, seed, stream):
        tonks = [table.rules.is_tonk(total) for total in totals]
        if table.hand:
            tonks.insert(table.seat, table.rules.is_tonk(sum(map(card_value, table.hand))))
        assert len(tonks) == players
        holders = [seat for seat in range(players) if tonks[seat]]
        number[len(holders)] += 1
        for seat in holders:
            held[seat, len(holders)] += 1
        if holders:
            first[holders[0], len(holders)] += 1
    by_number = [number[j] for j in range(players + 1)]
    return [by_number] + [
        [[by[seat, j] for j in range(players + 1)] for seat in range(players)] for by in (held, first)
    ]


def recount_drops(table, start, stop, seed, stream=0):
    """Count, deal by deal, how the others' totals compare with the dropper's: his is the first hand unless seen."""
    outcomes = Counter()
    for totals in hidden_totals(table, table.hidden_players, start, stop, seed, stream):
        own, others = (table.total, totals) if table.hand else (totals[0], totals[1:])
        if any(map(table.rules.is_tonk, [own, *others])):
            continue
        outcomes[0 if table.hand else own, sum(t < own for t in others), sum(t == own for t in others)] += 1
    return outcomes


def as_counter(sums):
    return Counter({tuple(at): int(sums[tuple(at)]) for at in np.argwhere(sums).tolist()})


# Holders of a TONK


@pytest.mark.parametrize("case", OPENINGS + DECLARED, ids=name)
def test_holders_equal_a_plain_recount_of_the_same_deals(case):
    table, deals = table_of(case), case[-1]
    run = Run(Holders(table, 77), Effort(threads=2))
    run.extend(deals)
    assert [sums.tolist() for sums in run.sums] == recount_holders(table, 0, deals, 77)
    assert sum(run.sums[0].tolist()) == deals


@pytest.mark.parametrize("deals", [2, 511, 512, 513, 1024, 1300])
def test_holders_of_any_number_of_deals_are_those_of_the_recount(deals):
    table = Table.seen(TonkRules(low_tonk=24, high_tonk=40), 3, None, None)
    run = Run(Holders(table, 5), Effort(threads=1))
    run.extend(deals)
    assert [sums.tolist() for sums in run.sums] == recount_holders(table, 0, deals, 5)


def test_holders_of_a_run_that_grows_are_those_of_the_recount():
    table = Table.seen(TonkRules(low_tonk=24, high_tonk=40), 3, "Ah 5h 9c Kd Jh", None, 1)
    run = Run(Holders(table, 2**63 + 9), Effort(threads=2))
    before = [sums.copy() for sums in run.sums]
    start = 0
    for stop in (3, 700, 701, 1900):
        run.extend(stop)
        part = [(sums - old).tolist() for sums, old in zip(run.sums, before, strict=True)]
        assert part == recount_holders(table, start, stop, 2**63 + 9), (start, stop)
        start, before = stop, [sums.copy() for sums in run.sums]


@pytest.mark.parametrize("start", [1, 511, 512, 1000, 2**32 - 100, 2**32, 2**40 + 3])
def test_holders_from_any_deal_and_stream_on_are_those_of_the_recount(start):
    table = Table.seen(TonkRules(low_tonk=24, high_tonk=40), 4, "Ah 5h 9c Kd Jh", "2c", 2)
    for stop, stream in ((start + 1, 0), (start + 777, 2**32 - 1)):
        sums = [np.full(shape, 1000, np.int64) for shape in ((5,), (4, 5), (4, 5))]
        count_holders(
            *sums,
            np.uint64(2**40 + 1),
            np.uint32(stream),
            start,
            stop,
            len(table.deck),
            value_bounds(table.deck),
            5,
            *tonk_limits(table.rules),
            2,
            False,
        )
        # The kernel adds to what is there.
        assert [(part - 1000).tolist() for part in sums] == recount_holders(table, start, stop, 2**40 + 1, stream)


# Totals below a dropper's


@pytest.mark.parametrize("case", [case for case in OPENINGS if case[1] <= 41], ids=name)
def test_drops_equal_a_plain_recount_of_the_same_deals(case):
    table, deals = table_of(case), case[-1]
    run = Run(Drops(table, 78), Effort(threads=2))
    run.extend(deals)
    assert as_counter(run.sums[0]) == recount_drops(table, 0, deals, 78)


@pytest.mark.parametrize("hand", ["2h 5h 9c Kd Jh", "As Ad 9c 4s 2h", "Ks 10d 9c Qs 9h", "3s 3h 3d 3c 4s"])
@pytest.mark.parametrize("players", [2, 4, 9])
def test_drops_of_seen_hands_low_and_high_equal_a_plain_recount(hand, players):
    table = Table.seen(TonkRules(), players, hand, "Qd")
    assert not table.own_tonk
    run = Run(Drops(table, 3), Effort(threads=2))
    run.extend(1537)
    found = as_counter(run.sums[0])
    assert found == recount_drops(table, 0, 1537, 3)
    assert found.total() > 1000


@pytest.mark.parametrize("hand", [None, "2h 5h 9c Kd Jh"])
@pytest.mark.parametrize("deals", [2, 511, 512, 513, 1024, 1300])
def test_drops_of_any_number_of_deals_are_those_of_the_recount(hand, deals):
    table = Table.seen(TonkRules(), 3, hand, None)
    run = Run(Drops(table, 5), Effort(threads=1))
    run.extend(deals)
    assert as_counter(run.sums[0]) == recount_drops(table, 0, deals, 5)


@pytest.mark.parametrize("hand", [None, "2h 5h 9c Kd Jh"])
def test_drops_of_a_run_that_grows_are_those_of_the_recount(hand):
    table = Table.seen(TonkRules(), 3, hand, None)
    run = Run(Drops(table, 2**63 + 9), Effort(threads=2))
    start, before = 0, run.sums[0].copy()
    for stop in (3, 700, 701, 1900):
        run.extend(stop)
        assert as_counter(run.sums[0] - before) == recount_drops(table, start, stop, 2**63 + 9), (start, stop)
        start, before = stop, run.sums[0].copy()


@pytest.mark.parametrize("hand", [None, "2h 5h 9c Kd Jh"])
@pytest.mark.parametrize("start", [1, 1000, 2**32 - 100, 2**40 + 3])
def test_drops_from_any_deal_and_stream_on_are_those_of_the_recount(hand, start):
    table = Table.seen(TonkRules(), 4, hand, None)
    for stop, stream in ((start + 1, 0), (start + 777, 2**32 - 1)):
        outcomes = np.full((1 if hand else 51, 4, 4), 1000, np.int64)
        count_drops(
            outcomes,
            np.uint64(2**40 + 1),
            np.uint32(stream),
            start,
            stop,
            len(table.deck),
            value_bounds(table.deck),
            5,
            *tonk_limits(table.rules),
            table.total if hand else -1,
        )
        assert as_counter(outcomes - 1000) == recount_drops(table, start, stop, 2**40 + 1, stream)


# What the kernels take


@pytest.mark.parametrize("decks", [1, 2, 4])
def test_value_bounds_tell_the_value_of_every_position(decks):
    deck = sorted(TonkRules(decks=decks).deck(), key=card_value)
    bounds = [int(bound) + 128 for bound in value_bounds(deck)]
    assert len(bounds) == 9
    for position, card in enumerate(deck):
        assert 1 + sum(position >= bound for bound in bounds) == card_value(card)


def test_value_bounds_pass_over_values_that_the_deck_lacks():
    deck = [2, 2, 5, 9, 10]  # values 3, 3, 6, 10, 10
    assert [int(bound) + 128 for bound in value_bounds(deck)] == [0, 0, 2, 2, 2, 3, 3, 3, 3]


@pytest.mark.parametrize("low", [None, 15, 24])
@pytest.mark.parametrize("high", [None, 49, 25])
def test_limits_judge_every_total_as_the_rules_do(low, high):
    rules = TonkRules(low_tonk=low, high_tonk=high)
    least, most = tonk_limits(rules)
    for total in range(1, 131):
        assert bool(total <= least or total >= most) == rules.is_tonk(total)
