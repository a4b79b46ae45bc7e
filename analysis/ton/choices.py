"""Plus or minus (T11), and the pot plus (T12), as decisions in the race to 15: the best choice by the points.

A choice may depend on everybody's points after the hand, on who is eldest next, and on whose choice it is; not on the
debts. Of two choices the one is better that gains more on average over the debts that stand in the record when the
choice comes up; as money is linear in the debts, that is what it gains at their mean. In a hand that ends the match a
minus costs nothing, and a player who chooses well takes it.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analysis.ton.hand_results import HandResults
from analysis.ton.race import Floats, Habits, Race
from analysis.ton.race_values import Solver, Values
from core.errors import InputError
from core.ton.rules import TonRules

Goal = Literal["win", "money"]
MOST_ROUNDS = 60
# A choice that gains less, in money or in win chance, is not changed.
LEAST_GAIN = 1e-9


@dataclass(frozen=True)
class Choices:
    """The best choices of one player, or of all.

    race, money
        the match with these choices, and its money
    minus
        whether to take the minus, by state after the hand and seat, both as seated in the next hand
    gain
        what the minus gains against the plus (negative: loses), in money or win chance, likewise
    debts
        the mean debts by seat when the choice comes up, likewise (0 where it does not come up)
    comes_up
        how often a match comes to the choice
    rounds
        the rounds after which no choice could be bettered
    """

    race: Race
    money: Values
    minus: NDArray[np.bool_]
    gain: Floats
    debts: Floats
    comes_up: Floats
    rounds: int


def best_choices(
    results: HandResults, rules: TonRules, goal: Goal = "money", *, one: bool = False, habit: float = 0.0, floor: int
) -> Choices:
    """Return the choices that nobody who may choose can better: of all players, or of player 0 alone (`one`).

    Round by round every choice is replaced by the better one, all else as before; where that ends nothing is left to
    gain by any one choice. The others of `one` take the minus with the chance `habit`, which all players start from.

    Raises InputError when the rounds come to no end.
    """
    results = results.by_player() if one else results
    players = results.players
    saves = (0,) if one else tuple(range(players))
    size = Race(results, rules, Habits((habit,) * players), floor).grid.size
    table = np.full((size, players), habit)
    for rounds in range(1, MOST_ROUNDS + 1):
        race = Race(results, rules, Habits((habit,) * players, table, saves), floor)
        money = Solver(race, "money").solve()
        values = money if goal == "money" else Solver(race, "win").solve()
        debts, comes_up = _debts(race)
        gain = minus_gain(race, values, debts)
        choosers = _players(race) == 0 if one else np.ones(table.shape, bool)
        better = np.where(np.abs(gain) < LEAST_GAIN, table, gain > 0)
        following = np.where(choosers, better, table)
        if np.array_equal(following, table):
            return Choices(race, money, table > 0.5, gain, debts, comes_up, rounds)
        table = following
    raise InputError(f"the best choices still change after {MOST_ROUNDS} rounds")


def minus_gain(race: Race, values: Values, debts: Floats) -> Floats:
    """Return what a minus gains against a plus, by state after the hand and seat; debts by state, seat and debtor."""
    grid, rules = race.grid, race.rules
    gain = np.empty((grid.size, grid.players))
    points = np.concatenate([grid.points] * grid.period)
    eldest = np.arange(grid.size) // len(grid.points)
    for seat in range(grid.players):
        lower = points.copy()
        lower[:, seat] -= rules.zero_trick_points
        down = grid.number(0, lower) + eldest * len(grid.points)
        if values.values.shape[1] == 1:
            gain[:, seat] = values.values[down, 0, seat] - values.values[:, 0, seat]
            continue
        standing = np.concatenate([np.ones((grid.size, 1)), debts[:, seat]], axis=1)
        pot = rules.ante * grid.players + debts[:, seat].sum(axis=1)
        price = np.where(points[:, seat] >= rules.pot_plus_points, pot, rules.plus_price)
        minus = np.einsum("sj,sj->s", standing, values.values[down, :, seat])
        standing[:, 1 + seat] += price
        gain[:, seat] = minus - np.einsum("sj,sj->s", standing, values.values[:, :, seat])
    return gain


def _debts(race: Race) -> tuple[Floats, Floats]:
    """Return the mean debts when a choice comes up, by state after the hand, chooser and debtor; and how often it does.

    The debts are those before the hand.
    """
    grid = race.grid
    chance = race.chances_by_key(race.results.chances)
    visits = Solver(race, "money").visits(grid.state([0] * grid.players)).sum(axis=0)
    found = (race.choices(chance).T @ visits).reshape(grid.size, grid.players, -1)
    comes_up = found[:, :, 0]
    # The seats of the next hand.
    debts = np.roll(found[:, :, 1:], -1, axis=2)
    return np.divide(debts, comes_up[:, :, None], out=np.zeros_like(debts), where=comes_up[:, :, None] > 0), comes_up


def _players(race: Race) -> NDArray[np.int64]:
    """Return the player on each seat, by state."""
    eldest = np.arange(race.grid.size) // len(race.grid.points)
    seats: NDArray[np.int64] = (eldest[:, None] + np.arange(race.grid.players)) % race.grid.players
    return seats
