"""Reports: execute a notebook, set its blocks as HTML, PDF and Markdown, and record what the numbers rest on.

A report `tonk-opening` comes from `notebooks/tonk_opening.ipynb`. Its files replace the previous ones only when all of
them are made; a report whose notebook, code and library versions are unchanged is not made again.
"""

import asyncio
import base64
import hashlib
import json
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from string import Template
from subprocess import DEVNULL
from typing import Any

from analysis.workers import cores
from core import __version__
from core.errors import InputError

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
REPORTS = ROOT / "reports"

# What the numbers and the pages depend on besides our own code.
_LIBRARIES = ("numpy", "scipy", "numba", "matplotlib", "seaborn", "nbclient", "nbconvert", "typst")

Block = dict[str, Any]

_PAGE = Template("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
:root { color-scheme: light dark; }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #8886; }
figure { margin: 1.5rem 0; }
/* Figures are drawn for white paper. */
img { max-width: 100%; background: white; }
figcaption { font-size: .9rem; opacity: .8; }
.anchor-link { display: none; }
</style>
</head>
<body>
$body
</body>
</html>
""")


@dataclass(frozen=True)
class Report:
    """A built report: its name, its main result in one sentence, and its files."""

    name: str
    headline: str
    files: tuple[Path, ...]
    rebuilt: bool


@dataclass(frozen=True)
class Executed:
    """What a notebook showed, and the seconds that it took."""

    blocks: list[Block]
    seconds: float


def report_names() -> list[str]:
    """Return the names of all reports. Raises InputError where the notebooks are not at hand."""
    names = sorted(path.stem.replace("_", "-") for path in NOTEBOOKS.glob("*.ipynb"))
    if not names:
        raise InputError(f"no notebooks in {NOTEBOOKS}: reports are built from a clone of the repository")
    return names


def build(
    names: Sequence[str] = (),
    out: Path = REPORTS,
    *,
    force: bool = False,
    announce: Callable[[str], None] = lambda name: None,
) -> list[Report]:
    """Build the named reports (default: all) into the folder `out`; `announce` is told each name that takes a while.

    Raises InputError for an unknown name, a folder that cannot be written, or a notebook that fails; its previous
    report then stays as it was.
    """
    known = report_names()
    for name in names:
        if name not in known:
            raise InputError(f"unknown report {name!r}: known are {', '.join(known)}")
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out, prefix=".building-") as folder:
            return _build(list(dict.fromkeys(names or known)), out, Path(folder), force, announce)
    except OSError as error:
        raise InputError(f"cannot write to {str(error.filename or out)!r}: {error.strerror}") from None


def _build(names: Sequence[str], out: Path, work: Path, force: bool, announce: Callable[[str], None]) -> list[Report]:
    reports = {}
    for name in names:
        if not force and (report := _unchanged(name, out, _key(_source(name)))):
            reports[name] = report
    changed = [name for name in names if name not in reports]
    for name in changed:
        announce(name)
    runs = _execute([_source(name) for name in changed])
    for name, run in zip(changed, runs, strict=True):
        if not isinstance(run, InputError):
            reports[name] = _set(name, run, out, work)
    # The others are made all the same.
    for run in runs:
        if isinstance(run, InputError):
            raise run
    return [reports[name] for name in names]


def _source(name: str) -> Path:
    return NOTEBOOKS / f"{name.replace('-', '_')}.ipynb"


def _set(name: str, run: Executed, out: Path, work: Path) -> Report:
    """Set what a notebook showed as pages, and put them into place."""
    started, blocks = time.monotonic(), run.blocks
    figures = [block for block in blocks if block["kind"] == "figure"]
    for number, block in enumerate(figures, 1):
        block["number"], block["file"] = number, f"{name}/figure-{number}.svg"
    (work / name).mkdir()
    for block in figures:
        (work / block["file"]).write_text(block["svg"], encoding="utf-8")
    (work / f"{name}.md").write_text(_markdown(blocks), encoding="utf-8")
    (work / f"{name}.html").write_text(_html(name, blocks), encoding="utf-8")
    _pdf(blocks, work, work / f"{name}.pdf")
    headline = next((block["markdown"] for block in blocks if block["kind"] == "headline"), "")
    files = [f"{name}.html", f"{name}.pdf", f"{name}.md", *(block["file"] for block in figures)]
    manifest = {
        "report": name,
        "headline": headline,
        "tonlab": __version__,
        "key": _key(_source(name)),
        "built": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(run.seconds + time.monotonic() - started, 1),
        "python": platform.python_version(),
        "libraries": {library: version(library) for library in _LIBRARIES},
        "facts": [{k: v for k, v in block.items() if k != "kind"} for block in blocks if block["kind"] == "facts"],
        "files": files,
    }
    manifest_name = _manifest(out, name).name
    (work / manifest_name).write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    shutil.rmtree(out / name, ignore_errors=True)
    for made in (name, f"{name}.html", f"{name}.pdf", f"{name}.md", manifest_name):
        (work / made).replace(out / made)
    return Report(name, headline, tuple(out / file for file in files), rebuilt=True)


def _key(source: Path) -> str:
    """Return a hash of all that a report is made from."""
    digest = hashlib.sha256()
    made_from = (path for folder in ("core", "analysis") for path in (ROOT / folder).rglob("*.*"))
    for path in (source, *sorted(path for path in made_from if path.suffix in (".py", ".json"))):
        digest.update(path.read_bytes() + b"\0")
    digest.update(platform.python_version().encode())
    digest.update("".join(version(library) for library in _LIBRARIES).encode())
    return digest.hexdigest()


def _manifest(out: Path, name: str) -> Path:
    return out / f"{name}.manifest.json"


def _unchanged(name: str, out: Path, key: str) -> Report | None:
    try:
        manifest = json.loads(_manifest(out, name).read_text(encoding="utf-8"))
        files = tuple(out / file for file in manifest["files"])
        if manifest["key"] != key or not all(file.is_file() for file in files):
            return None
        return Report(name, manifest["headline"], files, rebuilt=False)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _execute(sources: Sequence[Path]) -> list["Executed | InputError"]:
    """Run notebooks, as many at a time as there are cores, in a thread: Ctrl-C then reaches this one.

    Each gives what it showed, or the error that says why it shows nothing. When interrupted, the kernels are shut down
    in order.
    """
    loop = asyncio.new_event_loop()

    async def run_all() -> list[Executed | InputError]:
        room = asyncio.Semaphore(cores())

        async def run(source: Path) -> Executed | InputError:
            async with room:
                try:
                    return await _run(source)
                except InputError as error:
                    return error

        return await asyncio.gather(*map(run, sources))

    def run() -> list[Executed | InputError]:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            return runner.run(run_all())

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(run)
        try:
            return future.result()
        except (KeyboardInterrupt, SystemExit):
            loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(loop)])
            raise


async def _run(source: Path) -> Executed:
    """Execute a notebook and return its prose, tables, figures and facts in order."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
    from traitlets.config import Config

    started = time.monotonic()
    try:
        notebook = nbformat.read(source, as_version=4)
        with tempfile.TemporaryDirectory(prefix="tonlab-") as sockets:
            # A kernel on sockets of its own in the file system opens no port.
            config = Config({"KernelManager": {"transport": "ipc", "ip": f"{sockets}/kernel"}})
            resources = {"metadata": {"path": str(ROOT)}}
            client = NotebookClient(
                notebook, timeout=None, resources=resources, config=config, shutdown_kernel="immediate"
            )
            # What a dying kernel says is of no use; a cell's error comes another way.
            await client.async_execute(stdout=DEVNULL, stderr=DEVNULL)
    except CellExecutionError as error:
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        failed = next((n for n, cell in enumerate(cells, 1) if any(o.output_type == "error" for o in cell.outputs)), 0)
        raise InputError(f"{source.name}, code cell {failed}: {error.ename}: {error.evalue}") from None
    except (ValueError, KeyError) as error:
        raise InputError(f"{source.name} is not a notebook: {error}") from None
    return Executed(_blocks(notebook), time.monotonic() - started)


def _blocks(notebook: Any) -> list[Block]:
    from analysis.present import BLOCK

    blocks: list[Block] = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            blocks.append({"kind": "text", "markdown": cell.source})
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if BLOCK in data:
                blocks.append({**data[BLOCK], "svg": data.get("image/svg+xml"), "shown": data.get("text/markdown")})
    return blocks


def _markdown(blocks: Sequence[Block]) -> str:
    parts = []
    for block in blocks:
        if block["kind"] == "figure":
            caption = block["caption"]
            parts.append(f"![{caption}]({block['file']})\n\n*Figure {block['number']}. {caption}*")
        else:
            parts.append(_prose(block))
    return "\n\n".join(parts) + "\n"


def _prose(block: Block) -> str:
    return str(block["shown"] if block["kind"] in ("headline", "facts") else block["markdown"])


def _html(name: str, blocks: Sequence[Block]) -> str:
    """Set the blocks as one page that needs no other file."""
    import nbformat.v4
    from nbconvert import HTMLExporter

    cells = []
    for block in blocks:
        if block["kind"] == "figure":
            image = base64.b64encode(block["svg"].encode()).decode()
            caption = block["caption"].replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
            source = (
                f'<figure><img alt="{caption}" src="data:image/svg+xml;base64,{image}">'
                f"<figcaption>Figure {block['number']}. {caption}</figcaption></figure>"
            )
        else:
            source = _prose(block)
        cells.append(nbformat.v4.new_markdown_cell(source))
    # nbconvert's full page loads scripts from the network; its bare body needs none.
    body, _ = HTMLExporter(template_name="basic").from_notebook_node(nbformat.v4.new_notebook(cells=cells))
    return _PAGE.substitute(title=name, body=body)


def _pdf(blocks: Sequence[Block], root: Path, target: Path) -> None:
    import typst

    from analysis.plots import font_folder
    from analysis.typesetting import to_typst

    parts = ['#set page(margin: 2cm, numbering: "1")', '#set text(font: "DejaVu Sans", size: 9.5pt)']
    parts.append("#show heading: set block(above: 1.4em, below: 0.8em)\n#set table(stroke: 0.4pt + gray)")
    for block in blocks:
        if block["kind"] == "figure":
            caption = to_typst(block["caption"])
            parts.append(
                f'#figure(image("{block["file"]}", alt: {json.dumps(block["caption"])}), caption: [{caption}])'
            )
        else:
            parts.append(to_typst(_prose(block)))
    source = root / "report.typ"
    source.write_text("\n\n".join(parts), encoding="utf-8")
    typst.compile(str(source), output=str(target), root=str(root), font_paths=[str(font_folder())])
