"""One player of Tonk among others of another kind: what he gains, on every seat of each deal."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from analysis.effort import Effort
from analysis.estimate import Estimate, mean
from analysis.runs import Run
from analysis.tally import Counts
from analysis.tonk.games import check_room
from core.tonk.choosing import policy_numbers
from core.tonk.game import SCALE, play_in_turn
from core.tonk.policies import Policy
from core.tonk.rules import TonkRules
from core.tonk.settling import options_of


@dataclass(frozen=True)
class Duels:
    """Plays each deal once for each seat of a player among others who all play by one policy.

    The sum holds what he is paid on all seats of a deal together, times SCALE, and its square.
    """

    rules: TonkRules
    players: int
    one: Policy
    others: Policy
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shape of the sum."""
        return [(2,)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the deals start .. stop - 1."""
        check_room(self.rules, self.players, stop, SCALE * self.players)
        tables = np.array(
            [
                policy_numbers([self.one if seat == own else self.others for seat in range(self.players)])
                for own in range(self.players)
            ]
        )
        play_in_turn(sums[0], tables, options_of(self.rules), np.uint64(self.seed), start, stop)

    def description(self) -> dict[str, Any]:
        """Return what the sum depends on."""
        return {
            "game": "tonk",
            "measure": "one among others",
            "policies": [repr(self.one), repr(self.others)],
            "players": self.players,
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }


def gain(duels: Duels, effort: Effort) -> Estimate:
    """Return what the one is paid a hand, in stakes, on average over his seats; all is estimated.

    It is what he gains by his policy where the others' is the same for all: a table of such players pays each 0.
    """
    run = Run(duels, effort)

    def paid() -> Estimate:
        total, squares = map(int, run.sums[0])
        unit = SCALE * duels.players
        return mean(Fraction(total, unit), Fraction(squares, unit * unit), run.deals, seed=effort.seed)

    run.complete(paid)
    return paid()
