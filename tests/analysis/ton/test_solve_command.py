"""`tonlab ton solve`: a value for each line, and the line that is wrong."""

import json

import pytest
from typer.testing import CliRunner

from analysis.cli import app
from core.errors import InputError

GOOD = '{"hands": ["As 7h", "Ks Ah"], "trump": "s", "leader": 0}'
LATER = '{"hands": ["7h", "Ks Ah"], "trump": null, "leader": 0, "trick": "As", "won": [2, 1]}'


def run(tmp_path, text, *options):
    file = tmp_path / "positions.jsonl"
    file.write_text(text, encoding="utf-8")
    return CliRunner().invoke(app, ["ton", "solve", str(file), *options])


def test_one_object_a_line_in_order(tmp_path):
    done = run(tmp_path, f"{GOOD}\n\n{LATER}\n", "--json", "--set", "must_beat=free")
    assert done.exit_code == 0
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["guaranteed"] for line in lines] == [[1, 1], [3, 2]]
    assert lines[0]["rules"]["must_beat"] == "free"


def test_a_line_and_each_for_himself_beside_what_can_be_forced(tmp_path):
    done = run(tmp_path, f"{GOOD}\n{LATER}\n", "--json", "--line", "--each-for-himself")
    first, later = (json.loads(line) for line in done.stdout.splitlines())
    assert first["each_for_himself"] == first["guaranteed"] == [1, 1]
    assert first["best_line"] == {"seat": 0, "tricks": ["As Ks", "7h Ah"]}
    assert later["best_line"] == {"seat": 1, "tricks": ["As Ks", "7h Ah"]}


def test_a_table_for_people(tmp_path):
    done = run(tmp_path, GOOD)
    assert "seat 1" in done.stdout
    assert "best line" not in done.stdout
    done = run(tmp_path, GOOD, "--line", "--each-for-himself")
    assert "nobody can force these" in done.stdout
    assert "position 1, a best line for seat 0: As Ks | 7h Ah" in done.stdout


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not a JSON object"),
        ('{"hands": ["As"], "leader": 0}', "trump is missing"),
        (GOOD.replace('"s"', '"x"'), 'trump "x" is not a suit'),
        (GOOD.replace('"s"', "[]"), "trump .* is not a suit"),
        (GOOD.replace("0}", "2}"), "leader 2 is not a seat"),
        (GOOD.replace("0}", "true}"), "leader true is not a seat"),
        (GOOD.replace("Ah", "As"), "As is named 2 times"),
        (GOOD.replace("Ah", "Zh"), "'Zh' is not a card"),
        (GOOD.replace("Ah", "2h"), "2h is not in the deck"),
        (GOOD.replace(" Ah", ""), "the hands are unequal"),
        (GOOD.replace('"leader"', '"led": 1, "leader"'), "unknown field 'led'"),
        (GOOD.replace('["As 7h", "Ks Ah"]', "3"), "hands is not a list of texts"),
        (GOOD.replace("0}", '0, "trick": 3}'), "trick is not text"),
        (GOOD.replace("0}", '0, "won": ["a"]}'), "won is not a list of numbers"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, line, message):
    done = run(tmp_path, f"{GOOD}\n{line}\n")
    assert isinstance(done.exception, InputError)
    with pytest.raises(InputError, match=f"positions.jsonl line 2: .*{message}"):
        raise done.exception
