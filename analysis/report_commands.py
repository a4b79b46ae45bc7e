"""The command `tonlab report`."""

import json as json_
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.options import Json
from analysis.output import print_table
from core import __version__
from core.errors import InputError

if TYPE_CHECKING:
    from analysis.exported import Kind
    from analysis.notebooks import Progress


def _known(incomplete: str) -> list[str]:
    """Complete a report's name."""
    from analysis.report import report_names

    try:
        return [name for name in report_names() if name.startswith(incomplete)]
    except InputError:
        return []


def report(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Reports to build (default: all).", autocompletion=_known, show_default=False),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the files (default: reports/ of the clone).")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Set a parameter or a rule of the report: name=value; repeatable. See --list."),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the reports and their parameters; build none.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Write the tables as CSV too.")] = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="Write the tables as Parquet too.")] = False,
    jobs: Annotated[int | None, typer.Option(help="Reports built at a time (default: 2, on one core 1).")] = None,
    force: Annotated[bool, typer.Option("--force", help="Build even what has not changed.")] = False,
    json: Json = False,
) -> None:
    """Build the reports from their notebooks: HTML, PDF and Markdown."""
    from analysis.report import INDEX, REPORTS, build

    folder = out or REPORTS
    if list_:
        _list(folder, json)
        return
    kinds: list[Kind] = [*(["csv"] if csv else []), *(["parquet"] if parquet else [])]  # type: ignore[list-item]
    with _bars() as progress:
        built = build(names or (), folder, overrides=set_ or (), data=kinds, force=force, jobs=jobs, progress=progress)
    if json:
        files = [str(file) for report in built for file in report.files]
        print(json_.dumps({"files": files, "index": str(folder / INDEX), "version": __version__}))
        return
    for report in built:
        print(f"{report.name}{'' if report.rebuilt else ' (unchanged)'}: {report.headline}")
        for file in report.files:
            print(f"  {file}")
    print(f"all reports: {folder / INDEX}")


def _list(out: Path, json: bool) -> None:
    from analysis.report import listed

    found = listed(out)
    if json:
        fields = ("name", "state", "headline", "parameters", "rules")
        print(json_.dumps({"reports": [{name: getattr(one, name) for name in fields} for one in found]}))
        return
    rows = [
        (one.name, one.state, ", ".join((*one.parameters, *([f"rules of {one.rules}"] if one.rules else []))))
        for one in found
    ]
    print_table("Reports", ("report", "state", "may be set"), rows, left=3)


@contextmanager
def _bars() -> Iterator["Progress"]:
    """Show a bar for each report being built, on a terminal."""
    if not sys.stderr.isatty():
        yield lambda name, done, cells: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("cells"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        bars = {}

        def tell(name: str, done: int, cells: int) -> None:
            if name not in bars:
                bars[name] = shown.add_task(name, total=cells)
            shown.update(bars[name], completed=done)

        yield tell
