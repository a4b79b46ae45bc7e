"""Files of thresholds: written and read again, for more players, and refused in one line."""

import json
from dataclasses import asdict

import pytest

from core.errors import InputError
from core.tonk.policies import Threshold, policy
from core.tonk.thresholds import COLUMNS, LATER_TURNS, Thresholds, as_text, thresholds_for


def table(players, first=0):
    rows = players + LATER_TURNS
    drop = tuple(tuple(first + COLUMNS * row + column for column in range(COLUMNS)) for row in range(rows))
    return Thresholds(drop, take=3, keep=5)


@pytest.fixture
def written(tmp_path):
    def write(text, name="mine.json"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_tables_come_back_from_a_file(written):
    tables = {3: table(3), 2: table(2, -1), 5: table(5, 40)}
    path = written(as_text(tables, 'by "hand"\n', {2: {"best_reply_gains": "little"}}))
    assert {players: thresholds_for(players, path) for players in tables} == tables
    assert [each.players for each in tables.values()] == [3, 2, 5]
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["made_by"] == 'by "hand"\n'
    assert [table.get("best_reply_gains") for table in data["tables"].values()] == ["little", None, None]
    assert policy(f"threshold:{path}", 3) == Threshold(table(3))


def test_more_players_play_by_the_largest_table_further_seats_as_its_last(written):
    path = written(as_text({2: table(2, 100), 3: table(3)}, "", {}))
    found, largest = thresholds_for(6, path), table(3)
    assert found.players == 6
    assert found.drop[:3] == largest.drop[:3]
    assert found.drop[3:6] == (largest.drop[2],) * 3
    assert found.drop[6:] == largest.drop[3:]
    assert (found.take, found.keep) == (3, 5)


@pytest.mark.parametrize("players", [2, 4])
def test_players_without_a_table_below_the_largest_are_refused(written, players):
    path = written(as_text({3: table(3), 5: table(5)}, "", {}))
    with pytest.raises(InputError) as caught:
        thresholds_for(players, path)
    assert str(caught.value) == f"{path}: no thresholds for {players} players"


def test_a_file_that_is_written_anew_is_read_anew(written):
    for first in (0, 10):
        path = written(as_text({3: table(3, first)}, "", {}))
        assert thresholds_for(3, path) == table(3, first)


def with_table(**changes):
    return json.dumps({"tables": {"3": asdict(table(3)) | changes}})


def with_drop(number):
    rows = [list(row) for row in table(3).drop]
    rows[2][3] = number
    return with_table(drop=rows)


WRONG = {
    "empty": "",
    "no JSON": "{",
    "deep": "[" * 100_000,
    "list": "[]",
    "no tables": '{"made_by": "x"}',
    "tables are a list": '{"tables": [1]}',
    "no number of players": json.dumps({"tables": {"three": asdict(table(3))}}),
    "another number of players": json.dumps({"tables": {"2": asdict(table(3))}}),
    "more than its players": json.dumps({"tables": {"3": asdict(table(2))}}),
    "no table": '{"tables": {"3": null}}',
    "no keep": '{"tables": {"3": {"drop": [], "take": 1}}}',
    "too few rows": with_table(drop=[[0] * COLUMNS] * 4),
    "rows of two widths": with_table(drop=[[0] * COLUMNS] * 4 + [[0] * 3 * COLUMNS]),
    "a short row": with_table(drop=[[0] * COLUMNS] * 5 + [[0]]),
    "rows of words": with_table(drop=["aaaaaa"] * 6),
    "a fraction": with_drop(1.5),
    "true": with_drop(True),
    "too small": with_drop(-2),
    "too large": with_drop(1001),
    "take": with_table(take=None),
    "keep": with_table(keep=10**30),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_wrong_file_is_refused_in_one_line_that_names_it(written, text):
    path = written(text)
    with pytest.raises(InputError) as caught:
        thresholds_for(3, path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    for name in ("none.json", ".", "bytes.json", "zero\0byte"):
        with pytest.raises(InputError) as caught:
            thresholds_for(3, tmp_path / name)
        assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize("number", [-2, 1001, 1.0, True, "1"])
def test_numbers_that_a_kernel_cannot_hold_are_refused(number):
    for take, keep in ((number, 0), (0, number)):
        with pytest.raises(InputError, match="is not a whole number from -1 to 1000"):
            Thresholds(table(3).drop, take, keep)
