"""Whole hands of Ton as a numba kernel: what `core.ton.play` plays, move by move, for the policies of GAME_POLICIES.

The phases are those of `core.ton.engine`, in its order, a function each. Deals and random words are those that
`core.ton.play` states, so that a deal's moves are the reference's to the last one. The rules that decide a match (T2,
T12, T14) change no move of a single hand.
"""

import numpy as np

from core.deals import LANES, Bytes, draw_buffer, lane_of, shuffle_lanes
from core.jit import allocating, kernel
from core.rng import fill_block
from core.ton.before_play import NO_SEAT, bid, buy, declare, discard, takes_minus
from core.ton.codes import AFTER_DECLARATIONS, BEFORE_BUY_IN, CHOICE, PLUS_ONLY, RANDOM, Codes, Numbers, longest
from core.ton.masks import ALL, ONE, SUIT_OF, ZERO, Masks
from core.ton.play import DEAL_STREAM, DECISION_STREAM
from core.ton.rules import DECK
from core.ton.seats import (
    CHOSEN,
    COLUMNS,
    FIELDS,
    N_FOLD,
    N_NO_TRICK,
    N_PLUSES,
    N_POINTS,
    N_TRICKS,
    NEXT_MOVE,
    NEXT_SCRIPTED,
    NEXT_WORD,
    NOT_SCRIPTED,
    POLICY,
    PROBED_MOVE,
    RECORD,
    SQUARED,
    TABLE,
    TAKEN,
    Hand,
)
from core.ton.trick_play import play_tricks

_longest = kernel(longest)


@allocating
def play_games(
    sums: Numbers,
    squares: Numbers,
    log: Numbers,
    policies: Numbers,
    tables: Bytes,
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
    buffer = draw_buffer((players + 1) * rules.hand_size)
    most = _longest(players, rules.hand_size)
    hand = make_hand(policies, tables, records, log, no_script(), False, rules)
    for first in range(start, stop, LANES):
        positions = shuffle_lanes(buffer, seed, np.uint32(DEAL_STREAM), first, len(DECK))
        draw_words(hand, seed, first)
        for number in range(min(LANES, stop - first)):
            hand.next_[NEXT_WORD] = number
            hand.next_[NEXT_MOVE] = (first - start + number) * most
            play_hand(hand, positions, lane_of(number), rules)
            _add_up(sums, squares, hand.seats)


@allocating
def play_worlds(
    results: Numbers,
    deals: Bytes,
    scripts: Numbers,
    policies: Numbers,
    tables: Bytes,
    records: Numbers,
    rules: Codes,
    seed: np.uint64,
    start: int,
) -> None:
    """Play given deals by given moves as far as these go, and on by policies; random words are those of deal start + i.

    `deals` has shape (cards, hands): places in DECK, the hands seat by seat, the talon, the trump card. `scripts` has
    shape (hands, moves), each row's moves followed by NOT_SCRIPTED. Fills `results` of shape (hands, players, fields)
    with what FIELDS names; with -1 for a hand that has not come to all moves of its script.
    """
    number_of_hands = results.shape[0]
    width = scripts.shape[1]
    hand = make_hand(policies, tables, records, np.empty(0, np.int64), scripts.reshape(-1), False, rules)
    for first in range(0, number_of_hands, LANES):
        draw_words(hand, seed, start + first)
        for number in range(first, min(first + LANES, number_of_hands)):
            hand.next_[NEXT_WORD] = number - first
            hand.next_[NEXT_SCRIPTED] = width * number
            play_hand(hand, deals, number, rules)
            whole = hand.script[hand.next_[NEXT_SCRIPTED]] == NOT_SCRIPTED
            for seat in range(results.shape[1]):
                for field in range(results.shape[2]):
                    results[number, seat, field] = hand.seats[seat, field] if whole else -1


@allocating
def no_script() -> Numbers:
    """Return a script without moves."""
    return np.full(1, NOT_SCRIPTED, np.int64)


@allocating
def make_hand(
    policies: Numbers, tables: Bytes, records: Numbers, log: Numbers, script: Numbers, probed: bool, rules: Codes
) -> Hand:
    """Return room for hands. `policies` of shape (players, 2) are numbers of policies, and of rows of `tables`."""
    players = policies.shape[0]
    draws = _longest(players, rules.hand_size) if np.any(policies[:, 0] == RANDOM) else 0
    hand = Hand(
        np.empty(players, np.uint64),
        np.zeros(rules.hand_size, np.uint64),
        np.zeros((players, COLUMNS), np.int64),
        np.zeros(5, np.int64),
        np.empty((draws + 3) // 4 * 4 * LANES, np.uint32),
        log,
        script,
        tables,
        np.full(log.shape[0] if probed else 0, -1, np.int64),
    )
    hand.next_[PROBED_MOVE] = -1
    hand.seats[:, POLICY] = policies[:, 0]
    hand.seats[:, TABLE] = policies[:, 1]
    hand.seats[:, RECORD] = records
    return hand


@allocating
def draw_words(hand: Hand, seed: np.uint64, first: int) -> None:
    """Draw the random words of the deals first .. first + LANES - 1, where a policy needs any."""
    words = hand.words.reshape(-1, 4, LANES)
    for block in range(words.shape[0]):
        fill_block(words[block], block, seed, np.uint32(DECISION_STREAM), first)


@kernel
def _add_up(sums: Numbers, squares: Numbers, seats: Numbers) -> None:
    for seat in range(seats.shape[0]):
        for field in range(len(FIELDS)):
            sums[seat, field] += seats[seat, field]
        for field in range(SQUARED):
            squares[seat, field] += seats[seat, field] ** 2


@kernel
def play_hand(hand: Hand, positions: Bytes, lane: int, rules: Codes) -> None:
    """Play the hand of that lane from the deal to its score."""
    players = hand.cards.shape[0]
    trump_card, stock = _deal(hand.cards, hand.talon, positions, lane, rules.hand_size)
    hand.seats[:, :POLICY] = 0
    bidder = bid(hand, rules)
    exchange = bidder == NO_SEAT or rules.five_bid_exchange != 0
    trumps = SUIT_OF[trump_card] if bidder == NO_SEAT else ZERO
    shown = ONE << trump_card if bidder == NO_SEAT else ZERO
    six = exchange and rules.trump_card == 0
    if six:
        hand.cards[players - 1] |= ONE << trump_card
    if six and rules.dealer_discard == BEFORE_BUY_IN:
        discard(hand, trumps)
    buyer = NO_SEAT
    if exchange:
        buyer = buy(hand, stock, trumps, shown, rules)
    if six and rules.dealer_discard not in (BEFORE_BUY_IN, AFTER_DECLARATIONS):
        discard(hand, trumps)
    lone = declare(hand, bidder, buyer, trumps, shown, rules) == 1
    if six and rules.dealer_discard == AFTER_DECLARATIONS and not lone:
        discard(hand, trumps)
    if not lone:
        play_tricks(hand, _first_leader(hand.seats, bidder, buyer, rules), trumps, rules)
    elif rules.lone_player == 0:
        # Only the dealer is never allowed to fold (T8).
        hand.seats[players - 1, N_TRICKS] = rules.hand_size
        hand.seats[players - 1, TAKEN] = (1 << rules.hand_size) - 1
    _score(hand, bidder, lone, rules)


@kernel
def _deal(cards: Masks, talon: Masks, positions: Bytes, lane: int, size: int) -> tuple[np.uint64, np.uint64]:
    """Deal the hands and the talon; return the trump card's place, and the stock (T3, T4)."""
    row, column = ZERO, np.uint64(lane)
    rest = ALL
    for seat in range(cards.shape[0]):
        held = ZERO
        for _ in range(size):
            held |= ONE << np.uint64(positions[row, column])
            row += ONE
        cards[np.uint64(seat)] = held
        rest ^= held
    for number in range(1, size):
        talon[number] = talon[number - 1] | ONE << np.uint64(positions[row, column])
        row += ONE
    trump_card = np.uint64(positions[row, column])
    return trump_card, rest ^ talon[size - 1] ^ (ONE << trump_card)


@kernel
def _first_leader(seats: Numbers, bidder: int, buyer: int, rules: Codes) -> int:
    """Return who leads to the first trick (T9, T13)."""
    if buyer != NO_SEAT:
        return buyer
    if bidder != NO_SEAT and rules.five_bid_lead == 0:
        return bidder
    if bidder == NO_SEAT and rules.no_buyer_lead != 0:
        return int(seats.shape[0] - 1)
    eldest = 0
    while seats[eldest, N_FOLD]:
        eldest += 1
    return eldest


@kernel
def _score(hand: Hand, bidder: int, lone: bool, rules: Codes) -> None:
    """Fill in points and pluses, after the choices of T11 (T11, T13)."""
    facts = hand.seats
    for seat in range(facts.shape[0]):
        tricks = facts[seat, N_TRICKS]
        facts[seat, N_POINTS] = tricks
        if tricks == 0 and not facts[seat, N_FOLD]:
            facts[seat, N_NO_TRICK] = 1
            if not lone and seat != bidder:
                minus = rules.zero_trick > PLUS_ONLY
                if rules.zero_trick == CHOICE:
                    minus = takes_minus(hand, seat)
                if minus:
                    facts[seat, N_POINTS] = -rules.zero_trick_points
                else:
                    facts[seat, N_PLUSES] = facts[seat, CHOSEN] = 1
    if bidder != NO_SEAT and not lone and facts[bidder, N_TRICKS] < rules.hand_size:
        facts[bidder, N_PLUSES] = rules.five_bid_pluses
        if rules.five_bid_failed_tricks != 0:
            facts[bidder, N_POINTS] = facts[bidder, TAKEN] = 0
