"""Ton with open cards, solved: how many tricks can each seat force against all the others together (T9–T11)?

Two sides play, so each number is exact and needs no tie rule. `solve` takes one position, also from the middle of a
trick; `solve_many` takes arrays and splits them over threads; `best_line` shows play that keeps to the number.
Under T11 every trick is one point, so tricks are all that is counted.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import InputError
from core.ton.open_masks import BEST, FREE, LED, bit_of, mask_of, suit_mask
from core.ton.position import MOST_CARDS, Position, check_table
from core.ton.rules import DECK, TonRules
from core.ton.search import guaranteed
from core.ton.selfish import selfish

Ints = NDArray[np.int64]

# Positions that share a table and a turn of a thread, and the table's rows: for the usual hands it fits a cache.
_PIECE = 256
_ROWS, _ROWS_LONG, _LONG = 1 << 12, 1 << 20, 6
MUST_BEAT_CODES = {"led": LED, "best": BEST, "free": FREE}
# The bit of each card id.
BITS = np.array([bit_of(card) for card in range(52)])


def solve(position: Position, rules: TonRules) -> tuple[int, ...]:
    """Return for each seat the tricks that it can force against all others together; tricks won before count.

    >>> from core.cards import parse_cards
    >>> from core.ton.position import Position
    >>> hands = tuple(map(parse_cards, ("As 7h", "Ks Ah", "6s 6h")))
    >>> solve(Position(hands, trump=0, leader=0), TonRules())
    (1, 1, 0)
    """
    return _one(guaranteed, position, rules)


def each_for_himself(position: Position, rules: TonRules) -> tuple[int, ...]:
    """Return the tricks by seat, those won before among them, if every seat wants most for itself (max^n).

    An approximation to what players do, not a value that anyone can force: of cards that give a player the same he
    plays the first, suits in the order s h d c and low to high (see core.ton.selfish).
    """
    return _one(selfish, position, rules)


def solve_many(hands: ArrayLike, trumps: ArrayLike, leaders: ArrayLike, rules: TonRules, *, threads: int = 1) -> Ints:
    """Return what `solve` does for many positions at the start of a trick, shape (positions, players).

    `hands` are card ids of shape (positions, players, cards); `trumps` a suit each, or -1; `leaders` a seat each.
    The numbers are the same for any number of threads. Raises InputError as `solve` does, naming the position.
    """
    cards, suits, seats = np.asarray(hands), np.asarray(trumps, np.int64), np.asarray(leaders, np.int64)
    if cards.ndim != 3 or suits.shape != cards.shape[:1] or seats.shape != cards.shape[:1]:
        raise InputError("hands have the shape (positions, players, cards), trumps and leaders one entry a position")
    _check_many(cards, suits, seats)
    masks = BITS[cards].sum(axis=2)
    trump_masks = np.array([suit_mask(suit) for suit in range(4)] + [0])[suits]
    return _search(guaranteed, masks, np.zeros_like(masks), trump_masks, seats, rules, cards.shape[2], threads)


def best_line(position: Position, rules: TonRules, seat: int) -> tuple[int, ...]:
    """Return the cards of one game in which `seat` takes just what it can force, and the others hold it to that.

    Of several such cards the first in the hand is played.
    """
    line: list[int] = []
    value = solve(position, rules)[seat]
    while any(position.hands):
        for card in position.legal(rules):
            after = position.play(card)
            if solve(after, rules)[seat] == value:
                break
        line.append(card)
        position = after
    return tuple(line)


def new_table(cards: int) -> Ints:
    """Return an empty table for the search of hands of so many cards."""
    return np.zeros((_ROWS if cards < _LONG else _ROWS_LONG, 2), np.int64)


def _check_many(cards: NDArray[np.int64], suits: Ints, seats: Ints) -> None:
    positions, players, size = cards.shape
    check_table(players, None, 0)
    if size > MOST_CARDS:
        raise InputError(f"hands of {size} cards: at most {MOST_CARDS} are solved")
    flat = np.sort(cards.reshape(positions, -1), axis=1)
    wrong = (
        ~np.isin(cards, DECK).all(axis=(1, 2))
        | (flat[:, 1:] == flat[:, :-1]).any(axis=1)
        | (suits < -1)
        | (suits > 3)
        | (seats < 0)
        | (seats >= players)
    )
    for first in np.flatnonzero(wrong)[:1].tolist():
        try:
            trump = None if suits[first] == -1 else int(suits[first])
            Position(tuple(map(tuple, cards[first].tolist())), trump, int(seats[first]))
        except InputError as error:
            raise InputError(f"position {first}: {error}") from None


def _one(kernel: Callable[..., None], position: Position, rules: TonRules) -> tuple[int, ...]:
    hands = np.array([[mask_of(hand) for hand in position.hands]])
    trick = np.zeros_like(hands)
    trick[0, : len(position.trick)] = [bit_of(card) for card in position.trick]
    trumps, leaders = np.array([suit_mask(position.trump)]), np.array([position.leader])
    cards = max(map(len, position.hands))
    found = _search(kernel, hands, trick, trumps, leaders, rules, cards)[0]
    won = position.won or (0,) * len(position.hands)
    return tuple(int(tricks) + before for tricks, before in zip(found, won, strict=True))


def _search(
    kernel: Callable[..., None],
    hands: Ints,
    tricks: Ints,
    trumps: Ints,
    leaders: Ints,
    rules: TonRules,
    cards: int,
    threads: int = 1,
) -> Ints:
    """Search the positions piece by piece; each thread's table serves its piece alone."""
    found = np.zeros(hands.shape, np.int64)
    must_beat, overtrump = MUST_BEAT_CODES[rules.must_beat], rules.must_overtrump == "yes"

    def piece(first: int) -> None:
        part = slice(first, first + _PIECE)
        table = new_table(cards)
        kernel(hands[part], tricks[part], trumps[part], leaders[part], must_beat, int(overtrump), table, found[part])

    starts = range(0, len(hands), _PIECE)
    if threads == 1 or len(starts) == 1:
        for first in starts:
            piece(first)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(piece, starts))
    return found
