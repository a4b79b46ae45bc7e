"""The command line `tonlab`: parse, call, print.

Wrong input gives one line on standard error and exit status 2; Ctrl-C gives 130.
"""

import json as json_
import os
import sys
from pathlib import Path
from typing import Annotated

import click
import typer

from analysis.tonk.commands import app as tonk_app
from core import __version__
from core.errors import InputError

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Odds, strategies and rule variants of two Russian card games, Tonk (Тонк) and Ton (Тонь).",
)
app.add_typer(tonk_app, name="tonk")


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
) -> None:
    pass


def main() -> None:
    """Run the command line and exit with its status."""
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        _fail(str(error))
    except click.exceptions.NoArgsIsHelpError:
        sys.exit(2)  # the help is printed already
    except click.ClickException as error:
        _fail(error.format_message())
    except (typer.Abort, KeyboardInterrupt):
        print("tonlab: interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # The reader has gone, as in `tonlab … | head`; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    sys.exit(status if isinstance(status, int) else 0)


def _fail(message: str) -> None:
    print(f"tonlab: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)
