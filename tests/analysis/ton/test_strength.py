"""Open-cards strength: the deals of each kind, solved one by one."""

import numpy as np
import pytest

from analysis.ton import TonRules
from analysis.ton.strength import POOL, strength_by_top_trump, strength_by_trumps
from core.deals import sample_hands
from core.errors import InputError
from core.ton.position import Position
from core.ton.rules import DECK
from core.ton.solver import solve
from core.ton.tricks import strength, suit_of

HANDS = 60


def eldests_tricks(players, rules, kind, seed):
    """Yield the tricks of the eldest in the first HANDS deals of which `kind` of his trumps holds."""
    found = 0
    for cards in sample_hands(DECK, [5] * players + [1], POOL, seed=seed)[:20_000].tolist():
        hands = tuple(tuple(cards[5 * seat : 5 * seat + 5]) for seat in range(players))
        trumps = [card for card in hands[0] if suit_of(card) == suit_of(cards[-1])]
        if kind(trumps) and found < HANDS:
            found += 1
            yield solve(Position(hands, suit_of(cards[-1]), 0), rules)[0]


@pytest.mark.parametrize(("players", "options"), [(2, {}), (4, {"must_beat": "free"})])
def test_means_are_those_of_the_deals_solved_one_by_one(players, options):
    rules = TonRules(**options)
    by_trumps = strength_by_trumps(players, rules, hands=HANDS, seed=3)
    assert list(by_trumps) == list(range(6))
    for trumps in (0, 2):
        tricks = list(eldests_tricks(players, rules, lambda held, k=trumps: len(held) == k, 3))
        assert by_trumps[trumps].n == HANDS
        assert by_trumps[trumps].value == pytest.approx(np.mean(tricks))
        assert by_trumps[trumps].se == pytest.approx(np.std(tricks, ddof=1) / HANDS**0.5)
    by_top = strength_by_top_trump(players, 2, rules, hands=HANDS, seed=3)
    # Two trumps cannot be topped by the six.
    assert list(by_top) == list(range(5, 13))
    tricks = list(eldests_tricks(players, rules, lambda held: len(held) == 2 and max(map(strength, held)) == 12, 3))
    assert by_top[12].value == pytest.approx(np.mean(tricks))


def test_wrong_questions_are_refused():
    with pytest.raises(InputError, match="7 players"):
        strength_by_trumps(7, hands=10)
    with pytest.raises(InputError, match="1 hands are too few"):
        strength_by_trumps(2, hands=1)
