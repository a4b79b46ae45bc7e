"""Runs on Dask workers: real processes on this machine, one killed, one slow, one late; the numbers stay the same."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from analysis import workers
from analysis.tonk import odds
from core.errors import InputError
from tests.measures import SCATTER_SHAPES, run_of, scatter, scattered

pytest.importorskip("distributed")

ROOT = Path(__file__).parents[2]


class Cluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self):
        self.processes = []
        self._begin("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        for line in self.processes[0].stderr:
            if found := re.search(r"Scheduler at:\s+(tcp://\S+)", line):
                self.address = found[1]
                break
        self._drain(self.processes[0])

    def add_worker(self, **environment):
        worker = self._begin(
            "dask_worker", self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny", **environment
        )
        self._drain(worker)
        return worker

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()
            process.stderr.close()

    def _begin(self, module, *words, **environment):
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        )
        self.processes.append(process)
        return process

    def _drain(self, process):
        threading.Thread(target=process.stderr.read, daemon=True).start()


@pytest.fixture
def cluster():
    cluster = Cluster()
    yield cluster
    cluster.close()


def lists(run):
    return [sums.tolist() for sums in run.sums]


def test_workers_give_the_numbers_of_threads(cluster):
    cluster.add_worker()
    cluster.add_worker()
    options = {"sampled": True, "deals": 300_001, "seed": 3}
    assert odds(3, **options, scheduler=cluster.address) == odds(3, **options, threads=1)


def test_a_local_cluster_gives_the_numbers_of_threads(tmp_path):
    run = run_of(scatter, SCATTER_SHAPES, workers=2, store=tmp_path)
    run.extend(200_000)
    assert lists(run) == scattered(200_000)


def test_a_worker_killed_in_mid_run_and_one_that_joins_late_change_nothing(cluster):
    victim, others = cluster.add_worker(), [cluster.add_worker()]
    deals = 3_000_000
    run = run_of(scatter, SCATTER_SHAPES, scheduler=cluster.address, chunk=50_000)

    def disturb():
        time.sleep(1.5)
        victim.send_signal(signal.SIGKILL)
        others.append(cluster.add_worker())

    thread = threading.Thread(target=disturb)
    thread.start()
    begun = time.monotonic()
    run.extend(deals)
    thread.join()
    assert time.monotonic() - begun > 1.5, "the run was over before anything happened to it"
    assert victim.wait(10) == -signal.SIGKILL
    assert lists(run) == scattered(deals)


SLOW = """
import os, time
from tests.measures import scatter
def slow_somewhere(sums, start, stop):
    if os.environ.get("SLOW"):
        time.sleep(1)
    scatter(sums, start, stop)
"""


def test_a_slow_worker_changes_nothing(cluster):
    cluster.add_worker(SLOW="1")
    cluster.add_worker()
    scope = {"__name__": "__main__"}
    exec(SLOW, scope)
    run = run_of(scope["slow_somewhere"], SCATTER_SHAPES, scheduler=cluster.address, chunk=25_000)
    run.extend(500_000)
    assert lists(run) == scattered(500_000)


def test_a_worker_with_other_code_is_refused(monkeypatch):
    monkeypatch.setattr(workers, "source_hash", lambda: "its own")
    measure = run_of(scatter, SCATTER_SHAPES).measure
    with pytest.raises(InputError, match="has other code than the one who asks"):
        workers._count_on_worker(measure, 0, 10, "another")


def test_no_scheduler_is_one_clear_line(monkeypatch):
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 0.2)
    run = run_of(scatter, SCATTER_SHAPES, scheduler="tcp://127.0.0.1:1")
    with pytest.raises(InputError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        run.extend(1000)


@pytest.mark.parametrize("address", ["127.0.0.1:8786", "tcp//x", ""])
def test_an_address_without_a_protocol_is_refused(address):
    with pytest.raises(InputError, match="is not an address such as"):
        odds(3, scheduler=address)


def test_threads_workers_and_scheduler_exclude_each_other():
    with pytest.raises(InputError, match="threads and workers exclude each other"):
        odds(3, threads=2, workers=2)
