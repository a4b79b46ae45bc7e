"""What choices of the policy `tuned` are worth, as a kernel: one decision of a hand tried in each way."""

from typing import NamedTuple

import numpy as np

from core.deals import LANES, Bytes, draw_buffer, lane_of, shuffle_lanes
from core.jit import allocating, inlined, kernel
from core.ton.codes import Codes, Numbers, longest, seat_of
from core.ton.game import draw_words, make_hand, no_script, play_hand
from core.ton.play import DEAL_STREAM
from core.ton.rules import DECK
from core.ton.seats import NEXT_MOVE, NEXT_WORD, PROBED_CHOICE, PROBED_MOVE, Hand, worth_of
from core.ton.tables import MOST_CHOICES, SIZE

_longest, _seat_of = kernel(longest), inlined(seat_of)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_HIGH = np.uint64(40)
ANY_SEAT = AS_TABLES = -1


class Wanted(NamedTuple):
    """Which decisions are probed: those that look up the cells first .. last - 1, of one seat or of ANY_SEAT.

    against
        the choice that all are compared with; AS_TABLES takes that of the tables
    """

    first: int = 0
    last: int = SIZE
    seat: int = ANY_SEAT
    against: int = AS_TABLES


EVERYTHING = Wanted()


@allocating
def probe(
    gains: Numbers,
    squares: Numbers,
    counts: Numbers,
    policies: Numbers,
    tables: Bytes,
    wanted: Wanted,
    plus_worth: int,
    rules: Codes,
    seed: np.uint64,
    start: int,
    stop: int,
) -> None:
    """Play the hands of the deals start .. stop - 1 from an empty record, and one decision of each in every way.

    Of the wanted decisions that a hand's players look up one is taken, each as likely. Adds to `gains` of shape (cells,
    MOST_CHOICES) what each choice gives its player more than the one that it is compared with, in points less
    `plus_worth` for each plus, all playing on by their policies; times the number of decisions to take one from, so
    that the sums over cells are gains a hand. Adds its square to `squares`, and 1 to `counts` of shape (cells,).
    """
    players = policies.shape[0]
    buffer = draw_buffer((players + 1) * rules.hand_size)
    log = np.empty(_longest(players, rules.hand_size), np.int64)
    hand = make_hand(policies, tables, np.zeros(players, np.int64), log, no_script(), True, rules)
    for first in range(start, stop, LANES):
        positions = shuffle_lanes(buffer, seed, np.uint32(DEAL_STREAM), first, len(DECK))
        draw_words(hand, seed, first)
        for number in range(min(LANES, stop - first)):
            _probe_hand(gains, squares, counts, hand, positions, number, first + number, wanted, plus_worth, rules)


@kernel
def _probe_hand(
    gains: Numbers,
    squares: Numbers,
    counts: Numbers,
    hand: Hand,
    positions: Bytes,
    number: int,
    deal: int,
    wanted: Wanted,
    plus_worth: int,
    rules: Codes,
) -> None:
    lane = lane_of(number)
    for move in range(hand.looked_up.shape[0]):
        hand.looked_up[move] = -1
    _play(hand, positions, lane, number, -1, 0, rules)
    moves, found = hand.next_[NEXT_MOVE], 0
    for move in range(moves):
        found += int(_is_wanted(hand, move, wanted))
    if found == 0:
        return
    # By the deal's number, which says nothing of its cards.
    skip = int(((np.uint64(deal) * _MIX) >> _HIGH) % np.uint64(found))
    probed = 0
    for move in range(moves):
        if _is_wanted(hand, move, wanted):
            probed = move if skip == 0 else probed
            skip -= 1
    cell, seat = hand.looked_up[probed], _seat_of(hand.log[probed])
    if wanted.against != AS_TABLES:
        _play(hand, positions, lane, number, probed, wanted.against, rules)
    before = worth_of(hand, seat, plus_worth)
    counts[cell] += 1
    for choice in range(MOST_CHOICES):
        _play(hand, positions, lane, number, probed, choice, rules)
        gain = found * (worth_of(hand, seat, plus_worth) - before)
        gains[cell, choice] += gain
        squares[cell, choice] += gain * gain


@inlined
def _is_wanted(hand: Hand, move: int, wanted: Wanted) -> bool:
    cell = hand.looked_up[move]
    return bool(wanted.first <= cell < wanted.last and wanted.seat in (ANY_SEAT, _seat_of(hand.log[move])))


@inlined
def _play(hand: Hand, positions: Bytes, lane: int, number: int, move: int, choice: int, rules: Codes) -> None:
    hand.next_[NEXT_WORD] = number
    hand.next_[NEXT_MOVE] = 0
    hand.next_[PROBED_MOVE] = move
    hand.next_[PROBED_CHOICE] = choice
    play_hand(hand, positions, lane, rules)
