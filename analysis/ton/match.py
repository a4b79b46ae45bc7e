"""The race to 15: who wins a match of Ton, with what money, in how many hands (T11–T14); simulated or exact.

Two ways lead to the same numbers. `simulate` plays whole matches. `exact` samples single hands only and then solves the
match as a Markov chain, exactly for the hands found: for two and three players.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Literal, Unpack

from analysis.effort import Effort, Sampling
from analysis.estimate import LEVEL, Estimate, mean, proportion
from analysis.html import Rich
from core.errors import InputError
from core.ruleset import nearest
from core.ton.policies import Policy, policy
from core.ton.rules import MAX_HANDS, TonRules

if TYPE_CHECKING:
    from analysis.ton.hand_results import HandResults
    from analysis.ton.race import Habits, Race

Method = Literal["simulate", "exact"]
METHODS: tuple[Method, ...] = ("simulate", "exact")
# Players whose matches are solved.
MOST_SOLVED = 3
# States of a chain that is solved, and the chance that its floor may change at most where fewer states allow it.
MOST_STATES = 120_000
FLOOR_ERROR = 1e-9
# The chance of a minus where the rules leave the choice (T11): `random` tosses a coin, the others take the plus.
MINUS_CHANCE = {"random": 0.5}


@dataclass(frozen=True)
class Match(Rich):
    """What a match gives by player, numbered by his seat in the first hand; all of it estimated.

    win, money
        the chance to win, and the mean of what is won or lost, the ante included. Money adds up to zero: exactly, match
        by match. Each pot plus more than doubles the debts (T12): with four players and more that never take a minus,
        rare matches decide the mean, and its interval is too narrow
    hands
        the mean number of hands
    broken_off
        simulated: how often a match was broken off after `max_hands` hands; nobody wins it and nobody pays
    floor_error
        exact: at most so much any win chance is changed by holding points at a floor; 0 where none is reached
    method
        `simulate`: intervals from whole matches. `exact`: exact for the distribution of single hands that was sampled;
        intervals from its spread over independent parts
    """

    players: int
    policies: tuple[str, ...]
    method: Method
    win: tuple[Estimate, ...]
    money: tuple[Estimate, ...]
    hands: Estimate
    broken_off: Estimate | None
    max_hands: int | None
    floor_error: float | None
    rules: TonRules


def match(
    players: int,
    policies: Sequence[str],
    rules: TonRules | None = None,
    *,
    method: str = "simulate",
    max_hands: int = MAX_HANDS,
    **sampling: Unpack[Sampling],
) -> Match:
    """Return what matches between the policies named give, each player by his own.

    `deals` matches are played, or so many that the interval of the first player's win chance has a half-width of at
    most `precision`. With the method `exact` `deals` hands are sampled for each set of players who must play.

    >>> print(match(2, ["plain", "plain"], deals=1000).win[0])
    0.5 (95%: 0.46907 to 0.53093, n = 1,000)

    Raises InputError for wrong numbers of players or policies, unknown names, and matches that cannot be solved.
    """
    effort = Effort(**sampling)
    rules = rules or TonRules()
    rules.check_players(players)
    if len(policies) != players:
        raise InputError(f"{len(policies)} policies are given for {players} players: one a player, from the eldest")
    chosen = tuple(policy(name, players) for name in policies)
    if method not in METHODS:
        raise InputError(f"unknown method {method!r}: {nearest(method, METHODS)}")
    if not 1 <= max_hands <= 1_000_000:
        raise InputError(f"max_hands cannot be {max_hands}: it lies in 1..1,000,000")
    if method == "simulate":
        return _simulated(chosen, policies, rules, max_hands, effort)
    if players > MOST_SOLVED:
        raise InputError(f"the method exact is for 2 to {MOST_SOLVED} players, not {players}: use simulate")
    if effort.precision is not None:
        raise InputError("the method exact takes a number of deals, no precision")
    return _solved(players, policies, rules, effort)


def _simulated(
    chosen: tuple[Policy, ...], policies: Sequence[str], rules: TonRules, max_hands: int, effort: Effort
) -> Match:
    # Imported here because it imports numba, which wrong input must not wait for.
    from analysis.runs import Run
    from analysis.ton.sampling import Matches
    from core.ton.matches import HALF, WHOLE, money_unit

    run = Run(Matches(chosen, rules, effort.seed, max_hands), effort)

    def win(player: int) -> Estimate:
        return proportion(int(run.sums[0][player, 0]), run.deals, seed=effort.seed)

    run.complete(lambda: win(0))
    whole = dict(zip(WHOLE, run.sums[1].tolist(), strict=True))
    if whole["too_dear"]:
        raise InputError(
            f"in {whole['too_dear']:,} of {run.deals:,} matches pot pluses double the debts past all bounds (T12):"
            " such money has no mean that sampling finds; --max-hands or --set pot_plus_points keep it lower"
        )
    unit = money_unit(rules)
    money = []
    for _, total, high, products, low in run.sums[0].tolist():
        squares = HALF * HALF * high + 2 * HALF * products + low
        money.append(mean(unit * total, unit * unit * squares, run.deals, seed=effort.seed))
    return Match(
        len(policies),
        tuple(policies),
        "simulate",
        tuple(win(player) for player in range(len(policies))),
        tuple(money),
        mean(whole["hands"], whole["hand_squares"], run.deals, seed=effort.seed),
        proportion(whole["broken_off"], run.deals, seed=effort.seed),
        max_hands,
        None,
        rules,
    )


def _solved(players: int, policies: Sequence[str], rules: TonRules, effort: Effort) -> Match:
    from analysis.ton.hand_results import sample_results
    from analysis.ton.race import Habits, Race
    from analysis.ton.race_values import Quantity, Solver, at, part_values

    check_states(players, rules)
    results = sample_results(list(policies), rules, effort)
    habits = Habits(minus_chances(policies, rules))
    race, error = chain(results, rules, habits)
    # The spread needs no deep floor.
    small = Race(results, rules, habits, max(race.grid.floor, -2 * rules.zero_trick_points))

    def estimates(quantity: Quantity) -> tuple[Estimate, ...]:
        values = at(race, Solver(race, quantity).solve(), [0] * players)
        parts = part_values(small, quantity, Solver(small, quantity).solve(), small.grid.state([0] * players))
        return tuple(_spread(value, parts[:, seat].tolist(), results) for seat, value in enumerate(values))

    return Match(
        players,
        tuple(policies),
        "exact",
        estimates("win"),
        estimates("money"),
        estimates("hands")[0],
        None,
        None,
        error,
        rules,
    )


def minus_chances(policies: Sequence[str], rules: TonRules) -> tuple[float, ...]:
    """Return by player the chance that he takes a minus for no trick (T11, `zero_trick`)."""
    if rules.zero_trick == "choice":
        return tuple(MINUS_CHANCE.get(name, 0.0) for name in policies)
    return (float(rules.zero_trick == "minus_only"),) * len(policies)


def check_states(players: int, rules: TonRules, floor: int = 0) -> None:
    """Raise InputError when the points make more states than are solved."""
    states = players * (rules.target_points - floor) ** players
    if states > 3 * MOST_STATES:
        raise InputError(f"{players} players to {rules.target_points} points are too many states: use simulate")


def chain(results: "HandResults", rules: TonRules, habits: "Habits") -> "tuple[Race, float]":
    """Return the race and what its floor changes at most of a win chance at the start.

    The floor is lowered until that is below FLOOR_ERROR, or the states get more than MOST_STATES.
    """
    from analysis.ton.race import Race
    from analysis.ton.race_values import floor_error

    players = results.players
    matters = min(rules.must_play_points, rules.pot_plus_points, rules.target_points)
    falls = (2, 6, 10, 20) if habits.table is not None or any(habits.chance) else (0,)
    race, error = None, 0.0
    for fall in falls:
        floor = -fall * rules.zero_trick_points
        if race is not None and results.period * (rules.target_points - floor) ** players > MOST_STATES:
            break
        race = Race(results, rules, habits, floor)
        error = float(floor_error(race, matters)[race.grid.state([0] * players)])
        if error < FLOOR_ERROR:
            break
    assert race is not None
    return race, error


def _spread(value: float, parts: Sequence[float], results: "HandResults") -> Estimate:
    """Return an estimate whose error is the spread of its independent parts, with Student's interval."""
    from scipy import stats

    count = len(parts)
    centre = sum(parts) / count
    se = sqrt(sum((part - centre) ** 2 for part in parts) / (count - 1) / count)
    reach = float(stats.t.ppf((1 + LEVEL) / 2, count - 1)) * se
    hands = results.hands * len(results.chances)
    return Estimate(float(value), se, float(value) - reach, float(value) + reach, hands, LEVEL, results.seed)
