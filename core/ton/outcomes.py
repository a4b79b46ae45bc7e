"""What a hand of Ton gives, apart from the choice of T11, counted over sampled hands: the kernel and its codes.

Given fixed players, that is all that a match depends on: who takes the tricks, who has none and chooses between plus
and minus, who has bid five and failed.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.deals import Bytes
from core.jit import allocating, kernel
from core.ton.codes import Codes, Numbers
from core.ton.seats import CHOSEN, N_PLUSES, RECORD, TAKEN
from core.ton.single import make_table, play_single

NOBODY = -1


class Outcome(NamedTuple):
    """What a hand gives: the seats whose tricks give a point, and who has none.

    takers
        by trick, the seat that gets a point for it; NOBODY where none does (a failed bidder's lost tricks, a lone
        player's under `lone_player = no_score`)
    choosers
        the seats that choose between plus and minus (T11)
    failed
        the seat that has bid five and failed (T13), or NOBODY
    """

    takers: tuple[int, ...]
    choosers: tuple[int, ...] = ()
    failed: int = NOBODY


def outcome_codes(players: int, hand_size: int) -> int:
    """Return how many codes of outcomes there are; not every one occurs."""
    return int((players + 1) ** (hand_size + 1) << players)


def decode_outcome(code: int, players: int, hand_size: int) -> Outcome:
    """Return the outcome of a code: seat + 1 of each trick and of the failed bidder in base players + 1, choosers."""
    code, choosers = divmod(code, 1 << players)
    code, failed = divmod(code, players + 1)
    takers = []
    for _ in range(hand_size):
        code, taker = divmod(code, players + 1)
        takers.append(taker - 1)
    return Outcome(tuple(takers), tuple(seat for seat in range(players) if choosers >> seat & 1), failed - 1)


def records_for(must_play: Sequence[bool], must_play_points: int) -> list[int]:
    """Return records by which just those seats must play (T8)."""
    return [must_play_points if must else must_play_points - 1 for must in must_play]


@allocating
def count_outcomes(
    counts: Numbers,
    policies: Numbers,
    tables: Bytes,
    records: Numbers,
    rules: Codes,
    seed: np.uint64,
    start: int,
    stop: int,
) -> None:
    """Play the hands of the deals start .. stop - 1 from the records, and count their outcomes by code.

    The rules have `zero_trick = plus_only`, so that a plus tells who may choose.
    """
    table = make_table(policies, tables, rules)
    table.hand.seats[:, RECORD] = records
    for deal in range(start, stop):
        play_single(table, rules, seed, deal)
        counts[_code(table.hand.seats, rules.hand_size)] += 1


@kernel
def _code(seats: Numbers, hand_size: int) -> int:
    players = seats.shape[0]
    code = 0
    for trick in range(hand_size - 1, -1, -1):
        taker = 0
        for seat in range(players):
            if seats[seat, TAKEN] >> trick & 1:
                taker = seat + 1
        code = code * (players + 1) + taker
    failed, choosers = 0, 0
    for seat in range(players):
        if seats[seat, CHOSEN]:
            choosers |= 1 << seat
        elif seats[seat, N_PLUSES]:
            failed = seat + 1
    return int((code * (players + 1) + failed) << players) + choosers
