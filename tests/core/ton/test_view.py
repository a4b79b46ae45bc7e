"""Views hold what a player may see and only that: swapping two cards that he has not seen changes nothing for him.

What a player has seen is kept here by the test itself, from the deal and the actions alone.
"""

import random

import pytest

from core.errors import InputError
from core.ton.engine import apply, legal_actions, start
from core.ton.policies import POLICIES
from core.ton.rules import DECK, TonRules
from core.ton.state import UNKNOWN, Action, Deal, State
from core.ton.view import view
from tests.core.ton.hands import Step, random_hand, random_rules


def seen_by(seat: int, deal: Deal, steps: list[Step]) -> set[int]:
    """Return the cards that the player has seen after the steps: T3–T7, step by step."""
    dealer = len(deal.hands) - 1
    seen = {*deal.hands[seat]}
    turned = 0
    for state, actor, action in steps:
        if state.trump is not None:
            seen.add(deal.trump_card)
        match action.word:
            case "refuse":
                reveal = state.rules.talon_reveal
                if reveal == "each_refusal" or (reveal == "first_refusal" and actor == 0):
                    seen |= {*deal.talon[turned : turned + 1]}
                    turned += 1
            case "trumpless" if actor == seat:
                seen |= {*state.stock}
            case "keep" | "fetch" if actor == seat:
                seen |= {*deal.talon}
            case "card":
                assert action.card is not None
                seen.add(action.card)
            case "discard" if actor == seat == dealer:
                seen.add(deal.trump_card)
    return seen


def swapped(deal: Deal, steps: list[Step], one: int, other: int) -> State | None:
    """Return the state after the same steps with two cards swapped in the deal; None where a step is not legal."""
    swap = {one: other, other: one}

    def cards(place: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(swap.get(card, card) for card in place)

    moved = Deal(
        tuple(cards(hand) for hand in deal.hands), cards(deal.talon), *cards((deal.trump_card,)), cards(deal.stock)
    )
    if not steps:
        return None
    first = steps[0][0]
    state = start(first.rules, moved, records=first.records)
    try:
        for _, _, action in steps:
            card = action.card if action.card is None else swap.get(action.card, action.card)
            state = apply(state, Action(action.word, card))
    except InputError:
        return None
    return state


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_cards_that_a_player_has_not_seen_change_neither_his_view_nor_his_choice(players):
    chance = random.Random(players)
    compared = dict.fromkeys(("bid", "buy", "fetch", "discard", "declare", "play", "choose"), 0)
    for number in range(80):
        rules = TonRules() if number % 2 else random_rules(chance)
        deal, _, steps, _ = random_hand(rules, players, chance, five=0.05)
        for place, (state, actor, _) in enumerate(steps):
            # The player to act, and now and then another one.
            seat = actor if chance.random() < 0.8 else chance.randrange(players)
            seen = seen_by(seat, deal, steps[:place])
            if state.trump is not None:
                seen.add(deal.trump_card)
            if seat == state.dealer and state.phase != "bid" and state.exchange and rules.trump_card == "to_dealer":
                seen.add(deal.trump_card)
            hidden = [card for card in DECK if card not in seen]
            if len(hidden) < 2:
                continue
            other = swapped(deal, steps[:place], *chance.sample(hidden, 2))
            if other is None or other.seat != state.seat or other.phase != state.phase:
                continue
            compared[state.phase] += 1
            here, there = view(state, seat), view(other, seat)
            assert here == there
            if seat == actor:
                actions = legal_actions(state)
                assert legal_actions(other) == actions
                for policy in POLICIES.values():
                    assert policy.choose(here, actions, iter([12345])) == policy.choose(there, actions, iter([12345]))
    # Enough swaps leave the hand as legal as it was.
    assert all(compared[phase] >= 10 for phase in ("buy", "discard", "play"))
    assert sum(compared.values()) > 500


@pytest.mark.parametrize("players", [2, 3, 5])
def test_view_holds_every_card_that_the_player_has_seen_and_where_it_is(players):
    chance = random.Random(players)
    for _ in range(40):
        _, _, steps, _ = random_hand(TonRules(), players, chance)
        for state, seat, _ in steps:
            seen = view(state, seat)
            assert seen.hands[seat] == state.hands[seat]
            assert [len(hand) for hand in seen.hands] == [len(hand) for hand in state.hands]
            assert all(card == UNKNOWN or card in state.hands[s] for s in range(players) for card in seen.hands[s])
            assert seen.talon[: len(state.shown)] == state.talon[: len(state.shown)]
            assert (seen.trick, seen.tricks, seen.folded) == (state.trick, state.tricks, state.folded)
            if state.trump is not None:
                assert seen.trump_card == state.trump_card
            if state.phase == "fetch":
                assert seen.stock == state.stock
            if seat == state.buyer:
                assert seen.aside == state.aside
            elif state.buyer is not None and not state.talon:
                held = [card for card in state.shown if card in state.hands[state.buyer]]
                assert [card for card in seen.hands[state.buyer] if card != UNKNOWN] == sorted(held)


def test_trump_card_is_seen_in_the_dealers_hand_until_he_discards():
    chance = random.Random(7)
    _, _, steps, _ = random_hand(TonRules(five_bid="off"), 3, chance)
    state = next(state for state, _, _ in steps if state.phase == "discard")
    assert view(state, 0).hands[2] == (*(UNKNOWN,) * 5, state.trump_card)
    after = apply(state, legal_actions(state)[0])
    assert view(after, 0).hands[2] == (UNKNOWN,) * 5
    assert view(after, 0).discard == UNKNOWN
    assert view(after, 2).discard == after.discard
