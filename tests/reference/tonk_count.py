"""Reference: joint TONK hands (K4), counted by the straightforward memoised recursion over players.

It is the yardstick for both correctness and speed of the project's counting, so it shares no code with it.
A deck is told by its value classes only: how many cards count 1, 2, …, 10.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from math import comb

VALUES = range(1, 11)
CARDS = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)  # ten, jack, queen and king all count 10
NOTHING_REMOVED = (0,) * 10

Counts = tuple[int, ...]  # cards of each value class


def deck(decks: int = 1, removed: Counts = NOTHING_REMOVED) -> Counts:
    """Return how many cards of each value class the deck holds, once the seen cards are removed."""
    return tuple(decks * cards - gone for cards, gone in zip(CARDS, removed, strict=True))


def tonk_hands(low: int | None, high: int | None, hand_size: int) -> list[Counts]:
    """List the value compositions of a TONK hand: how many cards of each value class it uses."""
    hands: list[Counts] = []

    def extend(hand: Counts, left: int, total: int) -> None:
        if len(hand) == len(VALUES):
            is_tonk = (low is not None and total <= low) or (high is not None and total >= high)
            if left == 0 and is_tonk:
                hands.append(hand)
            return
        value = VALUES[len(hand)]
        for cards in range(left + 1):
            extend((*hand, cards), left - cards, total + cards * value)

    extend((), hand_size, 0)
    return hands


def tonk_deals(low: int | None, high: int | None, hand_size: int) -> Callable[[int, Counts], int]:
    """Return a function that counts the ways to deal TONK hands to `left` players; its cache is its own."""
    hands = [[(value, drawn) for value, drawn in enumerate(hand) if drawn] for hand in tonk_hands(low, high, hand_size)]

    @cache
    def deals(left: int, remaining: Counts) -> int:
        if left == 0:
            return 1
        ways = 0
        for hand in hands:
            this_hand = 1
            after = list(remaining)
            for value, drawn in hand:
                if drawn > after[value]:
                    break
                this_hand *= comb(after[value], drawn)
                after[value] -= drawn
            else:
                ways += this_hand * deals(left - 1, tuple(after))
        return ways

    return deals


def all_deals(players: int, cards: int, hand_size: int) -> int:
    """Return the number of ways to deal any hands to so many players in turn."""
    ways = 1
    for player in range(players):
        ways *= comb(cards - player * hand_size, hand_size)
    return ways


def table(
    players: Iterable[int],
    low: int | None,
    high: int | None,
    *,
    hand_size: int = 5,
    decks: int = 1,
    removed: Counts = NOTHING_REMOVED,
) -> dict[int, list[Fraction]]:
    """Return, for each number of players, the chances of exactly 0, 1, … players with TONK."""
    deals = tonk_deals(low, high, hand_size)
    full = deck(decks, removed)

    @cache
    def all_of(given: int) -> Fraction:
        """Return the chance that so many given players all have TONK."""
        return Fraction(deals(given, full), all_deals(given, sum(full), hand_size))

    return {
        number: [
            sum(
                ((-1) ** (i - j) * comb(i, j) * comb(number, i) * all_of(i) for i in range(j, number + 1)),
                Fraction(0),
            )
            for j in range(number + 1)
        ]
        for number in players
    }


def exactly(
    players: int,
    low: int | None,
    high: int | None,
    *,
    hand_size: int = 5,
    decks: int = 1,
    removed: Counts = NOTHING_REMOVED,
) -> list[Fraction]:
    """Return the chances of exactly 0, 1, …, `players` TONK hands, by inclusion and exclusion."""
    return table([players], low, high, hand_size=hand_size, decks=decks, removed=removed)[players]


def single(
    low: int | None,
    high: int | None,
    *,
    hand_size: int = 5,
    decks: int = 1,
    removed: Counts = NOTHING_REMOVED,
) -> Fraction:
    """Return the chance that one given player has TONK."""
    full = deck(decks, removed)
    return Fraction(tonk_deals(low, high, hand_size)(1, full), comb(sum(full), hand_size))
