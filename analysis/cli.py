"""The command line `tonlab`: parse, call, print. `analysis.main` runs it."""

import logging
from typing import Annotated

import typer

from analysis.compare_commands import compare_command
from analysis.report_commands import report
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
GAMES, REPORTS, UPKEEP = "The games", "Reports and pictures", "Upkeep"
app.add_typer(tonk_app, name="tonk", rich_help_panel=GAMES)
app.add_typer(ton_app, name="ton", rich_help_panel=GAMES)
app.command("compare", rich_help_panel=GAMES, short_help="A measure under two rule sets, on the same deals.")(
    compare_command
)
app.command(rich_help_panel=REPORTS)(report)
app.add_typer(runs_app, name="runs", rich_help_panel=UPKEEP)


@app.command(rich_help_panel=REPORTS, short_help="Serve the dashboard on this machine until Ctrl-C.")
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
