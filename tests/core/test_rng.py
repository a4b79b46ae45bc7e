"""Counter-based random numbers: Random123's answers, the mapping to counter and key, and no overlaps."""

from itertools import product

import numpy as np
import pytest

from core.errors import InputError
from core.rng import check_run, philox, random_words
from tests.reference import philox as reference

# The known answers that the authors of Philox publish with their library Random123 (D. E. Shaw Research), file
# tests/kat_vectors, lines "philox4x32 10 <counter> <key> <answer>".
ONES = 0xFFFFFFFF
KNOWN_ANSWERS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((ONES, ONES, ONES, ONES), (ONES, ONES), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]

SEEDS = (0, 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 0x0123456789ABCDEF, 2**63, 2**64 - 1)
STREAMS = (0, 1, 2**16, 2**31, 2**32 - 1)
DEALS = (0, 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**33, 5 * 2**40 + 7, 2**62, 2**63 - 2)


def halves(seed):
    return seed % 2**32, seed // 2**32


def block_of(counter, key):
    """Return the block as Python ints, from the compiled function."""
    return tuple(int(word) for word in philox(*(np.uint32(word) for word in (*counter, *key))))


# The generator


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN_ANSWERS)
def test_philox_gives_the_known_answers_of_random123(counter, key, answer):
    assert block_of(counter, key) == answer


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN_ANSWERS)
def test_reference_gives_the_known_answers_and_goes_back_to_the_counter(counter, key, answer):
    assert reference.philox(counter, key) == answer
    assert reference.counter_of(answer, key) == counter


def test_philox_equals_the_reference_on_all_corners_of_counter_and_key():
    corners = (0, 1, 0x80000000, ONES)
    for *counter, key0, key1 in product(corners, repeat=6):
        assert block_of(counter, (key0, key1)) == reference.philox(tuple(counter), (key0, key1)), (counter, key0, key1)


def test_philox_equals_the_reference_on_random_counters_and_keys():
    for row in np.random.default_rng(7).integers(0, 2**32, (2000, 6)).tolist():
        counter, key = tuple(row[:4]), tuple(row[4:])
        assert block_of(counter, key) == reference.philox(counter, key), (counter, key)


# From (seed, stream, deal, block) to counter and key


@pytest.mark.parametrize("seed", SEEDS)
def test_words_come_from_the_stated_counter_and_key(seed):
    for stream, deal in product(STREAMS, DEALS):
        words = random_words(seed, stream, deal, 1, 3)
        assert words[0].tolist() == reference.words(seed, stream, deal, 3), (stream, deal)


@pytest.mark.parametrize("first", [0, 2**32 - 3, 2**33 - 2, 2**63 - 8])
def test_rows_are_consecutive_deals_also_where_the_high_word_changes(first):
    words = random_words(2**40 + 3, 9, first, 7, 2)
    assert words.dtype == np.uint32
    assert words.tolist() == [reference.words(2**40 + 3, 9, first + i, 2) for i in range(7)]


def test_more_blocks_only_add_words():
    few, many = random_words(5, 6, 7, 20, 2), random_words(5, 6, 7, 20, 5)
    assert many.shape == (20, 20)
    assert np.array_equal(many[:, :8], few)


@pytest.mark.parametrize(("deals", "blocks"), [(0, 3), (3, 0), (0, 0)])
def test_no_deals_or_no_blocks_give_no_words(deals, blocks):
    assert random_words(1, 2, 3, deals, blocks).shape == (deals, 4 * blocks)


# No overlaps


@pytest.mark.parametrize("seed", SEEDS)
def test_each_stream_deal_and_block_has_a_counter_of_its_own(seed):
    # A block tells its counter, since Philox is a bijection; so each corner must give back its own three numbers.
    found = {}
    for stream, deal in product(STREAMS, DEALS):
        words = random_words(seed, stream, deal, 1, 4)[0].tolist()
        for block in range(4):
            counter = reference.counter_of(tuple(words[4 * block : 4 * block + 4]), halves(seed))
            assert counter == (block, *halves(deal), stream)
            found[counter] = (stream, deal, block)
    assert len(found) == len(STREAMS) * len(DEALS) * 4


def test_no_block_occurs_twice_among_several_streams_seeds_and_ranges_of_deals():
    # 960,000 random blocks of 128 bits would hold an equal pair once in 10**27 runs.
    parts = [
        random_words(seed, stream, first, 20_000, 4).reshape(-1, 4)
        for seed in (1, 2**32)  # the same two half words, in either order
        for stream in (0, 1, 20_000, 2**32 - 1, 2**31)
        for first in ((0, 2**32) if stream == 0 else (0,))
    ]
    blocks = np.concatenate(parts).view("V16").ravel()
    assert len(blocks) == 2 * 6 * 20_000 * 4
    assert len(np.unique(blocks)) == len(blocks)


def test_neighbouring_seeds_streams_deals_and_blocks_are_not_correlated():
    # Of 32 * 40,000 bits that differ with chance 1/2, fewer or more than 5.2 standard deviations from one half differ
    # once in five million tables; the four tables make that less than once in a million runs.
    base = random_words(1, 0, 0, 10_000, 2)
    others = {
        "seed": (base[:, :4], random_words(2, 0, 0, 10_000, 1)),
        "stream": (base[:, :4], random_words(1, 1, 0, 10_000, 1)),
        "deal": (base[:, :4], random_words(1, 0, 1, 10_000, 1)),
        "block": (base[:, :4], base[:, 4:]),
    }
    for name, (words, neighbours) in others.items():
        differing = int(np.bitwise_count(words ^ neighbours).sum(dtype=np.int64))
        bits = 32 * words.size
        assert abs(differing - bits / 2) < 5.2 * (bits / 4) ** 0.5, name


# Wrong input


@pytest.mark.parametrize(
    ("run", "names"),
    [
        ((-1, 0, 0, 1), "seed -1 "),
        ((2**64, 0, 0, 1), f"seed {2**64} "),
        ((1, -1, 0, 1), "stream -1 "),
        ((1, 2**32, 0, 1), f"stream {2**32} "),
        ((1, 0, -1, 1), "deals -1 "),
        ((1, 0, 5, -2), "deals 5 to 3 "),
        ((1, 0, 2**63, 0), f"deals {2**63} "),
        ((1, 0, 2**63 - 10, 10), f"deals {2**63 - 10} "),
    ],
)
def test_numbers_that_do_not_fit_are_refused_in_one_line_that_names_them(run, names):
    seed, stream, first, deals = run
    for call in (lambda: check_run(*run), lambda: random_words(seed, stream, first, deals, 1)):
        with pytest.raises(InputError) as caught:
            call()
        assert names in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "run", [(0, 0, 0, 0), (2**64 - 1, 2**32 - 1, 0, 1), (1, 0, 2**63 - 2, 1), (1, 0, 0, 2**63 - 1)]
)
def test_the_largest_numbers_that_fit_are_taken(run):
    check_run(*run)
