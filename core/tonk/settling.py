"""Who pays whom at Tonk, for kernels: core.tonk.payments in whole numbers (K3, K4, K8, K12, `stock_out`).

Each function sets `pay` by seat and returns the divisor: the payments in stakes are `pay` over it. It is the number of
players who share what is paid, else 1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.jit import kernel
from core.tonk.rules import TonkRules

Ints = NDArray[np.int64]

# `several_tonks`, `drop_tie` and `stock_out` by their number among the words of the rule set.
_EACH, _FIRST, _SPLIT, _VOID_TONKS = range(4)
_NUDGES = (0, 1, -1)
SHOWDOWN, VOID, RESHUFFLE = range(3)

_NO_LOW, _NO_HIGH = -1, 1 << 30


class Options(NamedTuple):
    """A rule set in whole numbers: a word by its place among the field's words, the default being 0."""

    several_tonks: int
    drop_allowed: int
    drop_tie: int
    drop_settlement: int
    meld_duty: int
    set_fourth: int
    ace_runs: int
    stock_out: int
    out_pay: int
    hit_hold: int
    equal_pays: int
    up_card: int
    low_tonk: int
    high_tonk: int
    tonk_pay: int
    drop_penalty: int
    hand_size: int
    decks: int


def options_of(rules: TonkRules) -> Options:
    """Return the rules as the kernels take them; an absent limit becomes one that no total meets."""
    words = TonkRules.options()
    absent = {"low_tonk": _NO_LOW, "high_tonk": _NO_HIGH}
    return Options(
        **{
            name: absent[name] if value is None else known.index(value) if (known := words[name]) else value
            for name, value in rules.as_dict().items()
        }
    )


def greatest_payment(rules: TonkRules, players: int) -> int:
    """Return a bound of a payment times its divisor: each of the players pays or gets the greatest stakes there are."""
    return players * max(1, rules.tonk_pay, rules.drop_penalty, rules.out_pay)


@kernel
def settle_tonk(pay: Ints, totals: Ints, options: Options) -> int:
    """Settle the deal (K4, `several_tonks`); the divisor is 0 where nobody holds a TONK."""
    players = len(totals)
    held = 0
    for seat in range(players):
        holds = totals[seat] <= options.low_tonk or totals[seat] >= options.high_tonk
        pay[seat] = 1 if holds else 0
        held += holds
    if held == 0:
        return 0
    void = options.several_tonks == _VOID_TONKS and held > 1
    rate = 0 if void else options.tonk_pay
    paid = 1 if options.several_tonks == _FIRST else held
    found = 0
    for seat in range(players):
        if pay[seat]:
            pay[seat] = rate * (players - held) if found < paid else 0
            found += 1
        else:
            pay[seat] = -rate * paid
    return held if options.several_tonks == _SPLIT else 1


@kernel
def settle_drop(pay: Ints, totals: Ints, dropper: int, options: Options) -> tuple[bool, int]:
    """Settle a drop (K8, `drop_tie`, `drop_settlement`, `equal_pays`); return also whether the dropper wins."""
    players = len(totals)
    own = 2 * totals[dropper]
    if not options.equal_pays:
        own += _NUDGES[options.drop_tie]
    wins = True
    for seat in range(players):
        if seat != dropper and 2 * totals[seat] <= own:
            wins = False
    if wins:
        return True, settle_out(pay, dropper, 1)
    if options.equal_pays:
        _settle_equal_pays(pay, totals, dropper, options.drop_penalty)
        return False, 1
    if options.drop_settlement:
        return False, _pay_lowest(pay, totals, dropper, own, options.drop_penalty)
    _settle_pairwise(pay, totals, dropper, own, options.drop_penalty)
    return False, 1


@kernel
def settle_out(pay: Ints, winner: int, stakes: int) -> int:
    """Every other player pays the winner that many stakes (K12, `out_pay`)."""
    pay[:] = -stakes
    pay[winner] = stakes * (len(pay) - 1)
    return 1


@kernel
def settle_stock_out(pay: Ints, totals: Ints, options: Options) -> int:
    """The lowest total is paid 1 stake by every greater one, unless such hands are void (`stock_out`)."""
    if options.stock_out == VOID:
        pay[:] = 0
        return 1
    return _pay_lowest(pay, totals, 0, 2 * totals[0], 1)


@kernel
def _settle_equal_pays(pay: Ints, totals: Ints, dropper: int, penalty: int) -> None:
    """A failed dropper pays everyone who is equal or lower; nobody else pays."""
    paid = 0
    for seat in range(len(pay)):
        gets = seat != dropper and totals[seat] <= totals[dropper]
        pay[seat] = penalty if gets else 0
        paid += pay[seat]
    pay[dropper] = -paid


@kernel
def _settle_pairwise(pay: Ints, totals: Ints, dropper: int, own: int, penalty: int) -> None:
    """The greater of any two totals pays the smaller; `own` is the dropper's total, doubled and moved by a tie."""
    players = len(pay)
    pay[:] = 0
    for payer in range(players):
        more = own if payer == dropper else 2 * totals[payer]
        stakes = penalty if payer == dropper else 1
        for receiver in range(players):
            less = own if receiver == dropper else 2 * totals[receiver]
            if less < more:
                pay[payer] -= stakes
                pay[receiver] += stakes


@kernel
def _pay_lowest(pay: Ints, totals: Ints, dropper: int, own: int, penalty: int) -> int:
    """Each total above the lowest pays 1 stake, the dropper's `penalty`; the lowest totals share equally."""
    players = len(pay)
    lowest, sharing = own, 0
    for seat in range(players):
        if seat != dropper:
            lowest = min(lowest, 2 * totals[seat])
    for seat in range(players):
        sharing += (own if seat == dropper else 2 * totals[seat]) == lowest
    paid = 0
    for seat in range(players):
        if (own if seat == dropper else 2 * totals[seat]) > lowest:
            stakes = penalty if seat == dropper else 1
            paid += stakes
            pay[seat] = -stakes * sharing
    for seat in range(players):
        if (own if seat == dropper else 2 * totals[seat]) == lowest:
            pay[seat] = paid
    return sharing
