"""Whole hands of Ton between policies: tricks, points and rates by seat, sampled."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate, mean, proportion
from analysis.growing import Growing
from analysis.html import Rich
from core.errors import InputError
from core.ton.policies import policy
from core.ton.rules import TonRules


@dataclass(frozen=True)
class Simulation(Rich):
    """What single hands from an empty record give by seat, from the eldest; all of it estimated, for a hand dealt.

    tricks, points, pluses
        the mean numbers; points may be lost (T11), pluses are those recorded (T11, T13)
    no_trick, fold, buy, trumpless
        how often the seat plays and takes no trick, folds, takes the talon in either way (T5, T7), and takes it by the
        trumpless right (T7)
    """

    players: int
    policies: tuple[str, ...]
    tricks: tuple[Estimate, ...]
    points: tuple[Estimate, ...]
    pluses: tuple[Estimate, ...]
    no_trick: tuple[Estimate, ...]
    fold: tuple[Estimate, ...]
    buy: tuple[Estimate, ...]
    trumpless: tuple[Estimate, ...]
    rules: TonRules


def simulate(
    players: int, policies: Sequence[str], rules: TonRules | None = None, **sampling: Unpack[Sampling]
) -> Simulation:
    """Play single hands from an empty record, seat by seat from the eldest by the policies named, and average them.

    `deals` hands are played, or so many that the interval of the eldest's points has a half-width of at most
    `precision`; the other keywords of `Effort` say where. Where one is `pimc`, a hand takes a tenth of a second and
    more, so say how many.

    >>> print(simulate(2, ["plain", "plain"], deals=1000).tricks[0])
    2.154 (95%: 2.05991 to 2.24809, n = 1,000)

    Raises InputError for a number of players that the rules do not allow, not one policy a seat, an unknown policy.
    """
    return growing_simulation(players, policies, rules, Effort(**sampling)).complete()


def growing_simulation(
    players: int, policies: Sequence[str], rules: TonRules | None, effort: Effort
) -> Growing[Simulation]:
    """Prepare what `simulate` returns, to be played as long as one likes; the arguments are the same."""
    rules = rules or TonRules()
    rules.check_players(players)
    if len(policies) != players:
        raise InputError(f"{len(policies)} policies are given for {players} players: one a seat, from the eldest")
    chosen = tuple(policy(name, players) for name in policies)
    # Imported here because it imports numba, which wrong input must not wait for.
    from analysis.runs import Run
    from analysis.ton.sampling import Games
    from core.ton.seats import FIELDS, SQUARED

    run = Run(Games(chosen, rules, effort.seed), effort)

    def estimates(field: str) -> tuple[Estimate, ...]:
        column = FIELDS.index(field)
        totals = run.sums[0][:, column].tolist()
        if column >= SQUARED:
            return tuple(proportion(total, run.deals, seed=effort.seed) for total in totals)
        squares = run.sums[1][:, column].tolist()
        return tuple(mean(*moments, run.deals, seed=effort.seed) for moments in zip(totals, squares, strict=True))

    def answer() -> Simulation:
        return Simulation(players, tuple(policies), **{field: estimates(field) for field in FIELDS}, rules=rules)

    return Growing(run, answer, lambda: estimates("points")[0])
