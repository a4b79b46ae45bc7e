"""The kernel of "each for himself": open cards, and every seat wants most tricks for itself (max^n).

This is an approximation by its nature: with three players and more, how a player breaks a tie between cards that give
him the same decides what the others get. Here he plays the first of them, suits in the order s h d c and low to high.
"""

import numpy as np

from core.jit import allocating, kernel
from core.ton.open_masks import GUARDS, beating, distinct, legal, suit_around
from core.ton.search import GAME_SIZE, LEADER, MOST_FRAMES, MUST_BEAT, OVERTRUMP, PLAYERS, TRUMP, Ints, begin, row_of

# Tricks by seat in one integer, four bits each; in the table the stamp of the game stands above.
_BITS, _ALL, _SHARE = 4, 24, 15
_FRAME = 9


@kernel
def play_out(game: Ints, stamp: int, table: Ints, frames: Ints, trick: Ints, leader: int, out: int) -> int:
    """Return the tricks of all seats, the present one among them, four bits each."""
    players, trump = game[PLAYERS], game[TRUMP]
    seat, to_play, suit, led, best, holder = begin(trick, leader, players, trump)
    depth = 0
    while True:
        value = -1
        if to_play == 0:
            seat, to_play = holder, players
        if to_play == players:
            row = row_of(table, out, seat)
            if out == 0:
                value = 0
            elif table[row, 0] == out | seat << LEADER and table[row, 1] >> _ALL == stamp:
                value = table[row, 1] & ((1 << _ALL) - 1)
            if value >= 0 and depth:
                value += 1 << _BITS * seat
        if value < 0:
            hand = game[seat] & out
            others = out & ~hand
            if to_play == players:
                moves = distinct(hand, others | GUARDS)
            else:
                moves = legal(hand, suit, led, best, trump, game[MUST_BEAT], game[OVERTRUMP])
                moves = distinct(moves, others | best | GUARDS)
            frame = frames[depth]
            frame[0], frame[1], frame[2], frame[3], frame[4] = out, seat, to_play, suit, led
            frame[5], frame[6], frame[7], frame[8] = best, holder, moves, -1
            depth += 1
        while depth:
            frame = frames[depth - 1]
            out, seat, to_play, suit, led = frame[0], frame[1], frame[2], frame[3], frame[4]
            best, holder, moves, chosen = frame[5], frame[6], frame[7], frame[8]
            own = _BITS * seat
            if value >= 0 and (chosen < 0 or value >> own & _SHARE > chosen >> own & _SHARE):
                chosen = frame[8] = value
            if moves:
                break
            value = chosen
            if to_play == players:
                row = row_of(table, out, seat)
                table[row, 0], table[row, 1] = out | seat << LEADER, stamp << _ALL | value
                # Who leads has taken the trick before, except in the first.
                if depth > 1:
                    value += 1 << own
            depth -= 1
        if depth == 0:
            return value
        card = moves & -moves
        frame[7] = moves ^ card
        out ^= card
        if to_play == players:
            suit, led, best, holder = suit_around(card), card, card, seat
        elif card & beating(best, suit, trump):
            best, holder = card, seat
        seat = seat + 1 if seat + 1 < players else 0
        to_play -= 1


@allocating
def selfish(
    hands: Ints, tricks: Ints, trumps: Ints, leaders: Ints, must_beat: int, overtrump: int, table: Ints, into: Ints
) -> None:
    """Write for each position and seat the tricks that it takes; arguments as for `search.guaranteed`."""
    positions, players = hands.shape
    game = np.zeros(GAME_SIZE, np.int64)
    frames = np.zeros((MOST_FRAMES, _FRAME), np.int64)
    game[PLAYERS], game[MUST_BEAT], game[OVERTRUMP] = players, must_beat, overtrump
    for position in range(positions):
        game[TRUMP] = trumps[position]
        out = 0
        for seat in range(players):
            game[seat] = hands[position, seat]
            out |= game[seat]
        value = play_out(game, position + 1, table, frames, tricks[position], leaders[position], out)
        for seat in range(players):
            into[position, seat] = value >> _BITS * seat & _SHARE
