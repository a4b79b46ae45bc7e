"""The buy-in played on by `tuned`: each choice's outcome is that of the readable engine, deal by deal."""

import random

import numpy as np
import pytest

from analysis.ton.buyin import buy_in
from analysis.ton.play_model import PlayBuyIn
from core.errors import InputError
from core.ton.engine import apply, legal_actions, start
from core.ton.play import deal_cards
from core.ton.policies import policy
from core.ton.rules import DECK
from core.ton.score import result
from core.ton.spot import Spot
from core.ton.view import view
from tests.core.ton.hands import random_rules

FOLD = "fold"


def played(spot, cards, option):
    """Return the tricks of the player after that choice, FOLD, or None if he is not asked or it cannot be."""
    tuned = policy("tuned", spot.players)
    state = start(spot.rules, deal_cards(spot.rules, spot.players, cards))
    words = option.split()
    forced = [words[0]] if len(words) == 1 else [f"keep {words[1]}"] if words[0] == "keep" else ["trumpless"]
    forced += [f"fetch {words[1]}"] if words[0] == "trumpless" and len(words) > 1 else []
    while state.seat is not None:
        actions = legal_actions(state)
        if state.seat == spot.seat and state.phase == "bid":
            action = actions[0]
        elif forced and state.seat == spot.seat and state.phase in ("buy", "fetch"):
            action = next((action for action in actions if str(action) == forced[0]), None)
            if action is None:
                return None
            forced.pop(0)
        else:
            action = tuned.choose(view(state, state.seat), actions, iter(()))
        state = apply(state, action)
    if forced:
        return None
    found = result(state)
    return found.tricks[spot.seat] if found.participants[spot.seat] else FOLD


@pytest.mark.parametrize("number", range(12))
def test_outcomes_are_those_of_the_readable_engine(number):
    chance = random.Random(number)
    rules, players = random_rules(chance), 2 + number % 5
    cards = chance.sample(DECK, 6)
    seat = chance.randrange(players - 1)
    spot = Spot(rules, players, seat, tuple(cards[:5]), cards[5])
    measure, deals = PlayBuyIn(spot, 4), 8
    sums = [np.zeros(shape, np.int64) for shape in measure.shapes]
    measure.count(sums, 100, 100 + deals)
    expected = np.zeros_like(sums[0])
    for lie in spot.sample_deals(deals, seed=4, first=100).tolist():
        places = []
        for option in spot.options:
            tricks = played(spot, lie, option)
            places.append(None if tricks is None else rules.hand_size + 1 if tricks == FOLD else tricks)
        for choice, place in enumerate(places):
            if place is not None:
                expected[choice, place, places[0]] += 1
    assert sums[0].tolist() == expected.tolist()


def test_five_top_trumps_are_worth_five_tricks_and_refuse():
    found = buy_in("As Ks Qs Js 10s", "6s", players=3, model="play", deals=400)
    assert found.options[0].option == "refuse"
    assert found.options[0].tricks.value == 5
    assert (found.model, "tuned" in found.assumes) == ("play", True)


def test_numbers_are_the_same_on_any_threads():
    options = [
        buy_in("As 7d 8d Jh 9c", "9s", 4, 1, "Kd", model="play", deals=3000, threads=threads).options
        for threads in (1, 2)
    ]
    assert options[0] == options[1]
    assert options[0][0].tricks.n < 3000  # the eldest would have bought in some


def test_too_few_deals_that_agree_are_refused():
    # The fifth of six players is asked in few deals.
    with pytest.raises(InputError, match="too few of the deals"):
        buy_in("As 7d 8d Jh 9c", "9s", 6, 4, "Ad Ac Ah Ks", model="play", deals=2)
