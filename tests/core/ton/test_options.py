"""Each option of Ton's rules has a hand here in which it matters; a field without one fails the last test."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from core.cards import format_cards
from core.ton.engine import apply, legal_actions
from core.ton.match import Standing, record_hand, settle, winner_of
from core.ton.play import play_out
from core.ton.policies import Plain
from core.ton.replay import replay
from core.ton.rules import TonRules
from core.ton.score import HandResult, result
from core.ton.state import Action, State

DEAL = """players: A, B, C
points: 0 12 4
hand A: As 7d 8d Jh 9c
hand B: Kd Qd 6s 10c 7h
hand C: 10s 8s Ad 6h 7c
talon: 6c Jd Qh 8c
"""
# The eldest and the next player hold no trump.
TRUMPLESS = """players: A, B, C
hand A: 7d 8d Ah Jh 9c
hand B: Kd Qd 10d 10c 7h
hand C: 10s 8s Ad 6h 7c
talon: 6c Jd Qh 8c
trump: 9s
"""
NO_BUYER = "trump: 9s\nA: refuse\nB: refuse\nC: discard 7c\n"


def position(text: str, rules: TonRules) -> State:
    found = replay(text, rules)
    assert found.legal, found.errors
    return found.state


def words(state: State) -> list[str]:
    return list(dict.fromkeys(action.word for action in legal_actions(state)))


def cards(state: State) -> str:
    return format_cards(action.card for action in legal_actions(state) if action.card is not None)


def plain_end(state: State, *, zero: str = "plus") -> HandResult:
    """Play on by the policy `plain`; who has no trick takes `zero`."""

    class Choosing(Plain):
        def choose(self, view: State, actions: Sequence[Action], words: Any) -> Action:
            return Action(zero) if view.phase == "choose" else super().choose(view, actions, words)

    return result(play_out(state, [Choosing()] * state.players, iter(()))[0])


def shown(rules: TonRules) -> str:
    return format_cards(position(DEAL + "trump: 9s\nA: refuse\nB: refuse\n", rules).shown)


def trumpless(rules: TonRules) -> tuple[bool, bool]:
    first = position(TRUMPLESS, rules)
    second = apply(first, Action("refuse"))
    return "trumpless" in words(first), "trumpless" in words(second)


def dealer(rules: TonRules) -> tuple[int, str]:
    state = position(DEAL + "trump: 9s\nA: refuse\nB: refuse\n", rules)
    return len(state.hands[2]), state.phase


# The eldest leads the ten of diamonds; clubs are trump.
LED_TEN = """players: A, B, C
hand A: 10d Kd 6s 7s 8s
hand B: 6d Jd Ad 9c Qs
hand C: 7d Qd 6c 10c Kh
talon: 6h 7h 8h 9h
trump: Kc
A: refuse
B: refuse
C: discard Kc
A: play
B: play
A: 10d
"""
OVERTRUMP = """players: A, B, C
hand A: 10d Kd 6s 7s 8s
hand B: 6h Ah 7c 9c Qs
hand C: 7h Qh 6c 10c Kh
talon: 9d 10h 8h 9h
trump: Kc
A: refuse
B: refuse
C: discard Kc
A: play
B: play
A: 10d
B: 9c
"""


def lead(rules: TonRules) -> int:
    return position(DEAL + NO_BUYER + "A: play\nB: play\n", rules).leader


def lone(rules: TonRules) -> tuple[int, ...]:
    found = replay(DEAL + NO_BUYER + "A: fold\nB: fold\n", rules).result
    assert found is not None
    return found.tricks + found.points + found.pluses


def discard_moment(rules: TonRules) -> list[str]:
    """Return the phases of a hand without a buyer, up to the lead."""
    state = position(DEAL + "trump: 9s\n", rules)
    phases = [state.phase]
    while state.phase != "play":
        state = apply(state, next(a for a in legal_actions(state) if a.word in ("refuse", "discard", "play")))
        phases += [state.phase] if phases[-1] != state.phase else []
    return phases


def five_lead(rules: TonRules) -> int:
    return position(DEAL + "B: five\nA: play\n", rules).leader


def five_exchange(rules: TonRules) -> tuple[str, int]:
    state = position(DEAL + "A: five\n", rules)
    return state.phase, len(state.hands[2])


def failed_five(rules: TonRules) -> tuple[tuple[int, ...], tuple[int, ...]]:
    found = plain_end(position(DEAL + "A: five\nB: play\n", rules))
    return found.tricks, found.points


def first_to_target(rules: TonRules) -> int | None:
    """Return who wins of two with 13 points each, where the first takes two tricks and then the second three."""
    hand = HandResult((2, 3), (2, 3), (0, 0), (False,) * 2, (True,) * 2, scored=(0, 0, 1, 1, 1))
    return winner_of(rules, (13, 13), hand)


def zero(rules: TonRules, wish: str = "plus") -> tuple[tuple[int, ...], tuple[int, ...]]:
    found = plain_end(position(DEAL + NO_BUYER + "A: play\nB: play\n", rules), zero=wish)
    assert 0 in found.tricks
    return found.points, found.pluses


def pot_pluses(rules: TonRules) -> tuple[bool, ...]:
    return plain_end(position(DEAL + NO_BUYER + "A: play\nB: play\n", rules)).pot_plus


def must_play(rules: TonRules) -> tuple[bool, ...]:
    state = position(DEAL, rules)
    return tuple(state.must_play(seat) for seat in range(3))


def price(rules: TonRules) -> tuple[int, ...]:
    """Return the debts after an ordinary plus of the eldest and a pot plus of the next player."""
    hand = HandResult((0, 0, 5), (0, 0, 5), (1, 1, 0), (False, True, False), (True,) * 3, scored=(2,) * 5)
    return record_hand(rules, Standing((0, 12, 9), (0, 0, 0)), hand).debts


def money(rules: TonRules) -> tuple[int, ...]:
    return settle(rules, Standing((3, 4, 15), (20, 0, 10)), winner=2)


EFFECTS: dict[str, tuple[Callable[[TonRules], Any], dict[Any, Any]]] = {
    "talon_reveal": (shown, {"each_refusal": "6c Jd", "first_refusal": "6c", "none": ""}),
    "trumpless_right": (
        trumpless,
        {"eldest": (True, False), "nobody": (False, False), "every_buyer": (True, True)},
    ),
    "trump_card": (dealer, {"to_dealer": (6, "discard"), "stays": (5, "declare")}),
    # What the third player may play after the second one's jack, and after his ace.
    "must_beat": (
        lambda rules: [cards(position(f"{LED_TEN}B: {card}\n", rules)) for card in ("Jd", "Ad")],
        {"led": ["Qd", "Qd"], "best": ["Qd", "7d Qd"], "free": ["7d Qd", "7d Qd"]},
    ),
    "must_overtrump": (lambda rules: cards(position(OVERTRUMP, rules)), {"no": "6c 10c", "yes": "10c"}),
    "no_buyer_lead": (lead, {"eldest": 0, "dealer": 2}),
    "lone_player": (lone, {"five_points": (0, 0, 5, 0, 0, 5, 0, 0, 0), "no_score": (0,) * 9}),
    "dealer_discard": (
        discard_moment,
        {
            "before_declarations": ["buy", "discard", "declare", "play"],
            "after_declarations": ["buy", "declare", "discard", "play"],
            "before_buy_in": ["discard", "buy", "declare", "play"],
        },
    ),
    "five_bid": (lambda rules: position(DEAL, rules).phase, {"allowed": "bid", "off": "buy"}),
    "five_bid_lead": (five_lead, {"bidder": 1, "eldest": 0}),
    "five_bid_exchange": (five_exchange, {"none": ("declare", 5), "talon": ("buy", 6)}),
    "five_bid_failed_tricks": (
        failed_five,
        {"score": ((2, 1, 2), (2, 1, 2)), "lost": ((2, 1, 2), (0, 1, 2))},
    ),
    "five_bid_fold": (
        lambda rules: position(DEAL + "A: five\n", rules).phase,
        {"allowed": "declare", "forbidden": "play"},
    ),
    "reach_target": (first_to_target, {"in_trick_order": 0, "end_of_hand_highest": 1}),
    "zero_trick": (
        lambda rules: (zero(rules, "plus"), zero(rules, "minus")),
        {
            "choice": (((2, 0, 3), (0, 1, 0)), ((2, -5, 3), (0, 0, 0))),
            "plus_only": (((2, 0, 3), (0, 1, 0)),) * 2,
            "minus_only": (((2, -5, 3), (0, 0, 0)),) * 2,
        },
    ),
    "must_play_points": (must_play, {13: (False, False, True), 12: (False, True, True), 0: (True, True, True)}),
    "pot_plus_points": (pot_pluses, {10: (False, True, False), 13: (False, False, False)}),
    "target_points": (first_to_target, {15: 0, 16: 1, 17: None}),
    "zero_trick_points": (lambda rules: zero(rules, "minus")[0], {5: (2, -5, 3), 3: (2, -3, 3)}),
    "five_bid_pluses": (
        lambda rules: plain_end(position(DEAL + "A: five\nB: play\n", rules)).pluses[0],
        {2: 2, 4: 4},
    ),
    "ante": (money, {10: (-30, -10, 40), 3: (-23, -3, 26)}),
    "plus_price": (price, {10: (10, 40, 0), 7: (7, 37, 0)}),
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, (_, table) in EFFECTS.items() for value in table])
def test_option_has_its_effect(name, value):
    observe, table = EFFECTS[name]
    assert observe(TonRules(**{name: value})) == table[value]


@pytest.mark.parametrize("name", [name for name, values in TonRules.options().items() if values])
def test_every_value_of_every_option_is_observed(name):
    values = TonRules.options()[name]
    assert values is not None
    assert set(EFFECTS[name][1]) == set(values)


def test_every_field_has_a_test_here():
    # The sizes are tested by whole hands in test_engine.py and by their record in test_replay.py.
    assert set(TonRules.options()) - set(EFFECTS) == {"hand_size", "talon_size"}
    assert all(len({repr(seen) for seen in table.values()}) == len(table) for _, table in EFFECTS.values())
