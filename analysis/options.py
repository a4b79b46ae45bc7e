"""Options that many commands take, with one meaning and one help text each."""

from pathlib import Path
from typing import Annotated

import typer

from core.errors import InputError

# Groups of a game's commands in its help.
ODDS, PLAY, RECORDS = "Odds and advice", "Play between policies", "Rules and records"

Preset = Annotated[str | None, typer.Option("--rules", help="A preset or a TOML file.")]
Set = Annotated[list[str] | None, typer.Option("--set", help="Override one rule: field=value; repeatable.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Deals = Annotated[int | None, typer.Option(help="Deals to sample where an exact answer takes too much work.")]
Precision = Annotated[float | None, typer.Option(help="Half-width wanted of the interval of what is estimated.")]
Seed = Annotated[int, typer.Option(help="Seed of sampled deals.")]
Threads = Annotated[int | None, typer.Option(help="Threads for sampled deals (default: all cores).")]
Workers = Annotated[int | None, typer.Option(help="Sample in so many processes instead (needs the extra `cluster`).")]
Scheduler = Annotated[str | None, typer.Option(help="Sample on a running Dask scheduler, as tcp://host:8786.")]
Store = Annotated[Path | None, typer.Option(help="Folder for checkpoints (default: in your cache folder).")]


def whole_numbers(text: str, what: str) -> list[int]:
    """Return the whole numbers of an option that lists some.

    >>> whole_numbers("2, 3", "number of players")
    [2, 3]

    Raises InputError for a word that is none.
    """
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 10):
            raise InputError(f"{what} {word!r} is not a whole number")
    return [int(word) for word in words]
