"""Tables of the policy `tuned`: their cells, files of them, wrong ones refused."""

import json
import random

import numpy as np
import pytest

from core.errors import InputError
from core.ton.policies import policy
from core.ton.tables import CHOICES, PARTS, SIZE, Tables, as_text, tables_for
from core.ton.tuned import Tuned
from tests.core.ton.hands import random_tuned


def test_a_choice_is_that_of_its_part_s_cell():
    tables = random_tuned(3, 4).tables
    start = 0
    for part, shape in PARTS.items():
        size = int(np.prod(shape))
        choices = np.frombuffer(tables.choices, np.uint8)[start : start + size].reshape(shape)
        for cell in random.Random(1).sample(list(np.ndindex(shape)), 20):
            assert tables.choice(part, *cell) == choices[cell]
        start += size
    assert start == SIZE


def test_tables_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "mine.json"
    tables = {players: random_tuned(players, players).tables for players in (4, 2)}
    path.write_text(as_text(tables, "by hand", {2: {"best_reply_gains": "little"}}))
    assert {players: tables_for(players, path) for players in tables} == tables
    assert policy(f"tuned:{path}", 4) == Tuned(tables[4])
    data = json.loads(path.read_text())
    assert (data["made_by"], data["tables"]["2"]["best_reply_gains"]) == ("by hand", "little")
    with pytest.raises(InputError, match=f"{path}: no tables for 3 players"):
        tables_for(3, path)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (None, "No such file"),
        ("", "no file of tables"),
        ("[]", "no file of tables"),
        ('{"tables": {"2": {}}}', "no file of tables"),
        (json.dumps({"tables": {"2": dict.fromkeys(PARTS, "x")}}), "no file of tables"),
        (json.dumps({"tables": {"2": dict.fromkeys(PARTS, "0")}}), f"tables of 5 choices: there are {SIZE}"),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path, text, named):
    path = tmp_path / "mine.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError) as caught:
        tables_for(2, path)
    assert str(caught.value).startswith(str(path))
    assert named in str(caught.value)


def test_tables_with_choices_that_do_not_exist_are_refused():
    first = 0
    for part, shape in PARTS.items():
        choices = bytearray(SIZE)
        choices[first] = CHOICES[part]
        with pytest.raises(InputError, match=f"{part} has the choices 0 to {CHOICES[part] - 1}"):
            Tables(2, bytes(choices))
        first += int(np.prod(shape))
    with pytest.raises(InputError, match="7 players"):
        Tables(7, bytes(SIZE))
