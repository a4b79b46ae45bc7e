"""One shuffle in plain Python, by the rule of core.deals: for what happens within a hand. Needs no numba."""

from collections.abc import Iterable, Sequence

from core.errors import InputError

_FRACTION_BITS = 24


def shuffle(cards: Sequence[int], words: Iterable[int]) -> tuple[int, ...]:
    """Return the cards in the order in which a Fisher–Yates shuffle draws them, each order equally likely.

    A draw takes the 24 highest bits u of the next 32-bit word: position (u * m) >> 24 of the m cards left, whose last
    one moves into the hole. A word whose fraction would favour some positions is rejected for the next one.

    Raises InputError when there are too few words.
    """
    left, source = list(cards), iter(words)
    drawn = []
    while left:
        position = _position(len(left), source)
        drawn.append(left[position])
        last = left.pop()
        if position < len(left):
            left[position] = last
    return tuple(drawn)


def _position(choices: int, source: Iterable[int]) -> int:
    for word in source:
        position, fraction = divmod((int(word) >> 8) * choices, 1 << _FRACTION_BITS)
        if fraction >= (1 << _FRACTION_BITS) % choices:
            return position
    raise InputError("a shuffle needs more random words than were given")
