"""Dropping at once on the first turn: against enumeration deal by deal, the two exact ways, and sampling."""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, sqrt

import numpy as np
import pytest

from analysis.estimate import Estimate
from analysis.tonk import Drop, TonkRules, drop
from analysis.tonk.first_turn import _exact_expectation, _exact_joint, _exact_no_tonk, _exact_wins
from analysis.tonk.table import Table
from core.errors import InputError, TooMuchWorkError
from tests.analysis.tonk.test_opening import all_deals, hand_total, is_tonk, plausible_mean, plausible_rate, unseen
from tests.reference.tonk_settle import settle

PLENTY = 10**9  # steps: more than any exact answer here needs

QUANTITIES = ("p_no_tonk", "p_win", "p_less", "payment")
TIES = ("no_win", "dropper_loses", "dropper_wins")
SETTLEMENTS = ("pairwise", "lowest_only")
SETTLINGS = [
    {"drop_tie": tie, "drop_settlement": settlement, "equal_pays": equal_pays, "drop_penalty": penalty}
    for tie, settlement, equal_pays, penalty in product(TIES, SETTLEMENTS, ("no", "yes"), (0, 2, 3))
]

LOW, MIDDLE, HIGH = "3d 4c 6s 2h Ah", "2d 4c 6s 5h 6h", "10s 8d 8h 5s 4c"  # 16, 23, 35


def payments(own: int, totals: tuple[int, ...], rules: TonkRules) -> Fraction:
    """Return what the dropper wins, by the reference."""
    return settle(
        [own, *totals],
        0,
        drop_tie=rules.drop_tie,
        drop_settlement=rules.drop_settlement,
        drop_penalty=rules.drop_penalty,
        equal_pays=rules.equal_pays,
    )[0]


def from_deals(hand: str, deals: Mapping[tuple[int, ...], int], rules: TonkRules) -> dict[str, Fraction]:
    """Answer as `drop` does from all deals, given as the number of ways by the others' totals."""
    own = hand_total(hand)
    every = sum(deals.values())
    dropped = {totals: ways for totals, ways in deals.items() if not any(is_tonk(total, rules) for total in totals)}
    met = sum(dropped.values())
    return {
        "p_no_tonk": Fraction(met, every),
        "p_win": Fraction(sum(ways for totals, ways in dropped.items() if min(totals) > own), met),
        "p_less": Fraction(sum(ways for totals, ways in dropped.items() if min(totals) < own), met),
        "payment": sum((ways * payments(own, totals, rules) for totals, ways in dropped.items()), Fraction(0)) / met,
    }


def answers(result: Drop) -> dict[str, object]:
    return {name: getattr(result, name) for name in QUANTITIES}


# ---------------------------------------------------------------------------------------------------------------------
# Exact answers against all deals.
# ---------------------------------------------------------------------------------------------------------------------

TINY = [
    # hand, up-card, players, limits
    ("5s", None, 2, (1, 10)),
    ("2s", "Kd", 2, (1, 10)),
    ("9s", "9d", 3, (1, 10)),
    ("5s", None, 3, (None, None)),
    ("Qs", None, 3, (2, None)),
    ("3h", "3c", 4, (1, 10)),
    ("4h", None, 4, (3, 8)),
    ("5s 6h", None, 2, (3, 20)),
    ("2s 2h", "2d", 3, (3, 20)),
    ("9s Ah", None, 3, (4, 19)),
]


@pytest.mark.parametrize("options", SETTLINGS, ids=lambda options: "-".join(map(str, options.values())))
def test_exact_drops_equal_a_full_enumeration_of_tiny_games(options):
    for hand, up, players, (low, high) in TINY:
        size = len(hand.split())
        rules = TonkRules(hand_size=size, low_tonk=low, high_tonk=high, **options)
        result = drop(hand, players, rules, up=up)
        deals = all_deals(players - 1, size, unseen(hand, up))
        assert answers(result) == from_deals(hand, deals, rules), (hand, up, players)
        assert (result.players, result.total, result.note) == (players, hand_total(hand), None)


@pytest.mark.parametrize("options", [{}, {"drop_settlement": "lowest_only"}, {"equal_pays": "yes", "drop_penalty": 1}])
def test_exact_drops_with_two_decks_equal_a_full_enumeration(options):
    rules = TonkRules(hand_size=2, decks=2, low_tonk=4, high_tonk=19, **options)
    for hand, up in (("5s 5s", None), ("2s 3s", "2s"), ("8c Kc", "Kc")):
        deals = all_deals(2, 2, unseen(hand, up, decks=2))
        assert answers(drop(hand, 3, rules, up=up)) == from_deals(hand, deals, rules)


@pytest.mark.parametrize("options", SETTLINGS, ids=lambda options: "-".join(map(str, options.values())))
def test_exact_drops_between_two_players_equal_an_enumeration_of_the_other_hand(options):
    for hand, up in ((LOW, "Qd"), (LOW, None), (HIGH, "5c"), ("10s 8d 8h 5s 2c", None), ("Ks Kh 9d 9c 10s", "Kd")):
        rules = TonkRules(**options)
        assert answers(drop(hand, 2, rules, up=up)) == from_deals(hand, all_deals(1, 5, unseen(hand, up)), rules)


@pytest.mark.parametrize("limits", [(12, 47), (None, 48), (20, None)])
@pytest.mark.parametrize("hand", [MIDDLE, HIGH, "9s 9h 8d 10c Ks"])
def test_exact_drops_between_two_players_follow_the_limits(hand, limits):
    rules = TonkRules(low_tonk=limits[0], high_tonk=limits[1])
    assert answers(drop(hand, 2, rules)) == from_deals(hand, all_deals(1, 5, unseen(hand)), rules)


@cache
def deals_of_two_hands(deck: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Return, by both totals, the number of ways to deal two hands of five: what `all_deals` does, but quicker."""
    hands = np.array([[values.count(value) for value in range(1, 11)] for values in five_card_values()])
    totals = hands @ np.arange(1, 11)
    ways_to_take = np.array([[comb(cards, taken) for taken in range(6)] for cards in range(17)])
    table = np.zeros((51, 51), np.int64)  # the ways number at most 1.6e12, which floats hold exactly
    for hand, total in zip(hands, totals, strict=True):
        first = int(np.prod(ways_to_take[deck, hand]))
        if first:
            second = np.prod(ways_to_take[np.array(deck) - hand, hands], axis=1)
            table[total] += np.bincount(totals, first * second, minlength=51).astype(np.int64)
    return {(int(a), int(b)): int(table[a, b]) for a, b in np.argwhere(table)}


def five_card_values() -> list[tuple[int, ...]]:
    return list(combinations_with_replacement(range(1, 11), 5))


@pytest.mark.parametrize(("hand", "up"), [(HIGH, "5c"), (MIDDLE, None)])
def test_exact_drops_among_three_players_equal_an_enumeration_of_both_other_hands(hand, up):
    deals = deals_of_two_hands(unseen(hand, up))
    left = sum(unseen(hand, up))
    assert sum(deals.values()) == comb(left, 5) * comb(left - 5, 5)
    for options in SETTLINGS[1::3]:  # drop_penalty 2
        rules = TonkRules(**options)
        assert answers(drop(hand, 3, rules, up=up)) == from_deals(hand, deals, rules)


@pytest.mark.parametrize(
    ("hand", "up", "players", "tie"),
    [
        *((hand, up, 3, tie) for hand, up in ((LOW, "Qd"), (MIDDLE, None), (HIGH, "5c")) for tie in TIES),
        (LOW, None, 4, "dropper_loses"),
        (MIDDLE, "Ks", 4, "no_win"),
        (HIGH, None, 4, "dropper_wins"),
        (LOW, "Qd", 5, "no_win"),
        ("2d 4c 3s 5h 4h", None, 5, "dropper_loses"),
    ],
)
def test_the_joint_and_the_linear_way_give_the_same_fractions(hand, up, players, tie):
    table = Table.seen(TonkRules(drop_tie=tie, drop_penalty=3), players, hand, up)
    joint = _exact_joint(table, PLENTY)
    linear = _exact_expectation(table, PLENTY)
    wins = _exact_wins(table, PLENTY)
    assert linear["p_no_tonk"] == wins["p_no_tonk"]
    assert joint == linear | wins
    assert all(isinstance(joint[name], Fraction) for name in QUANTITIES)


def test_a_drop_among_many_players_is_exact_where_payments_are_pairwise():
    for players in range(2, 11):
        result = drop(LOW, players, up="Qd")
        assert result.note is None
        assert all(isinstance(value, Fraction) for value in answers(result).values())
        # 16 is the least total short of a TONK: nobody has less, and others tie or pay.
        assert result.p_less == 0
        assert 0 < result.p_win < 1
        assert result.payment < players - 1
        # Where somebody ties, those who do not still pay.
        assert (result.payment > (players - 1) * result.p_win) is (players > 2)


def test_the_tie_decides_what_a_drop_of_the_lowest_total_is_worth():
    # Nobody can have less than 16. If ties win, the dropper is paid by everyone in every deal.
    for players in (2, 3, 4, 7, 10):
        no_win, loses, wins = (drop(LOW, players, TonkRules(drop_tie=tie)) for tie in TIES)
        assert wins.payment == players - 1
        assert loses.payment < no_win.payment < wins.payment
        assert no_win.p_win == loses.p_win == wins.p_win


def test_without_limits_everybody_comes_to_a_drop():
    assert drop(HIGH, 4, TonkRules(low_tonk=None, high_tonk=None)).p_no_tonk == 1


# ---------------------------------------------------------------------------------------------------------------------
# Sampled drops.
# ---------------------------------------------------------------------------------------------------------------------


def assert_sampled(found: Drop, exact: Drop, deals: int) -> None:
    """Hold a sampled drop against an exact one; the bounds are those of test_opening."""
    assert (found.players, found.total) == (exact.players, exact.total)
    assert plausible_rate(found.p_no_tonk, exact.p_no_tonk)
    assert plausible_rate(found.p_win, exact.p_win)
    assert plausible_rate(found.p_less, exact.p_less)
    assert plausible_mean(found.payment, exact.payment)
    assert found.p_no_tonk.n == deals
    # The others are known from the deals without TONK alone.
    assert found.p_win.n == found.p_less.n == found.payment.n == round(found.p_no_tonk.value * deals)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"drop_tie": "dropper_loses", "drop_penalty": 3},
        {"drop_tie": "dropper_wins", "drop_settlement": "lowest_only"},
        {"drop_settlement": "lowest_only"},
        {"equal_pays": "yes"},
        {"low_tonk": None, "high_tonk": 44},
        {"low_tonk": 15, "high_tonk": None, "decks": 2},
    ],
)
@pytest.mark.parametrize(("hand", "up"), [(LOW, "Qd"), (MIDDLE, None), (HIGH, "5c"), ("10s 10d 9h 9c 5s", None)])
def test_sampled_drops_agree_with_exact_ones(hand, up, options):
    rules = TonkRules(**options)
    for players in (2, 3, 4) if hand == LOW else (2, 3):
        found = drop(hand, players, rules, up=up, deals=200_000, seed=6, sampled=True)
        assert_sampled(found, drop(hand, players, rules, up=up), 200_000)
        assert found.note is not None


@pytest.mark.parametrize("players", [6, 8, 10])
def test_sampled_drops_among_many_players_agree_with_exact_ones(players):
    # The lowest total short of a TONK, for which all is exact whatever the number of players.
    assert_sampled(
        drop(LOW, players, deals=300_000, seed=8, sampled=True), drop(LOW, players, max_steps=PLENTY), 300_000
    )


def test_sampled_drops_of_other_hand_sizes_agree_with_exact_ones():
    for hand, low, high in (("5s", 1, 10), ("5s 4d 2c", 8, 30), ("5s 4d 2c 2d 3h 8h 9h", 20, 68)):
        rules = TonkRules(hand_size=len(hand.split()), low_tonk=low, high_tonk=high)
        assert_sampled(drop(hand, 3, rules, deals=200_000, seed=9, sampled=True), drop(hand, 3, rules), 200_000)


@pytest.mark.parametrize("options", SETTLINGS[2::3], ids=lambda options: "-".join(map(str, options.values())))
def test_the_standard_error_of_a_sampled_payment_is_that_of_the_game(options):
    rules = TonkRules(hand_size=1, low_tonk=1, high_tonk=10, **options)
    found = drop("5s", 3, rules, deals=100_000, seed=10, sampled=True).payment
    pays: Counter[Fraction] = Counter()
    for totals, ways in all_deals(2, 1, unseen("5s")).items():
        if not any(is_tonk(total, rules) for total in totals):
            pays[payments(5, totals, rules)] += ways
    total = sum(pays.values())
    mean = sum(pay * ways for pay, ways in pays.items()) / total
    second, fourth = (
        float(sum((pay - mean) ** power * ways for pay, ways in pays.items()) / total) for power in (2, 4)
    )
    # As in test_opening: 5 standard errors of the sampled spread.
    relative = sqrt((fourth / second**2 - 1) / found.n) / 2
    assert found.se == pytest.approx(sqrt(second / found.n), rel=5 * relative)


def test_a_sample_is_the_same_for_any_number_of_threads_and_another_for_another_seed():
    first = drop(HIGH, 5, deals=600_000, seed=11, threads=1, sampled=True)
    assert drop(HIGH, 5, deals=600_000, seed=11, threads=2, sampled=True) == first
    other = drop(HIGH, 5, deals=600_000, seed=12, threads=2, sampled=True)
    assert other.payment.value != first.payment.value
    assert (other.payment.seed, first.payment.seed) == (12, 11)


# ---------------------------------------------------------------------------------------------------------------------
# Where an exact answer takes too much work. How many steps a question needs is searched for, since it changes whenever
# the counting gets better.
# ---------------------------------------------------------------------------------------------------------------------


Question = Callable[[Table, int], dict[str, Fraction]]


def known(result: Drop) -> set[str]:
    return {name for name, value in answers(result).items() if isinstance(value, Fraction)}


def least_steps(question: Question, table: Table) -> int:
    """Return a number of steps that the question can do with, at most 1 % above the least."""
    enough = 1
    while not can_do(question, table, enough):
        enough *= 2
    too_few = enough // 2
    while enough - too_few > enough // 100:
        middle = (enough + too_few) // 2
        if can_do(question, table, middle):
            enough = middle
        else:
            too_few = middle
    return enough


def can_do(question: Question, table: Table, steps: int) -> bool:
    try:
        question(table, steps)
    except TooMuchWorkError:
        return False
    return True


@pytest.mark.parametrize(
    ("hand", "options"),
    [
        (HIGH, {}),
        (MIDDLE, {"drop_tie": "dropper_loses"}),
        (HIGH, {"drop_settlement": "lowest_only"}),
        (MIDDLE, {"equal_pays": "yes"}),
    ],
)
def test_what_takes_too_many_steps_is_estimated_and_the_rest_stays_exact(hand, options):
    rules = TonkRules(**options)
    table = Table.seen(rules, 3, hand, None)
    pairwise = "drop_settlement" not in options and "equal_pays" not in options
    exact = drop(hand, 3, rules, max_steps=PLENTY)
    assert exact.note is None
    questions = {
        _exact_no_tonk: {"p_no_tonk"},
        _exact_expectation: {"p_no_tonk", "payment"},
        _exact_wins: {"p_no_tonk", "p_win", "p_less"},
    }
    if not pairwise:
        del questions[_exact_expectation]
    needed = {question: least_steps(question, table) for question in questions}
    budgets = {1} | {steps for need in needed.values() for steps in (need, need * 9 // 10)}
    seen = set()
    for steps in sorted(budgets):
        found = drop(hand, 3, rules, max_steps=steps, deals=150_000, seed=13)
        stays = {name for question, names in questions.items() if steps >= needed[question] for name in names}
        assert known(found) == stays
        for name in stays:
            assert getattr(found, name) == getattr(exact, name)
        for name in set(QUANTITIES) - stays:
            plausible = plausible_mean if name == "payment" else plausible_rate
            assert plausible(getattr(found, name), getattr(exact, name)), name
        if len(stays) < len(QUANTITIES):
            assert f"{steps:,} steps" in found.note
            assert "150,000 deals" in found.note
        else:
            assert found.note is None
        seen.add(frozenset(stays))
    # Nothing exact, a part of it, and (where payments are pairwise) everything.
    assert len(seen) >= (3 if pairwise else 2)


def test_a_precision_is_that_of_the_payment_and_of_the_chance_to_win_where_the_payment_is_exact():
    rules = TonkRules(drop_settlement="lowest_only")
    found = drop(HIGH, 4, rules, max_steps=1000, precision=0.003, seed=14)
    assert found.payment.half_width <= 0.003
    # The settlement spreads by 1 to 2 stakes, so the pilot of 100,000 deals does not reach this, and 4 million do.
    assert 100_000 < found.payment.n < 4_000_000
    steps = least_steps(_exact_expectation, Table.seen(TonkRules(), 3, MIDDLE, None))
    found = drop(MIDDLE, 3, max_steps=steps, precision=0.001, seed=14)
    assert isinstance(found.payment, Fraction)
    assert isinstance(found.p_win, Estimate)
    assert found.p_win.half_width <= 0.001
    with pytest.raises(InputError, match=r"0\.0001.*1,000 deals"):
        drop(HIGH, 4, rules, max_steps=1000, precision=0.0001, deals=1000)


# ---------------------------------------------------------------------------------------------------------------------
# Input that cannot be.
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "players", "options", "up", "named"),
    [
        ("As 2h 3d 4c 5s", 3, {}, None, r"As 2h 3d 4c 5s.*15.*TONK"),
        ("Ks Qh Jd 10c 9s", 3, {}, None, r"Ks Qh Jd 10c 9s.*49.*TONK"),
        ("10s 8d 8h 5s", 3, {}, None, "4 cards"),
        ("10s 8d 8h 5s 4c 3c", 3, {}, None, "6 cards"),
        ("", 3, {}, None, "0 cards"),
        ("10s 8d 8d 5s 4c", 3, {}, None, "8d"),
        ("10s 8d 8h 5s 1c", 3, {}, None, "1c"),
        (HIGH, 3, {}, "8d", "8d"),
        (HIGH, 3, {}, "8s 9s", "8s 9s"),
        (HIGH, 3, {}, "", "0 cards"),
        (HIGH, 3, {"up_card": "no"}, "9s", "9s"),
        (HIGH, 3, {"decks": 2}, "Zz", "Zz"),
        (HIGH, 1, {}, None, "1 players"),
        (HIGH, 11, {}, None, "11 players"),
    ],
)
def test_input_that_cannot_be_is_refused_by_name(hand, players, options, up, named):
    for sampled in (False, True):
        with pytest.raises(InputError, match=named):
            drop(hand, players, TonkRules(**options), up=up, sampled=sampled)


def test_a_hand_is_a_tonk_by_the_limits_in_force():
    hand = "As 2h 3d 4c 5s"
    assert drop(hand, 2, TonkRules(low_tonk=14)).total == 15
    with pytest.raises(InputError, match="TONK"):
        drop(HIGH, 2, TonkRules(high_tonk=35))
    assert drop(HIGH, 2, TonkRules(high_tonk=36)).total == 35


@pytest.mark.parametrize("max_steps", [PLENTY, 1])
def test_a_game_in_which_somebody_always_holds_a_tonk_is_refused(max_steps):
    # Five others draw from the three fives left, so somebody holds a TONK.
    rules = TonkRules(hand_size=1, low_tonk=4, high_tonk=6)
    with pytest.raises(InputError, match="TONK"):
        drop("5s", 6, rules, max_steps=max_steps, deals=1000)


def test_a_sample_in_which_no_deal_comes_to_a_drop_says_so():
    # Five others all total 41, which happens, but not in 1000 deals.
    with pytest.raises(InputError, match="TONK"):
        drop("9s 9h 9d 9c 5c", 6, TonkRules(low_tonk=40, high_tonk=42), max_steps=1, deals=1000)
