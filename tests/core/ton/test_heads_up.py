"""The kernels of the game of two against readable Python: regret minimisation, abstraction and play, digit by digit."""

import random

import numpy as np
import pytest

from core.deals import sample_hands
from core.errors import InputError
from core.rng import word_stream
from core.ton import heads_up_training
from core.ton.abstraction import choice
from core.ton.codes import GREEDY, PLAIN, encode
from core.ton.engine import apply, legal_actions, start
from core.ton.equilibrium import TRAINED, Equilibrium, HeadsUpStrategy, load_strategy
from core.ton.heads_up import heads_up_rules, payoff
from core.ton.heads_up_play import BY_TABLE, play_heads_up
from core.ton.heads_up_regrets import FREE, iterate, new_table, new_walk
from core.ton.heads_up_training import CARDS, CHOICES, reading_table, train, train_reply
from core.ton.play import DEAL_STREAM, DECISION_STREAM, deal_cards, play
from core.ton.policies import POLICIES
from core.ton.regrets import Regrets
from core.ton.rules import DECK, TonRules
from core.ton.view import view
from tests.core.ton.hands import random_rules

SEED = 7


class AbstractNode:
    """A node of the game of two as its abstraction has it, on the reference engine."""

    def __init__(self, state):
        self.state, self.seat = state, state.seat
        if self.seat is None:
            self.payoff = payoff(state)
            return
        self.key, self.actions = choice(view(state, state.seat), legal_actions(state))
        self.choices = len(self.actions)

    def child(self, number):
        return AbstractNode(apply(self.state, self.actions[number]))


def random_table(chance):
    """Return rules of any options that the game of two has, and hands of 2 to 6 cards."""
    rules = random_rules(chance)
    size = chance.choice((2, 3, 4, 5, 5, 6))
    numbers = {"must_play_points": chance.choice((0, 13)), "zero_trick_points": chance.choice((0, 5))}
    return rules.replace(hand_size=size, talon_size=size - 1, **numbers)


@pytest.mark.parametrize("options", [{}, {"must_beat": "free", "dealer_discard": "after_declarations", "hand_size": 3}])
def test_kernel_minimises_regrets_as_the_reference_does(options):
    rules = heads_up_rules(TonRules.from_options({"talon_size": options.get("hand_size", 5) - 1} | options))
    iterations = 4 if rules.hand_size == 5 else 12
    expected = Regrets()
    deck = sample_hands(DECK, [len(DECK)], iterations, seed=SEED, stream=CARDS)
    for iteration, cards in enumerate(deck.tolist()):
        root = AbstractNode(start(rules, deal_cards(rules, 2, cards)))
        expected.iterate(iteration, root, word_stream(SEED, CHOICES, iteration))
    table = new_table(14)
    places = sample_hands(range(36), [36], iterations, seed=SEED, stream=CARDS)
    # In two parts, as chunks of a long training.
    for first, last in ((0, 3), (3, iterations)):
        part = places[first:last]
        done = iterate(table, table, new_walk(), part, np.uint64(SEED), CHOICES, first, -1, encode(rules))
        assert done == last - first
    used = np.flatnonzero(table.keys != FREE)
    assert {int(table.keys[place]) for place in used} == set(expected.regrets)
    assert len(used) > 100
    for place in used:
        key = int(table.keys[place])
        count = len(expected.regrets[key])
        assert table.regrets[place, :count].tolist() == pytest.approx(expected.regrets[key], abs=1e-9)
        assert table.sums[place, :count].tolist() == pytest.approx(expected.sums[key], abs=1e-9)
        assert not table.regrets[place, count:].any()


def test_kernel_plays_as_the_policies_do_on_the_reference_engine():
    chance = random.Random(SEED)
    strategy = load_strategy()
    table = reading_table(strategy)
    players = {BY_TABLE: Equilibrium(strategy), PLAIN: POLICIES["plain"], GREEDY: POLICIES["greedy"]}
    for seed in range(40):
        rules = heads_up_rules(TonRules() if seed % 3 == 0 else random_table(chance))
        pair = (chance.choice(list(players)), chance.choice(list(players))) if seed % 2 else (BY_TABLE, BY_TABLE)
        cards = sample_hands(range(36), [36], 4, seed=seed, stream=DEAL_STREAM, first=3)
        payoffs = np.zeros(4, np.int64)
        play_heads_up(
            payoffs, pair, table, table, new_walk(), cards, np.uint64(seed), DECISION_STREAM, 3, encode(rules)
        )
        results = [play(rules, 2, [players[one] for one in pair], seed, deal).result.points for deal in range(3, 7)]
        assert payoffs.tolist() == [eldest - dealer for eldest, dealer in results], (seed, rules, pair)


def test_keys_do_not_depend_on_the_names_of_suits():
    chance = random.Random(SEED)
    compared = set()
    for _ in range(60):
        rules = heads_up_rules(random_table(chance))
        cards = chance.sample(DECK, len(DECK))
        suits = chance.sample(range(4), 4)
        states = [
            start(rules, deal_cards(rules, 2, dealt))
            for dealt in (cards, [13 * suits[c // 13] + c % 13 for c in cards])
        ]
        while (seat := states[0].seat) is not None:
            here, there = (choice(view(state, seat), legal_actions(state)) for state in states)
            assert (here.key, len(here.actions)) == (there.key, len(there.actions))
            compared.add((states[0].phase, here.key))
            legal = legal_actions(states[0])
            # The right is there in one of five deals, and would else be seldom chosen.
            action = legal[-1] if legal[-1].word == "trumpless" else chance.choice(legal)
            card = action.card if action.card is None else 13 * suits[action.card // 13] + action.card % 13
            states = [apply(states[0], action), apply(states[1], action._replace(card=card))]
    assert {phase for phase, _ in compared} == {"buy", "fetch", "discard", "declare", "play"}
    assert len(compared) > 200


def test_considered_actions_are_legal_and_a_key_has_one_number_of_them():
    chance = random.Random(SEED)
    numbers = {}
    for _ in range(150):
        cards = chance.sample(DECK, len(DECK))
        state = start(heads_up_rules(TonRules()), deal_cards(TonRules(), 2, cards))
        while state.seat is not None:
            legal = legal_actions(state)
            found = choice(view(state, state.seat), legal)
            assert set(found.actions) <= set(legal)
            assert len(found.actions) == len(set(found.actions)) > 0
            if found.key:
                assert numbers.setdefault(found.key, len(found.actions)) == len(found.actions)
            state = apply(state, chance.choice(legal))
    assert len(numbers) > 250


def test_same_seed_trains_the_same_table_and_another_seed_another_one(monkeypatch):
    monkeypatch.setattr(heads_up_training, "_BITS", 15)
    told = []
    one = train(600, TonRules(), seed=1, done=told.append)
    assert sum(told) == 600
    monkeypatch.setattr(heads_up_training, "_BATCH", 70)
    again, other = (train(600, TonRules(), seed=seed) for seed in (1, 2))
    assert np.array_equal(one.keys, again.keys)
    assert np.array_equal(one.parts, again.parts)
    assert not np.array_equal(one.keys, other.keys)


def test_too_small_a_table_and_other_wrong_input_are_refused(monkeypatch):
    monkeypatch.setattr(heads_up_training, "_BITS", 6)
    with pytest.raises(InputError, match="more than 64 different decisions"):
        train(600, TonRules(), seed=1)
    for iterations, rules, seed in (
        (0, TonRules(), 1),
        (1, TonRules(), -1),
        (1, TonRules(hand_size=7, talon_size=6), 1),
    ):
        with pytest.raises(InputError):
            train(iterations, rules, seed=seed)


def test_trained_reply_beats_a_strategy_that_knows_nothing():
    """Against a dealer whose choices are all alike, the trained eldest wins far more than one like that himself."""
    nothing = HeadsUpStrategy(np.zeros(0, np.uint64), np.zeros((0, 8), np.uint8), TonRules(), "")
    reply = train_reply(nothing, 0, 3000, seed=1)
    deals = 4000
    cards = sample_hands(range(36), [36], deals, seed=5, stream=DEAL_STREAM)
    won = []
    for eldest in (nothing, reply):
        payoffs = np.zeros(deals, np.int64)
        tables = (reading_table(eldest), reading_table(nothing))
        pair = (BY_TABLE, BY_TABLE)
        play_heads_up(payoffs, pair, *tables, new_walk(), cards, np.uint64(5), 1, 0, encode(heads_up_rules(TonRules())))
        won.append(payoffs.mean())
    # The means' standard errors are below 0.1.
    assert won[1] > won[0] + 0.7


def test_trained_table_is_small():
    assert TRAINED.stat().st_size < 500_000
