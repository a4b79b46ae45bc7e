"""One hand of Ton by its deal number, for kernels that do not want the deals beside it.

`core.ton.game` deals hands side by side, which is faster for deals in a row; a match takes a few deals here and there.
"""

from typing import NamedTuple

import numpy as np

from core.deals import LANES, Bytes, shuffle_one
from core.jit import allocating, kernel
from core.rng import LOW_WORD, SHIFT, philox
from core.ton.codes import RANDOM, Codes, Numbers, longest
from core.ton.game import play_hand
from core.ton.masks import Masks
from core.ton.play import DEAL_STREAM, DECISION_STREAM
from core.ton.rules import DECK
from core.ton.seats import COLUMNS, NEXT_WORD, POLICY, Words

_CARDS, _DECISIONS = np.uint32(DEAL_STREAM), np.uint32(DECISION_STREAM)
_longest = kernel(longest)


class Table(NamedTuple):
    """A hand's cards and seats, and scratch space: arrays that all hands of a chunk share."""

    hands: Masks
    talon: Masks
    seats: Numbers  # by seat, the columns of core.ton.seats
    words: Words
    next_: Numbers
    log: Numbers
    positions: Bytes
    deck: Bytes


@allocating
def make_table(policies: Numbers, rules: Codes) -> Table:
    """Return a table for that many players, with their policies; random words only if one of them wants any."""
    players = policies.shape[0]
    blocks = (_longest(players, rules.hand_size) + 3) // 4 if np.any(policies == RANDOM) else 0
    seats = np.zeros((players, COLUMNS), np.int64)
    seats[:, POLICY] = policies
    return Table(
        np.empty(players, np.uint64),
        np.zeros(rules.hand_size, np.uint64),
        seats,
        np.empty(4 * blocks * LANES, np.uint32),
        np.zeros(2, np.int64),
        np.empty(0, np.int64),
        np.empty(((players + 1) * rules.hand_size, 1), np.uint8),
        np.empty(len(DECK), np.uint8),
    )


@kernel
def play_single(table: Table, rules: Codes, seed: np.uint64, deal: int) -> None:
    """Play the hand of that deal number by the policies and records in the table's seats."""
    shuffle_one(table.positions, table.deck, seed, _CARDS, deal)
    words, next_ = table.words, table.next_
    key, low, high = np.uint32(seed & LOW_WORD), np.uint32(deal & LOW_WORD), np.uint32(np.uint64(deal) >> SHIFT)
    for block in range(len(words) // (4 * LANES)):
        drawn = philox(np.uint32(block), low, high, _DECISIONS, key, np.uint32(seed >> SHIFT))
        for number in range(4):
            # A kernel of hands draws words LANES places apart.
            words[(4 * block + number) * LANES] = drawn[number]
    next_[NEXT_WORD] = 0
    play_hand(table.hands, table.talon, table.seats, words, next_, table.log, table.positions, 0, rules)
