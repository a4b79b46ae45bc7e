"""What each option changes, ranked: complete or refused, and all of it in the report."""

import json

import pytest

from analysis.estimate import Estimate
from analysis.report import NOTEBOOKS, REPORTS
from analysis.rule_changes import ALL, each_value
from analysis.sensitivity import read, shown, written
from analysis.ton import odds
from analysis.ton.measures import TON
from analysis.tonk.measures import TONK
from core.errors import InputError

FILES = {"rule_sensitivity_tonk": TONK, "rule_sensitivity_ton": TON, "rule_sensitivity_ton_matches": TON}


@pytest.mark.parametrize(("name", "game"), FILES.items(), ids=FILES)
def test_every_value_of_every_option_is_in_the_data_and_in_the_report(name, game):
    found = read(NOTEBOOKS / "data" / f"{name}.json", game)
    report = (REPORTS / "rule-sensitivity.md").read_text(encoding="utf-8")
    for values, _ in each_value(game, game.rules(), [ALL]):
        assert f"| {written(values).replace('=', ' = ')} |" in report
        for measure, changes in found.items():
            assert written(values) in [change.option for change in changes], measure


@pytest.fixture
def kept(tmp_path):
    """Return the data of a file, and a place for it."""
    data = json.loads((NOTEBOOKS / "data" / "rule_sensitivity_ton.json").read_text(encoding="utf-8"))
    return data, tmp_path / "data.json"


def test_a_value_that_is_missing_is_told_of(kept):
    data, path = kept
    cells = data["comparisons"][0]["cells"]
    data["comparisons"][0]["cells"] = [cell for cell in cells if cell["values"] != {"ante": 5}]
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(InputError, match=r"data\.json lacks ante=5: make it anew"):
        read(path, TON)
    assert read(path, TON, ["zero_trick"])


def test_changes_come_with_the_greatest_first_and_exact_ones_stay_exact(kept):
    data, _ = kept
    found = read(NOTEBOOKS / "data" / "rule_sensitivity_ton.json", TON)
    effects = [change.effect for change in found["points"]]
    assert effects == sorted(effects, reverse=True)
    sure = next(change for change in found["sure_five"] if change.option == "five_bid=off")
    assert sure.differences[0] == -odds(3).sure_five
    assert sure.established
    assert not next(change for change in found["points"] if change.option == "ante=5").established
    points = data["comparisons"][0]["cells"][0]["difference"][0]
    assert found["points"][0].differences[0] == Estimate(**points, seed=data["seed"])
    adapted = read(NOTEBOOKS / "data" / "rule_sensitivity_ton_retuned.json", TON, ["trumpless_right"])["points"]
    assert all(change.adapted and len(change.adapted) == 3 for change in adapted)


@pytest.mark.parametrize(
    ("high", "text"), [(0.0123, "0 (≤ 0.013)"), (0.0000401, "0 (≤ 0.000041)"), (2.91, "0 (≤ 3.0)")]
)
def test_a_bound_is_rounded_up(high, text):
    assert shown(Estimate(0.0, 0.0, -high / 2, high, 10, 0.95, 1), 2) == text
