"""Reports: execute notebooks, set what they show as pages, and record what the numbers rest on.

A report `tonk-opening` comes from `notebooks/tonk_opening.ipynb`; with parameters set it is a report of its own,
`tonk-opening,players=5`. Its files replace the previous ones only when all of them are made; a report whose notebook,
settings, code and library versions are unchanged is not made again. `index.html` leads to all that are built.
"""

import hashlib
import json
import platform
import shutil
import tempfile
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from analysis import pages
from analysis.exported import Kind, export, tables
from analysis.notebooks import ROOT, Executed, Job, Progress, execute, read
from analysis.parameters import Settings, parameters
from analysis.workers import cores
from core import __version__
from core.errors import InputError
from core.ruleset import nearest

NOTEBOOKS = ROOT / "notebooks"
REPORTS = ROOT / "reports"
INDEX = "index.html"

# Notebooks built at a time: most of them count on all cores for themselves.
JOBS = 2

# What the numbers and the pages depend on besides our own code.
_LIBRARIES = ("numpy", "scipy", "numba", "matplotlib", "seaborn", "nbclient", "nbconvert", "typst")


@dataclass(frozen=True)
class Report:
    """A built report: its name, its main result in one sentence, and its files."""

    name: str
    headline: str
    files: tuple[Path, ...]
    rebuilt: bool


@dataclass(frozen=True)
class Listed:
    """A report that can be built: its main result, if it is built, whether that is up to date, its parameters."""

    name: str
    headline: str
    state: str
    parameters: tuple[str, ...]
    rules: str | None


def report_names() -> list[str]:
    """Return the names of all reports. Raises InputError where the notebooks are not at hand."""
    # A notebook whose name begins with a number is a tour, not a report.
    names = sorted(p.stem.replace("_", "-") for p in NOTEBOOKS.glob("*.ipynb") if not p.stem[0].isdigit())
    if not names:
        raise InputError(f"no notebooks in {NOTEBOOKS}: reports are built from a clone of the repository")
    return names


def listed(out: Path = REPORTS) -> list[Listed]:
    """Return all reports that can be built, and those of them that are built in `out`."""
    found = []
    for name in report_names():
        known = parameters(read(_source(name)))
        manifest = _manifest(out, name)
        state = "not built"
        if manifest:
            state = "up to date" if _unchanged(_job(name), out) else "changed since"
        headline = manifest["headline"] if manifest else ""
        found.append(Listed(name, headline, state, tuple(known.values), known.rules.game if known.rules else None))
    return found


def build(
    names: Sequence[str] = (),
    out: Path = REPORTS,
    *,
    overrides: Sequence[str] = (),
    data: Collection[Kind] = (),
    force: bool = False,
    jobs: int | None = None,
    progress: Progress = lambda name, done, cells: None,
) -> list[Report]:
    """Build the named reports (default: all) into the folder `out`, `jobs` at a time, and the index.

    `overrides` are parameters as `name=value`, which every report named must have; `data` says in what form tables are
    written besides. `progress` is told of each report that takes a while: its name, the cells done, and all cells.

    Raises InputError for an unknown name or parameter, a folder that cannot be written, or a notebook that fails; its
    previous report then stays as it was.
    """
    known = report_names()
    for name in names:
        if name not in known:
            raise InputError(f"unknown report {name!r}: {nearest(name, known)}")
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs {jobs} must be at least 1")
    wanted = [_job(name, overrides) for name in dict.fromkeys(names or known)]
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out, prefix=".building-") as folder:
            return _build(wanted, out, Path(folder), data, force, jobs or min(JOBS, cores()), progress)
    except OSError as error:
        raise InputError(f"cannot write to {str(error.filename or out)!r}: {error.strerror}") from None


def _job(name: str, overrides: Sequence[str] = ()) -> Job:
    source = _source(name)
    settings = parameters(read(source)).settings(name, overrides) if overrides else Settings({}, None, "")
    return Job(settings.name(name), source, settings)


def _build(
    wanted: Sequence[Job],
    out: Path,
    work: Path,
    data: Collection[Kind],
    force: bool,
    at_a_time: int,
    progress: Progress,
) -> list[Report]:
    reports = {}
    for job in wanted:
        if not force and (report := _unchanged(job, out)):
            reports[job.name] = report
    changed = [job for job in wanted if job.name not in reports]
    runs = execute(changed, at_a_time, progress)
    for job, run in zip(changed, runs, strict=True):
        if not isinstance(run, InputError):
            reports[job.name] = _set(job, run, out, work)
    _write_index(out, work)
    # The others are made all the same.
    for run in runs:
        if isinstance(run, InputError):
            raise run
    return [_with_data(reports[job.name], out, data) for job in wanted]


def _source(name: str) -> Path:
    return NOTEBOOKS / f"{name.replace('-', '_')}.ipynb"


def _set(job: Job, run: Executed, out: Path, work: Path) -> Report:
    """Set what a notebook showed as pages, and put them into place."""
    name, started, blocks = job.name, time.monotonic(), run.blocks
    title = pages.title(blocks, name)
    figures = [block for block in blocks if block["kind"] == "figure"]
    for number, block in enumerate(figures, 1):
        block["number"], block["file"] = number, f"{name}/figure-{number}.svg"
    (work / name).mkdir()
    for block in figures:
        (work / block["file"]).write_text(block["svg"], encoding="utf-8")
    (work / f"{name}.md").write_text(pages.markdown(blocks), encoding="utf-8")
    (work / f"{name}.html").write_text(pages.html(blocks, title), encoding="utf-8")
    pages.pdf(blocks, title, work, work / f"{name}.pdf")
    headline = next((block["markdown"] for block in blocks if block["kind"] == "headline"), "")
    files = [f"{name}.html", f"{name}.pdf", f"{name}.md", *(block["file"] for block in figures)]
    manifest = {
        "report": name,
        "title": title,
        "headline": headline,
        "parameters": dict(job.settings.given),
        "tonlab": __version__,
        "key": _key(job),
        "built": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(run.seconds + time.monotonic() - started, 1),
        "python": platform.python_version(),
        "libraries": {library: version(library) for library in _LIBRARIES},
        "facts": [
            {k: v for k, v in block.items() if k in ("rules", "seeds", "deals")}
            for block in blocks
            if block["kind"] == "facts"
        ],
        "files": files,
        "tables": tables(blocks),
    }
    manifest_name = _manifest_file(out, name).name
    (work / manifest_name).write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    shutil.rmtree(out / name, ignore_errors=True)
    for made in (name, f"{name}.html", f"{name}.pdf", f"{name}.md", manifest_name):
        (work / made).replace(out / made)
    return Report(name, headline, tuple(out / file for file in files), rebuilt=True)


def _key(job: Job) -> str:
    """Return a hash of all that a report is made from."""
    digest = hashlib.sha256()
    made_from = (path for folder in ("core", "analysis") for path in (ROOT / folder).rglob("*.*"))
    for path in (job.source, *sorted(path for path in made_from if path.suffix in (".py", ".json"))):
        digest.update(path.read_bytes() + b"\0")
    digest.update(job.settings.code.encode())
    digest.update(platform.python_version().encode())
    digest.update("".join(version(library) for library in _LIBRARIES).encode())
    return digest.hexdigest()


def _manifest_file(out: Path, name: str) -> Path:
    return out / f"{name}.manifest.json"


def _manifest(out: Path, name: str) -> dict[str, Any] | None:
    """Return what is recorded of a built report; None where it is missing, damaged, or lacks a file."""
    try:
        manifest = json.loads(_manifest_file(out, name).read_text(encoding="utf-8"))
        whole = all((out / file).is_file() for file in manifest["files"])
        return manifest if whole and {"key", "built", "headline", "tables"} <= manifest.keys() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _unchanged(job: Job, out: Path) -> Report | None:
    manifest = _manifest(out, job.name)
    if not manifest or manifest["key"] != _key(job):
        return None
    return Report(job.name, manifest["headline"], tuple(out / file for file in manifest["files"]), rebuilt=False)


def _with_data(report: Report, out: Path, data: Collection[Kind]) -> Report:
    manifest = _manifest(out, report.name) if data else None
    files = export(manifest, out / report.name, data) if manifest else []
    return Report(report.name, report.headline, (*report.files, *files), report.rebuilt)


def _write_index(out: Path, work: Path) -> None:
    built = (file.name.removesuffix(".manifest.json") for file in sorted(out.glob("*.manifest.json")))
    manifests = [manifest for name in built if (manifest := _manifest(out, name))]
    (work / INDEX).write_text(pages.index(manifests), encoding="utf-8")
    (work / INDEX).replace(out / INDEX)
