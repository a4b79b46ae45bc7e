"""Dealing cards: sampled deals that depend on (seed, stream, deal number) alone, and all deals of a small deck.

A sampled deal is a Fisher–Yates shuffle, stopped when enough cards are drawn: draw j takes a position uniformly from
the deck's n - j remaining ones, and the deck's last card moves into the hole. A position below m is (u * m) >> 24 for
the 24 highest bits u of a word, with the few words rejected that would favour some positions (Lemire 2019), so that
every deal is equally likely.

The kernel shuffles many deals side by side without moving cards: each draw's position is traced back through the
earlier holes. That is what a vector unit does 32 deals at a time; it is over twice as fast as shuffling arrays.
Side by side the deals stand in four interleaved quarters (`lane_of`), so that narrowing positions to bytes is a
matter of shifts.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.cards import remove_cards
from core.errors import InputError
from core.jit import allocating, inlined, kernel
from core.rng import LOW_WORD, SHIFT, fill_block, philox
from core.seeds import check_run

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint32]
# Draws and positions by number and lane, a block's words by deal, and marks of the deals to draw again.
Buffer = tuple[Bytes, Bytes, Words, Bytes]

# Deals side by side: a few dozen short loops a batch cost about 1.5 microseconds whatever their length. At 2048 that is
# little, and rows still lie in the second-level cache.
LANES = 2048
QUARTER = LANES // 4
# Positions are bytes.
MOST_CARDS = 254

_ONE = np.uint64(1)
# A word's 24 highest bits are used, so that a product with a deck's size fits 32 bits.
_BITS, _LEFT_OUT = np.uint32(24), np.uint32(8)
_FRACTION = np.uint32((1 << 24) - 1)
_ONE_BYTE, _TWO_BYTES = np.uint32(8), np.uint32(16)
_QUARTER = np.uint64(QUARTER)
# Draws are made and traced back four at a time, the words of a block: few long loops instead of many short ones.
_BLOCK = 4
# Kernels see draws, positions and words as flat arrays of rows, so that the compiler knows how far rows lie apart.
_ROW = np.uint64(LANES)


def sample_hands(
    deck: Sequence[int],
    sizes: Sequence[int],
    deals: int,
    *,
    known: Sequence[Sequence[int]] = (),
    seed: int,
    stream: int = 0,
    first: int = 0,
) -> Bytes:
    """Return sampled deals of hands of the given sizes, shape (deals, sum of sizes): hand after hand, card ids.

    `deck` lists all cards of the game; a game's up-card or talon is one more "hand". `known` gives, hand by hand, the
    cards that the hand is known to hold (fewer than its size, or all); they stand first in the hand, and the rest of
    it is dealt from the cards that no one is known to hold, each way equally likely. Deal i is a function of (seed,
    stream, first + i) and the arguments before them.

    Raises InputError when known cards are not in the deck or do not fit their hand, or the deck is too small.
    """
    check_run(seed, stream, first, deals)
    held, rest = _split_known(deck, sizes, known)
    missing = [size - len(cards) for size, cards in zip(sizes, held, strict=True)]
    dealt = np.empty((deals, sum(missing)), np.uint8)
    _deal(dealt, np.array(rest, np.uint8), np.uint64(seed), np.uint32(stream), first)
    hands = np.empty((deals, sum(sizes)), np.uint8)
    into = taken = 0
    for cards, unknown in zip(held, missing, strict=True):
        hands[:, into : into + len(cards)] = cards
        into += len(cards)
        hands[:, into : into + unknown] = dealt[:, taken : taken + unknown]
        into += unknown
        taken += unknown
    return hands


def enumerate_hands(
    deck: Sequence[int], sizes: Sequence[int], *, known: Sequence[Sequence[int]] = ()
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield every deal of hands of the given sizes once, as a tuple of hands, each with its known cards first.

    Cards that stand in the deck twice are told apart, so that all deals are equally likely. Meant for small decks:
    the number of deals is a multinomial coefficient. Raises InputError as sample_hands does.
    """
    held, rest = _split_known(deck, sizes, known)
    missing = [size - len(cards) for size, cards in zip(sizes, held, strict=True)]

    def deal(hand: int, left: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
        if hand == len(sizes):
            yield ()
            return
        for chosen in combinations(range(len(left)), missing[hand]):
            cards = (*held[hand], *(left[i] for i in chosen))
            for others in deal(hand + 1, tuple(card for i, card in enumerate(left) if i not in chosen)):
                yield (cards, *others)

    return deal(0, tuple(rest))


def _split_known(
    deck: Sequence[int], sizes: Sequence[int], known: Sequence[Sequence[int]]
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Check the arguments of a deal; return the cards known by hand, and the cards that nobody is known to hold."""
    if len(known) > len(sizes):
        raise InputError(f"cards are known for {len(known)} hands, but {len(sizes)} are dealt")
    held = [tuple(cards) for cards in known] + [()] * (len(sizes) - len(known))
    for number, (size, cards) in enumerate(zip(sizes, held, strict=True)):
        if len(cards) > size:
            raise InputError(f"hand {number} takes {size} cards, but {len(cards)} are known")
    rest = remove_cards(deck, [card for cards in held for card in cards])
    wanted = sum(sizes) - sum(map(len, held))
    if wanted > len(rest):
        raise InputError(f"the hands want {wanted} more cards, but the deck has {len(rest)}")
    if len(rest) > MOST_CARDS:
        raise InputError(f"a deck of {len(rest)} cards is too large: at most {MOST_CARDS} can be shuffled")
    return held, rest


@allocating
def _deal(dealt: Bytes, deck: Bytes, seed: np.uint64, stream: np.uint32, start: int) -> None:
    deals, cards = dealt.shape
    buffer = draw_buffer(cards)
    for first in range(0, deals, LANES):
        positions = shuffle_lanes(buffer, seed, stream, start + first, len(deck))
        for number in range(min(LANES, deals - first)):
            lane = lane_of(number)
            for card in range(cards):
                dealt[first + number, card] = deck[positions[card, lane]]


@inlined
def lane_of(number: int) -> int:
    """Return the lane in which `shuffle_lanes` puts the deal of that number, counted from its first."""
    return 4 * (number % QUARTER) + number // QUARTER


@allocating
def draw_buffer(cards: int) -> Buffer:
    """Return the scratch space that `shuffle_lanes` needs for that many cards a deal."""
    rows = _BLOCK * ((cards + _BLOCK - 1) // _BLOCK)
    return (
        np.empty((rows, LANES), np.uint8),
        np.empty((rows, LANES), np.uint8),
        np.empty((_BLOCK, LANES), np.uint32),
        np.zeros(LANES, np.uint8),
    )


@allocating
def shuffle_lanes(buffer: Buffer, seed: np.uint64, stream: np.uint32, first: int, deck_size: int) -> Bytes:
    """Return, by card and lane, the deck positions of the cards of deals first .. first + LANES - 1.

    Deal first + i stands in lane `lane_of(i)`. `buffer` comes from draw_buffer(cards); the result is a part of it, of
    a few rows more than there are cards, and stands until the next call.
    """
    draws, positions, words, redo = buffer
    rows = draws.shape[0]
    rejected = False
    for row in range(0, rows, _BLOCK):
        fill_block(words, row // _BLOCK, seed, stream, first)
        if _take_positions(draws, words, row, deck_size):
            # About one batch in a hundred has a word to reject.
            rejected = True
            _mark_rejected(redo, words, row, deck_size)
    if rejected:
        for number in range(LANES):
            if redo[number]:
                redo[number] = 0
                _draw_carefully(draws, lane_of(number), seed, stream, first + number, deck_size)
    for row in range(0, rows, _BLOCK):
        _trace_within(positions, draws, row, deck_size - 1 - row)
        for earlier in range(row - _BLOCK, -1, -_BLOCK):
            _trace_back(positions, row, draws, earlier, deck_size - 1 - earlier)
            _trace_back(positions, row + 2, draws, earlier, deck_size - 1 - earlier)
    return positions


@kernel
def shuffle_one(positions: Bytes, deck: Bytes, seed: np.uint64, stream: np.uint32, deal: int) -> None:
    """Put into the first column of `positions` the deck positions of one deal's cards, those of `shuffle_lanes`.

    For a deal whose neighbours are not wanted. `deck` is scratch space, as long as the deck.
    """
    deck_size = len(deck)
    for card in range(deck_size):
        deck[card] = card
    _draw_carefully(positions, 0, seed, stream, deal, deck_size)
    for card in range(min(len(positions), deck_size)):
        drawn = positions[card, 0]
        positions[card, 0] = deck[drawn]
        deck[drawn] = deck[deck_size - 1 - card]


@kernel
def _take_positions(draws: Bytes, words: Words, first_row: int, deck_size: int) -> bool:
    """Turn a block's words into draws, in four rows from `first_row` on; tell whether any word is to be rejected.

    Draws are stored as bytes, four to a word, one from each quarter of the deals.
    """
    flat, packed = words.reshape(-1), draws.reshape(-1).view(np.uint32)
    rejected = False
    for row in range(_BLOCK):
        # Draws beyond the last are not used; they only must not have an empty range.
        m = np.uint32(max(1, deck_size - first_row - row))
        # Unsigned indexes: numba then leaves out the test for negative ones, which keeps the loop a vector loop.
        r, d = _ROW * np.uint64(row), _QUARTER * np.uint64(first_row + row)
        lowest = np.uint32(0xFFFFFFFF)
        for number in range(QUARTER):
            n = r + np.uint64(number)
            p0 = np.uint32((flat[n] >> _LEFT_OUT) * m)
            p1 = np.uint32((flat[n + _QUARTER] >> _LEFT_OUT) * m)
            p2 = np.uint32((flat[n + _QUARTER + _QUARTER] >> _LEFT_OUT) * m)
            p3 = np.uint32((flat[n + _QUARTER + _QUARTER + _QUARTER] >> _LEFT_OUT) * m)
            # The fractions, shifted to the top: comparing the least of them with the threshold is enough.
            lowest = min(
                lowest,
                np.uint32(p0 << _LEFT_OUT),
                np.uint32(p1 << _LEFT_OUT),
                np.uint32(p2 << _LEFT_OUT),
                np.uint32(p3 << _LEFT_OUT),
            )
            packed[d + np.uint64(number)] = np.uint32(
                (p0 >> _BITS) | ((p1 >> _BITS) << _ONE_BYTE) | ((p2 >> _BITS) << _TWO_BYTES) | ((p3 >> _BITS) << _BITS)
            )
        if lowest >> _LEFT_OUT < _threshold(m):
            rejected = True
    return rejected


@kernel
def _mark_rejected(redo: Bytes, words: Words, first_row: int, deck_size: int) -> None:
    """Mark the deals of which a word of the block is to be rejected."""
    for row in range(_BLOCK):
        m = np.uint32(max(1, deck_size - first_row - row))
        for number in range(LANES):
            if np.uint32((words[row, number] >> _LEFT_OUT) * m) & _FRACTION < _threshold(m):
                redo[number] = 1


@inlined
def _threshold(m: np.uint32) -> np.uint32:
    """Return the number of fractions that are rejected for m positions, so that each is equally likely."""
    return np.uint32((_FRACTION + np.uint32(1)) % m)


@kernel
def _draw_carefully(draws: Bytes, lane: int, seed: np.uint64, stream: np.uint32, deal: int, deck_size: int) -> None:
    """Make one lane's draws word by word, with rejection; equal to _take_positions where no word is rejected."""
    k0 = np.uint32(seed & LOW_WORD)
    k1 = np.uint32(seed >> SHIFT)
    low, high = np.uint32(np.uint64(deal) & LOW_WORD), np.uint32(np.uint64(deal) >> SHIFT)
    block = 0
    used = 4
    words = philox(np.uint32(0), low, high, stream, k0, k1)
    for j in range(min(len(draws), deck_size)):
        m = np.uint32(deck_size - j)
        threshold = _threshold(m)
        while True:
            if used == 4:
                words = philox(np.uint32(block), low, high, stream, k0, k1)
                block += 1
                used = 0
            product = np.uint32((words[used] >> _LEFT_OUT) * m)
            used += 1
            if product & _FRACTION >= threshold:
                break
        draws[j, lane] = np.uint8(product >> _BITS)


@kernel
def _trace_within(positions: Bytes, draws: Bytes, row: int, last: int) -> None:
    """Trace four draws, from `row` on, back through each other.

    A position that equals an earlier draw is that draw's hole, which the deck's last card of that time fills: `last`
    for the draw of `row`, and one less for each later draw.
    """
    flat, drawn = positions.reshape(-1), draws.reshape(-1)
    r0 = _ROW * np.uint64(row)
    r1, r2, r3 = r0 + _ROW, r0 + _ROW + _ROW, r0 + _ROW + _ROW + _ROW
    last0, last1, last2 = np.uint8(last), np.uint8(last - 1), np.uint8(last - 2)
    for lane in range(LANES):
        n = np.uint64(lane)
        d0, d1, d2, x3 = drawn[r0 + n], drawn[r1 + n], drawn[r2 + n], drawn[r3 + n]
        x1 = last0 if d1 == d0 else d1
        x2 = last1 if d2 == d1 else d2
        x2 = last0 if x2 == d0 else x2
        x3 = last2 if x3 == d2 else x3
        x3 = last1 if x3 == d1 else x3
        x3 = last0 if x3 == d0 else x3
        flat[r0 + n], flat[r1 + n], flat[r2 + n], flat[r3 + n] = d0, x1, x2, x3


@kernel
def _trace_back(positions: Bytes, row: int, draws: Bytes, earlier: int, last: int) -> None:
    """Trace two rows of positions, from `row` on, back through four draws, from row `earlier` on: the latest first.

    `last` is the deck's last card at the draw of row `earlier`, as in _trace_within.
    """
    flat, drawn = positions.reshape(-1), draws.reshape(-1)
    r0, e0 = _ROW * np.uint64(row), _ROW * np.uint64(earlier)
    r1 = r0 + _ROW
    e1, e2, e3 = e0 + _ROW, e0 + _ROW + _ROW, e0 + _ROW + _ROW + _ROW
    last0, last1, last2, last3 = np.uint8(last), np.uint8(last - 1), np.uint8(last - 2), np.uint8(last - 3)
    for lane in range(LANES):
        n = np.uint64(lane)
        d0, d1, d2, d3 = drawn[e0 + n], drawn[e1 + n], drawn[e2 + n], drawn[e3 + n]
        x, y = flat[r0 + n], flat[r1 + n]
        x = last3 if x == d3 else x
        y = last3 if y == d3 else y
        x = last2 if x == d2 else x
        y = last2 if y == d2 else y
        x = last1 if x == d1 else x
        y = last1 if y == d1 else y
        x = last0 if x == d0 else x
        y = last0 if y == d0 else y
        flat[r0 + n], flat[r1 + n] = x, y
