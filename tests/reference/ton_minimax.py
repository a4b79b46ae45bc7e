"""Ton with open cards by brute force, from the text of T9 and T10: lists of card names, every legal card tried.

No table, no ordering, no bound: only the rules. Cards are names such as "10h"; `trump` is a letter or None.
"""

from collections.abc import Callable

Hands = list[list[str]]
ORDER = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def higher(card: str, than: str) -> bool:
    return card[-1] == than[-1] and ORDER.index(card[:-1]) > ORDER.index(than[:-1])


def taker(trick: list[str], trump: str | None) -> int:
    """The place of the highest trump, else of the highest card of the led suit."""
    suit = trump if any(card[-1] == trump for card in trick) else trick[0][-1]
    return max(
        (place for place, card in enumerate(trick) if card[-1] == suit),
        key=lambda place: ORDER.index(trick[place][:-1]),
    )


def allowed(hand: list[str], trick: list[str], trump: str | None, must_beat: str, must_overtrump: str) -> list[str]:
    """What T10 lets a player play, with the two options."""
    if not trick:
        return hand
    led, best = trick[0], trick[taker(trick, trump)]
    of_suit = [card for card in hand if card[-1] == led[-1]]
    trumps = [card for card in hand if card[-1] == trump]
    owed: list[str] = []
    if of_suit:
        if must_beat == "led":
            owed = [card for card in of_suit if higher(card, led)]
        if must_beat == "best":
            owed = [card for card in of_suit if higher(card, best)]
        return owed or of_suit
    if must_overtrump == "yes":
        owed = [card for card in trumps if higher(card, best)]
    return owed or trumps or hand


def forced(
    hands: Hands, trump: str | None, leader: int, trick: list[str], me: int, must_beat: str, must_overtrump: str
) -> int:
    """The tricks that `me` takes, from the present one on, if he wants most of them and all others want him least."""

    def after(hands: Hands, leader: int, trick: list[str]) -> int:
        if len(trick) == len(hands):
            takes = (leader + taker(trick, trump)) % len(hands)
            return (takes == me) + after(hands, takes, [])
        seat = (leader + len(trick)) % len(hands)
        if not hands[seat]:
            return 0
        results = []
        for card in allowed(hands[seat], trick, trump, must_beat, must_overtrump):
            rest = [[held for held in hand if held != card] for hand in hands]
            results.append(after(rest, leader, [*trick, card]))
        best: Callable[[list[int]], int] = max if seat == me else min
        return best(results)

    return after(hands, leader, trick)


def selfish(
    hands: Hands, trump: str | None, leader: int, trick: list[str], must_beat: str, must_overtrump: str
) -> list[int]:
    """The tricks of each seat if each wants most for itself, and of equal cards plays the first: s h d c, low first."""
    if len(trick) == len(hands):
        takes = (leader + taker(trick, trump)) % len(hands)
        found = selfish(hands, trump, takes, [], must_beat, must_overtrump)
        found[takes] += 1
        return found
    seat = (leader + len(trick)) % len(hands)
    if not hands[seat]:
        return [0] * len(hands)
    cards = allowed(hands[seat], trick, trump, must_beat, must_overtrump)
    best: list[int] = []
    for card in sorted(cards, key=lambda card: ("shdc".index(card[-1]), ORDER.index(card[:-1]))):
        rest = [[held for held in hand if held != card] for hand in hands]
        found = selfish(rest, trump, leader, [*trick, card], must_beat, must_overtrump)
        if not best or found[seat] > best[seat]:
            best = found
    return best
