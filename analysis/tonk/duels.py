"""One player of Tonk among others of another kind: what he gains, on every seat of each deal.

>>> sorted(head_to_head(2, ["simple", "random"], deals=1000))
[('random', 'simple'), ('simple', 'random')]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate, mean
from analysis.runs import Run
from analysis.tally import Counts
from analysis.tonk.games import check_room
from core.errors import InputError
from core.tonk.choosing import policy_numbers
from core.tonk.game import SCALE, play_in_turn
from core.tonk.play import play
from core.tonk.policies import Policy, policy
from core.tonk.rollouts import Rollout
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
        tables = [
            [self.one if seat == own else self.others for seat in range(self.players)] for own in range(self.players)
        ]
        if any(isinstance(policy, Rollout) for policy in (self.one, self.others)):
            for deal in range(start, stop):
                # On the reference engine: not all policies are in the kernel.
                paid = sum(
                    play(self.rules, self.players, table, self.seed, deal).result.payments[own]
                    for own, table in enumerate(tables)
                )
                sums[0] += int(paid * SCALE), int(paid * SCALE) ** 2
            return
        numbers = np.array([policy_numbers(table) for table in tables])
        play_in_turn(sums[0], numbers, options_of(self.rules), np.uint64(self.seed), start, stop)

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


def head_to_head(
    players: int, policies: Sequence[str], rules: TonkRules | None = None, **sampling: Unpack[Sampling]
) -> dict[tuple[str, str], Estimate]:
    """Return what one player is paid a hand among others, by (his policy, theirs), for each two different policies.

    In stakes, on average over his seats, all on the same deals; `deals` (default 1,000,000), each played once a seat;
    all is estimated. Where one is `rollout`, a deal takes a tenth of a second and more.

    Raises InputError for unknown policies, fewer than two, and players whom the deck cannot serve.
    """
    rules = rules or TonkRules()
    rules.check_players(players)
    if len(set(policies)) < 2:
        raise InputError("a duel takes two different policies or more")
    chosen = {name: policy(name, players) for name in policies}
    effort = Effort(**sampling)
    return {
        (one, others): gain(Duels(rules, players, chosen[one], chosen[others], effort.seed), effort)
        for one in chosen
        for others in chosen
        if one != others
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
