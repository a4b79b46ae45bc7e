"""What has been done in a hand, read from its state: every (seat, action) from the deal on, in order.

A state does not say which card a buyer kept or fetched: that card is UNKNOWN here, as is a discard that a view hides.
"""

from collections.abc import Callable, Iterator

from core.ton.engine import PHASES
from core.ton.state import UNKNOWN, Action, State

Step = tuple[int, Action]


def history(state: State) -> tuple[Step, ...]:
    """Return the actions from the deal to the state, which may be a view."""
    phases = PHASES[state.rules.dealer_discard]
    done = phases[: phases.index(state.phase) + 1]
    return tuple(step for phase in done for step in _STEPS[phase](state))


def _bids(state: State) -> Iterator[Step]:
    if state.rules.five_bid == "allowed":
        end = state.bidder if state.bidder is not None else _asked(state, "bid", state.players)
        yield from ((seat, Action("pass")) for seat in range(end))
    if state.bidder is not None:
        yield state.bidder, Action("five")


def _buys(state: State) -> Iterator[Step]:
    if not state.exchange:
        return
    end = state.buyer if state.buyer is not None else _asked(state, "buy", state.dealer)
    yield from ((seat, Action("refuse")) for seat in range(end))
    if state.buyer is not None:
        yield state.buyer, Action("trumpless") if state.trumpless else Action("keep", UNKNOWN)


def _fetches(state: State) -> Iterator[Step]:
    if state.buyer is not None and state.trumpless and not state.talon:
        yield state.buyer, Action("fetch", UNKNOWN)


def _discards(state: State) -> Iterator[Step]:
    if state.discard is not None:
        yield state.dealer, Action("discard", state.discard)


def _declarations(state: State) -> Iterator[Step]:
    for seat in range(_asked(state, "declare", state.players)):
        if not state.must_play(seat):
            yield seat, Action("fold" if state.folded[seat] else "play")


def _cards(state: State) -> Iterator[Step]:
    for trick in (*state.tricks, state.trick):
        yield from ((seat, Action("card", card)) for seat, card in trick)


def _choices(state: State) -> Iterator[Step]:
    yield from ((seat, Action(choice)) for seat, choice in enumerate(state.choices) if choice is not None)


def _nothing(state: State) -> Iterator[Step]:
    return iter(())


_STEPS: dict[str, Callable[[State], Iterator[Step]]] = {
    "bid": _bids,
    "show": _nothing,
    "buy": _buys,
    "fetch": _fetches,
    "discard": _discards,
    "declare": _declarations,
    "play": _cards,
    "choose": _choices,
    "over": _nothing,
}


def _asked(state: State, phase: str, seats: int) -> int:
    """Return how many of the seats have been asked in the phase, which has come."""
    return state.asked if state.phase == phase else seats
