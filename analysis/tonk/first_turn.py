"""Dropping at once, on the first turn of Tonk: the chance to win and the payment to expect, given one's hand (K8)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import TYPE_CHECKING, Unpack

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate, mean, proportion
from analysis.html import Rich
from analysis.tonk.opening import Quantity
from analysis.tonk.table import Table, exactly
from core.cards import format_cards
from core.counting import Sort, count_hands
from core.errors import InputError, TooMuchWorkError
from core.tonk.payments import settle_drop
from core.tonk.rules import TonkRules

if TYPE_CHECKING:  # an exact answer does not wait for numpy
    import numpy as np
    from numpy.typing import NDArray

# Up to so many opponents the joint distribution of all their totals is cheap; it settles the drop under every option.
_JOINT_OPPONENTS = 3
# Updates of a table, for each of the up to six counts that a drop takes: a second or so.
DROP_STEPS = 1_000_000


@dataclass(frozen=True)
class Drop(Rich):
    """Dropping at once on the first turn, given that nobody holds a TONK.

    Exact quantities are Fractions, sampled ones Estimates. `note` says why something is sampled.

    total
        the dropper's total
    p_no_tonk
        the chance that none of the others holds a TONK, given the cards seen
    p_win
        the chance that every other total is greater
    p_less
        the chance that some other total is less
    payment
        the dropper's expected payment, in stakes
    """

    players: int
    total: int
    p_no_tonk: Quantity
    p_win: Quantity
    p_less: Quantity
    payment: Quantity
    rules: TonkRules
    note: str | None = None


def drop(
    hand: str,
    players: int,
    rules: TonkRules | None = None,
    *,
    up: str | None = None,
    max_steps: int = DROP_STEPS,
    sampled: bool = False,
    **sampling: Unpack[Sampling],
) -> Drop:
    """Return what dropping at once is worth to the player who holds `hand` and sees the up-card `up`.

    Exact for up to four players under all rules, and for more wherever a count takes at most `max_steps` updates of a
    table: `p_no_tonk` and, unless `drop_settlement` or `equal_pays` change the settlement, `payment` even for ten.
    What is not is estimated, and `note` says so: from `deals` sampled deals, or so many that the interval of `payment`
    has a half-width of at most `precision` stakes (of `p_win`, where the payment is exact); the other keywords of
    `Effort` say where. With `sampled` all is estimated, to see the one beside the other.

    >>> print(drop("3d 4c 6s 2h Ah", players=2, up="Qd").payment)
    1356493/1358720

    Raises InputError for cards that cannot be, and for a hand that is a TONK: it must be declared, not dropped (K4).
    """
    effort = Effort(**sampling)
    table = _table(rules or TonkRules(), players, hand, up)
    known, note = ({}, "sampled on request") if sampled else _exact(table, max_steps)
    if note is None:
        return _answer(table, known, None)
    return _sampled(table, known, effort, note)


def _table(rules: TonkRules, players: int, hand: str, up: str | None) -> Table:
    table = Table.seen(rules, players, hand, up)
    if table.own_tonk:
        raise InputError(
            f"hand {format_cards(table.hand)!r} totals {table.total}: a TONK is declared, not dropped (K4)"
        )
    return table


def _pay(table: Table, less: int, equal: int, greater: int) -> Fraction:
    """Return the dropper's payment; under every rule it depends on how many totals are less, equal and greater."""
    return settle_drop([1, *[0] * less, *[1] * equal, *[2] * greater], 0, table.rules)[0]


_QUANTITIES = ("p_no_tonk", "p_win", "p_less", "payment")


def _exact(table: Table, max_steps: int) -> tuple[dict[str, Fraction], str | None]:
    """Return what can be had exactly, and why something cannot."""
    note = None
    pairwise = table.rules.drop_settlement == "pairwise" and table.rules.equal_pays == "no"
    if table.hidden_players <= _JOINT_OPPONENTS or not pairwise:
        try:
            return _exact_joint(table, max_steps), None
        except TooMuchWorkError as error:
            note = str(error)
    questions = [_exact_no_tonk, *([_exact_expectation] if pairwise else []), _exact_wins]
    known: dict[str, Fraction] = {}
    for question in questions:
        try:
            known |= question(table, max_steps)
        except TooMuchWorkError as error:
            note = str(error)
    return known, note if len(known) < len(_QUANTITIES) else None


def _exact_joint(table: Table, max_steps: int) -> dict[str, Fraction]:
    """Answer from the joint distribution of the numbers of lesser, equal and greater totals."""
    n = table.hidden_players
    sorts = [Sort(totals, n) for totals in _by_comparison(table)]
    counts = count_hands(table.classes, table.rules.hand_size, sorts, least=n, most=n, max_steps=max_steps)
    # A collection of n hands is dealt to n players in n! ways.
    chances = {compared: Fraction(ways * factorial(n), table.deals(n)) for compared, ways in counts.items()}
    p_no_tonk = sum(chances.values(), Fraction(0))
    _check_possible(table, p_no_tonk)
    return {
        "p_no_tonk": p_no_tonk,
        "p_win": chances.get((0, 0, n), Fraction(0)) / p_no_tonk,
        "p_less": sum(chance for (less, _, _), chance in chances.items() if less) / p_no_tonk,
        "payment": sum(_pay(table, *compared) * chance for compared, chance in chances.items()) / p_no_tonk,
    }


def _exact_no_tonk(table: Table, max_steps: int) -> dict[str, Fraction]:
    """Answer how often nobody holds a TONK, which often can be had where nothing else can."""
    n = table.hidden_players
    p_no_tonk = exactly(table.chances_together(_tonks(table), n, max_steps), n)[0]
    _check_possible(table, p_no_tonk)
    return {"p_no_tonk": p_no_tonk}


def _exact_expectation(table: Table, max_steps: int) -> dict[str, Fraction]:
    """Answer what needs no joint distribution: pairwise payments add up, so each opponent counts by himself."""
    n = table.hidden_players
    tonks, size = _tonks(table), table.rules.hand_size
    p_no_tonk = exactly(table.chances_together(tonks, n, max_steps), n)[0]
    _check_possible(table, p_no_tonk)
    payment = Fraction(0)
    for compared, totals in zip(((1, 0, 0), (0, 1, 0), (0, 0, 1)), _by_comparison(table), strict=True):
        counts = count_hands(table.classes, size, [Sort(tonks, n - 1), Sort(totals, 1)], most=n, max_steps=max_steps)
        # The chance that one given opponent has such a total while k given others hold a TONK, then k = none of all.
        together = [Fraction(counts.get((k, 1), 0) * factorial(k), table.deals(k + 1)) for k in range(n)]
        payment += n * exactly(together, n - 1)[0] * _pay(table, *compared)
    return {"p_no_tonk": p_no_tonk, "payment": payment / p_no_tonk}


def _exact_wins(table: Table, max_steps: int) -> dict[str, Fraction]:
    """Answer how often all totals are greater, and how often none is less."""
    less, equal, greater = _by_comparison(table)
    p_no_tonk = _chance_all(table, [*less, *equal, *greater], max_steps)
    _check_possible(table, p_no_tonk)
    return {
        "p_no_tonk": p_no_tonk,
        "p_win": _chance_all(table, greater, max_steps) / p_no_tonk,
        "p_less": 1 - _chance_all(table, [*equal, *greater], max_steps) / p_no_tonk,
    }


def _chance_all(table: Table, totals: Collection[int], max_steps: int) -> Fraction:
    """Return the chance that all hidden hands have one of these totals, counting the rarer of the two sides."""
    n = table.hidden_players
    if table.chance(totals) > Fraction(1, 2):
        others = [total for total in table.hand_totals if total not in totals]
        return exactly(table.chances_together(others, n, max_steps), n)[0]
    counts = count_hands(table.classes, table.rules.hand_size, [Sort(totals, n)], least=n, most=n, max_steps=max_steps)
    return Fraction(counts.get((n,), 0) * factorial(n), table.deals(n))


def _by_comparison(table: Table) -> tuple[list[int], list[int], list[int]]:
    """Return the totals short of a TONK that are less than, equal to and greater than the dropper's."""
    totals = [total for total in table.hand_totals if not table.rules.is_tonk(total)]
    own = table.total
    return [t for t in totals if t < own], [t for t in totals if t == own], [t for t in totals if t > own]


def _tonks(table: Table) -> list[int]:
    return [total for total in table.hand_totals if table.rules.is_tonk(total)]


def _check_possible(table: Table, p_no_tonk: Fraction) -> None:
    if p_no_tonk == 0:
        raise InputError(f"with {table.players} players somebody always holds a TONK, so no hand comes to a drop")


def _sampled(table: Table, known: dict[str, Fraction], effort: Effort, note: str) -> Drop:
    """Estimate what is not known exactly."""
    # Imported here because it imports numba, which an exact answer must not wait for.
    from analysis.runs import Run
    from analysis.tonk.sampling import Drops

    seed = effort.seed
    run = Run(Drops(table, seed), effort)

    def outcomes() -> "NDArray[np.int64]":
        (by_total,) = run.sums
        of_hand: NDArray[np.int64] = by_total[0]
        return of_hand

    def payment() -> Estimate:
        return estimate_payment(table, outcomes(), seed=seed)

    def p_win() -> Estimate:
        return proportion(int(outcomes()[0, 0]), int(outcomes().sum()), seed=seed)

    def p_less() -> Estimate:
        return proportion(int(outcomes()[1:].sum()), int(outcomes().sum()), seed=seed)

    def p_no_tonk() -> Estimate:
        return proportion(int(outcomes().sum()), run.deals, seed=seed)

    estimates = dict(zip(_QUANTITIES, (p_no_tonk, p_win, p_less, payment), strict=True))

    def judged() -> Estimate:
        if outcomes().sum() < 2:
            raise InputError(
                f"{outcomes().sum()} of {run.deals:,} deals came to a drop without a TONK: too few to estimate"
            )
        return p_win() if "payment" in known else payment()

    run.complete(judged)
    judged()
    found = {name: known[name] if name in known else estimate() for name, estimate in estimates.items()}
    return _answer(table, found, f"{note}; estimated from {run.deals:,} deals")


def estimate_payment(table: Table, outcomes: "NDArray[np.int64]", *, seed: int) -> Estimate:
    """Estimate the dropper's payment from numbers of deals, by number of others with a lesser and an equal total."""
    others = table.players - 1
    total = squares = Fraction(0)
    for less in range(others + 1):
        for equal in range(others + 1 - less):
            pay = _pay(table, less, equal, others - less - equal)
            total += pay * int(outcomes[less, equal])
            squares += pay * pay * int(outcomes[less, equal])
    return mean(total, squares, int(outcomes.sum()), seed=seed)


def _answer(table: Table, found: Mapping[str, Quantity], note: str | None) -> Drop:
    p_no_tonk, p_win, p_less, payment = (found[name] for name in _QUANTITIES)
    return Drop(table.players, table.total, p_no_tonk, p_win, p_less, payment, table.rules, note)
