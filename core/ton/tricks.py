"""Tricks: which cards may be played to one, and which card takes it (T10).

A trick is the cards played to it so far, in order; the first one is the led card. `trump` is a suit 0..3, or None in a
bid of five, where no suit is trump (T13).
"""

from collections.abc import Sequence

from core.ton.rules import TonRules

# The strength of a six.
LOWEST = 4


def suit_of(card: int) -> int:
    """Return the card's suit: 0..3 for s h d c."""
    return card // 13


def strength(card: int) -> int:
    """Return the card's place in its suit: six 4, up to king 11 and ace 12 (T1)."""
    return (card - 1) % 13


def beats(card: int, best: int, trump: int | None) -> bool:
    """Tell whether a card played after `best`, which has been winning the trick, takes the trick over (T10)."""
    if suit_of(card) == suit_of(best):
        return strength(card) > strength(best)
    return suit_of(card) == trump


def winner(trick: Sequence[int], trump: int | None) -> int:
    """Return the place of the card that is winning the trick: the highest trump, else the highest of the led suit.

    >>> from core.cards import parse_cards
    >>> winner(parse_cards("10h Ah 6s Kd"), trump=0), winner(parse_cards("10h Ah 6s Kd"), trump=None)
    (2, 1)
    """
    best = 0
    for place in range(1, len(trick)):
        if beats(trick[place], trick[best], trump):
            best = place
    return best


def legal_cards(hand: Sequence[int], trick: Sequence[int], trump: int | None, rules: TonRules) -> tuple[int, ...]:
    """Return the cards of the hand, in its order, that may be played to the trick (T10, `must_beat`, `must_overtrump`).

    As written, a card is owed that is higher than the *led* card, even if a better card or a trump lies already.

    >>> from core.cards import format_cards, parse_cards
    >>> hand, trick = parse_cards("6h Qh Ah 7s"), parse_cards("10h Kh 8s")
    >>> format_cards(legal_cards(hand, trick, 0, TonRules()))
    'Qh Ah'
    """
    if not trick:
        return tuple(hand)
    led = trick[0]
    following = tuple(card for card in hand if suit_of(card) == suit_of(led))
    if following:
        return _must_beat(following, trick, trump, rules)
    trumps = tuple(card for card in hand if suit_of(card) == trump)
    if trumps and rules.must_overtrump == "yes":
        return _higher(trumps, trick[winner(trick, trump)], trump)
    return trumps or tuple(hand)


def _must_beat(following: tuple[int, ...], trick: Sequence[int], trump: int | None, rules: TonRules) -> tuple[int, ...]:
    """Leave of the cards of the led suit those that `must_beat` owes."""
    if rules.must_beat == "free":
        return following
    target = trick[0] if rules.must_beat == "led" else trick[winner(trick, trump)]
    # Under `best`, once the trick is trumped no card of the led suit can beat it, and any of them will do.
    return _higher(following, target, trump)


def _higher(cards: tuple[int, ...], target: int, trump: int | None) -> tuple[int, ...]:
    """Return the cards that beat the target, or all of them if none does."""
    return tuple(card for card in cards if beats(card, target, trump)) or cards
