"""Whole hands of Tonk as a kernel: the reference engine (`core.tonk.play`), decision by decision.

For each seed, deal, rule set and choice of policies the kernel makes the very decisions of the reference: the same
deal, the same order of legal actions, the same random words. Scratch arrays are made once a chunk of hands.
"""

import numpy as np

from core.cards import DECK_SIZE
from core.deals import LANES, draw_buffer, lane_of, shuffle_lanes
from core.jit import kernel
from core.tonk.board import (
    MOVES,
    TOP,
    Board,
    Chance,
    deal,
    deck_of_spots,
    hit,
    lay,
    make_board,
    make_chance,
    put_down,
    put_on_pile,
    stock_is_out,
    take,
    take_up,
)
from core.tonk.choosing import DISCARD, DROP, LAY, UP, choose_draw, choose_move
from core.tonk.melding import Ints, find_melds
from core.tonk.play import CARDS
from core.tonk.settling import Options, settle_drop, settle_out, settle_stock_out, settle_tonk
from core.tonk.state import STALLED_TURNS

# Kinds of endings, in the order of `state.Ending`.
TONK, DROP_WON, DROP_LOST, OUT, STOCK_OUT = range(5)

_CARDS = np.uint32(CARDS)


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
    rows of `log` as long as there are any: seat, kind, and two numbers (base and shape of a meld that is laid; the
    card's spot and the meld's number of a hit; the spot of a discard).

    A payment times its divisor is at most `greatest_payment`; sums of fewer than 2**63 over its square hands fit.
    """
    players = len(policies)
    deck_size = DECK_SIZE * options.decks
    board = make_board(players, deck_size)
    chance = make_chance(seed)
    buffer = draw_buffer(deck_size)
    stock, spots = board.stock, deck_of_spots(options.decks)
    for first in range(start, stop, LANES):
        positions = shuffle_lanes(buffer, seed, _CARDS, first, deck_size)
        for number in range(min(LANES, stop - first)):
            lane = lane_of(number)
            for place in range(deck_size):
                stock[place] = spots[positions[place, lane]]
            deal(board, options)
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
        move = choose_draw(board, chance, policies, turns, may_drop, options)
        _write(log, board, seat, move, 0, 0)
        if move == DROP:
            wins, divisor = settle_drop(board.pay, board.totals, seat, options)
            return DROP_WON if wins else DROP_LOST, divisor, turns + 1
        if move == UP:
            stalled += 1
            take_up(board, seat)
        elif stock_is_out(board, chance, options):
            return STOCK_OUT, settle_stock_out(board.pay, board.totals, options), turns
        else:
            stalled = 0
            take(board.hands, board.totals, seat, board.stock[board.places[TOP]])
            board.places[TOP] += 1
        closing = _meld_and_discard(board, chance, log, policies, seat, options)
        turns += 1
        board.holds[seat] = max(0, board.holds[seat] - 1)
        if board.hands[seat, 0] == 0:
            return OUT, settle_out(board.pay, seat, 1 if closing else options.out_pay), turns
    return STOCK_OUT, settle_stock_out(board.pay, board.totals, options), turns


@kernel
def _meld_and_discard(board: Board, chance: Chance, log: Ints, policies: Ints, seat: int, options: Options) -> bool:
    """Let the seat lay, hit and discard; tell whether it discarded, and did not go out before (K9–K12)."""
    while board.hands[seat, 0]:
        found = find_melds(board.found, board.hands, seat, options.ace_runs)
        move, number, meld = choose_move(board, chance, policies, found, seat, options)
        if move == LAY:
            base, shape = board.found[number, 0], board.found[number, 1]
            _write(log, board, seat, move, base, shape)
            lay(board, seat, base, shape, options)
            continue
        _write(log, board, seat, move, number, meld)
        if move == DISCARD:
            put_down(board, seat, number)
            put_on_pile(board, number)
            return True
        hit(board, seat, number, meld, options)
    return False


@kernel
def _write(log: Ints, board: Board, seat: int, kind: int, first: int, second: int) -> None:
    moves = board.places[MOVES]
    if moves < len(log):
        log[moves, 0] = seat
        log[moves, 1] = kind
        log[moves, 2] = first
        log[moves, 3] = second
        board.places[MOVES] += 1
