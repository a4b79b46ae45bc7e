"""Sampled hands of Ton: what is counted over deals, on the kernel of core.ton.game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.tally import Counts
from core.ton.codes import encode, policy_codes
from core.ton.game import play_games
from core.ton.policies import policy
from core.ton.rules import TonRules
from core.ton.seats import FIELDS, SQUARED


@dataclass(frozen=True)
class Games:
    """Plays single hands from an empty record, each seat by its policy.

    The sums are, by seat: what FIELDS names, shape (players, fields), and the squares of the first ones.
    """

    policies: tuple[str, ...]
    rules: TonRules
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        players = len(self.policies)
        return [(players, len(FIELDS)), (players, SQUARED)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the counts of the deals start .. stop - 1."""
        players = len(self.policies)
        codes = policy_codes([policy(name, players) for name in self.policies])
        records, no_log = np.zeros(players, np.int64), np.empty(0, np.int64)
        totals, squares = sums
        play_games(totals, squares, no_log, *codes, records, encode(self.rules), np.uint64(self.seed), start, stop)

    def description(self) -> dict[str, Any]:
        """Return what the counts depend on."""
        return {
            "game": "ton",
            "measure": "single hands",
            "policies": list(self.policies),
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }
