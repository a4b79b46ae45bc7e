"""The tricks of a hand as a kernel: who plays after whom, which card, who takes the trick (T9, T10)."""

import numpy as np

from core.jit import inlined, kernel
from core.ton.codes import CARD, GREEDY, RANDOM, TRICKS, TUNED, Codes, Numbers, card_of
from core.ton.following import beating_cards, legal_mask
from core.ton.greedy import lead
from core.ton.lookup import follow_by_table, lead_by_table
from core.ton.masks import HIGHER, ONE, SUIT_OF, ZERO, count, highest, lowest, nth
from core.ton.seats import AFTER, N_FOLD, N_TRICKS, NOT_SCRIPTED, POLICY, TAKEN, Hand, draw, log_move, scripted

_card_of = inlined(card_of)


@kernel
def play_tricks(hand: Hand, leader: int, trumps: np.uint64, rules: Codes) -> None:
    """Play all tricks (T9, T10)."""
    participants = _seat_participants(hand.seats)
    played = ZERO
    for trick in range(rules.hand_size):
        seat = taker = np.uint64(leader)
        led = _lead(hand, seat, played, trumps, participants)
        log_move(hand, int(seat), CARD, led)
        hand.cards[seat] ^= ONE << led
        played |= ONE << led
        suit, over_led, beating = SUIT_OF[led], HIGHER[led], beating_cards(led, trumps)
        for later in range(participants - 2, -1, -1):
            seat = np.uint64(hand.seats[seat, AFTER])
            legal = legal_mask(hand.cards[seat], suit, over_led, beating, trumps, rules)
            card = _follow(hand, seat, legal, beating, later, played, trumps)
            log_move(hand, int(seat), CARD, card)
            hand.cards[seat] ^= ONE << card
            played |= ONE << card
            wins = (beating >> card) & ONE != ZERO
            after = beating_cards(card, trumps)
            beating = after if wins else beating
            taker = seat if wins else taker
        hand.seats[taker, N_TRICKS] += 1
        hand.seats[taker, TAKEN] |= 1 << trick
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
def _lead(hand: Hand, seat: np.uint64, played: np.uint64, trumps: np.uint64, participants: int) -> np.uint64:
    """Return the card that is led; `played` are the cards of the tricks before."""
    code = scripted(hand, int(seat), TRICKS)
    if code != NOT_SCRIPTED:
        return _card_of(code)
    cards, policy = hand.cards[seat], hand.seats[seat, POLICY]
    if policy == RANDOM:
        return nth(cards, draw(hand, count(cards)))
    if policy == TUNED:
        return lead_by_table(hand, int(seat), played, trumps, participants)
    if policy == GREEDY:
        return lead(cards, played, trumps)
    return highest(cards & trumps if cards & trumps else cards)


@inlined
def _follow(
    hand: Hand,
    seat: np.uint64,
    legal: np.uint64,
    beating: np.uint64,
    later: int,
    played: np.uint64,
    trumps: np.uint64,
) -> np.uint64:
    """Return which of the legal cards is played.

    `beating` are the cards that would be winning the trick, `later` the number of players after this one, `played` the
    cards of this trick and of those before.
    """
    code = scripted(hand, int(seat), TRICKS)
    if code != NOT_SCRIPTED:
        return _card_of(code)
    policy = hand.seats[seat, POLICY]
    if policy == RANDOM:
        return nth(legal, draw(hand, count(legal)))
    if policy == TUNED:
        return follow_by_table(hand, int(seat), legal, beating, later, played, trumps)
    winning = legal & beating
    if policy == GREEDY and winning and later:
        return highest(winning)
    return lowest(winning if winning else legal)
