"""Plus or minus as a decision: no single choice can be bettered, and two players' minimax by a plain recursion."""

from functools import cache

import numpy as np
import pytest

from analysis.effort import Effort
from analysis.ton.choices import best_choices
from analysis.ton.debt_choices import solve_with_debts
from analysis.ton.hand_results import same_results, sample_results
from analysis.ton.race import Habits, Race
from analysis.ton.race_values import Solver, at
from core.errors import InputError
from core.ton.match import Standing, record_hand, settle, winner_of
from core.ton.outcomes import Outcome
from core.ton.rules import TonRules
from core.ton.score import HandResult

RULES = TonRules()


@pytest.fixture(scope="module")
def results():
    return sample_results(["greedy", "greedy"], RULES, Effort(deals=50_000))


def money_of(results, habits) -> float:
    race = Race(results, RULES, habits, -10)
    return float(at(race, Solver(race, "money").solve(), (0, 0))[0])


def test_no_single_choice_can_be_bettered(results):
    found = best_choices(results, RULES, one=True, floor=-10)
    best = money_of(results.by_player(), Habits((0.0, 0.0), found.minus.astype(float), saves=(0,)))
    assert best == pytest.approx(at(found.race, found.money, (0, 0))[0], abs=1e-9)
    # Better than both habits, and than both with the minus that costs nothing.
    assert best > money_of(results, Habits((0.0, 0.0))) + 1
    assert best > money_of(results.by_player(), Habits((1.0, 0.0), saves=(0,))) + 0.1
    # The other way round in one state: the loss is what is said to be gained, as often as the choice comes up.
    sizes = len(found.minus) // 2
    own = [(s, 0) for s in range(sizes)] + [(s, 1) for s in range(sizes, 2 * sizes)]
    frequent = sorted(own, key=lambda key: -found.comes_up[key])[:12]
    for state, seat in frequent:
        table = found.minus.astype(float)
        table[state, seat] = 1 - table[state, seat]
        other = money_of(results.by_player(), Habits((0.0, 0.0), table, saves=(0,)))
        loss = found.comes_up[state, seat] * abs(found.gain[state, seat])
        assert best - other >= -1e-9
        assert best - other == pytest.approx(loss, rel=0.05, abs=1e-6)


def test_for_the_win_alone_nobody_takes_a_minus_and_for_money_who_is_behind_does(results):
    assert not best_choices(results, RULES, "win", floor=-10).minus.any()
    found = best_choices(results, RULES, floor=-10)
    grid = found.race.grid
    for seat in (0, 1):
        points = {True: (3, 12), False: (12, 3)}
        for behind, (own, other) in points.items():
            state = grid.state((own, other) if seat == 0 else (other, own))
            assert found.minus[state, seat] == behind
    assert best_choices(results, RULES, habit=1.0, floor=-10).minus.tolist() == found.minus.tolist()


def test_who_looks_at_the_debts_gets_little_more_than_who_does_not(results):
    duel = solve_with_debts(results, RULES, most_debt=160)
    by_points = best_choices(results, RULES, floor=-10)
    assert duel.at((0, 0)) == pytest.approx(at(by_points.race, by_points.money, (0, 0))[0], abs=0.05)
    assert duel.at((0, 0)) == pytest.approx(solve_with_debts(results, RULES, most_debt=100).at((0, 0)), abs=1e-4)
    # Without prices nothing speaks for a minus.
    free = RULES.replace(plus_price=0, pot_plus_points=1000)
    assert solve_with_debts(results, free, most_debt=20).at((0, 0)) == pytest.approx(
        at(race := Race(results, free, Habits((0.0, 0.0)), 0), Solver(race, "money").solve(), (0, 0))[0], abs=1e-6
    )


@pytest.mark.parametrize("reach_target", ["in_trick_order", "end_of_hand_highest"])
def test_minimax_of_two_is_that_of_a_plain_recursion(reach_target):
    rules = TonRules(
        hand_size=2,
        talon_size=1,
        target_points=4,
        pot_plus_points=2,
        zero_trick_points=1,
        must_play_points=1000,
        ante=1,
        plus_price=1,
        reach_target=reach_target,
    )
    chances = {
        Outcome((0, 0), (1,)): 0.3,
        Outcome((1, 1), (0,)): 0.25,
        Outcome((0, 1)): 0.2,
        Outcome((1, 0), (), 0): 0.15,
        Outcome((0, 0)): 0.1,
    }

    @cache
    def value(points: tuple[int, int], debts: tuple[int, int], hands: int) -> float:
        """What the eldest gets of a match broken off after so many hands."""
        if not hands:
            return 0.0
        total = 0.0
        for outcome, chance in chances.items():
            options = []
            for minus in (False, True) if outcome.choosers else (False,):
                plus = [int(seat in outcome.choosers and not minus) for seat in (0, 1)]
                hand = HandResult(
                    (),
                    tuple(outcome.takers.count(s) - (minus and s in outcome.choosers) for s in (0, 1)),
                    tuple(2 if s == outcome.failed else plus[s] for s in (0, 1)),
                    tuple(bool(plus[s]) and points[s] >= 2 for s in (0, 1)),
                    (),
                    outcome.takers,
                )
                after = record_hand(rules, Standing(points, debts), hand)
                winner = winner_of(rules, points, hand)
                if winner is None:
                    options.append(-value(after.points[::-1], after.debts[::-1], hands - 1))
                else:
                    options.append(settle(rules, after, winner)[0])
            total += chance * (max(options) if outcome.choosers == (0,) else min(options))
        return total

    found = solve_with_debts(same_results(2, chances, 2), rules, most_debt=30)
    assert found.at((0, 0)) == pytest.approx(value((0, 0), (0, 0), 16), abs=1e-3)
    assert found.at((3, 2), (2, 1)) == pytest.approx(value((3, 2), (2, 1), 16), abs=1e-3)


def test_wrong_questions_are_refused(results):
    with pytest.raises(InputError, match="two players of one kind"):
        solve_with_debts(results.by_player(), RULES)
    with pytest.raises(InputError, match="no table that is solved"):
        solve_with_debts(results, RULES, most_debt=10_000)
    with pytest.raises(InputError, match="no table that is solved"):
        solve_with_debts(results, RULES, most_debt=5)
    assert np.isfinite(solve_with_debts(results, RULES, most_debt=20).money).all()
