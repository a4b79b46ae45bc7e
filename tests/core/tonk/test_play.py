"""Whole hands: dealt as the sampled deals are, played by the policies' words, the same again at each call."""

from collections import Counter

import pytest

from core.deals import sample_hands
from core.errors import InputError
from core.tonk.actions import legal_actions
from core.tonk.moves import apply
from core.tonk.play import DECISIONS, RESHUFFLE, deal_hand, play
from core.tonk.policies import Random, Simple, policy
from core.tonk.rules import TonkRules
from tests.reference import shuffle as reference


@pytest.mark.parametrize("options", [{}, {"up_card": "no"}, {"decks": 2, "hand_size": 7, "low_tonk": None}])
def test_a_hand_is_dealt_as_sampled_deals_are(options):
    rules = TonkRules(**options)
    up = 1 if rules.up_card == "yes" else 0
    size = rules.hand_size
    sizes = [size] * 3 + [up, 52 * rules.decks - 3 * size - up]
    for deal in (0, 1, 700, 2**40):
        state = deal_hand(rules, 3, 5, deal)
        cards = sample_hands(rules.deck(), sizes, 1, seed=5, first=deal)[0].tolist()
        assert state.hands == tuple(tuple(sorted(cards[size * seat : size * seat + size])) for seat in range(3))
        assert state.pile == tuple(cards[3 * size : 3 * size + up])
        assert state.stock == tuple(cards[3 * size + up :])


def test_random_play_equals_the_reference_words_decision_by_decision():
    rules = TonkRules(stock_out="reshuffle", low_tonk=None, high_tonk=None, drop_allowed="first_turn")
    reshuffled = 0
    for deal in range(60):
        played = play(rules, 2, [Random()] * 2, 3, deal)
        state, words = deal_hand(rules, 2, 3, deal), reference.stream_of_words(3, DECISIONS, deal)
        for seat, action in played.actions:
            actions = legal_actions(state)
            assert seat == state.turn
            assert action == actions[next(words) * len(actions) // 2**32]
            if action.kind == "stock" and not state.stock and not state.reshuffled:
                below = state.pile[:-1]
                order, _ = reference.shuffle(below, len(below), reference.stream_of_words(3, RESHUFFLE, deal))
                state = apply(state, action, reference.stream_of_words(3, RESHUFFLE, deal))
                assert state.stock == tuple(order[1:])
                reshuffled += 1
            else:
                state = apply(state, action)
        assert state.result == played.result
        assert sum(state.turns) == played.turns
    assert reshuffled > 5


def test_a_hand_is_the_same_at_each_call_and_differs_by_deal_and_seed():
    rules, policies = TonkRules(), [Simple(12), Random(), policy("simple", 3)]
    played = [play(rules, 3, policies, 8, deal) for deal in range(20)]
    assert played == [play(rules, 3, policies, 8, deal) for deal in range(20)]
    assert len({str(hand.actions) for hand in played}) > 15
    assert played != [play(rules, 3, policies, 9, deal) for deal in range(20)]


def test_a_tonk_is_a_hand_without_turns():
    rules = TonkRules(low_tonk=40, high_tonk=None)
    ended = [play(rules, 4, [Simple()] * 4, 2, deal) for deal in range(20)]
    tonks = [hand for hand in ended if hand.result.kind == "tonk"]
    assert len(tonks) > 10
    assert all(hand.actions == [] and hand.turns == 0 for hand in tonks)


def test_simple_play_ends_in_every_way_and_pays_zero_sum():
    kinds = Counter()
    for deal in range(400):
        played = play(TonkRules(), 3, [Simple()] * 3, 21, deal)
        assert sum(played.result.payments) == 0
        kinds[played.result.kind] += 1
    assert set(kinds) == {"tonk", "drop_won", "drop_lost", "out", "stock_out"}
    # An independent program, 50,000 hands: 79.4 % and 15.3 %; five standard errors of 400 hands.
    assert abs(kinds["drop_won"] / 400 - 0.79396) < 5 * 0.0202
    assert abs(kinds["drop_lost"] / 400 - 0.15336) < 5 * 0.0180


def test_too_many_players_are_refused():
    with pytest.raises(InputError, match="at most 10"):
        deal_hand(TonkRules(), 11, 1, 0)
