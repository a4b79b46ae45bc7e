"""Who pays whom at Tonk: a TONK on the deal (K4), a drop (K8), going out (K12), a stock that runs out.

All payments are in stakes and add up to zero over the players (K3).
"""

from collections.abc import Sequence
from fractions import Fraction
from numbers import Integral

from core.errors import InputError
from core.tonk.rules import TonkRules


def tonk_payments(holders: Sequence[bool], rules: TonkRules) -> tuple[Fraction, ...]:
    """Return each seat's payment when the seats marked in `holders` were dealt a TONK (K4, `several_tonks`).

    Exact; nothing is paid where nobody or everybody holds one.

    >>> [str(pay) for pay in tonk_payments([True, False, False], TonkRules())]
    ['4', '-2', '-2']
    """
    held = sum(holders)
    if held == 0 or (rules.several_tonks == "void" and held > 1):
        return (Fraction(0),) * len(holders)
    paid = list(holders)
    if rules.several_tonks == "first":
        paid = [seat == holders.index(True) for seat in range(len(holders))]
    # What one player without TONK pays to each player who is paid.
    rate = Fraction(rules.tonk_pay, sum(paid) if rules.several_tonks == "split" else 1)
    without = len(holders) - held
    return tuple(
        rate * without if gets else Fraction(0) if holds else -rate * sum(paid)
        for holds, gets in zip(holders, paid, strict=True)
    )


def settle_drop(totals: Sequence[int], dropper: int, rules: TonkRules) -> tuple[Fraction, ...]:
    """Return each seat's payment when seat `dropper` drops and the hands in play total `totals` (K8).

    Exact. `drop_tie`, `drop_settlement`, `drop_penalty` and `equal_pays` of the rules apply; hands that were melded
    in part count only what is left in hand.

    >>> [str(pay) for pay in settle_drop([9, 10, 24], 0, TonkRules())]
    ['2', '-1', '-1']

    Raises InputError for fewer than two totals, a negative total, or a dropper who is not a seat.
    """
    if len(totals) < 2:
        raise InputError(f"{len(totals)} total: a drop is settled between at least 2 players")
    if not 0 <= dropper < len(totals):
        raise InputError(f"dropper {dropper} is not a seat: seats run from 0 to {len(totals) - 1}")
    for total in totals:
        if not isinstance(total, Integral):
            raise InputError(f"total {total!r} is not a whole number")
        if total < 0:
            raise InputError(f"total {total} is negative")
    totals = [int(total) for total in totals]  # numpy's small integers would overflow
    if drop_wins(totals, dropper, rules):
        return settle_out(len(totals), dropper)
    if rules.equal_pays == "yes":
        return _settle_equal_pays(totals, dropper, rules)
    order = _comparable(totals, dropper, rules)
    if rules.drop_settlement == "lowest_only":
        return _settle_lowest_only(order, dropper, rules)
    return _settle_pairwise(order, dropper, rules)


def drop_wins(totals: Sequence[int], dropper: int, rules: TonkRules) -> bool:
    """Tell whether seat `dropper` wins his drop: every other total is greater (K8, `drop_tie`, `equal_pays`)."""
    order = list(totals) if rules.equal_pays == "yes" else _comparable(totals, dropper, rules)
    return all(order[dropper] < other for seat, other in enumerate(order) if seat != dropper)


def settle_out(players: int, winner: int, stakes: int = 1) -> tuple[Fraction, ...]:
    """Return each seat's payment when every other player pays the winner that many stakes (K12, `out_pay`)."""
    return tuple(Fraction(stakes * (players - 1) if seat == winner else -stakes) for seat in range(players))


def settle_stock_out(totals: Sequence[int], rules: TonkRules) -> tuple[Fraction, ...]:
    """Return each seat's payment when the stock has run out and the hands total `totals` (`stock_out`).

    The lowest total is paid 1 stake by every greater one; several lowest share equally. Under `void` nobody pays.

    >>> [str(pay) for pay in settle_stock_out([9, 9, 24], TonkRules())]
    ['1/2', '1/2', '-1']
    """
    if rules.stock_out == "void":
        return (Fraction(0),) * len(totals)
    return _pay_lowest(totals, [1] * len(totals))


def _comparable(totals: Sequence[int], dropper: int, rules: TonkRules) -> list[int]:
    """Double the totals and move the dropper's by one, so that a tie with him reads as `drop_tie` says."""
    nudge = {"no_win": 0, "dropper_loses": 1, "dropper_wins": -1}[rules.drop_tie]
    return [2 * total + (nudge if seat == dropper else 0) for seat, total in enumerate(totals)]


def _settle_pairwise(order: Sequence[int], dropper: int, rules: TonkRules) -> tuple[Fraction, ...]:
    """K8 as written: the greater of any two totals pays the smaller, the dropper `drop_penalty`, others 1."""
    payments = [Fraction(0)] * len(order)
    for payer, more in enumerate(order):
        for receiver, less in enumerate(order):
            if less < more:
                stakes = rules.drop_penalty if payer == dropper else 1
                payments[payer] -= stakes
                payments[receiver] += stakes
    return tuple(payments)


def _settle_lowest_only(order: Sequence[int], dropper: int, rules: TonkRules) -> tuple[Fraction, ...]:
    """Only the lowest total is paid: by the dropper `drop_penalty`, by others 1; several lowest share equally."""
    return _pay_lowest(order, [rules.drop_penalty if seat == dropper else 1 for seat in range(len(order))])


def _pay_lowest(totals: Sequence[int], stakes: Sequence[int]) -> tuple[Fraction, ...]:
    """Each total above the lowest pays its stakes, which the lowest totals share equally."""
    lowest = min(totals)
    paid = [0 if total == lowest else stake for total, stake in zip(totals, stakes, strict=True)]
    share = Fraction(sum(paid), totals.count(lowest))
    return tuple(share if total == lowest else Fraction(-pays) for total, pays in zip(totals, paid, strict=True))


def _settle_equal_pays(totals: Sequence[int], dropper: int, rules: TonkRules) -> tuple[Fraction, ...]:
    """The settlement of ordinary Tonk: a failed dropper pays everyone who is equal or lower; nobody else pays."""
    own = totals[dropper]
    paid = [seat != dropper and total <= own for seat, total in enumerate(totals)]
    return tuple(
        Fraction(-rules.drop_penalty * sum(paid) if seat == dropper else rules.drop_penalty * gets)
        for seat, gets in enumerate(paid)
    )
