"""The choices of the policy `greedy` as kernels: its rules of thumb stand in `core.ton.policies`."""

import numpy as np

from core.jit import kernel
from core.ton.masks import ALL, HIGHER, ONE, SUIT_OF, ZERO, count, first, highest, lowest
from core.ton.policies import LEAST_WORTH, SIDE_WORTH, TRUMP_WORTH
from core.ton.rules import DECK
from core.ton.tricks import LOWEST, strength

_TRUMP_WORTH, _SIDE_WORTH = (
    np.array([worth[strength(card) - LOWEST] for card in DECK]) for worth in (TRUMP_WORTH, SIDE_WORTH)
)


@kernel
def _worth(cards: np.uint64, trumps: np.uint64) -> int:
    """Return what the cards are worth, in tenths of a trick."""
    worth = 0
    while cards:
        card = first(cards)
        cards &= cards - ONE
        worth += _TRUMP_WORTH[card] if (trumps >> card) & ONE else _SIDE_WORTH[card]
    return worth


@kernel
def gains_by_buying(
    hand: np.uint64, kept: np.uint64, turned: np.uint64, shown: np.uint64, trumps: np.uint64, talon_size: int
) -> bool:
    """Tell whether the card kept and the talon are worth more than the hand; `shown` is the trump card, if shown."""
    unseen = ALL ^ (hand | turned | shown)
    sure = _worth(turned | ONE << kept, trumps) - _worth(hand, trumps)
    hidden = talon_size - int(count(turned))
    return bool(sure * int(count(unseen)) + hidden * _worth(unseen, trumps) > 0)


@kernel
def worst(hand: np.uint64, trumps: np.uint64) -> np.uint64:
    """Return the dealer's discard: the card that is worth least, then of the shortest suit, then the lowest."""
    least, shortest, candidates = max(TRUMP_WORTH) + 1, ZERO, ZERO
    rest = hand
    while rest:
        card = first(rest)
        rest &= rest - ONE
        worth, length = int(_worth(ONE << card, trumps)), count(hand & SUIT_OF[card])
        if worth < least or (worth == least and length < shortest):
            least, shortest, candidates = worth, length, ZERO
        if worth == least and length == shortest:
            candidates |= ONE << card
    return lowest(candidates)


@kernel
def folds(hand: np.uint64, trumps: np.uint64) -> bool:
    """Tell whether the hand is not worth playing."""
    return bool(_worth(hand, trumps) < LEAST_WORTH)


@kernel
def lead(hand: np.uint64, played: np.uint64, trumps: np.uint64) -> np.uint64:
    """Return the card to lead; `played` are the cards of the tricks before."""
    own, others = hand & trumps, hand & ~trumps
    if own and others:
        top = highest(own)
        return highest(others) if HIGHER[top] & ~played else top
    return highest(hand)
