"""Dropping by total: exact against enumeration in a tiny game, against single hands, and against sampling."""

from collections import defaultdict
from fractions import Fraction
from itertools import permutations
from math import comb

import pytest

from analysis.tonk import TonkRules, drop
from analysis.tonk.drop_by_total import drop_by_total, sample_drop_by_total
from analysis.tonk.table import Table
from core.cards import format_cards
from core.errors import InputError
from core.tonk.rules import card_value
from tests.reference.tonk_settle import settle


@pytest.mark.parametrize("drop_tie", ["no_win", "dropper_loses", "dropper_wins"])
def test_one_card_hands_equal_enumeration(drop_tie: str) -> None:
    rules = TonkRules(hand_size=1, low_tonk=2, high_tonk=10, drop_penalty=3, drop_tie=drop_tie)
    answers = drop_by_total([2, 3, 4], rules)
    for players, by_total in answers.items():
        # Deals by value alone, each as often as its cards can be dealt.
        sums: dict[int, list[Fraction]] = defaultdict(lambda: [Fraction(0), Fraction(0)])
        ranks = [value for value in range(3, 10) for _ in range(4)]
        for totals in set(permutations(ranks, players)) if players < 4 else _tuples(ranks, players):
            ways = 1
            for value in set(totals):
                count = totals.count(value)
                ways *= comb(4, count)
                for k in range(1, count + 1):
                    ways *= k
            pay = settle(
                list(totals), 0, drop_tie=drop_tie, drop_settlement="pairwise", drop_penalty=3, equal_pays="no"
            )[0]
            sums[totals[0]][0] += ways * pay
            sums[totals[0]][1] += ways
        assert by_total == {total: paid / ways for total, (paid, ways) in sums.items()}


def _tuples(ranks: list[int], players: int) -> set[tuple[int, ...]]:
    values = sorted(set(ranks))
    found: set[tuple[int, ...]] = {()}
    for _ in range(players):
        found = {(*head, value) for head in found for value in values if head.count(value) < ranks.count(value)}
    return found


def test_two_players_equal_the_mean_over_hands_of_that_total() -> None:
    rules = TonkRules(hand_size=2, low_tonk=3, high_tonk=20)
    by_total = drop_by_total([2], rules)[2]
    deck = rules.deck()
    paid: dict[int, Fraction] = defaultdict(Fraction)
    chance: dict[int, Fraction] = defaultdict(Fraction)
    known: dict[tuple[int, ...], tuple[Fraction, Fraction]] = {}
    for i, first in enumerate(deck):
        for second in deck[i + 1 :]:
            total = card_value(first) + card_value(second)
            if rules.is_tonk(total):
                continue
            values = (card_value(first), card_value(second))
            if values not in known:
                answer = drop(format_cards((first, second)), 2, rules)
                assert isinstance(answer.payment, Fraction)
                assert isinstance(answer.p_no_tonk, Fraction)
                known[values] = (answer.payment * answer.p_no_tonk, answer.p_no_tonk)
            paid[total] += known[values][0]
            chance[total] += known[values][1]
    assert by_total == {total: paid[total] / chance[total] for total in chance}


def test_sampled_payments_agree_within_six_standard_errors() -> None:
    # Beyond six standard errors a right program falls less than once in 10^8 comparisons.
    exact = drop_by_total([2, 3])
    for players in (2, 3):
        sampled = sample_drop_by_total(players, deals=400_000, seed=5)
        assert len(sampled) >= 30
        for total, estimate in sampled.items():
            # Near the ends nearly all deals pay alike; an event unseen so far bounds the spread there.
            spread = max(estimate.se, 3 * (players - 1) * 20 / estimate.n)
            assert abs(estimate.value - float(exact[players][total])) < 6 * spread


def test_settlements_that_do_not_add_up_by_opponent_are_refused() -> None:
    for rules in (TonkRules(drop_settlement="lowest_only"), TonkRules(equal_pays="yes")):
        with pytest.raises(InputError, match="pairwise"):
            drop_by_total([2], rules)


def test_no_players_asked_no_answers() -> None:
    assert drop_by_total([]) == {}
    assert Table.seen(TonkRules(), 2, None, None).own_seat is None
