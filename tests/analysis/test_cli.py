"""The command line `tonlab` as other programs run it: JSON to the letter, wrong input, help, pipes and interrupts."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from analysis.main import main
from analysis.tonk import Drop, Odds, TonkRules, drop, odds, settle

TONLAB = str(Path(sys.executable).with_name("tonlab"))
HAND, UP = "10s 8d 8h 5s 4c", "5c"

# A question whose exact answer takes more than the steps allowed, so that it is sampled.
SAMPLED = "tonk odds --players 8 --set low_tonk=26 --steps 1000"


Run = Callable[[str], subprocess.CompletedProcess[str]]


def run(command: str) -> subprocess.CompletedProcess[str]:
    # A terminal's width and colours must not reach the tests.
    environment = os.environ | {"COLUMNS": "120", "NO_COLOR": "1"}
    return subprocess.run(
        [TONLAB, *shlex.split(command)], capture_output=True, text=True, env=environment, timeout=120, check=False
    )


@pytest.fixture
def run_here(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Return what runs a command within this process, where its imports are paid for."""

    def run_(command: str) -> subprocess.CompletedProcess[str]:
        words = ["tonlab", *shlex.split(command)]
        monkeypatch.setattr(sys, "argv", words)
        with pytest.raises(SystemExit) as stopped:
            main()
        return subprocess.CompletedProcess(words, stopped.value.code, *capfd.readouterr())

    return run_


def answer(command: str) -> dict[str, Any]:
    """Run a command with --json and return its one object."""
    done = run(f"{command} --json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    found = json.loads(done.stdout, parse_constant=pytest.fail)
    assert isinstance(found, dict)
    return found


def exact(value: Any) -> Fraction:
    """Read an exact value: its float, and the reduced fraction as text."""
    assert value.keys() == {"value", "exact"}
    fraction = Fraction(value["exact"])
    assert str(fraction) == value["exact"]
    assert value["value"] == float(fraction)
    return fraction


def estimated(value: Any) -> float:
    assert value.keys() == {"value", "se", "low", "high", "n", "level"}
    assert value["low"] <= value["value"] <= value["high"]
    assert value["se"] >= 0
    assert isinstance(value["n"], int)
    assert value["level"] == 0.95
    return value["value"]


# ---------------------------------------------------------------------------------------------------------------------
# What --json prints.
# ---------------------------------------------------------------------------------------------------------------------


def assert_exact_odds(found: dict[str, Any], expected: Odds) -> None:
    assert found["players"] == expected.players
    for name in ("single", "low", "high", "any"):
        assert exact(found[name]) == getattr(expected, name)
    for name in ("exactly", "payment"):
        assert tuple(exact(value) for value in found[name]) == getattr(expected, name)


def test_odds_are_exact_fractions():
    found = answer("tonk odds --players 3 --set several_tonks=first")
    assert_exact_odds(found, odds(3, TonkRules(several_tonks="first")))
    assert found["single"]["exact"] == "3371/324870"
    assert len(found["exactly"]) == 4
    assert len(found["payment"]) == 3
    assert found["rules"]["several_tonks"] == "first"


def test_odds_given_a_hand_are_those_of_the_other_players():
    found = answer(f'tonk odds --players 4 --hand "{HAND}" --up {UP} --seat 2')
    assert_exact_odds(found, odds(4, hand=HAND, up=UP, seat=2))
    assert len(found["exactly"]) == 4
    assert len(found["payment"]) == 4
    assert found["own_tonk"] is False
    without_up = answer(f'tonk odds --players 4 --hand "{HAND}"')
    assert_exact_odds(without_up, odds(4, hand=HAND))


def test_cards_are_read_in_any_spelling_and_printed_in_one():
    found = answer('tonk odds --players 3 --hand "ts 8♦,8H  5п 4Т" --up вк')
    assert (found["hand"], found["up"]) == ("10s 8d 8h 5s 4c", "Jc")
    assert_exact_odds(found, odds(3, hand=HAND, up="Jc"))


def assert_exact_drop(found: dict[str, Any], expected: Drop) -> None:
    assert found["total"] == expected.total
    for name in ("p_no_tonk", "p_win", "p_less", "payment"):
        assert exact(found[name]) == getattr(expected, name)


@pytest.mark.parametrize("players", [2, 3])
def test_a_drop_among_two_or_three_players_is_exact(players):
    rules = TonkRules(drop_settlement="lowest_only", drop_tie="dropper_loses")
    options = "--set drop_settlement=lowest_only --set drop_tie=dropper_loses"
    found = answer(f'tonk drop --players {players} --hand "{HAND}" --up {UP} {options}')
    assert_exact_drop(found, drop(HAND, players, rules, up=UP))


def test_a_drop_that_takes_too_many_steps_is_estimated_from_the_deals_asked_for():
    found = answer(f'tonk drop --players 6 --hand "{HAND}" --steps 1000 --deals 100000 --seed 5')
    expected = drop(HAND, 6, max_steps=1000, deals=100000, seed=5)
    assert found["total"] == 35
    assert found["p_no_tonk"]["n"] == 100000
    for name in ("p_no_tonk", "p_win", "p_less", "payment"):
        assert estimated(found[name]) == getattr(expected, name).value
    assert found["seed"] == 5


def test_odds_that_take_too_many_steps_are_estimated_to_a_precision_beside_exact_parts():
    found = answer(f"{SAMPLED} --precision 0.0015 --seed 7")
    expected = odds(8, TonkRules(low_tonk=26), max_steps=1000, precision=0.0015, seed=7)
    for name in ("single", "low", "high"):
        assert exact(found[name]) == getattr(expected, name)
    assert estimated(found["any"]) == expected.any.value
    assert [estimated(chance) for chance in found["exactly"]] == [chance.value for chance in expected.exactly]
    assert (found["any"]["high"] - found["any"]["low"]) / 2 <= 0.0015
    # More than the pilot run has, so that the precision made a difference.
    assert found["any"]["n"] == expected.any.n > 100_000
    assert found["seed"] == 7


@pytest.mark.parametrize(
    ("totals", "dropper", "options"),
    [
        ("9,10,24", 0, {}),
        ("9, 9, 24, 30", 0, {"drop_settlement": "lowest_only"}),
        ("12,9,9,9,20", 4, {"drop_settlement": "lowest_only", "drop_penalty": 3}),
        ("9,9,30", 1, {"equal_pays": "yes"}),
    ],
)
def test_settled_payments_are_exact_by_seat(totals, dropper, options):
    settings = " ".join(f"--set {name}={value}" for name, value in options.items())
    found = answer(f'tonk settle --totals "{totals}" --dropper {dropper} {settings}')
    payments = [Fraction(str(pay)) for pay in found["payments"]]
    assert payments == list(settle([int(total) for total in totals.split(",")], dropper, TonkRules(**options)))
    assert sum(payments) == 0


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ("", TonkRules()),
        ("--rules source", TonkRules()),
        (
            "--rules american --set high_tonk=none --set out_pay=3",
            TonkRules(
                low_tonk=None,
                high_tonk=None,
                several_tonks="void",
                equal_pays="yes",
                set_fourth="allowed",
                meld_duty="optional",
                out_pay=3,
            ),
        ),
        ("--set low_tonk=12 --set low_tonk=13", TonkRules(low_tonk=13)),
    ],
)
def test_rules_are_printed_field_by_field(options, rules):
    assert answer(f"tonk rules {options}")["rules"] == asdict(rules)


def test_a_rules_file_starts_from_the_defaults_and_set_overrides_it(tmp_path):
    file = tmp_path / "my rules.toml"
    file.write_text('low_tonk = 12\nhigh_tonk = "none"\ndrop_tie = "dropper_wins"\n', encoding="utf-8")
    from_file = TonkRules(low_tonk=12, high_tonk=None, drop_tie="dropper_wins")
    assert answer(f"tonk rules --rules '{file}'")["rules"] == asdict(from_file)
    found = answer(f"tonk odds --players 3 --set high_tonk=48 --rules '{file}' --set drop_tie=no_win")
    expected = TonkRules(low_tonk=12, high_tonk=48)
    assert found["rules"] == asdict(expected)
    assert_exact_odds(found, odds(3, expected))


def assert_same_bytes(run_: Run, command: str) -> None:
    # Two chunks of a run, so that two threads have something to share.
    command += " --json --deals 300000 --seed 3"
    one, two = run_(f"{command} --threads 1"), run_(f"{command} --threads 2")
    assert one.returncode == 0, one.stderr
    assert one.stdout == two.stdout
    assert json.loads(one.stdout)["payment"]
    # The note alone: there is no terminal for progress.
    assert one.stderr.count("\n") == 1
    assert "300,000 deals" in one.stderr


def test_a_seed_gives_the_same_bytes_of_odds_for_any_number_of_threads():
    assert_same_bytes(run, SAMPLED)


def test_a_seed_gives_the_same_bytes_of_a_drop_for_any_number_of_threads(run_here):
    assert_same_bytes(run_here, f'tonk drop --players 6 --hand "{HAND}" --steps 1000')


# ---------------------------------------------------------------------------------------------------------------------
# Wrong input: one line on standard error that names the offending thing, nothing on standard output, status 2.
# ---------------------------------------------------------------------------------------------------------------------

ODDS = "tonk odds --players 4"
DROP = "tonk drop --players 3"

# Run as a process each: every way in which a line comes about.
WRONG_AS_A_PROCESS = [
    ("bogus", "bogus"),
    ("tonk bogus", "bogus"),
    (f"{ODDS} --bogus 3", "--bogus"),
    ("tonk odds --players", "--players"),
    ("tonk odds --players four", "four"),
    ("tonk odds --players 11", "11 players"),
    (f'{ODDS} --hand "As As 2c 3d 4h"', "As"),
    (f'{ODDS} --hand "1s 2s 9c Kd 4h"', "1s"),
    (f"{ODDS} --set low_tonk=51", "low_tonk cannot be 51"),
    (f"{ODDS} --rules no-such-file.toml", "no-such-file.toml"),
    (f"{ODDS} --deals 0", "deals"),
    (f"{SAMPLED} --deals 1", "deals"),
    (f"{SAMPLED} --precision 1e-300", "1e-300"),
    ("tonk settle --totals 9,x,3 --dropper 0", "'x'"),
]

# Run within this process, which takes a hundredth of the time.
WRONG = [
    # Commands and options.
    ("--bogus", "--bogus"),
    (f"{ODDS} extra", "extra"),
    (f"{ODDS} --json=3", "--json"),
    ("tonk odds", "--players"),
    (DROP, "--hand"),
    ("tonk settle --dropper 0", "--totals"),
    # Numbers.
    ("tonk odds --players 4.5", "4.5"),
    ('tonk odds --players ""', "--players"),
    ("tonk odds --players 1", "1 players"),
    ("tonk odds --players -4", "-4 players"),
    ("tonk odds --players 99999999999999999999999", "99999999999999999999999 players"),
    ("tonk odds --players 21 --set decks=2", "21 players"),
    (f"{ODDS} --seat 4", "seat 4"),
    (f"{ODDS} --seat -1", "seat -1"),
    (f"{ODDS} --seat 99999999999999999999999", "seat 99999999999999999999999"),
    (f"{ODDS} --seed 1.5", "1.5"),
    (f"{ODDS} --precision x", "--precision"),
    (f"{ODDS} --deals many", "many"),
    (f"{ODDS} --threads two", "two"),
    # Settings of a run, in a question that is sampled …
    (f"{SAMPLED} --deals 0", "deals"),
    (f"{SAMPLED} --deals -1", "deals"),
    (f"{SAMPLED} --deals 99999999999999999999999", "99999999999999999999999"),
    (f"{SAMPLED} --precision 0", "precision"),
    (f"{SAMPLED} --precision -1", "precision"),
    (f"{SAMPLED} --precision nan", "nan"),
    (f"{SAMPLED} --precision inf", "inf"),
    (f"{SAMPLED} --seed -1", "seed"),
    (f"{SAMPLED} --seed 18446744073709551616", "seed"),
    (f"{SAMPLED} --threads 0", "threads"),
    (f"{SAMPLED} --precision 0.001 --deals 1000", "0.001"),
    # … and in one that is exact: a number that cannot be is wrong even where nothing is sampled.
    (f"{ODDS} --deals 1", "deals"),
    (f"{ODDS} --precision 0", "precision"),
    (f"{ODDS} --precision -1", "precision"),
    (f"{ODDS} --precision nan", "nan"),
    (f"{ODDS} --precision inf", "inf"),
    (f"{ODDS} --seed -1", "seed"),
    (f"{ODDS} --threads 0", "threads"),
    (f"{ODDS} --steps 0", "steps"),
    (f"{ODDS} --steps -5", "steps"),
    (f'{DROP} --hand "{HAND}" --deals 1', "deals"),
    (f'{DROP} --hand "{HAND}" --precision nan', "nan"),
    (f'{DROP} --hand "{HAND}" --seed -1', "seed"),
    (f'{DROP} --hand "{HAND}" --threads 0', "threads"),
    (f'{DROP} --hand "{HAND}" --steps 0', "steps"),
    # Cards.
    (f'{DROP} --hand "9s Zz 9c Kd 4h"', "Zz"),
    (f'{DROP} --hand "9s 9c Kd 4h"', "9s 9c Kd 4h"),
    (f'{ODDS} --hand "9s 9c Kd 4h"', "9s 9c Kd 4h"),
    (f'{DROP} --hand ""', "hand"),
    (f'{ODDS} --hand " "', "hand"),
    (f'{DROP} --hand "{HAND}" --up 8d', "8d"),
    (f'{DROP} --hand "{HAND}" --up ""', "up-card"),
    (f'{ODDS} --up "Kd Kh"', "Kd Kh"),
    (f'{DROP} --hand "{HAND}" --up Kd --set up_card=no', "Kd"),
    (f'{DROP} --hand "As 2s 3s 4h 5d"', "As 2s 3s 4h 5d"),
    # Reports.
    ("report tonk-openin", "did you mean tonk-opening?"),
    ("report tonk-opening --set plyers=5", "did you mean players?"),
    ("report tonk-opening --set low_tonk=51", "low_tonk"),
    ("report --jobs 0", "jobs"),
    # Rules.
    (f"{ODDS} --set low_tonk=49", "low_tonk 49"),
    (f"{ODDS} --set lowtonk=12", "low_tonk"),
    (f"{ODDS} --set several_tonks=ech", "each"),
    (f"{ODDS} --set low_tonk", "low_tonk"),
    (f"{ODDS} --set low_tonk=", "low_tonk"),
    (f"{ODDS} --set low_tonk=fifteen", "fifteen"),
    (f"{ODDS} --set out_pay=none", "out_pay"),
    (f'{ODDS} --set ""', "field=value"),
    (f"{ODDS} --set", "--set"),
    (f"{ODDS} --set tonk_pay=99999999999999999999999", "tonk_pay"),
    (f"{ODDS} --rules sorce", "source"),
    (f'{ODDS} --rules ""', "preset"),
    ("tonk rules --set decks=5", "decks"),
    # Settlements.
    ('tonk settle --totals "" --dropper 0', "total"),
    ("tonk settle --totals 9 --dropper 0", "1 total"),
    ("tonk settle --totals 9,,3 --dropper 0", "total"),
    ("tonk settle --totals 9,-3 --dropper 0", "-3"),
    ("tonk settle --totals 9,1.5 --dropper 0", "1.5"),
    ("tonk settle --totals 9,99999999999999999999999 --dropper 0", "99999999999999999999999"),
    ("tonk settle --totals 9,10 --dropper 2", "dropper 2"),
    ("tonk settle --totals 9,10 --dropper -1", "dropper -1"),
    ("tonk settle --totals 9,10 --dropper x", "x"),
]


def assert_refused(done: subprocess.CompletedProcess[str], named: str) -> None:
    errors = done.stderr
    assert "Traceback" not in errors
    assert done.returncode == 2
    assert done.stdout == ""
    assert errors.endswith("\n")
    assert errors.count("\n") == 1
    # What the line says, not its "tonlab: ".
    assert named in errors.removeprefix("tonlab: ")


@pytest.mark.parametrize(("command", "named"), WRONG_AS_A_PROCESS, ids=lambda text: text[:60])
def test_wrong_input_ends_the_process_with_one_line_and_status_2(command, named):
    assert_refused(run(command), named)


@pytest.mark.parametrize(("command", "named"), WRONG, ids=[command for command, _ in WRONG])
def test_wrong_input_is_refused_in_one_line(command, named, run_here):
    assert_refused(run_here(command), named)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"low_tonc = 12\n", "low_tonk"),
        (b"low_tonk = 12.5\n", "12.5"),
        (b'drop_tie = "no win"\n', "no_win"),
        (b"low_tonk = = 12\n", "TOML"),
        (b"[tonk]\nlow_tonk = 12\n", "tonk"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_a_wrong_rules_file_is_refused_in_one_line(tmp_path, content, named, run_here):
    file = tmp_path / "my.toml"
    file.write_bytes(content)
    assert_refused(run_here(f"{ODDS} --rules {file}"), named)


# ---------------------------------------------------------------------------------------------------------------------
# Help, tables, pipes, interrupts, imports.
# ---------------------------------------------------------------------------------------------------------------------


def assert_help(done: subprocess.CompletedProcess[str], command: str) -> None:
    assert done.returncode == 0
    assert done.stderr == ""
    assert "Usage" in done.stdout
    assert f"tonlab {command}".strip() in done.stdout


def test_help_is_printed_with_status_0():
    assert_help(run("--help"), "")
    assert_help(run("tonk odds --help"), "tonk odds")


@pytest.mark.parametrize("command", ["tonk", "tonk drop", "tonk settle", "tonk rules"])
def test_help_of_every_command_is_printed_with_status_0(command, run_here):
    assert_help(run_here(f"{command} --help"), command)


@pytest.mark.parametrize("command", ["", "tonk", "ton", "runs"])
def test_help_says_each_command_in_one_line(command, run_here, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    panels = re.findall(r"╭─ (.+?) ─+╮\n(.*?)╰", run_here(f"{command} --help").stdout, re.DOTALL)
    commands = [row for title, rows in panels if title != "Options" for row in rows.splitlines()]
    assert len(commands) >= 3
    # A summary that goes on in a second line would leave the name out.
    assert all(re.match(r"│ [a-z]", row) for row in commands)


def test_a_shell_completes_commands_and_reports(monkeypatch):
    monkeypatch.setenv("_TONLAB_COMPLETE", "complete_bash")
    for words, found in (("tonlab to", "tonk\nton"), ("tonlab report ton-m", "ton-match")):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
        assert run("").stdout.strip() == found


def test_no_command_prints_help_and_no_empty_error():
    done = run("tonk")
    assert "Usage" in done.stdout + done.stderr
    assert "tonlab: \n" not in done.stderr


def test_without_json_a_table_shows_the_same_numbers():
    done = run("tonk odds --players 3")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "3371/324870" in done.stdout
    assert "{" not in done.stdout


@pytest.mark.parametrize("command", ["tonk odds --players 10", "tonk odds --players 4 --json", "tonk --help"])
def test_a_reader_that_goes_away_causes_no_traceback(command):
    # The reading end is closed before the command writes: what `| head -c 1` does, without the race.
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [TONLAB, *shlex.split(command)], stdout=write, stderr=subprocess.PIPE, text=True, timeout=120, check=False
        )
    finally:
        os.close(write)
    assert done.stderr == ""
    assert done.returncode in (0, 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_one_line_and_status_2():
    done = subprocess.run(f"{TONLAB} tonk odds --players 3 > /dev/full", shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "tonlab: No space left on device\n")


def test_a_closed_standard_output_is_no_error():
    done = subprocess.run(f"{TONLAB} tonk odds --players 3 >&-", shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_interrupt_ends_a_long_estimate_with_status_130():
    # Kernels are compiled when they are first needed, for some seconds; let that be done.
    assert run(f"{SAMPLED} --deals 2").returncode == 0
    process = subprocess.Popen(
        [TONLAB, *shlex.split(f"{SAMPLED} --deals 50000000000")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever started the tests in the background made them ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        # Time enough to start the run.
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=3)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=10)
        assert time.monotonic() - start < 2
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert output == ""
    resume, last = errors.splitlines()
    assert re.fullmatch(r"tonlab: [\d,]+ of 50,000,000,000 deals are kept in .*; the same command goes on .*", resume)
    assert last == "tonlab: interrupted"


def modules_imported_by(command: str) -> set[str]:
    code = "import atexit, sys; from analysis.main import main; "
    code += "atexit.register(lambda: print('\\n'.join(sys.modules), file=sys.stderr)); "
    code += f"sys.argv = {['tonlab', *shlex.split(command)]!r}; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["players"] > 1
    return {name.partition(".")[0] for name in done.stderr.split()}


def test_exact_odds_import_no_numeric_or_plotting_package():
    imported = modules_imported_by("tonk odds --players 4 --json")
    assert "analysis" in imported
    assert not imported & {"numba", "numpy", "scipy", "matplotlib", "pandas"}
    # The look is not blind: a sampled answer does import them.
    assert {"numba", "numpy"} <= modules_imported_by(f"{SAMPLED} --deals 1000 --json")
