"""Simulated hands against the readable engine and what must hold of any of them."""

import numpy as np
import pytest

from analysis.ton import TonRules, simulate
from analysis.ton.sampling import Games
from core.errors import InputError
from core.ton.play import play
from core.ton.policies import POLICIES, policy


def test_estimates_are_those_of_the_hands_played_by_the_readable_engine():
    policies = ["plain", "random", "random"]
    found = simulate(3, policies, TonRules(must_beat="best"), deals=200, seed=6)
    hands = [
        play(TonRules(must_beat="best"), 3, [POLICIES[name] for name in policies], 6, i).result for i in range(200)
    ]
    for seat in range(3):
        points = [hand.points[seat] for hand in hands]
        average = sum(points) / 200
        assert found.points[seat].value == pytest.approx(average)
        assert found.points[seat].se == pytest.approx((sum((p - average) ** 2 for p in points) / 199 / 200) ** 0.5)
        assert found.tricks[seat].value == pytest.approx(sum(hand.tricks[seat] for hand in hands) / 200)
        assert found.pluses[seat].value == pytest.approx(sum(hand.pluses[seat] for hand in hands) / 200)
        assert found.fold[seat].value == sum(not hand.participants[seat] for hand in hands) / 200
        no_trick = sum(hand.participants[seat] and not hand.tricks[seat] for hand in hands)
        assert found.no_trick[seat].value == no_trick / 200


@pytest.mark.parametrize("rules", [TonRules(), TonRules(lone_player="no_score", trumpless_right="every_buyer")])
def test_hands_of_the_reference_engine_count_as_those_of_the_kernel_do(rules, monkeypatch):
    games = Games(tuple(POLICIES[name] for name in ("random", "greedy", "plain", "random")), rules, 6)
    counted = []
    for known in (True, False):
        monkeypatch.setattr("analysis.ton.sampling.in_kernel", lambda policies, known=known: known)
        sums = [np.zeros(shape, np.int64) for shape in games.shapes]
        games.count(sums, 0, 400)
        counted.append([part.tolist() for part in sums])
    assert counted[0] == counted[1]
    assert all(map(any, zip(*counted[0][0], strict=True)))


def test_hands_with_pimc_are_played_on_the_reference_engine():
    found = simulate(2, ["pimc:4", "plain"], deals=6, seed=2)
    hands = [play(TonRules(), 2, [policy("pimc:4", 2), policy("plain", 2)], 2, i).result for i in range(6)]
    for seat in range(2):
        assert found.points[seat].value == pytest.approx(sum(hand.points[seat] for hand in hands) / 6)
    assert found.policies == ("pimc:4", "plain")
    assert simulate(2, ["pimc:4", "plain"], deals=6, seed=2, threads=2) == found


def test_all_tricks_are_taken_and_the_right_can_be_switched_off():
    found = simulate(4, ["plain"] * 4, TonRules(trumpless_right="nobody"), deals=5000)
    assert sum(estimate.value for estimate in found.tricks) == pytest.approx(5)
    assert [estimate.value for estimate in found.trumpless] == [0] * 4
    assert sum(estimate.value for estimate in found.buy) > 0.5


def test_numbers_do_not_depend_on_threads_and_precision_is_reached():
    one = simulate(2, ["random", "plain"], precision=0.01, threads=1)
    assert one.points[0].half_width <= 0.01
    assert simulate(2, ["random", "plain"], precision=0.01, threads=2) == one


@pytest.mark.parametrize("players", range(2, 7))
def test_greedy_takes_more_points_and_fewer_pluses_than_plain_does_at_the_same_seats(players):
    """The same deals, one player greedy at each seat in turn; at six players the gain is 16 errors wide."""
    deals = 100_000
    plain = simulate(players, ["plain"] * players, deals=deals)
    gained = saved = spread = 0.0
    for seat in range(players):
        policies = ["plain"] * players
        policies[seat] = "greedy"
        greedy = simulate(players, policies, deals=deals)
        gained += greedy.points[seat].value - plain.points[seat].value
        saved += plain.pluses[seat].value - greedy.pluses[seat].value
        spread += greedy.points[seat].se ** 2 + plain.points[seat].se ** 2
    # A player who is no better gains so much once in 10**8 times, and greedy so little less often still.
    assert gained > 5.8 * spread**0.5
    assert saved > 0


def test_other_rules_and_seeds_give_other_numbers():
    kinds = [simulate(2, ["random"] * 2, rules, deals=500, seed=seed) for rules, seed in ((None, 1), (None, 2))]
    assert kinds[0].tricks != kinds[1].tricks


@pytest.mark.parametrize(
    ("players", "policies", "message"),
    [
        (1, ["plain"], "1 players"),
        (3, ["plain"], "1 policies are given for 3 players"),
        (2, ["plain", "Plain"], "did you mean plain"),
        (2, ["plain", ""], "known: random, plain"),
    ],
)
def test_wrong_questions_are_refused(players, policies, message):
    with pytest.raises(InputError, match=message):
        simulate(players, policies)
