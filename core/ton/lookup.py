"""The choices of the policy `tuned` as kernels: `core.ton.tuned` says what they look up."""

import numpy as np

from core.jit import inlined, kernel
from core.ton.masks import ACES as ALL_ACES
from core.ton.masks import ALL, HIGHER, ONE, RANK_OF, ZERO, count, first, highest, lowest
from core.ton.seats import N_TRICKS, NEXT_MOVE, PROBED_CHOICE, PROBED_MOVE, TABLE, Hand
from core.ton.tables import (
    ACES,
    BOSS_SIDE,
    BOSS_TRUMP,
    HIGH_LOSING,
    HIGH_SIDE,
    HIGH_TRUMP,
    HIGH_WINNING,
    LOW_LOSING,
    LOW_SIDE,
    LOW_TRUMP,
    LOW_WINNING,
    PARTS,
    STARTS,
    TOP_CLASS,
    TOPS,
    TRUMPS,
)

_BID, _BUY, _FOLD, _LEAD, _FOLLOW = (STARTS[part] for part in ("bid", "buy", "fold", "lead", "follow"))
_RANKS, _MASKS, _FOLLOW_MASKS = PARTS["bid"][1], PARTS["lead"][-1], PARTS["follow"][-1]
_TOP_CLASS = np.array(TOP_CLASS)
# No hand has a card of this kind.
_NO_KIND = 6


@inlined
def _choice(hand: Hand, seat: int, cell: int) -> int:
    """Return the choice in that cell, or the one that is probed; note the cell, where anybody wants it."""
    move = hand.next_[NEXT_MOVE]
    if hand.looked_up.shape[0]:
        hand.looked_up[move] = cell
    if move == hand.next_[PROBED_MOVE]:
        return int(hand.next_[PROBED_CHOICE])
    return int(hand.tables[np.uint64(hand.seats[seat, TABLE]), np.uint64(cell)])


@kernel
def bids(hand: Hand, seat: int) -> bool:
    """Tell whether the seat bids five."""
    return _choice(hand, seat, _BID + _bid_cell(hand, seat)) == 1


@kernel
def _bid_cell(hand: Hand, seat: int) -> int:
    """Return the cell of a bid."""
    cards = hand.cards[seat]
    tops, best, rest = 0, _RANKS - 1, cards
    while rest:
        card = first(rest)
        rest &= rest - ONE
        if HIGHER[card] & ~cards == ZERO:
            tops += 1
        else:
            rank = int(RANK_OF[card])
            best = rank if best == _RANKS - 1 else max(best, rank)
    return int(min(tops, 5) * _RANKS + best)


@kernel
def _hand_class(cards: np.uint64, trumps: np.uint64, shown: np.uint64) -> int:
    """Return the place of a hand by its trumps, the class of the highest one, and its other aces."""
    own = cards & trumps
    top = _TOP_CLASS[RANK_OF[highest(own if own else shown)]]
    aces = min(int(count(cards & ~trumps & ALL_ACES)), ACES - 1)
    return int((min(int(count(own)), TRUMPS - 1) * TOPS + top) * ACES + aces)


@kernel
def _buy_cell(hand: Hand, seat: int, turned: np.uint64, trumps: np.uint64, shown: np.uint64) -> int:
    """Return the cell of a buy-in."""
    good = min(int(count(turned & (trumps | ALL_ACES))), 3)
    return (seat * 4 + good) * (TRUMPS * TOPS * ACES) + _hand_class(hand.cards[seat], trumps, shown)


@kernel
def way_of_buying(hand: Hand, seat: int, turned: np.uint64, trumps: np.uint64, shown: np.uint64) -> int:
    """Return the seat's choice to buy."""
    return _choice(hand, seat, _BUY + _buy_cell(hand, seat, turned, trumps, shown))


@kernel
def _fold_cell(hand: Hand, seat: int, bought: bool, folded: int, trumps: np.uint64, shown: np.uint64) -> int:
    """Return the cell of a fold."""
    place = (seat * 2 + int(bought)) * 3 + min(folded, 2)
    return place * (TRUMPS * TOPS * ACES) + _hand_class(hand.cards[seat], trumps, shown)


@kernel
def folds_by_table(hand: Hand, seat: int, bought: bool, folded: int, trumps: np.uint64, shown: np.uint64) -> bool:
    """Tell whether the seat folds."""
    return _choice(hand, seat, _FOLD + _fold_cell(hand, seat, bought, folded, trumps, shown)) == 1


@inlined
def _situation(hand: Hand, seat: int) -> int:
    """Return the place by tricks left and whether the seat has taken one."""
    return (min(int(count(hand.cards[seat])), 5) - 1) * 2 + int(hand.seats[seat, N_TRICKS] > 0)


@kernel
def _lead_kinds(cards: np.uint64, played: np.uint64, trumps: np.uint64) -> tuple[int, np.uint64, np.uint64]:
    """Return the kinds of cards to lead that the hand has, as bits; its boss side cards, and its others."""
    own, side = cards & trumps, cards & ~trumps
    gone = played | cards
    kinds = 0
    if own:
        kinds |= 1 << (BOSS_TRUMP if HIGHER[highest(own)] & ~gone == ZERO else HIGH_TRUMP)
        if own & (own - ONE):
            kinds |= 1 << LOW_TRUMP
    boss, rest = ZERO, side
    while rest:
        card = first(rest)
        rest &= rest - ONE
        if HIGHER[card] & ~gone == ZERO:
            boss |= ONE << card
    rest = side ^ boss
    if boss:
        kinds |= 1 << BOSS_SIDE
    if rest:
        kinds |= 1 << HIGH_SIDE
        if rest & (rest - ONE):
            kinds |= 1 << LOW_SIDE
    return kinds, boss, rest


@kernel
def _lead_cell(hand: Hand, seat: int, kinds: int, played: np.uint64, trumps: np.uint64, participants: int) -> int:
    """Return the cell of a lead."""
    out = trumps & ~(played | hand.cards[seat]) != ZERO
    place = (_situation(hand, seat) * 3 + min(participants, 4) - 2) * 2 + int(out)
    return place * _MASKS + kinds


@kernel
def _lead_of_kind(
    cards: np.uint64, kind: int, kinds: int, boss: np.uint64, rest: np.uint64, trumps: np.uint64
) -> np.uint64:
    """Return the card of that kind, or of the first kind that the hand has."""
    if kinds >> kind & 1 == 0:
        kind = _first_kind(kinds)
    if kind in (BOSS_TRUMP, HIGH_TRUMP):
        return highest(cards & trumps)
    if kind == LOW_TRUMP:
        return lowest(cards & trumps)
    if kind == BOSS_SIDE:
        return highest(boss)
    return highest(rest) if kind == HIGH_SIDE else lowest(rest)


@inlined
def _first_kind(kinds: int) -> int:
    kind = 0
    while kinds >> kind & 1 == 0:
        kind += 1
    return kind


@kernel
def lead_by_table(hand: Hand, seat: int, played: np.uint64, trumps: np.uint64, participants: int) -> np.uint64:
    """Return the card that the seat leads."""
    cards = hand.cards[seat]
    kinds, boss, rest = _lead_kinds(cards, played, trumps)
    kind = _NO_KIND
    if kinds & (kinds - 1):
        kind = _choice(hand, seat, _LEAD + _lead_cell(hand, seat, kinds, played, trumps, participants))
    return _lead_of_kind(cards, kind, kinds, boss, rest, trumps)


@kernel
def _follow_kinds(legal: np.uint64, beating: np.uint64) -> int:
    """Return the kinds of cards to follow with that are legal, as bits."""
    better, worse = legal & beating, legal & ~beating
    kinds = 0
    if better:
        kinds |= 1 << LOW_WINNING
        if better & (better - ONE):
            kinds |= 1 << HIGH_WINNING
    if worse:
        kinds |= 1 << LOW_LOSING
        if worse & (worse - ONE):
            kinds |= 1 << HIGH_LOSING
    return kinds


@kernel
def _follow_cell(
    hand: Hand,
    seat: int,
    kinds: int,
    legal: np.uint64,
    beating: np.uint64,
    later: int,
    played: np.uint64,
    trumps: np.uint64,
) -> int:
    """Return the cell of a card that follows; `later` players are to come, `played` has the trick's cards too."""
    cards = hand.cards[seat]
    unseen = ALL & ~(played | cards)
    sure = False
    if legal & beating:
        best = highest(legal & beating)
        sure = HIGHER[best] & unseen == ZERO and ((trumps >> best) & ONE != ZERO or trumps & unseen == ZERO)
    place = (_situation(hand, seat) * 3 + min(later, 2)) * 2 + int(sure)
    return (place * 3 + min(int(count(cards & trumps)), 2)) * _FOLLOW_MASKS + kinds


@kernel
def _follow_of_kind(kind: int, kinds: int, legal: np.uint64, beating: np.uint64) -> np.uint64:
    """Return the card of that kind, or of the first kind that is legal."""
    if kinds >> kind & 1 == 0:
        kind = _first_kind(kinds)
    if kind == LOW_WINNING:
        return lowest(legal & beating)
    if kind == HIGH_WINNING:
        return highest(legal & beating)
    return lowest(legal & ~beating) if kind == LOW_LOSING else highest(legal & ~beating)


@kernel
def follow_by_table(
    hand: Hand, seat: int, legal: np.uint64, beating: np.uint64, later: int, played: np.uint64, trumps: np.uint64
) -> np.uint64:
    """Return the card with which the seat follows."""
    kinds = _follow_kinds(legal, beating)
    kind = _NO_KIND
    if kinds & (kinds - 1):
        kind = _choice(hand, seat, _FOLLOW + _follow_cell(hand, seat, kinds, legal, beating, later, played, trumps))
    return _follow_of_kind(kind, kinds, legal, beating)
