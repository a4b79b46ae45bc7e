"""A hand of Tonk played on from where it stands, for kernels: the turns of the reference engine (core.tonk.moves)."""

import numpy as np

from core.jit import allocating, inlined, kernel
from core.tonk.board import (
    END,
    MOVES,
    STALLED,
    TOP,
    TURNS,
    Board,
    Chance,
    hit,
    lay,
    put_down,
    put_on_pile,
    stock_stays_empty,
    take,
    take_up,
)
from core.tonk.choosing import DISCARD, DROP, LAY, UP, choose_draw, choose_move
from core.tonk.melding import Ints, find_melds
from core.tonk.settling import Options, settle_drop, settle_out, settle_stock_out
from core.tonk.state import STALLED_TURNS

# Kinds of endings, in the order of `state.Ending`; or the hand is not over.
TONK, DROP_WON, DROP_LOST, OUT, STOCK_OUT = range(5)
GOES_ON = -1

# A turn that no hand reaches.
TO_THE_END = -1


@allocating
def no_log() -> Ints:
    """Return a log without rows."""
    return np.empty((0, 4), np.int64)


@kernel
def play_on(board: Board, chance: Chance, log: Ints, policies: Ints, options: Options, until: int) -> tuple[int, int]:
    """Play from the start of a turn to the end of the hand, or to the start of turn number `until` (K7–K12).

    Returns how the hand ends and the divisor of the payments. Moves go to the rows of `log` as long as there are any:
    seat, kind, and two numbers (base and shape of a meld that is laid; the card's spot and the meld's number of a hit;
    the spot of a discard).
    """
    players = len(policies)
    places = board.places
    while places[STALLED] < STALLED_TURNS * players:
        turns = places[TURNS]
        if turns == until:
            return GOES_ON, 0
        seat = turns % players
        move = choose_draw(board, chance, policies, seat, drop_is_allowed(board, seat, options), options)
        _write(log, board, seat, move, 0, 0)
        kind, divisor = draw(board, chance, seat, move, options)
        if kind == GOES_ON:
            kind, divisor = finish_turn(board, chance, log, policies, seat, options)
        if kind != GOES_ON:
            return kind, divisor
    return STOCK_OUT, settle_stock_out(board.pay, board.totals, options)


@inlined
def drop_is_allowed(board: Board, seat: int, options: Options) -> bool:
    """Tell whether the player to move may drop (K8, `drop_allowed`, `hit_hold`)."""
    return not (options.drop_allowed and board.places[TURNS] >= len(board.totals)) and board.holds[seat] == 0


@inlined
def draw(board: Board, chance: Chance, seat: int, move: int, options: Options) -> tuple[int, int]:
    """Let the player to move drop, take the up-card or take from the stock (K8, K9).

    Returns how the hand ends and the divisor of the payments.
    """
    if move == DROP:
        board.places[TURNS] += 1
        wins, divisor = settle_drop(board.pay, board.totals, seat, options)
        return DROP_WON if wins else DROP_LOST, divisor
    if move == UP:
        board.places[STALLED] += 1
        take_up(board, seat)
    elif board.places[TOP] == board.places[END] and stock_stays_empty(board, chance, options):
        return STOCK_OUT, settle_stock_out(board.pay, board.totals, options)
    else:
        board.places[STALLED] = 0
        take(board.hands, board.totals, seat, board.stock[board.places[TOP]])
        board.places[TOP] += 1
    return GOES_ON, 0


@kernel
def finish_turn(
    board: Board, chance: Chance, log: Ints, policies: Ints, seat: int, options: Options
) -> tuple[int, int]:
    """Let the player who has drawn lay, hit and discard (K9–K12).

    Returns how the hand ends and the divisor of the payments.
    """
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
            return discard(board, seat, number, options)
        hit(board, seat, number, meld, options)
    return _end_turn(board, seat, options.out_pay, options)


@inlined
def discard(board: Board, seat: int, spot: int, options: Options) -> tuple[int, int]:
    """Let the player to move discard, which ends his turn (K9); returns as finish_turn does."""
    put_down(board, seat, spot)
    put_on_pile(board, spot)
    return _end_turn(board, seat, 1, options)


@inlined
def _end_turn(board: Board, seat: int, stakes: int, options: Options) -> tuple[int, int]:
    """End a turn; a hand without cards is out, and is paid so many stakes (K12, `out_pay`)."""
    board.places[TURNS] += 1
    board.holds[seat] = max(0, board.holds[seat] - 1)
    if board.hands[seat, 0] == 0:
        return OUT, settle_out(board.pay, seat, stakes)
    return GOES_ON, 0


@kernel
def _write(log: Ints, board: Board, seat: int, kind: int, first: int, second: int) -> None:
    moves = board.places[MOVES]
    if moves < len(log):
        log[moves, 0] = seat
        log[moves, 1] = kind
        log[moves, 2] = first
        log[moves, 3] = second
        board.places[MOVES] += 1
