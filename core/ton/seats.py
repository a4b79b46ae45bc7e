"""What the kernel of whole hands keeps by seat, and how it draws random words and logs moves."""

import numpy as np
from numpy.typing import NDArray

from core.deals import LANES
from core.jit import inlined, kernel
from core.ton.codes import Numbers, move_code

# What is counted for each seat of a hand, the columns of a hand's facts; of the first ones squares are counted too.
FIELDS = ("tricks", "points", "pluses", "no_trick", "fold", "buy", "trumpless")
SQUARED = 3
COLUMNS = len(FIELDS) + 5
# More columns say of the seat: which tricks gave it a point (trick t is bit t), whether a plus is its choice of T11;
# then what a hand starts from: its policy's number, its points before the hand; and who plays after it.
N_TRICKS, N_POINTS, N_PLUSES, N_NO_TRICK, N_FOLD, N_BUY, N_TRUMPLESS, TAKEN, CHOSEN, POLICY, RECORD, AFTER = range(
    COLUMNS
)
Words = NDArray[np.uint32]
_SHIFT = np.uint64(32)
# Places in `next_`: of the next random word to draw, and of the next move to log.
NEXT_WORD, NEXT_MOVE = 0, 1
_move_code = kernel(move_code)


@inlined
def draw(words: Words, next_: Numbers, choices: np.uint64) -> np.uint64:
    """Return a number below `choices`, from the next random word."""
    place = next_[NEXT_WORD]
    next_[NEXT_WORD] = place + LANES
    return np.uint64((np.uint64(words[np.uint64(place)]) * choices) >> _SHIFT)


@inlined
def log_move(log: Numbers, next_: Numbers, seat: int, word: int, card: np.uint64) -> None:
    """Log a move, where anybody wants the log."""
    if log.shape[0]:
        log[np.uint64(next_[NEXT_MOVE])] = _move_code(seat, word, card)
        next_[NEXT_MOVE] += 1
