"""What each legal action is worth to a player of Tonk, by rollouts on a kernel.

Worlds are those of `core.tonk.worlds`; in each, every action is carried out and the hand played to its end by fast
policies. All actions are tried in the same worlds, so that their differences are known better than they are themselves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.errors import InputError
from core.jit import allocating, kernel
from core.tonk.actions import Action
from core.tonk.board import (
    END,
    PILE,
    STALLED,
    TABLE,
    TOP,
    TURNS,
    Board,
    Chance,
    hit,
    lay,
    make_board,
    make_chance,
    shuffle_spots,
    take,
)
from core.tonk.choosing import DISCARD, DROP, HIT, LAY, STOCK, UP, policy_numbers
from core.tonk.game import SCALE
from core.tonk.hand import GOES_ON, TO_THE_END, discard, draw, finish_turn, no_log, play_on
from core.tonk.melding import RUN, Ints, add_card, find_melds, put_meld, spot_of
from core.tonk.melds import is_set
from core.tonk.policies import Threshold
from core.tonk.settling import Options, options_of
from core.tonk.thresholds import Thresholds
from core.tonk.view import View
from core.tonk.worlds import TRIES, WORLDS, hidden_cards

_WORLDS = np.uint32(WORLDS)
CLEARLY = 2
_KINDS = {"drop": DROP, "up": UP, "stock": STOCK, "lay": LAY, "hit": HIT, "discard": DISCARD}


@dataclass(frozen=True)
class Rollout:
    """`rollout:N`: tries each action in N worlds, all playing on by `threshold`, and takes the one that pays most.

    It does as `threshold` does unless another action pays more than that by CLEARLY standard errors: else chance would
    choose among actions that differ little. Takes one random word a decision, as the seed of the worlds.
    """

    worlds: int
    thresholds: Thresholds

    def choose(self, view: View, actions: Sequence[Action], words: Iterator[int]) -> Action:
        """Return one of the actions."""
        seed, usual = next(words), actions.index(Threshold(self.thresholds).choose(view, actions, words))
        if len(actions) == 1:
            return actions[0]
        payments = np.zeros(len(actions), np.int64)
        products = np.zeros((len(actions), len(actions)), np.int64)
        policies = policy_numbers([Threshold(self.thresholds)] * len(view.sizes))
        roll_out(payments, products, view, actions, policies, seed, 0, self.worlds)
        gains = (payments - payments[usual]) / self.worlds
        squares = (products.diagonal() + products[usual, usual] - 2 * products[usual]) / self.worlds
        errors = np.sqrt(np.maximum(squares - gains**2, 0) / self.worlds)
        clear = np.where(gains > CLEARLY * errors, gains, 0)
        return actions[int(np.argmax(clear)) if clear.any() else usual]


class Position(NamedTuple):
    """What a view tells, as the kernel takes it.

    board
        the cards that are seen; other hands hold what is known of them
    missing
        by seat, the cards that are not known
    hidden
        the spots of the cards that may be there or in the stock, in reverse order
    fresh
        by seat, whether no turn was played
    """

    board: Board
    missing: Ints
    hidden: Ints
    fresh: Ints


def position_of(view: View) -> Position:
    """Return the position as the player sees it."""
    players, own, options = len(view.sizes), view.seat, options_of(view.rules)
    board = make_board(players, len(view.rules.deck()))
    for part in (board.hands, board.known, board.totals):
        part[:] = 0
    for seat, known in enumerate(view.known):
        for card in known:
            add_card(board.known, seat, 1 << spot_of(card))
        for card in view.hand if seat == own else known:
            take(board.hands, board.totals, seat, spot_of(card))
    board.holds[:] = view.holds
    board.pile[: len(view.pile)] = [spot_of(card) for card in view.pile]
    for number, meld in enumerate(view.table):
        base = meld.cards[0] % 13 if is_set(meld.cards) else RUN + spot_of(meld.cards[0])
        put_meld(board.table, number, meld.owner, base, len(meld.cards), options.set_fourth, options.ace_runs)
    hidden = [spot_of(card) for card in reversed(hidden_cards(view))]
    # A stock that was made anew ends before the place where the first one did.
    end = view.stock if view.reshuffled else len(board.stock)
    places = {
        TOP: end - view.stock,
        END: end,
        PILE: len(view.pile),
        TABLE: len(view.table),
        TURNS: view.turns[own] * players + own,
        STALLED: view.stalled,
    }
    for place, number in places.items():
        board.places[place] = number
    seen = [len(view.hand if seat == own else known) for seat, known in enumerate(view.known)]
    missing = np.array([size - cards for size, cards in zip(view.sizes, seen, strict=True)], np.int64)
    fresh = np.array([turns == 0 for turns in view.turns], np.int64)
    return Position(board, missing, np.array(hidden, np.int64), fresh)


def action_numbers(actions: Sequence[Action]) -> Ints:
    """Return actions as the kernel takes them: kind, and two numbers as in the log of `play_on`."""
    return np.array([_numbers(action) for action in actions], np.int64).reshape(-1, 3)


def _numbers(action: Action) -> tuple[int, int, int]:
    kind, first, second = _KINDS[action.kind], 0, 0
    if kind == LAY:
        first, second = base_and_shape(action.cards)
    elif action.cards:
        first, second = spot_of(action.cards[0]), max(action.meld, 0)
    return kind, first, second


def base_and_shape(meld: Sequence[int]) -> tuple[int, int]:
    """Return a meld as the kernels take it (see core.tonk.melding)."""
    if not is_set(meld):
        return RUN + spot_of(meld[0]), sum(1 << spot_of(card) for card in meld)
    suits = [card // 13 for card in meld]
    return meld[0] % 13, sum((2 ** suits.count(suit) - 1) << (16 * suit) for suit in range(4))


def roll_out(
    payments: Ints,
    products: Ints,
    view: View,
    actions: Sequence[Action],
    policies: Ints,
    seed: int,
    start: int,
    stop: int,
) -> None:
    """Play each action out in the worlds start .. stop - 1; from there on all play by `policies` (`policy_numbers`).

    Adds to `payments` of shape (actions,) what the player is paid, times SCALE, and to `products` of shape (actions,
    actions) the products of that by pairs. World i is a function of seed and i.

    Raises InputError when no world is found that agrees with what was seen.
    """
    numbers, options = action_numbers(actions), options_of(view.rules)
    if _roll_out(payments, products, numbers, position_of(view), policies, options, np.uint64(seed), start, stop):
        raise InputError(f"none of {TRIES:,} deals of the hidden cards agrees with what was seen")


@allocating
def _roll_out(
    payments: Ints,
    products: Ints,
    actions: Ints,
    position: Position,
    policies: Ints,
    options: Options,
    seed: np.uint64,
    start: int,
    stop: int,
) -> bool:
    players, seat = len(policies), position.board.places[TURNS] % len(policies)
    board = make_board(players, len(position.board.stock))
    chance, log = make_chance(seed), no_log()
    order, paid = np.empty(len(position.hidden), np.int64), np.empty(len(actions), np.int64)
    for world in range(start, stop):
        chance.deal[0] = world
        if not _sample(board, chance, position, order, seat, options):
            return True
        for number in range(len(actions)):
            if number:
                _set_up(board, position, order)
            chance.taken[0] = 0
            kind, divisor = _carry_out(board, chance, log, actions, number, policies, seat, options)
            if kind == GOES_ON:
                _, divisor = play_on(board, chance, log, policies, options, TO_THE_END)
            paid[number] = board.pay[seat] * SCALE // max(divisor, 1)
        for number in range(len(actions)):
            payments[number] += paid[number]
            for other in range(len(actions)):
                products[number, other] += paid[number] * paid[other]
    return False


@allocating
def _sample(board: Board, chance: Chance, position: Position, order: Ints, own: int, options: Options) -> bool:
    """Deal the hidden cards as core.tonk.worlds does; tell whether a deal was found that agrees with what was seen."""
    word = 0
    for _ in range(TRIES):
        order[:] = position.hidden
        word = shuffle_spots(order, len(order), chance, _WORLDS, word)
        _set_up(board, position, order)
        agrees = True
        for seat in range(len(position.fresh)):
            if seat != own and agrees:
                if position.fresh[seat]:
                    agrees = options.low_tonk < board.totals[seat] < options.high_tonk
                elif not options.meld_duty:  # forced is the first word
                    agrees = find_melds(board.found, board.hands, seat, options.ace_runs) == 0
        if agrees:
            return True
    return False


@allocating
def _set_up(board: Board, position: Position, order: Ints) -> None:
    """Put the hidden cards, in that order, into the other hands and the stock."""
    seen = position.board
    board.hands[:] = seen.hands
    board.known[:] = seen.known
    board.totals[:] = seen.totals
    board.holds[:] = seen.holds
    board.places[:] = seen.places
    pile, melds = seen.places[PILE], seen.places[TABLE]
    board.pile[:pile] = seen.pile[:pile]
    board.table[:melds] = seen.table[:melds]
    dealt = 0
    for seat in range(len(position.missing)):
        for _ in range(position.missing[seat]):
            take(board.hands, board.totals, seat, order[dealt])
            dealt += 1
    board.stock[seen.places[TOP] : seen.places[END]] = order[dealt:]


@kernel
def _carry_out(
    board: Board, chance: Chance, log: Ints, actions: Ints, number: int, policies: Ints, seat: int, options: Options
) -> tuple[int, int]:
    """Carry out an action, and finish the turn; returns how the hand ends and the divisor of the payments."""
    kind, first, second = actions[number, 0], actions[number, 1], actions[number, 2]
    if kind == DISCARD:
        return discard(board, seat, first, options)
    if kind == LAY:
        lay(board, seat, first, second, options)
    elif kind == HIT:
        hit(board, seat, first, second, options)
    else:
        ending, divisor = draw(board, chance, seat, kind, options)
        if ending != GOES_ON:
            return ending, divisor
    return finish_turn(board, chance, log, policies, seat, options)
