"""Whole hands of Tonk by fixed policies: what each seat is paid, how hands end, how long they last."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Unpack

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate, mean, proportion
from analysis.growing import Growing
from analysis.html import Rich
from core.errors import InputError
from core.tonk.policies import policy
from core.tonk.rules import TonkRules
from core.tonk.state import Ending

if TYPE_CHECKING:  # an exact answer does not wait for numpy
    from analysis.runs import Run


@dataclass(frozen=True)
class Simulation(Rich):
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


def simulate(
    players: int, policies: Sequence[str], rules: TonkRules | None = None, **sampling: Unpack[Sampling]
) -> Simulation:
    """Return how hands go that are played by these policies, one for each seat.

    `random`, `simple`, `simple:T`, `threshold` or `threshold:FILE`, by their names (see `core.tonk.policies`).

    Plays `deals` hands (default 1,000,000: seconds), or so many that the interval of each payment has a half-width of
    at most `precision` stakes; the other keywords of `Effort` say where.

    >>> simulate(2, ["simple", "random"], deals=1000).payment[0].n
    1000

    Raises InputError for a policy that is unknown, too many or too few of them, and players whom the deck cannot serve.
    """
    return growing_simulation(players, policies, rules, Effort(**sampling)).complete()


def growing_simulation(
    players: int, policies: Sequence[str], rules: TonkRules | None, effort: Effort
) -> Growing[Simulation]:
    """Prepare what `simulate` returns, to be played as long as one likes; the arguments are the same."""
    rules = rules or TonkRules()
    rules.check_players(players)
    if len(policies) != players:
        raise InputError(f"{len(policies)} policies for {players} players: each seat takes one")
    chosen = tuple(policy(name, players) for name in policies)
    # Imported here because it imports numba, which wrong input must not wait for.
    from analysis.runs import Run
    from analysis.tonk.games import KINDS, Games

    run = Run(Games(rules, chosen, effort.seed), effort)

    def answer() -> Simulation:
        _, _, kinds, turns = run.sums
        n, seed = run.deals, effort.seed
        return Simulation(
            players,
            tuple(policies),
            _payments(run),
            {kind: proportion(int(count), n, seed=seed) for kind, count in zip(KINDS, kinds, strict=True)},
            mean(int(turns[0]), int(turns[1]), n, seed=seed),
            rules,
        )

    return Growing(run, answer, lambda: max(_payments(run), key=lambda payment: payment.half_width))


def _payments(run: "Run") -> tuple[Estimate, ...]:
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
