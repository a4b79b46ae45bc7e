"""The equilibrium of Ton's hand of two: training it, what replies gain on it, and how it does against other players.

The game, its payoff in points, and what its abstraction leaves out: `core.ton.heads_up`, `core.ton.abstraction`.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Unpack

import numpy as np

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate, mean
from analysis.runs import Run
from analysis.tally import Counts
from core.deals import sample_hands
from core.errors import InputError
from core.ruleset import nearest
from core.ton.codes import encode
from core.ton.equilibrium import HeadsUpStrategy
from core.ton.heads_up import DEALER, ELDEST, heads_up_rules
from core.ton.heads_up_play import BY_TABLE, play_heads_up
from core.ton.heads_up_regrets import Table, new_table, new_walk
from core.ton.heads_up_training import reading_table, train_reply
from core.ton.play import DEAL_STREAM, DECISION_STREAM
from core.ton.policies import POLICIES
from core.ton.rules import DECK, TonRules

# Who plays: by a table, or a policy with fixed rules by its name.
Player = HeadsUpStrategy | str
RIVALS = ("plain", "greedy")
_BATCH = 20_000


@dataclass(frozen=True)
class Contrast:
    """Plays each deal with one pair of players and, if there is one, with a second; what differs is what is counted.

    The sum holds what the first eldest wins, less what the second eldest wins on the same deal, and its square.
    """

    first: tuple[Player, Player]
    second: tuple[Player, Player] | None
    rules: TonRules
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shape of the sum."""
        return [(2,)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the deals start .. stop - 1."""
        for first in range(start, stop, _BATCH):
            batch = min(_BATCH, stop - first)
            cards = sample_hands(range(len(DECK)), [len(DECK)], batch, seed=self.seed, stream=DEAL_STREAM, first=first)
            gains = np.zeros(batch, np.int64)
            for pair, sign in ((self.first, 1), (self.second, -1)):
                if pair is not None:
                    gains += sign * _payoffs(pair, cards, self.rules, self.seed, first)
            sums[0] += gains.sum(), (gains**2).sum()

    def description(self) -> dict[str, Any]:
        """Return what the sum depends on."""
        return {
            "game": "ton",
            "measure": "hands of two",
            "pairs": [pair and [_name(player) for player in pair] for pair in (self.first, self.second)],
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }


def value(strategy: HeadsUpStrategy, **sampling: Unpack[Sampling]) -> Estimate:
    """Return what the eldest wins a hand, in points, if both play by the strategy."""
    return _estimate((strategy, strategy), None, strategy.rules, Effort(**sampling))


def reply_gain(strategy: HeadsUpStrategy, seat: int, iterations: int, **sampling: Unpack[Sampling]) -> Estimate:
    """Return what a trained reply gains for a seat, in points a hand, if the other keeps to the strategy.

    The best reply gains no less: it is a lower bound of what the strategy can be made to lose in that seat, up to the
    interval. The reply is trained by `iterations`, and then measured on other deals.

    Raises InputError for a seat that is none, and as `train` does.
    """
    if seat not in (ELDEST, DEALER):
        raise InputError(f"seat {seat} is none of 0 (the eldest) and 1 (the dealer)")
    effort = Effort(**sampling)
    reply = train_reply(strategy, seat, iterations, seed=effort.seed)
    both = (strategy, strategy)
    if seat == ELDEST:
        return _estimate((reply, strategy), both, strategy.rules, effort)
    return _estimate(both, (strategy, reply), strategy.rules, effort)


def against(strategy: HeadsUpStrategy, rival: str, **sampling: Unpack[Sampling]) -> Estimate:
    """Return what the strategy wins a hand against `plain` or `greedy`, in points: each deal is played in both seats.

    Raises InputError for another rival.
    """
    if rival not in RIVALS:
        raise InputError(f"unknown rival {rival!r}: {nearest(rival, RIVALS)}")
    return _estimate((strategy, rival), (rival, strategy), strategy.rules, Effort(**sampling), parts=2)


def _estimate(
    first: tuple[Player, Player], second: tuple[Player, Player] | None, rules: TonRules, effort: Effort, parts: int = 1
) -> Estimate:
    """Return the mean of a contrast, divided by `parts`."""
    run = Run(Contrast(first, second, rules, effort.seed), effort)

    def gain() -> Estimate:
        total, squares = map(int, run.sums[0])
        return mean(Fraction(total, parts), Fraction(squares, parts**2), run.deals, seed=effort.seed)

    run.complete(gain)
    return gain()


def _payoffs(pair: tuple[Player, Player], cards: Any, rules: TonRules, seed: int, first: int) -> Counts:
    payoffs = np.zeros(len(cards), np.int64)
    numbers = (_number(pair[0]), _number(pair[1]))
    eldest, dealer = map(_table, pair)
    codes = encode(heads_up_rules(rules))
    play_heads_up(payoffs, numbers, eldest, dealer, new_walk(), cards, np.uint64(seed), DECISION_STREAM, first, codes)
    return payoffs


def _number(player: Player) -> int:
    """Return how the kernel calls a player."""
    return list(POLICIES).index(player) if isinstance(player, str) else BY_TABLE


@cache
def _table(player: Player) -> Table:
    return new_table(0) if isinstance(player, str) else reading_table(player)


def _name(player: Player) -> str:
    """Return what tells a player from others: a table's hash."""
    if isinstance(player, str):
        return player
    return hashlib.sha256(player.keys.tobytes() + player.parts.tobytes()).hexdigest()
