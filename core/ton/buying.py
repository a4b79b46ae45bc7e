"""What the rules let a player see and do when his turn to buy comes, for kernels (T5, T7)."""

import numpy as np

from core.jit import inlined
from core.ton.codes import EACH_REFUSAL, ELDEST, FIRST_REFUSAL, NOBODY, Codes
from core.ton.masks import ZERO, Masks


@inlined
def turned_before(talon: Masks, seat: int, rules: Codes) -> np.uint64:
    """Return the talon cards that the seat sees; place k of `talon` holds the first k cards in turning order.

    Each seat before has refused, and turned a card if one was left to turn.
    """
    most = rules.hand_size - 1 if rules.talon_reveal == EACH_REFUSAL else int(rules.talon_reveal == FIRST_REFUSAL)
    return np.uint64(talon[min(seat, most)])


@inlined
def has_right(seat: int, hand: np.uint64, trumps: np.uint64, stock: np.uint64, rules: Codes) -> bool:
    """Tell whether the seat may look through the stock; `trumps` is empty where no suit is trump (T7)."""
    allowed = rules.trumpless_right != NOBODY and (rules.trumpless_right != ELDEST or seat == 0)
    return bool(allowed and trumps != ZERO and hand & trumps == ZERO and stock != ZERO)
