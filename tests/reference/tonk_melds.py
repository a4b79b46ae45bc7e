"""Reference: melds and hits by trying everything, from the wording of K10 and K11. It shares no code with core.

Cards are ids 13 * suit + rank, ace 0. A run is found by its position in a printed line of ranks, a hand's best melds
by trying every way to deal its cards out to groups.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

LINE = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0)


def value(card: int) -> int:
    return (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)[card % 13]


def is_meld(cards: Sequence[int], ace_runs: str) -> bool:
    ranks = sorted(card % 13 for card in cards)
    if len(cards) < 3:
        return False
    if ranks[0] == ranks[-1]:
        return len(cards) <= 4
    if len({card // 13 for card in cards}) != 1 or len(set(cards)) != len(cards):
        return False
    line = LINE if ace_runs == "low_and_high" else LINE[:13]
    return any(sorted(line[first : first + len(cards)]) == ranks for first in range(len(line) - len(cards) + 1))


def takes(meld: Sequence[int], card: int, ace_runs: str, set_fourth: str) -> bool:
    grows = is_meld([*meld, card], ace_runs)
    return grows and (set_fourth == "allowed" or len({c % 13 for c in meld}) > 1)


def all_melds(hand: Sequence[int], ace_runs: str) -> set[tuple[int, ...]]:
    """Return every meld in hand, its cards sorted by id."""
    groups = {tuple(sorted(group)) for size in range(3, len(hand) + 1) for group in combinations(hand, size)}
    return {group for group in groups if is_meld(group, ace_runs)}


def partitions(cards: Sequence[int], ace_runs: str) -> Iterator[list[int]]:
    """Yield what is left in hand for every way to lay some melds, also several times."""
    if not cards:
        yield []
        return
    first, rest = cards[0], cards[1:]
    for left in partitions(rest, ace_runs):
        yield [first, *left]
    for size in range(2, len(rest) + 1):
        for chosen in combinations(range(len(rest)), size):
            if is_meld([first, *(rest[i] for i in chosen)], ace_runs):
                yield from partitions([card for i, card in enumerate(rest) if i not in chosen], ace_runs)


def best_left(hand: Sequence[int], ace_runs: str) -> tuple[int, int]:
    """Return the least total that can be left, and the fewest cards with it."""
    return min((sum(map(value, left)), len(left)) for left in partitions(list(hand), ace_runs))
