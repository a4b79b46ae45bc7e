"""Replaying a recorded hand of Ton: is every line legal, and what does the hand give?

The engine (`core.ton.engine`) says what is legal. This module feeds it the lines, and fills in what a record need not
say: that a player bids nothing, that one who must play does, that no trick costs a plus, that the dealer of
an unseen hand discards. Cards that nobody may know become known when they are played.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.ton.engine import apply, legal_actions, start
from core.ton.reasons import reason
from core.ton.record import Line, Record, read_record
from core.ton.rules import TonRules
from core.ton.score import HandResult, result
from core.ton.state import UNKNOWN, Action, Cards, State, known


@dataclass(frozen=True)
class Problem:
    """A line that is not legal: its number, and why, with the rule's id."""

    line: int
    message: str


@dataclass(frozen=True)
class Replay:
    """What a replay finds.

    legal
        whether all lines are legal; the replay stops at the first that is not
    errors
        that line
    result
        the hand's result, or None when it is not over or not legal
    state
        the position after the last legal line
    record
        the record as read
    """

    legal: bool
    errors: tuple[Problem, ...]
    result: HandResult | None
    state: State
    record: Record


class _IllegalLineError(Exception):
    """A line that is not legal; says why."""


def replay(text: str, rules: TonRules) -> Replay:
    """Replay a recorded hand.

    Raises InputError when the text describes no deal (`core.ton.record`).
    """
    record = read_record(text, rules)
    state = start(rules, record.deal, records=record.points)
    errors: tuple[Problem, ...] = ()
    bids: dict[int, str] = {}
    bidding = True
    for line in record.lines:
        try:
            if line.word in ("five", "pass"):
                _note_bid(bids, bidding, record, line, rules)
                continue
            if bidding:
                bidding, state = False, _bid(state, bids, ended=True)
            state = _follow(state, record, line)
        except _IllegalLineError as illegal:
            errors = (Problem(line.number, str(illegal)),)
            break
    if bidding:
        state = _bid(state, bids, ended="five" in bids.values())
    while not errors and state.phase == "choose":
        state = apply(state, Action("plus"))
    over = not errors and state.phase == "over"
    return Replay(not errors, errors, result(state) if over else None, state, record)


def _note_bid(bids: dict[int, str], bidding: bool, record: Record, line: Line, rules: TonRules) -> None:
    assert line.seat is not None
    if line.word == "five" and rules.five_bid == "off":
        raise _IllegalLineError("T13: nobody may bid five (five_bid = off)")
    if not bidding:
        raise _IllegalLineError("T13: bids come before the trump is shown")
    if line.seat in bids:
        raise _IllegalLineError(f"T13: {record.names[line.seat]} has said {bids[line.seat]} already")
    bids[line.seat] = line.word


def _bid(state: State, bids: Mapping[int, str], *, ended: bool) -> State:
    """Make the bids in seat order, whatever the order of their lines; once bidding has ended, silence is a pass."""
    while state.phase == "bid" and state.seat is not None and (ended or state.seat in bids):
        state = apply(state, Action(bids.get(state.seat, "pass")))
    return state


def _follow(state: State, record: Record, line: Line) -> State:
    """Return the state after a line that is no bid."""
    if line.word == "unreadable":
        raise _IllegalLineError(line.text)
    if line.word == "trump":
        if state.bidder is not None:
            raise _IllegalLineError(f"T13: {record.names[state.bidder]} has bid five, so that no trump is shown")
        if not state.trump_shown:
            raise _IllegalLineError("T4: the trump card must be named")
        return state
    assert line.seat is not None
    show = next((other.number for other in record.lines if other.word == "trump"), 0)
    if state.bidder is None and (not state.trump_shown or line.number < show):
        raise _IllegalLineError("T4: the trump card is shown before that")
    if state.phase == "discard" and line.word != "discard" and UNKNOWN in state.hands[state.dealer]:
        state = apply(state, Action("discard", UNKNOWN))
    if line.word == "play" and _plays_anyway(state, line.seat):
        return state
    for action in _actions(state, line):
        state = _reveal(state, line.seat, action)
        if state.seat != line.seat or action not in legal_actions(state):
            raise _IllegalLineError(reason(state, line.seat, action, record.names))
        state = apply(state, action)
    return state


def _plays_anyway(state: State, seat: int) -> bool:
    """Tell whether it may be said now, though it need not, that this player takes part (T8)."""
    bought = state.phase == "declare" or (state.phase == "discard" and state.rules.dealer_discard != "before_buy_in")
    opened = not state.tricks and not state.trick and state.phase in ("play", "choose", "over")
    return state.must_play(seat) and (bought or opened)


def _actions(state: State, line: Line) -> list[Action]:
    """Return the line's actions: `trumpless Ks` uses the right, unless that is said already, and fetches (T7)."""
    if line.word == "trumpless" and line.card is not None:
        fetch = Action("fetch", line.card)
        return [fetch] if state.phase == "fetch" else [Action("trumpless"), fetch]
    return [Action(line.word, line.card)]


def _reveal(state: State, seat: int, action: Action) -> State:
    """Put a card that becomes known in the place of an unknown one, in the player's hand or the stock."""
    place = state.stock if action.word == "fetch" else state.hands[seat]
    if action.card is None or action.card in place or UNKNOWN not in place or _is_elsewhere(state, seat, action.card):
        return state
    shown = tuple(sorted((action.card, *place[1:])))  # unknown cards stand first
    if action.word == "fetch":
        return replace(state, stock=shown)
    return replace(state, hands=(*state.hands[:seat], shown, *state.hands[seat + 1 :]))


def _is_elsewhere(state: State, seat: int, card: int) -> bool:
    """Tell whether the card is known to be where the player cannot have it from."""
    played: Cards = tuple(card for trick in (*state.tricks, state.trick) for _, card in trick)
    lying = (*(card for hand in state.hands for card in hand), *state.talon, *state.stock, *state.aside, *played)
    put_away = () if state.discard is None else (state.discard,)
    # The dealer's trump card may be in his hand, also when he has discarded an unknown card.
    taken = seat == state.dealer and state.exchange and state.rules.trump_card == "to_dealer"
    return card in known((*lying, *put_away)) or (card == state.trump_card and not taken)
