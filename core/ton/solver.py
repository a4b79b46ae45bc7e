"""Ton with open cards, solved: how many tricks can each seat force against all the others together (T9–T11)?

Two sides play, so each number is exact and needs no tie rule. `solve` takes one position, also from the middle of a
trick; `solve_many` takes arrays and splits them over threads; `best_line` shows play that keeps to the number.
Under T11 every trick is one point, so tricks are all that is counted.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.cards import check_copies, format_card
from core.errors import InputError
from core.ton.masks import BEST, FREE, LED, bit_of, mask_of, suit_mask
from core.ton.rules import DECK, MAX_PLAYERS, MIN_PLAYERS, TonRules
from core.ton.search import guaranteed
from core.ton.tricks import legal_cards, winner

MOST_CARDS = 12
Ints = NDArray[np.int64]

# Positions that share a table and a turn of a thread, and the table's rows: for the usual hands it fits a cache.
_PIECE = 1024
_ROWS, _ROWS_LONG, _LONG = 1 << 12, 1 << 20, 6
_MUST_BEAT = {"led": LED, "best": BEST, "free": FREE}
_BITS = np.array([bit_of(card) for card in range(52)])


@dataclass(frozen=True)
class Position:
    """Open hands by seat, the trump suit 0..3 or None, who led or leads the trick, its cards, and tricks won before.

    Raises InputError, in one line, for what cannot be a position: see `check`.
    """

    hands: tuple[tuple[int, ...], ...]
    trump: int | None
    leader: int
    trick: tuple[int, ...] = ()
    won: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check what can be wrong with a position."""
        players = len(self.hands)
        _check_table(players, self.trump, self.leader)
        if len(self.trick) >= players:
            raise InputError(f"{len(self.trick)} cards lie in the trick of {players} players: a whole trick is won")
        cards = [*self.trick, *(card for hand in self.hands for card in hand)]
        for card in cards:
            if card not in DECK:
                raise InputError(f"{format_card(card)} is not in the deck of {len(DECK)} cards (T1)")
        check_copies(cards)
        sizes = [len(hand) + (place < len(self.trick)) for place, hand in enumerate(self._in_order())]
        if len(set(sizes)) > 1:
            held = ", ".join(str(len(hand)) for hand in self.hands)
            raise InputError(f"the hands are unequal: {held} cards, with {len(self.trick)} in the trick")
        if sizes[0] > MOST_CARDS:
            raise InputError(f"hands of {sizes[0]} cards: at most {MOST_CARDS} are solved")
        if self.won and len(self.won) != players:
            raise InputError(f"tricks won are given for {len(self.won)} players; there are {players}")
        if any(tricks < 0 for tricks in self.won):
            raise InputError("tricks won cannot be negative")

    def _in_order(self) -> tuple[tuple[int, ...], ...]:
        return self.hands[self.leader :] + self.hands[: self.leader]

    @property
    def seat(self) -> int:
        """The seat that is to play."""
        return (self.leader + len(self.trick)) % len(self.hands)

    def legal(self, rules: TonRules) -> tuple[int, ...]:
        """Return the cards that may be played (T10)."""
        return legal_cards(self.hands[self.seat], self.trick, self.trump, rules)

    def play(self, card: int) -> "Position":
        """Return the position after the seat to play has played the card; a whole trick goes to its winner (T10)."""
        hands = tuple(
            tuple(held for held in hand if seat != self.seat or held != card) for seat, hand in enumerate(self.hands)
        )
        trick, won = (*self.trick, card), self.won or (0,) * len(hands)
        if len(trick) < len(hands):
            return Position(hands, self.trump, self.leader, trick, won)
        leader = (self.leader + winner(trick, self.trump)) % len(hands)
        won = tuple(tricks + (seat == leader) for seat, tricks in enumerate(won))
        return Position(hands, self.trump, leader, (), won)


def solve(position: Position, rules: TonRules) -> tuple[int, ...]:
    """Return for each seat the tricks that it can force against all others together; tricks won before count.

    >>> from core.cards import parse_cards
    >>> hands = tuple(map(parse_cards, ("As 7h", "Ks Ah", "6s 6h")))
    >>> solve(Position(hands, trump=0, leader=0), TonRules())
    (1, 1, 0)
    """
    hands = np.array([[mask_of(hand) for hand in position.hands]])
    trick = np.zeros_like(hands)
    trick[0, : len(position.trick)] = [bit_of(card) for card in position.trick]
    trumps, leaders = np.array([suit_mask(position.trump)]), np.array([position.leader])
    cards = max(map(len, position.hands))
    found = _search(hands, trick, trumps, leaders, rules, cards)[0]
    won = position.won or (0,) * len(position.hands)
    return tuple(int(tricks) + before for tricks, before in zip(found, won, strict=True))


def solve_many(hands: ArrayLike, trumps: ArrayLike, leaders: ArrayLike, rules: TonRules, *, threads: int = 1) -> Ints:
    """Return what `solve` does for many positions at the start of a trick, shape (positions, players).

    `hands` are card ids of shape (positions, players, cards); `trumps` a suit each, or -1; `leaders` a seat each.
    The numbers are the same for any number of threads. Raises InputError as `solve` does, naming the position.
    """
    cards, suits, seats = np.asarray(hands), np.asarray(trumps, np.int64), np.asarray(leaders, np.int64)
    if cards.ndim != 3 or suits.shape != cards.shape[:1] or seats.shape != cards.shape[:1]:
        raise InputError("hands have the shape (positions, players, cards), trumps and leaders one entry a position")
    _check_many(cards, suits, seats)
    masks = _BITS[cards].sum(axis=2)
    trump_masks = np.array([suit_mask(suit) for suit in range(4)] + [0])[suits]
    return _search(masks, np.zeros_like(masks), trump_masks, seats, rules, cards.shape[2], threads)


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


def _check_table(players: int, trump: int | None, leader: int) -> None:
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise InputError(f"{players} hands: the game is for {MIN_PLAYERS} to {MAX_PLAYERS} (T1)")
    if trump is not None and not 0 <= trump < 4:
        raise InputError(f"trump {trump} is not a suit")
    if not 0 <= leader < players:
        raise InputError(f"leader {leader} is not a seat: they are 0 to {players - 1}")


def _check_many(cards: NDArray[np.int64], suits: Ints, seats: Ints) -> None:
    positions, players, size = cards.shape
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
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        _check_table(players, None, 0)
    if wrong.any():
        first = int(wrong.argmax())
        raise InputError(f"position {first}: a card is no card or repeated, or its trump or leader is none")


def _search(
    hands: Ints, tricks: Ints, trumps: Ints, leaders: Ints, rules: TonRules, cards: int, threads: int = 1
) -> Ints:
    """Search the positions piece by piece; each thread's table serves its piece alone."""
    found = np.zeros(hands.shape, np.int64)
    must_beat, overtrump = _MUST_BEAT[rules.must_beat], rules.must_overtrump == "yes"

    def piece(first: int) -> None:
        part = slice(first, first + _PIECE)
        table = np.zeros((_ROWS if cards < _LONG else _ROWS_LONG, 2), np.int64)
        guaranteed(
            hands[part], tricks[part], trumps[part], leaders[part], must_beat, int(overtrump), table, found[part]
        )

    starts = range(0, len(hands), _PIECE)
    if threads == 1 or len(starts) == 1:
        for first in starts:
            piece(first)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(piece, starts))
    return found
