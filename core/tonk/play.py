"""Whole hands of Tonk on the reference engine: hand number `deal` is a function of seed, rules and policies alone."""

from collections.abc import Sequence
from typing import NamedTuple

from core.deals import sample_hands
from core.rng import word_stream
from core.tonk.actions import Action, legal_actions
from core.tonk.moves import apply
from core.tonk.policies import Policy
from core.tonk.rules import TonkRules
from core.tonk.state import Result, State, start
from core.tonk.view import view

# Streams of the generator: the deal, the reshuffle of the pile, the policies' decisions.
CARDS, RESHUFFLE, DECISIONS = 0, 1, 2


class Played(NamedTuple):
    """A hand that was played: how it ended, and each action with its seat. A drop is a turn."""

    result: Result
    actions: list[tuple[int, Action]]
    turns: int


def deal_hand(rules: TonkRules, players: int, seed: int, deal: int) -> State:
    """Return the state after a sampled deal of the whole deck: hands by seat, up-card, stock from the top (K2).

    Raises InputError when the deck cannot serve the players.
    """
    rules.check_players(players)
    deck = rules.deck()
    up_cards = 1 if rules.up_card == "yes" else 0
    dealt = players * rules.hand_size
    cards = sample_hands(deck, [len(deck)], 1, seed=seed, stream=CARDS, first=deal)[0].tolist()
    hands = [cards[seat * rules.hand_size : (seat + 1) * rules.hand_size] for seat in range(players)]
    return start(rules, hands, cards[dealt] if up_cards else None, cards[dealt + up_cards :])


def play(rules: TonkRules, players: int, policies: Sequence[Policy], seed: int, deal: int) -> Played:
    """Play one hand to its end, `policies` by seat.

    All policies take their random words from one stream, in the order of their decisions.
    """
    state = deal_hand(rules, players, seed, deal)
    words = word_stream(seed, DECISIONS, deal)
    actions = []
    while state.result is None:
        seat = state.turn
        action = policies[seat].choose(view(state, seat), legal_actions(state), words)
        actions.append((seat, action))
        state = apply(state, action, word_stream(seed, RESHUFFLE, deal))
    return Played(state.result, actions, sum(state.turns))
