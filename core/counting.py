"""Exact counts of joint hands: how many ways are there to deal several hands whose totals satisfy a condition each?

The cards of one value are interchangeable, and so are the hands. The count therefore walks over the classes of equal
value and keeps a table of how many ways lead to each *multiset* of unfinished hands. Two unfinished hands are the
same to the table when the same completions would finish them, which keeps it small: one pass over some thousand
entries counts every number of hands up to ten at once.

Everything is in Python integers: exact, no overflow.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from math import comb, factorial, perm, prod
from typing import NamedTuple

from core.errors import TooMuchWorkError

# Updates of the table: some five seconds of work. A caller who can wait passes a larger bound.
MAX_STEPS = 8_000_000

# Small numbers travel packed in one integer, which adds them all at once: hands in lanes of 8 bits, sums of cards and
# of values in lanes of 16. A load has three wide lanes, and above them hands by sort.
_LANE, _WIDE = 8, 16
_LANE_MASK, _WIDE_MASK = (1 << _LANE) - 1, (1 << _WIDE) - 1
_BOUND = 3 * _WIDE


@dataclass(frozen=True)
class Sort:
    """A kind of hand: the totals that it may have, and how many such hands there may be at most."""

    totals: Collection[int]
    most: int


def count_hands(
    classes: Sequence[tuple[int, int]],
    hand_size: int,
    sorts: Sequence[Sort],
    *,
    least: int = 0,
    most: int | None = None,
    max_steps: int = MAX_STEPS,
) -> dict[tuple[int, ...], int]:
    """Count the unordered collections of disjoint hands of `hand_size` cards, by number of hands of each sort.

    `classes` lists (value, number of cards), each value once; increasing value is fastest where low totals are
    asked for. The result maps (hands of the first sort, of the second, …) to the number of collections in which each
    hand has a total of its sort; cards in no hand are left over. Sorts have disjoint totals. Only collections of
    `least` to `most` hands count (default: as many as the sorts allow). Exact.

    At most two hands of two cards that total 2 or 3, from the cards 1 1 1 2:

    >>> count_hands([(1, 3), (2, 1)], 2, [Sort({2, 3}, most=2)])
    {(0,): 1, (1,): 6, (2,): 3}

    Raises TooMuchWorkError when the table would need more than `max_steps` updates.
    """
    return _Walk(classes, hand_size, sorts, least, most, max_steps).run()


@lru_cache(maxsize=64)
def count_totals(classes: tuple[tuple[int, int], ...], hand_size: int) -> tuple[tuple[int, int], ...]:
    """Return (total, number of hands) for one hand of `hand_size` cards, in increasing total. Exact.

    >>> count_totals(((1, 3), (2, 1)), 2)
    ((2, 3), (3, 3))
    """
    counts = {(0, 0): 1}
    for value, cards in classes:
        more: defaultdict[tuple[int, int], int] = defaultdict(int)
        for (held, total), ways in counts.items():
            for taken in range(min(cards, hand_size - held) + 1):
                more[held + taken, total + taken * value] += ways * comb(cards, taken)
        counts = more
    return tuple((total, ways) for (held, total), ways in sorted(counts.items()) if held == hand_size)


class _Hand(NamedTuple):
    """An unfinished hand: its number of cards, their total, and its load (see _Fits)."""

    held: int
    total: int
    load: int


class _Fits(dict[int, bool]):
    """Tells whether the cards of some classes may complete hands of a load, with no sort getting too many.

    The load of a set of hands is the sum of theirs: cards needed, least and greatest sum of these, and the number of
    hands bound to each sort. A set of which a part does not fit does not fit either.
    """

    def __init__(self, classes: Sequence[tuple[int, int]], limits: Sequence[int]) -> None:
        super().__init__()
        cards = sorted(value for value, count in classes for _ in range(count))
        self.cards = len(cards)
        self._smallest_sums = [0, *accumulate(cards)]
        self._greatest_sums = [0, *accumulate(reversed(cards))]
        self._limits = limits

    def __missing__(self, load: int) -> bool:
        need = load & _WIDE_MASK
        fits = (
            need <= self.cards
            and self._greatest_sums[need] >= load >> _WIDE & _WIDE_MASK
            and self._smallest_sums[need] <= load >> 2 * _WIDE & _WIDE_MASK
        )
        if fits:
            bound = load >> _BOUND
            for limit in self._limits:
                if bound & _LANE_MASK > limit:
                    fits = False
                bound >>= _LANE
        self[load] = fits
        return fits


class _Stage:
    """The unfinished hands before a class, numbered by what matters to their completion from that class on."""

    def __init__(
        self, classes: Sequence[tuple[int, int]], sums: Sequence[frozenset[int]], sorts: Sequence[Sort]
    ) -> None:
        self.hands: list[_Hand] = []
        self.fits = _Fits(classes, [sort.most for sort in sorts])
        self.sort_of = {total: index for index, sort in enumerate(sorts) for total in sort.totals}
        self._sums = sums
        self._numbers: dict[tuple[int, int], int | None] = {}
        self._by_ends: dict[tuple[int, frozenset[tuple[int, int]]], int] = {}

    def number(self, held: int, total: int) -> int | None:
        """Return the number of a hand of `held` cards and that total, or None when nothing completes it."""
        if (held, total) not in self._numbers:
            self._numbers[held, total] = self._find(held, total)
        return self._numbers[held, total]

    def _find(self, held: int, total: int) -> int | None:
        need = len(self._sums) - 1 - held
        sort_of = self.sort_of
        ends = {extra: sort_of[total + extra] for extra in self._sums[need] if total + extra in sort_of}
        if not ends:
            return None
        key = (need, frozenset(ends.items()))
        if key not in self._by_ends:
            self._by_ends[key] = len(self.hands)
            load = need | min(ends) << _WIDE | max(ends) << 2 * _WIDE
            becomes = set(ends.values())
            if len(becomes) == 1:
                load |= 1 << _BOUND + _LANE * becomes.pop()
            self.hands.append(_Hand(held, total, load))
        return self._by_ends[key]


# One way for equal hands to take cards of a class: the state that results, cards taken, number of ways but for the
# choice of the cards, and load.
_Option = tuple[int, int, int, int]

# The number of a hand that has no card yet.
_NEW = -1


class _Walk:
    """One count: the walk over the classes of equal value.

    A state of the table packs the number of finished hands of each sort and then of unfinished hands of each number.
    The ways that lead to a state count cards by the place that they take in a hand, and new hands by their place
    among all: that keeps every factor whole. `run` divides by the orders in the end.
    """

    def __init__(
        self,
        classes: Sequence[tuple[int, int]],
        hand_size: int,
        sorts: Sequence[Sort],
        least: int,
        most: int | None,
        max_steps: int,
    ) -> None:
        self.classes = [(value, cards) for value, cards in classes if cards]
        self.hand_size = hand_size
        self.sorts = sorts
        self.least = least
        most_hands = sum(cards for _, cards in self.classes) // hand_size
        self.most = min(sum(sort.most for sort in sorts), most_hands if most is None else most)
        self.steps_left = max_steps
        self.too_much = TooMuchWorkError(f"an exact count needs more than {max_steps:,} steps")

    def run(self) -> dict[tuple[int, ...], int]:
        sums = _reachable_sums(self.classes, self.hand_size)
        stages = [_Stage(self.classes[index:], sums[index], self.sorts) for index in range(len(sums))]
        table = {0: 1}
        for (value, cards), stage, after in zip(self.classes, stages, stages[1:], strict=False):
            table = self._deal_class(value, cards, stage, after, table)
        counts = {}
        for state, ways in sorted(table.items()):
            hands = tuple(state.to_bytes(len(self.sorts), "little"))
            if sum(hands) >= self.least:
                counts[hands] = ways // perm(self.most, sum(hands)) // factorial(self.hand_size) ** sum(hands)
        return counts

    def _deal_class(
        self, value: int, cards: int, stage: _Stage, after: _Stage, table: dict[int, int]
    ) -> dict[int, int]:
        """Deal the cards of one class to the unfinished hands, to new hands, and to nobody."""
        ways_to_take = _Options(self, stage, after, value, cards)
        takings = _Takings(self, ways_to_take, cards, after.fits)
        fits = after.fits
        lanes = len(self.sorts) + len(stage.hands)
        # The ways in which cards of the class go to the places that take one, by the number of cards left.
        orders = [perm(cards, cards - left) for left in range(cards + 1)]
        result: defaultdict[int, int] = defaultdict(int)
        for state, ways in table.items():
            # First the unfinished hands take cards, then new hands, if any.
            new = ways_to_take[_NEW, self.most - sum(state.to_bytes(lanes, "little"))]
            ends = takings[state]
            for to, left, w, load in ends:
                w *= ways
                result[to] += w * orders[left]
                for to2, used, w2, load2 in new:
                    if used <= left and fits[load + load2]:
                        result[to + to2] += w * w2 * orders[left - used]
            self.take_steps(len(ends) * (1 + len(new)))
        if self.least:
            # Where all hands must be dealt, few cards may be left over, which keeps the table small.
            return {state: ways for state, ways in result.items() if self._enough(state, after)}
        return result

    def take_steps(self, steps: int) -> None:
        """Count that many updates. Raises TooMuchWorkError when they are too many."""
        self.steps_left -= steps
        if self.steps_left < 0:
            raise self.too_much

    def _enough(self, state: int, stage: _Stage) -> bool:
        """Tell whether the cards left can finish the started hands and make those that are still missing."""
        counts = state.to_bytes(len(self.sorts) + len(stage.hands), "little")
        needs = (
            equal * (hand.load & _WIDE_MASK) for equal, hand in zip(counts[len(self.sorts) :], stage.hands, strict=True)
        )
        return sum(needs) + max(0, self.least - sum(counts)) * self.hand_size <= stage.fits.cards


class _Takings(dict[int, list[_Option]]):
    """The ways in which a state's unfinished hands take cards of one class: state, cards left, number of ways, load.

    Hands of the same number take cards together. States that differ in the last number alone share the rest.
    """

    def __init__(self, walk: _Walk, options: "_Options", cards: int, fits: _Fits) -> None:
        super().__init__()
        self._walk, self._options, self._cards, self._fits = walk, options, cards, fits

    def __missing__(self, state: int) -> list[_Option]:
        last = (state.bit_length() - 1) // _LANE
        number = last - len(self._walk.sorts)
        if number < 0:
            found = [(state, self._cards, 1, state << _BOUND)]
        else:
            equal = state >> _LANE * last
            fits, more = self._fits, self._options[number, equal]
            found = [
                (to + to2, left - taken, ways * ways2, load + load2)
                for to, left, ways, load in self[state ^ equal << _LANE * last]
                for to2, taken, ways2, load2 in more
                if taken <= left and fits[load + load2]
            ]
            self._walk.take_steps(len(found))
        self[state] = found
        return found


class _Options(dict[tuple[int, int], list[_Option]]):
    """The ways in which hands take cards of one class, by (number, equal hands of it)."""

    def __init__(self, walk: _Walk, stage: _Stage, after: _Stage, value: int, cards: int) -> None:
        super().__init__()
        self._walk, self._stage, self._after, self._value, self._cards = walk, stage, after, value, cards
        self._one_hand: dict[int, dict[int, tuple[int, int, int]]] = {}

    def __missing__(self, key: tuple[int, int]) -> list[_Option]:
        number, equal = key
        if number not in self._one_hand:
            self._one_hand[number] = self._hand_options(number)
        becomes = self._one_hand[number]
        takes = tuple(taken for taken in reversed(becomes) if taken)
        if number == _NEW and not takes:
            return self.setdefault(key, [])
        idle_state, idle_load, _ = becomes.get(0, (0, 0, 0))
        found: list[_Option] = []
        for parts, used, repeats in _selections(takes, equal, self._cards):
            idle = equal - len(parts)
            if (idle and 0 not in becomes) or (number == _NEW and not parts):
                continue
            state, load = idle * idle_state, idle * idle_load
            ways = perm(equal, len(parts)) // repeats
            for part in parts:
                part_state, part_load, part_ways = becomes[part]
                state += part_state
                load += part_load
                ways *= part_ways
            if self._after.fits[load]:
                found.append((state, used, ways, load))
        self[key] = found
        return found

    def _hand_options(self, number: int) -> dict[int, tuple[int, int, int]]:
        """Return, by cards taken: state and load of one hand then, and the number of ways to place the cards in it."""
        held, total = (0, 0) if number == _NEW else self._stage.hands[number][:2]
        need = self._walk.hand_size - held
        options = {}
        for taken in range(min(self._cards, need) + 1):
            end = self._becomes(held + taken, total + taken * self._value)
            if end is not None:
                options[taken] = (*end, comb(need, taken))
        return options

    def _becomes(self, held: int, total: int) -> tuple[int, int] | None:
        """Return state and load of a hand with these cards at the next stage, or None when nothing completes it."""
        if held == 0:
            return 0, 0
        if held == self._walk.hand_size:
            sort = self._after.sort_of.get(total)
            return None if sort is None else (1 << _LANE * sort, 1 << _BOUND + _LANE * sort)
        number = self._after.number(held, total)
        if number is None:
            return None
        return 1 << _LANE * (len(self._walk.sorts) + number), self._after.hands[number].load


@cache
def _selections(parts: tuple[int, ...], count: int, total: int) -> list[tuple[tuple[int, ...], int, int]]:
    """Return the multisets of up to `count` of `parts` (in falling order) that add up to at most `total`.

    With each its sum, and the product of the factorials of its members' repetitions.
    """
    found: list[tuple[tuple[int, ...], int, int]] = []

    def extend(chosen: tuple[int, ...], used: int, start: int) -> None:
        found.append((chosen, used, prod(factorial(chosen.count(part)) for part in set(chosen))))
        if len(chosen) < count:
            for index in range(start, len(parts)):
                if used + parts[index] <= total:
                    extend((*chosen, parts[index]), used + parts[index], index)

    extend((), 0, 0)
    return found


def _reachable_sums(classes: Sequence[tuple[int, int]], hand_size: int) -> list[list[frozenset[int]]]:
    """Return, by class and number of cards up to `hand_size`, the sums of that many cards from this class on."""
    sums = [[frozenset({0})] + [frozenset[int]()] * hand_size]
    for value, cards in reversed(classes):
        after = sums[-1]
        sums.append(
            [
                frozenset(taken * value + rest for taken in range(min(cards, k) + 1) for rest in after[k - taken])
                for k in range(hand_size + 1)
            ]
        )
    return sums[::-1]
