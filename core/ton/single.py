"""One hand of Ton by its deal number, for kernels that do not want the deals beside it.

`core.ton.game` deals hands side by side, which is faster for deals in a row; a match takes a few deals here and there.
"""

from typing import NamedTuple

import numpy as np

from core.deals import LANES, Bytes, shuffle_one
from core.jit import allocating, kernel
from core.rng import LOW_WORD, SHIFT, philox
from core.ton.codes import Codes, Numbers
from core.ton.game import make_hand, no_script, play_hand
from core.ton.play import DEAL_STREAM, DECISION_STREAM
from core.ton.rules import DECK
from core.ton.seats import NEXT_WORD, Hand

_CARDS, _DECISIONS = np.uint32(DEAL_STREAM), np.uint32(DECISION_STREAM)


class Table(NamedTuple):
    """A hand, and scratch space to deal it: arrays that all hands of a chunk share."""

    hand: Hand
    positions: Bytes
    deck: Bytes


@allocating
def make_table(policies: Numbers, tables: Bytes, rules: Codes) -> Table:
    """Return a table for that many players, with their policies, from an empty record."""
    players = policies.shape[0]
    no_log, records = np.empty(0, np.int64), np.zeros(players, np.int64)
    return Table(
        make_hand(policies, tables, records, no_log, no_script(), False, rules),
        np.empty(((players + 1) * rules.hand_size, 1), np.uint8),
        np.empty(len(DECK), np.uint8),
    )


@kernel
def play_single(table: Table, rules: Codes, seed: np.uint64, deal: int) -> None:
    """Play the hand of that deal number by the policies and records of the hand's seats."""
    shuffle_one(table.positions, table.deck, seed, _CARDS, deal)
    words = table.hand.words
    key, low, high = np.uint32(seed & LOW_WORD), np.uint32(deal & LOW_WORD), np.uint32(np.uint64(deal) >> SHIFT)
    for block in range(len(words) // (4 * LANES)):
        drawn = philox(np.uint32(block), low, high, _DECISIONS, key, np.uint32(seed >> SHIFT))
        for number in range(4):
            # A kernel of hands draws words LANES places apart.
            words[(4 * block + number) * LANES] = drawn[number]
    table.hand.next_[NEXT_WORD] = 0
    play_hand(table.hand, table.positions, 0, rules)
