"""Reports: the real one equals what is committed; small notebooks show rebuilding, failing and refusing."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path
from urllib.parse import quote

import nbformat
import pandas as pd
import pytest

from analysis import report
from analysis.notebooks import Job, execute
from analysis.parameters import Settings
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


# Half a minute each: CI has not the time for them.
LONG = pytest.mark.skipif("TONLAB_REPORTS" not in os.environ, reason="a long report: set TONLAB_REPORTS")


@pytest.mark.parametrize(
    ("name", "headline", "figures", "rule"),
    [
        pytest.param(
            *("rule-sensitivity", "Of 33 other values of Tonk's options 18 change measurably", 3, ("low_tonk", 15)),
            marks=LONG,
        ),
        ("tonk-opening", "A given player is dealt a TONK 1 in 96", 6, ("low_tonk", 15)),
        ("tonk-strategy", "With three players drop at once at 27 points", 5, ("low_tonk", 15)),
        ("ton-match", "Between two players a hand without a trick is a plus", 6, ("target_points", 15)),
        pytest.param(
            *("ton-buy-in", "Buy with one trump, with none and an ace, with two but no ace", 6, ("target_points", 15)),
            marks=LONG,
        ),
        pytest.param(
            *("ton-trump-exchange", "The eldest has no trump 1 in 4.0 hands", 2, ("target_points", 15)), marks=LONG
        ),
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
    names = {"small-one", "small-one.html", "small-one.md", "small-one.pdf", "small-one.manifest.json", "index.html"}
    assert {path.name for path in out.iterdir()} == names


PARAMETERS = (
    """
from core.tonk.rules import TonkRules
""",
    """
RULES = TonkRules()
N = 3
""",
    """
from fractions import Fraction
from analysis.estimate import proportion
from analysis.present import headline, interval, number, percent, record, table, text

record(RULES, seeds={}, deals={})
headline(f"N is {N}, low_tonk {RULES.low_tonk}.")
text("## Первый раздел")
quarter = interval(proportion(1, 4, seed=1), 100)
table(("own", "chance", "worth"), [("1", percent(Fraction(1, 3)), "–"), ("2", quarter, number(0.5))])
text("## Второй: a & b")
""",
)


def test_a_report_with_parameters_stands_beside_the_plain_one_with_contents_and_data(
    notebooks: Path, tmp_path: Path
) -> None:
    write_notebook(notebooks / "small.ipynb", *PARAMETERS)
    notebook = nbformat.read(notebooks / "small.ipynb", as_version=4)
    notebook.cells[2].metadata["tags"] = ["parameters"]
    nbformat.write(notebook, notebooks / "small.ipynb")
    out = tmp_path / "out"
    with pytest.raises(InputError, match="unknown parameter 'm' of small: "):
        report.build(["small"], out, overrides=["m=4"])
    assert not out.exists()
    told: list[tuple[str, int, int]] = []
    (built,) = report.build(
        ["small"],
        out,
        overrides=["n=5", "low_tonk=20"],
        data=["csv", "parquet"],
        progress=lambda *where: told.append(where),
    )
    name = "small,n=5,low_tonk=20"
    assert (built.name, built.headline) == (name, "N is 5, low_tonk 20.")
    assert told == [(name, done, 4) for done in range(5)]
    assert not (out / "small.md").exists()
    markdown = (out / f"{name}.md").read_text(encoding="utf-8")
    first_page = markdown[: markdown.index("## ")]
    assert "Rules of Tonk: low_tonk = 20." in first_page
    assert "Built with the parameters n = 5, low_tonk = 20." in first_page
    assert "high_tonk = 49" in first_page
    # Contents, each line leading to its section.
    page = (out / f"{name}.html").read_text(encoding="utf-8")
    targets = re.findall(r'<li><a href="#([^"]+)">', page)
    assert len(targets) == 2
    assert all(f'<h2 id="{target}">' in page for target in targets)
    assert_cyrillic(out / f"{name}.pdf", "Первый раздел")
    # The index leads to it.
    index = (out / report.INDEX).read_text(encoding="utf-8")
    assert f'href="{quote(name)}.html"' in index
    assert "N is 5, low_tonk 20." in index
    # The table as data.
    assert {out / name / f"table-1.{kind}" for kind in ("csv", "parquet")} < set(built.files)
    frame = pd.read_csv(out / name / "table-1.csv")
    assert frame.equals(pd.read_parquet(out / name / "table-1.parquet").astype(frame.dtypes.to_dict()))
    assert frame["chance"].tolist() == ["33.33 %", "25.000 (4.559 to 69.936)"]
    assert frame["chance: value"].tolist() == [1 / 3, 0.25]
    assert frame["chance: exact"].tolist()[0] == "1/3"
    assert frame["chance: high"].tolist()[1] == pytest.approx(0.69936, abs=1e-5)
    assert frame["worth: value"].tolist()[1] == 0.5
    # Unchanged: only what is asked for as data is written anew.
    assert not report.build(["small"], out, overrides=["n=5", "low_tonk=20"])[0].rebuilt
    (listed,) = report.listed(out)
    assert (listed.name, listed.state, listed.parameters, listed.rules) == ("small", "not built", ("n",), "Tonk")


def assert_cyrillic(pdf: Path, heading: str) -> None:
    """Find a heading in the PDF's text, if a tool is there, and all its letters in what the fonts say they show."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf.read_bytes(), re.DOTALL)
    texts = []
    for stream in streams:
        with contextlib.suppress(zlib.error):
            texts.append(zlib.decompressobj().decompress(stream))
    shown = b"".join(texts)
    assert all(f"<{ord(letter):04X}>".encode() in shown for letter in heading.replace(" ", ""))
    if tool := shutil.which("pdftotext"):
        text = subprocess.run([tool, pdf, "-"], capture_output=True, text=True, check=True).stdout
        # Once in the contents and once above the section.
        assert text.count(heading) == 2


def test_tour_runs_in_moments_and_is_no_report(tmp_path: Path) -> None:
    assert not any("start" in name for name in report.report_names())
    job = Job("tour", report.NOTEBOOKS / "00_start.ipynb", Settings({}, None, ""))
    (shown,) = execute([job], 1, lambda *_: None)
    assert not isinstance(shown, InputError), shown
    assert [block["kind"] for block in shown.blocks].count("figure") == 1


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
    with pytest.raises(InputError, match="unknown report 'smal': did you mean small"):
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
    job = report._job("small")
    assert report._unchanged(job, out) is not None
    for text in ("", "[]", "{}", f'{{"key": "{key}", "files": 3}}', whole[: len(whole) // 2]):
        manifest.write_text(text, encoding="utf-8")
        assert report._unchanged(job, out) is None
    manifest.write_text(whole, encoding="utf-8")
    shutil.rmtree(out / "small")
    assert report._unchanged(job, out) is None
    manifest.unlink()
    assert report._unchanged(job, out) is None
