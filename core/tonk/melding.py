"""Melds and hits on bit masks (K10, K11): core.tonk.melds for kernels, in the same order and with the same readings.

A card stands at the spot 16 * suit + rank of a 64-bit mask; rank 13 of a suit is its ace above the king. A hand is four
masks: the cards that it holds once or more, twice or more, up to four times (`decks`). So no bit 63 is ever set, and
masks are plain int64. A meld is two numbers, base and shape:

- a set: its rank, and for each suit s the bits 16 * s, 16 * s + 1, … for one copy, two copies, …;
- a run: RUN plus the spot of its lowest card, and the mask of its cards, a high ace at the ace's own spot.

On the table a meld is a row: its owner, its base, its number of cards, and the mask of the cards that it takes.
"""

from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from core.jit import inlined, kernel
from core.tonk.melds import LARGEST_SET, SHORTEST
from core.tonk.rules import HIGHEST_VALUE

Ints = NDArray[np.int64]

COPIES = 4
RUN = 64
OWNER, BASE, SIZE, TAKES = range(4)
# A hand after the draw has at most 14 cards: at most four melds side by side, and fewer than so many melds in all.
MOST_MELDS, MOST_CHOSEN = 512, 4

_SUIT = 16
_ACES = 1 | 1 << 16 | 1 << 32 | 1 << 48
_HIGH_ACES = _ACES << 13
_RANKS = (1 << 13) - 1
_KING = 12

_PAIRS, _FOURS, _EIGHTS, _BYTES = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x0101010101010101


def _set_shapes() -> list[int]:
    """Return the shapes of all sets, in the order of `melds_in`."""
    return [
        sum(((1 << suits.count(suit)) - 1) << (_SUIT * suit) for suit in range(4))
        for size in range(SHORTEST, LARGEST_SET + 1)
        for suits in combinations_with_replacement(range(4), size)
    ]


_SETS = np.array(_set_shapes(), np.int64)


def spot_of(card: int) -> int:
    """Return the spot of a card id."""
    return _SUIT * (card // 13) + card % 13


@inlined
def value_of(spot: int) -> int:
    """Return what the card counts in a total (K4)."""
    return min((spot & (_SUIT - 1)) + 1, HIGHEST_VALUE)


@kernel
def cards_in(mask: int) -> int:
    """Return the number of bits set; of a bit less one: its spot."""
    mask -= (mask >> 1) & _PAIRS
    mask = (mask & _FOURS) + ((mask >> 2) & _FOURS)
    mask = (mask + (mask >> 4)) & _EIGHTS
    return (mask * _BYTES) >> 56 & 0x7F


@kernel
def cards_held(hands: Ints, row: int) -> int:
    """Return the number of cards in hand."""
    held = 0
    for copy in range(COPIES):
        if not hands[row, copy]:
            break
        held += cards_in(hands[row, copy])
    return held


@kernel
def add_card(hands: Ints, row: int, card: int) -> None:
    """Add one card, given as its bit."""
    for copy in range(COPIES):
        if not hands[row, copy] & card:
            hands[row, copy] |= card
            return


@kernel
def remove_cards(hands: Ints, row: int, cards: int) -> None:
    """Remove one copy of each of the cards in the mask; the hand holds them."""
    for copy in range(COPIES - 1, -1, -1):
        gone = hands[row, copy] & cards
        hands[row, copy] ^= gone
        cards ^= gone


@inlined
def _layer(base: int, shape: int, copy: int) -> int:
    """Return the cards of which the meld has more than `copy` copies."""
    if base < RUN:
        return ((shape >> copy) & _ACES) << base
    return shape if copy == 0 else 0


@kernel
def remove_meld(hands: Ints, row: int, base: int, shape: int) -> None:
    """Remove the meld's cards; the hand holds them."""
    for copy in range(COPIES):
        remove_cards(hands, row, _layer(base, shape, copy))


@kernel
def forget_meld(known: Ints, row: int, base: int, shape: int) -> None:
    """Remove those of the meld's cards that are known."""
    if known[row, 0]:
        for copy in range(COPIES):
            remove_cards(known, row, _layer(base, shape, copy) & known[row, 0])


@kernel
def _holds(hands: Ints, row: int, base: int, shape: int) -> bool:
    missing = 0
    for copy in range(COPIES):
        missing |= _layer(base, shape, copy) & ~hands[row, copy]
    return missing == 0


@kernel
def meld_total(base: int, shape: int) -> int:
    """Return the total of the meld's cards (K4)."""
    if base < RUN:
        return cards_in(shape) * value_of(base)
    total = 0
    while shape:
        card = shape & -shape
        shape ^= card
        total += value_of(cards_in(card - 1))
    return total


@inlined
def _with_high_aces(cards: int, ace_high: int) -> int:
    return cards | (cards & _ACES) << 13 if ace_high else cards


@inlined
def _folded(cards: int) -> int:
    """Return the mask with each ace at its own spot."""
    return (cards & ~_HIGH_ACES) | (cards & _HIGH_ACES) >> 13


@kernel
def find_melds(found: Ints, hands: Ints, seat: int, ace_high: int) -> int:
    """Put base and shape of every meld in hand into `found`, in the order of `melds_in`; return how many."""
    return _find_runs(found, _find_sets(found, hands, seat), _with_high_aces(hands[seat, 0], ace_high))


@kernel
def _find_sets(found: Ints, hands: Ints, seat: int) -> int:
    # Ranks of which the hand holds one card or more, two or more, three or more.
    one = two = three = 0
    for copy in range(COPIES):
        cards = hands[seat, copy]
        if not cards:
            break
        for suit in range(4):
            ranks = (cards >> (_SUIT * suit)) & _RANKS
            three |= two & ranks
            two |= one & ranks
            one |= ranks
    count = 0
    while three:
        lowest = three & -three
        three ^= lowest
        rank = cards_in(lowest - 1)
        held = 0
        for copy in range(COPIES):
            held |= ((hands[seat, copy] >> rank) & _ACES) << copy
        for shape in _SETS:
            if not shape & ~held:
                found[count, 0] = rank
                found[count, 1] = shape
                count += 1
    return count


@kernel
def _find_runs(found: Ints, count: int, cards: int) -> int:
    starts = cards & cards >> 1 & cards >> 2
    while starts:
        lowest = starts & -starts
        starts ^= lowest
        spot = cards_in(lowest - 1)
        # From the 2 to a high ace is the whole suit, which counts as the run from the low ace.
        longest = _KING + 1 if spot & (_SUIT - 1) == 0 else _KING
        run, following, length = 7 * lowest, lowest << SHORTEST, SHORTEST
        while True:
            found[count, 0] = RUN + spot
            found[count, 1] = _folded(run)
            count += 1
            if length == longest or not cards & following:
                break
            run |= following
            following <<= 1
            length += 1
    return count


@kernel
def best_meld(found: Ints, count: int, left: Ints, chosen: Ints, hands: Ints, seat: int) -> int:
    """Return the number of the first meld of `best_melds`, of those found in the hand; `left` and `chosen` are scratch.

    A search in depth, in the order of the reference: a meld may follow itself, as a hand may hold it twice.
    """
    if count == 1:
        return 0
    for copy in range(COPIES):
        left[0, copy] = hands[seat, copy]
    first = best = gain = depth = number = 0
    while number < count or depth:
        if number == count:
            depth -= 1
            number = chosen[depth]
            gain -= _gain(found[number, 0], found[number, 1])
            number += 1
        elif _holds(left, depth, found[number, 0], found[number, 1]):
            for copy in range(COPIES):
                left[depth + 1, copy] = left[depth, copy]
            remove_meld(left, depth + 1, found[number, 0], found[number, 1])
            gain += _gain(found[number, 0], found[number, 1])
            chosen[depth] = number
            depth += 1
            if gain > best:
                best, first = gain, chosen[0]
        else:
            number += 1
    return first


@kernel
def _gain(base: int, shape: int) -> int:
    """Return the meld's total, then its number of cards, as one number to compare."""
    return RUN * meld_total(base, shape) + cards_in(shape)


@kernel
def completes_meld(hands: Ints, seat: int, spot: int, ace_high: int) -> bool:
    """Tell whether a card completes a meld with the hand."""
    rank, card = spot & (_SUIT - 1), 1 << spot
    alike = 0
    for copy in range(COPIES):
        alike += cards_in((hands[seat, copy] >> rank) & _ACES)
    if alike >= SHORTEST - 1:
        return True
    cards = _with_high_aces(hands[seat, 0] | card, ace_high)
    starts = cards & cards >> 1 & cards >> 2
    return _folded(starts | starts << 1 | starts << 2) & card != 0


@kernel
def put_meld(table: Ints, number: int, owner: int, base: int, size: int, fourth: int, ace_high: int) -> None:
    """Put a meld on the table, with the cards that it takes (K11, `set_fourth`)."""
    table[number, OWNER] = owner
    table[number, BASE] = base
    table[number, SIZE] = size
    takes = 0
    if base < RUN:
        if fourth and size < LARGEST_SET:
            takes = _ACES << base
    else:
        suit, low = (base - RUN) & ~(_SUIT - 1), base & (_SUIT - 1)
        high = low + size - 1
        if low > 0:
            takes |= 1 << (suit + low - 1)
        if high < _KING:
            takes |= 1 << (suit + high + 1)
        elif ace_high and high == _KING and low > 1:
            takes |= 1 << suit
    table[number, TAKES] = takes


@kernel
def put_hit(table: Ints, number: int, spot: int, fourth: int, ace_high: int) -> None:
    """Add a card to a meld that takes it (K11); an ace that fits at either end goes below the 2."""
    base, size = table[number, BASE], table[number, SIZE] + 1
    if base >= RUN and RUN + spot == base - 1:
        base -= 1
    if base >= RUN and size == _KING + 1:
        base = RUN + ((base - RUN) & ~(_SUIT - 1))  # a whole suit
    put_meld(table, number, table[number, OWNER], base, size, fourth, ace_high)
