"""Whole hands of Tonk by fixed policies: what is added up over hands, on the kernel of core.tonk.game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from analysis.tally import Counts
from core.errors import InputError
from core.tonk.choosing import policy_numbers
from core.tonk.game import play_hands
from core.tonk.play import play
from core.tonk.policies import Policy
from core.tonk.rollouts import Rollout
from core.tonk.rules import TonkRules
from core.tonk.settling import greatest_payment, options_of
from core.tonk.state import Ending

KINDS: tuple[Ending, ...] = get_args(Ending)
_NO_LOG = np.empty((0, 4), np.int64)


@dataclass(frozen=True)
class Games:
    """Plays hands to their end, a policy for each seat.

    The sums are: payments, and their squares, by seat and divisor, shape (players, players + 1) (see `play_hands`);
    hands by kind of ending; the sum of turns and of their squares.
    """

    rules: TonkRules
    policies: tuple[Policy, ...]
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        by_divisor = (len(self.policies), len(self.policies) + 1)
        return [by_divisor, by_divisor, (len(KINDS),), (2,)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the hands start .. stop - 1."""
        check_room(self.rules, len(self.policies), stop)
        if any(isinstance(policy, Rollout) for policy in self.policies):
            self._play(sums, start, stop)
            return
        payments, squares, kinds, turns = sums
        policies, options = policy_numbers(self.policies), options_of(self.rules)
        play_hands(payments, squares, kinds, turns, _NO_LOG, policies, options, np.uint64(self.seed), start, stop)

    def _play(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Play on the reference engine: not all policies are in the kernel."""
        payments, squares, kinds, turns = sums
        for deal in range(start, stop):
            played = play(self.rules, len(self.policies), self.policies, self.seed, deal)
            for seat, paid in enumerate(played.result.payments):
                payments[seat, paid.denominator] += paid.numerator
                squares[seat, paid.denominator] += paid.numerator**2
            kinds[KINDS.index(played.result.kind)] += 1
            turns += played.turns, played.turns**2

    def description(self) -> dict[str, Any]:
        """Return what the sums depend on."""
        return {
            "game": "tonk",
            "measure": "whole hands",
            "policies": list(map(repr, self.policies)),
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }


def check_room(rules: TonkRules, players: int, hands: int, unit: int = 1) -> None:
    """Raise InputError when so many hands could overflow the sums of squares of payments times `unit`."""
    most = (2**63 - 1) // (unit * greatest_payment(rules, players)) ** 2
    if hands > most:
        raise InputError(f"payments as large as these can be added up over {most:,} hands at most")
