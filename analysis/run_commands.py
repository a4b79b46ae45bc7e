"""The commands `tonlab runs …`: what the store of checkpoints holds."""

import json as json_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.effort import default_store
from analysis.options import Json, Store
from analysis.output import print_table
from core.errors import InputError

if TYPE_CHECKING:
    from analysis.store import Store as RunStore
    from analysis.store import StoredRun

app = typer.Typer(no_args_is_help=True, help="Kept runs: list, show and remove them.")

Key = Annotated[str, typer.Argument(help="The run's key, or how it begins.", show_default=False)]


@app.command("list")
def list_runs(store: Store = None, json: Json = False) -> None:
    """List the kept runs, the last saved first."""
    runs = _store(store).runs()
    if json:
        print(json_.dumps({"runs": [_fields(run) for run in runs]}, ensure_ascii=False))
        return
    rows = [(run.key[:8], *_what(run), f"{run.deals:,}", run.saved) for run in runs]
    print_table("Kept runs", ("key", "game", "counts", "players", "seed", "deals", "saved (UTC)"), rows)


@app.command()
def show(key: Key, store: Store = None, json: Json = False) -> None:
    """Show all that a run depends on."""
    run = _store(store).find(key)
    if json:
        print(json_.dumps(_fields(run), ensure_ascii=False))
        return
    fields = {**_fields(run), **run.description}
    del fields["description"]
    rules = fields.pop("rules", {})
    rows = [(name, str(value)) for name, value in {**fields, **rules}.items()]
    print_table(f"Run {run.key}", ("", "value"), rows)


@app.command()
def remove(
    keys: Annotated[list[str] | None, typer.Argument(help="Keys, or how they begin.", show_default=False)] = None,
    everything: Annotated[bool, typer.Option("--all", help="Remove all runs.")] = False,
    store: Store = None,
) -> None:
    """Remove kept runs."""
    if bool(keys) == everything:
        raise InputError("name the runs to remove, or give --all")
    kept = _store(store)
    runs = kept.runs() if everything else [kept.find(key) for key in keys or ()]
    kept.remove(runs)
    print(f"removed {len(runs)} run{'' if len(runs) == 1 else 's'}")


def _store(folder: Path | None) -> "RunStore":
    # Imported here because it imports numpy, which other commands do not wait for.
    from analysis.store import Store as RunStore

    return RunStore(folder or default_store())


def _what(run: "StoredRun") -> tuple[str, str, str, str]:
    names = ("game", "measure", "players", "seed")
    game, measure, players, seed = (str(run.description.get(name, "")) for name in names)
    return game, measure, players, seed


def _fields(run: "StoredRun") -> dict[str, Any]:
    return {
        "key": run.key,
        "deals": run.deals,
        "saved": run.saved,
        "bytes": run.bytes,
        "code": run.code,
        "description": run.description,
    }
