"""What a hand that is over gives: tricks, points and pluses by seat (T11–T13)."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.ton.state import State


@dataclass(frozen=True)
class HandResult:
    """The result of one hand, by seat. All numbers are changes, and exact.

    tricks
        tricks taken; a lone player's are those that he takes unplayed (T8)
    points
        points won or, by the choice of T11, lost
    pluses
        pluses recorded (T11, T13)
    pot_plus
        whether the plus is a pot plus (T12)
    participants
        whether the seat has taken part (T8)
    scored
        the seats that won a point, one for each point, in the order of the tricks
    """

    tricks: tuple[int, ...]
    points: tuple[int, ...]
    pluses: tuple[int, ...]
    pot_plus: tuple[bool, ...]
    participants: tuple[bool, ...]
    scored: tuple[int, ...]


def result(state: State) -> HandResult:
    """Return the result of a hand that is over.

    Raises InputError when it is not over.
    """
    if state.phase != "over":
        raise InputError(f"the hand is not over: seat {state.seat} is to act in the phase {state.phase}")
    rules, seats = state.rules, range(state.players)
    tricks = tuple(state.taken.count(seat) for seat in seats)
    failed = bid_failed(state)
    scored = state.taken
    if failed and rules.five_bid_failed_tricks == "lost":
        scored = tuple(seat for seat in scored if seat != state.bidder)
    zero = [zero_trick(state, seat) for seat in seats]
    return HandResult(
        tricks=tricks,
        points=tuple(scored.count(seat) - (zero[seat] == "minus") * rules.zero_trick_points for seat in seats),
        pluses=tuple(
            rules.five_bid_pluses if failed and seat == state.bidder else int(zero[seat] == "plus") for seat in seats
        ),
        pot_plus=tuple(zero[seat] == "plus" and state.records[seat] >= rules.pot_plus_points for seat in seats),
        participants=tuple(not folded for folded in state.folded),
        scored=scored,
    )


def bid_failed(state: State) -> bool:
    """Tell whether a bid of five was played and failed (T13)."""
    return state.bidder is not None and not state.lone and state.taken.count(state.bidder) < state.rules.hand_size


def zero_trick(state: State, seat: int) -> str | None:
    """Return what a participant without a trick takes, "plus" or "minus" (T11, `zero_trick`); None for the others."""
    if state.folded[seat] or state.lone or seat in state.taken or seat == state.bidder:
        return None
    if state.rules.zero_trick == "choice":
        return state.choices[seat]
    return state.rules.zero_trick.removesuffix("_only")


def reached(records: Sequence[int], hand: HandResult, target: int) -> tuple[int, ...]:
    """Return the seats that come to `target` points in the hand, in the order in which they do, trick by trick (T14).

    `records` are the points before the hand.
    """
    points = list(records)
    seats = []
    for seat in hand.scored:
        points[seat] += 1
        if points[seat] == target:
            seats.append(seat)
    return tuple(seats)
