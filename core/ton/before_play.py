"""The decisions of a hand before the first card is led, as kernels: bid, buy-in, discard, taking part (T5–T8, T13)."""

import numpy as np

from core.jit import inlined, kernel
from core.ton.buying import has_right, turned_before
from core.ton.codes import (
    BID,
    BUY,
    CHOOSE,
    DECLARE,
    DISCARD,
    FETCH,
    FIVE,
    FOLD,
    GREEDY,
    KEEP,
    MINUS,
    NO_CARD,
    PASS,
    PLAY,
    PLUS,
    RANDOM,
    REFUSE,
    TO_DISCARD,
    TO_FETCH,
    TRUMPLESS,
    TUNED,
    Codes,
    card_of,
    word_of,
)
from core.ton.greedy import folds, gains_by_buying, worst
from core.ton.lookup import bids, folds_by_table, way_of_buying
from core.ton.masks import ACES, ONE, ZERO, count, highest, lowest, nth
from core.ton.seats import (
    N_BUY,
    N_FOLD,
    N_TRUMPLESS,
    NOT_SCRIPTED,
    POLICY,
    RECORD,
    Hand,
    draw,
    log_move,
    scripted,
)
from core.ton.tables import KEEP_SIDE, TO_REFUSE, USE_RIGHT

NO_SEAT = -1
_card_of, _word_of = inlined(card_of), inlined(word_of)


@kernel
def bid(hand: Hand, rules: Codes) -> int:
    """Return who bids five, or NO_SEAT (T13)."""
    if rules.five_bid == 0:
        for seat in range(hand.cards.shape[0]):
            ruled = hand.seats[seat, POLICY] == TUNED and bids(hand, seat)
            if _second(hand, seat, BID, FIVE, ruled):
                log_move(hand, seat, FIVE, NO_CARD)
                return seat
            log_move(hand, seat, PASS, NO_CARD)
    return NO_SEAT


@kernel
def buy(hand: Hand, stock: np.uint64, trumps: np.uint64, shown: np.uint64, rules: Codes) -> int:
    """Let each player before the dealer refuse or buy; return the buyer, or NO_SEAT (T5, T7)."""
    whole = rules.hand_size - 1
    for seat in range(hand.cards.shape[0] - 1):
        right = has_right(seat, hand.cards[seat], trumps, stock, rules)
        turned = turned_before(hand.talon, seat, rules)
        word, card = _choose_buy(hand, seat, turned, trumps, shown, right, whole)
        log_move(hand, seat, word, card)
        if word == REFUSE:
            continue
        if word == TRUMPLESS:
            hand.seats[seat, N_TRUMPLESS] = 1
            card = _choose_fetch(hand, seat, stock & trumps if stock & trumps else stock)
            log_move(hand, seat, FETCH, card)
        hand.seats[seat, N_BUY] = 1
        hand.cards[seat] = hand.talon[whole] | (ONE << card)
        return seat
    return NO_SEAT


@kernel
def _choose_buy(
    hand: Hand, seat: int, turned: np.uint64, trumps: np.uint64, shown: np.uint64, right: bool, talon_size: int
) -> tuple[int, np.uint64]:
    """Return the word, and the card that is kept; `turned` are the talon cards that the seat sees."""
    code = scripted(hand, seat, BUY)
    if code != NOT_SCRIPTED:
        return _word_of(code), _card_of(code)
    cards, policy = hand.cards[seat], hand.seats[seat, POLICY]
    if policy == RANDOM:
        held = count(cards)
        number = draw(hand, held + ONE + np.uint64(right))
        if number == ZERO:
            return REFUSE, NO_CARD
        if number > held:
            return TRUMPLESS, NO_CARD
        return KEEP, nth(cards, number - ONE)
    own, side = cards & trumps, cards & ~trumps
    kept = highest(own if own else cards)
    if policy == TUNED and trumps:
        way = way_of_buying(hand, seat, turned, trumps, shown)
        if way == TO_REFUSE:
            return REFUSE, NO_CARD
        if way == USE_RIGHT and right:
            return TRUMPLESS, NO_CARD
        return KEEP, highest(side) if way == KEEP_SIDE and side else kept
    if right:
        return TRUMPLESS, NO_CARD
    buys = bool(count(own) <= ONE)
    if policy in (GREEDY, TUNED):
        buys = gains_by_buying(cards, kept, turned, shown, trumps, talon_size)
    return (KEEP, kept) if buys else (REFUSE, NO_CARD)


@kernel
def _choose_fetch(hand: Hand, seat: int, legal: np.uint64) -> np.uint64:
    code = scripted(hand, seat, TO_FETCH)
    if code != NOT_SCRIPTED:
        return _card_of(code)
    return nth(legal, draw(hand, count(legal))) if hand.seats[seat, POLICY] == RANDOM else highest(legal)


@kernel
def discard(hand: Hand, trumps: np.uint64) -> None:
    """Let the dealer put a card away (T6)."""
    dealer = hand.cards.shape[0] - 1
    cards, policy = hand.cards[dealer], hand.seats[dealer, POLICY]
    code = scripted(hand, dealer, TO_DISCARD)
    if code != NOT_SCRIPTED:
        card = _card_of(code)
    elif policy == RANDOM:
        card = nth(cards, draw(hand, count(cards)))
    elif policy in (GREEDY, TUNED):
        card = worst(cards, trumps)
    else:
        card = lowest(cards & ~trumps if cards & ~trumps else cards)
    log_move(hand, dealer, DISCARD, card)
    hand.cards[dealer] = cards ^ (ONE << card)


@kernel
def declare(hand: Hand, bidder: int, buyer: int, trumps: np.uint64, shown: np.uint64, rules: Codes) -> int:
    """Let those who may fold say whether they do; return the number of participants (T8)."""
    players = int(hand.cards.shape[0])
    if bidder != NO_SEAT and rules.five_bid_fold != 0:
        return players
    folded = 0
    for seat in range(players - 1):
        if seat != bidder and seat != buyer and hand.seats[seat, RECORD] < rules.must_play_points:
            cards, policy = hand.cards[seat], hand.seats[seat, POLICY]
            ruled = cards & (trumps | ACES) == ZERO
            if policy == TUNED and trumps:
                ruled = folds_by_table(hand, seat, buyer != NO_SEAT, folded, trumps, shown)
            elif policy in (GREEDY, TUNED):
                ruled = folds(cards, trumps)
            fold = _second(hand, seat, DECLARE, FOLD, ruled)
            log_move(hand, seat, FOLD if fold else PLAY, NO_CARD)
            hand.seats[seat, N_FOLD] = int(fold)
            folded += int(fold)
    return players - folded


@kernel
def takes_minus(hand: Hand, seat: int) -> bool:
    """Tell whether a seat without a trick takes minus points and not a plus (T11)."""
    minus = _second(hand, seat, CHOOSE, MINUS, False)
    log_move(hand, seat, MINUS if minus else PLUS, NO_CARD)
    return minus


@inlined
def _second(hand: Hand, seat: int, phase: int, second: int, ruled: bool) -> bool:
    """Choose between two actions: tell whether it is the second one; `ruled` is what a policy that has rules does."""
    code = scripted(hand, seat, phase)
    if code != NOT_SCRIPTED:
        return bool(_word_of(code) == second)
    if hand.seats[seat, POLICY] == RANDOM:
        return bool(draw(hand, np.uint64(2)) != ZERO)
    return ruled
