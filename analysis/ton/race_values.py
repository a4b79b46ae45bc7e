"""What the race to 15 gives from every state: win chances, money, hands; exact given the hand's results.

Money depends on the debts in the record, and linearly: an ordinary plus adds a fixed price, a pot plus the pot and all
debts (T12), and the winner gets the debts of the others (T14). So each seat's money is a number and a factor for each
seat's debt, for every state; nothing is cut off at some size of debts.

All is solved by adding up what matches give that end within 1, 2, 3 … hands. What they leave out is bounded by the
share of matches still going on (for money: that share weighted with pot and debts).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy.sparse as sp

from analysis.ton.race import FAILED, NO_PLUS, POT_PLUS, Floats, Pattern, Race
from core.errors import InputError
from core.ton.rules import TonRules

# Matches still going on when the adding up stops, at most this share from any state.
OPEN = 1e-13
MOST_STEPS = 20_000

Quantity = Literal["win", "money", "hands"]


@dataclass(frozen=True)
class Values:
    """A quantity from each state.

    values
        by state, coefficient and seat: the coefficient 0 is the number, 1 + k the factor of the debt of seat k
        (for win chances and hands there is only the number)
    left_out
        at most so much is missing from any value of matches on the chain
    """

    values: Floats
    left_out: float


class Solver:
    """The equations of one quantity of a race, for given chances of a hand's outcomes."""

    def __init__(self, race: Race, quantity: Quantity, chance: Floats | None = None) -> None:
        """Set the equations up; `chance` replaces the chances of the race's hand results."""
        self.race, self.quantity = race, quantity
        grid, rules = race.grid, race.rules
        players = grid.players
        if chance is None:
            chance = race.chances_by_key(race.results.chances)
        steps, ends = race.steps(chance), race.ends(chance)
        patterns = sorted(race.patterns, key=lambda pattern: race.patterns[pattern])
        if quantity == "money":
            self._coefficients = players + 1
            self._changes = [debt_change(pattern, rules) for pattern in patterns]
            self._steps = [
                steps[:, number * grid.size : (number + 1) * grid.size].tocsr() for number in range(len(patterns))
            ]
            pays = np.array(
                [change.T @ _settling(winner, players, rules) for change in self._changes for winner in range(players)]
            )
            self._gives = _product(ends, pays)
            return
        self._coefficients = 1
        self._changes = [np.ones((1, 1))]
        merged = sum(
            (steps[:, number * grid.size : (number + 1) * grid.size] for number in range(len(patterns))),
            sp.csr_array((grid.size, grid.size)),
        )
        self._steps = [sp.csr_array(merged)]
        if quantity == "win":
            pays = np.array([np.eye(players)[winner][None] for _ in patterns for winner in range(players)])
            self._gives = _product(ends, pays)
        else:
            self._gives = np.ones((grid.size, 1, 1))

    def step(self, values: Floats) -> Floats:
        """Return what the states lead to: the values of the next hand's states, as seen from this hand's seats."""
        shape = values.shape
        # Who sits on seat k sits on seat k - 1 in the next hand.
        seated = np.roll(values, 1, axis=2) if shape[2] > 1 else values
        if self._coefficients > 1:
            seated = np.concatenate([seated[:, :1], np.roll(seated[:, 1:], 1, axis=1)], axis=1)
        flat = seated.reshape(shape[0], -1)
        found = np.zeros(shape)
        for steps, change in zip(self._steps, self._changes, strict=True):
            if steps.nnz:
                found += np.einsum("kj,ski->sji", change, (steps @ flat).reshape(shape))
        return found

    def apply(self, values: Floats) -> Floats:
        """Return the values one hand earlier: what the hand gives and what it leads to."""
        return self._gives + self.step(values)

    def solve(self) -> Values:
        """Return the values of all states.

        Raises InputError when matches do not come to an end, or pluses grow faster than matches end.
        """
        values = term = self._gives
        weight = self._weights()
        first, total, open_ = weight, weight.copy(), weight
        for _ in range(MOST_STEPS):
            term = self.step(term)
            values = values + term
            open_ = self.step(open_)
            share = float(np.max(open_ / first))
            if share < OPEN:
                # A share of what is at stake is left, of which again only that share is left as many hands later.
                return Values(values, share / (1 - share) * float(np.max(total)))
            if not np.isfinite(share) or share > 1e9:
                raise InputError("pluses grow faster than matches end: money has no mean")
            total = total + open_
        raise InputError(f"more than {OPEN:g} of the matches go on after {MOST_STEPS:,} hands")

    def _weights(self) -> Floats:
        """Return a bound of what is at stake in each state: 1, or as much as the pot and all debts together."""
        ones = np.ones((self.race.grid.size, self._coefficients, 1))
        ones[:, 0] *= max(1, self.race.grid.players * self.race.rules.ante) if self.quantity == "money" else 1
        return ones

    def visits(self, start: int, hands: int = MOST_STEPS) -> Floats:
        """Return how often a match from the state `start` comes to each state, by hands played modulo the players.

        Shape (players, states, coefficients): the coefficient 1 + k is the number of visits, each weighted with the
        debt of seat k: divided by the visits it is the mean debt at that state.
        """
        grid = self.race.grid
        here = np.zeros((grid.size, self._coefficients))
        here[start, 0] = 1
        found = np.zeros((grid.players, grid.size, self._coefficients))
        backwards = [(steps.T.tocsr(), change) for steps, change in zip(self._steps, self._changes, strict=True)]
        for hand in range(hands):
            found[hand % grid.players] += here
            after = np.zeros_like(here)
            for steps, change in backwards:
                if steps.nnz:
                    after += steps @ (here @ change.T)
            here = after
            if self._coefficients > 1:
                here[:, 1:] = np.roll(here[:, 1:], -1, axis=1)
            if here.sum() < OPEN:
                break
        return found


def debt_change(pattern: Pattern, rules: TonRules) -> Floats:
    """Return what a hand's pluses make of (1, debts): a square matrix (T11–T13), recorded in seat order."""
    players = len(pattern)
    change = np.eye(players + 1)
    for seat, kind in enumerate(pattern):
        if kind == POT_PLUS:
            change[1 + seat] += change[1:].sum(axis=0)
            change[1 + seat, 0] += rules.ante * players
        elif kind != NO_PLUS:
            change[1 + seat, 0] += rules.plus_price * (rules.five_bid_pluses if kind == FAILED else 1)
    return change


def _settling(winner: int, players: int, rules: TonRules) -> Floats:
    """Return each seat's money by coefficient when that seat wins (T14)."""
    money = np.zeros((players + 1, players))
    money[0] = -rules.ante
    money[1:] = -np.eye(players)
    money[:, winner] = 0
    money[:, winner] = -money.sum(axis=1)
    return money


def _product(ends: sp.csr_array, pays: Floats) -> Floats:
    return (ends @ pays.reshape(len(pays), -1)).reshape(ends.shape[0], *pays.shape[1:])


def floor_error(race: Race, matters: int) -> Floats:
    """Return a bound of what the floor changes, by state: of the win chances and of every other chance.

    It is the chance, or more, that somebody whom the floor has held comes back to `matters` points before the end: till
    then all other points are those of the true match.
    """
    grid = race.grid
    solver = Solver(race, "win")
    chance = race.chances_by_key(race.results.chances)
    holds = race.holds(chance)
    if not holds.nnz:
        return np.zeros(grid.size)
    points = np.concatenate([grid.points] * grid.period)
    there = (points >= matters)[:, None, :]
    back = there.astype(float)
    # Matches that end by this hand: whoever wins them has come back as well.
    won = solver.apply(np.zeros((grid.size, 1, grid.players)))
    for _ in range(MOST_STEPS):
        following = np.where(there, 1.0, won + solver.step(back))
        change = float(np.max(following - back))
        back = following
        if change < OPEN:
            break
    gives: Floats = holds @ back.reshape(-1)
    error = gives
    for _ in range(MOST_STEPS):
        following = gives + solver.step(error[:, None, None])[:, 0, 0]
        change = float(np.max(following - error))
        error = following
        if change < OPEN:
            break
    return error


def at(race: Race, values: Values, points: Sequence[int], debts: Sequence[float] = (), eldest: int = 0) -> Floats:
    """Return the values of one state by seat, at those points and debts (0 without them)."""
    found = values.values[race.grid.state(points, eldest)]
    weights = np.array([1.0, *debts, *([0.0] * (len(found) - 1 - len(debts)))])
    return np.asarray(weights @ found)


def part_values(race: Race, quantity: Quantity, values: Values, start: int) -> Floats:
    """Return what the start's values would be by each part of the sample alone, to the first order: (parts, seats).

    A part's chances change every hand a little; how much the start's values change by it is what they change in each
    state, times the visits to the state.
    """
    visits = Solver(race, quantity).visits(start)
    found = []
    for part in race.results.parts:
        change = Solver(race, quantity, race.chances_by_key(part)).apply(values.values) - values.values
        # After c hands the player of seat i sits on seat i - c.
        seats = range(change.shape[2])
        found.append(
            [
                sum(float(np.sum(visits[c] * change[:, :, (i - c) % len(seats)])) for c in range(len(visits)))
                for i in seats
            ]
        )
    return np.array(values.values[start, 0] + np.array(found))
