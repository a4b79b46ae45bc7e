"""What of Tonk is compared: paired differences equal those of single hands on the readable engine; odds are exact."""

from fractions import Fraction
from statistics import mean, stdev

import numpy as np
import pytest

from analysis.compare import Difference, Setting, compare
from analysis.estimate import Estimate
from analysis.tonk import drop, odds, simulate
from analysis.tonk.measures import _SCALE, TONK
from analysis.tonk.sides import Hands
from core.errors import InputError
from core.tonk.game import SCALE
from core.tonk.play import play
from core.tonk.policies import policy
from core.tonk.rules import TonkRules

A, B = TonkRules(), TonkRules(low_tonk=17, drop_settlement="lowest_only", out_pay=3, several_tonks="split")
POLICIES = ("simple:20", "random", "threshold")
HANDS, SEED = 300, 5
SAMPLED = [name for name, measure in TONK.measures.items() if measure.played == "hand"]


def compared(a, b, *measures, policies=POLICIES, players=3, **more) -> dict[tuple[str, int | None], Difference]:
    (cell,) = compare(TONK, a, [b], measures, Setting(players, policies, more.pop("hand", None)), **more).cells
    return {(each.measure, each.part): each for each in cell.fixed}


@pytest.fixture(scope="module")
def hands():
    """Return hands played on the readable engine under both rule sets."""
    chosen = [policy(name, 3) for name in POLICIES]
    return [[play(rules, 3, chosen, SEED, deal) for deal in range(HANDS)] for rules in (A, B)]


@pytest.fixture(scope="module")
def found():
    return compared(A, B, *SAMPLED, deals=HANDS, seed=SEED)


def facts(name, part, played):
    """Return what a measure averages of each hand, and which hands it is about."""
    result = played.result
    dropped = result.kind in ("drop_won", "drop_lost")
    match name:
        case "payment":
            return result.payments[part], True
        case "stakes":
            return sum(abs(paid) for paid in result.payments) / 2, True
        case "turns":
            return played.turns, True
        case "drops":
            return dropped, True
        case "drop_success":
            return result.kind == "drop_won", dropped
        case _:
            return result.kind == name, True


@pytest.mark.parametrize("name", SAMPLED)
def test_paired_differences_are_those_of_single_hands(name, found, hands):
    parts = range(3) if TONK.measures[name].parts else [None]
    assert [part for measure, part in found if measure == name] == list(parts)
    for part in parts:
        one, two = ([facts(name, part, played) for played in side] for side in hands)
        values = [mean(float(value) for value, counts in side if counts) for side in (one, two)]
        got = found[name, part]
        assert [got.a.value, got.b.value] == pytest.approx(values)
        assert got.difference.value == pytest.approx(values[1] - values[0], abs=1e-12)
        changes = [float(after[0]) - float(before[0]) for before, after in zip(one, two, strict=True)]
        if name != "drop_success":
            assert got.difference.se == pytest.approx(stdev(changes) / HANDS**0.5)
        differing = sum(before != after for before, after in zip(one, two, strict=True))
        assert got.deals_differing.value == differing / HANDS
    assert any(found[key].deals_differing.value for key in found if key[0] == name) or name == "stock_out"


def test_each_side_has_the_numbers_of_simulate():
    found = compared(A, B, "payment", "turns", "drop_won", "stock_out", deals=20_000, seed=2)
    for name, rules in (("a", A), ("b", B)):
        alone = simulate(3, POLICIES, rules, deals=20_000, seed=2)
        assert getattr(found["payment", 1], name).value == pytest.approx(alone.payment[1].value)
        assert getattr(found["payment", 1], name).se == pytest.approx(alone.payment[1].se)
        assert getattr(found["turns", None], name).value == alone.turns.value
        assert getattr(found["drop_won", None], name) == alone.kinds["drop_won"]
        assert getattr(found["stock_out", None], name) == alone.kinds["stock_out"]


def test_odds_are_exact_and_those_of_the_odds_command():
    found = compared(A, B, "tonk_any", "tonk_single", "tonk_payment")
    one, two = odds(3, A), odds(3, B)
    for name, field in (("tonk_any", "any"), ("tonk_single", "single")):
        got = found[name, None]
        assert (got.a, got.b) == (getattr(one, field), getattr(two, field))
        assert got.difference == got.b - got.a > 0
    first = compared(A, TonkRules(several_tonks="first"), "tonk_payment")
    assert first["tonk_payment", 0].difference == odds(3, TonkRules(several_tonks="first")).payment[0] > 0
    # No policies are asked for: the tables of threshold end at six players.
    assert compared(A, B, "tonk_any", players=8)["tonk_any", None].a == odds(8, A).any


def test_a_hand_dropped_on_the_first_turn_is_exact():
    hand = "10s 8d 8h 5s 4c"
    found = compared(A, B, "drop_win", "drop_payment", hand=hand)
    for name, field in (("drop_win", "p_win"), ("drop_payment", "payment")):
        got = found[name, None]
        assert (got.a, got.b) == tuple(getattr(drop(hand, 3, rules), field) for rules in (A, B))
        assert isinstance(got.difference, Fraction)
    with pytest.raises(InputError, match="drop_win is about one hand: name its cards with --hand"):
        compared(A, B, "drop_win")
    with pytest.raises(InputError, match="a TONK is declared, not dropped"):
        compared(A, B, "drop_win", hand="As 2s 3s 4s 5s")


def test_odds_that_take_too_much_work_are_sampled_on_hands_played_under_both_rules():
    rules = TonkRules(low_tonk=26)
    found = compared(A, rules, "tonk_any", players=8, policies=("simple",), deals=30_000)["tonk_any", None]
    assert isinstance(found.a, Estimate)
    assert abs(found.a.value - float(odds(8, A).any)) < 5 * found.a.se
    alone = odds(8, rules, sampled=True, deals=30_000)
    assert isinstance(alone.any, Estimate)
    # Other deals than those of whole hands: two samples as large as each other.
    assert abs(found.b.value - alone.any.value) < 5 * 2**0.5 * alone.any.se


def test_facts_of_slow_policies_are_those_of_the_reference_engine():
    seats = tuple(policy(name, 2) for name in ("rollout:2", "simple"))
    columns = ["payment:0", "turns", "drops", "stakes"]
    got = Hands(TonkRules(), seats).facts(columns, 3, 0, 2)
    for row, deal in zip(got.tolist(), range(2), strict=True):
        played = play(TonkRules(), 2, seats, 3, deal)
        paid = [int(each * SCALE) for each in played.result.payments]
        assert row == [paid[0], played.turns, played.result.kind.startswith("drop"), max(paid)]
    assert got.dtype == np.int64


def test_more_players_than_share_a_payment_in_whole_parts_are_refused_and_the_scale_is_the_kernels():
    assert _SCALE == SCALE
    with pytest.raises(InputError, match="hands of 11 players are not compared: at most 10"):
        compared(TonkRules(decks=2), TonkRules(decks=3), "turns", players=11, policies=("simple",))


def test_retuned_thresholds_are_those_of_tune_and_need_a_policy_to_tune():
    found = compare(
        TONK, A, [TonkRules(drop_penalty=3)], ["payment"], Setting(2, ("threshold",)), retune=2000, deals=3000
    )
    (cell,) = found.cells
    assert cell.adapted is not None
    assert found.gain is not None
    assert cell.gain is not None
    # Players drop less readily when a lost drop is dearer, so that other hands differ.
    assert cell.adapted[0].deals_differing.value > cell.fixed[0].deals_differing.value
    with pytest.raises(InputError, match="no policy can be tuned again: of Tonk's that is threshold"):
        compare(TONK, A, [B], ["payment"], Setting(2, ("simple",)), retune=2000, deals=3000)
