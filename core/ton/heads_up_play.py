"""Hands of the game of two between a table, `plain` and `greedy`, as `core.ton.play` plays them: a kernel."""

import numpy as np

from core.deals import Bytes
from core.jit import inlined, kernel
from core.ton.abstraction import BUY, DECLARE, DISCARD, LEAD
from core.ton.codes import GREEDY, Codes, Numbers
from core.ton.following import beating_cards
from core.ton.greedy import folds, gains_by_buying, lead, worst
from core.ton.heads_up_choices import consider, legal_replies
from core.ton.heads_up_moves import (
    FOLD,
    HAND,
    LED,
    OVER,
    PHASE,
    PLAY,
    PLAYED,
    REFUSE,
    TRUMPS,
    UP,
    USE_RIGHT,
    deal_heads_up,
    heads_up_payoff,
    may_use_right,
    move,
    to_act,
)
from core.ton.heads_up_regrets import Table, Walk, drawn, find, known_chances, next_word, start_words
from core.ton.masks import ACES, ONE, ZERO, Masks, count, highest, lowest

# The number of a player by a table, beside those of GAME_POLICIES.
BY_TABLE = -1


@kernel
def play_heads_up(
    payoffs: Numbers,
    policies: tuple[int, int],
    eldest: Table,
    dealer: Table,
    walk: Walk,
    cards: Bytes,
    seed: np.uint64,
    stream: int,
    first: int,
    rules: Codes,
) -> None:
    """Play the deals of `cards`, the first being number `first`, and note what the eldest wins of each.

    `policies` are by seat: BY_TABLE (by the average strategy of the seat's table), PLAIN or GREEDY.
    """
    for number in range(cards.shape[0]):
        start_words(walk.words, seed, stream, first + number)
        deal_heads_up(walk.states, cards, number, rules)
        while walk.states[0, PHASE] != OVER:
            seat = to_act(walk.states, 0)
            policy = policies[1] if seat else policies[0]
            if policy == BY_TABLE:
                action = _by_table(dealer if seat else eldest, walk, rules)
            else:
                action = _by_rule(walk.states, 0, policy, seat, rules)
            move(walk.states, 0, action, rules)
        payoffs[number] = np.int64(heads_up_payoff(walk.states, 0, rules))


@kernel
def _by_table(table: Table, walk: Walk, rules: Codes) -> np.uint64:
    """Return the move that the table's average strategy draws."""
    choices, key = consider(walk.states, 0, walk.actions, walk.order, rules)
    choice = 0
    if choices > 1:
        known_chances(table, find(table.keys, key), key, walk.chances, 0, choices)
        choice = drawn(walk.chances, 0, choices, next_word(walk.words))
    return np.uint64(walk.actions[0, choice])


@kernel
def _by_rule(states: Masks, row: int, policy: int, seat: int, rules: Codes) -> np.uint64:
    """Return the move of `plain` or `greedy` (`core.ton.policies`)."""
    phase, hand, trumps = states[row, PHASE], states[row, HAND + seat], states[row, TRUMPS]
    own = hand & trumps
    greedy = policy == GREEDY
    if phase == BUY:
        return _buy(states, row, hand, own, greedy, rules)
    if phase == DISCARD:
        return worst(hand, trumps) if greedy else lowest(hand ^ own if hand ^ own else hand)
    if phase == DECLARE:
        weak = folds(hand, trumps) if greedy else hand & (trumps | ACES) == ZERO
        return np.uint64(FOLD if weak else PLAY)
    if phase == LEAD:
        return lead(hand, states[row, PLAYED], trumps) if greedy else highest(own if own else hand)
    legal = legal_replies(states, row, hand, rules)
    winning = legal & beating_cards(states[row, LED], trumps)
    return lowest(winning if winning else legal)


@inlined
def _buy(states: Masks, row: int, hand: np.uint64, own: np.uint64, greedy: bool, rules: Codes) -> np.uint64:
    if may_use_right(states, row, rules):
        return np.uint64(USE_RIGHT)
    kept = highest(own if own else hand)
    buys = bool(count(own) <= ONE)
    if greedy:
        shown = ONE << states[row, UP]
        buys = gains_by_buying(hand, kept, ZERO, shown, states[row, TRUMPS], rules.hand_size - 1)
    return np.uint64(kept if buys else REFUSE)
