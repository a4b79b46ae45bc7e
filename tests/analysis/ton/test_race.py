"""The race to 15: against a toy match solved by hand, chains written out plainly, and matches played at random."""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from analysis.effort import Effort
from analysis.ton.hand_results import HandResults, given_results, same_results, sample_results
from analysis.ton.race import Habits, Race
from analysis.ton.race_values import Solver, at, floor_error, part_values
from core.errors import InputError
from core.ton.codes import encode, policy_codes
from core.ton.match import Standing, record_hand, settle, winner_of
from core.ton.outcomes import NOBODY, Outcome, count_outcomes, decode_outcome, outcome_codes, records_for
from core.ton.play import play
from core.ton.policies import POLICIES
from core.ton.rules import TonRules
from core.ton.score import HandResult
from tests.core.ton.hands import random_rules

# Hands of two tricks.
SMALL = TonRules(hand_size=2, talon_size=1)


def values(race: Race, quantity, points, debts=(), eldest=0):
    return at(race, Solver(race, quantity).solve(), points, debts, eldest).tolist()


def test_a_toy_match_solved_by_hand():
    """Two tricks, both to one seat: seat 0 with 3/5. To 4 points, so two hands won; the other takes the plus or minus.

    Eldest and dealer swap: in the first hand A is seat 0, in the second B.
    """
    rules = SMALL.replace(target_points=4, pot_plus_points=2, must_play_points=1000)
    p, q = Fraction(3, 5), Fraction(2, 5)
    results = same_results(2, {Outcome((0, 0), (1,)): float(p), Outcome((1, 1), (0,)): float(q)}, hand_size=2)
    plus = Race(results, rules, Habits((0.0, 0.0)), floor=0)
    # A wins the first and second, or one of these and the third, in which A is seat 0 again.
    wins = p * q + p * p * p + q * q * p
    assert values(plus, "win", (0, 0)) == pytest.approx([float(wins), float(1 - wins)], abs=1e-12)
    # Hands won by A, A: B pays 10 and two ordinary pluses. A, B, A: B's plus 10, then A's pot plus (he has 2 points)
    # of 20 + 10 = 30, then B's of 20 + 10 + 30 = 60; B pays 10 + 70. B, A, A: A's plus of 10, B's of 30, B's third of
    # 20 + 10 + 30 = 60 (B has 2 points); B pays 10 + 90.
    won = p * q * 30 + p * p * p * 80 + q * q * p * 100
    lost = q * p * 30 + q * q * q * 80 + p * p * q * 100
    assert values(plus, "money", (0, 0)) == pytest.approx([float(won - lost), float(lost - won)], abs=1e-9)
    assert values(plus, "hands", (0, 0)) == pytest.approx([float(2 * 2 * p * q + 3 * (1 - 2 * p * q))])

    # With minus 2 instead of a plus: a hand won and lost leads back, x = chance from the start with A as seat 0.
    minus = Race(results, rules.replace(zero_trick="minus_only", zero_trick_points=2), Habits((1.0, 1.0)), floor=-2)
    # After A's first hand B is the eldest at (-2, 2) for (B, A): A then wins with q, or it is back at (0, 0), A eldest.
    x = p * q / (1 - p * p - q * q)
    assert values(minus, "win", (0, 0)) == pytest.approx([float(x), float(1 - x)], abs=1e-12)
    assert values(minus, "money", (0, 0)) == pytest.approx([float(10 * (2 * x - 1)), float(10 * (1 - 2 * x))], abs=1e-9)


def some_results(players: int, size: int, chance: random.Random, period: int = 1) -> HandResults:
    """Return random chances of a few outcomes for each situation."""
    chances = {}
    for eldest, must in product(range(period), product((False, True), repeat=players - 1)):
        found = {}
        for _ in range(6):
            takers = tuple(
                chance.choice((*range(players), NOBODY if chance.random() < 0.2 else 0)) for _ in range(size)
            )
            without = [seat for seat in range(players) if seat not in takers]
            failed = chance.choice(without) if without and chance.random() < 0.2 else NOBODY
            choosers = tuple(seat for seat in without if seat != failed and chance.random() < 0.7)
            found[Outcome(takers, choosers, failed)] = chance.random()
        total = sum(found.values())
        chances[eldest, must] = {outcome: weight / total for outcome, weight in found.items()}
    return given_results(players, chances, size)


def plain_match(results: HandResults, rules: TonRules, minus: tuple[float, ...], chance: random.Random):
    """Play one match with these results, by the readable functions of core.ton.match; return winner, money, hands."""
    players = results.players
    points, debts, hand = [0] * players, [0] * players, 0
    while True:
        order = [(hand + seat) % players for seat in range(players)]
        seated = Standing(tuple(points[i] for i in order), tuple(debts[i] for i in order))
        must = tuple(seated.points[seat] >= rules.must_play_points for seat in range(players - 1))
        outcomes = results.chances[hand % results.period, must]
        (outcome,) = chance.choices(list(outcomes), list(outcomes.values()))
        takes_minus = [seat in outcome.choosers and chance.random() < minus[order[seat]] for seat in range(players)]
        scored = tuple(seat for seat in outcome.takers if seat != NOBODY)
        result = HandResult(
            tricks=(),
            points=tuple(scored.count(s) - rules.zero_trick_points * takes_minus[s] for s in range(players)),
            pluses=tuple(
                rules.five_bid_pluses if s == outcome.failed else int(s in outcome.choosers and not takes_minus[s])
                for s in range(players)
            ),
            pot_plus=tuple(s in outcome.choosers and seated.points[s] >= rules.pot_plus_points for s in range(players)),
            participants=(),
            scored=scored,
        )
        after = record_hand(rules, seated, result)
        for seat, player in enumerate(order):
            points[player], debts[player] = after.points[seat], after.debts[seat]
        hand += 1
        winner = winner_of(rules, seated.points, result)
        if winner is not None:
            return order[winner], settle(rules, Standing(tuple(points), tuple(debts)), order[winner]), hand


@pytest.mark.parametrize("case", range(6))
def test_exact_values_are_those_of_matches_played_by_the_readable_record(case):
    chance = random.Random(case)
    players = 2 + case % 2
    rules = SMALL.replace(
        hand_size=3,
        talon_size=2,
        target_points=(7, 5)[players - 2],
        must_play_points=4,
        pot_plus_points=chance.choice((2, 3)),
        zero_trick_points=chance.choice((1, 2)),
        plus_price=7,
        reach_target=("in_trick_order", "end_of_hand_highest")[case // 2 % 2],
    )
    results = some_results(players, 3, chance, period=(1, players)[case % 3 == 0])
    minus = tuple(chance.choice((0.0, 0.3, 0.6)) for _ in range(players))
    race = Race(results.by_player(), rules, Habits(minus), floor=-9)
    start = race.grid.state([0] * players)
    assert floor_error(race, rules.pot_plus_points)[start] < 1e-3
    matches = 6000
    played = [plain_match(results, rules, minus, chance) for _ in range(matches)]
    expected = {"win": [], "money": [], "hands": []}
    for player in range(players):
        expected["win"].append(np.array([winner == player for winner, _, _ in played]))
        expected["money"].append(np.array([money[player] for _, money, _ in played]))
    expected["hands"].append(np.array([hands for _, _, hands in played]))
    for quantity, samples in expected.items():
        found = values(race, quantity, [0] * players)
        for value, sample in zip(found, samples, strict=True):
            # A right value lies outside once in two million times.
            assert abs(sample.mean() - value) < 5.2 * sample.std() / matches**0.5 + 1e-3, quantity
    wins, money = (Solver(race, quantity).solve() for quantity in ("win", "money"))
    assert wins.values.sum(axis=2) == pytest.approx(1, abs=1e-9)
    assert np.abs(money.values.sum(axis=2)).max() < 1e-8
    assert max(wins.left_out, money.left_out) < 1e-8


def test_debts_that_stand_count_as_money_does_from_there():
    """The factor of a debt is what the same match gives with that debt more: played from there, by the record."""
    chance = random.Random(3)
    rules = SMALL.replace(target_points=5, pot_plus_points=3, must_play_points=1000)
    race = Race(some_results(2, 2, chance), rules, Habits((0.2, 0.2)), floor=-10)
    without, with_ = (values(race, "money", (4, 3), debts) for debts in ((), (50, 0)))
    wins = values(race, "win", (4, 3))
    # Seat 0 pays his own debt if he loses; the price of a pot plus rises with it besides.
    assert without[0] - with_[0] >= 50 * wins[1] - 1e-9 or without[0] - with_[0] >= -50
    assert sum(with_) == pytest.approx(0, abs=1e-9)
    no_pot = Race(race.results, rules.replace(pot_plus_points=1000), Habits((0.2, 0.2)), floor=-10)
    without, with_ = (values(no_pot, "money", (4, 3), debts) for debts in ((), (50, 0)))
    assert without[0] - with_[0] == pytest.approx(50 * values(no_pot, "win", (4, 3))[1], abs=1e-6)


def test_players_who_sit_alike_have_equal_chances():
    halves = {Outcome((0, 0), (1,)): 0.25, Outcome((1, 1), (0,)): 0.25, Outcome((0, 1)): 0.25, Outcome((1, 0)): 0.25}
    race = Race(same_results(2, halves, hand_size=2), SMALL, Habits((0.5, 0.5)), floor=-5)
    assert values(race, "win", (0, 0)) == pytest.approx([0.5, 0.5])
    assert values(race, "win", (3, 8)) == pytest.approx(values(race, "win", (8, 3))[::-1])
    assert values(race, "money", (3, 8), (10, 20)) == pytest.approx(values(race, "money", (8, 3), (20, 10))[::-1])


def test_floor_error_bounds_what_a_lower_floor_changes():
    results = some_results(3, 2, random.Random(8))
    rules = SMALL.replace(target_points=5, must_play_points=4, pot_plus_points=1000, zero_trick_points=2)
    deep = Race(results, rules, Habits((0.9,) * 3), floor=-24)
    exact = values(deep, "win", (0, 0, 0))
    changes = []
    for floor in (0, -2, -4, -8):
        race = Race(results, rules, Habits((0.9,) * 3), floor=floor)
        bound = floor_error(race, 4)[race.grid.state((0, 0, 0))]
        change = np.abs(np.array(values(race, "win", (0, 0, 0))) - exact).max()
        assert change <= bound + 1e-9
        changes.append(change)
    assert changes[0] > 1e-3 > 10 * changes[-1]


def test_pluses_that_grow_faster_than_matches_end_are_refused():
    rules = SMALL.replace(target_points=5, pot_plus_points=0, must_play_points=1000)
    # Mostly nobody gets a point, and both pay pot pluses.
    results = same_results(2, {Outcome((NOBODY,) * 2, (0, 1)): 0.9, Outcome((0, 0)): 0.1}, hand_size=2)
    race = Race(results, rules, Habits((0.0, 0.0)), floor=0)
    assert values(race, "win", (0, 0))[0] > 0.4
    with pytest.raises(InputError, match="money has no mean"):
        Solver(race, "money").solve()


def test_codes_of_outcomes_are_what_the_readable_engine_gives():
    chance = random.Random(5)
    seen = set()
    for deal in range(400):
        players = chance.choice((2, 3))
        rules = random_rules(chance, zero_trick="plus_only")
        names = [chance.choice(("random", "greedy", "plain")) for _ in range(players)]
        must = [chance.random() < 0.3 for _ in range(players)]
        records = records_for(must, rules.must_play_points)
        counts = np.zeros(outcome_codes(players, 5), np.int64)
        _count(counts, names, records, rules, deal)
        (code,) = counts.nonzero()[0].tolist()
        outcome = decode_outcome(code, players, 5)
        hand = play(rules, players, [POLICIES[name] for name in names], 9, deal, records=records).result
        assert tuple(seat for seat in outcome.takers if seat != NOBODY) == hand.scored
        assert [hand.pluses[seat] for seat in range(players)] == [
            rules.five_bid_pluses if seat == outcome.failed else int(seat in outcome.choosers)
            for seat in range(players)
        ]
        seen.update([outcome.failed, *outcome.choosers, NOBODY in outcome.takers])
    assert seen >= {NOBODY, 0, 1, 2}


def _count(counts, names, records, rules, deal):
    codes = policy_codes([POLICIES[name] for name in names])
    count_outcomes(counts, *codes, np.array(records), encode(rules), np.uint64(9), deal, deal + 1)


def test_parts_of_a_sample_give_what_their_own_chances_give():
    rules = TonRules()
    results = sample_results(["plain", "greedy"], rules, Effort(deals=20_000))
    assert (results.period, len(results.parts)) == (2, 10)
    race = Race(results, rules, Habits((0.0, 0.0)), floor=0)
    start = race.grid.state((0, 0))
    for quantity in ("win", "money"):
        whole = Solver(race, quantity).solve()
        by_part = part_values(race, quantity, whole, start)
        for part, chances in enumerate(results.parts):
            alone = Solver(race, quantity, race.chances_by_key(chances)).solve().values[start, 0]
            spread = by_part[:, 0].std()
            # To the first order: what is missing is small against the spread of the parts.
            assert np.abs(alone - by_part[part]).max() < 0.2 * spread
        assert by_part.mean(axis=0) == pytest.approx(whole.values[start, 0], abs=1e-9)


@pytest.mark.parametrize(
    ("chances", "message"),
    [
        ({Outcome((0, 0)): 0.5}, "do not add up to 1"),
        ({Outcome((0, 0)): 1.5, Outcome((1, 1)): -0.5}, "do not add up to 1"),
        ({Outcome((0, 0, 0)): 1.0}, "no outcome of 2 tricks"),
        ({Outcome((0, 2)): 1.0}, "no outcome of 2 tricks between 2 players"),
        ({Outcome((0, 1), (1,)): 1.0}, "who chooses has no trick"),
    ],
)
def test_chances_that_cannot_be_are_refused(chances, message):
    with pytest.raises(InputError, match=message):
        same_results(2, chances, hand_size=2)


def test_players_who_choose_differently_must_be_told_apart():
    results = same_results(2, {Outcome((0, 1)): 1.0}, hand_size=2)
    with pytest.raises(InputError, match="need results by player"):
        Race(results, SMALL, Habits((0.0, 1.0)), floor=0)
    assert Race(results.by_player(), SMALL, Habits((0.0, 1.0)), floor=0).grid.size == 2 * 15 * 15


def test_missing_situations_and_wrong_periods_are_refused():
    with pytest.raises(InputError, match="no chances are given"):
        given_results(2, {(0, (False,)): {Outcome((0, 0)): 1.0}}, 2)
    with pytest.raises(InputError, match="2 eldest players do not fit 3"):
        given_results(3, {(1, (False, False)): {Outcome((0, 0)): 1.0}}, 2)
