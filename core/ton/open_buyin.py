"""The buy-in with open cards, solved: the tricks that one seat can force after each of its choices (T5–T7, T9, T10).

The model `open`, for one seat whose turn to buy has come:

- From the lead on all cards are open, and all others play together against the seat. What it then can force is its
  number of tricks, exact for each deal.
- Nobody folds (T8).
- The dealer puts that card away which costs the seat most, knowing all cards (T6), whatever `dealer_discard` says.
- If the seat refuses, each player after it buys or refuses as the policy `greedy` does, on what he sees (T5, T7).

The hands of a search never change; which of their cards are `out`, in hands, does. So all choices of the seat are one
game: it "holds" all cards that it may get, of which few are out, and what was found out for one choice serves the
others. The dealer's discard likewise is a card that is not out.
"""

import numpy as np
from numpy.typing import NDArray

from core.cards import DECK_SIZE
from core.deals import Bytes
from core.jit import allocating, kernel
from core.ton.buying import has_right, turned_before
from core.ton.codes import Codes, encode
from core.ton.greedy import gains_by_buying
from core.ton.masks import ALL, ONE, SUIT_OF, ZERO, Masks, first, highest
from core.ton.open_masks import GUARDS, bit_of, distinct, suit_mask
from core.ton.rules import DECK, TonRules
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
    can_force,
)
from core.ton.solver import new_table
from core.ton.spot import Spot
from core.ton.tricks import LOWEST, strength, suit_of

Tricks = NDArray[np.int8]

# The choices, by column: refuse, keep each card in the order dealt, use the trumpless right; then each trump, six to
# ace, that it may fetch. A column holds NONE where the deal does not give the choice.
REFUSE, KEEP = 0, 1
NONE = -1
_TRUMPS = 9
# The choices of `solve_usual`.
USUAL = ("refuse", "keep", "trumpless")

_BITS = np.array([bit_of(card) for card in DECK])
_SUITS = np.array([suit_mask(suit_of(card)) for card in DECK])
_PLACE = np.array([DECK.index(card) if card in DECK else len(DECK) for card in range(DECK_SIZE)], np.uint64)
_EVERY_BIT = int(_BITS.sum())
# In place of a card where the dealer discards none: a guard, which is never out.
_NO_DISCARD = 1 << 13
# What a search expects first; a wrong guess costs time only.
_GUESS = 1


def solve_options(spot: Spot, cards: Bytes) -> Tricks:
    """Return the tricks that the player can force after each choice, shape (deals, options): spot.options in order.

    `cards` are deals of the spot's `sample_deals`. NONE stands where a deal does not give the choice: a trump that
    does not lie in the stock.
    """
    size = spot.rules.hand_size
    tricks = np.full((len(cards), KEEP + size + 1 + _TRUMPS), NONE, np.int8)
    _solve(tricks, cards, spot.players, spot.seat, encode(spot.rules), new_table(size), False)
    trumps = [KEEP + size + 1 + strength(card) - LOWEST for card in spot.fetchable]
    return tricks[:, [*range(len(spot.options) - len(trumps)), *trumps]]


def solve_usual(cards: Bytes, players: int, seat: int, rules: TonRules) -> Tricks:
    """Return the tricks that a seat can force after the choices of USUAL, shape (deals, 3).

    `cards` are deals of 36 card ids, in the order of core.ton.play. The card kept is the one that `greedy` keeps: the
    highest trump, else the highest card. NONE stands where there is no trumpless right.
    """
    tricks = np.full((len(cards), len(USUAL)), NONE, np.int8)
    _solve(tricks, cards, players, seat, encode(rules), new_table(rules.hand_size), True)
    return tricks


@allocating
def _solve(tricks: Tricks, cards: Bytes, players: int, seat: int, rules: Codes, table: Ints, usual: bool) -> None:
    """Fill in `tricks`, deal by deal; `usual` says which columns they are."""
    game, frames = np.zeros(GAME_SIZE, np.int64), np.zeros((MOST_FRAMES, FRAME), np.int64)
    game[PLAYERS], game[ME] = players, seat
    game[MUST_BEAT], game[OVERTRUMP] = rules.must_beat, rules.must_overtrump
    hands, talon = np.zeros(players, np.uint64), np.zeros(rules.hand_size, np.uint64)
    for deal in range(cards.shape[0]):
        trump_card = _deal(hands, talon, cards, deal, rules)
        stock = _stock(hands, talon, trump_card)
        trumps = SUIT_OF[trump_card]
        game[TRUMP] = _SUITS[trump_card]
        others = _set_game(game, hands)
        bought = others | _open(talon[rules.hand_size - 1])
        hand = hands[seat]
        fetch = KEEP + 1
        if usual:
            kept = highest(hand & trumps if hand & trumps else hand)
            tricks[deal, KEEP] = _forced(game, table, frames, bought | _BITS[kept], seat, rules, _GUESS)
        else:
            _keep_each(game, table, frames, tricks, deal, bought, others, _open(hand), rules)
            fetch = KEEP + rules.hand_size
        if has_right(seat, hand, trumps, stock, rules):
            _fetch(game, table, frames, tricks, deal, fetch, bought, others, _open(stock), rules, usual)
        # Last, because the hands may change.
        tricks[deal, REFUSE] = _refuse(game, table, frames, hands, talon, stock, trump_card, rules)


@kernel
def _deal(hands: Masks, talon: Masks, cards: Bytes, deal: int, rules: Codes) -> np.uint64:
    """Fill in the hands and the talon, and return the trump card's place (T3, T4).

    Place k of `talon` gets the first k cards in turning order. The dealer gets the trump card too, if he takes it.
    """
    players, size = hands.shape[0], rules.hand_size
    column = 0
    for seat in range(players):
        hand = ZERO
        for _ in range(size):
            hand |= ONE << _PLACE[cards[deal, column]]
            column += 1
        hands[seat] = hand
    for number in range(1, size):
        talon[number] = talon[number - 1] | ONE << _PLACE[cards[deal, column]]
        column += 1
    trump_card = np.uint64(_PLACE[cards[deal, column]])
    if rules.trump_card == 0:
        hands[players - 1] |= ONE << trump_card
    return trump_card


@kernel
def _stock(hands: Masks, talon: Masks, trump_card: np.uint64) -> np.uint64:
    """Return the cards that are neither dealt nor shown."""
    dealt = talon[talon.shape[0] - 1] | ONE << trump_card
    for seat in range(hands.shape[0]):
        dealt |= hands[seat]
    return np.uint64(ALL & ~dealt)


@kernel
def _open(cards: np.uint64) -> int:
    """Return the same cards as a mask of core.ton.open_masks."""
    mask = 0
    while cards:
        mask |= _BITS[first(cards)]
        cards &= cards - ONE
    return mask


@kernel
def _set_game(game: Ints, hands: Masks) -> int:
    """Set up a new game: the others hold their hands, which are returned, and `me` whatever he may come to hold."""
    others = 0
    for seat in range(hands.shape[0]):
        if seat != game[ME]:
            game[seat] = _open(hands[seat])
            others |= game[seat]
    game[game[ME]] = _EVERY_BIT & ~others
    game[STAMP] += 1
    return others


@kernel
def _keep_each(
    game: Ints,
    table: Ints,
    frames: Ints,
    tricks: Tricks,
    deal: int,
    bought: int,
    others: int,
    hand: int,
    rules: Codes,
) -> None:
    """Fill in the tricks for each card kept; `bought` are the talon and the others' hands (T5)."""
    # Of cards between which no other player holds one, any does the same: only the lowest is searched.
    searched = distinct(hand, others | GUARDS)
    value = _GUESS
    for column in range(KEEP, KEEP + rules.hand_size):
        card = hand & -hand
        hand ^= card
        if card & searched:
            value = _forced(game, table, frames, bought | card, game[ME], rules, value)
        tricks[deal, column] = value


@kernel
def _fetch(
    game: Ints,
    table: Ints,
    frames: Ints,
    tricks: Tricks,
    deal: int,
    column: int,
    bought: int,
    others: int,
    stock: int,
    rules: Codes,
    only_best: bool,
) -> None:
    """Fill in the tricks for the best card of the stock and, unless only that is wanted, for each trump in it (T7).

    The best is the highest trump; without a trump any card, of which the one that gives most is fetched.
    """
    trumps = stock & game[TRUMP]
    choices = trumps if trumps else stock
    searched = distinct(choices, others | GUARDS)
    value = _GUESS
    if not trumps:
        most = 0
        while searched:
            card = searched & -searched
            searched ^= card
            value = _forced(game, table, frames, bought | card, game[ME], rules, value)
            most = max(most, value)
        tricks[deal, column] = most
        return
    six = (game[TRUMP] & -game[TRUMP]) << LOWEST
    # The last run is that of the highest trump.
    while only_best and searched & (searched - 1):
        searched &= searched - 1
    for rank in range(_TRUMPS):
        card = six << rank
        if card & searched:
            value = _forced(game, table, frames, bought | card, game[ME], rules, value)
        if card & trumps and not only_best:
            tricks[deal, column + 1 + rank] = value
    tricks[deal, column] = value


@kernel
def _refuse(
    game: Ints,
    table: Ints,
    frames: Ints,
    hands: Masks,
    talon: Masks,
    stock: np.uint64,
    trump_card: np.uint64,
    rules: Codes,
) -> int:
    """Return the tricks after a refusal: somebody later may buy, and then holds other cards (T5, T7, T9)."""
    players, me, trumps = hands.shape[0], game[ME], SUIT_OF[trump_card]
    talon_size = rules.hand_size - 1
    leader = 0 if rules.no_buyer_lead == 0 else players - 1
    for seat in range(me + 1, players - 1):
        hand = hands[seat]
        own = hand & trumps
        card = highest(own if own else hand)
        if has_right(seat, hand, trumps, stock, rules):
            card = highest(stock & trumps if stock & trumps else stock)
        elif not gains_by_buying(hand, card, turned_before(talon, seat, rules), ONE << trump_card, trumps, talon_size):
            continue
        hands[seat] = talon[talon_size] | ONE << card
        leader = seat
        _set_game(game, hands)
        break
    out = _open(hands[me])
    for seat in range(players):
        if seat != me:
            out |= game[seat]
    return int(_forced(game, table, frames, out, leader, rules, _GUESS))


@kernel
def _forced(game: Ints, table: Ints, frames: Ints, out: int, leader: int, rules: Codes, guess: int) -> int:
    """Return the tricks that `me` can force, whatever card the dealer puts away of those that are out (T6)."""
    discards = _NO_DISCARD
    if rules.trump_card == 0:
        dealer = game[game[PLAYERS] - 1] & out
        discards = distinct(dealer, (out & ~dealer) | GUARDS)
    tricks, size = guess, rules.hand_size
    worst = 0
    while tricks < size:
        worst = _refuting(game, table, frames, out, discards, worst, leader, tricks + 1, size)
        if worst:
            break
        tricks += 1
    if tricks == guess:
        while tricks:
            worst = _refuting(game, table, frames, out, discards, worst, leader, tricks, size)
            if not worst:
                break
            tricks -= 1
    return tricks


@kernel
def _refuting(
    game: Ints, table: Ints, frames: Ints, out: int, discards: int, likely: int, leader: int, need: int, left: int
) -> int:
    """Return a discard after which `me` cannot force `need` tricks, or 0 if there is none; `likely` is tried first."""
    while discards:
        card = likely if likely & discards else discards & -discards
        discards ^= card
        if not can_force(game, table, frames, out & ~card, leader, game[PLAYERS], 0, 0, 0, leader, need, left):
            return card
    return 0
