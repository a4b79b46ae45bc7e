"""The command `tonlab tonk tune`: the file that it writes, and hands played by it."""

import json
import shlex
import sys

import pytest

from analysis.main import main
from analysis.tonk import TonkRules
from analysis.tonk.tuning import tune
from core.tonk.thresholds import thresholds_for


@pytest.fixture
def run(monkeypatch, capsys):
    """Return what runs a command of Tonk and returns status, output and error output."""
    monkeypatch.setenv("COLUMNS", "140")

    def run_(options: str):
        monkeypatch.setattr(sys, "argv", ["tonlab", "tonk", *shlex.split(options)])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code, *capsys.readouterr()

    return run_


def test_tuned_thresholds_are_written_and_played_by(run, tmp_path):
    path = tmp_path / "mine.json"
    options = "--deals 800 --seed 6 --set high_tonk=none --set drop_penalty=3"
    status, out, err = run(f"tune --players '2, 3' --out {path} {options}")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[-3:] if line.strip()] == ["2", "3"]
    rules = TonkRules(high_tonk=None, drop_penalty=3)
    for players in (2, 3):
        assert thresholds_for(players, path) == tune(players, rules, deals=800, seed=6).thresholds
    # The command that the file names writes the same file.
    made_by = json.loads(path.read_text(encoding="utf-8"))["made_by"]
    assert made_by.startswith("tonlab tonk tune --players 2,3 ")
    again = tmp_path / "again.json"
    assert run(f"{made_by.removeprefix('tonlab tonk ')} --out {again}")[0] == 0
    assert again.read_bytes() == path.read_bytes()

    status, out, err = run(f"simulate --players 2 --policies threshold:{path},simple --deals 500 --json")
    assert (status, err) == (0, "")
    assert json.loads(out)["payment"][0]["n"] == 500


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("--players 2,x --out mine.json", "'x'"),
        ("--players '' --out mine.json", "number of players"),
        ("--players 1 --out mine.json", "1 players"),
        ("--players 2 --out mine.json --deals 1", "deals"),
        ("--players 2 --out mine.json --rules sorce", "source"),
        ("--players 2,11 --out mine.json --deals 1000000000", "11 players"),
        ("--players 2 --out no-such-folder/mine.json --deals 1000000000", "no-such-folder/mine.json"),
        ("--players 2 --out . --deals 1000000000", "cannot write '.'"),
    ],
)
def test_wrong_input_is_refused_in_one_line_before_any_hand_is_played(run, options, named, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(f"tune {options}")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert named in err
    assert list(tmp_path.iterdir()) == []
