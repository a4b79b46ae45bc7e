"""Sampled worlds agree with what a player sees, and rollouts equal the reference engine in each of them."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from random import Random as Choice

import numpy as np
import pytest

from core.errors import InputError
from core.rng import word_stream
from core.tonk.actions import legal_actions
from core.tonk.choosing import policy_numbers
from core.tonk.game import SCALE
from core.tonk.melds import hand_total, melds_in
from core.tonk.moves import apply
from core.tonk.play import DECISIONS, RESHUFFLE, deal_hand
from core.tonk.policies import Random, Simple, Threshold
from core.tonk.replay import replay
from core.tonk.rollouts import roll_out
from core.tonk.rules import TonkRules
from core.tonk.view import view
from core.tonk.worlds import WORLDS, hidden_cards, sample_world
from tests.core.tonk.hands import Patient, position, states_of
from tests.core.tonk.test_game import tables, thresholds

SEED = 5


def states(hands, most=6):
    """Yield states of hands under all kinds of rules, and policies for their players."""
    choice = Choice(3)
    for deal, (rules, policies) in enumerate(tables(hands)):
        if len(policies) > most or rules.hand_size > 7:
            continue
        first = deal_hand(rules, len(policies), SEED, deal)
        shuffled = list(islice(word_stream(SEED, RESHUFFLE, deal), 1000))
        course = states_of(first, Patient(), word_stream(SEED, DECISIONS, deal), shuffled)
        open_states = [state for state in course if state.result is None]
        if open_states:
            yield choice.choice(open_states), policies


def test_worlds_agree_with_all_that_is_seen():
    for number, (state, _) in enumerate(states(400)):
        seen = view(state, state.turn)
        world = sample_world(seen, word_stream(SEED, WORLDS, number))
        assert view(world, state.turn) == seen
        cards = [*world.pile, *world.stock, *(card for hand in world.hands for card in hand)]
        cards += [card for meld in world.table for card in meld.cards]
        assert Counter(cards) == Counter(state.rules.deck())
        for seat, hand in enumerate(world.hands):
            assert not Counter(seen.known[seat]) - Counter(hand)
            if seat != state.turn and seen.turns[seat] == 0:
                assert not state.rules.is_tonk(hand_total(hand))
            elif seat != state.turn and state.rules.meld_duty == "forced":
                assert not melds_in(hand, state.rules)


def test_hidden_cards_are_those_of_the_others_and_of_the_stock():
    for state, _ in states(200):
        others = [card for seat, hand in enumerate(state.hands) if seat != state.turn for card in hand]
        known = Counter(card for seat, cards in enumerate(state.known) if seat != state.turn for card in cards)
        assert Counter(hidden_cards(view(state, state.turn))) == Counter([*others, *state.stock]) - known


def test_rollouts_equal_the_reference_in_each_world():
    compared = 0
    for state, policies in states(500):
        seen, actions = view(state, state.turn), legal_actions(state)
        seat = state.turn
        if any(turns != state.turns[seat] + (other < seat) for other, turns in enumerate(state.turns)):
            continue
        paid = np.zeros(len(actions), np.int64)
        products = np.zeros((len(actions), len(actions)), np.int64)
        for world in range(3):
            roll_out(paid, products, seen, actions, policy_numbers(policies), SEED, world, world + 1)
        by_world = [[played_out(seen, action, policies, seat, world) for action in actions] for world in range(3)]
        assert paid.tolist() == [sum(column) * SCALE for column in zip(*by_world, strict=True)], (seen, actions)
        assert products.tolist() == [
            [sum(row[a] * row[b] for row in by_world) * SCALE**2 for b in range(len(actions))]
            for a in range(len(actions))
        ]
        compared += 1
    assert compared > 200


@pytest.mark.parametrize("name", ["Voron", "Goblin", "Elmo"])
def test_rollouts_equal_the_reference_from_a_record_in_mid_play(name):
    record = "players: Voron, Goblin, Elmo\nhand Voron: 7s 8s Kd 3c\nhand Goblin: Ac 2h 9h\nhand Elmo: Qh Jc 6d 2d 2c"
    state = replay(f"{record}\npile: 10s\nturn: {name}", TonkRules()).state
    seen, actions = view(state, state.turn), legal_actions(state)
    for number in range(30):
        policies = [Threshold(thresholds(3, Choice(number)))] * 3
        paid, products = np.zeros(len(actions), np.int64), np.zeros((len(actions), len(actions)), np.int64)
        roll_out(paid, products, seen, actions, policy_numbers(policies), SEED, number, number + 1)
        expected = [played_out(seen, action, policies, state.turn, number) * SCALE for action in actions]
        assert paid.tolist() == expected, number


def played_out(seen, action, policies, seat, world) -> Fraction:
    state = sample_world(seen, word_stream(SEED, WORLDS, world))
    words = word_stream(SEED, DECISIONS, world)
    state = apply(state, action, word_stream(SEED, RESHUFFLE, world))
    while state.result is None:
        chosen = policies[state.turn].choose(view(state, state.turn), legal_actions(state), words)
        state = apply(state, chosen, word_stream(SEED, RESHUFFLE, world))
    return state.result.payments[seat]


def test_worlds_depend_on_nothing_hidden():
    for state, policies in states(100):
        seen, actions = view(state, state.turn), legal_actions(state)
        other = sample_world(seen, word_stream(SEED, WORLDS, 77))
        sums = []
        for each in (state, other):
            paid, products = np.zeros(len(actions), np.int64), np.zeros((len(actions), len(actions)), np.int64)
            roll_out(paid, products, view(each, each.turn), actions, policy_numbers(policies), SEED, 0, 5)
            sums.append((paid.tolist(), products.tolist()))
        assert sums[0] == sums[1]


def test_a_view_that_no_world_agrees_with_is_refused():
    # All cards that are left are kings, and who has played a turn would have laid three of them.
    seen = view(position("2s", "Ks Kh Kd", pile="2h", stock="Kc"), 0)
    rest = [card for card in hidden_cards(seen) if card % 13 != 12]
    crowded = replace(seen, pile=(*seen.pile, *rest), turns=(1, 1))
    with pytest.raises(InputError, match="agrees with what was seen"):
        sample_world(crowded, word_stream(SEED, WORLDS, 1))


def test_policies_of_the_tests_are_of_every_kind():
    kinds = {type(policy) for _, policies in states(200) for policy in policies}
    assert kinds == {Random, Simple, Threshold}
    assert thresholds(3, Choice(1)).players == 3
    assert TonkRules().meld_duty == "forced"
