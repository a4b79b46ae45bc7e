"""Comparisons of rule sets on a game of coins whose every value is known: exact, sampled, corrected, stopped, tuned."""

from fractions import Fraction

import pytest

from analysis.compare import MATCHES, RETUNE_SEED, Setting, compare
from analysis.effort import DEALS
from analysis.estimate import Estimate
from analysis.sequential import FIRST_LOOK, sequence_quantile
from core.errors import InputError
from tests.analysis.sides import COIN, CoinRules

FAIR = CoinRules()
TWO = Setting(2, ("plain",))


def differences(a, b, *measures, setting=TWO, **more):
    (cell,) = compare(COIN, a, [b], measures, setting, **more).cells
    return cell.fixed


def test_exact_on_both_sides_is_exact_and_one_side_that_is_not_makes_both_sampled():
    (found,) = differences(FAIR, CoinRules(bias=53), "chance")
    assert (found.a, found.b, found.difference) == (Fraction(1, 2), Fraction(53, 100), Fraction(3, 100))
    assert found.excludes_zero
    assert found.deals_differing is None
    (sampled,) = differences(FAIR, CoinRules(bias=99), "chance", deals=20_000)
    assert [type(value) for value in (sampled.a, sampled.b, sampled.difference)] == [Estimate] * 3
    assert sampled.a.low < 0.5 < sampled.a.high
    with pytest.raises(InputError, match="known takes too much work to be counted, and is not sampled"):
        differences(FAIR, CoinRules(bias=99), "known")


def test_difference_is_paired_scaled_and_says_how_many_deals_tell_the_two_apart():
    (found,) = differences(FAIR, CoinRules(bias=53), "paid", parts=[1], deals=40_000)
    # Of 100 deals 3 fall under b alone, and then 1, 2 or 3 quarters are lost.
    assert found.part == 1
    assert found.difference.value == pytest.approx(found.b.value - found.a.value)
    assert found.difference.low < -0.03 * 2 / 4 < found.difference.high
    assert abs(found.deals_differing.value - 0.03) < 5 * found.deals_differing.se
    assert found.difference.se < found.a.se / 3
    assert 100 < found.deals_to_tell_apart < 2000
    again = differences(FAIR, CoinRules(bias=53), "paid", parts=[1], deals=2 * found.deals_to_tell_apart)[0]
    assert again.excludes_zero


def test_no_deal_that_differs_is_an_estimate_with_a_bound_and_no_exact_zero():
    (found,) = differences(FAIR, CoinRules(colour="blue"), "falls", deals=10_000)
    assert (found.difference.value, found.deals_differing.value) == (0, 0)
    assert found.difference.high == pytest.approx(found.deals_differing.high, rel=1e-3)
    assert found.deals_to_tell_apart is None
    assert not found.excludes_zero


def test_several_differences_are_corrected_and_equal_rule_sets_do_not_count():
    others = [CoinRules(bias=53), FAIR, CoinRules(pay=2)]
    found = compare(COIN, FAIR, others, ["paid", "falls", "falls", "chance"], TWO, deals=1000)
    # Two seats and one rate, against two other rule sets; the chance is exact.
    assert found.comparisons == 6
    assert [len(cell.fixed) for cell in found.cells] == [4, 4, 4]
    levels = {each.difference.level for cell in found.cells for each in cell.fixed if each.measure != "chance"}
    assert levels == {1 - 0.05 / 6}
    assert found.cells[0].fixed[0].a.level == 0.95
    assert found.cells[0].adapted is None
    (alone,) = differences(FAIR, CoinRules(bias=53), "falls", deals=1000)
    assert alone.difference.level == 0.95
    assert alone.difference.half_width < found.cells[0].fixed[2].difference.half_width


def test_precision_is_reached_by_all_differences_with_the_interval_of_a_confidence_sequence():
    rules = CoinRules(bias=53)
    rows = differences(FAIR, rules, "paid", "falls", precision=0.002, threads=1)
    assert max(each.difference.half_width for each in rows) <= 0.002
    (n,) = {each.difference.n for each in rows}
    assert n > FIRST_LOOK
    widest = max((each.difference for each in rows), key=lambda each: each.half_width)
    assert widest.half_width == pytest.approx(sequence_quantile(n, 1 - 0.05 / 3) * widest.se, rel=0.01)
    assert rows[2].a.half_width == pytest.approx(sequence_quantile(n, 0.95) * rows[2].a.se, rel=0.01)
    assert differences(FAIR, rules, "paid", "falls", precision=0.002, threads=2) == rows
    # The same numbers as of so many deals, with another interval.
    fixed = differences(FAIR, rules, "paid", "falls", deals=n)
    assert [each.difference.value for each in fixed] == [each.difference.value for each in rows]
    with pytest.raises(InputError, match=r"precision 0\.0001 needs more than 20,000 deals"):
        differences(FAIR, rules, "falls", precision=0.0001, deals=20_000)


def test_stopping_at_a_precision_misses_as_seldom_as_the_level_says():
    """Of 120 runs at most 6 miss on average, and more than 22 less than once in a million times."""
    missed = 0
    for seed in range(120):
        (found,) = differences(FAIR, CoinRules(bias=51), "falls", precision=0.002, seed=seed)
        missed += not found.difference.low <= 0.01 <= found.difference.high
    assert missed <= 22


def test_retuned_players_give_a_second_difference_on_the_same_deals():
    rules = CoinRules(bias=53)
    found = compare(COIN, FAIR, [rules, CoinRules(bias=40)], ["paid", "chance"], TWO, retune=500, deals=2000, seed=3)
    assert found.gain.n == 500
    assert found.gain.seed == 3 + RETUNE_SEED
    first, second = found.cells
    assert first.gain.n == 500
    assert found.comparisons == 8
    # Policies tuned to a fair coin pay 5 more, and none are tuned to one that falls seldom.
    (one, _, exact), (adapted, _, same) = first.fixed, first.adapted
    assert adapted.a == one.a
    assert adapted.difference == one.difference
    assert exact == same
    assert second.adapted[0].difference.value == pytest.approx(second.fixed[0].difference.value - 5 / 4)
    plain = differences(FAIR, rules, "paid", deals=2000, seed=3)
    assert one.a.value == pytest.approx(plain[0].a.value + 5 / 4)


def test_hands_and_matches_take_their_own_numbers_of_deals():
    rows = differences(FAIR, CoinRules(bias=51), "falls", "matches", parts=[0])
    assert [each.difference.n for each in rows] == [DEALS, MATCHES]


@pytest.mark.parametrize(
    ("measure", "setting", "parts", "message"),
    [
        ("fall", TWO, None, "unknown Coin measure 'fall': did you mean falls"),
        ("paid", TWO, [2], "seat 2 is none of paid: they run from 0 to 1"),
        ("paid", Setting(3, ("plain",)), None, "a coin takes two players"),
        ("paid", Setting(2, ("plain",) * 3), None, "3 policies for 2 players"),
    ],
)
def test_wrong_questions_are_refused(measure, setting, parts, message):
    with pytest.raises(InputError, match=message):
        differences(FAIR, CoinRules(bias=51), measure, setting=setting, parts=parts, deals=1000)
