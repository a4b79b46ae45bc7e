"""Whole hands of Ton as a numba kernel: what `core.ton.play` plays, move by move, for the policies of GAME_POLICIES.

The phases are those of `core.ton.engine`, in its order, a function each. Deals and random words are those that
`core.ton.play` states, so that a deal's moves are the reference's to the last one. The rules that decide a match (T2,
T12, T14) change no move of a single hand.
"""

import numpy as np

from core.deals import LANES, Bytes, draw_buffer, lane_of, shuffle_lanes
from core.jit import allocating, kernel
from core.rng import fill_block
from core.ton.codes import (
    AFTER_DECLARATIONS,
    BEFORE_BUY_IN,
    CHOICE,
    DISCARD,
    EACH_REFUSAL,
    ELDEST,
    FETCH,
    FIRST_REFUSAL,
    FIVE,
    FOLD,
    GREEDY,
    KEEP,
    MINUS,
    NO_CARD,
    NOBODY,
    PASS,
    PLAY,
    PLUS,
    PLUS_ONLY,
    RANDOM,
    REFUSE,
    TRUMPLESS,
    Codes,
    Numbers,
    longest,
)
from core.ton.greedy import folds, gains_by_buying, worst
from core.ton.masks import ACES, ALL, ONE, SUIT_OF, ZERO, Masks, count, highest, lowest, nth
from core.ton.play import DEAL_STREAM, DECISION_STREAM
from core.ton.rules import DECK
from core.ton.seats import (
    CHOSEN,
    COLUMNS,
    FIELDS,
    N_BUY,
    N_FOLD,
    N_NO_TRICK,
    N_PLUSES,
    N_POINTS,
    N_TRICKS,
    N_TRUMPLESS,
    NEXT_MOVE,
    NEXT_WORD,
    POLICY,
    RECORD,
    SQUARED,
    TAKEN,
    Words,
    draw,
    log_move,
)
from core.ton.trick_play import play_tricks

_NOBODY = -1
_longest = kernel(longest)


@allocating
def play_games(
    sums: Numbers,
    squares: Numbers,
    log: Numbers,
    policies: Numbers,
    records: Numbers,
    rules: Codes,
    seed: np.uint64,
    start: int,
    stop: int,
) -> None:
    """Play the hands of the deals start .. stop - 1, each from the records given, and add up what they give.

    Adds to `sums` of shape (players, fields) what FIELDS names, and to `squares` of shape (players, SQUARED) the
    squares of the first ones. Moves are logged where `log` has `longest` places for each hand.
    """
    players = policies.shape[0]
    cards = (players + 1) * rules.hand_size
    buffer = draw_buffer(cards)
    most = _longest(players, rules.hand_size)
    blocks = (most + 3) // 4 if np.any(policies == RANDOM) else 0
    words = np.empty((blocks, 4, LANES), np.uint32)
    flat, next_ = words.reshape(-1), np.empty(2, np.int64)
    hands, seats = np.empty(players, np.uint64), np.empty((players, COLUMNS), np.int64)
    talon = np.zeros(rules.hand_size, np.uint64)
    seats[:, POLICY] = policies
    seats[:, RECORD] = records
    for first in range(start, stop, LANES):
        positions = shuffle_lanes(buffer, seed, np.uint32(DEAL_STREAM), first, len(DECK))
        for block in range(blocks):
            fill_block(words[block], block, seed, np.uint32(DECISION_STREAM), first)
        for number in range(min(LANES, stop - first)):
            next_[NEXT_WORD] = number
            next_[NEXT_MOVE] = (first - start + number) * most
            play_hand(hands, talon, seats, flat, next_, log, positions, lane_of(number), rules)
            _add_up(sums, squares, seats)


@kernel
def _add_up(sums: Numbers, squares: Numbers, seats: Numbers) -> None:
    for seat in range(seats.shape[0]):
        for field in range(len(FIELDS)):
            sums[seat, field] += seats[seat, field]
        for field in range(SQUARED):
            squares[seat, field] += seats[seat, field] ** 2


@kernel
def play_hand(
    hands: Masks,
    talon: Masks,
    seats: Numbers,
    words: Words,
    next_: Numbers,
    log: Numbers,
    positions: Bytes,
    lane: int,
    rules: Codes,
) -> None:
    """Play one hand from the deal to its score."""
    players = hands.shape[0]
    trump_card, stock = _deal(hands, talon, positions, lane, rules.hand_size)
    seats[:, :POLICY] = 0
    bidder = _bid(hands, seats, words, next_, log, rules)
    exchange = bidder == _NOBODY or rules.five_bid_exchange != 0
    trumps = SUIT_OF[trump_card] if bidder == _NOBODY else ZERO
    shown = ONE << trump_card if bidder == _NOBODY else ZERO
    six = exchange and rules.trump_card == 0
    if six:
        hands[players - 1] |= ONE << trump_card
    if six and rules.dealer_discard == BEFORE_BUY_IN:
        _discard(hands, seats, words, next_, log, trumps)
    buyer = _NOBODY
    if exchange:
        buyer = _buy(hands, talon, seats, words, next_, log, stock, trumps, shown, rules)
    if six and rules.dealer_discard not in (BEFORE_BUY_IN, AFTER_DECLARATIONS):
        _discard(hands, seats, words, next_, log, trumps)
    lone = _declare(hands, seats, words, next_, log, bidder, buyer, trumps, rules) == 1
    if six and rules.dealer_discard == AFTER_DECLARATIONS and not lone:
        _discard(hands, seats, words, next_, log, trumps)
    if not lone:
        play_tricks(hands, seats, words, next_, log, _first_leader(seats, bidder, buyer, rules), trumps, rules)
    elif rules.lone_player == 0:
        # Only the dealer is never allowed to fold (T8).
        seats[players - 1, N_TRICKS] = rules.hand_size
        seats[players - 1, TAKEN] = (1 << rules.hand_size) - 1
    _score(hands, seats, words, next_, log, bidder, lone, rules)


@kernel
def _deal(hands: Masks, talon: Masks, positions: Bytes, lane: int, size: int) -> tuple[np.uint64, np.uint64]:
    """Deal the hands and the talon; return the trump card's place, and the stock (T3, T4).

    Place k of `talon` gets the first k cards in turning order.
    """
    row, column = ZERO, np.uint64(lane)
    rest = ALL
    for seat in range(hands.shape[0]):
        hand = ZERO
        for _ in range(size):
            hand |= ONE << np.uint64(positions[row, column])
            row += ONE
        hands[np.uint64(seat)] = hand
        rest ^= hand
    for number in range(1, size):
        talon[number] = talon[number - 1] | ONE << np.uint64(positions[row, column])
        row += ONE
    trump_card = np.uint64(positions[row, column])
    return trump_card, rest ^ talon[size - 1] ^ (ONE << trump_card)


# Decisions: a word drawn by `random`, a move logged.


@kernel
def _second(seats: Numbers, words: Words, next_: Numbers, seat: int, ruled: bool) -> bool:
    """Choose between two actions: tell whether it is the second one; `ruled` is what a policy that has rules does."""
    if seats[seat, POLICY] == RANDOM:
        return bool(draw(words, next_, np.uint64(2)))
    return ruled


@kernel
def _bid(hands: Masks, seats: Numbers, words: Words, next_: Numbers, log: Numbers, rules: Codes) -> int:
    """Return who bids five (T13)."""
    if rules.five_bid == 0:
        for seat in range(hands.shape[0]):
            if _second(seats, words, next_, seat, False):
                log_move(log, next_, seat, FIVE, NO_CARD)
                return seat
            log_move(log, next_, seat, PASS, NO_CARD)
    return _NOBODY


@kernel
def _buy(
    hands: Masks,
    talon: Masks,
    seats: Numbers,
    words: Words,
    next_: Numbers,
    log: Numbers,
    stock: np.uint64,
    trumps: np.uint64,
    shown: np.uint64,
    rules: Codes,
) -> int:
    """Let each player before the dealer refuse or buy; return the buyer (T5, T7)."""
    whole = rules.hand_size - 1
    most = whole if rules.talon_reveal == EACH_REFUSAL else int(rules.talon_reveal == FIRST_REFUSAL)
    for seat in range(hands.shape[0] - 1):
        hand = hands[seat]
        allowed = rules.trumpless_right != NOBODY and (rules.trumpless_right != ELDEST or seat == 0)
        right = allowed and trumps != ZERO and hand & trumps == ZERO and stock != ZERO
        # Each one before has refused, and turned a card if one was left to turn.
        turned = talon[min(seat, most)]
        word, card = _choose_buy(hands, seats, words, next_, seat, turned, trumps, shown, right, rules)
        log_move(log, next_, seat, word, card)
        if word == REFUSE:
            continue
        if word == TRUMPLESS:
            seats[seat, N_TRUMPLESS] = 1
            legal = stock & trumps if stock & trumps else stock
            card = nth(legal, draw(words, next_, count(legal))) if seats[seat, POLICY] == RANDOM else highest(legal)
            log_move(log, next_, seat, FETCH, card)
        seats[seat, N_BUY] = 1
        hands[seat] = talon[whole] | (ONE << card)
        return seat
    return _NOBODY


@kernel
def _choose_buy(
    hands: Masks,
    seats: Numbers,
    words: Words,
    next_: Numbers,
    seat: int,
    turned: np.uint64,
    trumps: np.uint64,
    shown: np.uint64,
    right: bool,
    rules: Codes,
) -> tuple[int, np.uint64]:
    """Return the word, and the card that is kept; `turned` are the talon cards that the seat sees."""
    hand = hands[seat]
    if seats[seat, POLICY] == RANDOM:
        cards = count(hand)
        number = draw(words, next_, cards + ONE + np.uint64(right))
        if number == ZERO:
            return REFUSE, NO_CARD
        if number > cards:
            return TRUMPLESS, NO_CARD
        return KEEP, nth(hand, number - ONE)
    if right:
        return TRUMPLESS, NO_CARD
    own = hand & trumps
    kept = highest(own if own else hand)
    buys = bool(count(own) <= ONE)
    if seats[seat, POLICY] == GREEDY:
        buys = gains_by_buying(hand, kept, turned, shown, trumps, rules.hand_size - 1)
    return (KEEP, kept) if buys else (REFUSE, NO_CARD)


@kernel
def _discard(hands: Masks, seats: Numbers, words: Words, next_: Numbers, log: Numbers, trumps: np.uint64) -> None:
    """Let the dealer put a card away (T6)."""
    dealer = hands.shape[0] - 1
    hand = hands[dealer]
    if seats[dealer, POLICY] == RANDOM:
        card = nth(hand, draw(words, next_, count(hand)))
    elif seats[dealer, POLICY] == GREEDY:
        card = worst(hand, trumps)
    else:
        card = lowest(hand & ~trumps if hand & ~trumps else hand)
    log_move(log, next_, dealer, DISCARD, card)
    hands[dealer] = hand ^ (ONE << card)


@kernel
def _declare(
    hands: Masks,
    seats: Numbers,
    words: Words,
    next_: Numbers,
    log: Numbers,
    bidder: int,
    buyer: int,
    trumps: np.uint64,
    rules: Codes,
) -> int:
    """Let those who may fold say whether they do; return the number of participants (T8)."""
    players = int(hands.shape[0])
    if bidder != _NOBODY and rules.five_bid_fold != 0:
        return players
    participants = players
    for seat in range(players - 1):
        if seat != bidder and seat != buyer and seats[seat, RECORD] < rules.must_play_points:
            hand = hands[seat]
            weak = hand & (trumps | ACES) == ZERO
            ruled = folds(hand, trumps) if seats[seat, POLICY] == GREEDY else bool(weak)
            fold = _second(seats, words, next_, seat, ruled)
            log_move(log, next_, seat, FOLD if fold else PLAY, NO_CARD)
            if fold:
                seats[seat, N_FOLD] = 1
                participants -= 1
    return participants


@kernel
def _first_leader(facts: Numbers, bidder: int, buyer: int, rules: Codes) -> int:
    """Return who leads to the first trick (T9, T13)."""
    if buyer != _NOBODY:
        return buyer
    if bidder != _NOBODY and rules.five_bid_lead == 0:
        return bidder
    if bidder == _NOBODY and rules.no_buyer_lead != 0:
        return int(facts.shape[0] - 1)
    eldest = 0
    while facts[eldest, N_FOLD]:
        eldest += 1
    return eldest


@kernel
def _score(
    hands: Masks, seats: Numbers, words: Words, next_: Numbers, log: Numbers, bidder: int, lone: bool, rules: Codes
) -> None:
    """Fill in points and pluses, after the choices of T11 (T11, T13)."""
    facts = seats
    for seat in range(facts.shape[0]):
        tricks = facts[seat, N_TRICKS]
        facts[seat, N_POINTS] = tricks
        if tricks == 0 and not facts[seat, N_FOLD]:
            facts[seat, N_NO_TRICK] = 1
            if not lone and seat != bidder:
                minus = rules.zero_trick > PLUS_ONLY
                if rules.zero_trick == CHOICE:
                    minus = _second(seats, words, next_, seat, False)
                    log_move(log, next_, seat, MINUS if minus else PLUS, NO_CARD)
                if minus:
                    facts[seat, N_POINTS] = -rules.zero_trick_points
                else:
                    facts[seat, N_PLUSES] = facts[seat, CHOSEN] = 1
    if bidder != _NOBODY and not lone and facts[bidder, N_TRICKS] < rules.hand_size:
        facts[bidder, N_PLUSES] = rules.five_bid_pluses
        if rules.five_bid_failed_tricks != 0:
            facts[bidder, N_POINTS] = facts[bidder, TAKEN] = 0
