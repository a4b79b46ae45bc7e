"""The commands `tonlab ton …`: JSON to the letter, wrong input in one line with exit status 2."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.main import main
from core.ton.rules import TonRules

TONLAB = str(Path(sys.executable).with_name("tonlab"))
RECORD = """players: A, B
points: 0 0
hand A: 8s Kd Jh 8d Qd
hand B: 8h 6d 8c Qc As
talon: Qs Kc 10d 7d
trump: 9c
A: refuse
B: discard 8h
A: play
A: Kd
B: 6d
A: Qd
B: 8c
B: Qc
A: 8s
B: 9c
A: 8d
B: As
A: Jh
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "hand.txt"
    path.write_text(RECORD, encoding="utf-8")
    return path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    """Return what runs a command in this process: exit status, standard output, standard error."""

    def run_(command: str) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["tonlab", *shlex.split(command)])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code, *capfd.readouterr()

    return run_


def test_rules_as_json(run):
    status, out, _ = run("ton rules --rules one_card --set hand_size=6 --set talon_size=5 --json")
    assert status == 0
    expected = TonRules(talon_reveal="first_refusal", hand_size=6, talon_size=5)
    assert json.loads(out)["rules"] == expected.as_dict()


def test_rules_as_a_table(run):
    status, out, _ = run("ton rules")
    assert status == 0
    for name in TonRules.options():
        assert name in out


def test_legal_hand_as_json(run, record):
    status, out, _ = run(f"ton replay {record} --json")
    assert status == 0
    assert out.count("\n") == 1
    found = json.loads(out)
    assert found.pop("rules") == TonRules().as_dict()
    found.pop("version")
    assert found == {
        "legal": True,
        "errors": [],
        "warnings": [],
        "result": {"tricks": [1, 4], "points": [1, 4], "pluses": [0, 0], "participants": [True, True]},
    }


def test_illegal_hand_as_json_and_in_words(run, record):
    record.write_text(RECORD.replace("B: 6d", "B: 8c"), encoding="utf-8")
    status, out, _ = run(f"ton replay {record} --json")
    assert status == 0
    found = json.loads(out)
    assert (found["legal"], found["result"]) == (False, None)
    assert found["errors"] == [{"line": 11, "message": "T10: B cannot play 8c but must follow suit: 6d"}]
    assert run(f"ton replay {record}")[1] == "line 11: T10: B cannot play 8c but must follow suit: 6d\n"


def test_position_as_json_and_in_words(run, record):
    record.write_text(RECORD[: RECORD.index("A: Kd")], encoding="utf-8")
    found = json.loads(run(f"ton replay {record} --json")[1])
    assert (found["legal"], found["result"]) == (True, None)
    assert run(f"ton replay {record}")[1] == "legal so far; A is to act (play)\n"


def test_hand_as_a_table(run, record):
    status, out, _ = run(f"ton replay {record}")
    assert status == 0
    assert "a legal hand" in out
    assert "+4" in out


def test_rules_matter_to_a_replay(run, record):
    found = json.loads(run(f"ton replay {record} --set no_buyer_lead=dealer --json")[1])
    assert found["errors"][0]["line"] == 10


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (RECORD.replace("8s Kd", "8s 8s").encode(), "line 3: 8s is named twice"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"", "no line of players"),
        (b"\x00\x01\x02", "no line of players"),
    ],
)
def test_record_that_is_none_is_refused_in_one_line(run, record, content, message):
    record.write_bytes(content)
    status, out, err = run(f"ton replay {record} --json")
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_missing_file_and_wrong_rules_are_refused_in_one_line(run, record, tmp_path):
    for command, message in (
        (f"ton replay {tmp_path / 'missing'}", "missing"),
        (f"ton replay {tmp_path}", "directory"),
        (f"ton replay {record} --set must_bet=led", "must_beat"),
        ("ton rules --set talon_size=5", "talon_size"),
        ("ton rules --rules american", "preset"),
    ):
        status, out, err = run(command)
        assert (status, out) == (2, "")
        assert message in err
        assert err.count("\n") == 1


def test_command_runs_as_a_program(record):
    done = subprocess.run(
        [TONLAB, "ton", "replay", str(record), "--json"],
        capture_output=True,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout)["result"]["tricks"] == [1, 4]


def test_simulation_as_json_and_as_a_table(run):
    command = "ton simulate --players 3 --policies plain,random,plain --deals 2000 --seed 5"
    status, out, err = run(f"{command} --json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    found = json.loads(out)
    fields = ("tricks", "points", "pluses", "no_trick", "fold", "buy", "trumpless")
    assert set(found) == {"players", "policies", "seed", "rules", "version", *fields}
    assert (found["players"], found["policies"], found["seed"]) == (3, ["plain", "random", "plain"], 5)
    for field in fields:
        assert len(found[field]) == 3
        for estimate in found[field]:
            assert set(estimate) == {"value", "se", "low", "high", "n", "level"}
            assert estimate["n"] == 2000
    assert run(f"{command} --json --threads 2")[1] == out
    table = run(command)[1]
    assert "1 random" in table
    assert f"{found['tricks'][1]['value']:.4f}" in table


def test_wrong_simulation_is_refused_in_one_line(run):
    for options, message in (
        ("--players 4 --policies plain,plain", "2 policies are given for 4 players"),
        ("--players 2 --policies plain,rnadom", "unknown Ton policy 'rnadom': did you mean random?"),
        ("--players 2 --policies plain,xyz", "unknown Ton policy 'xyz': known: random, plain"),
        ("--players 7 --policies plain", "7 players"),
        ("--players 2 --policies plain,plain --deals 1", "deals cannot be 1"),
    ):
        status, out, err = run(f"ton simulate {options}")
        assert (status, out) == (2, "")
        assert message in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("method", ["simulate", "exact"])
def test_matches_as_json_and_as_a_table(run, method):
    command = f"ton match --players 2 --policies plain,greedy --deals 2000 --seed 5 --method {method}"
    status, out, err = run(f"{command} --json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    found = json.loads(out)
    extra = {"broken_off", "max_hands"} if method == "simulate" else {"floor_error"}
    assert set(found) == {"players", "policies", "method", "win", "money", "hands", "seed", "rules", "version"} | extra
    assert (found["players"], found["method"], found["seed"]) == (2, method, 5)
    for estimate in (*found["win"], *found["money"], found["hands"]):
        assert set(estimate) == {"value", "se", "low", "high", "n", "level"}
    assert sum(estimate["value"] for estimate in found["win"]) == pytest.approx(1)
    assert sum(estimate["value"] for estimate in found["money"]) == pytest.approx(0, abs=1e-9)
    assert run(f"{command} --json --threads 2")[1] == out
    table = run(command)[1]
    assert "1 greedy" in table
    assert f"{found['win'][1]['value']:.4f}" in table


def test_wrong_matches_are_refused_in_one_line(run):
    for options, message in (
        ("--players 4 --policies plain,plain", "2 policies are given for 4 players"),
        ("--players 2 --policies plain,rnadom", "unknown Ton policy 'rnadom': did you mean random?"),
        ("--players 2 --policies plain,plain --method exakt", "unknown method 'exakt': did you mean exact?"),
        ("--players 4 --policies plain,plain,plain,plain --method exact", "2 to 3 players"),
        ("--players 2 --policies plain,plain --max-hands 0", "max_hands cannot be 0"),
    ):
        status, out, err = run(f"ton match {options}")
        assert (status, out) == (2, "")
        assert message in err
        assert err.count("\n") == 1
