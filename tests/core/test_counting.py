"""Counting collections of disjoint hands: against enumeration of small decks and a reference on real ones."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb, factorial
from random import Random

import pytest

from core.counting import Sort, count_hands
from core.errors import TooMuchWorkError
from tests.reference import tonk_count

Classes = list[tuple[int, int]]  # (value, number of cards)
Counted = dict[tuple[int, ...], int]  # number of hands of each sort: number of collections


def enumerated(
    classes: Classes,
    hand_size: int,
    sorts: Sequence[tuple[Iterable[int], int]],
    *,
    least: int = 0,
    most: int | None = None,
) -> Counted:
    """Count the collections one by one; `sorts` are pairs of totals and the most hands of them."""
    values = [value for value, cards in classes for _ in range(cards)]
    hands = []
    for cards in combinations(range(len(values)), hand_size):
        total = sum(values[card] for card in cards)
        for sort, (totals, _) in enumerate(sorts):
            if total in totals:
                hands.append((sort, frozenset(cards)))

    counted: Counted = {}

    def add_hands(held: tuple[int, ...], candidates: list[tuple[int, frozenset[int]]]) -> None:
        number = sum(held)
        if number >= least and (most is None or number <= most):
            counted[held] = counted.get(held, 0) + 1
        # Each collection is reached once: its hands in the order of the list.
        for place, (sort, cards) in enumerate(candidates):
            if held[sort] < sorts[sort][1]:
                more = (*held[:sort], held[sort] + 1, *held[sort + 1 :])
                add_hands(more, [hand for hand in candidates[place + 1 :] if not hand[1] & cards])

    add_hands((0,) * len(sorts), hands)
    return counted


def counted(
    classes: Classes, hand_size: int, sorts: Sequence[tuple[Iterable[int], int]], **limits: int | None
) -> Counted:
    """Call the counting under test; a key with no collection may stand there as 0 or not at all."""
    sort_list = [Sort(frozenset(totals), most) for totals, most in sorts]
    result = count_hands(classes, hand_size, sort_list, **limits)
    return {held: collections for held, collections in result.items() if collections}


def split_totals(random: Random, totals: Iterable[int], sorts: int) -> list[set[int]]:
    """Give each total to one of the sorts or to none."""
    sets: list[set[int]] = [set() for _ in range(sorts)]
    for total in totals:
        owner = random.randrange(sorts + 1)
        if owner < sorts:
            sets[owner].add(total)
    return sets


def random_case(random: Random, hand_size: int, sorts: int):
    values = random.sample(range(1, 7), random.randint(2, 4))
    classes = [(value, random.randint(1, 3)) for value in values]
    totals = range(hand_size * min(values), hand_size * max(values) + 1)
    limits = [random.choice((0, 1, 1, 2, 3, 12)) for _ in range(sorts)]
    return classes, list(zip(split_totals(random, totals, sorts), limits, strict=True))


# Against enumeration


@pytest.mark.parametrize("sorts", [1, 2, 3])
@pytest.mark.parametrize("hand_size", [1, 2, 3])
def test_counts_of_random_small_decks_equal_enumeration(hand_size, sorts):
    random = Random(f"counting {hand_size} {sorts}")
    some = 0
    for _ in range(25):
        classes, sort_pairs = random_case(random, hand_size, sorts)
        least = random.choice((0, 0, 1, 2))
        most = random.choice((None, None, least, least + 1, 3))
        expected = enumerated(classes, hand_size, sort_pairs, least=least, most=most)
        case = (classes, sort_pairs, least, most)
        assert counted(classes, hand_size, sort_pairs, least=least, most=most) == expected, case
        some += len(expected) > 1
    assert some > 8  # the cases are not all empty


def test_counts_with_all_cards_in_hands_equal_enumeration():
    # Every hand is of some sort, so that complete partitions of the deck are counted too.
    classes = [(1, 3), (2, 2), (3, 2), (4, 2)]
    sorts = [(range(3, 8), 3), (range(8, 13), 3)]
    expected = enumerated(classes, 3, sorts)
    assert sum(n for held, n in expected.items() if sum(held) == 3) == factorial(9) // (factorial(3) ** 3 * 6)
    assert counted(classes, 3, sorts) == expected


def test_each_hand_size_of_a_deck_with_a_court_class_equals_enumeration():
    # Like the real deck in little: the last class is larger than the others.
    classes = [(1, 2), (2, 2), (3, 2), (4, 5)]
    for hand_size in range(1, 6):
        low, high = range(2 * hand_size + 1), range(4 * hand_size - 1, 4 * hand_size + 1)
        sorts = [(low, 2), (set(high) - set(low), 2)]
        assert counted(classes, hand_size, sorts) == enumerated(classes, hand_size, sorts), hand_size


# By hand


def test_one_pair_in_three_cards():
    # Cards 1, 1, 2 in hands of two: one hand totals 2, two total 3; no two hands are disjoint.
    assert counted([(1, 2), (2, 1)], 2, [({3}, 5)]) == {(0,): 1, (1,): 2}
    assert counted([(1, 2), (2, 1)], 2, [({2}, 1), ({3}, 1)]) == {(0, 0): 1, (1, 0): 1, (0, 1): 2}


def test_collections_are_unordered():
    # Two hands of one card from four: six pairs, not twelve.
    assert counted([(1, 4)], 1, [({1}, 2)]) == {(0,): 1, (1,): 4, (2,): 6}


def test_four_cards_split_into_two_pairs_in_three_ways():
    assert counted([(7, 4)], 2, [({14}, 9)])[2,] == 3


def test_only_the_empty_collection_where_no_hand_has_a_wanted_total():
    assert counted([(1, 4), (2, 4)], 3, [({99}, 4), (set(), 4)]) == {(0, 0): 1}
    assert counted([(1, 4), (2, 4)], 3, [({99}, 4)], least=1) == {}


def test_hand_larger_than_the_deck_gives_only_the_empty_collection():
    assert counted([(1, 2)], 3, [({3}, 1)]) == {(0,): 1}


def test_sort_of_which_no_hand_is_allowed_has_none():
    assert counted([(1, 2), (2, 2)], 1, [({1}, 0), ({2}, 2)]) == {(0, 0): 1, (0, 1): 2, (0, 2): 1}


def test_classes_without_cards_change_nothing():
    sorts = [({3, 4}, 2)]
    assert counted([(1, 3), (9, 0), (2, 2)], 2, sorts) == counted([(1, 3), (2, 2)], 2, sorts)


# What must not matter


def test_order_of_classes_does_not_matter():
    random = Random("order of classes")
    classes = [(value, cards) for value, cards in zip(tonk_count.VALUES, tonk_count.CARDS, strict=True)]
    sorts = [(range(14), 3), (range(48, 51), 3)]
    expected = counted(classes, 5, sorts)
    for _ in range(3):
        random.shuffle(classes)
        assert counted(classes, 5, sorts) == expected


def test_order_of_sorts_only_reorders_the_keys():
    classes = [(1, 3), (2, 3), (3, 3), (4, 3)]
    sorts = [({3, 4}, 1), ({6, 7}, 2), ({11}, 3)]
    turned = counted(classes, 3, [sorts[2], sorts[0], sorts[1]])
    assert {(b, c, a): n for (a, b, c), n in turned.items()} == counted(classes, 3, sorts)


def test_class_may_be_given_in_two_parts():
    sorts = [({4, 5}, 2), ({7}, 2)]
    assert counted([(1, 2), (3, 3), (1, 1), (2, 3)], 3, sorts) == counted([(1, 3), (2, 3), (3, 3)], 3, sorts)


def test_limits_of_a_sort_and_of_all_hands_only_leave_collections_out():
    classes = [(1, 3), (2, 3), (3, 3), (4, 3)]
    totals = [{3, 4, 5}, {9, 10}]
    everything = counted(classes, 3, [(totals[0], 4), (totals[1], 4)])
    assert max(map(sum, everything)) == 4
    for low, high, least, most in ((1, 4, 0, 4), (2, 1, 0, 3), (4, 4, 2, 3), (3, 2, 4, 4), (4, 4, 0, 0)):
        left = {(a, b): n for (a, b), n in everything.items() if a <= low and b <= high and least <= a + b <= most}
        assert counted(classes, 3, [(totals[0], low), (totals[1], high)], least=least, most=most) == left


def test_default_limits_are_no_hand_and_no_upper_bound():
    classes, sorts = [(1, 4), (2, 4)], [({2, 3, 4}, 4)]
    assert counted(classes, 2, sorts) == counted(classes, 2, sorts, least=0, most=4)


# Against the reference, on real decks


def tonk_sorts(low: int | None, high: int | None, hand_size: int, most: int) -> list[tuple[range, int]]:
    """One sort for each side of TONK that is not switched off."""
    sides = []
    if low is not None:
        sides.append((range(low + 1), most))
    if high is not None:
        sides.append((range(high, 10 * hand_size + 1), most))
    return sides


def classes_of(cards: tonk_count.Counts) -> Classes:
    return list(zip(tonk_count.VALUES, cards, strict=True))


def assert_equals_reference(low, high, hand_size, cards, most):
    """Ordered deals to k given players are k! times the unordered collections of k hands."""
    deals = tonk_count.tonk_deals(low, high, hand_size)
    expected = [deals(hands, cards) for hands in range(most + 1)]
    found = [0] * (most + 1)
    sides = tonk_sorts(low, high, hand_size, most)
    for held, collections in counted(classes_of(cards), hand_size, sides, most=most).items():
        found[sum(held)] += factorial(sum(held)) * collections
    assert found == expected

    # One sort for both sides gives the same.
    both = [(set().union(*(totals for totals, _ in sides)), most)]
    assert counted(classes_of(cards), hand_size, both, most=most) == {
        (hands,): deals // factorial(hands) for hands, deals in enumerate(expected) if deals
    }


@pytest.mark.parametrize(
    ("low", "high", "hand_size", "most"),
    [
        (15, 49, 5, 5),
        (12, None, 5, 6),
        (None, 47, 5, 6),
        (20, 48, 5, 2),
        (15, 49, 3, 3),
        (15, 49, 4, 3),
        (15, 49, 6, 2),
        (12, None, 3, 3),
        (None, 47, 6, 2),
        (8, 29, 3, 3),
        (None, 27, 3, 3),
        (9, 39, 4, 4),
        (12, None, 4, 4),
        (15, 59, 6, 4),
        (12, None, 6, 5),
        (None, 58, 6, 5),
    ],
)
def test_counts_of_the_real_deck_equal_reference(low, high, hand_size, most):
    assert_equals_reference(low, high, hand_size, tonk_count.deck(), most)


REMOVED = [
    (1, 0, 0, 2, 0, 1, 0, 0, 0, 2),
    (0, 0, 0, 0, 0, 0, 0, 0, 1, 5),
    (4, 3, 1, 0, 0, 0, 0, 0, 0, 0),
    (0, 0, 0, 0, 4, 0, 2, 0, 4, 16),
]


@pytest.mark.parametrize("removed", REMOVED, ids=str)
@pytest.mark.parametrize(("low", "high"), [(15, 49), (12, None), (None, 47)])
def test_counts_with_cards_removed_equal_reference(low, high, removed):
    assert_equals_reference(low, high, 5, tonk_count.deck(removed=removed), 4)


@pytest.mark.parametrize(
    ("low", "high", "hand_size", "most"),
    [(15, 49, 5, 3), (12, None, 5, 4), (None, 47, 5, 5), (9, 39, 4, 3), (None, 59, 6, 4)],
)
def test_counts_of_two_decks_equal_reference(low, high, hand_size, most):
    removed = (0, 1, 0, 0, 3, 0, 0, 0, 0, 2)
    assert_equals_reference(low, high, hand_size, tonk_count.deck(2), most)
    assert_equals_reference(low, high, hand_size, tonk_count.deck(2, removed), most)


def test_no_more_than_eight_hands_of_the_deck_are_tonk():
    # Four low hands take the 20 lowest cards, total 60; four high ones take all the tens. No side has five.
    sides = [(range(16), 10), (range(49, 51), 10)]
    result = counted(classes_of(tonk_count.deck()), 5, sides, most=10)
    assert max(low for low, _ in result) == 4
    assert max(high for _, high in result) == 4
    assert (4, 4) in result
    # Those low hands take no card above 5 and a high hand none below 9: the sides are independent.
    assert result[4, 4] == result[4, 0] * result[0, 4]


def test_single_hands_are_the_known_numbers():
    # 3371/324870 of the comb(52, 5) hands have TONK, 383/64974 by the low total.
    one = counted(classes_of(tonk_count.deck()), 5, [(range(16), 1), (range(49, 51), 1)], least=1, most=1)
    assert one[1, 0] == comb(52, 5) * 383 // 64974
    assert sum(one.values()) == comb(52, 5) * 3371 // 324870


def test_all_hands_together_are_every_way_to_deal_two_hands():
    # Sorts that cover all totals: nothing is lost between them.
    covering = [(range(20), 2), (range(20, 40), 2), (range(40, 51), 2)]
    pairs = counted(classes_of(tonk_count.deck()), 5, covering, least=2, most=2)
    assert sum(pairs.values()) == comb(52, 5) * comb(47, 5) // 2


# The bound of work


def test_too_much_work_is_refused():
    sides = [Sort(frozenset(range(16)), 4), Sort(frozenset({49, 50}), 4)]
    with pytest.raises(TooMuchWorkError):
        count_hands(classes_of(tonk_count.deck()), 5, sides, max_steps=10)


def test_bound_of_work_does_not_change_a_count_that_stays_below_it():
    classes, sorts = classes_of(tonk_count.deck()), [(range(16), 2)]
    assert counted(classes, 5, sorts, max_steps=10**7) == counted(classes, 5, sorts)
