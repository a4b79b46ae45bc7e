"""Why an action is not legal, in one line that names rule (T5–T11) and players. Whether it is, the engine says."""

from collections.abc import Sequence

from core.cards import format_card, format_cards
from core.ton.state import UNKNOWN, Action, State, known
from core.ton.tricks import legal_cards, suit_of

# What the player to act has to do, by phase.
_AWAITED = {
    "bid": "T13: {} is to pass or to bid five",
    "buy": "T5: {} is to refuse or to buy",
    "fetch": "T7: {} is to fetch a card from the stock",
    "discard": "T6: {} is to discard",
    "declare": "T8: {} is to say whether to play or to fold",
    "play": "T9: {} is to play a card",
    "choose": "T11: {} is to take a plus or to lose points",
}


def reason(state: State, seat: int, action: Action, names: Sequence[str]) -> str:
    """Return why the player at `seat` may not do that, which is not legal."""
    if state.seat is None:
        return "T8: the hand is over, nobody but one plays" if state.lone else "T11: the hand is over"
    name = names[seat]
    match action.word:
        case "refuse" | "keep" | "trumpless":
            found = _not_buying(state, seat, action, names)
        case "fetch":
            found = _not_fetching(state, seat, action, name)
        case "discard":
            found = _not_discarding(state, seat, action, name)
        case "play" | "fold":
            found = _not_declaring(state, seat, action, name)
        case "card":
            found = _not_playing(state, seat, action, name)
        case _:
            found = _not_choosing(state, seat, name)
    return found or _AWAITED[state.phase].format(names[state.seat])


def _not_buying(state: State, seat: int, action: Action, names: Sequence[str]) -> str | None:
    name, rules = names[seat], state.rules
    if seat == state.dealer:
        return f"T6: {name} is the dealer, who never exchanges"
    if not state.exchange:
        return "T13: in a bid of five nobody buys (five_bid_exchange = none)"
    if state.buyer is not None:
        return f"T5: {names[state.buyer]} has bought, and at most one player does"
    if state.phase != "buy" or seat != state.seat:
        return None
    if action.word == "keep":
        return f"T5: {name} does not hold {_name(action)} to keep it"
    if state.trump is None:
        return "T13: in a bid of five there is no trumpless right"
    if rules.trumpless_right == "nobody":
        return "T7: nobody has the trumpless right (trumpless_right = nobody)"
    if rules.trumpless_right == "eldest" and seat != 0:
        return f"T7: the trumpless right is the eldest's, {names[0]}'s"
    if trumps := _of_suit(state.hands[seat], state.trump):
        return f"T7: {name} has no trumpless right, holding {format_cards(trumps)}"
    return "T7: there is no stock to fetch a card from"


def _not_fetching(state: State, seat: int, action: Action, name: str) -> str | None:
    if state.phase != "fetch" or seat != state.seat:
        return None
    if action.card not in state.stock:
        return f"T7: {_name(action)} is not in the stock"
    trumps = format_cards(_of_suit(state.stock, state.trump))
    return f"T7: {name} must fetch a trump, {_name(action)} is none, and the stock holds {trumps}"


def _not_discarding(state: State, seat: int, action: Action, name: str) -> str | None:
    if seat != state.dealer:
        return f"T6: only the dealer discards, not {name}"
    if state.discard is not None:
        return f"T6: {name} has discarded already"
    if len(state.hands[seat]) == state.rules.hand_size:
        return f"T6: {name} has taken no sixth card to discard"
    return f"T6: {name} does not hold {_name(action)}" if state.phase == "discard" else None


def _not_declaring(state: State, seat: int, action: Action, name: str) -> str | None:
    if state.folded[seat]:
        return f"T8: {name} has folded already"
    if action.word != "fold" or not state.must_play(seat):
        return None
    for other, role in ((state.dealer, "dealer"), (state.buyer, "buyer"), (state.bidder, "bidder")):
        if seat == other:
            return f"T8: {name} is the {role} and must play"
    if state.records[seat] >= state.rules.must_play_points:
        return f"T8: {name} has {state.records[seat]} points and must play"
    return f"T8: in a bid of five nobody folds (five_bid_fold = forbidden), not even {name}"


def _not_playing(state: State, seat: int, action: Action, name: str) -> str | None:
    if state.folded[seat]:
        return f"T8: {name} has folded and plays no card"
    if state.phase != "play" or seat != state.seat:
        return None
    hand, trick = known(state.hands[seat]), [card for _, card in state.trick]
    if action.card not in hand or action.card is None:
        return f"T10: {name} does not hold {_name(action)}"
    legal = legal_cards(hand, trick, state.trump, state.rules)
    led, suit = suit_of(trick[0]), suit_of(action.card)
    if suit_of(legal[0]) == led:
        duty = "beat what lies" if suit == led else "follow suit"
    else:
        duty = "overtrump" if suit == state.trump else "trump"
    return f"T10: {name} cannot play {_name(action)} but must {duty}: {format_cards(legal)}"


def _not_choosing(state: State, seat: int, name: str) -> str | None:
    if state.phase != "choose":
        return None
    if seat in state.taken:
        return f"T11: {name} has taken a trick and chooses nothing"
    return f"T8: {name} has folded and chooses nothing" if state.folded[seat] else None


def _name(action: Action) -> str:
    return "a card" if action.card is None or action.card == UNKNOWN else format_card(action.card)


def _of_suit(cards: Sequence[int], suit: int | None) -> tuple[int, ...]:
    return tuple(card for card in known(cards) if suit_of(card) == suit)
