"""Matches between policies: simulated and exact ones agree, and wrong questions are refused."""

import pytest

from analysis.ton import TonRules, match
from core.errors import InputError
from core.ton.match import play_match
from core.ton.policies import POLICIES


def test_simulated_matches_are_those_of_the_readable_engine():
    names = ["plain", "random", "greedy"]
    rules = TonRules(ante=4, plus_price=6)
    found = match(3, names, rules, deals=120, seed=4, max_hands=8)
    played = [play_match(rules, 3, [POLICIES[name] for name in names], 4, m, max_hands=8) for m in range(120)]
    for player in range(3):
        assert found.win[player].value == sum(result.winner == player for result in played) / 120
        money = [result.money[player] for result in played]
        mean = sum(money) / 120
        assert found.money[player].value == pytest.approx(mean)
        assert found.money[player].se == pytest.approx((sum((x - mean) ** 2 for x in money) / 119 / 120) ** 0.5)
    assert found.hands.value == sum(result.hands for result in played) / 120
    assert found.broken_off.value == sum(result.winner is None for result in played) / 120 > 0


@pytest.mark.parametrize(
    ("policies", "fields"),
    [
        (("plain", "greedy"), {}),
        (("greedy", "greedy"), {"zero_trick": "minus_only"}),
        (("random", "plain"), {"reach_target": "end_of_hand_highest", "five_bid_failed_tricks": "lost"}),
        (("greedy", "greedy", "greedy"), {"must_play_points": 11, "lone_player": "no_score"}),
        (("random",) * 3, {"target_points": 6, "pot_plus_points": 4, "zero_trick_points": 2}),
    ],
)
def test_exact_and_simulated_matches_agree(policies, fields):
    rules, players = TonRules(**fields), len(policies)
    exact = match(players, policies, rules, method="exact", deals=60_000, seed=1)
    simulated = match(players, policies, rules, deals=60_000, seed=2)
    for name in ("win", "money"):
        for one, other in zip(getattr(exact, name), getattr(simulated, name), strict=True):
            # Ten parts give the exact ones' error, with Student's wide tails: seven of it are rarer than 1 in 30,000,
            # and together with five and a half of the other rarer than 1 in a million.
            assert abs(one.value - other.value) < 7 * one.se + 5.5 * other.se + exact.floor_error
        assert sum(one.value for one in getattr(exact, name)) == pytest.approx(float(name == "win"), abs=1e-6)
    assert abs(exact.hands.value - simulated.hands.value) < 7 * exact.hands.se + 5.5 * simulated.hands.se + 1e-3
    assert sum(money.value for money in simulated.money) == pytest.approx(0, abs=1e-9)
    assert simulated.broken_off.value == 0
    assert exact.floor_error < 1e-2


def test_numbers_do_not_depend_on_threads():
    one = match(4, ["plain"] * 4, deals=3000, threads=1)
    assert match(4, ["plain"] * 4, deals=3000, threads=2) == one
    assert match(4, ["plain"] * 4, precision=0.01).win[0].half_width <= 0.01


@pytest.mark.parametrize(
    ("players", "policies", "options", "message"),
    [
        (7, ["plain"] * 7, {}, "7 players"),
        (2, ["plain"], {}, "1 policies are given for 2 players"),
        (2, ["plain", "gredy"], {}, "did you mean greedy"),
        (2, ["plain"] * 2, {"method": "exakt"}, "did you mean exact"),
        (2, ["plain"] * 2, {"max_hands": 0}, "max_hands cannot be 0"),
        (4, ["plain"] * 4, {"method": "exact"}, "2 to 3 players"),
        (2, ["plain"] * 2, {"method": "exact", "precision": 0.1}, "no precision"),
        (2, ["plain"] * 2, {"method": "exact", "rules": TonRules(target_points=1000)}, "too many states"),
        (3, ["plain"] * 3, {"rules": TonRules(pot_plus_points=0, target_points=300), "deals": 50}, "past all bounds"),
    ],
)
def test_wrong_questions_are_refused(players, policies, options, message):
    with pytest.raises(InputError, match=message):
        match(players, policies, **options)
