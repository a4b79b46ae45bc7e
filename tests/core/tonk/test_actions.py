"""What a player may do (K7–K11): the list equals what is not refused, each option's effect, each refusal's words."""

from itertools import combinations, islice

import pytest

from core.rng import word_stream
from core.tonk.actions import DROP, STOCK, UP, Action, legal_actions, refusal
from core.tonk.melds import melds_in
from core.tonk.play import deal_hand
from core.tonk.rules import TonkRules
from tests.core.tonk.hands import Patient, action, after, position, states_of

VARIANTS = {
    "source": {},
    "american": TonkRules.presets["american"],
    "free": {"meld_duty": "optional", "set_fourth": "allowed", "ace_runs": "low_and_high", "hit_hold": "yes"},
    "two decks": {"decks": 2, "hand_size": 7, "low_tonk": None, "high_tonk": None, "drop_allowed": "first_turn"},
}


def conceivable(state):
    """Return all actions that could be meant, in the documented order, without asking the rules."""
    hand = state.hands[state.turn]
    melds = melds_in(hand, state.rules)
    groups = {g for size in range(1, len(hand) + 1) for g in combinations(hand, size)} - {
        tuple(sorted(m)) for m in melds
    }
    yield from (DROP, UP, STOCK)
    yield from (Action("lay", meld) for meld in [*melds, *groups])
    yield from (Action("hit", (card,), number) for card in range(52) for number in range(len(state.table) + 1))
    yield from (Action("discard", (card,)) for card in range(52))
    yield from (Action("discard"), Action("discard", (hand * 2)[:2]), Action("hit", (hand * 2)[:2], 0))


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS.keys())
def test_legal_actions_are_in_order_all_that_is_not_refused(options):
    rules = TonkRules(**options)
    seen = set()
    for deal in range(4):
        shuffled = list(islice(word_stream(4, 1, deal), 300))
        for state in states_of(deal_hand(rules, 3, 4, deal), Patient(300), word_stream(4, 2, deal), shuffled):
            legal = legal_actions(state)
            assert legal == [a for a in conceivable(state) if refusal(state, a) is None]
            assert bool(legal) == (state.result is None)
            seen |= {a.kind for a in legal}
    assert seen == {"drop", "up", "stock", "lay", "hit", "discard"}


def test_the_order_before_and_after_the_draw():
    state = position("6s 6h 5d 9c Kc", "2s 2h", pile="6d", table=[("3d 4d 5d", 1), ("10c Jc Qc", 1)], decks=2)
    assert legal_actions(state) == [DROP, UP, STOCK]
    taken = after(state, "up")
    assert legal_actions(taken) == [
        action("lay 6s 6h 6d"), action("hit 6d 0"), action("hit 9c 1"), action("hit Kc 1"),
    ]  # fmt: skip
    assert legal_actions(after(taken, "hit 6d 0")) == [
        action("hit 9c 1"), action("hit Kc 1"),
        action("discard 6s"), action("discard 6h"), action("discard 5d"), action("discard 9c"), action("discard Kc"),
    ]  # fmt: skip


def test_equal_cards_of_two_decks_are_one_action():
    state = after(position("6s 6s 9c", "2s", pile="Kd", decks=2), "up")
    assert legal_actions(state) == [action("discard 6s"), action("discard Kd"), action("discard 9c")]


# Options


def test_meld_duty_forced_demands_that_no_meld_is_left_at_the_discard():
    for duty, legal in (("forced", False), ("optional", True)):
        state = after(position("6s 6h 6d 9c", "2s", pile="Kd", meld_duty=duty), "up")
        assert (action("discard Kd") in legal_actions(state)) == legal
    assert refusal(after(position("6s 6h 6d 9c", "2s", pile="Kd"), "up"), action("discard Kd")) == (
        "a meld in hand must be laid: 6s 6h 6d (K10)"
    )


def test_a_forced_player_chooses_which_of_two_overlapping_melds_he_lays():
    state = after(position("7s 7h 5d 6d", "2s", pile="7d"), "up")
    for meld in ("lay 7s 7h 7d", "lay 5d 6d 7d"):
        done = after(state, meld)
        assert any(a.kind == "discard" for a in legal_actions(done))


def test_a_hit_may_use_up_a_card_of_a_forced_meld():
    state = after(position("6s 6h 6d Kc", "2s", pile="2h", table=[("3d 4d 5d", 1)]), "up", "hit 6d 0")
    assert action("discard Kc") in legal_actions(state)


def test_set_fourth_allows_the_fourth_card_of_a_set():
    for fourth, legal in (("never", False), ("allowed", True)):
        state = after(position("6s 9c", "2s", pile="2h", table=[("6h 6d 6c", 1)], set_fourth=fourth), "up")
        assert (action("hit 6s 0") in legal_actions(state)) == legal


def test_ace_runs_allow_queen_king_ace():
    for runs, legal in (("low", False), ("low_and_high", True)):
        state = after(position("Qs Ks 4c", "2s", pile="As", ace_runs=runs), "up")
        assert (action("lay Qs Ks As") in legal_actions(state)) == legal


def test_drop_allowed_first_turn_forbids_a_drop_after_the_first_turn():
    for allowed, later in (("any_turn", True), ("first_turn", False)):
        state = position("2s 9c Kh", "3s 8c Qh", pile="5d", drop_allowed=allowed)
        for _ in range(2):
            assert DROP in legal_actions(state)
            state = after(state, "stock", f"discard {'Kh' if state.turn == 0 else 'Qh'}")
        assert (DROP in legal_actions(state)) == later
    assert refusal(state, DROP) == "a drop is allowed on the first turn only (K8, drop_allowed)"


def test_hit_hold_takes_one_drop_for_each_card_hit_by_another():
    for hold, free in (("no", True), ("yes", False)):
        state = position("6s 7s 9c", "2s 3h", table=[("3s 4s 5s", 1)], stock="Kd Kh Ks Kc Qd Qh Qc", hit_hold=hold)
        state = after(state, "stock", "hit 6s 0", "hit 7s 0", "discard Kd")
        assert (DROP in legal_actions(state)) == free
        state = after(state, "stock", "discard Kh")
        assert DROP in legal_actions(state)
        state = after(state, "stock", "discard Ks")
        assert (DROP in legal_actions(state)) == free
        state = after(state, "stock", "discard Kc", "stock", "discard Qd")
        assert DROP in legal_actions(after(state, "stock", "discard Qh"))


def test_hit_hold_names_the_turns_left_and_is_not_for_hits_onto_ones_own_meld():
    table = [("3s 4s 5s", 1), ("9d 10d Jd", 0)]
    state = after(position("6s 7s Qd 9c", "2s 3h", pile="Kd", table=table, hit_hold="yes"), "up", "hit Qd 1")
    assert refusal(after(state, "hit 6s 0", "hit 7s 0", "discard 9c"), DROP) == (
        "no drop for 2 more turns after a hit (K8, hit_hold)"
    )
    assert DROP in legal_actions(after(state, "discard 9c", "up", "discard 3h"))


def test_without_an_up_card_the_first_player_takes_the_stock():
    state = deal_hand(TonkRules(up_card="no", low_tonk=None, high_tonk=None), 3, 1, 0)
    assert legal_actions(state) == [DROP, STOCK]
    assert refusal(state, UP) == "the discard pile is empty (K9)"


# What a refusal says


@pytest.mark.parametrize(
    ("drawn", "tried", "reason"),
    [
        (True, "drop", "a player who has drawn cannot drop (K7)"),
        (True, "up", "a turn takes one card only (K9)"),
        (True, "stock", "a turn takes one card only (K9)"),
        (False, "lay 6s 6h 6d", "a card is taken before any lay (K9)"),
        (False, "hit 6d 0", "a card is taken before any hit (K9)"),
        (False, "discard 9c", "a card is taken before any discard (K9)"),
        (True, "lay 6s 6h 6c", "not in hand: 6c"),
        (True, "lay 6s 6h 9c", "6s 6h 9c is no meld (K10)"),
        (True, "hit 6s 0", "6s cannot be hit onto 3d 4d 5d (K11)"),
        (True, "hit 6d 1", "there is no meld number 1 on the table (K11)"),
        (True, "hit 6d -1", "there is no meld number -1 on the table (K11)"),
        (True, "discard 2s", "not in hand: 2s"),
        (True, "discard 9c 6s", "one card is discarded, not 2 (K9)"),
        (True, "discard 9c", "a meld in hand must be laid: 6s 6h 6d (K10)"),
    ],
)
def test_a_refusal_names_the_thing_and_the_rule(drawn, tried, reason):
    state = position("6s 6h 6d 9c", "2s", pile="Kd", table=[("3d 4d 5d", 1)])
    assert refusal(after(state, "up") if drawn else state, action(tried)) == reason


def test_nothing_is_allowed_after_the_end():
    state = after(position("2s 9c", "3s Kc", pile="5d"), "drop")
    assert legal_actions(state) == []
    assert refusal(state, STOCK) == "the hand is over"
