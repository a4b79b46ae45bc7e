"""The tricks of a hand as a kernel: who plays after whom, which card, who takes the trick (T9, T10)."""

import numpy as np

from core.jit import inlined, kernel
from core.ton.codes import CARD, GREEDY, RANDOM, Codes, Numbers
from core.ton.following import beating_cards, legal_mask
from core.ton.greedy import lead
from core.ton.masks import HIGHER, ONE, SUIT_OF, ZERO, Masks, count, highest, lowest, nth
from core.ton.seats import AFTER, N_FOLD, N_TRICKS, POLICY, TAKEN, Words, draw, log_move


@kernel
def play_tricks(
    hands: Masks,
    seats: Numbers,
    words: Words,
    next_: Numbers,
    log: Numbers,
    leader: int,
    trumps: np.uint64,
    rules: Codes,
) -> None:
    """Play all tricks (T9, T10)."""
    participants = _seat_participants(seats)
    played = ZERO
    for trick in range(rules.hand_size):
        seat = taker = np.uint64(leader)
        led = _lead(hands, seats, words, next_, seat, played, trumps)
        log_move(log, next_, int(seat), CARD, led)
        hands[seat] ^= ONE << led
        played |= ONE << led
        suit, over_led, beating = SUIT_OF[led], HIGHER[led], beating_cards(led, trumps)
        for place in range(1, participants):
            seat = np.uint64(seats[seat, AFTER])
            legal = legal_mask(hands[seat], suit, over_led, beating, trumps, rules)
            card = _follow(seats, words, next_, seat, legal, beating, place == participants - 1)
            log_move(log, next_, int(seat), CARD, card)
            hands[seat] ^= ONE << card
            played |= ONE << card
            wins = (beating >> card) & ONE != ZERO
            after = beating_cards(card, trumps)
            beating = after if wins else beating
            taker = seat if wins else taker
        seats[taker, N_TRICKS] += 1
        seats[taker, TAKEN] |= 1 << trick
        leader = int(taker)


@kernel
def _seat_participants(seats: Numbers) -> int:
    """Note for each participant the one who plays after him; return the number of participants."""
    last = seats.shape[0] - 1
    after, participants = last, 0
    # The dealer, the last seat, always takes part (T8).
    for seat in range(last - 1, -1, -1):
        seats[seat, AFTER] = after
        if seats[seat, N_FOLD] == 0:
            after = seat
            participants += 1
    seats[last, AFTER] = after
    return participants + 1


@inlined
def _lead(
    hands: Masks,
    seats: Numbers,
    words: Words,
    next_: Numbers,
    seat: np.uint64,
    played: np.uint64,
    trumps: np.uint64,
) -> np.uint64:
    """Return the card that the policy leads; `played` are the cards of the tricks before."""
    hand, policy = hands[seat], seats[seat, POLICY]
    if policy == RANDOM:
        return nth(hand, draw(words, next_, count(hand)))
    if policy == GREEDY:
        return lead(hand, played, trumps)
    return highest(hand & trumps if hand & trumps else hand)


@inlined
def _follow(
    seats: Numbers,
    words: Words,
    next_: Numbers,
    seat: np.uint64,
    legal: np.uint64,
    beating: np.uint64,
    last: bool,
) -> np.uint64:
    """Return the card that the policy plays of the legal ones; `beating` are the cards that would be winning."""
    policy = seats[seat, POLICY]
    if policy == RANDOM:
        return nth(legal, draw(words, next_, count(legal)))
    winning = legal & beating
    if policy == GREEDY and winning and not last:
        return highest(winning)
    return lowest(winning if winning else legal)
