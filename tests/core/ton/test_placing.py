"""Cards put into places: as many ways as brute force finds, each drawn equally often, and never another one."""

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2

from core.rng import random_words
from core.ton.placing import Place, Placing


def all_ways(cards: frozenset[int], places: list[Place]) -> list[tuple[frozenset[int], ...]]:
    if not places:
        return [()]
    place, *rest = places
    return [
        (frozenset(here), *others)
        for here in combinations(sorted(cards), place.size)
        if place.allowed.issuperset(here)
        for others in all_ways(cards - frozenset(here), rest)
    ]


def random_places(chance: random.Random) -> tuple[frozenset[int], list[Place]]:
    sizes = [chance.randint(0, 3) for _ in range(chance.randint(1, 4))]
    cards = frozenset(chance.sample(range(36), sum(sizes)))
    kinds = [frozenset(card for card in cards if chance.random() < 0.7) for _ in range(2)]
    return cards, [Place(size, chance.choice([cards, cards, *kinds])) for size in sizes]


def test_ways_are_those_of_brute_force_and_equally_likely():
    chance = random.Random(3)
    distance = freedom = none = 0.0
    for number in range(60):
        cards, places = random_places(chance)
        ways = all_ways(cards, places)
        placing = Placing(sorted(cards), places)
        assert placing.ways == pytest.approx(len(ways), rel=1e-12)
        if not ways or len(ways) > 400:
            none += not ways
            continue
        draws = 20 * len(ways)
        drawn = placing.draw(random_words(7, 0, number * 100_000, draws, (placing.words_needed + 3) // 4))
        found = Counter(tuple(frozenset(cards[i].tolist()) for cards in drawn) for i in range(draws))
        assert set(found) <= set(ways)
        distance += sum((found[way] - 20) ** 2 / 20 for way in ways)
        freedom += len(ways) - 1
    assert none > 3
    assert freedom > 500
    assert distance < chi2.isf(1e-6, freedom)


def test_counts_of_the_largest_deals_are_right():
    """Six players, of whom five may each not hold another card: by hand for places that exclude no card in common."""
    cards = list(range(30))
    places = [Place(4, frozenset(cards) - {seat}) for seat in range(5)] + [Place(10, frozenset(cards))]
    drawn = Placing(cards, places).draw(random_words(1, 0, 0, 1000, 15))
    assert [part.shape for part in drawn] == [(1000, 4)] * 5 + [(1000, 10)]
    assert all(seat not in drawn[seat] for seat in range(5))
    assert (np.sort(np.concatenate(drawn, axis=1), axis=1) == cards).all()
