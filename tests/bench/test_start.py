"""What a whole command costs beside the import of the library that parses it."""

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from pytest_benchmark.fixture import BenchmarkFixture

TONLAB = Path(sys.executable).with_name("tonlab")
COMMAND = [str(TONLAB), "tonk", "odds", "--players", "4", "--json"]
IMPORT = [sys.executable, "-c", "import typer"]


def run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)


def seconds(command: list[str]) -> float:
    start = perf_counter()
    run(command)
    return perf_counter() - start


def test_odds_as_a_whole_process(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(run, (COMMAND,), rounds=10, warmup_rounds=1)
    extra = median(seconds(COMMAND) - seconds(IMPORT) for _ in range(10))
    print(f"\ntonlab tonk odds --players 4 --json: {extra:.3f} s more than python -c 'import typer' (bound 0.25 s)")
