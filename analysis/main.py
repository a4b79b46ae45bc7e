"""Run the command line: one line on standard error and exit status 2 for wrong input, 130 for Ctrl-C."""

import os
import sys

from core.errors import InputError


def main() -> None:
    """Run `tonlab` and exit with its status."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its number rather than a traceback.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        # Imported here, so that Ctrl-C during the imports is met too.
        import click

        from analysis.cli import app
    except KeyboardInterrupt:
        _interrupted()
    try:
        # The status is a number where the command was stopped, and else what the command returned: nothing.
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        _wrong_input(str(error))
    except click.exceptions.NoArgsIsHelpError:
        sys.exit(2)  # the help is printed already
    except click.ClickException as error:
        _wrong_input(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        _interrupted()
    except BrokenPipeError:
        # The reader has gone, as in `tonlab … | head`; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    sys.exit(status or 0)


def _wrong_input(message: str) -> None:
    print(f"tonlab: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)


def _interrupted() -> None:
    print("tonlab: interrupted", file=sys.stderr)
    sys.exit(130)
