"""Run the command line: one line on standard error and exit status 2 for wrong input, 130 for Ctrl-C."""

import os
import signal
import sys
from pathlib import Path

from analysis.interruption import STATUS, stop_at_once
from core.errors import InputError


def main() -> None:
    """Run `tonlab` and exit with its status."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 (open to the end)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its number rather than a traceback.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    # A polite request to stop unwinds like an error, so that temporary files and worker processes go.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        # Imported here, so that Ctrl-C during the imports is met too.
        import click

        from analysis.cli import app
    except KeyboardInterrupt:
        stop_at_once()
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
        stop_at_once()
    except OSError as error:
        # Keep the interpreter from complaining at exit about what it cannot write.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(1)  # the reader has gone, as in `tonlab … | head`
        _wrong_input(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    if status == STATUS:
        stop_at_once()  # met by the command line's own library
    sys.exit(status or 0)


def _wrong_input(message: str) -> None:
    print(f"tonlab: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)
