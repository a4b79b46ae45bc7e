"""What the kernel of whole hands keeps of a hand, how it draws random words, logs moves and follows a script."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.deals import LANES, Bytes
from core.jit import inlined, kernel
from core.ton.codes import PHASE_OF, Numbers, move_code, seat_of, word_of
from core.ton.masks import Masks

# What is counted for each seat of a hand, the columns of a hand's facts; of the first ones squares are counted too.
FIELDS = ("tricks", "points", "pluses", "no_trick", "fold", "buy", "trumpless")
SQUARED = 3
# More columns say of the seat: which tricks gave it a point (trick t is bit t), whether a plus is its choice of T11;
# then what a hand starts from: its policy's number and its row of tables, its points; and who plays after it.
COLUMNS = len(FIELDS) + 6
N_TRICKS, N_POINTS, N_PLUSES, N_NO_TRICK, N_FOLD, N_BUY, N_TRUMPLESS = range(len(FIELDS))
TAKEN, CHOSEN, POLICY, TABLE, RECORD, AFTER = range(len(FIELDS), COLUMNS)
Words = NDArray[np.uint32]
_SHIFT = np.uint64(32)
# Places in `next_`: of the next random word to draw, of the next move to log, of the next scripted move; of the move at
# which `tuned` takes the probed choice, -1 for none, and that choice.
NEXT_WORD, NEXT_MOVE, NEXT_SCRIPTED, PROBED_MOVE, PROBED_CHOICE = range(5)
NOT_SCRIPTED = -1
_move_code, _seat_of, _word_of = kernel(move_code), inlined(seat_of), inlined(word_of)


class Hand(NamedTuple):
    """The arrays in which one hand after the other is played.

    cards, talon
        the cards held, by seat; place k of `talon` has the first k talon cards in turning order
    seats
        what is known of each seat, shape (players, COLUMNS)
    next_, words, log
        places in the flat arrays, and more; random words, by draw and lane; the moves made
    script
        moves that are to be made, each hand's followed by NOT_SCRIPTED: a decision takes the next one if it is of its
        seat and phase, and is else made by the seat's policy
    tables, looked_up
        the tables that the policy `tuned` plays by, a row each; the cell that it has looked up for a logged move
    """

    cards: Masks
    talon: Masks
    seats: Numbers
    next_: Numbers
    words: Words
    log: Numbers
    script: Numbers
    tables: Bytes
    looked_up: Numbers


@inlined
def draw(hand: Hand, choices: np.uint64) -> np.uint64:
    """Return a number below `choices`, from the next random word."""
    place = hand.next_[NEXT_WORD]
    hand.next_[NEXT_WORD] = place + LANES
    return np.uint64((np.uint64(hand.words[np.uint64(place)]) * choices) >> _SHIFT)


@inlined
def log_move(hand: Hand, seat: int, word: int, card: np.uint64) -> None:
    """Log a move, where anybody wants the log."""
    if hand.log.shape[0]:
        hand.log[np.uint64(hand.next_[NEXT_MOVE])] = _move_code(seat, word, card)
        hand.next_[NEXT_MOVE] += 1


@inlined
def scripted(hand: Hand, seat: int, phase: int) -> int:
    """Return the next scripted move if it is this decision, and go on in the script; else NOT_SCRIPTED."""
    code = hand.script[np.uint64(hand.next_[NEXT_SCRIPTED])]
    if _seat_of(code) != seat or PHASE_OF[_word_of(code)] != phase:
        return NOT_SCRIPTED
    hand.next_[NEXT_SCRIPTED] += 1
    return int(code)


@inlined
def worth_of(hand: Hand, seat: int, plus_worth: int) -> int:
    """Return the seat's points in a hand that is over, less `plus_worth` for each plus."""
    return int(hand.seats[seat, N_POINTS] - plus_worth * hand.seats[seat, N_PLUSES])
