"""How the cards that one player of Tonk holds shift the others' chances of a TONK (K4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod

from analysis.tonk.table import Table
from core.tonk.rules import TonkRules, card_value


@dataclass(frozen=True)
class Shift:
    """The chance that one other player holds a TONK, over all own hands of one total. Exact.

    hands
        the number of own hands of this total
    mean, least, most
        the chance on average over these hands, and its range
    least_hand, most_hand
        hands (card ids) that show the ends of the range
    """

    hands: int
    mean: Fraction
    least: Fraction
    most: Fraction
    least_hand: tuple[int, ...]
    most_hand: tuple[int, ...]


def shift_by_own_total(rules: TonkRules | None = None) -> dict[int, Shift]:
    """Return, by the own hand's total, what it does to another player's chance of a TONK. Exact.

    Hands count by their values alone, so two thousand cases stand for all hands.
    """
    rules = rules or TonkRules()
    classes = Table.seen(rules, 2, None, None).classes
    found: dict[int, list[tuple[Fraction, int, tuple[int, ...]]]] = {}
    for taken in _compositions([cards for _, cards in classes], rules.hand_size):
        hand = _hand(rules, {value: count for (value, _), count in zip(classes, taken, strict=True)})
        table = Table(rules, 2, hand, None, 0)
        chance = table.chance([total for total in table.hand_totals if rules.is_tonk(total)])
        hands = prod(comb(cards, count) for (_, cards), count in zip(classes, taken, strict=True))
        found.setdefault(table.total, []).append((chance, hands, hand))
    return {total: _summary(cases) for total, cases in sorted(found.items())}


def _compositions(sizes: list[int], cards: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to take `cards` cards from classes of these sizes, as numbers by class."""
    if not sizes:
        if cards == 0:
            yield ()
        return
    for taken in range(min(sizes[0], cards) + 1):
        for rest in _compositions(sizes[1:], cards - taken):
            yield (taken, *rest)


def _hand(rules: TonkRules, wanted: dict[int, int]) -> tuple[int, ...]:
    """Return a hand with so many cards of each value."""
    hand = []
    for card in rules.deck():
        if wanted[card_value(card)]:
            wanted[card_value(card)] -= 1
            hand.append(card)
    return tuple(hand)


def _summary(cases: list[tuple[Fraction, int, tuple[int, ...]]]) -> Shift:
    hands = sum(count for _, count, _ in cases)
    mean = sum((chance * count for chance, count, _ in cases), Fraction(0)) / hands
    least, most = min(cases), max(cases)
    return Shift(hands, mean, least[0], most[0], least[2], most[2])
