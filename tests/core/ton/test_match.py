"""Matches: the record, the price of a pot plus, who wins, and money that adds up (T11–T14)."""

import random

import pytest

from core.errors import InputError
from core.ton.match import Standing, play_match, record_hand, settle, winner_of
from core.ton.play import play
from core.ton.policies import POLICIES, Plain, Random
from core.ton.rules import TonRules
from core.ton.score import HandResult
from tests.core.ton.hands import random_rules


def hand(scored: tuple[int, ...], pluses: tuple[int, ...], pot_plus: tuple[bool, ...], minus: int = -1) -> HandResult:
    seats = range(len(pluses))
    points = tuple(scored.count(seat) - 5 * (seat == minus) for seat in seats)
    tricks = tuple(scored.count(seat) for seat in seats)
    return HandResult(tricks, points, pluses, pot_plus, (True,) * len(pluses), scored)


def test_pot_plus_costs_the_pot_and_all_pluses_standing():
    # Three antes of 10, pluses of 10, 20 and 5 in the record.
    standing = Standing((11, 2, 3), (10, 20, 5))
    after = record_hand(TonRules(), standing, hand((2,) * 5, (1, 0, 0), (True, False, False)))
    assert after == Standing((11, 2, 8), (10 + 65, 20, 5))


def test_pluses_of_a_hand_are_recorded_in_seat_order():
    standing = Standing((11, 12, 3), (0, 0, 0))
    after = record_hand(TonRules(), standing, hand((2,) * 5, (1, 1, 0), (True, True, False)))
    assert after.debts == (30, 60, 0)
    after = record_hand(TonRules(), standing, hand((2,) * 5, (1, 1, 0), (False, True, False)))
    assert after.debts == (10, 40, 0)


def test_failed_bid_costs_two_ordinary_pluses():
    after = record_hand(TonRules(plus_price=7), Standing((12, 0), (1, 2)), hand((1,) * 5, (2, 0), (False, False)))
    assert after == Standing((12, 5), (15, 2))


def test_points_may_fall_below_zero():
    after = record_hand(TonRules(), Standing((3, 0), (0, 0)), hand((1,) * 5, (0, 0), (False, False), minus=0))
    assert after.points == (-2, 5)


def test_winner_takes_the_pot_and_the_others_pluses_and_pays_none_of_his_own():
    assert settle(TonRules(), Standing((15, 3, 11), (30, 20, 0)), winner=0) == (40, -30, -10)


@pytest.mark.parametrize(
    ("points", "scored", "in_order", "highest"),
    [
        ((14, 14), (0, 1, 1, 1, 1), 0, 1),
        ((14, 13), (1, 1, 0, 0, 0), 1, 0),
        ((13, 14), (0, 0, 1, 0, 1), 0, 0),  # both at 16; the first came to 15 earlier
        ((13, 12), (1, 1, 1, 0, 0), 1, 1),  # both at 15
        ((9, 9), (0, 0, 0, 0, 0), None, None),
        ((10, 0), (0, 0, 0, 0, 0), 0, 0),
    ],
)
def test_winner_of_a_hand(points, scored, in_order, highest):
    played = hand(scored, (0, 0), (False, False))
    assert winner_of(TonRules(), points, played) == in_order
    assert winner_of(TonRules(reach_target="end_of_hand_highest"), points, played) == highest


def test_lost_tricks_of_a_failed_bidder_do_not_reach_the_target():
    played = HandResult((2, 3), (0, 3), (2, 0), (False, False), (True, True), scored=(1, 1, 1))
    assert winner_of(TonRules(five_bid_failed_tricks="lost"), (14, 12), played) == 1


def test_points_and_money_add_up_in_whole_matches():
    chance = random.Random(1)
    for number in range(40):
        rules = TonRules() if number % 2 else random_rules(chance)
        players = chance.randint(2, 6)
        policies = [chance.choice((Random(), Plain())) for _ in range(players)]
        found = play_match(rules, players, policies, 3, number, max_hands=200)
        assert sum(found.money) == 0
        if found.winner is None:
            assert found.money == (0,) * players
            assert found.hands == 200
            continue
        assert found.standing.points[found.winner] >= rules.target_points
        losers = [player for player in range(players) if player != found.winner]
        assert [found.money[player] for player in losers] == [-10 - found.standing.debts[player] for player in losers]


def test_deal_passes_round_and_hands_are_the_deals_of_the_match():
    rules, policies = TonRules(), [Plain(), Random(), Plain()]
    found = play_match(rules, 3, policies, 3, 2, max_hands=50)
    points, debts = [0, 0, 0], [0, 0, 0]
    for number in range(found.hands):
        order = [(number + seat) % 3 for seat in range(3)]
        played = play(
            rules,
            3,
            [policies[player] for player in order],
            3,
            2 * 50 + number,
            records=[points[player] for player in order],
            debts=[debts[player] for player in order],
        ).result
        pot = 30
        for seat, player in enumerate(order):
            price = pot + sum(debts) if played.pot_plus[seat] else 10
            debts[player] += played.pluses[seat] * price
            points[player] += played.points[seat]
        assert (max(points) >= 15) == (number == found.hands - 1)
    assert found.standing == Standing(tuple(points), tuple(debts))


def test_match_without_an_end_is_broken_off_and_pays_nothing():
    found = play_match(TonRules(target_points=1000), 2, [POLICIES["plain"]] * 2, 1, 0, max_hands=5)
    assert (found.winner, found.money, found.hands) == (None, (0, 0), 5)


def test_policies_must_be_one_a_player():
    with pytest.raises(InputError, match="1 policies"):
        play_match(TonRules(), 2, [Plain()], 1, 0)
