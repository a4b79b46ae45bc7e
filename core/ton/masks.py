"""Sets of Ton's cards as 36 bits, for kernels: bit i is card i of DECK, so that bits stand in the order of card ids.

All numbers are unsigned 64-bit ones: numba makes a float of a signed and an unsigned one together.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.jit import kernel
from core.ton.rules import DECK
from core.ton.tricks import LOWEST, strength, suit_of

Masks = NDArray[np.uint64]

ZERO, ONE = np.uint64(0), np.uint64(1)
SUITS = 4


def _masks(holds: Callable[[int, int], bool]) -> Masks:
    """Return, for each card of DECK, the set of those cards of which that holds."""
    return np.array([sum(1 << i for i, other in enumerate(DECK) if holds(card, other)) for card in DECK], np.uint64)


ALL = np.uint64((1 << len(DECK)) - 1)
ACES = np.uint64(sum(1 << place for place, card in enumerate(DECK) if card % 13 == 0))
# By place in DECK: the cards of its suit, and those of them that are higher.
SUIT_OF: Masks = _masks(lambda card, other: suit_of(other) == suit_of(card))
HIGHER: Masks = _masks(lambda card, other: suit_of(other) == suit_of(card) and strength(other) > strength(card))
# By place in DECK: the rank, from the six 0 to the ace 8.
RANK_OF: Masks = np.array([strength(card) - LOWEST for card in DECK], np.uint64)
# By place in DECK: high or low by rank; of equal ranks the first in the order s h d c is the highest.
_HEIGHT: Masks = np.array([SUITS * strength(card) + SUITS - 1 - suit_of(card) for card in DECK], np.uint64)

_PAIRS, _FOURS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_EIGHTS, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_TWO, _THREE, _FOUR, _TOP_BYTE = np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(56)


@kernel
def count(mask: np.uint64) -> np.uint64:
    """Return the number of cards; compilers know this way of adding bits, and make one instruction of it."""
    mask = mask - ((mask >> ONE) & _PAIRS)
    mask = (mask & _FOURS) + ((mask >> _TWO) & _FOURS)
    return np.uint64((((mask + (mask >> _FOUR)) & _EIGHTS) * _BYTES) >> _TOP_BYTE)


@kernel
def first(mask: np.uint64) -> np.uint64:
    """Return the place in DECK of the first card of a set that is not empty."""
    return count((mask & (~mask + ONE)) - ONE)


@kernel
def nth(mask: np.uint64, number: np.uint64) -> np.uint64:
    """Return the place in DECK of card `number` of the set, counted from 0."""
    # Written out for the first few: a loop of random length is guessed wrongly by the processor each time.
    mask = mask & (mask - ONE) if number > ZERO else mask
    mask = mask & (mask - ONE) if number > ONE else mask
    mask = mask & (mask - ONE) if number > _TWO else mask
    mask = mask & (mask - ONE) if number > _THREE else mask
    while number > _FOUR:
        mask &= mask - ONE
        number -= ONE
    return first(mask)


@kernel
def highest(mask: np.uint64) -> np.uint64:
    """Return the place in DECK of the set's highest card by rank; of equal ones the first."""
    best = first(mask)
    mask &= mask - ONE
    while mask:
        card = first(mask)
        mask &= mask - ONE
        if _HEIGHT[card] > _HEIGHT[best]:
            best = card
    return best


@kernel
def lowest(mask: np.uint64) -> np.uint64:
    """Return the place in DECK of the set's lowest card by rank; of equal ones the last."""
    best = first(mask)
    mask &= mask - ONE
    while mask:
        card = first(mask)
        mask &= mask - ONE
        if _HEIGHT[card] < _HEIGHT[best]:
            best = card
    return best
