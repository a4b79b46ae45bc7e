"""The command `tonlab compare`: JSON to the letter, tables, pictures, wrong input in one line with exit status 2."""

import json
import shlex
import sys
from fractions import Fraction

import pytest

from analysis.main import main
from analysis.ton import odds as ton_odds
from analysis.ton.measures import TON
from analysis.tonk import odds
from analysis.tonk.measures import TONK
from core.ton.rules import TonRules
from core.tonk.rules import TonkRules

ESTIMATE = {"value", "se", "low", "high", "n", "level"}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    """Return what runs a command in this process: exit status, standard output, standard error."""

    def run_(command: str) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["tonlab", "compare", *shlex.split(command)])
        monkeypatch.setenv("COLUMNS", "120")
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code, *capfd.readouterr()

    return run_


@pytest.fixture
def answer(run):
    def answer_(command: str):
        status, out, err = run(f"{command} --json")
        assert (status, err) == (0, "")
        assert out.count("\n") == 1
        return json.loads(out, parse_constant=pytest.fail)

    return answer_


def test_exact_on_both_sides(answer):
    found = answer("tonk --a low_tonk=15 --b low_tonk=13 --measure tonk_any")
    one, two = odds(3).any, odds(3, TonkRules(low_tonk=13)).any
    for name, value in (("a", one), ("b", two), ("difference", two - one)):
        assert found[name] == {"value": float(value), "exact": str(value)}
    assert found["rules_a"] == TonkRules().as_dict()
    assert found["rules_b"] == TonkRules(low_tonk=13).as_dict()
    assert found["measure"] == "tonk_any"
    assert "deals_differing" not in found
    assert found["intervals"]["comparisons"] == 0
    found = answer("ton --b trump_card=stays --measure trumpless_by_seat --players 4")
    stays = ton_odds(4, TonRules(trump_card="stays")).trumpless_by_seat
    assert found["seats"] == [0, 1, 2, 3]
    assert [Fraction(value["exact"]) for value in found["b"]] == list(stays)


def test_estimated_difference_of_one_value(answer):
    found = answer("ton --b trumpless_right=nobody --measure points --seat 0 --deals 2000 --seed 4")
    assert found["seat"] == 0
    assert found["difference"].keys() == ESTIMATE
    found = answer("tonk --b low_tonk=20 --measure turns --deals 20000 --seed 4 --policies simple --players 2")
    for name in ("a", "b", "difference"):
        assert found[name].keys() == ESTIMATE
        assert found[name]["level"] == 0.95
    assert found["difference"]["value"] == pytest.approx(found["b"]["value"] - found["a"]["value"])
    assert found["deals_differing"].keys() == ESTIMATE
    assert found["deals_to_tell_apart"] > 0
    assert found["intervals"] == {
        "level": 0.95,
        "comparisons": 1,
        "correction": "none",
        "kind": "fixed number of deals",
    }
    assert (found["players"], found["policies"], found["seed"]) == (2, ["simple"], 4)
    # The empty side has the default rules, and fewer hands go on when more are a TONK.
    assert found["rules_a"]["low_tonk"] == 15
    assert found["difference"]["high"] < 0


def test_several_measures_and_seats_are_lists_with_corrected_intervals(answer):
    found = answer(
        "tonk --b low_tonk=17 --measure turns --measure payment --measure tonk_any --deals 500 --precision 5"
    )
    turns, payment, any_ = found["comparisons"]
    assert (turns["measure"], payment["measure"], any_["measure"]) == ("turns", "payment", "tonk_any")
    assert payment["seats"] == [0, 1, 2]
    assert [len(payment[name]) for name in ("a", "b", "difference", "deals_differing", "excludes_zero")] == [3] * 5
    assert {turns["difference"]["level"]} | {each["level"] for each in payment["difference"]} == {1 - 0.05 / 4}
    assert "exact" in any_["difference"]
    assert (found["intervals"]["comparisons"], found["intervals"]["correction"]) == (4, "bonferroni")
    assert found["intervals"]["kind"] == "confidence sequence"


def test_a_sweep_has_a_cell_for_each_value_and_two_make_a_grid_with_a_picture(answer, tmp_path):
    for name, start in (("grid.svg", b"<?xml"), ("grid.png", b"\x89PNG")):
        found = answer(
            f"ton --sweep trumpless_right=nobody,eldest --sweep hand_size=5 --b five_bid=off --measure tricks --seat 0"
            f" --deals 300 --picture {tmp_path / name}"
        )
        assert (tmp_path / name).read_bytes().startswith(start)
    assert [cell["values"] for cell in found["cells"]] == [
        {"trumpless_right": "nobody", "hand_size": 5},
        {"trumpless_right": "eldest", "hand_size": 5},
    ]
    assert found["cells"][0]["difference"]["value"] < 0
    assert "rules_b" not in found
    found = answer(f"tonk --sweep low_tonk=none,14 --measure payment --deals 300 --picture {tmp_path / 'one.svg'}")
    assert [cell["values"] for cell in found["cells"]] == [{"low_tonk": None}, {"low_tonk": 14}]
    assert found["intervals"]["comparisons"] == 6
    assert (tmp_path / "one.svg").read_bytes().startswith(b"<?xml")


def test_each_value_comes_with_the_greatest_change_first(answer):
    found = answer("tonk --option all --measure tonk_single")
    changes = [abs(Fraction(cell["difference"]["exact"])) for cell in found["cells"]]
    assert changes == sorted(changes, reverse=True)
    assert changes[0] > 0 == changes[-1]
    assert {"drop_tie": "dropper_loses"} in [cell["values"] for cell in found["cells"]]


def test_retuned_players_are_a_second_number(answer, run):
    command = "tonk --b drop_penalty=3 --measure turns --players 2 --deals 500 --retune --retune-deals 500"
    found = answer(command)
    assert found["adapted"].keys() == {
        "b",
        "difference",
        "excludes_zero",
        "deals_differing",
        "deals_to_tell_apart",
    }
    assert found["best_reply_gains"].keys() == {"a", "b"}
    assert found["intervals"]["comparisons"] == 2
    status, out, _ = run(command)
    assert status == 0
    assert "… players adapt" in out
    assert "The players are tuned to a, and where they adapt to b." in out


def test_tables_say_how_the_intervals_are_made(run):
    status, out, _ = run("tonk --b low_tonk=16 --measure payment --measure tonk_any --deals 500 --precision 5")
    assert status == 0
    assert "Tonk, 3 players: a = the default rules; b = low_tonk=16" in out
    assert "payment, seat 2" in out
    assert "exact" in out
    assert "From the same 500 deals under a and b, played by threshold." in out
    assert "3 differences at once: their intervals are corrected (Bonferroni)" in out
    assert "confidence sequence" in out
    _, out, _ = run("ton --sweep lone_player=no_score --measure trumpless")
    assert "lone_player=no_score" in out
    assert "exact" in out


@pytest.mark.parametrize(("name", "game"), [("tonk", TONK), ("ton", TON)])
def test_measures_are_listed(name, game, run, answer):
    listed = answer(f"{name} --measures")["measures"]
    assert [each["name"] for each in listed] == list(game.measures)
    _, out, _ = run(f"{name} --measures")
    assert out.count("\n") == len(game.measures)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("go --measure x", "unknown game 'go': known: tonk, ton"),
        ("tonk", "name what to compare with --measure; --measures lists what there is"),
        ("tonk --measure payments", "unknown Tonk measure 'payments': did you mean payment?"),
        ("tonk --b low_tonkk=3 --measure turns", "unknown Tonk rule 'low_tonkk': did you mean low_tonk?"),
        ("tonk --b stock_out=voi --measure turns", "stock_out cannot be 'voi': did you mean void?"),
        ("tonk --b out_pay --measure turns", "'out_pay' is not of the form field=value"),
        ("ton --measure win --seat 4", "seat 4 is none of win: they run from 0 to 2"),
        ("ton --measure win --seat x", "seat 'x' is not a whole number"),
        ("ton --measure win --policies plainn", "unknown Ton policy 'plainn': did you mean plain?"),
        ("ton --measure win --precision 0", "precision 0 is not a positive half-width of at least 1e-09"),
        ("ton --measure win --picture x.svg", "a picture is drawn of a sweep of one field or two"),
        ("ton --measure win --picture x.jpg --sweep ante=1,2", "picture 'x.jpg': a file .svg or .png is drawn"),
        ("ton --measure win --picture /no/x.svg --sweep ante=1", "cannot write '/no/x.svg': No such file or directory"),
        (
            "ton --measure win --picture x.svg --sweep ante=1,2 --sweep five_bid=off",
            "a picture of two fields shows one value: name one measure, and one of its seats with --seat",
        ),
        ("ton --option all --b ante=5 --measure win", "--option starts from --a: it takes no --b and no --sweep"),
        ("ton --option talon_size --measure win", "no other value of talon_size is tried: give one with --b"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(command, message, run):
    assert run(command) == (2, "", f"tonlab: {message}\n")
