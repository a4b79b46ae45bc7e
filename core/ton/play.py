"""Playing a hand of Ton from its seed: the cards dealt, the policies asked in turn, the result.

Deal number i of a seed is a function of (seed, i) alone:

- Its cards are the shuffle of the 36 cards in the order of their ids that `core.deals` makes on stream 0. They are
  used in this order: the hands seat by seat, the talon in turning order, the trump card, the stock.
- Its decisions draw from one sequence of 32-bit words, the words of stream 1: each policy takes what it needs, and the
  next decision goes on from there.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

import numpy as np

from core.deals import sample_hands
from core.errors import InputError
from core.rng import fill_block
from core.seeds import check_run
from core.ton.engine import apply, legal_actions, start
from core.ton.policies import Policy
from core.ton.rules import DECK, TonRules
from core.ton.score import HandResult, result
from core.ton.state import Action, Deal, State
from core.ton.view import view

DEAL_STREAM, DECISION_STREAM = 0, 1


class Played(NamedTuple):
    """A hand played to its end: its result, every (seat, action) in order, and the deal."""

    result: HandResult
    actions: tuple[tuple[int, Action], ...]
    deal: Deal


def sample_deal(rules: TonRules, players: int, seed: int, deal: int) -> Deal:
    """Return the cards of that deal, in the order that the module's docstring gives.

    Raises InputError for a number of players that the rules do not allow, or a seed or deal number out of range.
    """
    rules.check_players(players)
    shuffled = sample_hands(DECK, [len(DECK)], 1, seed=seed, stream=DEAL_STREAM, first=deal)[0].tolist()
    return deal_cards(rules, players, shuffled)


def deal_cards(rules: TonRules, players: int, cards: Sequence[int]) -> Deal:
    """Cut 36 cards into hands, talon, trump card and stock."""
    size = rules.hand_size
    dealt = players * size
    hands = tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(players))
    talon = tuple(cards[dealt : dealt + rules.talon_size])
    trump_card, *stock = cards[dealt + rules.talon_size :]
    return Deal(hands, talon, trump_card, tuple(stock))


def decision_words(seed: int, deal: int) -> Iterator[int]:
    """Yield the random words of that deal's decisions, without end."""
    check_run(seed, DECISION_STREAM, deal, 1)
    words = np.empty((4, 1), np.uint32)
    for block in count():
        fill_block(words, block, np.uint64(seed), np.uint32(DECISION_STREAM), deal)
        yield from words[:, 0].tolist()


def play(
    rules: TonRules,
    players: int,
    policies: Sequence[Policy],
    seed: int,
    deal: int,
    *,
    records: Sequence[int] | None = None,
    debts: Sequence[int] | None = None,
) -> Played:
    """Deal a hand and play it to its end, each seat by its policy; records and debts are by seat, 0 without them.

    Raises InputError when there is not one policy a seat, or as sample_deal does.
    """
    if len(policies) != players:
        raise InputError(f"{len(policies)} policies are given for {players} players")
    cards = sample_deal(rules, players, seed, deal)
    state = start(rules, cards, records=records, debts=debts)
    end, actions = play_out(state, policies, decision_words(seed, deal))
    return Played(result(end), actions, cards)


def play_out(
    state: State, policies: Sequence[Policy], words: Iterator[int]
) -> tuple[State, tuple[tuple[int, Action], ...]]:
    """Play on from a state to the end of the hand; return the last state and every (seat, action) in order."""
    actions = []
    while (seat := state.seat) is not None:
        action = policies[seat].choose(view(state, seat), legal_actions(state), words)
        state = apply(state, action)
        actions.append((seat, action))
    return state, tuple(actions)
