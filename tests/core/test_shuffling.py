"""The plain shuffle: the reference's cards from the same words, and each order equally often."""

from collections import Counter
from itertools import islice

import pytest

from core.errors import InputError
from core.rng import random_words, word_stream
from core.shuffling import shuffle
from tests.reference import philox
from tests.reference import shuffle as reference


@pytest.mark.parametrize("size", [0, 1, 2, 3, 24, 52, 207])
def test_shuffle_equals_the_reference(size):
    for deal in range(40):
        expected, _ = reference.shuffle(range(size), size, reference.stream_of_words(5, 1, deal))
        assert shuffle(range(size), word_stream(5, 1, deal)) == tuple(expected)


def test_rejected_words_are_skipped_as_in_the_reference():
    # A word of zero has the fraction 0, which every number of cards but a power of two rejects.
    words = [0, 0, 1 << 31, 0, 1 << 30, 0, 5]
    expected, rejected = reference.shuffle("abc", 3, words)
    assert rejected
    assert shuffle([0, 1, 2], words) == tuple("abc".index(letter) for letter in expected)


def test_each_order_comes_equally_often():
    orders = Counter(shuffle((1, 2, 3), word_stream(8, 0, deal)) for deal in range(6000))
    assert len(orders) == 6
    # Chi-square with 5 degrees of freedom exceeds 20.5 once in a thousand times.
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 20.5


def test_too_few_words_are_an_error():
    with pytest.raises(InputError, match="more random words"):
        shuffle([1, 2], [])


@pytest.mark.parametrize(("seed", "stream", "deal"), [(0, 0, 0), (2**64 - 1, 2**32 - 1, 2**63 - 2), (7, 2, 2**33)])
def test_a_deals_words_come_in_the_order_of_random_words(seed, stream, deal):
    words = list(islice(word_stream(seed, stream, deal), 13))
    assert words == random_words(seed, stream, deal, 1, 4)[0, :13].tolist()
    assert words == philox.words(seed, stream, deal, 4)[:13]


def test_words_of_no_deal_are_an_error():
    for run in ((-1, 0, 0), (0, 2**32, 0), (0, 0, -1)):
        with pytest.raises(InputError):
            next(word_stream(*run))
