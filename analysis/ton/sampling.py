"""Sampled hands of Ton: what is counted over deals, on the kernel of core.ton.game where it has all policies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.tally import Counts
from core.ton.codes import encode, in_kernel, policy_codes
from core.ton.game import play_games
from core.ton.play import Played, play
from core.ton.policies import Policy
from core.ton.rules import TonRules
from core.ton.seats import FIELDS, SQUARED


@dataclass(frozen=True)
class Games:
    """Plays single hands from an empty record, each seat by its policy.

    The sums are, by seat: what FIELDS names, shape (players, fields), and the squares of the first ones.
    """

    policies: tuple[Policy, ...]
    rules: TonRules
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        players = len(self.policies)
        return [(players, len(FIELDS)), (players, SQUARED)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the counts of the deals start .. stop - 1."""
        if not in_kernel(self.policies):
            self._play(sums, start, stop)
            return
        records, no_log = np.zeros(len(self.policies), np.int64), np.empty(0, np.int64)
        totals, squares = sums
        codes = policy_codes(self.policies)
        play_games(totals, squares, no_log, *codes, records, encode(self.rules), np.uint64(self.seed), start, stop)

    def _play(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Play on the reference engine: not all policies are in the kernel."""
        totals, squares = sums
        for deal in range(start, stop):
            facts = facts_of(play(self.rules, len(self.policies), self.policies, self.seed, deal))
            totals += facts
            squares += facts[:, :SQUARED] ** 2

    def description(self) -> dict[str, Any]:
        """Return what the counts depend on."""
        return {
            "game": "ton",
            "measure": "single hands",
            "policies": [repr(policy) for policy in self.policies],
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }


def facts_of(played: Played) -> Counts:
    """Return what FIELDS names of a hand played on the reference engine, by seat, shape (players, fields)."""
    hand, bought = played.result, {(seat, action.word) for seat, action in played.actions}
    facts = {
        "tricks": hand.tricks,
        "points": hand.points,
        "pluses": hand.pluses,
        "no_trick": [plays and not tricks for plays, tricks in zip(hand.participants, hand.tricks, strict=True)],
        "fold": [not plays for plays in hand.participants],
        "buy": [bool({(seat, "keep"), (seat, "fetch")} & bought) for seat in range(len(hand.tricks))],
        "trumpless": [(seat, "fetch") in bought for seat in range(len(hand.tricks))],
    }
    return np.array([facts[field] for field in FIELDS], np.int64).T
