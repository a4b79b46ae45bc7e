"""Following to a trick on sets of cards, for kernels: what `core.ton.tricks` says of single cards (T10)."""

import numpy as np

from core.jit import kernel
from core.ton.codes import BEST, LED, Codes
from core.ton.masks import HIGHER, ONE, ZERO


@kernel
def beating_cards(best: np.uint64, trumps: np.uint64) -> np.uint64:
    """Return the cards that take a trick over from the card that is winning it (T10); `trumps` is empty without one."""
    higher = np.uint64(HIGHER[best])
    return higher if (trumps >> best) & ONE else higher | trumps


@kernel
def legal_mask(
    hand: np.uint64, suit: np.uint64, over_led: np.uint64, beating: np.uint64, trumps: np.uint64, rules: Codes
) -> np.uint64:
    """Return the cards of the hand that may follow (T10, `must_beat`, `must_overtrump`).

    `suit` is the led suit, `over_led` its cards that are higher than the led card, `beating` the cards that take the
    trick over. Of the led suit the latter are those that `must_beat = best` owes: none once the trick is trumped.
    """
    following = hand & suit
    if following:
        owed = ZERO
        if rules.must_beat == LED:
            owed = following & over_led
        elif rules.must_beat == BEST:
            owed = following & beating
        return owed if owed else following
    own = hand & trumps
    if rules.must_overtrump != 0 and own & beating:
        return own & beating
    return own if own else hand
