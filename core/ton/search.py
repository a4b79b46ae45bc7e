"""The search behind core.ton.solver: can one seat force so many tricks against all others playing together (T9, T10)?

The hands of a game never change; which of their cards are still `out` does. Whoever may move at a position looks for
one card that settles the question his way, so that a search visits few of the others' answers (alpha-beta with a null
window). Cards that do the same are tried once, tricks that cannot be lost are counted without play, and what was
found out at the start of a trick is kept in a table.
"""

import numpy as np
from numpy.typing import NDArray

from core.jit import allocating, inlined, kernel
from core.ton.open_masks import GUARDS, SUIT, beating, distinct, legal, suit_around

Ints = NDArray[np.int64]

# A game in one array: the hands by seat, then these.
PLAYERS, ME, TRUMP, MUST_BEAT, OVERTRUMP, STAMP = range(6, 12)
GAME_SIZE = 12
# A frame holds the arguments of `can_force` at one card of the search, and the cards still to try.
MOST_FRAMES, FRAME = 64, 11

# A table row is a position and what is known of it: stamp of its game, least and most tricks that `me` can force.
_MULTIPLIER = 0x9E3779B97F4A7C15 >> 1
_BITS, _FIELD = 8, 255
# In a table's key the leader stands at the first suit's guard, where a mask of cards has no bits.
LEADER = 13


@inlined
def _count(cards: int) -> int:
    number = 0
    while cards:
        cards &= cards - 1
        number += 1
    return number


@kernel
def quick_tricks(game: Ints, out: int, leader: int, seat: int, against: int) -> int:
    """Return tricks that `seat` takes for sure: his highest trumps, and, if he leads, cards that all must follow.

    A trump above all trumps of `against` costs them a trick whenever it falls. A card above all others of its suit
    takes the trick that it is led to if everyone who holds a trump can follow.
    """
    trump = game[TRUMP]
    hand = game[seat] & out
    sure = _count(hand & trump & ~_below(against & trump))
    if seat != leader:
        return sure
    others = out & ~hand
    suit = SUIT
    for _ in range(4):
        held = hand & suit
        if held and suit != trump:
            tops = _count(held & ~_below(others & suit))
            if tops and others & trump:
                for other in range(game[PLAYERS]):
                    theirs = game[other] & out
                    if other != seat and theirs & trump:
                        tops = min(tops, _count(theirs & suit))
            sure += tops
        suit <<= 16
    return sure


@inlined
def _below(cards: int) -> int:
    """Return all bits up to the highest of the cards, which are of one suit or none."""
    cards |= cards >> 1
    cards |= cards >> 2
    cards |= cards >> 4
    return cards | cards >> 8


@inlined
def _last_winner(game: Ints, out: int, leader: int) -> int:
    """Return who takes a trick to which everyone plays his only card."""
    players, trump = game[PLAYERS], game[TRUMP]
    best = game[leader] & out
    suit = suit_around(best)
    holder = seat = leader
    for _ in range(players - 1):
        seat = seat + 1 if seat + 1 < players else 0
        card = game[seat] & out
        if card & beating(best, suit, trump):
            best, holder = card, seat
    return holder


@kernel
def known(game: Ints, table: Ints, out: int, leader: int, need: int, left: int) -> int:
    """Return 1 or 0 if `me` can or cannot force `need` of the `left` tricks, so far as no search is needed; else -1."""
    me = game[ME]
    if need <= 0:
        return 1
    if need > left:
        return 0
    if left == 1:
        return int(_last_winner(game, out, leader) == me)
    row, key = row_of(table, out, leader), out | leader << LEADER
    if table[row, 0] == key and table[row, 1] >> 2 * _BITS == game[STAMP]:
        if table[row, 1] >> _BITS & _FIELD >= need:
            return 1
        if table[row, 1] & _FIELD < need:
            return 0
    own = game[me] & out
    if quick_tricks(game, out, leader, me, out & ~own) >= need:
        return 1
    for other in range(game[PLAYERS]):
        if other != me and left - quick_tricks(game, out, leader, other, own) < need:
            return 0
    return -1


@kernel
def remember(game: Ints, table: Ints, out: int, leader: int, need: int, left: int, answer: int) -> None:
    """Keep in the table whether `me` can force `need` of the `left` tricks."""
    row, key = row_of(table, out, leader), out | leader << LEADER
    least, most = 0, left
    if table[row, 0] == key and table[row, 1] >> 2 * _BITS == game[STAMP]:
        least, most = table[row, 1] >> _BITS & _FIELD, table[row, 1] & _FIELD
    if answer:
        least = need
    else:
        most = need - 1
    table[row, 0] = key
    table[row, 1] = game[STAMP] << 2 * _BITS | least << _BITS | most


@inlined
def row_of(table: Ints, out: int, leader: int) -> int:
    """Return the row where the table keeps the position at the start of a trick."""
    row: int = (((out | leader << LEADER) * _MULTIPLIER) >> 32) & (table.shape[0] - 1)
    return row


@inlined
def _unbeaten(cards: int, others: int) -> int:
    """Return those of the cards that no other card of their suit is above."""
    found = 0
    suit = SUIT
    for _ in range(4):
        found |= cards & suit & ~_below(others & suit)
        suit <<= 16
    return found


@inlined
def _promising(
    moves: int,
    own: int,
    others: int,
    seat: int,
    to_play: int,
    suit: int,
    best: int,
    holder: int,
    me: int,
    players: int,
    trump: int,
) -> int:
    """Return the cards to try first: those that win the trick, if possible for good, or low ones if that is no use.

    `own` is what `me` holds. Only the order of the search depends on this, not what it finds.
    """
    first = moves & beating(best, suit, trump)
    rivals = others
    if seat != me:
        rivals = own & beating(best, suit, trump)
        ahead = me - seat if me > seat else me - seat + players
        played = ahead >= to_play
        if (played and holder != me) or (not played and rivals == 0):
            first = moves & ~first
        if played:
            rivals = 0
    safe = first & ~_below(rivals & suit)
    return safe if safe else first


@kernel
def can_force(
    game: Ints,
    table: Ints,
    frames: Ints,
    out: int,
    seat: int,
    to_play: int,
    suit: int,
    led: int,
    best: int,
    holder: int,
    need: int,
    left: int,
) -> int:
    """Tell whether `me` can force `need` of the `left` tricks, the present one among them: 1 or 0.

    `out` are the cards in hands; `seat` is the first of `to_play` to play in the present trick, in which `suit` (a
    mask) and the card `led` were led, and `best`, played by `holder`, is winning. `frames` has a row for each card.
    """
    # By frames and not by recursion: numba does not load recursive functions from its cache.
    players, me, trump = game[PLAYERS], game[ME], game[TRUMP]
    depth = 0
    while True:
        answer = -1
        if to_play == 0:
            need -= holder == me
            left -= 1
            seat, to_play = holder, players
        if to_play == players:
            answer = known(game, table, out, seat, need, left)
        if answer < 0:
            hand = game[seat] & out
            others = out & ~hand
            if to_play == players:
                moves = distinct(hand, others | GUARDS)
                first = _unbeaten(moves, others if seat == me else game[me] & out)
            else:
                moves = legal(hand, suit, led, best, trump, game[MUST_BEAT], game[OVERTRUMP])
                moves = distinct(moves, others | best | GUARDS)
                own = game[me] & out
                first = _promising(moves, own, others, seat, to_play, suit, best, holder, me, players, trump)
            frame = frames[depth]
            frame[0], frame[1], frame[2], frame[3], frame[4], frame[5] = out, seat, to_play, suit, led, best
            frame[6], frame[7], frame[8], frame[9], frame[10] = holder, need, left, first, moves & ~first
            depth += 1
        # An answer that suits the player who chose, or that his last card gave, is the answer before his choice too.
        while depth:
            frame = frames[depth - 1]
            out, seat, to_play, suit, led, best = frame[0], frame[1], frame[2], frame[3], frame[4], frame[5]
            holder, need, left, first, second = frame[6], frame[7], frame[8], frame[9], frame[10]
            if answer < 0 or (answer != (seat == me) and first | second):
                break
            if to_play == players:
                remember(game, table, out, seat, need, left, answer)
            depth -= 1
        if depth == 0:
            return answer
        if first == 0:
            first, second = second, 0
        card = first & -first
        frame[9], frame[10] = first ^ card, second
        out ^= card
        if to_play == players:
            suit, led, best, holder = suit_around(card), card, card, seat
        elif card & beating(best, suit, trump):
            best, holder = card, seat
        seat = seat + 1 if seat + 1 < players else 0
        to_play -= 1


@kernel
def begin(trick: Ints, leader: int, players: int, trump: int) -> tuple[int, int, int, int, int, int]:
    """Return who is to play to a trick, how many are, its suit, led and winning card, and who played that."""
    seat = holder = leader
    suit = led = best = 0
    to_play = players
    while to_play and trick[players - to_play]:
        card = trick[players - to_play]
        if to_play == players:
            suit, led, best = suit_around(card), card, card
        elif card & beating(best, suit, trump):
            best, holder = card, seat
        seat = (seat + 1) % players
        to_play -= 1
    return seat, to_play, suit, led, best, holder


@allocating
def guaranteed(
    hands: Ints, tricks: Ints, trumps: Ints, leaders: Ints, must_beat: int, overtrump: int, table: Ints, into: Ints
) -> None:
    """Write for each position and seat the tricks, the present one among them, that the seat can force.

    `tricks` holds the cards on the table in the order played, then zeros. `table` is a power of two of rows, zero at
    first; the position's number stamps what is written there.
    """
    positions, players = hands.shape
    game = np.zeros(GAME_SIZE, np.int64)
    frames = np.zeros((MOST_FRAMES, FRAME), np.int64)
    game[PLAYERS], game[MUST_BEAT], game[OVERTRUMP] = players, must_beat, overtrump
    for position in range(positions):
        game[TRUMP] = trumps[position]
        out = 0
        for seat in range(players):
            game[seat] = hands[position, seat]
            out |= game[seat]
        seat, to_play, suit, led, best, holder = begin(tricks[position], leaders[position], players, game[TRUMP])
        left = _count(hands[position, (seat + to_play - 1) % players])
        for me in range(players):
            # What one of two players cannot force, the other can.
            if players == 2 and me == 1:
                into[position, 1] = left - into[position, 0]
                continue
            game[ME] = me
            game[STAMP] += 1
            need = 1
            while need <= left and can_force(
                game, table, frames, out, seat, to_play, suit, led, best, holder, need, left
            ):
                need += 1
            into[position, me] = need - 1
