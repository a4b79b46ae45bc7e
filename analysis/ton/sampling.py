"""Sampled hands and matches of Ton: what is counted over deals, on kernels where they have the policies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.tally import Counts
from core.errors import InputError
from core.ton.codes import encode, in_kernel, policy_codes
from core.ton.game import play_games
from core.ton.matches import BY_PLAYER, MOST_MATCHES, WHOLE, encode_match, play_matches
from core.ton.outcomes import count_outcomes, outcome_codes, records_for
from core.ton.play import Played, play
from core.ton.policies import Policy
from core.ton.rules import TonRules
from core.ton.seats import FIELDS, SQUARED

# Deals that a part of the sampled outcomes may use.
PART_BITS = 44


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


@dataclass(frozen=True)
class Matches:
    """Plays whole matches, each player by his policy; a deal is a match.

    The sums are what BY_PLAYER names, shape (players, fields), and what WHOLE names.
    """

    policies: tuple[Policy, ...]
    rules: TonRules
    seed: int
    max_hands: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        return [(len(self.policies), len(BY_PLAYER)), (len(WHOLE),)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the matches start .. stop - 1."""
        if stop > MOST_MATCHES:
            raise InputError(f"money can be added up over {MOST_MATCHES:,} matches at most")
        codes = *policy_codes(self.policies), encode(self.rules), encode_match(self.rules)
        by_player, whole = sums
        play_matches(by_player, whole, *codes, np.uint64(self.seed), start, stop, self.max_hands)

    def description(self) -> dict[str, Any]:
        """Return what the sums depend on."""
        return {
            "game": "ton",
            "measure": "matches",
            "policies": [repr(policy) for policy in self.policies],
            "rules": self.rules.as_dict(),
            "seed": self.seed,
            "max_hands": self.max_hands,
        }


@dataclass(frozen=True)
class Outcomes:
    """Plays single hands of seats of which some must play, and counts what each hand gives, by code.

    Its deals are those of the seed from `part << PART_BITS` on, so that runs of other parts use other deals.
    """

    policies: tuple[Policy, ...]
    must_play: tuple[bool, ...]
    rules: TonRules
    seed: int
    part: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shape of the sum."""
        return [(outcome_codes(len(self.policies), self.rules.hand_size),)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the counts of the deals start .. stop - 1 of the part."""
        records = np.array(records_for(self.must_play, self.rules.must_play_points))
        codes, first = encode(self.rules.replace(zero_trick="plus_only")), self.part << PART_BITS
        policies = policy_codes(self.policies)
        count_outcomes(sums[0], *policies, records, codes, np.uint64(self.seed), first + start, first + stop)

    def description(self) -> dict[str, Any]:
        """Return what the counts depend on."""
        return {
            "game": "ton",
            "measure": "outcomes of hands",
            "policies": [repr(policy) for policy in self.policies],
            "must_play": list(self.must_play),
            "rules": self.rules.as_dict(),
            "seed": self.seed,
            "part": self.part,
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
