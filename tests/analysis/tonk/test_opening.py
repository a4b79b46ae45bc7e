"""Odds of a TONK on the deal: against enumeration, the reference, sampling, and by hand; what each option moves."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, sqrt
from typing import Any

import pytest
from scipy.stats import binom

from analysis.estimate import Estimate
from analysis.tonk import Odds, TonkRules, drop, odds, odds_by_players
from core.errors import InputError, TooMuchWorkError
from tests.reference import tonk_count
from tests.reference.tonk_settle import tonk_pay

SEVERAL = ("each", "first", "split", "void")
PLENTY = 10**9  # steps: more than any exact answer here needs
FEW = 1000  # steps: fewer than any question here needs that is meant to be sampled

LIMITS = [(15, 49), (12, 47), (None, 48), (16, None)]


# ---------------------------------------------------------------------------------------------------------------------
# The oracle: every deal of a small game, grouped by value. It shares no code with the project.
# ---------------------------------------------------------------------------------------------------------------------


def value_of(card: str) -> int:
    """Return what a card such as `10h` counts (K4)."""
    rank = card[:-1]
    return {"A": 1, "J": 10, "Q": 10, "K": 10}.get(rank) or int(rank)


def hand_total(hand: str) -> int:
    return sum(map(value_of, hand.split()))


def unseen(*seen: str | None, decks: int = 1) -> tuple[int, ...]:
    """Return how many cards count 1, 2, … 10 once the seen hands and up-cards are taken out."""
    gone = Counter(value_of(card) for cards in seen if cards for card in cards.split())
    return tuple(decks * (16 if value == 10 else 4) - gone[value] for value in range(1, 11))


@cache
def all_deals(players: int, hand_size: int, deck: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Return, by the players' totals, the number of ways to deal each of them a hand, one after the other."""
    if players == 0:
        return {(): 1}
    found: Counter[tuple[int, ...]] = Counter()
    for values in combinations_with_replacement(range(1, 11), hand_size):
        ways = 1
        after = list(deck)
        for value, taken in Counter(values).items():
            ways *= comb(deck[value - 1], taken)
            after[value - 1] -= taken
        if ways:
            for others, more in all_deals(players - 1, hand_size, tuple(after)).items():
                found[sum(values), *others] += ways * more
    return dict(found)


def is_tonk(total: int, rules: TonkRules) -> bool:
    low = rules.low_tonk is not None and total <= rules.low_tonk
    return low or (rules.high_tonk is not None and total >= rules.high_tonk)


def enumerated(
    players: int, rules: TonkRules, hand: str | None = None, up: str | None = None, seat: int = 0
) -> dict[str, Any]:
    """Answer as `odds` does, deal by deal."""
    hidden = players - (hand is not None)
    deals = all_deals(hidden, rules.hand_size, unseen(hand, up, decks=rules.decks))
    exactly = [0] * (hidden + 1)
    payment = [Fraction(0)] * players
    low = high = 0
    holding: Counter[tuple[bool, ...]] = Counter()
    for totals, ways in deals.items():
        holding[tuple(is_tonk(total, rules) for total in totals)] += ways
        low += ways * (rules.low_tonk is not None and totals[0] <= rules.low_tonk)
        high += ways * (rules.high_tonk is not None and totals[0] >= rules.high_tonk)
    for hidden_holders, ways in holding.items():
        exactly[sum(hidden_holders)] += ways
        holders = list(hidden_holders)
        if hand is not None:
            holders.insert(seat, is_tonk(hand_total(hand), rules))
        pays = tonk_pay(holders, several_tonks=rules.several_tonks, tonk_pay=rules.tonk_pay)
        payment = [paid + ways * pay for paid, pay in zip(payment, pays, strict=True)]
    single = sum(ways for holders, ways in holding.items() if holders[0])
    every = sum(deals.values())
    return {
        "single": Fraction(single, every),
        "low": Fraction(low, every),
        "high": Fraction(high, every),
        "any": 1 - Fraction(exactly[0], every),
        "exactly": tuple(Fraction(ways, every) for ways in exactly),
        "payment": tuple(paid / every for paid in payment),
    }


def answers(result: Odds) -> dict[str, Any]:
    """Return the fields that an enumeration answers."""
    return {name: getattr(result, name) for name in ("single", "low", "high", "any", "exactly", "payment")}


# ---------------------------------------------------------------------------------------------------------------------
# Bounds for sampled values. A right program misses each of them less than once in a million: the two tails beyond 5
# standard errors of a normal value hold 6 in ten million. The seeds are fixed, so what passes once passes always.
# ---------------------------------------------------------------------------------------------------------------------


def plausible_rate(found: object, chance: Fraction) -> bool:
    """Tell whether a sampled proportion can come from this chance.

    By the tails of the binomial distribution, which hold as much as those beyond 5 standard errors do, but are right
    for rare events too.
    """
    assert isinstance(found, Estimate)
    met = round(found.value * found.n)
    return min(binom.cdf(met, found.n, float(chance)), binom.sf(met - 1, found.n, float(chance))) > 2.8e-7


def plausible_mean(found: object, expected: Fraction) -> bool:
    """Tell whether a sampled mean lies within 5 standard errors."""
    assert isinstance(found, Estimate)
    return abs(found.value - float(expected)) <= 5 * found.se


def assert_sampled(found: Odds, exact: Odds) -> None:
    """Hold sampled odds against exact ones."""
    assert (found.single, found.low, found.high) == (exact.single, exact.low, exact.high)
    assert plausible_rate(found.any, exact.any)
    assert len(found.exactly) == len(exact.exactly)
    for chance, true in zip(found.exactly, exact.exactly, strict=True):
        assert plausible_rate(chance, true)
    for pay, true in zip(found.payment, exact.payment, strict=True):
        # A payment that no deal changes may be known exactly.
        assert pay == true or plausible_mean(pay, true)
    assert found.note is not None


# ---------------------------------------------------------------------------------------------------------------------
# The oracle itself.
# ---------------------------------------------------------------------------------------------------------------------


def test_the_grouped_enumeration_agrees_with_one_card_by_card():
    cards = [
        rank + suit for rank in ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"] for suit in "shdc"
    ]
    values = [value_of(card) for card in cards]
    assert all_deals(3, 1, unseen()) == Counter(permutations(values, 3))
    pairs = Counter()
    for first in combinations(range(26), 2):  # half a deck, as two hands from 52 cards take seconds
        rest = [card for card in range(26) if card not in first]
        total = values[first[0]] + values[first[1]]
        pairs.update((total, values[a] + values[b]) for a, b in combinations(rest, 2))
    half = Counter(values[:26])
    assert all_deals(2, 2, tuple(half[value] for value in range(1, 11))) == pairs


# ---------------------------------------------------------------------------------------------------------------------
# Exact odds.
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("low", "high"), LIMITS)
def test_exact_odds_equal_the_reference_count_for_two_to_ten_players(low, high):
    rules = TonkRules(low_tonk=low, high_tonk=high)
    expected = tonk_count.table(range(2, 11), low, high)
    for players in range(2, 11):
        result = odds(players, rules)
        assert list(result.exactly) == expected[players]
        assert result.single == tonk_count.single(low, high)
        assert result.note is None
        assert result.own_tonk is None


@pytest.mark.parametrize(
    ("hand_size", "low", "high", "players"),
    [(3, 8, 30, 17), (3, None, 29, 6), (4, 9, 40, 12), (4, 11, None, 3), (6, 14, 60, 5), (7, 17, 70, 4)],
)
def test_exact_odds_equal_the_reference_count_for_other_hand_sizes(hand_size, low, high, players):
    result = odds(players, TonkRules(hand_size=hand_size, low_tonk=low, high_tonk=high))
    assert list(result.exactly) == tonk_count.exactly(players, low, high, hand_size=hand_size)
    assert result.low == tonk_count.single(low, None, hand_size=hand_size)
    assert result.high == tonk_count.single(None, high, hand_size=hand_size)


@pytest.mark.parametrize(("low", "high"), [(10, 50), (None, 49), (10, None)])
def test_exact_odds_equal_the_reference_count_for_twenty_players_with_two_decks(low, high):
    result = odds(20, TonkRules(decks=2, low_tonk=low, high_tonk=high))
    assert list(result.exactly) == tonk_count.exactly(20, low, high, decks=2)
    assert result.single == tonk_count.single(low, high, decks=2)
    assert result.payment == (0,) * 20


@pytest.mark.parametrize(
    ("hand", "up"),
    [("As 2h 3d 4c 5s", None), ("Ks Qh Jd 10c 9s", "As"), ("3d 4c 6s 2h Ah", "Qd"), ("10s 8d 8h 5s 4c", "5c")],
)
@pytest.mark.parametrize("several_tonks", SEVERAL)
def test_odds_given_a_hand_equal_the_reference_count_over_the_other_cards(hand, up, several_tonks):
    rules = TonkRules(several_tonks=several_tonks, tonk_pay=3)
    deck = unseen(hand, up)
    gone = tuple(full - left for full, left in zip(tonk_count.CARDS, deck, strict=True))
    players = 4
    own = is_tonk(hand_total(hand), rules)
    exactly = reference_exactly(gone)
    for seat in range(players):
        result = odds(players, rules, hand=hand, up=up, seat=seat)
        assert result.exactly == exactly
        assert result.own_tonk is own
        # Any m of the three others are equally likely to be the holders.
        payment = [Fraction(0)] * players
        others = [other for other in range(players) if other != seat]
        for m, chance in enumerate(exactly):
            for holding in combinations(others, m):
                holders = [other in holding or (own and other == seat) for other in range(players)]
                pays = tonk_pay(holders, several_tonks=several_tonks, tonk_pay=3)
                payment = [paid + chance * pay / comb(3, m) for paid, pay in zip(payment, pays, strict=True)]
        assert result.payment == tuple(payment)


@cache
def reference_exactly(gone: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Return the chances of exactly 0 to 3 holders among three players, by the reference count."""
    return tuple(tonk_count.exactly(3, 15, 49, removed=gone))


TINY = [
    # hand size, low, high, decks, players
    (1, 1, 10, 1, 2),
    (1, 1, 10, 1, 3),
    (1, 2, None, 1, 3),
    (1, None, 9, 1, 3),
    (1, 3, 9, 2, 3),
    (1, 4, 10, 1, 4),
    (1, None, None, 1, 3),
    (2, 5, 18, 1, 2),
    (2, 4, 19, 1, 3),
    (2, 6, None, 2, 2),
    (2, None, 17, 1, 2),
]


@pytest.mark.parametrize(("hand_size", "low", "high", "decks", "players"), TINY)
@pytest.mark.parametrize("several_tonks", SEVERAL)
def test_exact_odds_equal_a_full_enumeration_of_tiny_games(hand_size, low, high, decks, players, several_tonks):
    rules = TonkRules(
        hand_size=hand_size, low_tonk=low, high_tonk=high, decks=decks, several_tonks=several_tonks, tonk_pay=3
    )
    assert answers(odds(players, rules)) == enumerated(players, rules)


@pytest.mark.parametrize("several_tonks", SEVERAL)
@pytest.mark.parametrize("up", [None, "Ad", "Kd"])
@pytest.mark.parametrize(
    ("hand_size", "hand", "is_own_tonk"),
    [(1, "As", True), (1, "Qs", True), (1, "5h", False), (2, "As 2s", True), (2, "Ks Qs", True), (2, "5h 6d", False)],
)
def test_odds_given_a_hand_equal_a_full_enumeration_at_every_seat(hand_size, hand, is_own_tonk, up, several_tonks):
    limits = {1: (2, 10), 2: (5, 19)}
    rules = TonkRules(
        hand_size=hand_size,
        low_tonk=limits[hand_size][0],
        high_tonk=limits[hand_size][1],
        several_tonks=several_tonks,
    )
    players = 4 if hand_size == 1 else 3
    for seat in range(players):
        result = odds(players, rules, hand=hand, up=up, seat=seat)
        assert answers(result) == enumerated(players, rules, hand, up, seat)
        assert result.own_tonk is is_own_tonk


def test_odds_given_an_up_card_alone_equal_a_full_enumeration():
    for several_tonks in SEVERAL:
        rules = TonkRules(hand_size=1, low_tonk=1, high_tonk=10, several_tonks=several_tonks)
        for up in ("As", "5s", "Ks"):
            assert answers(odds(3, rules, up=up)) == enumerated(3, rules, None, up)


def test_the_chances_of_one_card_hands_are_those_counted_by_hand():
    # Aces and tens of 52 cards: 4 and 16. Of two players both hold one: 20/52 * 19/51.
    result = odds(2, TonkRules(hand_size=1, low_tonk=1, high_tonk=10))
    assert (result.low, result.high) == (Fraction(4, 52), Fraction(16, 52))
    assert result.exactly == (
        Fraction(32 * 31, 52 * 51),
        Fraction(2 * 20 * 32, 52 * 51),
        Fraction(20 * 19, 52 * 51),
    )


def test_ten_players_of_whom_all_but_a_few_must_hold_a_tonk():
    # Only five of the sixteen tens make 50, which is no TONK here: at most three of the ten hands do.
    result = odds(10, TonkRules(low_tonk=49, high_tonk=None), max_steps=PLENTY)
    assert result.exactly[:7] == (0,) * 7
    assert result.exactly[7] > 0
    assert sum(result.exactly) == 1


RULE_SETS = [
    {},
    {"several_tonks": "first", "tonk_pay": 5},
    {"low_tonk": None, "high_tonk": 48, "several_tonks": "split"},
    {"low_tonk": 18, "several_tonks": "void"},
    {"hand_size": 3, "low_tonk": 9, "high_tonk": 29, "several_tonks": "first"},
    {"hand_size": 7, "low_tonk": 20, "high_tonk": 68},
    {"decks": 2, "low_tonk": 12, "several_tonks": "split"},
    {"low_tonk": None, "high_tonk": None, "several_tonks": "first"},
]


@pytest.mark.parametrize("options", RULE_SETS)
def test_exact_odds_satisfy_their_identities(options):
    rules = TonkRules(**options)
    hand = "As 2d 3s 9h 10d Qc Ks"
    own_hand = " ".join(hand.split()[: rules.hand_size])
    for players in (2, 3, 7):
        for given in ({}, {"hand": own_hand, "up": "8c", "seat": players - 1}):
            result = odds(players, rules, **given)
            assert len(result.exactly) == players - bool(given) + 1
            assert len(result.payment) == players
            assert sum(result.exactly) == 1
            assert result.any == 1 - result.exactly[0]
            hidden = len(result.exactly) - 1
            assert sum(j * chance for j, chance in enumerate(result.exactly)) == hidden * result.single
            assert result.low + result.high == result.single
            assert sum(result.payment) == 0
            assert all(isinstance(chance, Fraction) for chance in (result.any, *result.exactly, *result.payment))


def test_a_limit_that_is_off_makes_its_part_zero():
    low, high = odds(3, TonkRules(high_tonk=None)), odds(3, TonkRules(low_tonk=None))
    both = odds(3)
    assert (low.high, high.low) == (0, 0)
    assert (low.single, high.single) == (both.low, both.high)
    neither = odds(3, TonkRules(low_tonk=None, high_tonk=None))
    assert neither.exactly == (1, 0, 0, 0)
    assert neither.payment == (0, 0, 0)


@pytest.mark.parametrize("options", RULE_SETS)
def test_odds_by_players_equal_odds_one_by_one(options):
    rules = TonkRules(**options)
    table = odds_by_players([5, 2, 7, 3, 5], rules)
    assert set(table) == {2, 3, 5, 7}
    for players, result in table.items():
        assert result == odds(players, rules)


def test_odds_by_players_of_nobody_is_empty_and_too_much_work_is_an_error():
    assert odds_by_players([]) == {}
    with pytest.raises(TooMuchWorkError):
        odds_by_players([2, 8], TonkRules(low_tonk=26), max_steps=FEW)
    with pytest.raises(InputError, match="11 players"):
        odds_by_players([2, 11])


# ---------------------------------------------------------------------------------------------------------------------
# Sampled odds.
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 6, 7])
@pytest.mark.parametrize("options", RULE_SETS)
def test_sampled_odds_agree_with_exact_ones(options, players):
    rules = TonkRules(**options)
    assert_sampled(odds(players, rules, deals=200_000, seed=3, sampled=True), odds(players, rules))


@pytest.mark.parametrize("several_tonks", SEVERAL)
@pytest.mark.parametrize(
    ("hand", "up", "players", "seat"),
    [
        ("As 2h 3d 4c 5s", "Kd", 5, 2),
        ("As 2h 3d 4c 5s", None, 3, 0),
        ("Ks Qh Jd 10c 9s", "As", 4, 3),
        ("10s 8d 8h 5s 4c", "5c", 5, 1),
        ("10s 8d 8h 5s 4c", None, 10, 9),
    ],
)
def test_sampled_odds_given_a_hand_agree_with_exact_ones(hand, up, players, seat, several_tonks):
    rules = TonkRules(low_tonk=18, several_tonks=several_tonks)
    given = {"hand": hand, "up": up, "seat": seat}
    assert_sampled(odds(players, rules, **given, deals=100_000, seed=5, sampled=True), odds(players, rules, **given))


@pytest.mark.parametrize("several_tonks", SEVERAL)
@pytest.mark.parametrize("hand", ["As", "5h"])
def test_the_standard_errors_of_sampled_payments_are_those_of_the_game(several_tonks, hand):
    rules = TonkRules(hand_size=1, low_tonk=2, high_tonk=10, several_tonks=several_tonks)
    deals = 100_000
    found = odds(3, rules, hand=hand, seat=1, deals=deals, seed=7, sampled=True)
    every = all_deals(2, 1, unseen(hand))
    for seat in range(3):
        pays: Counter[Fraction] = Counter()
        for totals, ways in every.items():
            holders = [is_tonk(total, rules) for total in (totals[0], value_of(hand), totals[1])]
            pays[tonk_pay(holders, several_tonks=several_tonks, tonk_pay=2)[seat]] += ways
        total = sum(pays.values())
        mean = sum(pay * ways for pay, ways in pays.items()) / total
        second, fourth = (
            float(sum((pay - mean) ** power * ways for pay, ways in pays.items()) / total) for power in (2, 4)
        )
        pay = found.payment[seat]
        if isinstance(pay, Fraction):
            assert pay == mean
            continue
        assert (pay.n, pay.seed) == (deals, 7)
        # The sampled variance has a standard error of sqrt((fourth - second²) / n), and its root half of that in
        # relative terms; 5 of them are allowed.
        relative = sqrt(max(0.0, fourth / second**2 - 1) / deals) / 2
        assert pay.se == pytest.approx(sqrt(second / deals), rel=5 * relative + 1e-4)


def test_a_sample_is_the_same_for_any_number_of_threads_and_another_for_another_seed():
    first = odds(5, deals=600_000, seed=11, threads=1, sampled=True)
    assert odds(5, deals=600_000, seed=11, threads=2, sampled=True) == first
    assert odds(5, deals=600_000, seed=12, threads=2, sampled=True).any.value != first.any.value


# ---------------------------------------------------------------------------------------------------------------------
# Where an exact answer takes too much work.
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "options", "given"),
    [
        (3, {"low_tonk": 22}, {}),
        (3, {"low_tonk": 22, "several_tonks": "first"}, {}),
        (4, {"low_tonk": 20, "several_tonks": "first"}, {"hand": "10s 8d 8h 5s 4c", "up": "5c", "seat": 1}),
        (3, {"low_tonk": 22, "several_tonks": "split"}, {"hand": "As 8d 3h 5s 4c", "seat": 2}),
        (20, {"decks": 2, "low_tonk": 11, "several_tonks": "first"}, {}),
    ],
)
def test_too_few_steps_turn_any_and_exactly_into_estimates_of_the_exact_values(players, options, given):
    rules = TonkRules(**options)
    exact = odds(players, rules, **given, max_steps=PLENTY)
    assert exact.note is None
    assert isinstance(exact.any, Fraction)
    found = odds(players, rules, **given, max_steps=FEW, deals=200_000, seed=2)
    assert_sampled(found, exact)
    assert all(isinstance(chance, Estimate) for chance in (found.any, *found.exactly))
    assert all(chance.n == 200_000 for chance in found.exactly)
    assert "1,000 steps" in found.note
    assert "200,000 deals" in found.note
    assert found == odds(players, rules, **given, max_steps=FEW, deals=200_000, seed=2)


@pytest.mark.parametrize("several_tonks", ["each", "split", "void"])
def test_payments_of_seats_that_are_alike_stay_exactly_zero(several_tonks):
    rules = TonkRules(low_tonk=22, several_tonks=several_tonks)
    assert odds(3, rules, max_steps=FEW, deals=1000).payment == (Fraction(0),) * 3


def test_payments_that_add_up_by_pairs_stay_exact_given_a_hand():
    # With `each`, seat i gets 2 from seat j if i holds a TONK, and pays 2 if j does; where both do these cancel out.
    # So the expected payment follows from each seat's own chance: p, p, and 0 for the hand that is seen.
    rules = TonkRules(low_tonk=22)
    given = {"hand": "As 8d 3h 5s 9c", "seat": 2}
    p = odds(3, rules, **given).single
    assert odds(3, rules, **given, max_steps=PLENTY).payment == (2 * p, 2 * p, -4 * p)
    assert odds(3, rules, **given, max_steps=FEW, deals=1000).payment == (2 * p, 2 * p, -4 * p)


def test_a_precision_is_reached_and_deals_bound_it():
    rules = TonkRules(low_tonk=26)
    found = odds(8, rules, max_steps=FEW, precision=0.001, seed=4)
    assert found.any.half_width <= 0.001
    # 1.96 * sqrt(p (1 - p) / n) for p = 0.88 needs about 406,000 deals.
    assert 300_000 < found.any.n < 600_000
    with pytest.raises(InputError, match=r"0\.001.*1,000 deals"):
        odds(8, rules, max_steps=FEW, precision=0.001, deals=1000)


@pytest.mark.parametrize("deals", [0, 1, -1, 10**14])
def test_a_number_of_deals_that_no_run_takes_is_refused(deals):
    with pytest.raises(InputError, match=str(deals)):
        odds(8, TonkRules(low_tonk=26), max_steps=FEW, deals=deals)


# ---------------------------------------------------------------------------------------------------------------------
# Input that cannot be.
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "options", "given", "named"),
    [
        (1, {}, {}, "1 players"),
        (11, {}, {}, "11 players"),
        (21, {"decks": 2}, {}, "21 players"),
        (3, {}, {"seat": 3, "hand": "10s 8d 8h 5s 4c"}, "seat 3"),
        (3, {}, {"seat": -1, "hand": "10s 8d 8h 5s 4c"}, "seat -1"),
        (3, {}, {"hand": "10s 8d 8h 5s"}, "4 cards"),
        (3, {}, {"hand": "10s 8d 8h 5s 4c 3c"}, "6 cards"),
        (3, {}, {"hand": ""}, "0 cards"),
        (3, {}, {"hand": "10s 10s 8h 5s 4c"}, "10s"),
        (3, {}, {"hand": "10s 8d 8h 5s 1c"}, "1c"),
        (3, {}, {"hand": "10s 8d 8h 5s 4c", "up": "8d"}, "8d"),
        (3, {}, {"hand": "10s 8d 8h 5s 4c", "up": "8s 9s"}, "8s 9s"),
        (3, {"up_card": "no"}, {"hand": "10s 8d 8h 5s 4c", "up": "8s"}, "8s"),
        (3, {"decks": 2}, {"hand": "8d 8d 8h 5s 4c", "up": "8d"}, "8d"),
    ],
)
def test_input_that_cannot_be_is_refused_by_name(players, options, given, named):
    for sampled in (False, True):
        with pytest.raises(InputError, match=named):
            odds(players, TonkRules(**options), **given, sampled=sampled)


def test_two_decks_hold_a_card_twice():
    rules = TonkRules(decks=2)
    result = odds(3, rules, hand="8d 8d 8h 5s 4c", up="8h")
    assert list(result.exactly) == tonk_count.exactly(2, 15, 49, decks=2, removed=(0, 0, 0, 1, 1, 0, 0, 4, 0, 0))


# ---------------------------------------------------------------------------------------------------------------------
# What each option changes before the first turn.
# ---------------------------------------------------------------------------------------------------------------------

ODDS_FIELDS = {"several_tonks", "low_tonk", "high_tonk", "tonk_pay", "hand_size", "decks"}
DROP_FIELDS = {
    "drop_tie", "drop_settlement", "drop_penalty", "equal_pays", "low_tonk", "high_tonk", "hand_size", "decks",
}  # fmt: skip
LATER_FIELDS = {"drop_allowed", "meld_duty", "set_fourth", "ace_runs", "stock_out", "out_pay", "hit_hold"}
UP_CARD = {"up_card"}  # whether a card is turned up; see the tests on it

# Values of the fields that are numbers; those of the others are all their words.
NUMBERS: dict[str, tuple[int | None, ...]] = {
    "low_tonk": (15, 14, 16, None),
    "high_tonk": (49, 48, 50, None),
    "tonk_pay": (2, 0, 1, 3),
    "drop_penalty": (2, 0, 1, 3),
    "out_pay": (1, 0, 2),
    "hand_size": (5, 4, 6),
    "decks": (1, 2, 4),
}
FIELDS = [field.name for field in fields(TonkRules)]


def values_of(field: str) -> Sequence[object]:
    return TonkRules.options()[field] or NUMBERS[field]


def variants(field: str) -> list[TonkRules]:
    # 49 is no total of four cards.
    base = TonkRules(high_tonk=None) if field == "hand_size" else TonkRules()
    return [base.replace(**{field: value}) for value in values_of(field)]


def opening_answer(rules: TonkRules) -> object:
    """Ask for the odds of a player who holds a TONK by low total, if there is such a thing."""
    hand = " ".join(["As", "Ad", "Ac", "Ah", "2c", "2d"][: rules.hand_size])
    return replace(odds(3, rules, hand=hand, seat=1), rules=TonkRules())


def drop_answer(rules: TonkRules) -> object:
    hand = " ".join(["9s", "8h", "7d", "5c", "4d", "2s"][: rules.hand_size])
    return replace(drop(hand, 3, rules), rules=TonkRules())


def test_every_option_is_known_to_matter_here_or_not():
    assert set(FIELDS) == ODDS_FIELDS | DROP_FIELDS | LATER_FIELDS | UP_CARD
    assert not LATER_FIELDS & (ODDS_FIELDS | DROP_FIELDS | UP_CARD)


@pytest.mark.parametrize("ask", [opening_answer, drop_answer])
@pytest.mark.parametrize("field", FIELDS)
def test_an_option_changes_the_answers_that_it_is_about_and_no_other(field, ask):
    found = [ask(rules) for rules in variants(field)]
    assert len(found) >= 2
    distinct = [answer for place, answer in enumerate(found) if answer not in found[:place]]
    matters = field in (ODDS_FIELDS if ask is opening_answer else DROP_FIELDS)
    assert len(distinct) == (len(found) if matters else 1)


@pytest.mark.parametrize("field", sorted(LATER_FIELDS | {"drop_tie", "drop_penalty", "drop_settlement", "equal_pays"}))
def test_options_that_come_later_do_not_change_sampled_odds(field):
    found = [replace(odds(4, rules, deals=2000, sampled=True), rules=TonkRules()) for rules in variants(field)]
    assert all(answer == found[0] for answer in found)


@pytest.mark.parametrize("field", sorted(LATER_FIELDS | {"several_tonks", "tonk_pay"}))
def test_options_that_come_later_do_not_change_sampled_drops(field):
    found = [
        replace(drop("9s 8h 7d 5c 4d", 4, rules, deals=2000, sampled=True), rules=TonkRules())
        for rules in variants(field)
    ]
    assert all(answer == found[0] for answer in found)


@pytest.mark.parametrize(
    ("hand_size", "decks", "with_up_card", "without"), [(4, 1, 12, 13), (1, 1, 51, 52), (5, 1, 10, 10), (2, 2, 51, 52)]
)
def test_the_up_card_takes_a_card_from_the_players(hand_size, decks, with_up_card, without):
    for up_card, most in (("yes", with_up_card), ("no", without)):
        rules = TonkRules(hand_size=hand_size, decks=decks, low_tonk=None, high_tonk=10 * hand_size, up_card=up_card)
        assert sum(odds(most, rules).exactly) == 1
        with pytest.raises(InputError, match=f"{most + 1} players"):
            odds(most + 1, rules)


def test_an_up_card_may_be_seen_only_where_one_is_turned_up():
    hand = "9s 8h 7d 5c 4d"
    without = TonkRules(up_card="no")
    assert odds(3, hand=hand, up="Kd").single != odds(3, hand=hand).single
    assert odds(3, without, hand=hand).single == odds(3, hand=hand).single
    assert drop(hand, 3, up="Kd").payment != drop(hand, 3).payment
    for ask in (lambda: odds(3, without, hand=hand, up="Kd"), lambda: drop(hand, 3, without, up="Kd")):
        with pytest.raises(InputError, match="Kd"):
            ask()
