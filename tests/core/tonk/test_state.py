"""The deal and its TONKs (K2, K4, K5), and who is named the winner."""

import pytest

from core.cards import parse_card, parse_cards
from core.errors import InputError
from core.tonk.actions import legal_actions
from core.tonk.rules import TonkRules
from core.tonk.state import start
from tests.core.tonk.hands import after, position

PLAIN, OTHER = "10s 8d 8h 5s 4c", "Kc 10c 3c 2s Ah"
LOW, HIGH, FIFTEEN = "As 2d 3d 4d 5d", "Qs Qh Jd Ks Kd", "3s 3h 3d 4s 2h"


def dealt(*hands, up="5c", **options):
    rules = TonkRules(**options)
    cards = [parse_cards(hand) for hand in hands]
    return start(rules, cards, parse_card(up) if up else None, [])


def ending(state):
    result = state.result
    return result.kind, result.winner, [str(pay) for pay in result.payments]


def test_without_a_tonk_the_first_seat_is_to_play():
    state = dealt(PLAIN, OTHER)
    assert state.result is None
    assert (state.turn, state.drawn, state.turns) == (0, False, (0, 0))
    assert state.totals == (35, 26)
    assert state.pile == (parse_card("5c"),)
    assert state.faced == state.pile


@pytest.mark.parametrize("hand", [LOW, HIGH, FIFTEEN])
def test_a_tonk_ends_the_hand_at_once(hand):
    state = dealt(PLAIN, hand, OTHER)
    assert ending(state) == ("tonk", 1, ["-2", "4", "-2"])
    assert legal_actions(state) == []


def test_limits_and_tonk_pay_change_what_a_tonk_is_and_pays():
    assert dealt(PLAIN, FIFTEEN, low_tonk=14).result is None
    assert dealt(PLAIN, LOW, low_tonk=None).result is None
    assert dealt(PLAIN, HIGH, high_tonk=None).result is None
    assert ending(dealt(PLAIN, LOW, tonk_pay=5)) == ("tonk", 1, ["-5", "5"])


@pytest.mark.parametrize(
    ("several_tonks", "winner", "payments"),
    [
        ("each", None, ["2", "-4", "2"]),
        ("first", 0, ["2", "-2", "0"]),
        ("split", None, ["1", "-2", "1"]),
        ("void", None, ["0", "0", "0"]),
    ],
)
def test_several_tonks(several_tonks, winner, payments):
    assert ending(dealt(LOW, PLAIN, HIGH, several_tonks=several_tonks)) == ("tonk", winner, payments)


def test_a_tonk_total_counts_on_the_deal_only():
    state = after(position("As 2s 9c", "3d Kc", pile="4d"), "up", "discard 9c")
    assert state.totals[0] == 7
    assert state.result is None


@pytest.mark.parametrize(
    ("hands", "options", "message"),
    [
        ([PLAIN], {}, "1 players"),
        ([PLAIN, "Kc 10c 3c 2s"], {}, "seat 1 has 4 cards: 5 are dealt (K2)"),
        ([PLAIN, PLAIN], {}, "10s is named 2 times"),
        ([PLAIN, OTHER], {"up": None}, "up_card is yes"),
        ([PLAIN, OTHER], {"up_card": "no"}, "up_card is no"),
    ],
)
def test_a_deal_that_does_not_fit_is_refused(hands, options, message):
    with pytest.raises(InputError) as caught:
        dealt(*hands, **options)
    assert message in str(caught.value)
