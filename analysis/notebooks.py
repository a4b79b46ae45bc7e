"""Notebooks: run them, several at a time, each in a kernel of its own, and take out the blocks that they show."""

import asyncio
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

from analysis.parameters import Settings, inject
from core.errors import InputError

ROOT = Path(__file__).resolve().parents[1]

Block = dict[str, Any]
# Told a notebook's name, how many of its cells are done, and of how many.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Job:
    """A notebook to run with settings, by the name of the report that it makes."""

    name: str
    source: Path
    settings: Settings


@dataclass(frozen=True)
class Executed:
    """What a notebook showed, and the seconds that it took."""

    blocks: list[Block]
    seconds: float


def read(source: Path) -> Any:
    """Return a notebook. Raises InputError where the file is none."""
    import nbformat

    try:
        return nbformat.read(source, as_version=4)
    except (ValueError, KeyError) as error:
        raise InputError(f"{source.name} is not a notebook: {error}") from None


def execute(jobs: Sequence[Job], at_a_time: int, progress: Progress) -> list["Executed | InputError"]:
    """Run notebooks in a thread: Ctrl-C then reaches this one.

    Each gives what it showed, or the error that says why it shows nothing. When interrupted, the kernels are shut down
    in order.
    """
    loop = asyncio.new_event_loop()

    async def run_all() -> list[Executed | InputError]:
        room = asyncio.Semaphore(at_a_time)

        async def run(job: Job) -> Executed | InputError:
            async with room:
                try:
                    return await _run(job, progress)
                except InputError as error:
                    return error

        return await asyncio.gather(*map(run, jobs))

    def run() -> list[Executed | InputError]:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            return runner.run(run_all())

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(run)
        try:
            return future.result()
        except (KeyboardInterrupt, SystemExit):
            loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(loop)])
            raise


async def _run(job: Job, progress: Progress) -> Executed:
    """Execute a notebook and return its prose, tables, figures and facts in order."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
    from traitlets.config import Config

    started = time.monotonic()
    notebook = read(job.source)
    # Cells are counted as the notebook's reader sees them.
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    inject(notebook, job.settings)
    # Empty cells are never run.
    runs = sum(bool(cell.source.strip()) for cell in notebook.cells if cell.cell_type == "code")
    done = 0

    def executed(**_: Any) -> None:
        nonlocal done
        done += 1
        progress(job.name, done, runs)

    progress(job.name, 0, runs)
    try:
        with tempfile.TemporaryDirectory(prefix="tonlab-") as sockets:
            # A kernel on sockets of its own in the file system opens no port.
            config = Config({"KernelManager": {"transport": "ipc", "ip": f"{sockets}/kernel"}})
            client = NotebookClient(
                notebook,
                timeout=None,
                resources={"metadata": {"path": str(ROOT)}},
                config=config,
                shutdown_kernel="immediate",
                on_cell_complete=executed,
            )
            # What a dying kernel says is of no use; a cell's error comes another way.
            await client.async_execute(stdout=DEVNULL, stderr=DEVNULL)
    except CellExecutionError as error:
        failed = next((n for n, cell in enumerate(cells, 1) if any(o.output_type == "error" for o in cell.outputs)), 0)
        raise InputError(f"{job.source.name}, code cell {failed}: {error.ename}: {error.evalue}") from None
    return Executed(_blocks(notebook, job.settings), time.monotonic() - started)


def _blocks(notebook: Any, settings: Settings) -> list[Block]:
    from analysis.present import BLOCK

    blocks: list[Block] = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            blocks.append({"kind": "text", "markdown": cell.source})
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if BLOCK in data:
                blocks.append({**data[BLOCK], "svg": data.get("image/svg+xml"), "shown": data.get("text/markdown")})
    if settings:
        # On the first page: after the facts, which name the rules.
        at = next((i for i, block in enumerate(blocks, 1) if block["kind"] == "facts"), 1)
        blocks.insert(at, {"kind": "text", "markdown": settings.markdown()})
    return blocks
