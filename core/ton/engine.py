"""The reference engine of one hand: its start, the legal actions, and what an action makes of a state.

A hand goes through these phases, in this order; a phase in which nobody has a choice is passed over:

- `bid`: each seat from the eldest passes or bids five; the first bid ends it (T13, `five_bid`).
- `show`: no choice; the trump card is shown, and the dealer takes it (T4, `trump_card`).
- `buy`: each seat from the eldest to the one before the dealer refuses or buys, in either way (T5, T7).
- `fetch`: who used the trumpless right sees the stock and takes a card from it (T7).
- `discard`: the dealer puts one card of his six away (T6); `dealer_discard` moves it before `buy` or after `declare`.
- `declare`: each seat from the eldest that may fold says whether it plays (T8).
- `play`: the tricks (T9, T10).
- `choose`: each seat without a trick, from the eldest, takes a plus or loses points (T11).
- `over`: the hand can be scored (`core.ton.score`).

In a position with UNKNOWN cards, legal actions are those that the known cards allow.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from core.errors import InputError
from core.ton.rules import DECK, TonRules
from core.ton.state import UNKNOWN, Action, Cards, Deal, State, check_deal, known
from core.ton.tricks import legal_cards, suit_of, winner

_Value = TypeVar("_Value")


def start(
    rules: TonRules,
    deal: Deal,
    *,
    records: Sequence[int] | None = None,
    debts: Sequence[int] | None = None,
    deck: Sequence[int] = DECK,
) -> State:
    """Return the state after the deal. `records` and `debts` are by seat; without them they are 0.

    `deck` may be a part of the 36 cards, for a game that is small enough to be solved exactly.

    Raises InputError when the rules do not allow that many players or the deal is not one of them.
    """
    players = len(deal.hands)
    rules.check_players(players)
    check_deal(rules, deal, deck)
    state = State(
        rules=rules,
        records=_by_seat("records", records, players),
        debts=_by_seat("debts", debts, players),
        hands=tuple(tuple(sorted(hand)) for hand in deal.hands),
        talon=deal.talon,
        trump_card=deal.trump_card,
        stock=tuple(sorted(deal.stock)),
        folded=(False,) * players,
        choices=(None,) * players,
    )
    return _advance(state)


def legal_actions(state: State) -> tuple[Action, ...]:
    """Return what the player to act may do, in the canonical order; nothing when the hand is over.

    The order is that of Action's list of words: pass, five; refuse, keep, trumpless; play, fold; plus, minus. Within a
    word, cards stand in the order of their ids (s h d c, the ace first); `?`, an unknown card of a position that is
    kept, fetched or put away unseen, comes before all others.
    """
    seat = state.seat
    if seat is None:
        return ()
    hand = state.hands[seat]
    match state.phase:
        case "bid":
            return (Action("pass"), Action("five"))
        case "buy":
            buys = (Action("refuse"), *_each("keep", hand))
            return (*buys, Action("trumpless")) if state.may_use_trumpless_right(seat) else buys
        case "fetch":
            trumps = tuple(card for card in known(state.stock) if suit_of(card) == state.trump)
            unknown = tuple(card for card in state.stock if card == UNKNOWN)
            return _each("fetch", unknown + trumps if trumps else state.stock)
        case "discard":
            return _each("discard", hand)
        case "declare":
            return (Action("play"), Action("fold"))
        case "play":
            trick = tuple(card for _, card in state.trick)
            return _each("card", legal_cards(known(hand), trick, state.trump, state.rules))
        case _:
            return (Action("plus"), Action("minus"))


def apply(state: State, action: Action) -> State:
    """Return the state after the player to act has done that, at the next choice or when the hand is over.

    Raises InputError when the action is not legal.
    """
    if state.seat is None or action not in legal_actions(state):
        raise InputError(f"{action} is not a legal action of seat {state.seat} in the phase {state.phase}")
    return _advance(_EFFECTS[action.word](state, state.seat, action))


def _by_seat(name: str, values: Sequence[int] | None, players: int) -> tuple[int, ...]:
    if values is None:
        return (0,) * players
    if len(values) != players:
        raise InputError(f"{len(values)} {name} are given for {players} players")
    return tuple(values)


def _each(word: str, cards: Cards) -> tuple[Action, ...]:
    return tuple(Action(word, card) for card in dict.fromkeys(cards))


# What an action does. `seat` is the player to act.


def _answered(state: State, seat: int, action: Action) -> State:
    """Pass and play change nothing but whose turn it is."""
    return replace(state, asked=seat + 1)


def _five(state: State, seat: int, action: Action) -> State:
    return replace(state, bidder=seat)


def _refuse(state: State, seat: int, action: Action) -> State:
    """Turn up the next talon card, if one is left and `talon_reveal` says so (T5)."""
    reveal = state.rules.talon_reveal
    turns = reveal == "each_refusal" or (reveal == "first_refusal" and seat == 0)
    shown = state.talon[: len(state.shown) + turns]
    return replace(state, shown=shown, asked=seat + 1)


def _keep(state: State, seat: int, action: Action) -> State:
    """Keep one card and take the talon for the others (T5)."""
    kept = _card_of(action)
    rest = _without(state.hands[seat], kept)
    hands = _with_hand(state, seat, (kept, *state.talon))
    return replace(state, buyer=seat, hands=hands, talon=(), aside=rest)


def _trumpless(state: State, seat: int, action: Action) -> State:
    return replace(state, buyer=seat, trumpless=True)


def _fetch(state: State, seat: int, action: Action) -> State:
    """Take the card from the stock and the whole talon; the own hand is put aside (T7)."""
    card = _card_of(action)
    hands = _with_hand(state, seat, (card, *state.talon))
    return replace(state, hands=hands, talon=(), aside=state.hands[seat], stock=_without(state.stock, card))


def _discard(state: State, seat: int, action: Action) -> State:
    card = _card_of(action)
    hand = _without(state.hands[seat], card)
    if card == UNKNOWN:
        # Any of the six may be the one put away, so that no card is still known to be there.
        hand = (UNKNOWN,) * len(hand)
    return replace(state, hands=_with_hand(state, seat, hand), discard=card)


def _fold(state: State, seat: int, action: Action) -> State:
    return replace(state, folded=_with(state.folded, seat, True), asked=seat + 1)


def _play_card(state: State, seat: int, action: Action) -> State:
    card = _card_of(action)
    hands = _with_hand(state, seat, _without(state.hands[seat], card))
    trick = (*state.trick, (seat, card))
    if len(trick) < len(state.participants):
        return replace(state, hands=hands, trick=trick)
    taker = trick[winner([card for _, card in trick], state.trump)][0]
    return replace(
        state, hands=hands, trick=(), tricks=(*state.tricks, trick), taken=(*state.taken, taker), leader=taker
    )


def _choose(state: State, seat: int, action: Action) -> State:
    return replace(state, choices=_with(state.choices, seat, action.word), asked=seat + 1)


_EFFECTS: dict[str, Callable[[State, int, Action], State]] = {
    "pass": _answered,
    "five": _five,
    "refuse": _refuse,
    "keep": _keep,
    "trumpless": _trumpless,
    "fetch": _fetch,
    "discard": _discard,
    "play": _answered,
    "fold": _fold,
    "card": _play_card,
    "plus": _choose,
    "minus": _choose,
}


def _card_of(action: Action) -> int:
    assert action.card is not None
    return action.card


def _without(cards: Cards, card: int) -> Cards:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def _with(values: tuple[_Value, ...], seat: int, value: _Value) -> tuple[_Value, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _with_hand(state: State, seat: int, hand: Iterable[int]) -> tuple[Cards, ...]:
    return _with(state.hands, seat, tuple(sorted(hand)))


# From one phase to the next.

_BEFORE, _AFTER = ("bid", "show"), ("play", "choose", "over")
PHASES = {
    "before_buy_in": (*_BEFORE, "discard", "buy", "fetch", "declare", *_AFTER),
    "before_declarations": (*_BEFORE, "buy", "fetch", "discard", "declare", *_AFTER),
    "after_declarations": (*_BEFORE, "buy", "fetch", "declare", "discard", *_AFTER),
}


def _advance(state: State) -> State:
    """Move on to the next choice: in this phase, or in the next one that has any."""
    phases = PHASES[state.rules.dealer_discard]
    while (seat := _to_act(state)) is None and state.phase != "over":
        state = replace(state, phase=phases[phases.index(state.phase) + 1], asked=0)
        if state.phase == "show":
            state = _show(state)
        elif state.phase == "play":
            state = _open_play(state)
    return replace(state, seat=seat)


def _to_act(state: State) -> int | None:
    """Return who has the next choice of the phase, or None when the phase is at its end."""
    rules, asked = state.rules, state.asked
    match state.phase:
        case "bid":
            bidding = rules.five_bid == "allowed" and state.bidder is None
            return asked if bidding and asked < state.players else None
        case "buy":
            return asked if state.exchange and state.buyer is None and asked < state.dealer else None
        case "fetch":
            return state.buyer if state.trumpless and state.talon else None
        case "discard":
            six = len(state.hands[state.dealer]) > rules.hand_size
            return state.dealer if six and not state.lone else None
        case "declare":
            return next((seat for seat in range(asked, state.players) if not state.must_play(seat)), None)
        case "play":
            return None if state.lone or len(state.taken) == rules.hand_size else _next_to_play(state)
        case "choose":
            return next((seat for seat in range(asked, state.players) if _has_choice(state, seat)), None)
        case _:
            return None


def _show(state: State) -> State:
    """Show the trump card (T4), unless somebody has bid five (T13); the dealer takes it, unless it stays."""
    hands = state.hands
    if state.exchange and state.rules.trump_card == "to_dealer":
        hands = _with_hand(state, state.dealer, (*hands[state.dealer], state.trump_card))
    trump = None if state.bidder is not None or state.trump_card == UNKNOWN else suit_of(state.trump_card)
    return replace(state, hands=hands, trump=trump)


def _open_play(state: State) -> State:
    """Say who leads to the first trick (T9), or what a lone player takes (`lone_player`)."""
    if state.lone:
        takes = state.rules.hand_size if state.rules.lone_player == "five_points" else 0
        return replace(state, taken=state.participants * takes)
    eldest = state.participants[0]
    if state.buyer is not None:
        leader = state.buyer
    elif state.bidder is not None:
        leader = state.bidder if state.rules.five_bid_lead == "bidder" else eldest
    else:
        leader = state.dealer if state.rules.no_buyer_lead == "dealer" else eldest
    return replace(state, leader=leader)


def _next_to_play(state: State) -> int:
    if not state.trick:
        return state.leader
    order = state.participants
    return order[(order.index(state.trick[-1][0]) + 1) % len(order)]


def _has_choice(state: State, seat: int) -> bool:
    """Tell whether the seat chooses between plus and minus (T11): not a lone player, not a failed bidder (T13)."""
    return (
        state.rules.zero_trick == "choice"
        and not (state.lone or state.folded[seat] or seat == state.bidder)
        and seat not in state.taken
    )
