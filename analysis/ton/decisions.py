"""What each choice at a decision of Ton's policy `tuned` is worth, by what the decision looks at, among equals.

Every player sees only what he may see. The decisions are those that come up when all play by the tables, so hands and
turned cards are as frequent as among such players, and refusals tell what they tell there.
"""

from dataclasses import dataclass
from math import prod
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate, mean, proportion
from analysis.runs import Run
from analysis.tally import Counts
from analysis.ton.training import Probes
from core.errors import InputError
from core.ton.probes import Wanted
from core.ton.rules import TonRules
from core.ton.tables import CHOICES, PARTS, STARTS, Tables, tables_for

# The parts whose decision a player meets at most once a hand.
ONCE = ("bid", "buy", "fold")
# A place among the cells of a part: for each thing that it looks at one value, several, or all; or a mask of cells.
Place = tuple[int | slice, ...] | NDArray[np.bool_]


@dataclass(frozen=True)
class Decisions:
    """The decisions of a part of the tables; all is estimated.

    part, seat
        which; cells are shaped like the part in core.ton.tables.PARTS
    gains, squares, counts
        by cell and choice what it gained over all decisions, in points, and its square; by cell the decisions
    """

    part: str
    seat: int
    gains: Counts
    squares: Counts
    counts: Counts
    deals: int
    seed: int

    def gain(self, choice: int, place: Place = ()) -> Estimate | None:
        """Return what a choice gains a decision, over the cells at the place; None where fewer than two came up."""
        count = int(self.counts[place].sum())
        if count < 2:
            return None
        return mean(*self._sums(choice, place), count, seed=self.seed)

    def gain_a_hand(self, choice: int, place: Place = ()) -> Estimate:
        """Return what a choice gains a hand dealt: 0 in those without such a decision at the place."""
        return mean(*self._sums(choice, place), self.deals, seed=self.seed)

    def share(self, place: Place = ()) -> Estimate:
        """Return how many of the hands dealt have such a decision."""
        return proportion(int(self.counts[place].sum()), self.deals, seed=self.seed)

    def _sums(self, choice: int, place: Place) -> tuple[int, int]:
        return int(self.gains[..., choice][place].sum()), int(self.squares[..., choice][place].sum())


def decisions(
    players: int,
    part: str,
    seat: int,
    *,
    against: int = 0,
    tables: Tables | None = None,
    rules: TonRules | None = None,
    **sampling: Unpack[Sampling],
) -> Decisions:
    """Return what each choice at a seat's bid, buy-in or fold gains it, in points, more than the choice `against`.

    All play by `tables` (default: those of `tuned`); a plus counts as minus `zero_trick_points`. `deals` hands are
    played, or so many that what another choice gains over all decisions has an interval of half-width `precision`.

    Raises InputError for a part not in ONCE, a seat that is not there and players whom the rules do not allow.
    """
    rules = rules or TonRules()
    rules.check_players(players)
    if part not in ONCE:
        raise InputError(f"no part {part!r}: there are {', '.join(ONCE)}")
    if not 0 <= seat < players:
        raise InputError(f"no seat {seat}: there are 0 to {players - 1}")
    if not 0 <= against < CHOICES[part]:
        raise InputError(f"no choice {against}: {part} has 0 to {CHOICES[part] - 1}")
    effort = Effort(**sampling)
    cells = slice(STARTS[part], STARTS[part] + prod(PARTS[part]))
    wanted = Wanted(cells.start, cells.stop, seat, against)
    probes = Probes(rules, tables or tables_for(players), rules.zero_trick_points, effort.seed, wanted)
    run = Run(probes, effort)

    def found() -> Decisions:
        gains, squares, counts = (sums[cells].reshape(*PARTS[part], *sums.shape[1:]) for sums in run.sums)
        return Decisions(part, seat, gains, squares, counts, run.deals, effort.seed)

    def other() -> Estimate:
        gain = found().gain((against + 1) % CHOICES[part])
        if gain is None:
            raise InputError(f"seat {seat} hardly ever comes to {part} in {run.deals:,} deals")
        return gain

    run.complete(other)
    return found()
