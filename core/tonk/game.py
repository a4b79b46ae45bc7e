"""Whole hands of Tonk as a kernel: the reference engine (`core.tonk.play`), decision by decision.

For each seed, deal, rule set and choice of policies the kernel makes the very decisions of the reference: the same
deal, the same order of legal actions, the same random words. Cards are spots, hands and melds those of
`core.tonk.melding`. Scratch arrays are made once a chunk of hands.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.cards import DECK_SIZE
from core.deals import LANES, draw_buffer, lane_of, shuffle_lanes
from core.jit import inlined, kernel
from core.rng import LOW_WORD, SHIFT, philox
from core.tonk.melding import (
    COPIES,
    MOST_CHOSEN,
    MOST_MELDS,
    OWNER,
    TAKES,
    Ints,
    add_card,
    best_meld,
    cards_in,
    completes_meld,
    find_melds,
    meld_total,
    put_hit,
    put_meld,
    remove_cards,
    remove_meld,
    value_of,
)
from core.tonk.play import CARDS, DECISIONS
from core.tonk.play import RESHUFFLE as RESHUFFLE_STREAM
from core.tonk.policies import Policy, Random, Simple
from core.tonk.settling import (
    RESHUFFLE,
    Options,
    settle_drop,
    settle_out,
    settle_stock_out,
    settle_tonk,
)
from core.tonk.state import STALLED_TURNS

# Kinds of endings, in the order of `state.Ending`.
TONK, DROP_WON, DROP_LOST, OUT, STOCK_OUT = range(5)
# Kinds of moves. A logged move is a row: seat, kind, and two numbers: base and shape of a meld that is laid, the
# card's spot and the meld's number of a hit, the spot of a discard.
DROP, UP, STOCK, LAY, HIT, DISCARD = range(6)

# A seat's policy is one number: the drop total of `simple:T`, or this.
_RANDOM = -1

_CARDS, _DECISIONS, _RESHUFFLE = np.uint32(CARDS), np.uint32(DECISIONS), np.uint32(RESHUFFLE_STREAM)
_STREAMS = 3
# A shuffle takes a word's 24 highest bits, as core.shuffling does.
_LEFT_OUT = 8
_FRACTION = (1 << 24) - 1


class Board(NamedTuple):
    """The cards of a hand in play, and scratch space, in arrays that all hands of a chunk share."""

    hands: Ints  # masks by seat and copy
    totals: Ints  # by seat
    holds: Ints  # turns without the right to drop, by seat (`hit_hold`)
    stock: Ints  # top first
    pile: Ints  # top last
    table: Ints  # a meld a row
    pay: Ints  # by seat
    places: Ints  # counts: see _TOP and the others
    found: Ints  # melds in hand
    left: Ints
    chosen: Ints


class Chance(NamedTuple):
    """Where the random words of the hand in play come from, and the current four of each stream."""

    seed: np.uint64
    deal: NDArray[np.uint64]  # its number
    words: Ints  # by stream
    taken: Ints  # decisions that took a word


# Where the stock begins and ends; the numbers of cards on the pile, of melds on the table, of moves logged.
_TOP, _END, _PILE, _TABLE, _MOVES = range(5)


def policy_number(policy: Policy) -> int:
    """Return a policy as the kernel takes it."""
    if isinstance(policy, Simple):
        return policy.drop_total
    assert isinstance(policy, Random), "the kernel knows no other policies"
    return _RANDOM


def policy_numbers(policies: Sequence[Policy]) -> Ints:
    """Return policies by seat as the kernel takes them."""
    return np.array([policy_number(policy) for policy in policies], np.int64)


@kernel
def play_hands(
    payments: Ints,
    squares: Ints,
    kinds: Ints,
    turns: Ints,
    log: Ints,
    policies: Ints,
    options: Options,
    seed: np.uint64,
    start: int,
    stop: int,
) -> None:
    """Deal and play the hands start .. stop - 1, and add up how they end.

    Adds to `payments` and `squares` of shape (players, players + 1) each seat's payment and its square, times the
    divisor and its square, by the divisor (a share of what is paid has the number of sharers as its divisor); to
    `kinds` the hands by ending; to `turns` the sum of turns and of their squares; a drop is a turn. Moves go to the
    rows of `log` as long as there are any.

    A payment times its divisor is at most 1,000 times the other players squared; so n hands of p players under default
    stakes (at most 2) keep all sums below 2**63 if n * 4 * p**4 is.
    """
    players = len(policies)
    deck_size = DECK_SIZE * options.decks
    board = _board(players, deck_size)
    chance = Chance(seed, np.zeros(1, np.uint64), np.empty((_STREAMS, 4), np.int64), np.zeros(1, np.int64))
    positions = np.empty((deck_size, LANES), np.uint8)
    draws = draw_buffer(deck_size)
    for first in range(start, stop, LANES):
        shuffle_lanes(positions, draws, seed, _CARDS, first, deck_size)
        for number in range(min(LANES, stop - first)):
            lane = lane_of(number)
            for place in range(deck_size):
                card = positions[place, lane] // options.decks
                board.stock[place] = card + 3 * (card // 13)
            _deal(board, options)
            chance.deal[0] = first + number
            chance.taken[0] = 0
            kind, divisor, played = _play(board, chance, log, policies, options)
            kinds[kind] += 1
            turns[0] += played
            turns[1] += played * played
            for seat in range(players):
                payments[seat, divisor] += board.pay[seat]
                squares[seat, divisor] += board.pay[seat] * board.pay[seat]


@kernel
def _board(players: int, deck_size: int) -> Board:
    return Board(
        np.empty((players, COPIES), np.int64),
        np.empty(players, np.int64),
        np.empty(players, np.int64),
        np.empty(deck_size, np.int64),
        np.empty(deck_size, np.int64),
        np.empty((deck_size // 3, 4), np.int64),
        np.empty(players, np.int64),
        np.zeros(5, np.int64),
        np.empty((MOST_MELDS, 2), np.int64),
        np.empty((MOST_CHOSEN + 1, COPIES), np.int64),
        np.empty(MOST_CHOSEN, np.int64),
    )


@kernel
def _deal(board: Board, options: Options) -> None:
    """Deal the hands and the up-card from the whole deck, which lies in the stock (K2)."""
    board.hands[:] = 0
    board.totals[:] = 0
    board.holds[:] = 0
    place = 0
    for seat in range(len(board.totals)):
        for _ in range(options.hand_size):
            _take(board, seat, board.stock[place])
            place += 1
    board.places[_PILE] = board.places[_TABLE] = 0
    if not options.up_card:  # yes is the first word
        _put_on_pile(board, board.stock[place])
        place += 1
    board.places[_TOP] = place
    board.places[_END] = len(board.stock)


@kernel
def _play(board: Board, chance: Chance, log: Ints, policies: Ints, options: Options) -> tuple[int, int, int]:
    """Play the hand that is dealt; return how it ends, the divisor of the payments, and the turns played (K5–K12)."""
    players = len(policies)
    divisor = settle_tonk(board.pay, board.totals, options)
    if divisor:
        return TONK, divisor, 0
    turns = stalled = 0
    while stalled < STALLED_TURNS * players:
        seat = turns % players
        may_drop = not (options.drop_allowed and turns >= players) and board.holds[seat] == 0
        move = _choose_draw(board, chance, policies[seat], seat, may_drop, options)
        _write(log, board, seat, move, 0, 0)
        if move == DROP:
            wins, divisor = settle_drop(board.pay, board.totals, seat, options)
            return DROP_WON if wins else DROP_LOST, divisor, turns + 1
        if move == UP:
            stalled += 1
            board.places[_PILE] -= 1
            _take(board, seat, board.pile[board.places[_PILE]])
        elif _stock_is_out(board, chance, options):
            return STOCK_OUT, settle_stock_out(board.pay, board.totals, options), turns
        else:
            stalled = 0
            _take(board, seat, board.stock[board.places[_TOP]])
            board.places[_TOP] += 1
        closing = _meld_and_discard(board, chance, log, policies[seat], seat, options)
        turns += 1
        board.holds[seat] = max(0, board.holds[seat] - 1)
        if board.hands[seat, 0] == 0:
            return OUT, settle_out(board.pay, seat, 1 if closing else options.out_pay), turns
    return STOCK_OUT, settle_stock_out(board.pay, board.totals, options), turns


@kernel
def _meld_and_discard(board: Board, chance: Chance, log: Ints, policy: int, seat: int, options: Options) -> bool:
    """Let the seat lay, hit and discard; tell whether it discarded, and did not go out before (K9–K12)."""
    while board.hands[seat, 0]:
        found = find_melds(board.found, board.hands, seat, options.ace_runs)
        if policy == _RANDOM:
            move, number, meld = _choose_at_random(board, chance, found, seat, options)
        else:
            move, number, meld = _choose_simply(board, found, seat)
        if move == LAY:
            base, shape = board.found[number, 0], board.found[number, 1]
            _write(log, board, seat, move, base, shape)
            _lay(board, seat, base, shape, options)
            continue
        _write(log, board, seat, move, number, meld)
        remove_cards(board.hands, seat, 1 << number)
        board.totals[seat] -= value_of(number)
        if move == DISCARD:
            _put_on_pile(board, number)
            return True
        put_hit(board.table, meld, number, options.set_fourth, options.ace_runs)
        owner = board.table[meld, OWNER]
        if options.hit_hold and owner != seat:
            board.holds[owner] += 1
    return False


@kernel
def _lay(board: Board, seat: int, base: int, shape: int, options: Options) -> None:
    remove_meld(board.hands, seat, base, shape)
    board.totals[seat] -= meld_total(base, shape)
    put_meld(board.table, board.places[_TABLE], seat, base, cards_in(shape), options.set_fourth, options.ace_runs)
    board.places[_TABLE] += 1


@kernel
def _choose_draw(board: Board, chance: Chance, policy: int, seat: int, may_drop: bool, options: Options) -> int:
    """Choose between drop, up-card and stock, in this order (K7–K9)."""
    pile = board.places[_PILE]
    if policy == _RANDOM:
        number = _below(chance, may_drop + (pile > 0) + 1)
        if may_drop:
            if number == 0:
                return DROP
            number -= 1
        return UP if pile and number == 0 else STOCK
    if may_drop and board.totals[seat] <= policy:
        return DROP
    if pile and completes_meld(board.hands, seat, board.pile[pile - 1], options.ace_runs):
        return UP
    return STOCK


@kernel
def _choose_at_random(board: Board, chance: Chance, found: int, seat: int, options: Options) -> tuple[int, int, int]:
    """Choose among melds found, hits by card and meld, and discards by card."""
    cards = board.hands[seat, 0]
    hits = 0
    for meld in range(board.places[_TABLE]):
        hits += cards_in(board.table[meld, TAKES] & cards)
    must_lay = found > 0 and not options.meld_duty  # forced is the first word
    number = _below(chance, found + hits + (0 if must_lay else cards_in(cards)))
    if number < found:
        return LAY, number, 0
    number -= found
    if number >= hits:
        return DISCARD, _spot_number(cards, number - hits), 0
    while True:
        card = cards & -cards
        cards ^= card
        for meld in range(board.places[_TABLE]):
            if board.table[meld, TAKES] & card:
                if number == 0:
                    return HIT, cards_in(card - 1), meld
                number -= 1


@kernel
def _choose_simply(board: Board, found: int, seat: int) -> tuple[int, int, int]:
    """Choose as `simple:T` does: the best melds, then the greatest hit, then the greatest discard."""
    if found:
        return LAY, best_meld(board.found, found, board.left, board.chosen, board.hands, seat), 0
    cards = board.hands[seat, 0]
    taken = 0
    for meld in range(board.places[_TABLE]):
        taken |= board.table[meld, TAKES]
    if not cards & taken:
        return DISCARD, _greatest(cards), 0
    spot = _greatest(cards & taken)
    meld = 0
    while not board.table[meld, TAKES] & 1 << spot:
        meld += 1
    return HIT, spot, meld


@kernel
def _greatest(cards: int) -> int:
    """Return the spot of the highest rank, and of the first suit there; higher ranks never have a lesser value."""
    rank = 12
    while True:
        suits = (cards >> rank) & 0x0001000100010001
        if suits:
            return rank + cards_in((suits & -suits) - 1)
        rank -= 1


@kernel
def _spot_number(cards: int, number: int) -> int:
    for _ in range(number):
        cards &= cards - 1
    return cards_in((cards & -cards) - 1)


@kernel
def _stock_is_out(board: Board, chance: Chance, options: Options) -> bool:
    """Tell whether the stock is empty; where it may be, it is made anew from the pile first (`stock_out`)."""
    places = board.places
    if places[_TOP] < places[_END]:
        return False
    # A stock made anew ends before the place where the first one did.
    if options.stock_out != RESHUFFLE or places[_END] < len(board.stock) or places[_PILE] < 2:
        return True
    _shuffle_pile(board, chance)
    return False


@kernel
def _shuffle_pile(board: Board, chance: Chance) -> None:
    """Make all of the pile but its top the stock, in the order of core.shuffling."""
    left = board.places[_PILE] - 1
    board.places[_TOP], board.places[_END] = 0, left
    word = drawn = 0
    while left:
        product = (_word(chance, _RESHUFFLE, word) >> _LEFT_OUT) * left
        word += 1
        if product & _FRACTION >= (_FRACTION + 1) % left:
            position = product >> 24
            left -= 1
            board.stock[drawn] = board.pile[position]
            board.pile[position] = board.pile[left]
            drawn += 1
    board.pile[0] = board.pile[drawn]
    board.places[_PILE] = 1


@kernel
def _below(chance: Chance, choices: int) -> int:
    """Return which of the choices the next word of the decisions takes."""
    taken = chance.taken[0]
    chance.taken[0] += 1
    return (_word(chance, _DECISIONS, taken) * choices) >> 32


@inlined
def _word(chance: Chance, stream: np.uint32, number: int) -> int:
    """Return a word of the hand's stream; words are asked for in order, from number 0 on."""
    deal = chance.deal[0]
    if number & 3 == 0:
        words = philox(
            np.uint32(number >> 2),
            np.uint32(deal & LOW_WORD),
            np.uint32(deal >> SHIFT),
            stream,
            np.uint32(chance.seed & LOW_WORD),
            np.uint32(chance.seed >> SHIFT),
        )
        for i in range(4):
            chance.words[stream, i] = words[i]
    word: int = chance.words[stream, number & 3]
    return word


@kernel
def _take(board: Board, seat: int, spot: int) -> None:
    add_card(board.hands, seat, 1 << spot)
    board.totals[seat] += value_of(spot)


@kernel
def _put_on_pile(board: Board, spot: int) -> None:
    board.pile[board.places[_PILE]] = spot
    board.places[_PILE] += 1


@kernel
def _write(log: Ints, board: Board, seat: int, kind: int, first: int, second: int) -> None:
    moves = board.places[_MOVES]
    if moves < len(log):
        log[moves, 0] = seat
        log[moves, 1] = kind
        log[moves, 2] = first
        log[moves, 3] = second
        board.places[_MOVES] += 1
