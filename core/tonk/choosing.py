"""What the policies choose, for kernels: core.tonk.policies, from the same actions in order."""

from collections.abc import Sequence

import numpy as np

from core.errors import InputError
from core.jit import inlined, kernel
from core.tonk.board import PILE, TABLE, TURNS, Board, Chance, below
from core.tonk.melding import TAKES, Ints, best_meld, cards_held, cards_in, completes_meld, value_of
from core.tonk.policies import Policy, Random, Simple, Threshold
from core.tonk.settling import Options
from core.tonk.thresholds import COLUMNS, FINE_COLUMNS, LATER_TURNS, size_class

# Kinds of moves.
DROP, UP, STOCK, LAY, HIT, DISCARD = range(6)

# Seats' policies are rows of numbers: the kind, the greatest total that ever drops, what `Thresholds` names, and its
# fine drop table row by row. `simple:T` uses the first two only.
KIND, HIGHEST_DROP, TAKE, KEEP, TABLE_START = range(5)
RANDOM, SIMPLE, THRESHOLD = range(3)

_size_class = inlined(size_class)


def policy_numbers(policies: Sequence[Policy]) -> Ints:
    """Return policies by seat as the kernel takes them.

    Raises InputError for thresholds that are for another number of players.
    """
    rows = np.zeros((len(policies), TABLE_START + (len(policies) + LATER_TURNS) * FINE_COLUMNS), np.int64)
    for row, policy in zip(rows, policies, strict=True):
        match policy:
            case Random():
                row[KIND] = RANDOM
            case Simple(drop_total):
                row[:TAKE] = SIMPLE, drop_total
            case Threshold(thresholds):
                if thresholds.players != len(policies):
                    raise InputError(f"thresholds for {thresholds.players} players at a table of {len(policies)}")
                drop = np.array(thresholds.fine_drop).ravel()
                row[:TABLE_START] = THRESHOLD, drop.max(), thresholds.take, thresholds.keep
                row[TABLE_START:] = drop
            case _:
                raise InputError(f"{type(policy).__name__.lower()} is too slow a policy for this")
    return rows


@kernel
def choose_draw(board: Board, chance: Chance, policies: Ints, seat: int, may_drop: bool, options: Options) -> int:
    """Choose between drop, up-card and stock, in this order (K7–K9)."""
    pile = board.places[PILE]
    kind = policies[seat, KIND]
    if kind == RANDOM:
        number = below(chance, may_drop + (pile > 0) + 1)
        if may_drop:
            if number == 0:
                return DROP
            number -= 1
        return UP if pile and number == 0 else STOCK
    total = board.totals[seat]
    drops = may_drop and total <= policies[seat, HIGHEST_DROP]
    if drops and (kind == SIMPLE or total <= policies[seat, TABLE_START + drop_cell(board, seat)]):
        return DROP
    if pile and _takes(board, policies, seat, board.pile[pile - 1], options):
        return UP
    return STOCK


@kernel
def drop_cell(board: Board, seat: int) -> int:
    """Return where the fine drop table has the total for the player to move: row by row (see `Thresholds`)."""
    players = len(board.totals)
    turn = board.places[TURNS] // players
    row = seat if turn == 0 else players + min(turn, LATER_TURNS) - 1
    fewest, taken = 5, 0
    for other in range(players):
        if other != seat:
            fewest = min(fewest, cards_held(board.hands, other))
            taken |= board.known[other, 0]
    own = _size_class(cards_held(board.hands, seat))
    return FINE_COLUMNS * row + COLUMNS * own + 2 * _size_class(fewest) + (taken != 0)


@kernel
def _takes(board: Board, policies: Ints, seat: int, up: int, options: Options) -> bool:
    """Tell whether `simple:T` or `threshold` takes the up-card."""
    if completes_meld(board.hands, seat, up, options.ace_runs):
        return True
    if policies[seat, KIND] == SIMPLE:
        return False
    return value_of(up) <= policies[seat, TAKE] or taken_by_melds(board) & 1 << up != 0


@kernel
def taken_by_melds(board: Board) -> int:
    """Return the cards that some meld on the table takes (K11)."""
    cards = 0
    for meld in range(board.places[TABLE]):
        cards |= board.table[meld, TAKES]
    return cards


@kernel
def choose_move(
    board: Board, chance: Chance, policies: Ints, found: int, seat: int, options: Options
) -> tuple[int, int, int]:
    """Choose after the draw, `found` melds being in hand: the kind; the meld's number, or the spot; the meld hit."""
    if policies[seat, KIND] == RANDOM:
        return _choose_at_random(board, chance, found, seat, options)
    return _choose_simply(board, found, seat, policies[seat, KEEP])


@kernel
def _choose_at_random(board: Board, chance: Chance, found: int, seat: int, options: Options) -> tuple[int, int, int]:
    """Choose among melds found, hits by card and meld, and discards by card."""
    cards = board.hands[seat, 0]
    hits = 0
    for meld in range(board.places[TABLE]):
        hits += cards_in(board.table[meld, TAKES] & cards)
    must_lay = found > 0 and not options.meld_duty  # forced is the first word
    number = below(chance, found + hits + (0 if must_lay else cards_in(cards)))
    if number < found:
        return LAY, number, 0
    number -= found
    if number >= hits:
        return DISCARD, _spot_number(cards, number - hits), 0
    while True:
        card = cards & -cards
        cards ^= card
        for meld in range(board.places[TABLE]):
            if board.table[meld, TAKES] & card:
                if number == 0:
                    return HIT, cards_in(card - 1), meld
                number -= 1


@kernel
def _choose_simply(board: Board, found: int, seat: int, keep: int) -> tuple[int, int, int]:
    """Choose as `simple:T` and `threshold` do: the best melds, then the greatest hit, then the worst discard."""
    if found:
        return LAY, best_meld(board.found, found, board.left, board.chosen, board.hands, seat), 0
    cards = board.hands[seat, 0]
    taken = taken_by_melds(board)
    if not cards & taken:
        return DISCARD, _worst(cards, keep), 0
    spot = _greatest(cards & taken)
    meld = 0
    while not board.table[meld, TAKES] & 1 << spot:
        meld += 1
    return HIT, spot, meld


@kernel
def _greatest(cards: int) -> int:
    """Return the spot of the highest rank, and of the first suit there; higher ranks never have a lesser value."""
    rank = 12
    while True:
        suits = (cards >> rank) & 0x0001000100010001
        if suits:
            return rank + cards_in((suits & -suits) - 1)
        rank -= 1


@kernel
def _worst(cards: int, keep: int) -> int:
    """Return the spot of greatest worth to be thrown, a neighbour in hand counting `keep` (see `Threshold`)."""
    if keep == 0:
        return _greatest(cards)
    worst, most = 0, -1 << 20
    left = cards
    while left:
        spot = _greatest(left)
        left ^= 1 << spot
        suit, rank = cards >> (spot & 0x30) & 0x1FFF, spot & 15
        neighbours = cards_in(suit & (31 << rank >> 2)) + cards_in((cards >> rank) & 0x0001000100010001) - 2
        worth = 4 * value_of(spot) - keep * neighbours
        if worth > most:
            worst, most = spot, worth
    return worst


@kernel
def _spot_number(cards: int, number: int) -> int:
    for _ in range(number):
        cards &= cards - 1
    return cards_in((cards & -cards) - 1)
