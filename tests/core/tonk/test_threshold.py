"""The policy `threshold`, step by step as its docstring says."""

from dataclasses import replace
from itertools import islice

import pytest

from core.rng import word_stream
from core.tonk.actions import DROP, STOCK, UP, legal_actions
from core.tonk.play import deal_hand
from core.tonk.policies import Simple, Threshold
from core.tonk.rules import TonkRules
from core.tonk.thresholds import COLUMNS, FINE_COLUMNS, LATER_TURNS, Thresholds
from core.tonk.view import view
from tests.core.tonk.hands import Patient, action, after, position, states_of

FIVE, FOUR, THREE, TWO = "2s 3h 4d 6c 7s", "2s 3h 4d 6c", "2s 3h 4d", "2s 3h"


def choice(state, drop=None, take=-1, keep=0, total=100):
    """Return what a table chooses that drops in one cell only, given as row and column, at up to that total."""
    rows = range(state.players + LATER_TURNS)
    table = tuple(tuple(total if (row, column) == drop else -1 for column in range(COLUMNS)) for row in rows)
    policy = Threshold(Thresholds(table, take, keep))
    chosen = policy.choose(view(state, state.turn), legal_actions(state), iter(()))
    assert chosen in legal_actions(state)
    return chosen


def cells(state):
    """Return the cells of the drop table that make the player drop."""
    rows = range(state.players + LATER_TURNS)
    return [(row, column) for row in rows for column in range(COLUMNS) if choice(state, (row, column)) == DROP]


# Drops


@pytest.mark.parametrize("seat", range(4))
def test_the_first_turn_s_drop_is_by_seat(seat):
    hands = ["Ks Qd", FIVE, "3s 4h 5d 6s 8s", "10s Jd 10c 8c 5c"]
    state = replace(position(*hands, pile="9c"), turn=seat)
    assert cells(state) == [(seat, 4 if seat else 0)]


@pytest.mark.parametrize("seat", [0, 2])
@pytest.mark.parametrize(("turns", "row"), [(1, 3), (2, 4), (3, 5), (4, 5), (20, 5)])
def test_a_later_turn_s_drop_is_by_the_turn_for_any_seat(seat, turns, row):
    state = replace(position("Ks Qd 9s 8d 5c", FIVE, "3s 4h 5d 6s 8s", pile="9c"), turn=seat, turns=(turns,) * 3)
    assert cells(state) == [(row, 0)]


@pytest.mark.parametrize(("hand", "column"), [(f"{FIVE} 8s", 0), (FIVE, 0), (FOUR, 2), (THREE, 2), (TWO, 4), ("2s", 4)])
def test_a_drop_is_by_the_fewest_cards_of_another_player(hand, column):
    # His own two cards do not count.
    assert cells(position("Ks Qd", hand, "9h 9d 10s 10h Jc", pile="9c")) == [(0, column)]
    assert cells(position("Ks Qd", "9h 9d 10s 10h Jc", hand, pile="9c")) == [(0, column)]


def test_a_drop_is_by_whether_another_player_still_holds_a_card_that_he_took():
    state = position("Ks Qd 9s 8d 5c", "9h 2d 10s 10h Jc", "2s 3h 4d 6c 7s", pile="4c 9c")
    after_seat_0 = after(state, "up", "discard Ks")
    assert cells(after_seat_0) == [(1, 1)]
    given_back = after(after_seat_0, "stock", "discard Jc", "stock", "discard 7s", "stock", "discard 9c")
    # By his own taken card nobody drops.
    assert cells(after(after_seat_0, "stock", "discard Jc", "stock", "discard 7s")) == [(3, 0)]
    assert cells(given_back) == [(3, 0)]


@pytest.mark.parametrize(
    ("hand", "column"), [("Ks Qd 9s 8d 5c", 0), ("Ks Qd 9s 8d", 6), ("Ks Qd 9s", 6), ("Ks Qd", 12)]
)
def test_in_a_fine_table_a_drop_is_by_the_number_of_his_own_cards_too(hand, column):
    state = position(hand, FOUR, pile="9c")
    found = []
    for number in range(FINE_COLUMNS):
        row = tuple(100 if number == place else -1 for place in range(FINE_COLUMNS))
        policy = Threshold(Thresholds((row,) * (2 + LATER_TURNS), -1, 0))
        if policy.choose(view(state, 0), legal_actions(state), iter(())) == DROP:
            found.append(number)
    assert found == [column + 2]


@pytest.mark.parametrize(("total", "drops"), [(20, True), (19, False), (-1, False)])
def test_he_drops_at_the_table_s_total_or_less(total, drops):
    state = position("Ks Qd", FIVE, pile="9c")
    assert (choice(state, (0, 0), total=total) == DROP) == drops


def test_he_does_not_drop_where_he_may_not():
    state = position("5s 4h", FIVE, pile="9c", drop_allowed="first_turn")
    later = after(state, "up", "discard 9c", "up", "discard 9c")
    assert cells(later) == []
    held = replace(state, holds=(1, 0))
    assert cells(held) == []


# The draw


@pytest.mark.parametrize(
    ("up", "take", "taken"),
    [("3c", 3, True), ("4c", 3, False), ("Ac", 1, True), ("Ac", 0, False), ("Ac", -1, False), ("Kc", 10, True)],
)
def test_he_takes_an_up_card_of_low_value(up, take, taken):
    assert choice(position("5s 9s Jh", FIVE, pile=up), take=take) == (UP if taken else STOCK)


@pytest.mark.parametrize(("up", "taken"), [("7s", UP), ("4s", UP), ("8s", STOCK), ("6h", STOCK), ("9h", STOCK)])
def test_he_takes_an_up_card_for_a_meld_with_it(up, taken):
    # The three kings are a meld without the up-card.
    assert choice(position("5s 6s Ks Kh Kd", "2d", pile=up, meld_duty="optional")) == taken


@pytest.mark.parametrize(
    ("up", "fourth", "taken"),
    [("Qs", "never", UP), ("8s", "never", UP), ("Ks", "never", STOCK), ("2c", "never", STOCK), ("2c", "allowed", UP)],
)
def test_he_takes_an_up_card_that_can_be_hit(up, fourth, taken):
    state = position("5s Kd", "6d", pile=up, table=[("9s 10s Js", 1), ("2s 2h 2d", 0)], set_fourth=fourth)
    assert choice(state) == taken


def test_he_takes_the_stock_where_there_is_no_pile():
    assert choice(position("5s Kd", "6d"), take=10) == STOCK


# Melds, hits and discards


@pytest.mark.parametrize("options", [{}, TonkRules.presets["american"]], ids=["source", "american"])
def test_he_lays_and_hits_as_simple_does(options):
    found = set()
    words = list(islice(word_stream(5, 1, 0), 400))
    for deal in range(30):
        for state in states_of(deal_hand(TonkRules(**options), 3, 4, deal), Patient(), word_stream(4, 2, deal), words):
            if state.result is None and state.drawn:
                simple = Simple().choose(view(state, state.turn), legal_actions(state), iter(()))
                if simple.kind in ("lay", "hit"):
                    found.add(simple.kind)
                    assert choice(state, take=3, keep=7) == simple
                else:
                    assert choice(state, keep=0) == simple
    assert found == {"lay", "hit"}


@pytest.mark.parametrize(("hand", "keep", "card"), [
    ("10s Qs 10h", 4, "Qs"),  # 40 - 8, 40 - 4, 40 - 4
    ("10s 10h Ks", 1, "Ks"),
    ("7s 9s 8h", 4, "9s"),  # of equal worth, 36 - 4 and 32, the greater value
    ("7s 9s 8h", 5, "8h"),  # 36 - 5 < 32: two ranks away
    ("6s 9s 8h", 5, "9s"),  # three ranks away
    ("7h 9s 8h", 9, "9s"),  # of another suit
    ("9d 9c 8h", 5, "8h"),  # of one rank
    ("As 3s 2h", 10, "2h"),
    ("As Ks Kd 2s", 4, "Ks"),  # Ks and Kd have one neighbour each: As is below the 2
    ("As Qs Qd 2s", 4, "Qs"),
    ("10s Jh", 9, "Jh"),  # value, then rank …
    ("Kd Kh 3d", 0, "Kh"),  # … then suits s, h, d, c
    ("Kc Kd 3s", 3, "Kd"),
    ("9s 8s 9h 8h 2c", 100, "2c"),
    ("9s 8s 9h 8h 2c", -1, "9s"),  # a neighbour may count against a card
])  # fmt: skip
def test_he_discards_by_worth(hand, keep, card):
    for ace_runs in ("low", "low_and_high"):
        state = replace(position(hand, "2d 5c", pile="7d", ace_runs=ace_runs, meld_duty="optional"), drawn=True)
        assert choice(state, keep=keep) == action(f"discard {card}")
