"""Numba kernels that deal and judge opening hands of Tonk: holders of a TONK (K4), and totals below a dropper's (K8).

Kernels check nothing. The deck that they deal from is sorted by value, so that a position tells the card's value by
comparison with nine bounds; `value_bounds` makes these.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from core.deals import LANES, Bytes, draw_buffer, lane_of, shuffle_lanes
from core.jit import allocating, inlined, kernel
from core.tonk.rules import HIGHEST_VALUE, LOWEST_VALUE, TonkRules, card_value

Counts = NDArray[np.int64]
Bounds = tuple[np.int8, ...]

# The vector unit compares signed bytes in one instruction and unsigned ones in two; so positions are compared with
# the sign bit flipped, and bounds are stored that way.
_SIGN = np.uint8(128)

# Limits as bytes; a hand's total lies in 1..130. An absent limit becomes one that no total meets.
_NEVER_LOW, _NEVER_HIGH = np.uint8(0), np.uint8(255)


def value_bounds(deck: Iterable[int]) -> Bounds:
    """Return, for a deck sorted by value, the first position of value 2 or more, of 3 or more, … of 10."""
    values = [card_value(card) for card in deck]
    return tuple(
        np.int8(sum(v < value for v in values) - int(_SIGN)) for value in range(LOWEST_VALUE + 1, HIGHEST_VALUE + 1)
    )


def tonk_limits(rules: TonkRules) -> tuple[np.uint8, np.uint8]:
    """Return the limits of a TONK as the kernels take them."""
    low = _NEVER_LOW if rules.low_tonk is None else np.uint8(rules.low_tonk)
    high = _NEVER_HIGH if rules.high_tonk is None else np.uint8(rules.high_tonk)
    return low, high


@allocating
def count_holders(
    holders: Counts,
    held_with: Counts,
    first_with: Counts,
    seed: np.uint64,
    stream: np.uint32,
    start: int,
    stop: int,
    deck_size: int,
    bounds: Bounds,
    hand_size: int,
    low: np.uint8,
    high: np.uint8,
    own_seat: int,
    own_tonk: bool,
) -> None:
    """Deal hands to the players and count who holds a TONK.

    Adds to `holders` of shape (players + 1,): deals by number of holders; to `held_with` and `first_with` of shape
    (players, players + 1): deals in which a seat holds one, or is the first that does, by number of holders.
    `own_seat` (-1: none) is dealt no hand; `own_tonk` tells whether it holds a TONK.
    """
    players = held_with.shape[0]
    hidden = players if own_seat < 0 else players - 1
    buffer = draw_buffer(hidden * hand_size)
    total = np.empty(LANES, np.uint8)
    holds = np.empty((players, LANES), np.uint8)
    holding = np.empty(LANES, np.uint8)
    if own_seat >= 0:
        holds[own_seat, :] = np.uint8(own_tonk)
    for first in range(start, stop, LANES):
        positions = shuffle_lanes(buffer, seed, stream, first, deck_size)
        holding[:] = np.uint8(own_tonk)
        row = 0
        for seat in range(players):
            if seat != own_seat:
                _add_up(total, positions, row, hand_size, bounds)
                _judge(holds, seat, holding, total, low, high)
                row += hand_size
        deals = min(LANES, stop - first)
        # Deals without a holder are counted by exception: adding each to one place would be a chain of waits.
        holders[0] += deals
        for number in range(deals):
            lane = lane_of(number)
            held = holding[lane]
            if held:
                holders[0] -= 1
                holders[held] += 1
                found = False
                for seat in range(players):
                    if holds[seat, lane]:
                        held_with[seat, held] += 1
                        if not found:
                            first_with[seat, held] += 1
                            found = True


@kernel
def _add_up(total: Bytes, positions: Bytes, row: int, cards: int, bounds: Bounds) -> None:
    """Set each lane's total to that of the `cards` cards from `row` on (K4)."""
    # Flat, so that the compiler knows how far rows lie apart; two cards a pass save a third of the time.
    flat = positions.reshape(-1)
    total[:] = np.uint8(HIGHEST_VALUE * cards)
    if cards % 2:
        first = np.uint64(row * LANES)
        for lane in range(LANES):
            total[lane] -= _shortfall(flat[first + np.uint64(lane)], bounds)
    for card in range(row + cards % 2, row + cards, 2):
        first, second = np.uint64(card * LANES), np.uint64((card + 1) * LANES)
        for lane in range(LANES):
            n = np.uint64(lane)
            total[lane] -= np.uint8(_shortfall(flat[first + n], bounds) + _shortfall(flat[second + n], bounds))


@inlined
def _shortfall(position: np.uint8, bounds: Bounds) -> np.uint8:
    """Return what a card falls short of the highest value: the number of bounds that its position is below."""
    b2, b3, b4, b5, b6, b7, b8, b9, b10 = bounds
    p = np.int8(position ^ _SIGN)
    return np.uint8(
        np.uint8(p < b2)
        + np.uint8(p < b3)
        + np.uint8(p < b4)
        + np.uint8(p < b5)
        + np.uint8(p < b6)
        + np.uint8(p < b7)
        + np.uint8(p < b8)
        + np.uint8(p < b9)
        + np.uint8(p < b10)
    )


@kernel
def _judge(holds: Bytes, player: int, holding: Bytes, total: Bytes, low: np.uint8, high: np.uint8) -> None:
    """Mark who holds a TONK and count holders, lane by lane."""
    p = np.uint64(player)
    for lane in range(LANES):
        tonk = np.uint8((total[lane] <= low) | (total[lane] >= high))
        holds[p, lane] = tonk
        holding[lane] += tonk


@allocating
def count_drops(
    outcomes: Counts,
    seed: np.uint64,
    stream: np.uint32,
    start: int,
    stop: int,
    deck_size: int,
    bounds: Bounds,
    hand_size: int,
    low: np.uint8,
    high: np.uint8,
    own_total: int,
) -> None:
    """Deal hands to a dropper and his opponents and count how their totals compare with his.

    Adds to `outcomes` of shape (totals, opponents + 1, opponents + 1): deals in which nobody holds a TONK, by the
    dropper's total and by number of opponents with a lesser and with an equal one. A dropper of a known hand is dealt
    none: `own_total` is its total, and stands at index 0; -1 where the dropper's hand is dealt first.
    """
    opponents = outcomes.shape[1] - 1
    dealt_own = 1 if own_total < 0 else 0
    buffer = draw_buffer((opponents + dealt_own) * hand_size)
    own = np.full(LANES, np.uint8(max(own_total, 0)), np.uint8)
    total = np.empty(LANES, np.uint8)
    holds = np.empty((1, LANES), np.uint8)
    tonks = np.empty(LANES, np.uint8)
    less = np.empty(LANES, np.uint8)
    equal = np.empty(LANES, np.uint8)
    for first in range(start, stop, LANES):
        positions = shuffle_lanes(buffer, seed, stream, first, deck_size)
        tonks[:] = 0
        less[:] = 0
        equal[:] = 0
        row = 0
        if dealt_own:
            _add_up(own, positions, 0, hand_size, bounds)
            _judge(holds, 0, tonks, own, low, high)
            row = hand_size
        for _ in range(opponents):
            _add_up(total, positions, row, hand_size, bounds)
            _judge(holds, 0, tonks, total, low, high)
            _compare(less, equal, total, own)
            row += hand_size
        for number in range(min(LANES, stop - first)):
            lane = lane_of(number)
            if tonks[lane] == 0:
                outcomes[own[lane] if dealt_own else 0, less[lane], equal[lane]] += 1


@kernel
def _compare(less: Bytes, equal: Bytes, total: Bytes, own: Bytes) -> None:
    for lane in range(LANES):
        less[lane] += np.uint8(total[lane] < own[lane])
        equal[lane] += np.uint8(total[lane] == own[lane])
