"""The abstraction of the game of two: which decisions a solver takes for the same, and which cards it considers.

What a player knows is cut down to this, and numbered (`Choice.key`):

- the seat and the phase; whether the eldest refused, kept a card or used the trumpless right; whether the player, and
  whether the other, has taken a trick;
- for each suit his number of cards in it, and the class of its highest, second and lowest card: how many higher cards
  of the suit the other may hold, 0, 1, 2, 3 or 4, more; one class of its own says that he can hold none of the suit.
  What the other may hold takes account of all that the player has seen, of suits not followed, of cards not beaten and
  tricks not trumped (T10). Suits but trump have no names: they stand in the order of these codes;
- how many trumps the other may hold: 0, 1 or 2, more; for the eldest whether the dealer may still have the trump card
  that he has shown, and how many of his own trumps beat it.

Of equal choices only the best are considered: to keep the highest trump or the highest other card; to fetch the highest
card; to discard the lowest card of a suit; to lead the highest or the lowest card of a suit, if they are not of one
class; to follow with the lowest card of a suit, or the lowest that takes the trick.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.ton.rules import DECK
from core.ton.state import Action, State, known
from core.ton.tricks import beats, strength, suit_of

# Phases, and what the eldest did with the talon, by number.
BUY, DISCARD, DECLARE, LEAD, FOLLOW = range(5)
PHASES = {"buy": BUY, "discard": DISCARD, "declare": DECLARE}
UNDECIDED, REFUSED, KEPT, RIGHT = range(4)
# Classes of a card by the number of higher cards that the other may hold; and the class of a suit that he cannot hold.
CLASSES = (0, 1, 2, 3, 3, 4)
NONE_OUT = 5
KINDS = 6
# The most cards of a suit that are told apart, the number of suit codes, and the most choices that are considered.
MOST_LENGTH = 7
SUIT_CODES = 2048
MOST_CHOICES = 8


class Choice(NamedTuple):
    """The actions that are considered, in an order that the key fixes, and the key; 0 where there is but one."""

    key: int
    actions: tuple[Action, ...]


def choice(view: State, actions: Sequence[Action]) -> Choice:
    """Return what the player to act considers, from what he sees and his legal actions."""
    assert view.seat is not None
    hand, out = view.hands[view.seat], may_hold(view)
    suits = suit_order(hand, out, view.trump)
    considered = _considered(view, actions, hand, out, suits)
    return Choice(_key(view, hand, out, suits, considered) if len(considered) > 1 else 0, considered)


def may_hold(view: State) -> frozenset[int]:
    """Return the cards that the other may hold, as far as the player to act knows."""
    seat = view.seat
    assert seat is not None
    gone = {*view.hands[seat], *view.shown, *known(view.stock), *known(view.aside)}
    gone |= {card for trick in (*view.tricks, view.trick) for _, card in trick}
    if view.discard is not None:
        gone |= {*known([view.discard])}
    if view.rules.trump_card == "stays":
        gone.add(view.trump_card)
    out = {card for card in DECK if card not in gone}
    for (leader, led), (_, reply) in view.tricks:
        if leader != seat:
            continue
        if suit_of(reply) == suit_of(led):
            if view.rules.must_beat != "free" and not beats(reply, led, view.trump):
                out -= {card for card in out if suit_of(card) == suit_of(led) and strength(card) > strength(led)}
        else:
            out -= {card for card in out if suit_of(card) in (suit_of(led), *_not_trumped(reply, view.trump))}
    return frozenset(out)


def _not_trumped(reply: int, trump: int | None) -> tuple[int | None, ...]:
    """Return the trump suit if a card that does not follow is no trump: he has none."""
    return () if suit_of(reply) == trump else (trump,)


def suit_order(hand: Sequence[int], out: frozenset[int], trump: int | None) -> tuple[int, ...]:
    """Return the suits in the order of the key: trump, then the others by falling code."""
    codes = [suit_code(hand, out, suit) for suit in range(4)]
    return tuple(sorted(range(4), key=lambda suit: (suit != trump, -codes[suit], suit)))


def suit_code(hand: Sequence[int], out: frozenset[int], suit: int) -> int:
    """Return the code of what a player has of a suit, 0 for nothing: length, then three classes."""
    cards = _of_suit(hand, suit)
    if not cards:
        return 0
    top = card_class(cards[0], out)
    second = card_class(cards[1], out) if len(cards) > 1 else 0
    last = card_class(cards[-1], out) if len(cards) > 2 else 0
    return 1 + (((min(len(cards), MOST_LENGTH) - 1) * KINDS + top) * KINDS + second) * KINDS + last


def card_class(card: int, out: frozenset[int]) -> int:
    """Return the class of a card that the player holds."""
    suit = [other for other in out if suit_of(other) == suit_of(card)]
    higher = sum(strength(other) > strength(card) for other in suit)
    return CLASSES[min(higher, len(CLASSES) - 1)] if suit else NONE_OUT


def _considered(
    view: State, actions: Sequence[Action], hand: Sequence[int], out: frozenset[int], suits: Sequence[int]
) -> tuple[Action, ...]:
    cards = [action.card for action in actions if action.card is not None]
    match view.phase:
        case "buy":
            parts = ([c for c in hand if suit_of(c) == view.trump], [c for c in hand if suit_of(c) != view.trump])
            kept = tuple(Action("keep", max(part, key=_height)) for part in parts if part)
            return (actions[0], *kept, *(action for action in actions if action.word == "trumpless"))
        case "fetch":
            return (Action("fetch", max(cards, key=_height)),)
        case "discard":
            return tuple(Action("discard", _of_suit(hand, suit)[-1]) for suit in suits if _of_suit(hand, suit))
        case "play" if not view.trick:
            return tuple(Action("card", card) for suit in suits for card in _ends(_of_suit(hand, suit), out))
        case "play":
            led = view.trick[0][1]
            found: list[int] = []
            for suit in suits:
                legal = _of_suit(cards, suit)
                winning = [card for card in legal if beats(card, led, view.trump)]
                found += dict.fromkeys((*legal[-1:], *winning[-1:]))
            return tuple(Action("card", card) for card in found)
        case _:
            return tuple(actions)


def _ends(cards: Sequence[int], out: frozenset[int]) -> tuple[int, ...]:
    """Return the highest and the lowest of a suit's cards, only the highest where they are of one class."""
    if not cards or card_class(cards[0], out) == card_class(cards[-1], out):
        return tuple(cards[:1])
    return (cards[0], cards[-1])


def _key(
    view: State, hand: Sequence[int], out: frozenset[int], suits: Sequence[int], considered: Sequence[Action]
) -> int:
    seat = view.seat
    assert seat is not None
    phase = PHASES.get(view.phase, FOLLOW if view.trick else LEAD)
    taken = 2 * (seat in view.taken) + (1 - seat in view.taken)
    trumps_out = sum(suit_of(card) == view.trump for card in out)
    # The suit that is to be followed by one of several cards.
    led = 0
    if view.trick and suit_of(considered[0].card or 0) == suit_of(view.trick[0][1]):
        led = 1 + suits.index(suit_of(view.trick[0][1]))
    key = ((seat * 5 + phase) * 4 + _talon(view)) * 4 + taken
    key = ((key * 3 + (trumps_out > 0) + (trumps_out > 2)) * 4 + _shown_trump(view, hand, out)) * 5 + led
    for suit in suits:
        key = key * SUIT_CODES + suit_code(hand, out, suit)
    return key


def _talon(view: State) -> int:
    """Return what the eldest did with the talon."""
    if view.buyer is not None:
        return RIGHT if view.trumpless else KEPT
    early = view.phase == "discard" and view.rules.dealer_discard == "before_buy_in"
    return UNDECIDED if early or view.phase == "buy" else REFUSED


def _shown_trump(view: State, hand: Sequence[int], out: frozenset[int]) -> int:
    """Return 0 unless the dealer may hold the trump card that he has shown; else 1, 2, 3: 0, 1, more trumps beat it."""
    if view.seat == view.dealer or view.trump_card not in out:
        return 0
    return 1 + min(2, sum(beats(card, view.trump_card, view.trump) for card in hand if suit_of(card) == view.trump))


def _of_suit(cards: Iterable[int], suit: int) -> list[int]:
    """Return the cards of a suit, the highest first."""
    return sorted((card for card in cards if suit_of(card) == suit), key=strength, reverse=True)


def _height(card: int) -> tuple[int, int]:
    return strength(card), -card
