"""The race to 15 as a Markov chain: points by seat before each hand, given the hand's results and the choices of T11.

A state is who is eldest and every seat's points. Points have no lower bound where players take minus points; the chain
holds them at a floor instead. Up to the moment at which somebody who has been held comes back to points that matter to
a hand (T8), the others' points are those of the true match: the chance of that moment bounds what the floor changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import fsum

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from analysis.ton.hand_results import Chances, HandResults, Situation
from core.errors import InputError
from core.ton.outcomes import NOBODY, Outcome
from core.ton.rules import TonRules

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
# What a seat writes into the record after a hand.
NO_PLUS, PLUS, POT_PLUS, FAILED = range(4)
Pattern = tuple[int, ...]


@dataclass(frozen=True)
class Habits:
    """How players choose between plus and minus (T11): the chance of a minus.

    chance
        by player (his seat in the first hand)
    table
        if given, used instead: a chance for each state after the hand, with the seat's points as for a plus, and seat;
        both as seated in the next hand
    saves
        the players who take the minus in a hand that ends the match, where it costs nothing
    """

    chance: tuple[float, ...]
    table: Floats | None = None
    saves: tuple[int, ...] = ()


class Grid:
    """The states: eldest and points by seat from `floor` to the target less one, numbered in that order."""

    def __init__(self, players: int, period: int, rules: TonRules, floor: int) -> None:
        """Take the floor of the points."""
        self.players, self.period, self.rules, self.floor = players, period, rules, floor
        self.levels = rules.target_points - floor
        self.size = period * self.levels**players

    @cached_property
    def points(self) -> Ints:
        """The points by state (of one eldest) and seat."""
        places = np.indices((self.levels,) * self.players).reshape(self.players, -1).T
        points: Ints = np.asarray(places, np.int64)
        points += self.floor
        return points

    def number(self, eldest: int, points: Ints) -> Ints:
        """Return the numbers of states; points below the floor are held at it."""
        places = np.maximum(points - self.floor, 0)
        flat = np.zeros(len(points), np.int64)
        for seat in range(self.players):
            flat = flat * self.levels + places[:, seat]
        flat += eldest * self.levels**self.players
        return flat

    def state(self, points: Sequence[int], eldest: int = 0) -> int:
        """Return the number of one state."""
        return int(self.number(eldest, np.array([points]))[0])


class _Entries:
    """Entries of a matrix over states, each with the key whose chance it takes."""

    def __init__(self) -> None:
        """Start with none."""
        self._parts: list[tuple[Ints, Ints, int, Floats]] = []

    def add(self, rows: Ints, columns: Ints, key: int, weights: Floats) -> None:
        """Add entries of one key."""
        if len(rows):
            self._parts.append((rows.astype(np.int32), columns.astype(np.int32), key, weights))

    def matrix(self, chance: Floats, rows: int, columns: int) -> sp.csr_array:
        """Return the matrix for these chances by key."""
        parts = [part for part in self._parts if chance[part[2]]]
        if not parts:
            return sp.csr_array((rows, columns))
        data = np.concatenate([chance[key] * weights for _, _, key, weights in parts])
        places = tuple(np.concatenate([part[axis] for part in parts]) for axis in (0, 1))
        return sp.coo_array((data, places), shape=(rows, columns)).tocsr()


class Race:
    """All steps of the chain by their keys, so that other chances of the same outcomes need no new ones.

    A key is a situation and a set of outcomes that differ in the order of the tricks only, or one of them: the order
    matters where two players come to the target in one hand (T14).
    """

    def __init__(self, results: HandResults, rules: TonRules, habits: Habits, floor: int) -> None:
        """List the steps from each state: what each outcome and each choice leads to.

        Raises InputError when players choose differently whom the results do not tell apart.
        """
        if any(chance != habits.chance[player % results.period] for player, chance in enumerate(habits.chance)):
            raise InputError(f"players who choose differently need results by player, not of period {results.period}")
        self.results, self.rules, self.habits = results, rules, habits
        self.grid = Grid(results.players, results.period, rules, floor)
        self.patterns: dict[Pattern, int] = {}
        self._keys: list[tuple[Situation, tuple[Outcome, ...]]] = []
        self._going_on, self._ending, self._held, self._choosing = (_Entries() for _ in range(4))
        points = self.grid.points
        for situation, chances in results.chances.items():
            eldest, must = situation
            chosen = np.flatnonzero(np.all((points[:, :-1] >= rules.must_play_points) == np.array(must, bool), axis=1))
            alike: dict[object, list[Outcome]] = {}
            for outcome in chances:
                counts = tuple(outcome.takers.count(seat) for seat in range(results.players))
                alike.setdefault((counts, outcome.choosers, outcome.failed), []).append(outcome)
            for outcomes in alike.values():
                self._add(situation, points[chosen], chosen + eldest * len(points), outcomes)

    def _key(self, situation: Situation, outcomes: Sequence[Outcome]) -> int:
        self._keys.append((situation, tuple(outcomes)))
        return len(self._keys) - 1

    def _add(self, situation: Situation, points: Ints, rows: Ints, outcomes: Sequence[Outcome]) -> None:
        """Add the steps of outcomes that differ in order only, from states with these points, for all choices."""
        grid, eldest, outcome = self.grid, situation[0], outcomes[0]
        after: Ints = points + np.array([outcome.takers.count(seat) for seat in range(grid.players)])
        reaching = after >= self.rules.target_points
        seats = reaching.sum(axis=1)
        alone, several = reaching.argmax(axis=1), np.flatnonzero(seats > 1)
        winners = {
            self._key(situation, [o]): _winners(points[several], o, self.rules) for o in outcomes if len(several)
        }
        key = self._key(situation, outcomes)
        for index, seat in enumerate(outcome.choosers):
            # Those who choose before have chosen.
            for minus in product((False, True), repeat=index):
                weight, moved = self._weight(eldest, after, outcome.choosers[:index], minus)
                here = np.flatnonzero((weight > 0) & (seats == 0))
                columns = self._next(eldest, moved[here]) * grid.players + (seat - 1) % grid.players
                self._choosing.add(rows[here], columns, key, weight[here])
        for minus in product((False, True), repeat=len(outcome.choosers)):
            weight, moved = self._weight(eldest, after, outcome.choosers, minus)
            for pattern, fits in self._patterns(points, outcome, minus):
                number = self.patterns.setdefault(pattern, len(self.patterns))
                chosen = fits & (weight > 0)
                here = np.flatnonzero(chosen & (seats == 0))
                seated, next_ = np.roll(moved[here], -1, axis=1), self._next(eldest, moved[here])
                self._going_on.add(rows[here], next_ + number * grid.size, key, weight[here])
                for seat in range(grid.players):
                    held = np.flatnonzero(seated[:, seat] < grid.floor)
                    self._held.add(rows[here[held]], next_[held] * grid.players + seat, key, weight[here[held]])
                here = np.flatnonzero(chosen & (seats == 1))
                self._ending.add(rows[here], number * grid.players + alone[here], key, weight[here])
                first = np.flatnonzero(chosen[several])
                for one, winner in winners.items():
                    here = several[first]
                    self._ending.add(rows[here], number * grid.players + winner[first], one, weight[here])

    def _weight(self, eldest: int, after: Ints, choosers: Sequence[int], minus: Sequence[bool]) -> tuple[Floats, Ints]:
        """Return the chance of these choices by state, and the points that they lead to; the eldest chooses first."""
        habits, rules = self.habits, self.rules
        weight, moved = np.ones(len(after)), after.copy()
        over = np.any(after >= rules.target_points, axis=1)
        for seat, takes_minus in zip(choosers, minus, strict=True):
            player = (eldest + seat) % self.grid.players
            if habits.table is None:
                chance = np.full(len(after), habits.chance[player])
            else:
                chance = habits.table[self._next(eldest, moved), seat - 1]
            if player in habits.saves:
                chance = np.where(over, 1.0, chance)
            weight = weight * (chance if takes_minus else 1 - chance)
            if takes_minus:
                moved[:, seat] -= rules.zero_trick_points
        return weight, moved

    def _next(self, eldest: int, points: Ints) -> Ints:
        """Return the next hand's states from the points after a hand; those of a match that is over mean nothing."""
        seated = np.minimum(np.roll(points, -1, axis=1), self.rules.target_points - 1)
        return self.grid.number((eldest + 1) % self.grid.period, seated)

    def _patterns(
        self, points: Ints, outcome: Outcome, minus: Sequence[bool]
    ) -> list[tuple[Pattern, NDArray[np.bool_]]]:
        """Return what is written into the record, by seat, and for which states (T11–T13)."""
        plus = [seat for seat, takes_minus in zip(outcome.choosers, minus, strict=True) if not takes_minus]
        found = []
        for pot in product((False, True), repeat=len(plus)):
            fits = np.ones(len(points), bool)
            pattern = [NO_PLUS] * self.grid.players
            if outcome.failed != NOBODY:
                pattern[outcome.failed] = FAILED
            for seat, is_pot in zip(plus, pot, strict=True):
                fits &= (points[:, seat] >= self.rules.pot_plus_points) == is_pot
                pattern[seat] = POT_PLUS if is_pot else PLUS
            if fits.any():
                found.append((tuple(pattern), fits))
        return found

    def chances_by_key(self, chances: Chances) -> Floats:
        """Return the chances by key."""
        return np.array([fsum(chances[situation].get(o, 0.0) for o in outcomes) for situation, outcomes in self._keys])

    def steps(self, chance: Floats) -> sp.csr_array:
        """Return the chance of a step from state to state, with a block of columns for each pattern of pluses."""
        return self._going_on.matrix(chance, self.grid.size, len(self.patterns) * self.grid.size)

    def ends(self, chance: Floats) -> sp.csr_array:
        """Return the chance that the hand ends the match, from each state, by pattern and winner's seat."""
        return self._ending.matrix(chance, self.grid.size, len(self.patterns) * self.grid.players)

    def holds(self, chance: Floats) -> sp.csr_array:
        """Return the chance that the floor holds somebody, by state and seat in the next hand."""
        return self._held.matrix(chance, self.grid.size, self.grid.size * self.grid.players)

    def choices(self, chance: Floats) -> sp.csr_array:
        """Return the chance that somebody chooses, by state and then by state after the hand and seat, as in Habits."""
        return self._choosing.matrix(chance, self.grid.size, self.grid.size * self.grid.players)


def _winners(points: Ints, outcome: Outcome, rules: TonRules) -> Ints:
    """Return the seat that wins by this hand from each state, or -1 (T14, `reach_target`)."""
    winner, best = np.full(len(points), -1), np.full(len(points), np.iinfo(np.int64).min)
    gained = np.zeros(points.shape[1], np.int64)
    for taker in outcome.takers:
        if taker == NOBODY:
            continue
        gained[taker] += 1
        reaches = points[:, taker] + gained[taker] == rules.target_points
        height = np.zeros(len(points), np.int64)
        if rules.reach_target == "end_of_hand_highest":
            height = points[:, taker] + outcome.takers.count(taker)
        # Of equal points the one wins who came to the target first.
        better = reaches & (height > best)
        winner[better], best[better] = taker, height[better]
    return winner
