"""The kernel of duels: a deal is played once for each seat of one player among others, and once by the others alone."""

import numpy as np

from core.deals import LANES, Bytes, draw_buffer, lane_of, shuffle_lanes
from core.jit import allocating
from core.ton.codes import Codes, Numbers
from core.ton.game import draw_words, make_hand, no_script, play_hand
from core.ton.play import DEAL_STREAM
from core.ton.rules import DECK
from core.ton.seats import NEXT_WORD, POLICY, TABLE, worth_of


@allocating
def play_in_turn(
    sums: Numbers,
    policies: Numbers,
    tables: Bytes,
    plus_worth: int,
    rules: Codes,
    seed: np.uint64,
    start: int,
    stop: int,
) -> None:
    """Play the hands of the deals start .. stop - 1 from an empty record, one player among others on every seat.

    `policies` has shape (players + 1, players, 2): those of the seats when he sits on seat s; in the last row he plays
    as the others do. His worth is his points less `plus_worth` for each plus. Adds to `sums` how much more it is on all
    seats of a deal together than by the last row, and the square of that.
    """
    players = policies.shape[1]
    buffer = draw_buffer((players + 1) * rules.hand_size)
    no_log, records = np.empty(0, np.int64), np.zeros(players, np.int64)
    # The first row has both kinds of players.
    hand = make_hand(policies[0], tables, records, no_log, no_script(), False, rules)
    for first in range(start, stop, LANES):
        positions = shuffle_lanes(buffer, seed, np.uint32(DEAL_STREAM), first, len(DECK))
        draw_words(hand, seed, first)
        for number in range(min(LANES, stop - first)):
            own = ordinary = 0
            for row in range(players + 1):
                for seat in range(players):
                    hand.seats[seat, POLICY] = policies[row, seat, 0]
                    hand.seats[seat, TABLE] = policies[row, seat, 1]
                hand.next_[NEXT_WORD] = number
                play_hand(hand, positions, lane_of(number), rules)
                if row < players:
                    own += worth_of(hand, row, plus_worth)
                else:
                    for seat in range(players):
                        ordinary += worth_of(hand, seat, plus_worth)
            sums[0] += own - ordinary
            sums[1] += (own - ordinary) ** 2
