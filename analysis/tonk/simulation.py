"""Whole hands of Tonk by fixed policies: what each seat is paid, how hands end, how long they last."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Unpack, get_args

import numpy as np

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate, mean, proportion
from analysis.runs import Run
from analysis.tally import Counts
from core.errors import InputError
from core.tonk.game import play_hands, policy_numbers
from core.tonk.policies import policy
from core.tonk.rules import TonkRules
from core.tonk.settling import options_of
from core.tonk.state import Ending

_KINDS: tuple[Ending, ...] = get_args(Ending)
_NO_LOG = np.empty((0, 4), np.int64)


@dataclass(frozen=True)
class Simulation:
    """Hands played by policies; all is estimated.

    payment
        what each seat is paid, in stakes a hand
    kinds
        how hands end: the rates of tonk, drop_won, drop_lost, out and stock_out
    turns
        turns a hand; a drop is a turn, a hand that a TONK ends has none
    """

    players: int
    policies: tuple[str, ...]
    payment: tuple[Estimate, ...]
    kinds: dict[Ending, Estimate]
    turns: Estimate
    rules: TonkRules


@dataclass(frozen=True)
class Games:
    """Plays hands to their end, a policy for each seat.

    The sums are: payments, and their squares, by seat and divisor, shape (players, players + 1) (see `play_hands`);
    hands by kind of ending; the sum of turns and of their squares.
    """

    rules: TonkRules
    policies: tuple[str, ...]
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        by_divisor = (len(self.policies), len(self.policies) + 1)
        return [by_divisor, by_divisor, (len(_KINDS),), (2,)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the hands start .. stop - 1."""
        payments, squares, kinds, turns = sums
        policies, options = policy_numbers([policy(name) for name in self.policies]), options_of(self.rules)
        play_hands(payments, squares, kinds, turns, _NO_LOG, policies, options, np.uint64(self.seed), start, stop)

    def description(self) -> dict[str, Any]:
        """Return what the sums depend on."""
        return {
            "game": "tonk",
            "measure": "whole hands",
            "policies": list(self.policies),
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }


def simulate(
    players: int, policies: Sequence[str], rules: TonkRules | None = None, **sampling: Unpack[Sampling]
) -> Simulation:
    """Return how hands go that are played by these policies, one for each seat: `random`, `simple` or `simple:T`.

    Plays `deals` hands (default 1,000,000: seconds), or so many that the interval of each payment has a half-width of
    at most `precision` stakes; the other keywords of `Effort` say where.

    >>> simulate(2, ["simple", "random"], deals=1000).payment[0].n
    1000

    Raises InputError for a policy that is unknown, too many or too few of them, and players whom the deck cannot serve.
    """
    effort = Effort(**sampling)
    rules = rules or TonkRules()
    rules.check_players(players)
    if len(policies) != players:
        raise InputError(f"{len(policies)} policies for {players} players: each seat takes one")
    for name in policies:
        policy(name)
    run = Run(Games(rules, tuple(policies), effort.seed), effort)
    run.complete(lambda: max(_payments(run), key=lambda payment: payment.half_width))
    _, _, kinds, turns = run.sums
    n, seed = run.deals, effort.seed
    return Simulation(
        players,
        tuple(policies),
        _payments(run),
        {kind: proportion(int(count), n, seed=seed) for kind, count in zip(_KINDS, kinds, strict=True)},
        mean(int(turns[0]), int(turns[1]), n, seed=seed),
        rules,
    )


def _payments(run: Run) -> tuple[Estimate, ...]:
    """Return each seat's mean payment from the sums by divisor."""
    payments, squares, *_ = run.sums
    return tuple(
        mean(
            sum(Fraction(paid, divisor or 1) for divisor, paid in enumerate(row)),
            sum(Fraction(square, divisor * divisor or 1) for divisor, square in enumerate(row_of_squares)),
            run.deals,
            seed=run.effort.seed,
        )
        for row, row_of_squares in zip(payments.tolist(), squares.tolist(), strict=True)
    )
