"""Hidden cards put into places at random, each place with the cards that may lie there; every way is equally likely.

The ways are counted, not tried, so that no draw fails. Places that the same cards may lie in are one group. Card by
card a table tells in how many ways the rest can still go, by the room left in each group; drawing walks through it.
Counts are floats, as only their ratios matter: they are sums of positive numbers, right to some 1e-14 of their size.
"""

from collections.abc import Sequence
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Words = NDArray[np.uint32]

_WORD_BITS = 32


class Place(NamedTuple):
    """How many cards lie in a place, in no order, and which ones may."""

    size: int
    allowed: frozenset[int]


class Placing:
    """All ways in which different cards fill places that take just as many as there are.

    ways
        their number; 0.0 where there is none
    """

    def __init__(self, cards: Sequence[int], places: Sequence[Place]) -> None:
        """Count the ways."""
        self._cards = np.array(cards, np.int64)
        sizes: dict[frozenset[int], int] = {}
        for place in places:
            allowed = place.allowed.intersection(cards)
            sizes[allowed] = sizes.get(allowed, 0) + place.size
        # The largest group is the last one, whose room need not be told: it takes what the others leave.
        self._groups = sorted((group for group in sizes if sizes[group]), key=lambda group: (sizes[group], len(group)))
        self._room = np.array([sizes[group] for group in self._groups], np.int64)
        self._column = self._columns(places)
        self._tables = self._count()
        split = prod(map(factorial, self._room.tolist())) / prod(factorial(place.size) for place in places)
        self.ways = float(self._tables[0].flat[-1]) * split

    def _columns(self, places: Sequence[Place]) -> list[slice]:
        """Say where each place finds its cards when they stand group by group."""
        start = dict(zip(self._groups, np.cumsum([0, *self._room])[:-1].tolist(), strict=True))
        columns = []
        for place in places:
            group = place.allowed.intersection(self._cards.tolist())
            first = start.get(group, 0)
            columns.append(slice(first, first + place.size))
            start[group] = first + place.size
        return columns

    def _count(self) -> list[Floats]:
        """Return, for each card and for none, the ways of those from it on, by the room in each group but the last."""
        shape = tuple(size + 1 for size in self._room[:-1].tolist())
        table: Floats = np.zeros(shape)
        table.flat[0] = 1
        tables = [table]
        for card in reversed(self._cards.tolist()):
            after, table = table, np.zeros(shape)
            for axis, group in enumerate(self._groups):
                if card not in group:
                    continue
                if axis == len(shape):
                    table += after
                else:
                    table[_from(axis, 1)] += after[_from(axis, 0)]
            tables.append(table)
        return tables[::-1]

    def draw(self, words: Words) -> list[Ints]:
        """Return the cards of each place, shape (draws, size), from `words_needed` 32-bit words for each draw.

        There must be a way.
        """
        number = len(self._cards)
        group = self._draw_groups(words[:, :number]).astype(np.uint64)
        # Within a group the cards are in random order; two equal words in ten thousand million draws matter to nobody.
        order = np.argsort(group << np.uint64(_WORD_BITS) | words[:, number : 2 * number], axis=1, kind="stable")
        drawn = self._cards[order]
        return [drawn[:, columns] for columns in self._column]

    @property
    def words_needed(self) -> int:
        """The words that one draw takes."""
        return 2 * len(self._cards)

    def _draw_groups(self, words: Words) -> Ints:
        """Return the group that each card goes to."""
        groups = np.zeros(words.shape, np.int64)
        if len(self._groups) < 2:
            return groups
        strides = [int(stride) // 8 for stride in self._tables[0].strides] + [0]
        room = np.tile(self._room, (len(words), 1))
        place = room[:, :-1] @ np.array(strides[:-1], np.int64)
        chances = words / float(1 << _WORD_BITS)
        rows = np.arange(len(words))
        for index, card in enumerate(self._cards.tolist()):
            after = self._tables[index + 1].reshape(-1)
            open_to = [axis for axis, group in enumerate(self._groups) if card in group]
            ways = np.stack([np.where(room[:, axis] > 0, after[place - strides[axis]], 0) for axis in open_to])
            bounds = np.cumsum(ways, axis=0)
            chosen = (chances[:, index] * bounds[-1] >= bounds).sum(axis=0)
            axes = np.array(open_to)[chosen]
            groups[:, index] = axes
            room[rows, axes] -= 1
            place -= np.array(strides)[axes]
        return groups


def _from(axis: int, first: int) -> tuple[slice, ...]:
    """Return an index that shifts an axis by one: its entries from the second on, or all but the last."""
    return (*[slice(None)] * axis, slice(1, None) if first else slice(None, -1))
