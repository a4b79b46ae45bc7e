"""Tricks over bit masks, for kernels: the same rules as core.ton.tricks, which they are held equal to (T10).

A card is one bit of a 64-bit integer: sixteen bits for each suit, s h d c, of which the lowest thirteen are its cards
from two up to ace. So a higher bit of a suit is a higher card. The bit above each suit's ace is a guard that belongs
to no card; it keeps suits apart where a mask is searched for neighbours.
"""

from collections.abc import Iterable

from core.jit import inlined
from core.ton.tricks import strength, suit_of

SUIT = (1 << 13) - 1
GUARDS = sum(1 << 16 * suit + 13 for suit in range(4))

LED, BEST, FREE = range(3)


def bit_of(card: int) -> int:
    """Return the bit of a card."""
    return 1 << 16 * suit_of(card) + strength(card)


def card_of(bit: int) -> int:
    """Return the card of a bit.

    >>> card_of(bit_of(17))
    17
    """
    suit, rank = divmod(bit.bit_length() - 1, 16)
    return 13 * suit + (rank + 1) % 13


def mask_of(cards: Iterable[int]) -> int:
    """Return the bits of different cards."""
    return sum(map(bit_of, cards))


def suit_mask(suit: int | None) -> int:
    """Return all bits of a suit, or none for no suit."""
    return 0 if suit is None else SUIT << 16 * suit


@inlined
def suit_around(bit: int) -> int:
    """Return all bits of the card's suit."""
    suit = SUIT
    while suit & bit == 0:
        suit <<= 16
    return suit


@inlined
def above(bit: int) -> int:
    """Return all bits above one."""
    return ~(bit | (bit - 1))


@inlined
def beating(best: int, suit: int, trump: int) -> int:
    """Return the cards that take a trick over in which `suit` was led and `best` is winning (T10)."""
    if best & trump:
        return trump & above(best)
    return (suit & above(best)) | trump


@inlined
def legal(hand: int, suit: int, led: int, best: int, trump: int, must_beat: int, overtrump: int) -> int:
    """Return the cards of the hand that may follow to a trick (T10, `must_beat`, `must_overtrump`)."""
    allowed = hand & suit
    owed = 0
    if allowed:
        if must_beat == LED:
            owed = allowed & above(led)
        elif must_beat == BEST and best & suit:
            owed = allowed & above(best)
    else:
        allowed = hand & trump
        if overtrump and best & trump:
            owed = allowed & above(best)
        if not allowed:
            allowed = hand
    if owed:
        allowed = owed
    return allowed


@inlined
def distinct(cards: int, others: int) -> int:
    """Return the lowest card of each run of a player's cards that none of `others` (with GUARDS) stands between.

    Cards of one run do the same: the rest of the game cannot tell which of them was played. `others` are the cards in
    the other hands and the one that is winning the trick; the rest of the trick decides nothing any more. A lowest
    bit is what subtracting one clears; here one is subtracted in every gap between the others at once.
    """
    gaps = ~others
    return cards & ~((cards | others) - (gaps & ~(gaps << 1)))
