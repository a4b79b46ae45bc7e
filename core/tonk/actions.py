"""What a player may do on his turn (K7–K11): the legal actions in one fixed order, and why another is refused."""

from collections import Counter
from typing import Literal, NamedTuple

from core.cards import format_card, format_cards
from core.tonk.melds import hit, meld_of, melds_in
from core.tonk.state import State


class Action(NamedTuple):
    """One thing a player does: the cards that he lays, hits or discards; for a hit the number of the meld on the table.

    `up` takes the top of the discard pile, `stock` the unseen top of the stock.
    """

    kind: Literal["drop", "up", "stock", "lay", "hit", "discard"]
    cards: tuple[int, ...] = ()
    meld: int = -1


DROP, UP, STOCK = Action("drop"), Action("up"), Action("stock")


def legal_actions(state: State) -> list[Action]:
    """Return what the player to move may do, in one fixed order; nothing once the hand is over.

    Before the draw: drop, up, stock. After it: melds in the order of `melds_in`; hits by card id, then by meld on the
    table; discards by card id. Equal cards of several decks count once.
    """
    if state.result is not None:
        return []
    if not state.drawn:
        return [action for action in (DROP, UP, STOCK) if refusal(state, action) is None]
    hand = state.hands[state.turn]
    cards = sorted(set(hand))
    melds = melds_in(hand, state.rules)
    actions = [Action("lay", meld) for meld in melds]
    for card in cards:
        for number, meld in enumerate(state.table):
            if hit(meld.cards, card, state.rules):
                actions.append(Action("hit", (card,), number))
    if not (melds and state.rules.meld_duty == "forced"):
        actions += [Action("discard", (card,)) for card in cards]
    return actions


def refusal(state: State, action: Action) -> str | None:
    """Return why the player to move may not do this, naming the rule, or None where he may.

    The cards of a meld may come in any order.
    """
    if state.result is not None:
        return "the hand is over"
    if action.kind in ("drop", "up", "stock"):
        if state.drawn:
            return "a player who has drawn cannot drop (K7)" if action == DROP else "a turn takes one card only (K9)"
        if action == DROP:
            return drop_refusal(state, state.turn)
        return "the discard pile is empty (K9)" if action == UP and not state.pile else None
    if not state.drawn:
        return f"a card is taken before any {action.kind} (K9)"
    missing = Counter(action.cards) - Counter(state.hands[state.turn])
    if missing:
        return f"not in hand: {format_cards(missing.elements())}"
    if action.kind == "lay":
        return None if meld_of(action.cards, state.rules) else f"{format_cards(action.cards)} is no meld (K10)"
    if action.kind == "hit":
        return _hit_refusal(state, action)
    if len(action.cards) != 1:
        return f"one card is discarded, not {len(action.cards)} (K9)"
    return discard_refusal(state)


def drop_refusal(state: State, seat: int) -> str | None:
    """Return which option forbids the seat to drop at the start of a turn, or None (`drop_allowed`, `hit_hold`)."""
    if state.rules.drop_allowed == "first_turn" and state.turns[seat]:
        return "a drop is allowed on the first turn only (K8, drop_allowed)"
    if state.holds[seat]:
        return f"no drop for {state.holds[seat]} more turns after a hit (K8, hit_hold)"
    return None


def discard_refusal(state: State) -> str | None:
    """Return which meld must be laid before the discard, or None (K10, `meld_duty`)."""
    melds = melds_in(state.hands[state.turn], state.rules) if state.rules.meld_duty == "forced" else ()
    return f"a meld in hand must be laid: {format_cards(melds[0])} (K10)" if melds else None


def _hit_refusal(state: State, action: Action) -> str | None:
    if len(action.cards) != 1:
        return f"cards are hit one by one, not {len(action.cards)} (K11)"
    if not 0 <= action.meld < len(state.table):
        return f"there is no meld number {action.meld} on the table (K11)"
    meld = state.table[action.meld].cards
    if hit(meld, action.cards[0], state.rules):
        return None
    return f"{format_card(action.cards[0])} cannot be hit onto {format_cards(meld)} (K11)"
