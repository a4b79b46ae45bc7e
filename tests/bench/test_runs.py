"""What the run engine itself costs: a scheduler's tasks, checkpoints, Dask against threads, and memory."""

import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pytest
from distributed import Client, LocalCluster
from pytest_benchmark.fixture import BenchmarkFixture

from analysis.effort import Effort
from analysis.runs import Run
from analysis.tonk import TonkRules
from analysis.tonk.sampling import Holders
from analysis.tonk.table import Table
from tests.measures import run_of

CHUNKS = 10_000


def nothing(sums, start, stop):  # type: ignore[no-untyped-def]
    """Count nothing: what is left is the engine."""


@pytest.mark.parametrize("where", ["threads", "threads, checkpoints"])
def test_ten_thousand_chunks_of_nothing(benchmark: BenchmarkFixture, tmp_path: Path, where: str) -> None:
    options = {
        "threads": {"threads": 2},
        "threads, checkpoints": {"threads": 2, "store": tmp_path},
    }[where]
    begun = perf_counter()
    benchmark.pedantic(lambda: run_of(nothing, [(100,)], chunk=1, **options).extend(CHUNKS), rounds=1)
    print(f"\n{where}: {CHUNKS / (perf_counter() - begun):,.0f} chunks a second")


def test_ten_thousand_tasks_of_nothing_through_a_scheduler(benchmark: BenchmarkFixture) -> None:
    """What bounds a cluster: how many tasks its scheduler passes on, all being there at once."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        tasks = benchmark.pedantic(lambda: client.gather(client.map(pow, range(CHUNKS), [1] * CHUNKS)), rounds=1)
        assert len(tasks) == CHUNKS
    print(f"\nscheduler, 2 workers: {CHUNKS / benchmark.stats.stats.min:,.0f} tasks a second")


def test_dask_against_threads_for_a_minute(benchmark: BenchmarkFixture) -> None:
    measure = Holders(Table.seen(TonkRules(), 3, None, None), 1)
    Run(measure, Effort(threads=2)).extend(10_000_000)
    begun = perf_counter()
    Run(measure, Effort(threads=2)).extend(400_000_000)
    deals = int(400_000_000 * 60 / (perf_counter() - begun))
    seconds: dict[str, list[float]] = {"threads": [], "workers": []}

    def in_turn() -> None:
        # Because the machine's speed changes.
        for where in ["threads", "workers"] * 2:
            begun = perf_counter()
            Run(measure, Effort(**{where: 2})).extend(deals)
            seconds[where].append(perf_counter() - begun)

    benchmark.pedantic(in_turn, rounds=1)
    threads, dask = sum(seconds["threads"]) / 2, sum(seconds["workers"]) / 2
    print(f"\n{deals:,} deals: threads {threads:.1f} s, two Dask workers {dask:.1f} s with their start", end=" ")
    print(f"({dask / threads - 1:+.1%}; bound 5 %)")
    print(", ".join(f"{a:.1f} and {b:.1f} s" for a, b in zip(*seconds.values(), strict=True)))


PEAK = """
import resource, sys
from analysis.effort import Effort
from analysis.runs import Run
from analysis.tonk import TonkRules
from analysis.tonk.sampling import Holders
from analysis.tonk.table import Table
Run(Holders(Table.seen(TonkRules(), 4, None, None), 1), Effort(store=sys.argv[2])).extend(int(sys.argv[1]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_deals(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    def peak(deals: int) -> int:
        words = [sys.executable, "-c", PEAK, str(deals), str(tmp_path / str(deals))]
        return int(subprocess.run(words, check=True, capture_output=True, text=True).stdout)

    few = peak(1_000_000)
    many = benchmark.pedantic(lambda: peak(100_000_000), rounds=1)
    print(f"\npeak memory: 1e6 deals {few / 1024:.0f} MiB, 1e8 deals {many / 1024:.0f} MiB")
