"""Views show what a player may see and nothing else: hidden cards changed about change neither view nor choice."""

import random
from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from core.cards import format_cards
from core.rng import word_stream
from core.tonk.actions import DROP, legal_actions
from core.tonk.play import deal_hand
from core.tonk.policies import policy
from core.tonk.rules import TonkRules
from core.tonk.view import view
from tests.core.tonk.hands import Patient, after, position, states_of

WORDS = list(islice(word_stream(3, 1, 0), 400))


def with_hidden_cards_permuted(state, seat, source):
    """Deal the stock and all that the seat does not know of the other hands out anew, each hand keeping its size."""
    kept = [hand if other == seat else state.known[other] for other, hand in enumerate(state.hands)]
    hidden = [
        card
        for hand, known in zip(state.hands, kept, strict=True)
        for card in (Counter(hand) - Counter(known)).elements()
    ]
    hidden += state.stock
    source.shuffle(hidden)
    hands = []
    for hand, known in zip(state.hands, kept, strict=True):
        taken = [hidden.pop() for _ in range(len(hand) - len(known))]
        hands.append(tuple(sorted((*known, *taken))))
    return replace(state, hands=tuple(hands), stock=tuple(hidden))


@pytest.mark.parametrize(
    "options", [{}, {"decks": 2}, TonkRules.presets["american"]], ids=["source", "decks", "american"]
)
def test_hidden_cards_change_neither_the_view_nor_any_choice(options):
    rules = TonkRules(**options)
    policies = [policy(name, 3) for name in ("random", "simple", "simple:30", "threshold", "rollout:2")]
    source = random.Random(1)
    moved = 0
    for deal in range(8):
        for state in states_of(deal_hand(rules, 3, 9, deal), Patient(), word_stream(9, 2, deal), WORDS):
            for seat in range(3):
                other = with_hidden_cards_permuted(state, seat, source)
                moved += other.hands != state.hands
                assert view(other, seat) == view(state, seat)
            if state.result is None:
                other = with_hidden_cards_permuted(state, state.turn, source)
                assert legal_actions(other) == legal_actions(state)
                # Of the slow one a part will do.
                for each in policies if moved % 4 == 0 else policies[:-1]:
                    chosen = [
                        each.choose(view(shown, shown.turn), legal_actions(shown), iter(WORDS))
                        for shown in (state, other)
                    ]
                    assert chosen[0] == chosen[1]
    assert moved > 100


def test_a_view_holds_no_other_hand_and_no_card_of_the_stock():
    state = deal_hand(TonkRules(), 3, 1, 1)
    shown = repr(view(state, 1))
    for cards in (state.hands[0], state.hands[2], state.stock):
        assert repr(cards) not in shown
    assert repr(state.hands[1]) in shown


def test_a_view_tells_what_everybody_saw():
    state = after(position("6s 7s 9c 9d", "2s 2h", "Kh 3c", pile="Kd 8d"), "up", "discard 9c", "stock", "discard 2h")
    seen = view(state, 1)
    assert format_cards(seen.hand) == format_cards(state.hands[1])
    assert seen.sizes == (4, 2, 2)
    assert [format_cards(cards) for cards in seen.known] == ["8d", "", ""]
    assert format_cards(seen.pile) == "Kd 9c 2h"
    assert format_cards(seen.faced) == "Kd 8d 9c 2h"
    assert seen.stock == len(state.stock)
    assert (seen.turn, seen.turns, seen.drawn) == (2, (1, 1, 0), False)


def test_may_drop_is_for_the_player_to_move_before_his_draw():
    for allowed in ("any_turn", "first_turn"):
        state = position("6s 9d", "2s 2h", pile="Kd", drop_allowed=allowed)
        while state.turns != (2, 2):
            for seat in range(2):
                assert view(state, seat).may_drop == (seat == state.turn and DROP in legal_actions(state))
            state = after(state, "up")
            assert not view(state, state.turn).may_drop
            state = after(state, "discard Kd")
