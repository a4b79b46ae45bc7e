"""The tricks of a hand as a kernel: who plays after whom, which card, who takes the trick (T9, T10)."""

import numpy as np

from core.jit import kernel
from core.ton.codes import CARD, GREEDY, NO_CARD, RANDOM, Codes, Numbers
from core.ton.following import beating_cards, legal_mask
from core.ton.greedy import lead
from core.ton.masks import ALL, HIGHER, ONE, SUIT_OF, ZERO, Masks, count, highest, lowest, nth
from core.ton.seats import AFTER, N_FOLD, N_TRICKS, POLICY, Words, draw, log_move


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
    for _ in range(rules.hand_size):
        led, beating = NO_CARD, ALL
        seat = taker = np.uint64(leader)
        for place in range(participants):
            last = place == participants - 1
            card = _choose_card(hands, seats, words, next_, seat, led, beating, last, played, trumps, rules)
            log_move(log, next_, int(seat), CARD, card)
            hands[seat] ^= ONE << card
            played |= ONE << card
            led = card if led == NO_CARD else led
            wins = (beating >> card) & ONE != ZERO
            after = beating_cards(card, trumps)
            beating = after if wins else beating
            taker = seat if wins else taker
            seat = np.uint64(seats[seat, AFTER])
        seats[taker, N_TRICKS] += 1
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


@kernel
def _choose_card(
    hands: Masks,
    seats: Numbers,
    words: Words,
    next_: Numbers,
    seat: np.uint64,
    led: np.uint64,
    beating: np.uint64,
    last: bool,
    played: np.uint64,
    trumps: np.uint64,
    rules: Codes,
) -> np.uint64:
    """Return the card that the policy plays.

    `beating` are the cards that would be winning the trick, `played` those played to this trick and before it.
    """
    hand = hands[seat]
    leads = led == NO_CARD
    legal = hand if leads else legal_mask(hand, SUIT_OF[led], HIGHER[led], beating, trumps, rules)
    policy = seats[seat, POLICY]
    if policy == RANDOM:
        return nth(legal, draw(words, next_, count(legal)))
    if leads:
        if policy == GREEDY:
            return lead(hand, played, trumps)
        return highest(hand & trumps if hand & trumps else hand)
    winning = legal & beating
    if policy == GREEDY and winning and not last:
        return highest(winning)
    return lowest(winning if winning else legal)
