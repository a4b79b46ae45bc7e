"""What is added up over worlds when each action of a position of Tonk is played out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.tally import Counts
from analysis.tonk.games import check_room
from core.tonk.actions import Action
from core.tonk.choosing import policy_numbers
from core.tonk.game import SCALE
from core.tonk.policies import Policy
from core.tonk.rollouts import roll_out
from core.tonk.view import View


@dataclass(frozen=True)
class Rolled:
    """Plays each action out in each world, all going on by one policy.

    The sums are what the player is paid by action, times SCALE, and the products of that by pairs of actions.
    """

    seen: View
    actions: tuple[Action, ...]
    policy: Policy
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        return [(len(self.actions),), (len(self.actions), len(self.actions))]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the worlds start .. stop - 1."""
        check_room(self.seen.rules, len(self.seen.sizes), stop, SCALE)
        policies = policy_numbers([self.policy] * len(self.seen.sizes))
        roll_out(sums[0], sums[1], self.seen, self.actions, policies, self.seed, start, stop)

    def description(self) -> dict[str, Any]:
        """Return what the sums depend on."""
        return {
            "game": "tonk",
            "measure": "actions played out",
            "position": repr(self.seen),
            "policy": repr(self.policy),
            "rules": self.seen.rules.as_dict(),
            "seed": self.seed,
        }
