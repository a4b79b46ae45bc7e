"""Following to a trick on sets of cards, for kernels: what `core.ton.tricks` says of single cards (T10)."""

import numpy as np

from core.jit import inlined
from core.ton.codes import BEST, LED, Codes
from core.ton.masks import HIGHER, ONE, ZERO


@inlined
def beating_cards(best: np.uint64, trumps: np.uint64) -> np.uint64:
    """Return the cards that take a trick over from the card that is winning it (T10); `trumps` is empty without one."""
    higher = np.uint64(HIGHER[best])
    return higher if (trumps >> best) & ONE else higher | trumps


@inlined
def legal_mask(
    hand: np.uint64, suit: np.uint64, over_led: np.uint64, beating: np.uint64, trumps: np.uint64, rules: Codes
) -> np.uint64:
    """Return the cards of the hand that may follow (T10, `must_beat`, `must_overtrump`).

    `suit` is the led suit, `over_led` its cards that are higher than the led card, `beating` the cards that take the
    trick over. Of the led suit the latter are those that `must_beat = best` owes: none once the trick is trumped.
    """
    # All selections, no branches: which of them applies changes from card to card, and would be guessed wrongly.
    following = hand & suit
    owed = following & over_led if rules.must_beat == LED else ZERO
    owed = following & beating if rules.must_beat == BEST else owed
    owed = owed if owed else following
    own = hand & trumps
    higher = own & beating if rules.must_overtrump != 0 else ZERO
    own = higher if higher else own
    own = own if own else hand
    return owed if following else own
