"""What one player may see of a hand: the state with every card UNKNOWN that is hidden from him.

A view is a State, so that a policy reads it like one and `legal_actions` of a view are those of the state. Seen by all
are the talon cards turned up (T5), also in the hand of the buyer who took them; the trump card (T4), in the dealer's
hand until he has discarded; the cards played; and every choice but which cards were kept, fetched or put away. A player
sees his own hand and what he has put away himself. Who uses the trumpless right sees the stock (T7).
"""

from collections.abc import Container
from dataclasses import replace

from core.ton.state import UNKNOWN, Cards, State


def view(state: State, seat: int) -> State:
    """Return the state as the player at `seat` sees it."""
    is_buyer, is_dealer = seat == state.buyer, seat == state.dealer
    sees_stock = is_buyer and state.trumpless
    return replace(
        state,
        hands=tuple(
            # Sorted again: the place of a seen card among hidden ones would tell of them.
            hand if holder == seat else tuple(sorted(_hide(hand, _seen_in_hand(state, holder))))
            for holder, hand in enumerate(state.hands)
        ),
        talon=_hide(state.talon, state.shown),
        trump_card=state.trump_card if _sees_trump_card(state, seat) else UNKNOWN,
        stock=state.stock if sees_stock else (UNKNOWN,) * len(state.stock),
        aside=state.aside if is_buyer else (UNKNOWN,) * len(state.aside),
        discard=state.discard if is_dealer or state.discard is None else UNKNOWN,
    )


def _hide(cards: Cards, seen: Container[int]) -> Cards:
    """Hide all cards but the seen ones."""
    return tuple(card if card in seen else UNKNOWN for card in cards)


def _seen_in_hand(state: State, holder: int) -> Cards:
    """Return the cards of which everybody knows that this player holds them, if he has not played them."""
    seen = state.shown if holder == state.buyer and not state.talon else ()
    if holder == state.dealer and state.trump_shown and state.discard is None:
        seen = (*seen, state.trump_card)
    return seen


def _sees_trump_card(state: State, seat: int) -> bool:
    """Tell whether the seat knows the card after the talon: all, once it is shown; in a bid of five who took it."""
    taken = state.phase != "bid" and state.exchange and state.rules.trump_card == "to_dealer"
    return state.trump_shown or (taken and seat == state.dealer)
