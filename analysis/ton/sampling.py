"""Sampled hands and matches of Ton: what is counted over deals, on the kernels of core.ton."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.tally import Counts
from core.errors import InputError
from core.ton.codes import GAME_POLICIES, Numbers, encode
from core.ton.game import play_games
from core.ton.matches import BY_PLAYER, MOST_MATCHES, WHOLE, encode_match, play_matches
from core.ton.outcomes import count_outcomes, outcome_codes, records_for
from core.ton.rules import TonRules
from core.ton.seats import FIELDS, SQUARED

# Deals that a part of the sampled outcomes may use.
PART_BITS = 44


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
        numbers = numbers_of(self.policies)
        records = np.zeros(len(numbers), np.int64)
        no_log = np.empty(0, np.int64)
        totals, squares = sums
        play_games(totals, squares, no_log, numbers, records, encode(self.rules), np.uint64(self.seed), start, stop)

    def description(self) -> dict[str, Any]:
        """Return what the counts depend on."""
        return {
            "game": "ton",
            "measure": "single hands",
            "policies": list(self.policies),
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }


@dataclass(frozen=True)
class Matches:
    """Plays whole matches, each player by his policy; a deal is a match.

    The sums are what BY_PLAYER names, shape (players, fields), and what WHOLE names.
    """

    policies: tuple[str, ...]
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
        codes = encode(self.rules), encode_match(self.rules)
        by_player, whole = sums
        play_matches(
            by_player, whole, numbers_of(self.policies), *codes, np.uint64(self.seed), start, stop, self.max_hands
        )

    def description(self) -> dict[str, Any]:
        """Return what the sums depend on."""
        return {
            "game": "ton",
            "measure": "matches",
            "policies": list(self.policies),
            "rules": self.rules.as_dict(),
            "seed": self.seed,
            "max_hands": self.max_hands,
        }


@dataclass(frozen=True)
class Outcomes:
    """Plays single hands of seats of which some must play, and counts what each hand gives, by code.

    Its deals are those of the seed from `part << PART_BITS` on, so that runs of other parts use other deals.
    """

    policies: tuple[str, ...]
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
        count_outcomes(
            sums[0], numbers_of(self.policies), records, codes, np.uint64(self.seed), first + start, first + stop
        )

    def description(self) -> dict[str, Any]:
        """Return what the counts depend on."""
        return {
            "game": "ton",
            "measure": "outcomes of hands",
            "policies": list(self.policies),
            "must_play": list(self.must_play),
            "rules": self.rules.as_dict(),
            "seed": self.seed,
            "part": self.part,
        }


def numbers_of(policies: Sequence[str]) -> Numbers:
    """Return the kernels' numbers of the policies."""
    return np.array([GAME_POLICIES.index(name) for name in policies])
