"""Where a run's chunks are counted: in threads of this process, or by Dask on this machine or on many.

A pool takes chunks and hands back the parts in whatever order they are done. The kernels release the interpreter's
lock, so threads are as good as processes on one machine; Dask is for several machines.
"""

import logging
import math
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from time import monotonic, perf_counter
from typing import Any, Protocol

import numpy as np

from analysis.effort import Effort
from analysis.tally import Counts, Part
from core.errors import InputError
from core.sources import CORE, source_hash

log = logging.getLogger(__name__)

# Seconds that a chunk should take. In threads: Ctrl-C and the end of a run wait for the chunks in hand. With Dask:
# long against the scheduler's millisecond a task.
THREAD_SECONDS, DASK_SECONDS = 0.15, 1.5
# Seconds that a scheduler has to answer.
CONNECT_SECONDS = 10

# Workers of our own do one thing and need little memory: watching them more closely costs a tenth of their time.
_LOCAL_CLUSTER = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "5s",
    "distributed.admin.system-monitor.interval": "10s",
}


class Measure(Protocol):
    """What a run counts over deals. A measure is a value: workers get a copy, and the store tells them apart."""

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the counts of the deals start .. stop - 1 to the arrays, without the interpreter's lock."""

    def description(self) -> dict[str, Any]:
        """Return all that the counts depend on, but the code, as JSON values: game, measure, rules, seed …"""


class Pool(Protocol):
    """Counts chunks, several at a time."""

    seconds: float

    def size(self) -> int:
        """Return how many chunks can be counted at the same time, now."""

    def submit(self, measure: Measure, start: int, stop: int) -> None:
        """Begin to count a chunk."""

    def done(self) -> list[tuple[Part, float]]:
        """Wait until some chunk is done; return those that are, with the seconds each took."""


@contextmanager
def pool_for(effort: Effort) -> Iterator[Pool]:
    """Open the pool that an effort asks for; on leaving, chunks not yet begun are dropped.

    Raises InputError where Dask is wanted but not installed, or its scheduler does not answer.
    """
    if effort.workers is None and effort.scheduler is None:
        executor = ThreadPoolExecutor(effort.threads or cores())
        try:
            yield _Threads(executor, effort.threads or cores())
        finally:
            # What is in hand takes a moment; whoever is interrupted does not wait for it.
            executor.shutdown(wait=False, cancel_futures=True)
        return
    with _dask_client(effort) as client:
        yield _Dask(client)


def count_chunk(measure: Measure, start: int, stop: int) -> tuple[Part, float]:
    """Count one chunk; return the part and the seconds that it took."""
    begun = perf_counter()
    sums = [np.zeros(shape, np.int64) for shape in measure.shapes]
    measure.count(sums, start, stop)
    return Part(start, stop, sums), perf_counter() - begun


def cores() -> int:
    """Return the number of cores that the process may use, or that the machine has where the system cannot tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Threads:
    seconds = THREAD_SECONDS

    def __init__(self, executor: ThreadPoolExecutor, threads: int) -> None:
        self._executor, self._threads = executor, threads
        self._futures: set[Future[tuple[Part, float]]] = set()

    def size(self) -> int:
        return self._threads

    def submit(self, measure: Measure, start: int, stop: int) -> None:
        self._futures.add(self._executor.submit(count_chunk, measure, start, stop))

    def done(self) -> list[tuple[Part, float]]:
        ready, self._futures = wait(self._futures, return_when=FIRST_COMPLETED)
        return [future.result() for future in ready]


class _Dask:
    seconds = DASK_SECONDS

    def __init__(self, client: Any) -> None:
        self._client = client
        self._futures: set[Any] = set()
        self._size, self._asked = 0, -math.inf

    def size(self) -> int:
        # Asked for anew from time to time: workers may join and leave.
        if monotonic() > self._asked + 1:
            threads = sum(int(threads) for threads in self._client.nthreads().values())
            # One task waits at each worker while another runs.
            self._size, self._asked = max(1, 2 * threads), monotonic()
        return self._size

    def submit(self, measure: Measure, start: int, stop: int) -> None:
        task = self._client.submit(_count_on_worker, measure, start, stop, source_hash(), pure=False, retries=3)
        self._futures.add(task)

    def done(self) -> list[tuple[Part, float]]:
        from distributed import wait as wait_for
        from distributed.scheduler import KilledWorker

        ready, self._futures = wait_for(list(self._futures), return_when="FIRST_COMPLETED")
        try:
            return [future.result() for future in ready]
        except KilledWorker as error:
            raise InputError(f"the chunk {error.task} failed on every worker that tried it") from None


def _count_on_worker(measure: Measure, start: int, stop: int, code: str) -> tuple[Part, float]:
    """Count a chunk on a worker, which must run the same code as whoever asks."""
    if source_hash() != code:
        raise InputError(f"the worker in {CORE.parent} has other code than the one who asks: update one of them")
    return count_chunk(measure, start, stop)


@contextmanager
def _dask_client(effort: Effort) -> Iterator[Any]:
    try:
        import dask
        import distributed
    except ImportError:
        raise InputError("workers need Dask: pip install 'tonlab[cluster]'") from None
    import tempfile

    # Its own logs of workers that come and go would stand between ours.
    logging.getLogger("distributed").setLevel(logging.ERROR)
    if effort.scheduler is not None:
        try:
            client = distributed.Client(effort.scheduler, timeout=CONNECT_SECONDS)
        except (OSError, ValueError, TimeoutError):
            raise InputError(f"no Dask scheduler answers at {effort.scheduler}") from None
        with client:
            log.info("counting on %s with %d threads", effort.scheduler, sum(client.nthreads().values()))
            yield client
        return
    with (
        dask.config.set(_LOCAL_CLUSTER),
        tempfile.TemporaryDirectory(prefix="tonlab-dask-") as folder,
        distributed.LocalCluster(
            n_workers=effort.workers, threads_per_worker=1, dashboard_address=None, local_directory=folder
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        try:
            yield client
        finally:
            # Workers keep nothing that is still wanted, and closing would wait for chunks in hand and their exit.
            for nanny in cluster.workers.values():
                nanny.auto_restart = False
                os.kill(nanny.pid, signal.SIGKILL)
