"""The command `tonlab tonk replay`: JSON to the letter, what people read, files that cannot be read."""

import json
import shlex
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from analysis.main import main
from tests.core.tonk.test_replay import EXAMPLE_1, EXAMPLE_2


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Return what runs the command on a record and returns status, output and error output."""
    monkeypatch.setenv("COLUMNS", "120")

    def run_(record: str | bytes, options: str = "", name: str = "hand.txt"):
        path = tmp_path / name
        path.write_bytes(record.encode() if isinstance(record, str) else record)
        return run_file(path, options)

    def run_file(path: Path | str, options: str = ""):
        monkeypatch.setattr(sys, "argv", ["tonlab", "tonk", "replay", str(path), *shlex.split(options)])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code, *capsys.readouterr()

    run_.file = run_file
    return run_


def answer(run, record, options=""):
    status, out, err = run(record, f"{options} --json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    return json.loads(out)


@pytest.mark.parametrize(
    ("record", "warning", "payments", "winner"),
    [
        (EXAMPLE_1, {"line": 19, "stated": 25, "computed": 24}, [2, -1, -1], 0),
        (EXAMPLE_2, {"line": 13, "stated": "Qd", "computed": "10h"}, [-1, 2, -1], 1),
    ],
)
def test_the_examples_in_json(run, record, warning, payments, winner):
    found = answer(run, record)
    assert found["legal"] is True
    assert found["errors"] == []
    assert found["warnings"] == [warning]
    assert found["result"] == {"winner": winner, "kind": "drop_won", "payments": payments}
    assert len(found["players"]) == 3
    assert found["rules"]["set_fourth"] == "never"


def test_an_illegal_hand_in_json_has_lines_and_no_result(run):
    found = answer(run, EXAMPLE_2.replace("lay Js 10s 9s; ", ""))
    assert found["legal"] is False
    assert found["errors"][0] == {
        "line": 7,
        "message": "Voron cannot discard Qc: a meld in hand must be laid: 9s 10s Js (K10)",
    }
    assert found["result"] is None


def test_payments_that_are_no_whole_stakes_are_fractions(run):
    record = "players: A, B, C, D\nhand A: 5s\nhand B: 5h\nhand C: 5d\nhand D: Kd\npile: 9c\nA: stock"
    assert answer(run, record)["result"] == {"winner": None, "kind": "stock_out", "payments": ["1/3", "1/3", "1/3", -1]}
    assert Fraction(answer(run, record)["result"]["payments"][0]) == Fraction(1, 3)


def test_rules_and_set_change_what_is_legal(run):
    assert answer(run, EXAMPLE_1, "--set drop_allowed=first_turn")["legal"] is False
    assert answer(run, EXAMPLE_1, "--rules american")["rules"]["equal_pays"] == "yes"


def test_people_read_slips_an_ending_and_the_settlement(run):
    status, out, err = run(EXAMPLE_1)
    assert (status, err) == (0, "")
    assert "line 19: states 25, but it is 24" in out
    assert "The hand is legal and ends with a drop that won." in out
    assert [line.split()[-1] for line in out.splitlines() if "Гоблин" in line] == ["-1"]


def test_people_read_each_error_with_its_line(run):
    status, out, _ = run(EXAMPLE_2.replace("Elmo: stock 10h", "Elmo: stock Qc"))
    assert status == 0
    assert out.startswith("line 9: Elmo cannot take Qc from the stock")
    assert "The hand is not legal." in out


def test_a_hand_without_an_end_is_legal_as_far_as_it_goes(run):
    assert "legal as far as it is recorded" in run(EXAMPLE_1.replace("Ворон: drop\n", ""))[1]


def test_names_are_printed_as_they_are(run):
    status, out, _ = run(EXAMPLE_1.replace("Эльмо", "[/b]"))
    assert status == 0
    assert "[/b]" in out


def test_a_file_with_a_byte_order_mark_is_read(run):
    assert answer(run, "\ufeff" + EXAMPLE_2)["legal"] is True


def test_files_that_cannot_be_read_are_wrong_input(run, tmp_path):
    for path in (tmp_path / "nothing.txt", tmp_path):
        status, out, err = run.file(path, "--json")
        assert (status, out) == (2, "")
        assert err.startswith("tonlab: cannot read")
        assert err.count("\n") == 1
    status, _, err = run(b"players: \xff\xfe", "")
    assert status == 2
    assert "not UTF-8" in err


def test_unknown_rules_are_wrong_input(run):
    status, _, err = run(EXAMPLE_1, "--set drop_alowed=first_turn")
    assert status == 2
    assert "drop_allowed" in err
