"""Payments after a drop (K8) and for TONK hands (K4): against the reference, and each option by hand."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.tonk.payments import drop_wins, settle_drop, settle_out, settle_stock_out, tonk_payments
from core.tonk.rules import TonkRules
from tests.reference import tonk_settle

DROP_CHOICES = {
    "drop_tie": ("no_win", "dropper_loses", "dropper_wins"),
    "drop_settlement": ("pairwise", "lowest_only"),
    "equal_pays": ("no", "yes"),
    "drop_penalty": (1, 2, 3),
}
DROP_OPTIONS = [dict(zip(DROP_CHOICES, values, strict=True)) for values in product(*DROP_CHOICES.values())]
TONK_CHOICES = {"several_tonks": ("each", "first", "split", "void"), "tonk_pay": (1, 2, 5)}
TONK_OPTIONS = [dict(zip(TONK_CHOICES, values, strict=True)) for values in product(*TONK_CHOICES.values())]


def options_name(options: dict[str, object]) -> str:
    return "-".join(map(str, options.values()))


# Against the reference


@pytest.mark.parametrize("options", DROP_OPTIONS, ids=options_name)
def test_drop_settlement_equals_reference_for_all_small_totals(options):
    rules = TonkRules(**options)
    for players in (2, 3, 4):
        for totals in product((3, 4, 5), repeat=players):
            for dropper in range(players):
                expected = tonk_settle.settle(totals, dropper, **options)
                assert list(settle_drop(totals, dropper, rules)) == expected, (totals, dropper)


@settings(deadline=None)
@given(
    totals=st.lists(st.integers(0, 12) | st.integers(0, 130), min_size=2, max_size=12),
    seat=st.integers(0, 11),
    options=st.sampled_from(DROP_OPTIONS),
)
def test_drop_settlement_of_larger_tables_equals_reference_and_is_zero_sum(totals, seat, options):
    dropper = seat % len(totals)
    payments = settle_drop(totals, dropper, TonkRules(**options))
    assert list(payments) == tonk_settle.settle(totals, dropper, **options)
    assert sum(payments) == 0


@pytest.mark.parametrize("options", TONK_OPTIONS, ids=options_name)
def test_tonk_payments_equal_reference_for_all_sets_of_holders(options):
    rules = TonkRules(**options)
    for players in range(2, 8):
        for holders in product((False, True), repeat=players):
            payments = tonk_payments(holders, rules)
            assert list(payments) == tonk_settle.tonk_pay(holders, **options), holders
            assert sum(payments) == 0, holders


@settings(deadline=None)
@given(
    holders=st.lists(st.booleans(), min_size=8, max_size=20),
    several=st.sampled_from(TONK_CHOICES["several_tonks"]),
    pay=st.integers(1, 50),
)
def test_tonk_payments_of_larger_tables_equal_reference(holders, several, pay):
    payments = tonk_payments(holders, TonkRules(several_tonks=several, tonk_pay=pay))
    assert list(payments) == tonk_settle.tonk_pay(holders, several_tonks=several, tonk_pay=pay)


@settings(deadline=None)
@given(
    totals=st.lists(st.integers(0, 8), min_size=3, max_size=7),
    seat=st.integers(0, 6),
    options=st.sampled_from(DROP_OPTIONS),
    data=st.data(),
)
def test_drop_settlement_follows_the_players_when_they_change_seats(totals, seat, options, data):
    dropper, rules = seat % len(totals), TonkRules(**options)
    order = data.draw(st.permutations(range(len(totals))))
    payments = settle_drop(totals, dropper, rules)
    moved = settle_drop([totals[old] for old in order], order.index(dropper), rules)
    assert moved == tuple(payments[old] for old in order)


def test_payments_are_tuples_of_fractions():
    rules = TonkRules()
    for payments in (settle_drop([9, 20], 0, rules), tonk_payments([True, False], rules)):
        assert isinstance(payments, tuple)
        assert all(isinstance(stakes, Fraction) for stakes in payments)


# A drop, by hand


def drop(totals, dropper, **options):
    return settle_drop(totals, dropper, TonkRules(**options))


@pytest.mark.parametrize("options", DROP_OPTIONS, ids=options_name)
def test_successful_drop_is_paid_one_stake_by_each_other_player_under_every_option(options):
    assert drop([30, 7, 12, 30], 1, **options) == (-1, 3, -1, -1)


def test_failed_drop_pairwise_pays_the_penalty_down_and_every_pair_one_stake():
    # The dropper (20) pays 2 to 5 and 2 to 11; 40 pays 1 to each of 20, 5 and 11; 11 pays 1 to 5.
    assert drop([20, 5, 11, 40], 0) == (-4 + 1, 2 + 1 + 1, 2 + 1 - 1, -3)


def test_failed_drop_lowest_only_pays_the_lowest_and_nobody_else():
    # 5 gets 2 from the dropper and 1 from each of 11 and 40.
    assert drop([20, 5, 11, 40], 0, drop_settlement="lowest_only") == (-2, 4, -1, -1)


def test_failed_drop_lowest_only_is_shared_by_several_lowest():
    # 2 from the dropper and 1 from 40, shared by three.
    assert drop([20, 5, 5, 40, 5], 0, drop_settlement="lowest_only") == (-2, 1, 1, -1, 1)
    # 2 from the dropper, shared by two; under pairwise each of them gets 2.
    assert drop([20, 5, 5], 0, drop_settlement="lowest_only") == (-2, 1, 1)
    assert drop([20, 5, 5], 0, drop_settlement="pairwise") == (-4, 2, 2)


def test_shares_are_exact_where_they_are_no_whole_stakes():
    half = Fraction(1, 2)
    assert drop([20, 5, 5, 40], 0, drop_settlement="lowest_only") == (-2, 3 * half, 3 * half, -1)


@pytest.mark.parametrize(
    ("drop_tie", "payments"),
    [
        # 8 and 8 are both below 15: 15 pays 1 to each of them, and they pay each other nothing.
        ("no_win", (1, 1, -2)),
        # The dropper pays 2 to the tied player; 15 pays 1 to each.
        ("dropper_loses", (1 - 2, 1 + 2, -2)),
        # The drop is a win: each other player pays 1.
        ("dropper_wins", (2, -1, -1)),
    ],
)
def test_drop_tie_decides_a_tie_for_the_lowest_total(drop_tie, payments):
    assert drop([8, 8, 15], 0, drop_tie=drop_tie) == payments


@pytest.mark.parametrize(
    ("drop_tie", "payments"),
    [
        # The dropper (9) pays 2 to 6; the tied player pays 1 to 6; 12 pays 1 to each of the three.
        ("no_win", (-2 + 1, 2 + 1 + 1, -1 + 1, -3)),
        # Also 2 from the dropper to the tied player.
        ("dropper_loses", (-4 + 1, 2 + 1 + 1, 2 - 1 + 1, -3)),
        # Also 1 from the tied player to the dropper.
        ("dropper_wins", (-2 + 1 + 1, 2 + 1 + 1, -1 - 1 + 1, -3)),
    ],
)
def test_drop_tie_decides_a_tie_above_the_lowest_total(drop_tie, payments):
    assert drop([9, 6, 9, 12], 0, drop_tie=drop_tie) == payments


@pytest.mark.parametrize(
    ("drop_tie", "payments"),
    [
        # 15 and 30 pay 1 each, shared by the dropper and the two tied players.
        ("no_win", (Fraction(2, 3), Fraction(2, 3), Fraction(2, 3), -1, -1)),
        # The two tied players are the lowest: 2 from the dropper and 1 from each above.
        ("dropper_loses", (-2, 2, 2, -1, -1)),
        # The drop is a win.
        ("dropper_wins", (4, -1, -1, -1, -1)),
    ],
)
def test_drop_tie_decides_a_tie_for_the_lowest_total_under_lowest_only(drop_tie, payments):
    assert drop([8, 8, 8, 15, 30], 0, drop_tie=drop_tie, drop_settlement="lowest_only") == payments


@pytest.mark.parametrize("drop_tie", DROP_CHOICES["drop_tie"])
def test_drop_tie_does_not_matter_above_the_lowest_total_under_lowest_only(drop_tie):
    assert drop([9, 6, 9, 12], 0, drop_tie=drop_tie, drop_settlement="lowest_only") == (-2, 4, -1, -1)


def test_everybody_tied_pays_nothing_unless_the_tie_counts():
    for settlement in DROP_CHOICES["drop_settlement"]:
        assert drop([7, 7, 7], 1, drop_settlement=settlement) == (0, 0, 0)
    assert drop([7, 7, 7], 1, drop_tie="dropper_loses") == (2, -4, 2)
    assert drop([7, 7, 7], 1, drop_tie="dropper_loses", drop_settlement="lowest_only") == (1, -2, 1)
    assert drop([7, 7, 7], 1, drop_tie="dropper_wins") == (-1, 2, -1)


@pytest.mark.parametrize("drop_tie", DROP_CHOICES["drop_tie"])
@pytest.mark.parametrize("drop_settlement", DROP_CHOICES["drop_settlement"])
def test_equal_pays_overrides_drop_tie_and_drop_settlement(drop_tie, drop_settlement):
    settings = {"drop_tie": drop_tie, "drop_settlement": drop_settlement, "equal_pays": "yes"}
    # 2 to the equal one and 2 to each of the lower two; the higher one pays nobody.
    assert drop([9, 9, 6, 5, 20], 0, **settings) == (-6, 2, 2, 2, 0)
    # A tie for the lowest is a failed drop.
    assert drop([8, 8, 15], 0, **settings) == (-2, 2, 0)


def test_equal_pays_no_leaves_the_other_payments_standing():
    # 20 pays 1 to all four; 9 (tied) pays 1 to 6 and 5; 6 pays 1 to 5; the dropper pays 2 to 6 and to 5.
    assert drop([9, 9, 6, 5, 20], 0, equal_pays="no") == (-4 + 1, -2 + 1, 2 + 1 - 1 + 1, 2 + 1 + 1 + 1, -4)


@pytest.mark.parametrize("penalty", [1, 2, 3, 7])
def test_drop_penalty_is_what_the_dropper_pays_and_nobody_else(penalty):
    # To each of 5 and 11, who settle 1 stake between themselves.
    assert drop([20, 5, 11], 0, drop_penalty=penalty) == (-2 * penalty, penalty + 1, penalty - 1)
    # Once, to the lowest.
    assert drop([20, 5, 11], 0, drop_penalty=penalty, drop_settlement="lowest_only") == (
        -penalty,
        penalty + 1,
        -1,
    )
    assert drop([20, 5, 20], 0, drop_penalty=penalty, equal_pays="yes") == (-2 * penalty, penalty, penalty)


def test_american_preset_settles_a_tied_drop_as_ordinary_tonk_does():
    assert settle_drop([9, 9, 30], 1, TonkRules.load("american")) == (2, -2, 0)


# TONK hands, by hand


@pytest.mark.parametrize("several", TONK_CHOICES["several_tonks"])
def test_single_tonk_is_paid_by_each_other_player_under_every_option(several):
    assert tonk_payments([False, False, True, False], TonkRules(several_tonks=several)) == (-2, -2, 6, -2)


@pytest.mark.parametrize(
    ("several", "payments"),
    [
        ("each", (-4, 6, -4, 6, -4)),  # the three others pay 2 to each holder
        ("first", (-2, 6, -2, 0, -2)),  # seat 1 is nearer the dealer's left
        ("split", (-2, 3, -2, 3, -2)),  # 3 × 2 shared by two
        ("void", (0, 0, 0, 0, 0)),
    ],
)
def test_several_tonks_decides_who_is_paid_when_two_hold_tonk(several, payments):
    assert tonk_payments([False, True, False, True, False], TonkRules(several_tonks=several)) == payments


def test_split_shares_are_exact_where_they_are_no_whole_stakes():
    third = Fraction(2, 3)
    rules = TonkRules(several_tonks="split")
    assert tonk_payments([True, True, False, True], rules) == (third, third, -2, third)


@pytest.mark.parametrize("pay", [1, 2, 3])
def test_tonk_pay_is_what_each_player_without_tonk_pays(pay):
    assert tonk_payments([True, False, False], TonkRules(tonk_pay=pay)) == (2 * pay, -pay, -pay)
    assert tonk_payments([True, True, False], TonkRules(tonk_pay=pay)) == (pay, pay, -2 * pay)


@pytest.mark.parametrize("several", TONK_CHOICES["several_tonks"])
@pytest.mark.parametrize("holders", [(False, False, False), (True, True, True)])
def test_nobody_pays_when_nobody_or_everybody_holds_tonk(several, holders):
    assert tonk_payments(holders, TonkRules(several_tonks=several)) == (0, 0, 0)


# Wrong input


@pytest.mark.parametrize("dropper", [-1, 3, 99])
def test_dropper_out_of_range_is_refused(dropper):
    with pytest.raises(InputError, match=str(dropper)):
        settle_drop([9, 10, 24], dropper, TonkRules())


@pytest.mark.parametrize("totals", [[], [9]])
def test_fewer_than_two_totals_are_refused(totals):
    with pytest.raises(InputError):
        settle_drop(totals, 0, TonkRules())


def test_negative_total_is_refused_by_name():
    with pytest.raises(InputError, match="-3"):
        settle_drop([9, -3, 24], 0, TonkRules())


@pytest.mark.parametrize("totals", [[float("nan"), 2], [1.5, 2], ["1", 2]])
def test_totals_that_are_no_whole_numbers_are_refused(totals):
    with pytest.raises(InputError, match="whole number"):
        settle_drop(totals, 0, TonkRules())


def test_small_numpy_integers_do_not_overflow():
    assert settle_drop(np.array([1, 2, 100], np.int8), 0, TonkRules()) == (2, -1, -1)


# Going out and an empty stock


def test_going_out_is_paid_by_each_other_player():
    assert settle_out(4, 2) == (-1, -1, 3, -1)
    assert settle_out(2, 0, 5) == (5, -5)


def test_the_lowest_total_of_a_showdown_is_paid_by_each_greater_one():
    rules = TonkRules()
    assert settle_stock_out([10, 4, 7], rules) == (-1, 2, -1)
    assert settle_stock_out([4, 4, 7, 9], rules) == (1, 1, -1, -1)
    assert settle_stock_out([4, 4, 4, 9], rules) == (Fraction(1, 3),) * 3 + (-1,)
    assert settle_stock_out([4, 4], rules) == (0, 0)


def test_stock_out_decides_whether_an_empty_stock_is_paid():
    totals = [10, 4, 7]
    assert settle_stock_out(totals, TonkRules(stock_out="void")) == (0, 0, 0)
    assert settle_stock_out(totals, TonkRules(stock_out="reshuffle")) == settle_stock_out(totals, TonkRules())


@pytest.mark.parametrize("options", DROP_OPTIONS, ids=options_name)
def test_a_drop_wins_exactly_where_each_other_player_pays_one_stake(options):
    rules = TonkRules(**options)
    for totals in product((3, 4, 5), repeat=3):
        for dropper in range(3):
            paid = list(settle_drop(totals, dropper, rules))
            assert drop_wins(totals, dropper, rules) == (
                paid == list(settle_out(3, dropper)) and min(totals) == totals[dropper]
            )
