"""Whole hands of Tonk under one rule set, deal by deal: what comparisons of rule sets set against each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.tally import Counts
from analysis.tonk.games import KINDS
from core.errors import InputError
from core.tonk.choosing import policy_numbers
from core.tonk.game import MOST_SHARERS, SCALE, play_each
from core.tonk.play import play
from core.tonk.policies import Policy
from core.tonk.rollouts import Rollout
from core.tonk.rules import TonkRules
from core.tonk.settling import options_of


@dataclass(frozen=True)
class Hands:
    """Plays hands to their end, a policy for each seat, on the deals of `analysis.tonk.games.Games`.

    Facts of a hand are: `payment:S`, what seat S is paid, and `tonk_payment:S`, the same where a TONK on the deal ended
    the hand; `stakes`, what all winners are paid (all three times SCALE); whether the hand ended by `tonk`, `drop_won`,
    `drop_lost`, `out` or `stock_out`, or by a drop in either way (`drops`); its `turns`.

    Raises InputError for more players than can share a payment in whole parts.
    """

    rules: TonkRules
    policies: tuple[Policy, ...]

    def __post_init__(self) -> None:
        """Check the number of players."""
        if len(self.policies) > MOST_SHARERS:
            raise InputError(f"hands of {len(self.policies)} players are not compared: at most {MOST_SHARERS}")

    def facts(self, columns: Sequence[str], seed: int, start: int, stop: int) -> Counts:
        """Return these facts of the hands start .. stop - 1, a row a hand."""
        payments = np.zeros((stop - start, len(self.policies)), np.int64)
        kinds, turns = (np.zeros(stop - start, np.int64) for _ in range(2))
        if any(isinstance(policy, Rollout) for policy in self.policies):
            for number, deal in enumerate(range(start, stop)):
                # On the reference engine: not all policies are in the kernel.
                played = play(self.rules, len(self.policies), self.policies, seed, deal)
                payments[number] = [int(paid * SCALE) for paid in played.result.payments]
                kinds[number], turns[number] = KINDS.index(played.result.kind), played.turns
        else:
            policies, options = policy_numbers(self.policies), options_of(self.rules)
            play_each(payments, kinds, turns, policies, options, np.uint64(seed), start)

        def fact(column: str) -> Counts:
            name, _, seat = column.partition(":")
            match name:
                case "payment":
                    return payments[:, int(seat)]
                case "tonk_payment":
                    return np.where(kinds == KINDS.index("tonk"), payments[:, int(seat)], 0)
                case "stakes":
                    return np.asarray(np.maximum(payments, 0).sum(axis=1))
                case "drops":
                    return np.isin(kinds, [KINDS.index("drop_won"), KINDS.index("drop_lost")]).astype(np.int64)
                case "turns":
                    return turns
                case _:
                    return np.equal(kinds, list(KINDS).index(name)).astype(np.int64)  # type: ignore[arg-type]

        return np.stack([fact(column) for column in columns], axis=1)

    def description(self) -> dict[str, Any]:
        """Return what the facts depend on."""
        return {
            "game": "tonk",
            "played": "whole hands",
            "policies": list(map(repr, self.policies)),
            "rules": self.rules.as_dict(),
        }
