"""What one seat can force by each card that it may play, in many open positions at once, against all others (T9, T10).

It is the number of core.ton.solver after that card, for the one seat alone: the cards of a position share its table.
"""

from collections.abc import Sequence

import numpy as np

from core.jit import allocating
from core.ton.open_masks import bit_of, suit_mask
from core.ton.rules import TonRules
from core.ton.search import (
    FRAME,
    GAME_SIZE,
    ME,
    MOST_FRAMES,
    MUST_BEAT,
    OVERTRUMP,
    PLAYERS,
    STAMP,
    TRUMP,
    Ints,
    begin,
    can_force,
)
from core.ton.solver import BITS, MUST_BEAT_CODES, new_table

_NO_CARD = 0


def forced_by_cards(
    hands: Sequence[Sequence[Sequence[int]]],
    trick: Sequence[int],
    trump: int | None,
    leaders: Sequence[int],
    seat: int,
    cards: Sequence[int],
    rules: TonRules,
) -> Ints:
    """Return the tricks, the present one among them, that `seat` can force after each card, shape (positions, cards).

    `hands` are those of the players who take part, position by position, `seat` and the leaders numbers among them.
    The positions share the trick, to which `seat` is to play, and the cards that it may play.
    """
    masks = np.array([[BITS[list(hand)].sum() for hand in each] for each in hands], np.int64)
    return _forced(masks, trick, trump, leaders, seat, [bit_of(card) for card in cards], rules, len(hands[0][seat]))


def forced_from_start(
    hands: Sequence[Sequence[Sequence[int]]], trump: int | None, leaders: Sequence[int], seat: int, rules: TonRules
) -> Ints:
    """Return the tricks that `seat` can force from the first lead on, shape (positions,); arguments as above."""
    masks = np.array([[BITS[list(hand)].sum() for hand in each] for each in hands], np.int64)
    return _forced(masks, (), trump, leaders, seat, [_NO_CARD], rules, len(hands[0][seat]))[:, 0]


def _forced(
    masks: Ints,
    trick: Sequence[int],
    trump: int | None,
    leaders: Sequence[int],
    seat: int,
    moves: Sequence[int],
    rules: TonRules,
    left: int,
) -> Ints:
    found = np.zeros((len(masks), len(moves)), np.int64)
    table_cards = np.zeros(masks.shape[1], np.int64)
    table_cards[: len(trick)] = [bit_of(card) for card in trick]
    must_beat, overtrump = MUST_BEAT_CODES[rules.must_beat], int(rules.must_overtrump == "yes")
    _force(
        masks,
        table_cards,
        suit_mask(trump),
        np.asarray(leaders, np.int64),
        seat,
        np.array(moves, np.int64),
        left,
        must_beat,
        overtrump,
        new_table(left),
        found,
    )
    return found


@allocating
def _force(
    hands: Ints,
    trick: Ints,
    trump: int,
    leaders: Ints,
    me: int,
    moves: Ints,
    left: int,
    must_beat: int,
    overtrump: int,
    table: Ints,
    into: Ints,
) -> None:
    positions, players = hands.shape
    game = np.zeros(GAME_SIZE, np.int64)
    frames = np.zeros((MOST_FRAMES, FRAME), np.int64)
    lying = trick.copy()
    free = 0
    while trick[free]:
        free += 1
    game[PLAYERS], game[MUST_BEAT], game[OVERTRUMP], game[ME], game[TRUMP] = players, must_beat, overtrump, me, trump
    for position in range(positions):
        game[STAMP] += 1
        out = 0
        for seat in range(players):
            game[seat] = hands[position, seat]
            out |= game[seat]
        for number in range(len(moves)):
            lying[free] = moves[number]
            seat, to_play, suit, led, best, holder = begin(lying, leaders[position], players, trump)
            need = 1
            while need <= left and can_force(
                game, table, frames, out & ~moves[number], seat, to_play, suit, led, best, holder, need, left
            ):
                need += 1
            into[position, number] = need - 1
