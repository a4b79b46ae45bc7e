"""Options that many commands take, with one meaning and one help text each."""

from pathlib import Path
from typing import Annotated

import typer

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
