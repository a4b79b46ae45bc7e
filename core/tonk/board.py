"""A hand of Tonk in play, for kernels: its cards in scratch arrays, its random words, and what a move does to them.

Cards are spots, hands and melds those of `core.tonk.melding`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.cards import DECK_SIZE
from core.jit import allocating, inlined, kernel
from core.rng import LOW_WORD, SHIFT, philox
from core.tonk.melding import (
    COPIES,
    MOST_CHOSEN,
    MOST_MELDS,
    OWNER,
    Ints,
    add_card,
    cards_in,
    forget_meld,
    meld_total,
    put_hit,
    put_meld,
    remove_cards,
    remove_meld,
    value_of,
)
from core.tonk.play import DECISIONS
from core.tonk.play import RESHUFFLE as RESHUFFLE_STREAM
from core.tonk.settling import RESHUFFLE, Options

_STREAMS = 4
_DECISIONS, _RESHUFFLE = np.uint32(DECISIONS), np.uint32(RESHUFFLE_STREAM)
# A shuffle takes a word's 24 highest bits, as core.shuffling does.
_LEFT_OUT = 8
_FRACTION = (1 << 24) - 1

# Where the stock begins and ends; the numbers of cards on the pile, of melds on the table, of turns played, of turns in
# a row without a card from the stock, of moves logged.
TOP, END, PILE, TABLE, TURNS, STALLED, MOVES = range(7)


class Board(NamedTuple):
    """The cards of a hand in play, and scratch space, in arrays that all hands of a chunk share."""

    hands: Ints  # masks by seat and copy
    known: Ints  # of these, what was taken from the pile, in the same form
    totals: Ints  # by seat
    holds: Ints  # turns without the right to drop, by seat (`hit_hold`)
    stock: Ints  # top first
    pile: Ints  # top last
    table: Ints  # a meld a row
    pay: Ints  # by seat
    places: Ints  # counts: see TOP and the others
    found: Ints  # melds in hand
    left: Ints
    chosen: Ints


class Chance(NamedTuple):
    """Where the random words of the hand in play come from, and the current four of each stream."""

    seed: np.uint64
    deal: NDArray[np.uint64]  # its number
    words: Ints  # by stream
    taken: Ints  # decisions that took a word


@allocating
def make_board(players: int, deck_size: int) -> Board:
    """Return room for a hand."""
    return Board(
        np.empty((players, COPIES), np.int64),
        np.empty((players, COPIES), np.int64),
        np.empty(players, np.int64),
        np.empty(players, np.int64),
        np.empty(deck_size, np.int64),
        np.empty(deck_size, np.int64),
        np.empty((deck_size // 3, 4), np.int64),
        np.empty(players, np.int64),
        np.zeros(7, np.int64),
        np.empty((MOST_MELDS, 2), np.int64),
        np.empty((MOST_CHOSEN + 1, COPIES), np.int64),
        np.empty(MOST_CHOSEN, np.int64),
    )


@allocating
def make_chance(seed: np.uint64) -> Chance:
    """Return room for a hand's random words."""
    return Chance(seed, np.zeros(1, np.uint64), np.empty((_STREAMS, 4), np.int64), np.zeros(1, np.int64))


@allocating
def deck_of_spots(decks: int) -> Ints:
    """Return the spots of the deck's cards, in the order of `TonkRules.deck`."""
    spots = np.empty(DECK_SIZE * decks, np.int64)
    for place in range(len(spots)):
        card = place // decks
        spots[place] = card + 3 * (card // 13)
    return spots


@kernel
def deal(board: Board, options: Options) -> None:
    """Deal the hands and the up-card from the whole deck, which lies in the stock (K2)."""
    hands, totals, stock = board.hands, board.totals, board.stock
    hands[:] = 0
    board.known[:] = 0
    totals[:] = 0
    board.holds[:] = 0
    place = 0
    for seat in range(len(totals)):
        for _ in range(options.hand_size):
            take(hands, totals, seat, stock[place])
            place += 1
    board.places[PILE] = board.places[TABLE] = board.places[TURNS] = board.places[STALLED] = 0
    if not options.up_card:  # yes is the first word
        put_on_pile(board, board.stock[place])
        place += 1
    board.places[TOP] = place
    board.places[END] = len(board.stock)


@kernel
def take(hands: Ints, totals: Ints, seat: int, spot: int) -> None:
    """Put a card into the hand (K2, K9)."""
    add_card(hands, seat, 1 << spot)
    totals[seat] += value_of(spot)


@kernel
def take_up(board: Board, seat: int) -> None:
    """Put the top of the discard pile into the hand; everybody knows it (K9)."""
    board.places[PILE] -= 1
    spot = board.pile[board.places[PILE]]
    take(board.hands, board.totals, seat, spot)
    add_card(board.known, seat, 1 << spot)


@kernel
def put_on_pile(board: Board, spot: int) -> None:
    """Put a card on top of the discard pile (K9)."""
    board.pile[board.places[PILE]] = spot
    board.places[PILE] += 1


@kernel
def lay(board: Board, seat: int, base: int, shape: int, options: Options) -> None:
    """Put a meld of the hand on the table (K10)."""
    remove_meld(board.hands, seat, base, shape)
    if board.known[seat, 0]:
        forget_meld(board.known, seat, base, shape)
    board.totals[seat] -= meld_total(base, shape)
    put_meld(board.table, board.places[TABLE], seat, base, cards_in(shape), options.set_fourth, options.ace_runs)
    board.places[TABLE] += 1


@kernel
def hit(board: Board, seat: int, spot: int, meld: int, options: Options) -> None:
    """Add a card to a meld on the table; its owner, if another player, loses a drop (K11, `hit_hold`)."""
    put_down(board, seat, spot)
    put_hit(board.table, meld, spot, options.set_fourth, options.ace_runs)
    owner = board.table[meld, OWNER]
    if options.hit_hold and owner != seat:
        board.holds[owner] += 1


@kernel
def put_down(board: Board, seat: int, spot: int) -> None:
    """Take one card out of the hand."""
    remove_cards(board.hands, seat, 1 << spot)
    known = board.known
    if known[seat, 0] & 1 << spot:
        remove_cards(known, seat, 1 << spot)
    board.totals[seat] -= value_of(spot)


@kernel
def stock_stays_empty(board: Board, chance: Chance, options: Options) -> bool:
    """Make an empty stock anew from the pile; tell whether it stays empty (`stock_out`)."""
    places = board.places
    # A stock made anew ends before the place where the first one did.
    if options.stock_out != RESHUFFLE or places[END] < len(board.stock) or places[PILE] < 2:
        return True
    _shuffle_pile(board, chance)
    return False


@kernel
def _shuffle_pile(board: Board, chance: Chance) -> None:
    """Make all of the pile but its top the stock."""
    left = board.places[PILE] - 1
    board.places[TOP], board.places[END] = 0, left
    for place in range(left):
        board.stock[place] = board.pile[left - 1 - place]
    shuffle_spots(board.stock, left, chance, _RESHUFFLE, 0)
    board.pile[0] = board.pile[left]
    board.places[PILE] = 1


@kernel
def shuffle_spots(spots: Ints, cards: int, chance: Chance, stream: np.uint32, word: int) -> int:
    """Put the spots, given in reverse, into the order of core.shuffling, by the stream's words from `word` on.

    Returns the number of the first word that was not used.
    """
    for drawn in range(cards):
        left = cards - drawn
        while True:
            product = (_word(chance, stream, word) >> _LEFT_OUT) * left
            word += 1
            if product & _FRACTION >= (_FRACTION + 1) % left:
                break
        # The cards left stand behind those drawn, in reverse: the last of them is at `drawn`, and moves into the hole.
        position = cards - 1 - (product >> 24)
        spots[drawn], spots[position] = spots[position], spots[drawn]
    return word


@kernel
def below(chance: Chance, choices: int) -> int:
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
