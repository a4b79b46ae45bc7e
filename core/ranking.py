"""Numbers for combinations, and for hands up to suit isomorphism.

The combinatorial number system ranks a combination c1 < c2 < … < ck as C(c1, 1) + C(c2, 2) + … + C(ck, k).
That is its position, from 0, in colex order, which compares the greatest members first. Knuth, The Art of
Computer Programming 4A, section 7.2.1.3.

Two hands are isomorphic when a relabelling of the suits turns one into the other, so a class of hands is a
multiset of four rank sets. Classes are numbered by the lengths of the four suits, then by the rank sets of
each length, as in Kevin Waugh, "A fast and optimal hand isomorphism algorithm", 2013, for a single round.

A hand is a set of card ids as in core.cards. A deck of `ranks` ranks holds the ranks 0..ranks-1 of each suit;
a game that leaves out others renumbers its own.
"""

import operator
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations_with_replacement, groupby, pairwise, product
from math import comb, factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.cards import DECK_SIZE, RANKS, SUITS, check_copies
from core.errors import InputError


def combination_rank(combination: Iterable[int], n: int) -> int:
    """Return the rank, 0..C(n, k)-1, of k of the numbers 0..n-1, given in any order. Exact for any n and k.

    Raises InputError naming a member that is out of range or repeated.

    >>> [combination_rank(c, 4) for c in ((0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3))]
    [0, 1, 2, 3, 4, 5]
    """
    members = sorted(map(operator.index, combination))
    for member in members:
        if not 0 <= member < n:
            raise InputError(f"{member} is not in 0..{n - 1}")
    for member, following in pairwise(members):
        if member == following:
            raise InputError(f"{member} stands twice in a combination")
    return sum(comb(member, place) for place, member in enumerate(members, start=1))


def combination_unrank(rank: int, n: int, k: int) -> tuple[int, ...]:
    """Return the combination of k of 0..n-1 that has this rank, in rising order. Exact for any rank.

    Raises InputError when k is not in 0..n or the rank not in 0..C(n, k)-1.

    >>> combination_unrank(2_598_959, 52, 5)
    (47, 48, 49, 50, 51)
    """
    _check_rank(rank, _choose(n, k))
    members: list[int] = []
    member = n
    for place in range(k, 0, -1):
        member = _greatest_member(rank, place, member)
        rank -= comb(member, place)
        members.append(member)
    return tuple(reversed(members))


def _greatest_member(rank: int, place: int, bound: int) -> int:
    """Return the greatest member below the bound for which C(member, place) <= rank."""
    return bisect_right(range(bound), rank, key=lambda member: comb(member, place)) - 1


def combination_rank_array(combinations: NDArray[np.integer[Any]], n: int) -> NDArray[np.int64]:
    """Return the ranks, shape (m,), of m combinations of k of 0..n-1, shape (m, k), rows in any order.

    Exact; works from a table of k * (n - k + 1) integers. Raises InputError when C(n, k)-1 exceeds 2**63-1
    (where combination_rank still answers), when k exceeds n, for a member that is out of range or repeated,
    and for an array of another dimension or not of integers.

    >>> combination_rank_array(np.array([[0, 1], [3, 2]]), 4)
    array([0, 5])
    """
    _check_array(combinations, ndim=2)
    k = combinations.shape[1]
    terms = _terms(n, k)
    members = np.sort(combinations, axis=1)
    outside = (members < 0) | (members >= n)
    if outside.any():
        raise InputError(f"{members[outside][0]} is not in 0..{n - 1}")
    repeated = members[:, 1:] == members[:, :-1]
    if repeated.any():
        raise InputError(f"{members[:, 1:][repeated][0]} stands twice in a combination")
    places = np.arange(k)
    ranks: NDArray[np.int64] = terms[places, members.astype(np.int64) - places].sum(axis=1)
    return ranks


def combination_unrank_array(ranks: NDArray[np.integer[Any]], n: int, k: int) -> NDArray[np.int64]:
    """Return the combinations of k of 0..n-1, shape (m, k), rows in rising order, of m ranks, shape (m,).

    Exact; undoes combination_rank_array. Raises InputError when C(n, k)-1 exceeds 2**63-1, when k is not in
    0..n, for a rank not in 0..C(n, k)-1, and for an array of another dimension or not of integers.

    >>> combination_unrank_array(np.array([0, 5]), 4, 2)
    array([[0, 1],
           [2, 3]])
    """
    _check_array(ranks, ndim=1)
    terms = _terms(n, k)
    _check_rank(ranks.min(initial=0), comb(n, k))
    _check_rank(ranks.max(initial=0), comb(n, k))
    rest = ranks.astype(np.int64)
    members = np.empty((len(ranks), k), np.int64)
    for place in reversed(range(k)):
        column = np.searchsorted(terms[place], rest, side="right") - 1
        rest -= terms[place, column]
        members[:, place] = column + place
    return members


def _terms(n: int, k: int) -> NDArray[np.int64]:
    """Return what members add to a rank: row i, column j holds C(i + j, i + 1), for i + j at place i.

    Proof of range: the member at place i (from 0) is at most n - k + i, so n - k + 1 columns do. Rows rise,
    and the last column adds up to the greatest rank, C(n, k) - 1. When that fits int64, so does every
    entry, and every partial sum of a rank. A row is the running sum of the row above, so building the table
    needs no other values.
    """
    if _choose(n, k) > 2**63:
        raise InputError(f"ranks of {k} out of {n} do not fit int64: there are {comb(n, k)} combinations")
    terms = np.tile(np.arange(n - k + 1, dtype=np.int64), (k, 1))
    for place in range(1, k):
        np.cumsum(terms[place - 1], out=terms[place])
    return terms


def _choose(n: int, k: int) -> int:
    if not 0 <= k <= n:
        raise InputError(f"cannot choose {k} out of {n}")
    return comb(n, k)


def _check_rank(rank: int, count: int) -> None:
    if not 0 <= rank < count:
        raise InputError(f"rank {rank} is not in 0..{count - 1}")


def _check_array(array: NDArray[Any], ndim: int) -> None:
    if array.ndim != ndim or not np.issubdtype(array.dtype, np.integer):
        raise InputError(f"expected integers in {ndim} dimensions, not {array.dtype} in {array.ndim}")


# The ranks that a hand holds of one suit, rising.
_Suit = tuple[int, ...]


def canonical(hand: Iterable[int], *, ranks: int = len(RANKS)) -> tuple[int, ...]:
    """Return the representative of a hand's class, in rising order: the same for isomorphic hands only.

    Its longest suit is s, its shortest c; of equally long ones the earlier in colex order comes first.
    Raises InputError naming a card that is repeated or not in the deck.

    >>> canonical([51, 13, 25])  # Kc Ah Kh
    (0, 12, 25)
    """
    return _cards(_suits(hand, ranks))


def orbit_size(hand: Iterable[int], *, ranks: int = len(RANKS)) -> int:
    """Return the number of distinct hands in a hand's class, 1 to 24. Exact.

    Raises InputError naming a card that is repeated or not in the deck.

    >>> [orbit_size(hand) for hand in ([0, 13], [0, 1], [0, 14])]  # As Ah, As 2s, As 2h
    [6, 4, 12]
    """
    return _orbit(_suits(hand, ranks))


def class_count(k: int, *, ranks: int = len(RANKS)) -> int:
    """Return the number of classes of hands of k cards. Exact.

    Raises InputError when k is not in 0..4*ranks or ranks not in 1..13.

    >>> [class_count(k) for k in (2, 3, 4, 5)]
    [169, 1755, 16432, 134459]
    """
    return max(block.stop for block in _blocks(k, ranks).values())


def class_rank(hand: Iterable[int], *, ranks: int = len(RANKS)) -> int:
    """Return the index, 0..class_count(k)-1, of the class of a hand of k cards. Exact.

    Among hands of k cards, the same for isomorphic ones only. Raises InputError naming a card that is
    repeated or not in the deck, or when ranks is not in 1..13.

    >>> class_rank([0, 1]), class_rank([26, 27]), class_rank([0, 14])  # As 2s, Ad 2d, As 2h
    (0, 0, 79)
    """
    suits = _suits(hand, ranks)
    within = 0
    for size, group in groupby(suits, key=len):
        numbers = [combination_rank(suit, ranks) for suit in group]
        kinds, equal = comb(ranks, size), len(numbers)
        # Equal numbers may repeat; adding 0, 1, 2, … to the rising numbers makes them a combination.
        spread = [number + place for place, number in enumerate(numbers)]
        within = within * _multisets(kinds, equal) + combination_rank(spread, kinds + equal - 1)
    sizes = tuple(map(len, suits))
    return _blocks(sum(sizes), ranks)[sizes][within]


def class_unrank(index: int, k: int, *, ranks: int = len(RANKS)) -> tuple[int, ...]:
    """Return the representative, as canonical gives it, of the class of hands of k cards that has this index.

    Raises InputError when the index is not in 0..class_count(k)-1, or as class_count does.

    >>> class_unrank(79, 2)
    (0, 14)
    """
    _check_rank(index, class_count(k, ranks=ranks))
    sizes, block = next(item for item in _blocks(k, ranks).items() if index in item[1])
    within = index - block.start
    suits: list[_Suit] = []
    for size, equal in reversed(Counter(sizes).items()):
        within, number = divmod(within, _multisets(comb(ranks, size), equal))
        suits = _equal_suits(number, size, equal, ranks) + suits
    return _cards(suits)


def classes(k: int, *, ranks: int = len(RANKS)) -> Iterator[tuple[tuple[int, ...], int]]:
    """Iterate over the classes of hands of k cards, in index order: (representative, orbit size).

    The orbit sizes add up to C(4*ranks, k). Exact. Raises InputError as class_count does.

    >>> list(classes(2, ranks=2))
    [((0, 1), 4), ((0, 13), 6), ((0, 14), 12), ((1, 14), 6)]
    """
    return chain.from_iterable(_block_classes(sizes, ranks) for sizes in _blocks(k, ranks))


def _block_classes(sizes: tuple[int, ...], ranks: int) -> Iterator[tuple[tuple[int, ...], int]]:
    groups = [
        [_equal_suits(number, size, equal, ranks) for number in range(_multisets(comb(ranks, size), equal))]
        for size, equal in Counter(sizes).items()
    ]
    for choice in product(*groups):
        suits = list(chain.from_iterable(choice))
        yield _cards(suits), _orbit(suits)


@cache
def _blocks(k: int, ranks: int) -> dict[tuple[int, ...], range]:
    """Return the class indices that belong to each way to split k cards into four falling suit lengths."""
    if not 1 <= ranks <= len(RANKS):
        raise InputError(f"a deck has 1 to {len(RANKS)} ranks, not {ranks}")
    _choose(len(SUITS) * ranks, k)
    blocks: dict[tuple[int, ...], range] = {}
    start = 0
    for sizes in combinations_with_replacement(range(ranks, -1, -1), len(SUITS)):
        if sum(sizes) == k:
            count = prod(_multisets(comb(ranks, size), equal) for size, equal in Counter(sizes).items())
            blocks[sizes] = range(start, start + count)
            start += count
    return blocks


def _multisets(kinds: int, size: int) -> int:
    """Return the number of multisets of that size."""
    return comb(kinds + size - 1, size)


def _equal_suits(number: int, size: int, equal: int, ranks: int) -> list[_Suit]:
    """Return the multiset of `equal` suits of `size` ranks each that has this number in colex order."""
    spread = combination_unrank(number, comb(ranks, size) + equal - 1, equal)
    return [combination_unrank(member - place, ranks, size) for place, member in enumerate(spread)]


def _suits(hand: Iterable[int], ranks: int) -> list[_Suit]:
    """Return the suits as the representative has them: longest first, equally long ones in colex order."""
    cards = sorted(map(operator.index, hand))
    for card in cards:
        if not 0 <= card < DECK_SIZE or card % 13 >= ranks:
            raise InputError(f"card {card} is not in a deck of {ranks} ranks and {len(SUITS)} suits")
    check_copies(cards)
    suits = [tuple(card % 13 for card in cards if card // 13 == suit) for suit in range(len(SUITS))]
    return sorted(suits, key=lambda suit: (-len(suit), suit[::-1]))


def _cards(suits: Sequence[_Suit]) -> tuple[int, ...]:
    return tuple([13 * suit + rank for suit, held in enumerate(suits) for rank in held])


def _orbit(suits: Sequence[_Suit]) -> int:
    """Return the number of ways to assign the suits' rank sets to the four suits."""
    return factorial(len(SUITS)) // prod(map(factorial, Counter(suits).values()))
