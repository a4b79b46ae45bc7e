"""The command line `tonlab`: parse, call, print. `analysis.main` runs it."""

import logging
from typing import Annotated

import typer

from analysis.report_commands import report
from analysis.run_commands import app as runs_app
from analysis.ton.commands import app as ton_app
from analysis.tonk.commands import app as tonk_app
from core import __version__

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Odds, strategies and rule variants of two Russian card games, Tonk (Тонк) and Ton (Тонь).",
)
GAMES, REPORTS, UPKEEP = "The games", "Reports", "Upkeep"
app.add_typer(tonk_app, name="tonk", rich_help_panel=GAMES)
app.add_typer(ton_app, name="ton", rich_help_panel=GAMES)
app.command(rich_help_panel=REPORTS)(report)
app.add_typer(runs_app, name="runs", rich_help_panel=UPKEEP)


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
