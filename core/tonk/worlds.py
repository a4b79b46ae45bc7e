"""Worlds of Tonk: whole positions that agree with what one player sees, the hidden cards being dealt anew.

All deals of the hidden cards are equally likely, but for those that what was seen rules out: a player who has not
played a turn holds no TONK (K5), and under `meld_duty = forced` one who has holds no meld (K10). What earlier draws and
discards tell beyond that is not used.
"""

from collections import Counter
from collections.abc import Iterator

from core.errors import InputError
from core.shuffling import shuffle
from core.tonk.melds import hand_total, melds_in
from core.tonk.state import State, TableMeld
from core.tonk.view import View

# The stream of random words; those of core.tonk.play come before it.
WORLDS = 3
# Deals that are tried for one world.
TRIES = 2000


def hidden_cards(view: View) -> list[int]:
    """Return the cards that the player cannot place, by card id: in the stock, or in another hand."""
    seen = Counter(view.hand)
    seen.update(view.pile)
    for meld in view.table:
        seen.update(meld.cards)
    for seat, cards in enumerate(view.known):
        if seat != view.seat:
            seen.update(cards)
    return sorted((Counter(view.rules.deck()) - seen).elements())


def sample_world(view: View, words: Iterator[int]) -> State:
    """Return a position that agrees with the view, from random 32-bit words.

    The hidden cards are shuffled (see core.shuffling); the other players' hands are filled from them seat by seat, and
    the rest is the stock; then again, until nothing seen contradicts it.

    Raises InputError when TRIES deals did not do.
    """
    hidden = hidden_cards(view)
    for _ in range(TRIES):
        cards = list(shuffle(hidden, words))
        hands = []
        for seat, size in enumerate(view.sizes):
            known = list(view.hand if seat == view.seat else view.known[seat])
            missing = size - len(known)
            hands.append(tuple(sorted([*known, *cards[:missing]])))
            del cards[:missing]
        if all(_agrees(view, seat, hand) for seat, hand in enumerate(hands) if seat != view.seat):
            return State(
                rules=view.rules,
                hands=tuple(hands),
                pile=view.pile,
                stock=tuple(cards),
                table=tuple(map(TableMeld._make, view.table)),
                turn=view.turn,
                drawn=view.drawn,
                turns=view.turns,
                holds=view.holds,
                known=view.known,
                faced=view.faced,
                stalled=view.stalled,
                reshuffled=view.reshuffled,
            )
    raise InputError(f"none of {TRIES:,} deals of the hidden cards agrees with what was seen")


def _agrees(view: View, seat: int, hand: tuple[int, ...]) -> bool:
    if view.turns[seat] == 0:
        return not view.rules.is_tonk(hand_total(hand))
    return view.rules.meld_duty != "forced" or not melds_in(hand, view.rules)
