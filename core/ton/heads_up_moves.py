"""The moves of the game of two as kernels: `core.ton.engine` for two players and the rules of `core.ton.heads_up`.

A state is a row of COLUMNS unsigned numbers. Unlike a State it also holds, by seat, what that player knows of the
other's hand (OUT): the cards that it may hold (`core.ton.abstraction.may_hold`).
"""

import numpy as np

from core.deals import Bytes
from core.jit import inlined, kernel
from core.ton.abstraction import BUY, DECLARE, DISCARD, FOLLOW, KEPT, LEAD, REFUSED, RIGHT, UNDECIDED
from core.ton.codes import AFTER_DECLARATIONS, BEFORE_BUY_IN, BEST, FIRST_REFUSAL, NOBODY, Codes
from core.ton.following import beating_cards
from core.ton.masks import ALL, HIGHER, ONE, SUIT_OF, ZERO, Masks, count, highest

# Sets of cards: hands and what the other may hold, by seat; trumps; the talon, its first card, the stock; those
# played to tricks. Then places in
# DECK: the trump card, the card led. Then numbers: phase, what became of the talon, leader, tricks by seat, whether the
# eldest has said that he plays or folds.
COLUMNS = 17
HAND, OUT, TRUMPS, TALON, FIRST, STOCK, PLAYED, UP, LED, PHASE, BOUGHT, LEADER, WON, SAID = (0, 2, *range(4, 15), 16)
# An early end, beside the phases.
OVER = 5
UNSAID, PLAYS, FOLDS = range(3)
# Moves that are no cards; the others are places in DECK.
REFUSE, USE_RIGHT, PLAY, FOLD = range(36, 40)


@kernel
def deal_heads_up(states: Masks, cards: Bytes, number: int, rules: Codes) -> None:
    """Fill row 0 with the state after a deal: places in DECK, in the order of `core.ton.play` (T3, T4)."""
    states[0, :] = ZERO
    place = 0
    for seat in range(2):
        for _ in range(rules.hand_size):
            states[0, HAND + seat] |= ONE << np.uint64(cards[number, place])
            place += 1
    states[0, FIRST] = ONE << np.uint64(cards[number, place])
    for _ in range(rules.hand_size - 1):
        states[0, TALON] |= ONE << np.uint64(cards[number, place])
        place += 1
    up = np.uint64(cards[number, place])
    states[0, UP], states[0, TRUMPS] = up, SUIT_OF[up]
    states[0, STOCK] = ALL ^ states[0, HAND] ^ states[0, HAND + 1] ^ states[0, TALON] ^ (ONE << up)
    states[0, OUT] = ALL ^ states[0, HAND]
    states[0, OUT + 1] = ALL ^ states[0, HAND + 1] ^ (ONE << up)
    if rules.trump_card == 0:
        states[0, HAND + 1] |= ONE << up
    else:
        states[0, OUT] ^= ONE << up
    _go_on(states, 0, rules)


@kernel
def _go_on(states: Masks, row: int, rules: Codes) -> None:
    """Find the next phase before the first lead, in the engine's order (T5–T9, `dealer_discard`)."""
    six = count(states[row, HAND + 1]) > np.uint64(rules.hand_size)
    bought, said = states[row, BOUGHT], states[row, SAID]
    if bought == UNDECIDED:
        states[row, PHASE] = DISCARD if six and rules.dealer_discard == BEFORE_BUY_IN else BUY
    elif six and rules.dealer_discard != AFTER_DECLARATIONS:
        states[row, PHASE] = DISCARD
    elif bought == REFUSED and said == UNSAID and rules.must_play_points > 0:
        states[row, PHASE] = DECLARE
    elif said == FOLDS:
        states[row, PHASE] = OVER
    elif six:
        states[row, PHASE] = DISCARD
    else:
        states[row, PHASE] = LEAD
        states[row, LEADER] = 1 if bought == REFUSED and rules.no_buyer_lead != 0 else 0


@inlined
def to_act(states: Masks, row: int) -> int:
    """Return the seat that is to act."""
    phase, leader = states[row, PHASE], int(np.int64(states[row, LEADER]))
    seat = leader if phase == LEAD else 1 - leader
    seat = 1 if phase == DISCARD else seat
    return 0 if phase in (BUY, DECLARE) else seat


@inlined
def may_use_right(states: Masks, row: int, rules: Codes) -> bool:
    """Tell whether the eldest has the trumpless right (T7)."""
    return bool(
        rules.trumpless_right != NOBODY
        and states[row, HAND] & states[row, TRUMPS] == ZERO
        and states[row, STOCK] != ZERO
    )


@kernel
def move(states: Masks, row: int, action: np.uint64, rules: Codes) -> None:
    """Make a move: a card's place in DECK, or one of the moves above; the right fetches the highest card (T7)."""
    phase = states[row, PHASE]
    if phase == LEAD:
        leader = int(np.int64(states[row, LEADER]))
        states[row, HAND + leader] ^= ONE << action
        states[row, OUT + 1 - leader] &= ~(ONE << action)
        states[row, PLAYED] |= ONE << action
        states[row, LED] = action
        states[row, PHASE] = FOLLOW
    elif phase == FOLLOW:
        _follow(states, row, action, rules)
    elif phase == BUY:
        _settle_talon(states, row, action, rules)
    elif phase == DISCARD:
        states[row, HAND + 1] ^= ONE << action
        _go_on(states, row, rules)
    else:
        states[row, SAID] = FOLDS if action == FOLD else PLAYS
        _go_on(states, row, rules)


@kernel
def _settle_talon(states: Masks, row: int, action: np.uint64, rules: Codes) -> None:
    """Refuse, keep a card, or use the trumpless right (T5, T7)."""
    talon = states[row, TALON]
    if action == REFUSE:
        states[row, BOUGHT] = REFUSED
        if rules.talon_reveal <= FIRST_REFUSAL:
            states[row, OUT] &= ~states[row, FIRST]
            states[row, OUT + 1] &= ~states[row, FIRST]
    else:
        stock = states[row, STOCK]
        states[row, BOUGHT] = KEPT
        if action == USE_RIGHT:
            states[row, BOUGHT] = RIGHT
            trumps = stock & states[row, TRUMPS]
            action = highest(trumps if trumps else stock)
            states[row, OUT] &= ~stock
        states[row, HAND] = talon | (ONE << action)
        states[row, OUT] &= ~talon
    _go_on(states, row, rules)


@kernel
def _follow(states: Masks, row: int, action: np.uint64, rules: Codes) -> None:
    """Follow to a card; note who takes the trick, and what the leader learns of the follower's hand (T10)."""
    leader, led, trumps = int(np.int64(states[row, LEADER])), states[row, LED], states[row, TRUMPS]
    follower = 1 - leader
    states[row, HAND + follower] ^= ONE << action
    states[row, PLAYED] |= ONE << action
    beaten = beating_cards(led, trumps) >> action & ONE != ZERO
    out = states[row, OUT + leader] & ~(ONE << action)
    suit = np.uint64(SUIT_OF[led])
    if suit >> action & ONE == ZERO:
        out &= ~suit
        if trumps >> action & ONE == ZERO:
            out &= ~trumps
    elif not beaten and rules.must_beat <= BEST:
        out &= ~np.uint64(HIGHER[led])
    states[row, OUT + leader] = out
    taker = follower if beaten else leader
    states[row, WON + taker] += ONE
    states[row, LEADER] = taker
    states[row, PHASE] = LEAD if states[row, HAND] else OVER


@inlined
def heads_up_payoff(states: Masks, row: int, rules: Codes) -> float:
    """Return what the eldest wins, in points (`core.ton.heads_up`)."""
    if states[row, SAID] == FOLDS:
        return float(-rules.hand_size if rules.lone_player == 0 else 0)
    eldest, dealer = int(np.int64(states[row, WON])), int(np.int64(states[row, WON + 1]))
    lost = rules.zero_trick_points
    return float((eldest if eldest > 0 else -lost) - (dealer if dealer > 0 else -lost))
