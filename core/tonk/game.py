"""Whole hands of Tonk as a kernel: the reference engine (`core.tonk.play`), decision by decision.

For each seed, deal, rule set and choice of policies the kernel makes the very decisions of the reference: the same
deal, the same order of legal actions, the same random words. Scratch arrays are made once a chunk of hands.
"""

import numpy as np

from core.cards import DECK_SIZE
from core.deals import LANES, Bytes, draw_buffer, lane_of, shuffle_lanes
from core.jit import allocating, inlined
from core.tonk.board import TURNS, Board, Chance, deal, deck_of_spots, make_board, make_chance
from core.tonk.choosing import drop_cell
from core.tonk.hand import GOES_ON, TO_THE_END, TONK, drop_is_allowed, no_log, play_on
from core.tonk.melding import Ints
from core.tonk.play import CARDS
from core.tonk.settling import Options, settle_drop, settle_tonk

_CARDS = np.uint32(CARDS)

# Payments times this are whole numbers where at most so many players share what is paid.
SCALE, MOST_SHARERS = 2520, 10


@allocating
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
    `kinds` the hands by ending; to `turns` the sum of turns and of their squares; a drop is a turn. `log` is that of
    `play_on`.

    A payment times its divisor is at most `greatest_payment`; sums of fewer than 2**63 over its square hands fit.
    """
    players = len(policies)
    deck_size = DECK_SIZE * options.decks
    board = make_board(players, deck_size)
    chance = make_chance(seed)
    buffer, spots = draw_buffer(deck_size), deck_of_spots(options.decks)
    for first in range(start, stop, LANES):
        positions = shuffle_lanes(buffer, seed, _CARDS, first, deck_size)
        for number in range(min(LANES, stop - first)):
            _deal_lane(board, chance, positions, spots, lane_of(number), first + number, options)
            kind, divisor = TONK, settle_tonk(board.pay, board.totals, options)
            if not divisor:
                kind, divisor = play_on(board, chance, log, policies, options, TO_THE_END)
            played = board.places[TURNS]
            kinds[kind] += 1
            turns[0] += played
            turns[1] += played * played
            for seat in range(players):
                payments[seat, divisor] += board.pay[seat]
                squares[seat, divisor] += board.pay[seat] * board.pay[seat]


@allocating
def play_each(
    payments: Ints,
    kinds: Ints,
    turns: Ints,
    policies: Ints,
    options: Options,
    seed: np.uint64,
    start: int,
) -> None:
    """Deal and play as many hands as there are `kinds`, from hand `start` on, and tell how each of them ends.

    Fills `payments` of shape (hands, players) with each seat's payment times SCALE, `kinds` and `turns` with the ending
    and the turns of each hand; they are those of `play_hands`.
    """
    players = len(policies)
    deck_size = DECK_SIZE * options.decks
    board = make_board(players, deck_size)
    chance, log = make_chance(seed), no_log()
    buffer, spots = draw_buffer(deck_size), deck_of_spots(options.decks)
    for first in range(0, len(kinds), LANES):
        positions = shuffle_lanes(buffer, seed, _CARDS, start + first, deck_size)
        for number in range(first, min(first + LANES, len(kinds))):
            _deal_lane(board, chance, positions, spots, lane_of(number - first), start + number, options)
            kind, divisor = TONK, settle_tonk(board.pay, board.totals, options)
            if not divisor:
                kind, divisor = play_on(board, chance, log, policies, options, TO_THE_END)
            kinds[number] = kind
            turns[number] = board.places[TURNS]
            for seat in range(players):
                payments[number, seat] = board.pay[seat] * SCALE // max(divisor, 1)


@allocating
def probe_drops(
    gains: Ints,
    squares: Ints,
    counts: Ints,
    policies: Ints,
    options: Options,
    rounds: int,
    seed: np.uint64,
    start: int,
    stop: int,
) -> None:
    """Deal and play the hands start .. stop - 1, and compare a drop with none at one decision of each.

    Hand i is looked at when its turn number i modulo (rounds * players) begins, if it comes to that: what a drop then
    pays its player, less what he is paid when he does not drop then and all play on by their policies. Adds it times
    SCALE to `gains`, its square to `squares` and 1 to `counts`, all of shape (cells of `drop_cell`, totals); greater
    totals are left out.
    """
    players = len(policies)
    deck_size = DECK_SIZE * options.decks
    board = make_board(players, deck_size)
    chance, log = make_chance(seed), no_log()
    buffer, spots = draw_buffer(deck_size), deck_of_spots(options.decks)
    for first in range(start, stop, LANES):
        positions = shuffle_lanes(buffer, seed, _CARDS, first, deck_size)
        for number in range(min(LANES, stop - first)):
            _deal_lane(board, chance, positions, spots, lane_of(number), first + number, options)
            turn = (first + number) % (rounds * players)
            seat = turn % players
            if settle_tonk(board.pay, board.totals, options):
                continue
            kind, _ = play_on(board, chance, log, policies, options, turn)
            total = board.totals[seat]
            if kind != GOES_ON or total >= counts.shape[1] or not drop_is_allowed(board, seat, options):
                continue
            cell = drop_cell(board, seat)
            _, divisor = settle_drop(board.pay, board.totals, seat, options)
            gain = board.pay[seat] * SCALE // divisor
            # A hold ends with the turn: it only keeps him from dropping now.
            board.holds[seat] += 1
            _, divisor = play_on(board, chance, log, policies, options, TO_THE_END)
            gain -= board.pay[seat] * SCALE // max(divisor, 1)
            gains[cell, total] += gain
            squares[cell, total] += gain * gain
            counts[cell, total] += 1


@allocating
def play_in_turn(sums: Ints, policies: Ints, options: Options, seed: np.uint64, start: int, stop: int) -> None:
    """Deal the hands start .. stop - 1, play each once for every seat of one player among others, and add up his pay.

    `policies[s]` are the policies by seat when he sits on seat s. Adds to `sums` what he is paid on all seats of a deal
    together, times SCALE, and the square of that.
    """
    players = len(policies)
    deck_size = DECK_SIZE * options.decks
    board = make_board(players, deck_size)
    chance, log = make_chance(seed), no_log()
    buffer, spots = draw_buffer(deck_size), deck_of_spots(options.decks)
    for first in range(start, stop, LANES):
        positions = shuffle_lanes(buffer, seed, _CARDS, first, deck_size)
        for number in range(min(LANES, stop - first)):
            paid = 0
            for seat in range(players):
                _deal_lane(board, chance, positions, spots, lane_of(number), first + number, options)
                divisor = settle_tonk(board.pay, board.totals, options)
                if not divisor:
                    _, divisor = play_on(board, chance, log, policies[seat], options, TO_THE_END)
                paid += board.pay[seat] * SCALE // max(divisor, 1)
            sums[0] += paid
            sums[1] += paid * paid


@inlined
def _deal_lane(
    board: Board, chance: Chance, positions: Bytes, spots: Ints, lane: int, number: int, options: Options
) -> None:
    """Deal the hand of that lane and number."""
    stock = board.stock
    for place in range(len(stock)):
        stock[place] = spots[positions[place, lane]]
    deal(board, options)
    chance.deal[0] = number
    chance.taken[0] = 0
