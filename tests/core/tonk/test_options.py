"""Every option of the rules has a hand in which each of its values leads to something else."""

import dataclasses

import pytest

from core.cards import parse_card, parse_cards
from core.tonk.actions import DROP, legal_actions
from core.tonk.play import deal_hand
from core.tonk.rules import TonkRules
from core.tonk.state import start
from tests.core.tonk.hands import action, after, position

LOW, HIGH, PLAIN = "As 2d 3d 4d 5d", "Qs Qh Jd Ks Kd", "10s 8d 8h 5s 4c"
# Numbers beside the default.
NUMBERS = {
    "low_tonk": [14, None],
    "high_tonk": [50, None],
    "tonk_pay": [1, 3],
    "drop_penalty": [1, 3],
    "out_pay": [0, 2],
    "hand_size": [6, 7],
    "decks": [2, 3],
}


def payments_of_a_deal(*hands):
    return lambda rules: paid(start(rules, list(map(parse_cards, hands)), parse_card("9s"), []))


def paid(state):
    return None if state.result is None else state.result.payments


def after_play(*actions, **cards):
    """Return what a hand pays after the actions, or else what the next player may do."""

    def outcome(rules):
        hands = cards["hands"]
        rest = {name: value for name, value in cards.items() if name != "hands"}
        state = after(position(*hands, **rest, **rules.as_dict()), *actions)
        return paid(state) or legal_actions(state)

    return outcome


def drop_on_the_second_turn(rules):
    state = position("2s Kd", "3s Qd", pile="9c", **rules.as_dict())
    return DROP in legal_actions(after(state, "up", "discard 9c", "up", "discard 9c"))


def discards(rules):
    state = after(position("6s 6h 9c", "2s", pile="6d", **rules.as_dict()), "up")
    return action("discard 9c") in legal_actions(state)


def empty_stock(rules):
    words = [5, 6, 7, 8, 9]
    return paid(after(position("9h", "2s", pile="9c 8c 7c", stock="", **rules.as_dict()), "stock", words=words))


EFFECTS = {
    "several_tonks": payments_of_a_deal(LOW, PLAIN, HIGH),
    "drop_allowed": drop_on_the_second_turn,
    "drop_tie": after_play("drop", hands=("4s 5s", "9h", "Kd")),
    "drop_settlement": after_play("drop", hands=("Jd", "3s", "9d", "Kh Qh")),
    "meld_duty": discards,
    "set_fourth": after_play("up", hands=("6s 9c", "2s"), pile="2h", table=[("6h 6d 6c", 1)]),
    "ace_runs": after_play("up", hands=("Qs Ks 4c", "2s"), pile="As"),
    "stock_out": empty_stock,
    "out_pay": after_play("up", "lay 6s 7s 8s", hands=("6s 7s", "Kh"), pile="8s"),
    "hit_hold": after_play("up", "hit 6s 0", "discard 9d", hands=("6s 9c", "2s"), pile="9d", table=[("3s 4s 5s", 1)]),
    "equal_pays": after_play("drop", hands=("4s 5s", "9h", "Kd")),
    "up_card": lambda rules: deal_hand(rules, 2, 1, 0).pile,
    "low_tonk": payments_of_a_deal(PLAIN, LOW),
    "high_tonk": payments_of_a_deal(PLAIN, "Qs Qh Jd Ks 9d"),
    "tonk_pay": payments_of_a_deal(PLAIN, LOW),
    "drop_penalty": after_play("drop", hands=("9s", "3s")),
    "hand_size": lambda rules: len(deal_hand(rules, 2, 1, 0).hands[0]),
    "decks": lambda rules: len(deal_hand(rules, 2, 1, 0).stock),
}


def test_every_option_has_its_effect_here():
    assert set(EFFECTS) == {field.name for field in dataclasses.fields(TonkRules)}


@pytest.mark.parametrize("name", EFFECTS)
def test_each_value_of_an_option_leads_to_something_else(name):
    words = TonkRules.options()[name]
    values = words or [getattr(TonkRules(), name), *NUMBERS[name]]
    outcomes = [repr(EFFECTS[name](TonkRules(**{name: value}))) for value in values]
    if name in ("low_tonk", "high_tonk"):
        # A hand at the limit is a TONK at the default alone.
        assert outcomes[0] not in outcomes[1:]
    else:
        assert len(set(outcomes)) == len(values), outcomes
