"""Plus or minus between two players who both look at the debts as well: the value of the match, by minimax.

With two players only one of them chooses in a hand, and what one wins the other loses: a game whose value both can
secure by choosing plus or minus by the points, the debts and who deals next. Debts count in units of money up to a
limit, and more as the limit; a wider limit shows what that changes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.ton.hand_results import HandResults
from analysis.ton.race import Floats
from core.errors import InputError
from core.ton.outcomes import NOBODY, Outcome
from core.ton.rules import TonRules

MOST_STEPS = 2000
TOLERANCE = 1e-9


@dataclass(frozen=True)
class DebtValue:
    """The match of two players who choose best.

    money
        what the eldest of the next hand gets, the ante included, by his points and the other's from `floor` on, and by
        his debts and the other's in units: shape (levels, levels, debts, debts)
    minus_eldest, minus_dealer
        whether the next hand's eldest, or its dealer, takes the minus after a hand, likewise
    """

    money: Floats
    minus_eldest: NDArray[np.bool_]
    minus_dealer: NDArray[np.bool_]
    floor: int
    unit: int

    def at(self, points: tuple[int, int], debts: tuple[int, int] = (0, 0)) -> float:
        """Return the eldest's money at those points and debts (in money), by seat."""
        own, other = (place - self.floor for place in points)
        return float(self.money[own, other, debts[0] // self.unit, debts[1] // self.unit])


def solve_with_debts(results: HandResults, rules: TonRules, *, most_debt: int = 240) -> DebtValue:
    """Return the value of the match for two players who play alike but for their choices.

    Raises InputError for other results than those of two players of one kind, or debts that make too large a table.
    """
    if (results.players, results.period) != (2, 1):
        raise InputError("the value of a match is for two players of one kind")
    unit = int(np.gcd(rules.ante, rules.plus_price)) or 1
    limit = most_debt // unit
    floor = -2 * rules.zero_trick_points
    levels = rules.target_points - floor
    if limit < 1 or levels**2 * (limit + 1) ** 2 > 4_000_000:
        raise InputError(f"debts up to {most_debt} in units of {unit} are no table that is solved")
    game = _DebtGame(results, rules, floor, unit, limit)
    money = np.zeros((levels, levels, limit + 1, limit + 1))
    for _ in range(MOST_STEPS):
        after = game.after(money)
        change = float(np.abs(after - money).max())
        money = after
        if change < TOLERANCE:
            minus = game.choices(money)
            return DebtValue(money, minus[0][1], minus[1][1], floor, unit)
    raise InputError(f"the value still changes after {MOST_STEPS:,} steps")


class _DebtGame:
    """One hand of the game: `money` is the eldest's, by (his points, the dealer's, his debts, the dealer's)."""

    def __init__(self, results: HandResults, rules: TonRules, floor: int, unit: int, limit: int) -> None:
        self.rules, self.floor = rules, floor
        self.price, self.ante = rules.plus_price // unit, rules.ante // unit
        self.unit = unit
        self.levels = rules.target_points - floor
        self.points = np.arange(floor, rules.target_points)
        self.debts = np.arange(limit + 1)
        own, other = np.meshgrid(self.debts, self.debts, indexing="ij")
        # Debts after an ordinary plus, a pot plus, a failed bid, of the one and of the other seat.
        self.ordinary, self.pot = (
            np.minimum(own + self.price, limit),
            np.minimum(2 * own + other + 2 * self.ante, limit),
        )
        self.failed = np.minimum(self.debts + rules.five_bid_pluses * self.price, limit)
        # By tricks, choosers and failed bidder, the chance by winner (0, 1, or -1: nobody) and points.
        self.chances: dict[tuple[int, int, tuple[int, ...], int], Floats] = {}
        must = self.points >= rules.must_play_points
        for (_, (must_play,)), found in results.chances.items():
            for outcome, chance in found.items():
                one, two = self._split(outcome)
                kind = (one, two, outcome.choosers, outcome.failed)
                by_winner = self.chances.setdefault(kind, np.zeros((3, self.levels, self.levels)))
                winner = self._winner(outcome)
                for seat in (-1, 0, 1):
                    by_winner[seat] += chance * ((winner == seat) & (must == must_play)[:, None])

    def _split(self, outcome: Outcome) -> tuple[int, int]:
        return outcome.takers.count(0), outcome.takers.count(1)

    def _winner(self, outcome: Outcome) -> NDArray[np.int64]:
        """Return who wins by this hand from each pair of points; -1: nobody."""
        need = self.rules.target_points - self.points
        first = []
        for seat in (0, 1):
            tricks = [trick for trick, taker in enumerate(outcome.takers) if taker == seat]
            late = len(outcome.takers)
            first.append(np.array([tricks[n - 1] if n <= len(tricks) else late for n in need]))
        reached = [times < len(outcome.takers) for times in first]
        one, two = reached[0][:, None], reached[1][None, :]
        earlier = first[0][:, None] < first[1][None, :]
        if self.rules.reach_target == "end_of_hand_highest":
            tricks_of = self._split(outcome)
            height = (self.points + tricks_of[0])[:, None] - (self.points + tricks_of[1])[None, :]
            earlier = (height > 0) | ((height == 0) & earlier)
        return np.where(one & (~two | earlier), 0, np.where(two, 1, -1))

    def choices(self, money: Floats) -> list[tuple[Floats, NDArray[np.bool_]]]:
        """Return the value and whether it is a minus if the next hand's eldest chooses, then if its dealer does."""
        down = np.maximum(np.arange(self.levels) - self.rules.zero_trick_points, 0)
        is_pot = self.points >= self.rules.pot_plus_points
        index = np.arange(len(self.debts))
        ordinary = money[:, :, self.ordinary, index[None, :]]
        pot = money[:, :, self.pot, index[None, :]]
        eldest_plus = np.where(is_pot[:, None, None, None], pot, ordinary)
        eldest_minus = money[down]
        ordinary = money[:, :, index[:, None], self.ordinary.T]
        pot = money[:, :, index[:, None], self.pot.T]
        dealer_plus = np.where(is_pot[None, :, None, None], pot, ordinary)
        dealer_minus = money[:, down]
        # What the eldest gets the dealer pays.
        return [
            (np.maximum(eldest_plus, eldest_minus), eldest_minus > eldest_plus),
            (np.minimum(dealer_plus, dealer_minus), dealer_minus < dealer_plus),
        ]

    def after(self, money: Floats) -> Floats:
        """Return the eldest's money before a hand, from that before the next one, in which he deals."""
        chosen = self.choices(money)
        # As seen from this hand's seats: its eldest is the next one's dealer.
        turned = -money.transpose(1, 0, 3, 2)
        by_chooser = [-chosen[1][0].transpose(1, 0, 3, 2), -chosen[0][0].transpose(1, 0, 3, 2)]
        found = np.zeros_like(money)
        own, other = self.debts[:, None], self.debts[None, :]
        for (one, two, choosers, failed), chance in self.chances.items():
            value = by_chooser[choosers[0]] if choosers else turned
            place = np.minimum(np.arange(self.levels)[:, None] + np.array([one, two]), self.levels - 1)
            value = value[place[:, 0]][:, place[:, 1]]
            debts = [own, other]
            if failed != NOBODY:
                value = np.take(value, self.failed, axis=2 + failed)
                debts[failed] = self.failed[:, None] if failed == 0 else self.failed[None, :]
            # In a hand that ends the match a chooser takes the minus, which costs nothing then.
            wins, loses = self.unit * (self.ante + debts[1]), -self.unit * (self.ante + debts[0])
            found += chance[-1][:, :, None, None] * value
            found += chance[0][:, :, None, None] * wins + chance[1][:, :, None, None] * loses
        return found
