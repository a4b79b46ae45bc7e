"""Reference: sampled deals card by card, as the docstring of core/deals.py describes them, on the reference's words.

A Fisher-Yates shuffle that is stopped when enough cards are drawn. Draw j takes the 24 highest bits u of the next word;
its position among the m cards left is the whole part of u * m / 2**24, unless the fraction (in 2**24ths) is below
2**24 mod m: then the word is rejected and the next one taken (Lemire, "Fast random integer generation in an interval",
2019). The deck's last card moves into the hole. It shares no code with core.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from tests.reference.philox import WORD, philox


def stream_of_words(seed: int, stream: int, deal: int) -> Iterator[int]:
    """Yield a deal's random words without end."""
    for block in count():
        yield from philox((block, deal % WORD, deal // WORD, stream), (seed % WORD, seed // WORD))


def shuffle(deck: Sequence[int], cards: int, words: Iterable[int]) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the cards drawn, and (draw, fraction) of every word that was rejected."""
    left, source = list(deck), iter(words)
    drawn, rejected = [], []
    for draw in range(cards):
        while True:
            position, fraction = divmod((next(source) >> 8) * len(left), 2**24)
            if fraction >= 2**24 % len(left):
                break
            rejected.append((draw, fraction))
        drawn.append(left[position])
        last = left.pop()
        if position < len(left):
            left[position] = last
    return drawn, rejected


def deals(deck: Sequence[int], cards: int, numbers: Iterable[int], *, seed: int, stream: int = 0) -> list[list[int]]:
    """Return the cards of each of the deals with these numbers."""
    return [shuffle(deck, cards, stream_of_words(seed, stream, number))[0] for number in numbers]
