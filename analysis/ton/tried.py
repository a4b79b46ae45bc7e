"""What is added up over worlds when each action of a position of Ton is tried and the hand played on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.tally import Counts
from core.ton.codes import NO_CARD, WORDS, move_code
from core.ton.policies import Policy
from core.ton.rules import DECK
from core.ton.scripts import play_scripts
from core.ton.seats import N_PLUSES, N_POINTS, N_TRICKS
from core.ton.state import Action, State
from core.ton.worlds import World, sample_worlds

# Worlds that are played at once.
_BATCH = 1000


@dataclass(frozen=True)
class Tried:
    """Tries each action in each world, all going on by one policy.

    The sums are the player's points by action, each plus counting as minus `plus_worth`, and the products of that by
    pairs of actions.
    """

    seen: State
    actions: tuple[Action, ...]
    policy: Policy
    plus_worth: int
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        return [(len(self.actions),), (len(self.actions), len(self.actions))]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the worlds start .. stop - 1."""
        for first in range(start, stop, _BATCH):
            worlds = sample_worlds(self.seen, min(_BATCH, stop - first), self.seed, first=first)
            values = np.array([self._played(worlds, action, first) for action in self.actions])
            sums[0] += values.sum(axis=1)
            sums[1] += values @ values.T

    def _played(self, worlds: Sequence[World], action: Action, first: int) -> NDArray[np.int64]:
        """Return what the action gives in each world."""
        seen, seat = self.seen, self.seen.seat
        assert seat is not None
        moves = [[*(_code(by, done) for by, done in world.actions), _code(seat, action)] for world in worlds]
        cards = [
            [*(card for held in (*world.deal.hands, world.deal.talon) for card in held), world.deal.trump_card]
            for world in worlds
        ]
        policies = [self.policy] * seen.players
        results = play_scripts(
            np.array(cards, np.uint8), np.array(moves), policies, seen.rules, self.seed, first, seen.records
        )
        own = results[:, seat]
        assert (own[:, N_TRICKS] >= 0).all(), "the worlds agree with what was done"
        return np.asarray(own[:, N_POINTS] - self.plus_worth * own[:, N_PLUSES])

    def description(self) -> dict[str, Any]:
        """Return what the sums depend on."""
        return {
            "game": "ton",
            "measure": "actions tried",
            "position": repr(self.seen),
            "policy": repr(self.policy),
            "plus_worth": self.plus_worth,
            "rules": self.seen.rules.as_dict(),
            "seed": self.seed,
        }


def _code(seat: int, action: Action) -> int:
    card = NO_CARD if action.card is None else np.uint64(DECK.index(action.card))
    return move_code(seat, WORDS.index(action.word), card)
