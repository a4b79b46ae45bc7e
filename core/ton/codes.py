"""What kernels read instead of words: the rules' options, the policies, and the actions, as whole numbers."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.ton.policies import Greedy, Plain, Policy, Random
from core.ton.rules import DECK, TonRules
from core.ton.state import Action
from core.ton.tables import SIZE
from core.ton.tuned import Tuned

Numbers = NDArray[np.int64]

# Policies that a kernel plays, by number.
RANDOM, PLAIN, GREEDY, TUNED = range(4)
_POLICY_NUMBERS: dict[type, int] = {Random: RANDOM, Plain: PLAIN, Greedy: GREEDY, Tuned: TUNED}


def in_kernel(policies: Iterable[Policy]) -> bool:
    """Tell whether kernels play all these policies."""
    return all(type(policy) in _POLICY_NUMBERS for policy in policies)


def policy_codes(policies: Sequence[Policy], players: int | None = None) -> tuple[Numbers, NDArray[np.uint8]]:
    """Return policies as kernels take them: number and row of tables, shape (policies, 2); and the tables.

    They are those of a table by seat, or of any seats at tables of so many players.

    Raises InputError for a policy that no kernel plays, and tables that are for another number of players.
    """
    players = players or len(policies)
    rows = [bytes(SIZE)]
    codes = []
    for policy in policies:
        if not in_kernel([policy]):
            raise InputError(f"{type(policy).__name__.lower()} is too slow a policy for this")
        row = 0
        if isinstance(policy, Tuned):
            if policy.tables.players != players:
                raise InputError(f"tables for {policy.tables.players} players at a table of {players}")
            if policy.tables.choices not in rows:
                rows.append(policy.tables.choices)
            row = rows.index(policy.tables.choices)
        codes.append((_POLICY_NUMBERS[type(policy)], row))
    return np.array(codes, np.int64), np.array([list(row) for row in rows], np.uint8)


# The actions, in the canonical order of their words.
WORDS = (
    *("pass", "five", "refuse", "keep", "trumpless", "fetch"),
    *("discard", "play", "fold", "card", "plus", "minus"),
)
PASS, FIVE, REFUSE, KEEP, TRUMPLESS, FETCH, DISCARD, PLAY, FOLD, CARD, PLUS, MINUS = range(len(WORDS))
# The phases in which they are chosen, by word.
BID, BUY, TO_FETCH, TO_DISCARD, DECLARE, TRICKS, CHOOSE = range(7)
PHASE_OF = np.array([BID, BID, BUY, BUY, BUY, TO_FETCH, TO_DISCARD, DECLARE, DECLARE, TRICKS, CHOOSE, CHOOSE])
NO_CARD = np.uint64(len(DECK))
# A logged move is (seat * _WORD + word) * _CARD + place of the card in DECK, or NO_CARD.
_WORD, _CARD = 16, 64

# An option's words are numbered as TonRules lists them, the default 0. Here are those of more than two words.
EACH_REFUSAL, FIRST_REFUSAL = 0, 1  # talon_reveal
ELDEST, NOBODY = 0, 1  # trumpless_right
AFTER_DECLARATIONS, BEFORE_BUY_IN = 1, 2  # dealer_discard
LED, BEST = 0, 1  # must_beat
CHOICE, PLUS_ONLY = 0, 1  # zero_trick


class Codes(NamedTuple):
    """The fields of TonRules that decide what may be done in a hand, and what it gives."""

    talon_reveal: int
    trumpless_right: int
    trump_card: int
    must_beat: int
    must_overtrump: int
    no_buyer_lead: int
    lone_player: int
    dealer_discard: int
    five_bid: int
    five_bid_lead: int
    five_bid_exchange: int
    five_bid_failed_tricks: int
    five_bid_fold: int
    zero_trick: int
    must_play_points: int
    zero_trick_points: int
    five_bid_pluses: int
    hand_size: int


def encode(rules: TonRules) -> Codes:
    """Return the rules as kernels take them: a word by its place among the option's words, a number as it is."""
    words, values = TonRules.options(), rules.as_dict()

    def code(name: str) -> int:
        choices = words[name]
        return choices.index(values[name]) if choices else int(values[name])

    return Codes(*(code(name) for name in Codes._fields))


def longest(players: int, hand_size: int) -> int:
    """Return a number of decisions that no hand exceeds: bids, buy-in, fetch, discard, folds, cards, choices."""
    return players * (4 + hand_size)


def logged_moves(log: Sequence[int]) -> tuple[tuple[int, Action], ...]:
    """Return a logged hand's moves as (seat, action), in order; an unused place of a log holds -1."""
    moves = []
    for code in log:
        if code >= 0:
            card = card_of(code)
            action = Action(WORDS[word_of(code)], None if card == NO_CARD else DECK[card])
            moves.append((seat_of(code), action))
    return tuple(moves)


# Kernels compile the following.


def move_code(seat: int, word: int, card: np.uint64) -> int:
    """Return the number of a move in a log or a script."""
    return (seat * _WORD + word) * _CARD + int(card)


def seat_of(code: int) -> int:
    """Return the seat of a move; -1 where there is none."""
    return code // (_WORD * _CARD)


def word_of(code: int) -> int:
    """Return the word of a move."""
    return code // _CARD % _WORD


def card_of(code: int) -> np.uint64:
    """Return the card of a move."""
    return np.uint64(code % _CARD)
