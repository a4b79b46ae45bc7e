"""The abstraction of the game of two as kernels: the choices and keys of `core.ton.abstraction`, on sets of cards."""

import numpy as np

from core.jit import inlined, kernel
from core.ton.abstraction import (
    BUY,
    CLASSES,
    DECLARE,
    DISCARD,
    FOLLOW,
    KINDS,
    LEAD,
    MOST_LENGTH,
    NONE_OUT,
    SUIT_CODES,
)
from core.ton.codes import Codes
from core.ton.following import beating_cards, legal_mask
from core.ton.heads_up_moves import (
    BOUGHT,
    FOLD,
    HAND,
    LED,
    OUT,
    OVER,
    PHASE,
    PLAY,
    REFUSE,
    TRUMPS,
    UP,
    USE_RIGHT,
    WON,
    may_use_right,
    to_act,
)
from core.ton.masks import HIGHER, ONE, SUIT_OF, ZERO, Masks, count, highest

# A suit's cards as nine bits by rank, the six lowest; by such a set, its lowest and its highest bit.
_RANKS, _ACE, _WHOLE = np.uint64(9), np.uint64(8), np.uint64(511)
_LOWEST: Masks = np.array([max((ranks & -ranks).bit_length() - 1, 0) for ranks in range(512)], np.uint64)
_HIGHEST: Masks = np.array([max(ranks.bit_length() - 1, 0) for ranks in range(512)], np.uint64)
# A card's class by the number of higher cards that the other may hold.
_CLASS: Masks = np.array([CLASSES[min(higher, len(CLASSES) - 1)] for higher in range(10)], np.uint64)
_TWO, _SUITS = np.uint64(2), 4
_KINDS, _NONE_OUT, _MOST_LENGTH, _SUIT_CODES = map(np.uint64, (KINDS, NONE_OUT, MOST_LENGTH, SUIT_CODES))
_FACTOR_2, _FACTOR_3, _FACTOR_4, _FACTOR_5 = map(np.uint64, (2, 3, 4, 5))


@inlined
def _by_rank(cards: np.uint64, suit: np.uint64) -> np.uint64:
    """Return a suit's cards by rank; in DECK the ace is a suit's first."""
    here = (cards >> (_RANKS * suit)) & _WHOLE
    return (here >> ONE) | ((here & ONE) << _ACE)


@inlined
def _place(rank: np.uint64, suit: np.uint64) -> np.uint64:
    """Return the place in DECK of a suit's card."""
    return np.uint64(_RANKS * suit + (ZERO if rank == _ACE else rank + ONE))


@inlined
def _class(rank: np.uint64, out: np.uint64) -> np.uint64:
    """Return the class of a card by its rank, and what the other may hold of its suit."""
    return np.uint64(_CLASS[count(out >> (rank + ONE))] if out else _NONE_OUT)


@kernel
def _suit_code(own: np.uint64, out: np.uint64) -> np.uint64:
    """Return the code of what a player has of a suit."""
    if own == ZERO:
        return ZERO
    length = count(own)
    top = np.uint64(_HIGHEST[own])
    second = last = ZERO
    if length > ONE:
        second = _class(np.uint64(_HIGHEST[own ^ (ONE << top)]), out)
    if length > _TWO:
        last = _class(np.uint64(_LOWEST[own]), out)
    length = min(length, _MOST_LENGTH)
    return np.uint64(ONE + (((length - ONE) * _KINDS + _class(top, out)) * _KINDS + second) * _KINDS + last)


@kernel
def consider(states: Masks, row: int, actions: Masks, order: Masks, rules: Codes) -> tuple[int, np.uint64]:
    """Fill row `row` of `actions` with what the player to act considers; return their number, and the key.

    At the end there is none; the key is 0 where there is but one. `order` is room for the four suits and their codes.
    """
    phase = states[row, PHASE]
    if phase == OVER:
        return 0, ZERO
    seat = to_act(states, row)
    hand, out = states[row, HAND + seat], states[row, OUT + seat]
    if phase == FOLLOW and not _has_choice(states, row, hand, rules):
        actions[row, 0] = _only_card(states, row, hand, rules)
        return 1, ZERO
    _order_suits(order, hand, out, np.uint64(states[row, UP] // _RANKS))
    found = 0
    if phase == BUY:
        found = _buys(states, row, actions, hand, rules)
    elif phase == DECLARE:
        actions[row, 0], actions[row, 1] = PLAY, FOLD
        found = 2
    elif phase == LEAD:
        found = _leads(row, actions, order, hand, out)
    elif phase == DISCARD:
        found = _lowest_cards(row, actions, order, hand, ZERO)
    else:
        found = _replies(states, row, actions, order, hand, rules)
    if found < 2:
        return found, ZERO
    return found, _key(states, row, seat, actions, order, hand, out)


@kernel
def _order_suits(order: Masks, hand: np.uint64, out: np.uint64, trump: np.uint64) -> None:
    """Put the trump suit first, then the others by falling code; of equal ones the first in the order s h d c."""
    order[0] = trump
    order[_SUITS] = _suit_code(_by_rank(hand, trump), _by_rank(out, trump))
    filled = 1
    for number in range(_SUITS):
        suit = np.uint64(number)
        if suit == trump:
            continue
        code = _suit_code(_by_rank(hand, suit), _by_rank(out, suit))
        place = filled
        while place > 1 and order[_SUITS + place - 1] < code:
            order[place], order[_SUITS + place] = order[place - 1], order[_SUITS + place - 1]
            place -= 1
        order[place], order[_SUITS + place] = suit, code
        filled += 1


@inlined
def legal_replies(states: Masks, row: int, hand: np.uint64, rules: Codes) -> np.uint64:
    """Return the cards that may follow (T10)."""
    led, trumps = states[row, LED], states[row, TRUMPS]
    return legal_mask(hand, np.uint64(SUIT_OF[led]), np.uint64(HIGHER[led]), beating_cards(led, trumps), trumps, rules)


@inlined
def _has_choice(states: Masks, row: int, hand: np.uint64, rules: Codes) -> bool:
    """Tell whether legal replies are of several suits, or some of a suit take the trick and lower ones do not."""
    legal, led = legal_replies(states, row, hand, rules), states[row, LED]
    beating = legal & beating_cards(led, states[row, TRUMPS])
    first = np.uint64(SUIT_OF[highest(legal)])
    return bool(legal & ~first) or (beating != ZERO and beating != legal)


@inlined
def _only_card(states: Masks, row: int, hand: np.uint64, rules: Codes) -> np.uint64:
    legal = legal_replies(states, row, hand, rules)
    suit = np.uint64(highest(legal) // _RANKS)
    return _place(np.uint64(_LOWEST[_by_rank(legal, suit)]), suit)


@inlined
def _buys(states: Masks, row: int, actions: Masks, hand: np.uint64, rules: Codes) -> int:
    """Refuse; keep the highest trump, or the highest other card; use the trumpless right."""
    trumps = states[row, TRUMPS]
    actions[row, 0] = REFUSE
    found = 1
    if hand & trumps:
        actions[row, found] = highest(hand & trumps)
        found += 1
    if hand & ~trumps:
        actions[row, found] = highest(hand & ~trumps)
        found += 1
    if may_use_right(states, row, rules):
        actions[row, found] = USE_RIGHT
        found += 1
    return found


@inlined
def _leads(row: int, actions: Masks, order: Masks, hand: np.uint64, out: np.uint64) -> int:
    """Lead a suit's highest card, or its lowest if that is of another class."""
    found = 0
    for place in range(_SUITS):
        suit = order[place]
        own = _by_rank(hand, suit)
        if own:
            others = _by_rank(out, suit)
            top, last = np.uint64(_HIGHEST[own]), np.uint64(_LOWEST[own])
            actions[row, found] = _place(top, suit)
            found += 1
            if _class(top, others) != _class(last, others):
                actions[row, found] = _place(last, suit)
                found += 1
    return found


@inlined
def _lowest_cards(row: int, actions: Masks, order: Masks, cards: np.uint64, beating: np.uint64) -> int:
    """Take the lowest card of each suit, and the lowest that takes the trick."""
    found = 0
    for place in range(_SUITS):
        suit = order[place]
        own, winning = _by_rank(cards, suit), _by_rank(cards & beating, suit)
        if own:
            last = np.uint64(_LOWEST[own])
            actions[row, found] = _place(last, suit)
            found += 1
            if winning and np.uint64(_LOWEST[winning]) != last:
                actions[row, found] = _place(np.uint64(_LOWEST[winning]), suit)
                found += 1
    return found


@inlined
def _replies(states: Masks, row: int, actions: Masks, order: Masks, hand: np.uint64, rules: Codes) -> int:
    beating = beating_cards(states[row, LED], states[row, TRUMPS])
    return _lowest_cards(row, actions, order, legal_replies(states, row, hand, rules), beating)


@kernel
def _key(
    states: Masks, row: int, seat: int, actions: Masks, order: Masks, hand: np.uint64, out: np.uint64
) -> np.uint64:
    """Return the key of what the player knows."""
    phase, up, trumps = states[row, PHASE], states[row, UP], states[row, TRUMPS]
    own = states[row, WON + seat] > ZERO
    other = states[row, WON + 1 - seat] > ZERO
    trumps_out = count(out & trumps)
    shown_trump = ZERO
    if seat == 0 and out >> up & ONE:
        shown_trump = ONE + min(_TWO, count(hand & np.uint64(HIGHER[up])))
    led = ZERO
    if phase == FOLLOW:
        suit = np.uint64(states[row, LED] // _RANKS)
        if actions[row, 0] // _RANKS == suit:
            led = ONE
            for place in range(_SUITS):
                led += np.uint64(place) if order[place] == suit else ZERO
    key = (np.uint64(seat) * _FACTOR_5 + phase) * _FACTOR_4 + states[row, BOUGHT]
    key = key * _FACTOR_4 + _FACTOR_2 * np.uint64(own) + np.uint64(other)
    key = key * _FACTOR_3 + np.uint64(trumps_out > ZERO) + np.uint64(trumps_out > _TWO)
    key = (key * _FACTOR_4 + shown_trump) * _FACTOR_5 + led
    for place in range(_SUITS):
        key = key * _SUIT_CODES + order[_SUITS + place]
    return np.uint64(key)
