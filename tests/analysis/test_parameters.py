"""Parameters of reports: what a notebook's tagged cell names, what may be set, and the code that sets it."""

import nbformat
import pytest

from analysis import report
from analysis.notebooks import read
from analysis.parameters import Parameters, inject, parameters
from core.errors import InputError
from core.tonk.rules import TonkRules

KNOWN = Parameters({"seed": 1, "players": None}, TonkRules(decks=2))


@pytest.mark.parametrize("name", ["tonk-opening", "tonk-strategy", "ton-odds"])
def test_reports_name_players_seed_and_rules(name: str) -> None:
    found = parameters(read(report.NOTEBOOKS / f"{name.replace('-', '_')}.ipynb"))
    assert {"players", "seed"} <= found.values.keys()
    assert found.rules is not None
    assert found.settings(name, ["players=5"]).name(name) == f"{name},players=5"


def test_settings_become_code_a_name_and_words_for_the_first_page() -> None:
    found = KNOWN.settings("x", ["players=5", "low_tonk=20", "several_tonks = first"])
    assert found.code == "PLAYERS = 5\nRULES = TonkRules(several_tonks='first', low_tonk=20, decks=2)"
    assert found.name("x") == "x,players=5,low_tonk=20,several_tonks=first"
    assert "players = 5, low_tonk = 20, several_tonks = first." in found.markdown()
    assert "high_tonk = 49" in found.markdown()
    assert "decks = 2" in found.markdown()
    assert KNOWN.settings("x", ["players=none"]).code == "PLAYERS = None"
    assert not KNOWN.settings("x", [])


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("plyers=5", "unknown parameter 'plyers' of x: did you mean players?"),
        ("lowtonk=5", "did you mean low_tonk?"),
        ("players", "not of the form name=value"),
        ("players=five", "players cannot be 'five': it takes a whole number or none"),
        ("seed=none", "seed cannot be 'none': it takes a whole number$"),
        ("low_tonk=1000", "low_tonk cannot be 1000"),
        ("several_tonks=ech", "did you mean each?"),
    ],
)
def test_what_cannot_be_set_is_refused_in_one_line(override: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        KNOWN.settings("x", [override])


def test_settings_stand_right_after_the_parameters_and_win() -> None:
    cell = nbformat.v4.new_code_cell("N = 3\nSEED = 1", metadata={"tags": ["parameters"]})
    notebook = nbformat.v4.new_notebook(cells=[cell, nbformat.v4.new_code_cell("TWICE = 2 * N")])
    inject(notebook, parameters(notebook).settings("x", ["n=5"]))
    space: dict[str, int] = {}
    for each in notebook.cells:
        exec(each.source, space)
    assert (space["TWICE"], space["SEED"]) == (10, 1)
    cell.source = "N = 2 + 3"
    with pytest.raises(InputError, match="not a simple assignment of a whole number or a rule set: N = 2 \\+ 3"):
        parameters(notebook)
