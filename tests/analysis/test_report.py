"""Reports: the real one equals what is committed; small notebooks show rebuilding, failing and refusing."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from analysis import report
from core.errors import InputError

GOOD = """
from analysis import plots
from analysis.present import figure, headline, record, table, text
from core.tonk.rules import TonkRules

record(TonkRules(low_tonk=14), seeds={"x": 7}, deals={"x": 10})
headline("One half is 1/2.")
text("Кириллица, *stressed* & <plain> #1 $2 [3] 'q'.")
table(("a|b", "n"), [("x", "1")])
figure(plots.lines({"curve": {1: 0.5, 2: 0.25}}, x_label="x", y_label="y"), "A 'caption' with \\"quotes\\" & <tags>.")
"""


def write_notebook(path: Path, *code: str) -> None:
    cells = [nbformat.v4.new_markdown_cell("# Title"), *map(nbformat.v4.new_code_cell, code)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)


@pytest.fixture
def notebooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "notebooks"
    folder.mkdir()
    monkeypatch.setattr(report, "NOTEBOOKS", folder)
    return folder


@pytest.mark.parametrize(
    ("name", "headline", "figures", "rule"),
    [
        ("rule-sensitivity", "Of 33 other values of Tonk's options 18 change measurably", 3, ("low_tonk", 15)),
        ("tonk-opening", "A given player is dealt a TONK 1 in 96", 6, ("low_tonk", 15)),
        ("tonk-strategy", "With three players drop at once at 27 points", 5, ("low_tonk", 15)),
        ("ton-match", "Between two players a hand without a trick is a plus", 6, ("target_points", 15)),
        ("ton-odds", "A player other than the dealer is dealt no trump 1 in 4.0", 7, ("target_points", 15)),
    ],
)
def test_committed_report_is_what_its_notebook_makes(
    tmp_path: Path, name: str, headline: str, figures: int, rule: tuple[str, int]
) -> None:
    (built,) = report.build([name], tmp_path)
    assert built.headline.startswith(headline)
    made = (tmp_path / f"{name}.md").read_text(encoding="utf-8")
    assert made == (report.REPORTS / f"{name}.md").read_text(encoding="utf-8")
    page = (tmp_path / f"{name}.html").read_text(encoding="utf-8")
    assert 'src="http' not in page
    assert "<script" not in page
    assert page.count("data:image/svg+xml") == len(list((tmp_path / name).iterdir())) == figures
    assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")
    manifest = json.loads((tmp_path / f"{name}.manifest.json").read_text(encoding="utf-8"))
    assert manifest["facts"][0]["rules"][rule[0]] == rule[1]
    assert manifest["facts"][0]["seeds"]
    assert set(manifest) >= {"built", "seconds", "python", "libraries", "tonlab", "files"}
    assert all((tmp_path / file).is_file() for file in manifest["files"])


def test_blocks_are_set_in_all_three_forms_and_nothing_is_left_over(notebooks: Path, tmp_path: Path) -> None:
    write_notebook(notebooks / "small_one.ipynb", GOOD)
    out = tmp_path / "out"
    (built,) = report.build([], out)
    assert built == report.Report("small-one", "One half is 1/2.", built.files, rebuilt=True)
    markdown = (out / "small-one.md").read_text(encoding="utf-8")
    assert markdown.startswith("# Title\n")
    assert "Rules of Tonk: low_tonk = 14." in markdown
    assert "| a\\|b | n |" in markdown
    assert "(small-one/figure-1.svg)" in markdown
    page = (out / "small-one.html").read_text(encoding="utf-8")
    assert "Кириллица" in page
    assert "&lt;tags&gt;" in page
    assert "<td" in page
    names = {"small-one", "small-one.html", "small-one.md", "small-one.pdf", "small-one.manifest.json"}
    assert {path.name for path in out.iterdir()} == names


def test_unchanged_report_is_kept_and_a_changed_notebook_is_built_again(notebooks: Path, tmp_path: Path) -> None:
    source, out = notebooks / "small.ipynb", tmp_path / "out"
    write_notebook(source, GOOD)
    assert report.build([], out)[0].rebuilt
    figure = (out / "small/figure-1.svg").read_bytes()
    assert not report.build([], out)[0].rebuilt
    write_notebook(source, GOOD.replace("One half", "Half"))
    (changed,) = report.build([], out)
    assert (changed.rebuilt, changed.headline) == (True, "Half is 1/2.")
    assert (out / "small/figure-1.svg").read_bytes() == figure  # the same picture gives the same bytes


def test_failing_notebook_names_cell_and_error_and_leaves_the_previous_report(notebooks: Path, tmp_path: Path) -> None:
    source, out = notebooks / "small.ipynb", tmp_path / "out"
    write_notebook(source, GOOD)
    report.build([], out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    write_notebook(source, GOOD, "1 / 0")
    with pytest.raises(InputError, match=r"small\.ipynb, code cell 2: ZeroDivisionError: division by zero"):
        report.build([], out)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_a_failing_notebook_does_not_keep_the_others_from_being_made(notebooks: Path, tmp_path: Path) -> None:
    write_notebook(notebooks / "bad.ipynb", GOOD, "1 / 0")
    write_notebook(notebooks / "small.ipynb", GOOD)
    with pytest.raises(InputError, match=r"bad\.ipynb, code cell 2: ZeroDivisionError"):
        report.build([], tmp_path)
    assert (tmp_path / "small.md").is_file()
    assert not (tmp_path / "bad.md").exists()


BUILD = """
import sys
from pathlib import Path
from analysis import main, report
report.NOTEBOOKS = Path(sys.argv.pop(1))
main.main()
"""


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_stopping_in_mid_notebook_leaves_the_previous_report(tmp_path: Path, sent: int, status: int) -> None:
    folder, out, begun = tmp_path / "notebooks", tmp_path / "out", tmp_path / "begun"
    folder.mkdir()
    command = [sys.executable, "-c", BUILD, str(folder), "report", "--out", str(out)]
    write_notebook(folder / "small_one.ipynb", GOOD)
    subprocess.run(command, check=True, capture_output=True)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    write_notebook(
        folder / "small_one.ipynb",
        f"import pathlib, time\npathlib.Path({str(begun)!r}).touch()\ntime.sleep(600)",
    )
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever started the tests in the background made them ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        while not begun.exists():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(sent)
        _, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == status
    assert errors == ("tonlab: interrupted\n" if status == 130 else "")
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_unknown_report_broken_notebook_and_bad_folder_are_refused(notebooks: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no notebooks"):
        report.build([], tmp_path / "out")
    (notebooks / "small.ipynb").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="unknown report 'smal': known are small"):
        report.build(["smal"], tmp_path / "out")
    with pytest.raises(InputError, match=r"small\.ipynb is not a notebook"):
        report.build(["small"], tmp_path / "out")
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(InputError, match=r"cannot write to .*file"):
        report.build(["small"], blocked / "out")
    # A folder that nobody may write to, root neither.
    with pytest.raises(InputError, match="cannot write to '/proc/"):
        report.build(["small"], Path("/proc/reports"))


def test_a_damaged_manifest_or_a_missing_figure_means_building_again(notebooks: Path, tmp_path: Path) -> None:
    write_notebook(notebooks / "small.ipynb", GOOD)
    out = tmp_path / "out"
    report.build([], out)
    manifest = out / "small.manifest.json"
    whole = manifest.read_text(encoding="utf-8")
    key = json.loads(whole)["key"]
    assert report._unchanged("small", out, key) is not None
    assert report._unchanged("small", out, "another key") is None
    for text in ("", "[]", "{}", f'{{"key": "{key}", "files": 3}}', whole[: len(whole) // 2]):
        manifest.write_text(text, encoding="utf-8")
        assert report._unchanged("small", out, key) is None
    manifest.write_text(whole, encoding="utf-8")
    shutil.rmtree(out / "small")
    assert report._unchanged("small", out, key) is None
    manifest.unlink()
    assert report._unchanged("small", out, key) is None
