"""The kernel of duels: each deal is played once for each seat of one player among others, and once by the others alone.

Hands are those of core.ton.game.
"""

import numpy as np

from core.deals import LANES, draw_buffer, lane_of, shuffle_lanes
from core.jit import allocating, kernel
from core.rng import fill_block
from core.ton.codes import RANDOM, Codes, Numbers, longest
from core.ton.game import play_hand
from core.ton.play import DEAL_STREAM, DECISION_STREAM
from core.ton.rules import DECK
from core.ton.seats import COLUMNS, N_PLUSES, N_POINTS, NEXT_MOVE, NEXT_WORD, POLICY, RECORD

_longest = kernel(longest)


def duel_tables(one: int, others: int, players: int) -> Numbers:
    """Return the policies' numbers by table and seat: the one on each seat in turn, then the others alone."""
    tables = np.full((players + 1, players), others, np.int64)
    np.fill_diagonal(tables[:players], one)
    return tables


@allocating
def play_in_turn(sums: Numbers, tables: Numbers, rules: Codes, seed: np.uint64, start: int, stop: int) -> None:
    """Play the deals start .. stop - 1 at each of the tables of `duel_tables`, from an empty record.

    Adds to `sums` what the one is worth on all seats together, less what the others alone are worth together, and the
    square of that. Worth are points, each plus counting as the price of no trick.
    """
    players = tables.shape[1]
    buffer = draw_buffer((players + 1) * rules.hand_size)
    blocks = (_longest(players, rules.hand_size) + 3) // 4 if np.any(tables == RANDOM) else 0
    words = np.empty((blocks, 4, LANES), np.uint32)
    flat, next_, no_log = words.reshape(-1), np.empty(2, np.int64), np.empty(0, np.int64)
    hands, seats = np.empty(players, np.uint64), np.empty((players, COLUMNS), np.int64)
    talon = np.zeros(rules.hand_size, np.uint64)
    seats[:, RECORD] = 0
    for first in range(start, stop, LANES):
        positions = shuffle_lanes(buffer, seed, np.uint32(DEAL_STREAM), first, len(DECK))
        for block in range(blocks):
            fill_block(words[block], block, seed, np.uint32(DECISION_STREAM), first)
        for number in range(min(LANES, stop - first)):
            gain = 0
            for table in range(players + 1):
                seats[:, POLICY] = tables[table]
                next_[NEXT_WORD], next_[NEXT_MOVE] = number, 0
                play_hand(hands, talon, seats, flat, next_, no_log, positions, lane_of(number), rules)
                for seat in range(players):
                    worth = seats[seat, N_POINTS] - rules.zero_trick_points * seats[seat, N_PLUSES]
                    if table == seat:
                        gain += worth
                    elif table == players:
                        gain -= worth
            sums[0] += gain
            sums[1] += gain * gain
