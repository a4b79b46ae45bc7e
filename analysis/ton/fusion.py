"""How much the open-cards estimate of `pimc` overrates: what he expects of his first card, less what he really takes.

In every world he plays as if he saw all cards, so he expects to know what he will have to guess (strategy fusion). On
the other hand he expects all others to play together against him, which from three players on they do not do. The
measure holds both: it is a bias of the estimate, not a loss by it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Unpack

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate, mean
from analysis.runs import Run
from analysis.tally import Counts
from core.ton.pimc import Pimc, forced_tricks
from core.ton.play import play
from core.ton.policies import WORLDS_A_DECISION
from core.ton.rules import TonRules
from core.ton.state import Action, State

# Hands that are played where neither deals nor a precision are asked for: some tenths of a second each.
HANDS = 200


@dataclass
class _Watched:
    """Plays as `pimc` does, and notes what each seat expects of its first card: the tricks over all worlds together."""

    pimc: Pimc
    expected: dict[int, int] = field(default_factory=dict)

    def choose(self, view: State, actions: Sequence[Action], words: Iterator[int]) -> Action:
        """Return the action of `pimc`."""
        seed = next(words)
        action = self.pimc.choose(view, actions, iter([seed]))
        if view.phase == "play" and view.seat is not None and view.seat not in self.expected:
            tricks = forced_tricks(view, [action], self.pimc.sample(view, seed))
            self.expected[view.seat] = int(tricks.sum())
        return action


@dataclass(frozen=True)
class Fusion:
    """Plays hands by `pimc` alone, and compares what each expects of his first card with what he takes.

    The sums are, by place in the first trick: the number of hands with such a player, the tricks that he expected less
    those that he took, times `worlds`, and the squares of that; shape (players, 3).
    """

    rules: TonRules
    players: int
    worlds: int
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shape of the sums."""
        return [(self.players, 3)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the deals start .. stop - 1."""
        for deal in range(start, stop):
            watched = _Watched(Pimc(self.worlds))
            tricks = play(self.rules, self.players, [watched] * self.players, self.seed, deal).result.tricks
            # In the order of play; nobody is there in a hand that a lone player has.
            for place, (seat, expected) in enumerate(watched.expected.items()):
                too_many = expected - self.worlds * tricks[seat]
                sums[0][place] += 1, too_many, too_many**2

    def description(self) -> dict[str, Any]:
        """Return what the sums depend on."""
        return {
            "game": "ton",
            "measure": "tricks expected less taken",
            "worlds": self.worlds,
            "players": self.players,
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }


def overrated_tricks(
    players: int, rules: TonRules | None = None, *, worlds: int = WORLDS_A_DECISION, **sampling: Unpack[Sampling]
) -> tuple[Estimate | None, ...]:
    """Return by how many tricks `pimc` among its like overrates its hand when it plays its first card.

    By place in the first trick, the leader first: the mean over sampled hands of the tricks that it expects with open
    cards by the card it plays, less the tricks that it takes in the hand; None for a place with fewer than two hands.
    Estimated, from `deals` hands (default HANDS) or to a `precision` for the leader.

    Raises InputError for players whom the deck cannot serve.
    """
    rules = rules or TonRules()
    rules.check_players(players)
    if sampling.get("deals") is None and sampling.get("precision") is None:
        sampling["deals"] = HANDS
    effort = Effort(**sampling)
    run = Run(Fusion(rules, players, worlds, effort.seed), effort)

    def overrated(place: int) -> Estimate:
        hands, total, squares = map(int, run.sums[0][place])
        return mean(Fraction(total, worlds), Fraction(squares, worlds**2), hands, seed=effort.seed)

    run.complete(lambda: overrated(0), pilot=HANDS)
    return tuple(overrated(place) if run.sums[0][place, 0] > 1 else None for place in range(players))
