"""Combination ranks against enumeration, and hand classes against orbits found by brute force."""

import math
import random
from collections.abc import Callable
from itertools import combinations, permutations

import numpy as np
import pytest

from core.errors import InputError
from core.ranking import (
    canonical,
    class_count,
    class_rank,
    class_unrank,
    classes,
    combination_rank,
    combination_rank_array,
    combination_unrank,
    combination_unrank_array,
    orbit_size,
)

SMALL = [(n, k) for n in range(9) for k in range(n + 1)]
# Sizes whose ranks fit int64, up to the last that do, and sizes whose ranks do not.
# At (200, 197) the ranks are small, but most C(c, i) with c < 200 and i <= 197 would not fit.
FITS = [(66, 33), (67, 29), (10_000, 5), (200, 197)]
TOO_LARGE = [(67, 33), (67, 30), (10_000, 6), (200, 100)]
RELABELLINGS = list(permutations(range(4)))


def colex(n: int, k: int) -> list[tuple[int, ...]]:
    return sorted(combinations(range(n), k), key=lambda members: members[::-1])


def relabelled(hand: tuple[int, ...], suits: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(13 * suits[card // 13] + card % 13 for card in hand))


@pytest.mark.parametrize(("n", "k"), SMALL)
def test_every_small_combination_has_its_place_in_colex_order(n: int, k: int) -> None:
    expected = colex(n, k)
    assert [combination_unrank(rank, n, k) for rank in range(math.comb(n, k))] == expected
    assert [combination_rank(members, n) for members in expected] == list(range(math.comb(n, k)))
    array = np.array(expected, dtype=np.int64).reshape(math.comb(n, k), k)
    ranks = np.arange(math.comb(n, k))
    np.testing.assert_array_equal(combination_rank_array(array, n), ranks)
    np.testing.assert_array_equal(combination_unrank_array(ranks, n, k), array)


@pytest.mark.parametrize(("n", "k"), [(52, 5), (200, 100), (300, 150), (10**12, 7)])
def test_ranks_of_any_size_round_trip(n: int, k: int) -> None:
    rng = random.Random(1)
    count = math.comb(n, k)
    for rank in [0, count - 1, *(rng.randrange(count) for _ in range(20))]:
        members = combination_unrank(rank, n, k)
        assert list(members) == sorted(set(members))
        assert combination_rank(members, n) == rank


def test_the_last_combination_has_the_last_rank() -> None:
    assert combination_rank(range(500, 1000), 1000) == math.comb(1000, 500) - 1


def test_order_within_a_combination_does_not_matter() -> None:
    assert combination_rank((7, 2, 5), 8) == combination_rank((2, 5, 7), 8)
    assert combination_rank_array(np.array([[7, 2, 5]]), 8) == combination_rank((2, 5, 7), 8)


@pytest.mark.parametrize(("n", "k"), [(52, 5), (52, 26), *FITS])
def test_arrays_agree_with_python_ints_up_to_the_last_rank(n: int, k: int) -> None:
    last = math.comb(n, k) - 1
    sampled = np.random.default_rng(2).integers(0, last, size=200, endpoint=True)
    ranks = np.concatenate([[0, last], sampled])
    array = combination_unrank_array(ranks, n, k)
    assert array.dtype == ranks.dtype == np.int64
    assert array.shape == (202, k)
    np.testing.assert_array_equal(array, [combination_unrank(rank, n, k) for rank in ranks.tolist()])
    np.testing.assert_array_equal(combination_rank_array(array, n), ranks)
    assert [combination_rank(row, n) for row in array] == ranks.tolist()


@pytest.mark.parametrize(("n", "k"), TOO_LARGE)
def test_arrays_refuse_ranks_beyond_int64(n: int, k: int) -> None:
    assert math.comb(n, k) - 1 > np.iinfo(np.int64).max
    with pytest.raises(InputError, match=f"{k} out of {n} do not fit int64"):
        combination_rank_array(np.arange(k).reshape(1, k), n)
    with pytest.raises(InputError, match=f"{k} out of {n} do not fit int64"):
        combination_unrank_array(np.array([0]), n, k)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64])
def test_arrays_of_other_integers_do_not_wrap(dtype: type[np.integer]) -> None:
    array = np.array([[120, 3, 90]], dtype)
    assert combination_rank_array(array, 1000).tolist() == [combination_rank((3, 90, 120), 1000)]
    assert combination_unrank_array(np.array([127], dtype), 1000, 3).tolist() == [
        list(combination_unrank(127, 1000, 3))
    ]


def test_arrays_may_be_empty() -> None:
    assert combination_rank_array(np.empty((0, 3), np.int64), 5).shape == (0,)
    assert combination_unrank_array(np.empty(0, np.int64), 5, 3).shape == (0, 3)


@pytest.mark.parametrize(
    ("members", "n", "message"),
    [([1, 1], 5, "1 stands twice"), ([0, 5], 5, r"5 is not in 0\.\.4"), ([-1, 0], 5, "-1 is not in")],
)
def test_members_must_be_distinct_and_in_range(members: list[int], n: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        combination_rank(members, n)
    with pytest.raises(InputError, match=message):
        combination_rank_array(np.array([[0, 1], members]), n)


@pytest.mark.parametrize(
    ("rank", "n", "k", "message"),
    [
        (10, 5, 2, r"rank 10 is not in 0\.\.9"),
        (-1, 5, 2, "rank -1 is not in"),
        (0, 2, 3, "cannot choose 3 out of 2"),
        (0, 2, -1, "cannot choose -1 out of 2"),
    ],
)
def test_rank_and_size_must_be_in_range(rank: int, n: int, k: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        combination_unrank(rank, n, k)
    with pytest.raises(InputError, match=message):
        combination_unrank_array(np.array([0, rank]), n, k)


def test_arrays_must_have_the_right_shape_and_type() -> None:
    with pytest.raises(InputError, match="integers in 2 dimensions, not int64 in 1"):
        combination_rank_array(np.array([0, 1]), 5)
    with pytest.raises(InputError, match="not float64"):
        combination_unrank_array(np.array([0.0]), 5, 2)
    with pytest.raises(InputError, match="cannot choose 3 out of 2"):
        combination_rank_array(np.empty((0, 3), np.int64), 2)
    with pytest.raises(InputError, match=f"rank {2**64 - 1} "):
        combination_unrank_array(np.array([2**64 - 1], np.uint64), 5, 2)


@pytest.mark.parametrize(("k", "count"), [(0, 1), (1, 13), (2, 169), (3, 1755), (4, 16_432), (5, 134_459)])
def test_classes_partition_all_hands(k: int, count: int) -> None:
    sizes = [size for _, size in classes(k)]
    assert len(sizes) == class_count(k) == count
    assert sum(sizes) == math.comb(52, k)


@pytest.mark.parametrize("k", range(5))
def test_every_class_round_trips(k: int) -> None:
    for index, (hand, size) in enumerate(classes(k)):
        assert class_unrank(index, k) == canonical(hand) == hand
        assert class_rank(hand) == index
        assert orbit_size(hand) == size


@pytest.mark.parametrize("k", [5, 6, 7, 13, 26, 51])
def test_sampled_classes_round_trip(k: int) -> None:
    rng = random.Random(3)
    count = class_count(k)
    for index in [0, count - 1, *(rng.randrange(count) for _ in range(300))]:
        hand = class_unrank(index, k)
        assert canonical(hand) == hand
        assert class_rank(hand) == index


@pytest.mark.parametrize("k", range(1, 8))
def test_relabelling_suits_changes_nothing(k: int) -> None:
    rng = random.Random(4)
    for _ in range(50):
        hand = tuple(rng.sample(range(52), k))
        orbit = {relabelled(hand, suits) for suits in RELABELLINGS}
        assert canonical(hand) in orbit
        assert {canonical(other) for other in orbit} == {canonical(hand)}
        assert {class_rank(other) for other in orbit} == {class_rank(hand)}
        assert {orbit_size(other) for other in orbit} == {len(orbit)}


@pytest.mark.parametrize(("ranks", "k"), [(1, 2), (2, 3), (2, 8), (3, 0), (3, 3), (3, 6), (3, 9), (4, 5)])
def test_classes_of_a_small_deck_are_its_orbits(ranks: int, k: int) -> None:
    deck = [13 * suit + rank for suit in range(4) for rank in range(ranks)]
    orbits = {frozenset(relabelled(hand, suits) for suits in RELABELLINGS) for hand in combinations(deck, k)}
    listed = list(classes(k, ranks=ranks))
    assert len(listed) == len(orbits) == class_count(k, ranks=ranks)
    assert {(canonical(min(orbit), ranks=ranks), len(orbit)) for orbit in orbits} == set(listed)
    for index, (hand, _) in enumerate(listed):
        assert class_unrank(index, k, ranks=ranks) == hand
        assert class_rank(hand, ranks=ranks) == index


@pytest.mark.parametrize("function", [canonical, orbit_size, class_rank])
def test_hands_must_hold_distinct_cards_of_the_deck(function: Callable[..., object]) -> None:
    with pytest.raises(InputError, match="2s is named 2 times"):
        function([1, 0, 1])
    with pytest.raises(InputError, match="card 52 is not in a deck of 13 ranks"):
        function([0, 52])
    with pytest.raises(InputError, match="card -1 is not"):
        function([-1])
    with pytest.raises(InputError, match="card 12 is not in a deck of 9 ranks"):
        function([0, 12], ranks=9)


def test_class_index_hand_size_and_deck_must_be_in_range() -> None:
    with pytest.raises(InputError, match=r"rank 169 is not in 0\.\.168"):
        class_unrank(169, 2)
    with pytest.raises(InputError, match="rank -1 is not"):
        class_unrank(-1, 2)
    with pytest.raises(InputError, match="cannot choose 53 out of 52"):
        class_count(53)
    with pytest.raises(InputError, match="cannot choose 13 out of 12"):
        classes(13, ranks=3)
    with pytest.raises(InputError, match="1 to 13 ranks, not 14"):
        class_rank([0], ranks=14)
