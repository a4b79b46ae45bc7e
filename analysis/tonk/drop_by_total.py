"""Dropping at once on the first turn of Tonk, by the dropper's total alone: the table that players remember (K8).

`first_turn.drop` answers for the very cards of a hand. Here the hand is any with a given total, so that one number
stands for a total and a number of players; nothing is seen but the own total.
"""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from math import factorial
from typing import Unpack

from analysis.effort import DEALS, Effort, Sampling
from analysis.estimate import Estimate
from analysis.tonk.first_turn import estimate_payment
from analysis.tonk.table import Table, exactly
from core.counting import MAX_STEPS, Sort, count_hands
from core.errors import InputError
from core.tonk.payments import settle_drop
from core.tonk.rules import TonkRules


def drop_by_total(
    players: Iterable[int], rules: TonkRules | None = None, *, max_steps: int = MAX_STEPS
) -> dict[int, dict[int, Fraction]]:
    """Return, by number of players and by total, the expected payment of dropping at once, in stakes.

    It is given that nobody holds a TONK, the dropper neither. Exact; one pass serves all numbers of players, within
    half a minute for up to ten.

    Raises InputError for a settlement that is not pairwise (payments then do not add up by opponent), and
    TooMuchWorkError where a count takes more than `max_steps` updates of a table.
    """
    rules = rules or TonkRules()
    if rules.drop_settlement != "pairwise" or rules.equal_pays == "yes":
        raise InputError("payments by total need drop_settlement = pairwise and equal_pays = no")
    tables = [Table.seen(rules, number, None, None) for number in players]
    answers: dict[int, dict[int, Fraction]] = {table.players: {} for table in tables}
    if not tables:
        return answers
    largest = max(tables, key=lambda table: table.players)
    plain = [total for total in largest.hand_totals if not rules.is_tonk(total)]
    # Chances that one given hand, or each of two, has a total up to so far, and k given others hold a TONK; by k.
    one_so_far = two_so_far = [Fraction(0)] * largest.players
    for index, own in enumerate(plain):
        one_up_to, two_up_to = _together(largest, plain[: index + 1], max_steps)
        _, both_own = _together(largest, [own], max_steps)
        for table in tables:
            n = table.players
            alone = _nobody(_minus(one_up_to, one_so_far), n - 1)
            equal = _nobody(both_own, n - 2)
            # The greater of two totals is this one: two ways round, or both.
            less = (_nobody(_minus(two_up_to, two_so_far), n - 2) - equal) / 2
            greater = alone - less - equal
            if alone:
                pays = [settle_drop([1, other], 0, rules)[0] for other in (0, 1, 2)]
                paid = sum(pay * chance for pay, chance in zip(pays, (less, equal, greater), strict=True))
                answers[n][own] = (n - 1) * paid / alone
        one_so_far, two_so_far = one_up_to, two_up_to
    return answers


def _together(table: Table, totals: Collection[int], max_steps: int) -> tuple[list[Fraction], list[Fraction]]:
    """Return, by k, the chance that one given hand, and that two, have such totals while k given others hold a TONK."""
    n = table.players
    tonks = [total for total in table.hand_totals if table.rules.is_tonk(total)]
    sorts = [Sort(tonks, n - 1), Sort(totals, 2)]
    counts = count_hands(table.classes, table.rules.hand_size, sorts, most=n, max_steps=max_steps)
    one = [Fraction(counts.get((k, 1), 0) * factorial(k), table.deals(k + 1)) for k in range(n)]
    two = [Fraction(counts.get((k, 2), 0) * factorial(k) * 2, table.deals(k + 2)) for k in range(n - 1)]
    return one, [*two, Fraction(0)]


def _minus(more: Sequence[Fraction], less: Sequence[Fraction]) -> list[Fraction]:
    return [a - b for a, b in zip(more, less, strict=True)]


def _nobody(together: Sequence[Fraction], others: int) -> Fraction:
    """Return the chance that none of the others holds a TONK, from the chances that k given ones do."""
    return exactly(together[: others + 1], others)[0]


def sample_drop_by_total(
    players: int, rules: TonkRules | None = None, **sampling: Unpack[Sampling]
) -> dict[int, Estimate]:
    """Return what `drop_by_total` does for one number of players, sampled, under any settlement.

    The keywords are those of `Effort`, without a precision. Totals that fewer than 100 of the deals show are left out.
    Raises InputError as `drop` does.
    """
    # Imported here because it imports numba, which an exact answer must not wait for.
    from analysis.runs import Run
    from analysis.tonk.sampling import Drops

    table = Table.seen(rules or TonkRules(), players, None, None)
    effort = Effort(**sampling)
    run = Run(Drops(table, effort.seed), effort)
    run.extend(effort.deals or DEALS)
    return {
        total: estimate_payment(table, outcomes, seed=effort.seed)
        for total, outcomes in enumerate(run.sums[0])
        if outcomes.sum() >= 100
    }
