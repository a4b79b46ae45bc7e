"""What an action leads to (K7–K12): one function a kind of action, each from a state to the next."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.errors import InputError
from core.shuffling import shuffle
from core.tonk.actions import Action, refusal
from core.tonk.melds import hit, meld_of
from core.tonk.payments import drop_wins, settle_drop, settle_out, settle_stock_out
from core.tonk.state import STALLED_TURNS, Ending, State, TableMeld, changed, ended


def apply(state: State, action: Action, words: Iterable[int] = ()) -> State:
    """Return the state after the action. `words` are random 32-bit words, used only where the pile is reshuffled.

    Raises InputError, naming the rule, for an action that is not allowed.
    """
    reason = refusal(state, action)
    if reason is not None:
        raise InputError(reason)
    return carry_out(state, action, words)


def carry_out(state: State, action: Action, words: Iterable[int] = ()) -> State:
    """Return the state after the action, as `apply` does, without asking whether a rule forbids it."""
    match action.kind:
        case "drop":
            return _drop(state)
        case "up":
            return _take_up(state)
        case "stock":
            return _draw(state, words)
        case "lay":
            return _lay(state, action.cards)
        case "hit":
            return _hit(state, action.cards[0], action.meld)
        case "discard":
            return _discard(state, action.cards[0])


def may_reshuffle(state: State) -> bool:
    """Tell whether an empty stock would be made anew: once a hand, from a pile of two cards or more (`stock_out`)."""
    return state.rules.stock_out == "reshuffle" and not state.reshuffled and len(state.pile) > 1


def reshuffle(state: State, order: Sequence[int]) -> State:
    """Return the state with all of the pile but its top card as the stock, in that order, top first (`stock_out`)."""
    return replace(state, stock=tuple(order), pile=state.pile[-1:], reshuffled=True)


def _drop(state: State) -> State:
    """K8: the hands are compared, and the hand ends."""
    wins = drop_wins(state.totals, state.turn, state.rules)
    kind: Ending = "drop_won" if wins else "drop_lost"
    return ended(_played(state), kind, settle_drop(state.totals, state.turn, state.rules))


def _take_up(state: State) -> State:
    """K9: the top of the discard pile goes to the hand, and everybody has seen it."""
    card = state.pile[-1]
    known = changed(state.known, state.turn, (*state.known[state.turn], card))
    state = replace(state, pile=state.pile[:-1], known=known, stalled=state.stalled + 1)
    return _take(state, card)


def _draw(state: State, words: Iterable[int]) -> State:
    """K9: the top of the stock goes to the hand; an empty stock is made anew, or ends the hand (`stock_out`)."""
    if not state.stock and may_reshuffle(state):
        state = reshuffle(state, shuffle(state.pile[:-1], words))
    if not state.stock:
        return _stock_out(state)
    return _take(replace(state, stock=state.stock[1:], stalled=0), state.stock[0])


def _take(state: State, card: int) -> State:
    hand = tuple(sorted((*state.hands[state.turn], card)))
    return replace(state, hands=changed(state.hands, state.turn, hand), drawn=True)


def _lay(state: State, cards: Sequence[int]) -> State:
    """K10: the meld goes to the table."""
    meld = meld_of(cards, state.rules)
    assert meld is not None, "a lay is checked before it is carried out"
    state = replace(state, table=(*state.table, TableMeld(meld, state.turn)))
    return _after_melding(_put_down(state, meld))


def _hit(state: State, card: int, number: int) -> State:
    """K11: the card goes to that meld; its owner, if another player, loses a drop (`hit_hold`)."""
    target = state.table[number]
    meld = hit(target.cards, card, state.rules)
    assert meld is not None, "a hit is checked before it is carried out"
    state = replace(state, table=changed(state.table, number, target._replace(cards=meld)))
    if state.rules.hit_hold == "yes" and target.owner != state.turn:
        state = replace(state, holds=changed(state.holds, target.owner, state.holds[target.owner] + 1))
    return _after_melding(_put_down(state, (card,)))


def _after_melding(state: State) -> State:
    """K12: a hand without cards is out, here without a closing discard (`out_pay`)."""
    if state.hands[state.turn]:
        return state
    return ended(_played(state), "out", settle_out(state.players, state.turn, state.rules.out_pay), state.turn)


def _discard(state: State, card: int) -> State:
    """K9, K12: the card goes to the pile; a hand without cards is out, else the next player is to move."""
    state = _put_down(state, (card,))
    state = _played(replace(state, pile=(*state.pile, card), faced=(*state.faced, card), drawn=False))
    if not state.hands[state.turn]:
        return ended(state, "out", settle_out(state.players, state.turn), state.turn)
    if state.stalled >= STALLED_TURNS * state.players:
        return _stock_out(state)
    return replace(state, turn=(state.turn + 1) % state.players)


def _stock_out(state: State) -> State:
    return ended(state, "stock_out", settle_stock_out(state.totals, state.rules))


def _played(state: State) -> State:
    """Count the player's turn as played, and one turn of a hold as served."""
    seat = state.turn
    return replace(
        state,
        turns=changed(state.turns, seat, state.turns[seat] + 1),
        holds=changed(state.holds, seat, max(0, state.holds[seat] - 1)),
    )


def _put_down(state: State, cards: Sequence[int]) -> State:
    """Take the cards out of the player's hand, and out of what is known of it."""
    hand, known = list(state.hands[state.turn]), list(state.known[state.turn])
    for card in cards:
        hand.remove(card)
        if card in known:
            known.remove(card)
    return replace(
        state,
        hands=changed(state.hands, state.turn, tuple(hand)),
        known=changed(state.known, state.turn, tuple(known)),
    )
