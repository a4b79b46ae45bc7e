"""The command line `tonlab`: parse, call, print. `analysis.main` runs it."""

import json as json_
import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from analysis.compare_commands import compare_command
from analysis.run_commands import app as runs_app
from analysis.ton.commands import app as ton_app
from analysis.tonk.commands import app as tonk_app
from core import __version__
from core.errors import InputError

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Odds, strategies and rule variants of two Russian card games, Tonk (Тонк) and Ton (Тонь).",
)
app.add_typer(tonk_app, name="tonk")
app.add_typer(ton_app, name="ton")
app.add_typer(runs_app, name="runs")
app.command("compare")(compare_command)


@app.command()
def report(
    names: Annotated[list[str] | None, typer.Argument(help="Reports to build (default: all).")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the files (default: reports/ of the clone).")] = None,
    force: Annotated[bool, typer.Option("--force", help="Build even what has not changed.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Build the reports from their notebooks: HTML, PDF and Markdown."""
    from analysis.report import REPORTS, build

    def announce(name: str) -> None:
        if sys.stderr.isatty():
            print(f"building {name} …", file=sys.stderr)

    built = build(names or (), out or REPORTS, force=force, announce=announce)
    if json:
        print(json_.dumps({"files": [str(file) for report in built for file in report.files], "version": __version__}))
        return
    for report in built:
        print(f"{report.name}{'' if report.rebuilt else ' (unchanged)'}: {report.headline}")
        for file in report.files:
            print(f"  {file}")


@app.command()
def explore(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 takes any that is free.")] = 8765,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
    lang: Annotated[str, typer.Option(help="Language of the pages: en or ru.")] = "en",
) -> None:
    """Serve the dashboard on this machine until Ctrl-C: click cards, move sliders, read the odds."""
    # Imported here because the server is a large library that other commands do not wait for.
    try:
        from analysis.explore.app import serve
    except ModuleNotFoundError as error:
        raise InputError(f"the dashboard needs {error.name}: pip install 'tonlab[explore]'") from None
    serve(port, lang, lambda address: print(f"tonlab: {address} (Ctrl-C stops it)", flush=True), browser=not no_browser)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"tonlab {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and stop."),
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Tell what a run does, on standard error.")] = False,
) -> None:
    # Warnings of the libraries are not for whoever asks for odds.
    logging.basicConfig(format="tonlab: %(message)s", level=logging.ERROR)
    logging.getLogger("analysis").setLevel(logging.INFO if verbose else logging.WARNING)
