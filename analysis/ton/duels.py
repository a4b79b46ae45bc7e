"""One player of Ton among others of another kind: what he gains by his policy, on every seat of each deal.

>>> sorted(head_to_head(2, ["plain", "greedy"], deals=1000))
[('greedy', 'plain'), ('plain', 'greedy')]
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
from core.errors import InputError
from core.ton.codes import encode, in_kernel, policy_codes
from core.ton.game_in_turn import play_in_turn
from core.ton.play import play
from core.ton.policies import Policy, policy
from core.ton.rules import TonRules
from core.ton.score import HandResult


@dataclass(frozen=True)
class Duels:
    """Plays each deal once for each seat of a player among others who all play by one policy, and once by those alone.

    The sum holds what he is worth on all seats of a deal together less what the others alone are together, and the
    square of that. Worth are points, each plus counting as minus `plus_worth`.
    """

    rules: TonRules
    players: int
    one: Policy
    others: Policy
    plus_worth: int
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shape of the sum."""
        return [(2,)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the deals start .. stop - 1."""
        if in_kernel([self.one, self.others]):
            seats = range(self.players)
            table = [self.one if seat == own else self.others for own in (*seats, self.players) for seat in seats]
            numbers, choices = policy_codes(table, self.players)
            rows = numbers.reshape(self.players + 1, self.players, 2)
            play_in_turn(sums[0], rows, choices, self.plus_worth, encode(self.rules), np.uint64(self.seed), start, stop)
            return
        for deal in range(start, stop):
            # On the reference engine: not all policies are in the kernel.
            gain = -sum(self._worths(deal, [self.others] * self.players))
            for own in range(self.players):
                seated = [self.one if seat == own else self.others for seat in range(self.players)]
                gain += self._worths(deal, seated)[own]
            sums[0] += gain, gain**2

    def _worths(self, deal: int, table: Sequence[Policy]) -> list[int]:
        return worths(play(self.rules, self.players, table, self.seed, deal).result, self.plus_worth)

    def description(self) -> dict[str, Any]:
        """Return what the sum depends on."""
        return {
            "game": "ton",
            "measure": "one among others",
            "policies": [repr(self.one), repr(self.others)],
            "players": self.players,
            "plus_worth": self.plus_worth,
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }


def worths(hand: HandResult, plus_worth: int) -> list[int]:
    """Return by seat the points of a hand, each plus counting as minus `plus_worth`."""
    return [points - plus_worth * pluses for points, pluses in zip(hand.points, hand.pluses, strict=True)]


def head_to_head(
    players: int,
    policies: Sequence[str],
    rules: TonRules | None = None,
    *,
    among: str | None = None,
    **sampling: Unpack[Sampling],
) -> dict[tuple[str, str], Estimate]:
    """Return what one player gains a hand among others, by (his policy, theirs), for each two different policies.

    With `among`, the others are of that one of the policies only: fewer hands to play, where another is slow.

    In points, each plus counting as minus `zero_trick_points`: what he gets more than one who plays as the others do
    on the same seats of the same deals, on average over his seats; single hands from an empty record. `deals` (default
    1,000,000), each played once a seat; all is estimated. Where one is `pimc`, a deal takes a tenth of a second a seat.

    Raises InputError for unknown policies, fewer than two, `among` not one of them, and players whom the deck cannot
    serve.
    """
    rules = rules or TonRules()
    rules.check_players(players)
    if len(set(policies)) < 2:
        raise InputError("a duel takes two different policies or more")
    if among is not None and among not in policies:
        raise InputError(f"among {among}: it is not one of the policies {', '.join(policies)}")
    chosen = {name: policy(name, players) for name in policies}
    effort = Effort(**sampling)
    return {
        (one, others): gain(
            Duels(rules, players, chosen[one], chosen[others], rules.zero_trick_points, effort.seed), effort
        )
        for one in chosen
        for others in ([among] if among else chosen)
        if one != others
    }


def gain(duels: Duels, effort: Effort) -> Estimate:
    """Return what the one gains a hand, in points, on average over his seats; all is estimated."""
    run = Run(duels, effort)

    def gained() -> Estimate:
        total, squares = map(int, run.sums[0])
        return mean(Fraction(total, duels.players), Fraction(squares, duels.players**2), run.deals, seed=effort.seed)

    run.complete(gained)
    return gained()
