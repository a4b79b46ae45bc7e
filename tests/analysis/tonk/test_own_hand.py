"""What one's own hand tells about the others' chances, against single hands and the law of total probability."""

from fractions import Fraction
from math import comb

import pytest

from analysis.tonk import TonkRules, odds
from analysis.tonk.own_hand import shift_by_own_total
from core.cards import format_cards
from core.tonk.rules import card_value


@pytest.mark.parametrize(
    "rules",
    [TonkRules(), TonkRules(hand_size=3, low_tonk=6, high_tonk=28), TonkRules(hand_size=2, low_tonk=4, high_tonk=None)],
)
def test_chances_average_to_the_unconditional_one_and_hands_add_up(rules: TonkRules) -> None:
    shifts = shift_by_own_total(rules)
    hands = sum(shift.hands for shift in shifts.values())
    assert hands == comb(52, rules.hand_size)
    mean = sum((shift.hands * shift.mean for shift in shifts.values()), Fraction(0)) / hands
    assert mean == odds(2, rules).single


def test_ends_of_the_range_are_what_their_hands_give() -> None:
    shifts = shift_by_own_total()
    for total in (12, 25, 33, 41, 50):
        shift = shifts[total]
        assert shift.least <= shift.mean <= shift.most
        for hand, chance in ((shift.least_hand, shift.least), (shift.most_hand, shift.most)):
            assert sum(map(card_value, hand)) == total
            assert odds(3, hand=format_cards(hand)).single == chance
