"""What the policies `random` and `simple:T` choose, for kernels: core.tonk.policies, from the same actions in order."""

from collections.abc import Sequence

import numpy as np

from core.jit import kernel
from core.tonk.board import PILE, TABLE, Board, Chance, below
from core.tonk.melding import TAKES, Ints, best_meld, cards_in, completes_meld
from core.tonk.policies import Policy, Random, Simple
from core.tonk.settling import Options

# Kinds of moves.
DROP, UP, STOCK, LAY, HIT, DISCARD = range(6)

# A seat's policy is one number: the drop total of `simple:T`, or this.
RANDOM = -1


def policy_numbers(policies: Sequence[Policy]) -> Ints:
    """Return policies by seat as the kernel takes them."""
    return np.array([_number(policy) for policy in policies], np.int64)


def _number(policy: Policy) -> int:
    """Return a policy as the kernel takes it."""
    if isinstance(policy, Simple):
        return policy.drop_total
    assert isinstance(policy, Random), "the kernel knows no other policies"
    return RANDOM


@kernel
def choose_draw(board: Board, chance: Chance, policy: int, seat: int, may_drop: bool, options: Options) -> int:
    """Choose between drop, up-card and stock, in this order (K7–K9)."""
    pile = board.places[PILE]
    if policy == RANDOM:
        number = below(chance, may_drop + (pile > 0) + 1)
        if may_drop:
            if number == 0:
                return DROP
            number -= 1
        return UP if pile and number == 0 else STOCK
    if may_drop and board.totals[seat] <= policy:
        return DROP
    if pile and completes_meld(board.hands, seat, board.pile[pile - 1], options.ace_runs):
        return UP
    return STOCK


@kernel
def choose_move(
    board: Board, chance: Chance, policy: int, found: int, seat: int, options: Options
) -> tuple[int, int, int]:
    """Choose after the draw, `found` melds being in hand: the kind; the meld's number, or the spot; the meld hit."""
    if policy == RANDOM:
        return _choose_at_random(board, chance, found, seat, options)
    return _choose_simply(board, found, seat)


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
def _choose_simply(board: Board, found: int, seat: int) -> tuple[int, int, int]:
    """Choose as `simple:T` does: the best melds, then the greatest hit, then the greatest discard."""
    if found:
        return LAY, best_meld(board.found, found, board.left, board.chosen, board.hands, seat), 0
    cards = board.hands[seat, 0]
    taken = 0
    for meld in range(board.places[TABLE]):
        taken |= board.table[meld, TAKES]
    if not cards & taken:
        return DISCARD, _greatest(cards), 0
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
def _spot_number(cards: int, number: int) -> int:
    for _ in range(number):
        cards &= cards - 1
    return cards_in((cards & -cards) - 1)
