"""Runs of many deals: the one engine under every estimate. Chunks are counted anywhere and merged in whole numbers.

A chunk's sums are whole numbers, and deal i depends on (seed, stream, i) alone. The totals are therefore the same
bytes for any threads, workers, size or order of chunks, and however often the run was interrupted.
"""

import inspect
import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic
from typing import Any

from tqdm import tqdm

from analysis.effort import DEALS, MOST_DEALS, PILOT_DEALS, Effort, default_store
from analysis.estimate import Estimate, deals_for_half_width
from analysis.store import Checkpoint, Store, StoreError
from analysis.tally import Counts, Part, Tally
from analysis.workers import Measure, Pool, pool_for
from core.errors import InputError
from core.sources import CORE, source_hash

log = logging.getLogger(__name__)

# The first chunk's deals: few, because a deal's cost is not known yet. Later ones grow to the time that the pool likes.
FIRST_CHUNK = 64
GROWTH = 8
# A run that is done sooner than this, in seconds, is not worth a checkpoint.
UNCHECKED_SECONDS = 0.1
# Seconds until a progress bar shows up.
BAR_DELAY = 1.0


class Run:
    """The sums of a measure over the deals 0 .. n - 1, for an n that may grow."""

    def __init__(self, measure: Measure, effort: Effort | None = None, *, chunk: int | None = None) -> None:
        """Prepare a run; `chunk` fixes the deals of a chunk, which otherwise takes a fraction of a second.

        Raises InputError for an empty chunk.
        """
        if chunk is not None and chunk < 1:
            raise InputError(f"chunk cannot be {chunk}: it is at least 1 deal")
        self.measure = measure
        self.effort = effort or Effort()
        self._chunk = chunk
        self._next_chunk = FIRST_CHUNK
        self._tally = Tally(measure.shapes)

    @property
    def deals(self) -> int:
        """The number of deals that the sums cover."""
        return self._tally.deals

    @property
    def sums(self) -> Sequence[Counts]:
        """The sums, in the measure's shapes; new arrays each time the run grows."""
        return self._tally.sums

    def complete(self, estimate: Callable[[], Estimate], *, pilot: int = PILOT_DEALS) -> None:
        """Bring the run to the effort's number of deals, or to its precision of an estimate from the sums.

        `pilot` deals tell how many the precision takes; where a deal is dear, they are fewer.

        Raises InputError when the most deals that may be spent do not reach the precision, and for a store, scheduler
        or workers that cannot be used.
        """
        if self.effort.precision is None:
            self.extend(DEALS if self.effort.deals is None else self.effort.deals, estimate)
            return

        def estimate_after(n: int) -> Estimate:
            self.extend(n, estimate)
            return estimate()

        most = MOST_DEALS if self.effort.deals is None else self.effort.deals
        deals_for_half_width(estimate_after, self.effort.precision, pilot=pilot, most=most)

    def extend(self, deals: int, estimate: Callable[[], Estimate] | None = None) -> None:
        """Bring the run to that many deals; a run that has them is left as it is.

        `estimate` is shown in the progress bar. Raises InputError for a number of deals that no run takes.
        """
        if not 2 <= deals <= MOST_DEALS:
            raise InputError(f"deals cannot be {deals}: a run takes 2 to {MOST_DEALS:,}")
        if deals <= self.deals:
            return
        with ExitStack() as stack:
            checkpoint = self._open_store(stack)
            if checkpoint:
                kept = checkpoint.load(deals)
                if kept.deals > self.deals:
                    self._tally = kept
                    log.info("run %s goes on from %s deals", checkpoint.key, f"{kept.deals:,}")
            if gaps := self._tally.gaps(deals):
                self._count(gaps, deals, checkpoint, estimate)

    def _open_store(self, stack: ExitStack) -> Checkpoint | None:
        if self.effort.store is None:
            return None
        code = source_hash(CORE, (Path(inspect.getfile(type(self.measure))),))
        try:
            checkpoint = stack.enter_context(
                Store(self.effort.store).open(self.measure.description(), code, self.measure.shapes)
            )
        except StoreError as error:
            if Path(self.effort.store) != default_store():
                raise
            # Nobody asked for this store; a run without it is only not kept.
            log.warning("no checkpoints: %s", error)
            return None
        if others := checkpoint.other_code():
            log.info("%s deals of this run were counted by other code; they are not used", f"{others:,}")
        return checkpoint

    def _count(
        self,
        gaps: list[tuple[int, int]],
        deals: int,
        checkpoint: Checkpoint | None,
        estimate: Callable[[], Estimate] | None,
    ) -> None:
        """Count the gaps chunk by chunk, and keep what is done."""
        left = sum(stop - start for start, stop in gaps)
        unsaved: list[Part] = []
        begun = monotonic()

        def save(finished: bool = False) -> None:
            if checkpoint and monotonic() - begun > UNCHECKED_SECONDS:
                checkpoint.save(self._tally, unsaved, finished=finished)
                unsaved.clear()

        with progress(deals, deals - left) as bar:
            try:
                with pool_for(self.effort) as pool:
                    in_hand = 0
                    while left or in_hand:
                        while left and in_hand < pool.size():
                            start, stop = gaps[0]
                            stop = min(stop, start + self._chunk_size(left, pool))
                            pool.submit(self.measure, start, stop)
                            gaps[0] = (stop, gaps[0][1])
                            if stop == gaps[0][1]:
                                del gaps[0]
                            left -= stop - start
                            in_hand += 1
                        for part, seconds in pool.done():
                            in_hand -= 1
                            self._tally.add(part)
                            unsaved.append(part)
                            self._learn(part, seconds, pool)
                            bar.update(part.stop - part.start)
                        save(finished=not left and not in_hand)
                        if estimate and not bar.disable:
                            _show(bar, estimate)
            except KeyboardInterrupt:
                save()
                if checkpoint and not unsaved:
                    log.warning(
                        "%s of %s deals are kept in %s; the same command goes on from there",
                        f"{self.deals:,}",
                        f"{deals:,}",
                        checkpoint.store.folder,
                    )
                raise

    def _chunk_size(self, left: int, pool: Pool) -> int:
        if self._chunk:
            return self._chunk
        # Towards the end chunks get smaller, so that all are done at about the same time; but not tiny ones.
        share = max(left // pool.size(), self._next_chunk // 50)
        return max(1, min(self._next_chunk, share))

    def _learn(self, part: Part, seconds: float, pool: Pool) -> None:
        """Let the next chunk take about as long as the pool likes, from what this one took."""
        deals = part.stop - part.start
        self._next_chunk = max(1, min(int(deals / max(seconds, 1e-9) * pool.seconds), GROWTH * deals))


def progress(total: int, done: int = 0, *, unit: str = " deals") -> "tqdm[Any]":
    """Return a progress bar on standard error, in a terminal or a notebook; elsewhere none is shown."""
    shown = sys.stderr.isatty() or "ipykernel" in sys.modules
    return tqdm(
        total=total,
        initial=done,
        unit=unit,
        unit_scale=True,
        disable=not shown,
        delay=BAR_DELAY,
        leave=False,
        dynamic_ncols=True,
    )


def _show(bar: "tqdm[Any]", estimate: Callable[[], Estimate]) -> None:
    with suppress(InputError):  # too few deals yet
        bar.set_postfix_str(f"± {estimate().half_width:.2g}", refresh=False)
