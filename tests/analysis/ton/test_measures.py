"""What of Ton is compared: paired differences equal those of single hands and matches on the readable engine."""

from statistics import mean, stdev

import numpy as np
import pytest

from analysis.compare import RETUNE_SEED, Difference, Setting, compare
from analysis.effort import Effort
from analysis.ton import match, odds, simulate
from analysis.ton.measures import TON
from analysis.ton.sides import Hands
from analysis.ton.training import train
from core.errors import InputError
from core.ton.match import play_match
from core.ton.play import play
from core.ton.policies import policy
from core.ton.rules import TonRules
from core.ton.tables import tables_for
from core.ton.tuned import Tuned

A, B = (
    TonRules(),
    TonRules(trumpless_right="every_buyer", zero_trick="minus_only", must_beat="best", hand_size=4, talon_size=3),
)
POLICIES = ("greedy", "random", "plain")
HANDS, MATCHES, SEED = 300, 60, 5
OF_HANDS = [name for name, measure in TON.measures.items() if measure.played == "hand"]
OF_MATCHES = [name for name, measure in TON.measures.items() if measure.played == "match"]


def compared(a, b, *measures, policies=POLICIES, players=3, **more) -> dict[tuple[str, int | None], Difference]:
    (cell,) = compare(TON, a, [b], measures, Setting(players, policies), **more).cells
    return {(each.measure, each.part): each for each in cell.fixed}


@pytest.fixture(scope="module")
def hands():
    """Return hands played on the readable engine under both rule sets."""
    chosen = [policy(name, 3) for name in POLICIES]
    return [[play(rules, 3, chosen, SEED, deal) for deal in range(HANDS)] for rules in (A, B)]


@pytest.fixture(scope="module")
def found():
    return compared(A, B, *OF_HANDS, deals=HANDS, seed=SEED)


def facts(name, part, played, rules):
    """Return what a measure averages of each hand, and which hands it is about."""
    hand = played.result
    bought = {seat for seat, action in played.actions if action.word in ("keep", "fetch")}
    worth = [points - rules.zero_trick_points * pluses for points, pluses in zip(hand.points, hand.pluses, strict=True)]
    match name:
        case "tricks" | "points" | "pluses":
            return getattr(hand, name)[part], True
        case "worth":
            return worth[part], True
        case "no_trick":
            return hand.participants[part] and not hand.tricks[part], True
        case "fold":
            return not hand.participants[part], True
        case "buy":
            return part in bought, True
        case "buy_value":
            return worth[part] if part in bought else 0, part in bought
        case "bought":
            return bool(bought), True
        case _:
            assert name == "trumpless_used"
            return (part, "fetch") in {(seat, action.word) for seat, action in played.actions}, True


@pytest.mark.parametrize("name", OF_HANDS)
def test_paired_differences_are_those_of_single_hands(name, found, hands):
    measure = TON.measures[name]
    parts = range(2 + measure.dealer) if measure.parts else [None]
    assert [part for own, part in found if own == name] == list(parts)
    for part in parts:
        one, two = (
            [facts(name, part, played, rules) for played in side] for side, rules in zip(hands, (A, B), strict=True)
        )
        values = [mean(float(value) for value, counts in side if counts) for side in (one, two)]
        got = found[name, part]
        assert [got.a.value, got.b.value] == pytest.approx(values)
        assert got.difference.value == pytest.approx(values[1] - values[0], abs=1e-12)
        changes = [float(after[0]) - float(before[0]) for before, after in zip(one, two, strict=True)]
        if name != "buy_value":
            assert got.difference.se == pytest.approx(stdev(changes) / HANDS**0.5)
        assert got.deals_differing.value == sum(x != y for x, y in zip(one, two, strict=True)) / HANDS
    assert any(found[key].deals_differing.value for key in found if key[0] == name)


def test_paired_differences_are_those_of_single_matches():
    rules = TonRules(zero_trick="minus_only", plus_price=15)
    found = compared(A, rules, *OF_MATCHES, policies=("greedy", "plain"), players=2, deals=MATCHES, seed=SEED)
    chosen = [policy(name, 2) for name in ("greedy", "plain")]
    one, two = ([play_match(each, 2, chosen, SEED, number) for number in range(MATCHES)] for each in (A, rules))
    for player in range(2):
        money, won = found["money", player], found["win", player]
        changes = [after.money[player] - before.money[player] for before, after in zip(one, two, strict=True)]
        assert money.difference.value == pytest.approx(mean(changes))
        assert money.difference.se == pytest.approx(stdev(changes) / MATCHES**0.5)
        assert money.a.value == pytest.approx(mean(each.money[player] for each in one))
        assert won.b.value == mean(each.winner == player for each in two)
        assert won.deals_differing.value == mean(
            (x.winner == player) != (y.winner == player) for x, y in zip(one, two, strict=True)
        )
    assert found["hands", None].b.value == pytest.approx(mean(each.hands for each in two))
    assert found["broken_off", None].b.value == 0


def test_each_side_has_the_numbers_of_simulate_and_match():
    found = compared(A, B, "points", "trumpless_used", "win", "money", deals=5000, seed=2)
    for name, rules in (("a", A), ("b", B)):
        alone, whole = simulate(3, POLICIES, rules, deals=5000, seed=2), match(3, POLICIES, rules, deals=5000, seed=2)
        for seat in range(3):
            points, money = (getattr(found[measure, seat], name) for measure in ("points", "money"))
            assert (points.value, points.se) == pytest.approx((alone.points[seat].value, alone.points[seat].se))
            assert getattr(found["trumpless_used", seat], name) == alone.trumpless[seat]
            assert getattr(found["win", seat], name) == whole.win[seat]
            assert (money.value, money.se) == pytest.approx((whole.money[seat].value, whole.money[seat].se))


def test_odds_are_exact_and_those_of_the_odds_command():
    names = {
        "trumpless": "trumpless",
        "stock_has_trump": "stock_has_trump_given_trumpless",
        "sure_five": "sure_five",
        "trumpless_by_seat": "trumpless_by_seat",
        "trumps_in_hand": "trumps_in_hand",
        "trumps_in_talon": "trumps_in_talon",
    }
    assert set(names) == {name for name, measure in TON.measures.items() if measure.played == "deal"}
    rules = TonRules(hand_size=4, talon_size=3, five_bid="off", trump_card="stays")
    found, one, two = compared(A, rules, *names), odds(3, A), odds(3, rules)
    for name, field in names.items():
        if not TON.measures[name].parts:
            got = found[name, None]
            assert (got.a, got.b, got.difference) == (
                getattr(one, field),
                getattr(two, field),
                getattr(two, field) - getattr(one, field),
            )
            continue
        # A hand of four never holds five trumps.
        longest = [*getattr(two, field), 0, 0][: len(getattr(one, field))]
        assert [found[name, k].a for k in range(len(longest))] == list(getattr(one, field))
        assert [found[name, k].b for k in range(len(longest))] == longest
    only = compared(A, rules, "trumps_in_hand", parts=[5])
    assert list(only) == [("trumps_in_hand", 5)]


def test_facts_of_slow_policies_are_those_of_the_reference_engine():
    seats = tuple(policy(name, 2) for name in ("pimc:2", "plain"))
    got = Hands(A, seats).facts(["points:0", "bought"], 3, 0, 3)
    for row, deal in zip(got.tolist(), range(3), strict=True):
        played = play(A, 2, seats, 3, deal)
        assert row == [played.result.points[0], any(action.word in ("keep", "fetch") for _, action in played.actions)]
    assert got.dtype == np.int64


def test_money_past_all_bounds_is_refused():
    with pytest.raises(InputError, match="such money has no mean that sampling finds"):
        compared(
            A, TonRules(pot_plus_points=0, target_points=40), "money", policies=("plain",) * 4, players=4, deals=2000
        )


def test_retuned_tables_are_those_of_train_for_each_rule_set():
    rules, two = TonRules(trumpless_right="nobody"), Setting(2, ("tuned", "plain"))
    found = compare(TON, A, [rules], ["points"], two, retune=4000, deals=5000)
    (cell,) = found.cells
    assert cell.adapted is not None
    assert found.comparisons == 4
    trained = train(2, rules, first=tables_for(2), deals=4000, seed=1 + RETUNE_SEED)
    assert cell.gain == trained.gain
    tuned = TON.tuned(rules, two, Effort(deals=4000, seed=1 + RETUNE_SEED)).policies
    assert tuned == (Tuned(trained.tables), policy("plain", 2))
    with pytest.raises(InputError, match="no policy can be tuned again: of Ton's that is tuned"):
        compare(TON, A, [B], ["points"], Setting(2, ("plain",)), retune=2000, deals=3000)
