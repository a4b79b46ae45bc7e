"""Counter-based random numbers: deal i of a run is a function of (seed, stream, i) alone.

The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3"): for
each 64-bit key a bijection of 128-bit counters, without state. The key is the seed; the counter is (block, deal's low
word, deal's high word, stream). Two blocks of a deal, two deals or two streams therefore never share a counter, and
any part of a run can be made anywhere, in any order.
"""

from collections.abc import Iterator
from itertools import count

import numpy as np
from numpy.typing import NDArray

from core.jit import inlined, kernel
from core.seeds import check_run

SHIFT = np.uint64(32)
LOW_WORD = np.uint64(0xFFFFFFFF)

# Philox's multipliers and the steps of its key (the paper's table 2).
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint32(0x9E3779B9), np.uint32(0xBB67AE85)


@inlined
def philox(
    c0: np.uint32, c1: np.uint32, c2: np.uint32, c3: np.uint32, k0: np.uint32, k1: np.uint32
) -> tuple[np.uint32, np.uint32, np.uint32, np.uint32]:
    """Return the four 32-bit words of one block, for a counter of four and a key of two 32-bit words."""
    for _ in range(10):
        p0 = np.uint64(c0) * _M0
        p1 = np.uint64(c2) * _M1
        c0, c1, c2, c3 = (
            np.uint32(np.uint32(p1 >> SHIFT) ^ c1 ^ k0),
            np.uint32(p1 & LOW_WORD),
            np.uint32(np.uint32(p0 >> SHIFT) ^ c3 ^ k1),
            np.uint32(p0 & LOW_WORD),
        )
        k0 = np.uint32(k0 + _W0)
        k1 = np.uint32(k1 + _W1)
    return c0, c1, c2, c3


@kernel
def fill_block(words: NDArray[np.uint32], block: int, seed: np.uint64, stream: np.uint32, first: int) -> None:
    """Fill `words` of shape (4, deals) with that block's words of the deals from `first` on."""
    k0 = np.uint32(seed & LOW_WORD)
    k1 = np.uint32(seed >> SHIFT)
    for lane in range(words.shape[1]):
        deal = np.uint64(first) + np.uint64(lane)
        w0, w1, w2, w3 = philox(np.uint32(block), np.uint32(deal & LOW_WORD), np.uint32(deal >> SHIFT), stream, k0, k1)
        words[0, lane] = w0
        words[1, lane] = w1
        words[2, lane] = w2
        words[3, lane] = w3


def random_words(seed: int, stream: int, first: int, deals: int, blocks: int) -> NDArray[np.uint32]:
    """Return the words of `deals` deals from number `first` on: shape (deals, 4 * blocks), 32 bits each.

    Raises InputError when seed, stream or deal number do not fit their part of the counter.
    """
    check_run(seed, stream, first, deals)
    words = np.empty((blocks, 4, deals), np.uint32)
    for block in range(blocks):
        fill_block(words[block], block, np.uint64(seed), np.uint32(stream), first)
    return words.reshape(4 * blocks, deals).T.copy()


def word_stream(seed: int, stream: int, deal: int) -> Iterator[int]:
    """Yield a deal's words without end, in the order of `random_words`.

    Raises InputError, at the first word, as `random_words` does.
    """
    check_run(seed, stream, deal, 1)
    words = np.empty((4, 1), np.uint32)
    for block in count():
        fill_block(words, block, np.uint64(seed), np.uint32(stream), deal)
        yield from words[:, 0].tolist()
