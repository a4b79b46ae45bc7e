"""Runs: the same sums for any threads, chunks and steps; lengthened to a number of deals or a precision."""

import io
import re
import sys
import threading
import time
from types import ModuleType

import numpy as np
import pytest

from analysis import runs
from analysis.effort import DEALS, PILOT_DEALS
from analysis.estimate import mean, proportion
from core.errors import InputError
from core.rng import random_words
from tests.measures import run_of

DEALS_COUNTED = 4321


def tally(sums, start, stop):
    """Count deals by number modulo 7, and add up squares: a deal that is missed or counted twice shows."""
    numbers = np.arange(start, stop, dtype=np.int64)
    sums[0] += np.bincount(numbers % 7, minlength=7)
    sums[1][0, 1] += int((numbers * numbers).sum())


def tallied(deals):
    numbers = range(deals)
    return [
        [sum(number % 7 == rest for number in numbers) for rest in range(7)],
        [[0, sum(number * number for number in numbers)], [0, 0]],
    ]


def lists(run):
    return [sums.tolist() for sums in run.sums]


def new_run(**options):
    return run_of(tally, [(7,), (2, 2)], **options)


def coin(probability=0.5):
    """Return a kernel that counts deals whose first word falls below the probability."""

    def count(sums, start, stop):
        words = random_words(1, 0, start, stop - start, 1)[:, 0]
        sums[0] += np.count_nonzero(words < probability * 2**32)

    return count


# The sums


@pytest.mark.parametrize("threads", [1, 2, 16, None])
@pytest.mark.parametrize("chunk", [1, 10, 999, DEALS_COUNTED - 1, DEALS_COUNTED, 10**6])
def test_sums_are_the_same_for_any_threads_and_chunk_size(threads, chunk):
    run = new_run(threads=threads, chunk=chunk)
    run.extend(DEALS_COUNTED)
    assert lists(run) == tallied(DEALS_COUNTED)
    assert run.deals == DEALS_COUNTED
    assert all(sums.dtype == np.int64 for sums in run.sums)


@pytest.mark.parametrize("threads", [1, 2, 16])
@pytest.mark.parametrize("chunk", [7, 100, 5000])
def test_extending_in_steps_equals_extending_at_once(threads, chunk):
    run = new_run(threads=threads, chunk=chunk)
    for deals in (2, 3, 100, 101, 1800, DEALS_COUNTED):
        run.extend(deals)
        assert run.deals == deals
        assert lists(run) == tallied(deals)


def test_run_that_has_the_deals_is_left_as_it_is():
    run = new_run(chunk=100)
    run.extend(1000)
    for deals in (1000, 999, 2):
        run.extend(deals)
        assert run.deals == 1000
        assert lists(run) == tallied(1000)


def test_new_run_has_no_deals_and_zero_sums():
    run = new_run()
    assert run.deals == 0
    assert lists(run) == tallied(0)


@pytest.mark.parametrize("threads", [1, 16])
def test_chunks_are_disjoint_no_larger_than_stated_and_cover_all_deals(threads):
    seen = []
    run = run_of(lambda sums, start, stop: seen.append((start, stop)), [(1,)], threads=threads, chunk=64)
    run.extend(1000)
    run.extend(1500)
    seen.sort()
    assert all(0 < stop - start <= 64 for start, stop in seen)
    assert [start for start, _ in seen] == [0, *[stop for _, stop in seen[:-1]]]
    assert seen[-1][1] == 1500


def test_each_chunk_gets_zeroed_arrays_of_its_own():
    arrays = []

    def keep(sums, start, stop):
        assert not any(part.any() for part in sums)
        arrays.append(sums[0])
        tally(sums, start, stop)

    run = run_of(keep, [(7,), (2, 2)], threads=3, chunk=100)
    run.extend(1000)
    assert len({id(array) for array in arrays}) == 10
    assert lists(run) == tallied(1000)


def test_several_threads_count_at_the_same_time_and_one_alone_does_not():
    # With three threads three chunks wait for each other; a run that took them in turn would break the barrier.
    barrier = threading.Barrier(3, timeout=30)
    run_of(lambda sums, start, stop: barrier.wait(), [(1,)], threads=3, chunk=10).extend(30)
    assert not barrier.broken

    active, most, lock = 0, 0, threading.Lock()

    def count(sums, start, stop):
        nonlocal active, most
        with lock:
            active += 1
            most = max(most, active)
        threading.Event().wait(0.001)
        with lock:
            active -= 1

    run_of(count, [(1,)], threads=1, chunk=10).extend(200)
    assert (active, most) == (0, 1)


def test_kernel_error_reaches_the_caller():
    def fail(sums, start, stop):
        raise ZeroDivisionError(f"deal {start}")

    with pytest.raises(ZeroDivisionError, match="deal 0"):
        run_of(fail, [(1,)], chunk=100).extend(1000)


@pytest.mark.parametrize("threads", [1, 4])
def test_run_that_an_error_broke_off_goes_on_to_the_right_sums(threads):
    """The sums stay those of the deals 0 .. n - 1, also where an error (or Ctrl-C) broke off an extension."""
    broken = True

    def count(sums, start, stop):
        if broken and start >= 1500:
            raise ZeroDivisionError
        tally(sums, start, stop)

    run = run_of(count, [(7,), (2, 2)], threads=threads, chunk=100)
    run.extend(500)
    with pytest.raises(ZeroDivisionError):
        run.extend(DEALS_COUNTED)
    assert lists(run) == tallied(run.deals)
    broken = False
    run.extend(DEALS_COUNTED)
    assert lists(run) == tallied(DEALS_COUNTED)


@pytest.mark.parametrize("threads", [0, -1])
def test_fewer_than_one_thread_is_refused(threads):
    with pytest.raises(InputError, match=f"threads cannot be {threads}"):
        new_run(threads=threads)


@pytest.mark.parametrize("deals", [-5, 0, 1, 10**13 + 1])
def test_numbers_of_deals_that_no_run_takes_are_refused_and_change_nothing(deals):
    run = new_run()
    run.extend(100)
    with pytest.raises(InputError, match=f"deals cannot be {deals}:") as caught:
        run.extend(deals)
    assert "\n" not in str(caught.value)
    assert run.deals == 100
    assert lists(run) == tallied(100)


# Until a number of deals, a precision, or both


def coin_run(deals=None, precision=None, probability=0.5):
    run = run_of(coin(probability), [()], threads=1, deals=deals, precision=precision)
    return run, lambda: proportion(int(run.sums[0]), run.deals, seed=1)


@pytest.mark.parametrize("deals", [2, 12_345, PILOT_DEALS + 1])
def test_run_is_extended_to_the_deals_asked_for(deals):
    run, estimate = coin_run(deals)
    run.complete(estimate)
    assert run.deals == deals


def test_run_without_deals_or_precision_takes_the_default_number():
    run, estimate = coin_run()
    run.complete(estimate)
    assert run.deals == DEALS == 1_000_000


def test_run_is_extended_until_the_precision_and_little_further():
    run, estimate = coin_run(None, 0.002)
    run.complete(estimate)
    assert estimate().half_width <= 0.002
    # A proportion near 1/2 needs (1.96 * 0.5 / 0.002) ** 2 = 240,100 deals.
    assert 239_000 < run.deals < 1.05 * 240_100
    assert estimate().n == run.deals


def test_run_is_no_longer_than_the_pilot_where_that_is_precise_enough():
    run, estimate = coin_run(None, 0.01)
    run.complete(estimate)
    assert run.deals == PILOT_DEALS
    assert estimate().half_width <= 0.01


def test_run_with_both_stops_at_the_precision_within_the_deals():
    run, estimate = coin_run(10**6, 0.002)
    run.complete(estimate)
    assert estimate().half_width <= 0.002
    assert run.deals < 260_000


def test_run_with_fewer_deals_than_a_pilot_may_still_reach_the_precision():
    run, estimate = coin_run(5000, 0.02)
    run.complete(estimate)
    assert run.deals == 5000
    assert estimate().half_width <= 0.02


@pytest.mark.parametrize(("deals", "precision"), [(5000, 0.001), (PILOT_DEALS, 0.001), (150_000, 0.002)])
def test_precision_that_the_deals_do_not_reach_is_refused_after_them(deals, precision):
    run, estimate = coin_run(deals, precision)
    with pytest.raises(InputError, match=f"precision {precision}.*{deals:,}") as caught:
        run.complete(estimate)
    assert "\n" not in str(caught.value)
    assert run.deals == deals
    assert f"{estimate().half_width:.3g}" in str(caught.value)


def test_precision_that_no_run_reaches_is_refused(monkeypatch):
    monkeypatch.setattr(runs, "MOST_DEALS", 200_000)
    run, estimate = coin_run(None, 1e-6)
    with pytest.raises(InputError, match="precision 1e-06"):
        run.complete(estimate)


def test_run_with_a_precision_is_the_same_as_one_of_that_many_deals():
    run, estimate = coin_run(None, 0.0006, 0.02)
    run.complete(estimate)
    other, at_once = coin_run(probability=0.02)
    other.extend(run.deals)
    assert estimate() == at_once()


def test_run_that_is_longer_than_its_precision_needs_is_left_as_it_is():
    run, estimate = coin_run(None, 0.002)
    run.extend(400_000)
    run.complete(estimate)
    assert run.deals == 400_000


def test_precision_of_a_mean_is_reached_too():
    def count(sums, start, stop):
        values = random_words(1, 0, start, stop - start, 1)[:, 0].astype(np.int64) % 11
        sums[0] += np.array([values.sum(), (values * values).sum()])

    run = run_of(count, [(2,)], threads=2, precision=0.015)

    def estimate():
        return mean(int(run.sums[0][0]), int(run.sums[0][1]), run.deals, seed=1)

    run.complete(estimate)
    assert estimate().half_width <= 0.015
    # The variance is 10: (1.96 / 0.015) ** 2 * 10 deals. The mean is off by 0.05, over six standard errors, less than
    # once in 10**9 runs.
    assert 160_000 < run.deals < 1.05 * 170_732
    assert abs(estimate().value - 5) < 0.05


# What a user sees of a run


class Terminal(io.StringIO):
    """A terminal that keeps what was written."""

    def isatty(self):
        return True


def shown_by_a_run(monkeypatch, stderr):
    monkeypatch.setattr(runs, "BAR_DELAY", 0)
    monkeypatch.setattr(sys, "stderr", stderr)
    run = run_of(lambda sums, start, stop: time.sleep(0.02), [(1,)], threads=1, chunk=100)
    run.extend(5_000, lambda: proportion(1, max(run.deals, 1), seed=1))
    return stderr.getvalue()


def test_a_terminal_shows_how_far_a_run_is_its_rate_the_time_left_and_the_half_width(monkeypatch):
    shown = shown_by_a_run(monkeypatch, Terminal())
    assert re.search(r"\d+% ?\|.*\d/5.00k \[\d\d:\d\d<\d\d:\d\d, [\d.]+k deals/s, ± 0\.0", shown)
    assert shown.endswith("\r")  # and nothing is left of it


def test_a_notebook_shows_it_too(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    assert " deals/s" in shown_by_a_run(monkeypatch, io.StringIO())


def test_elsewhere_nothing_is_shown(monkeypatch):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    assert shown_by_a_run(monkeypatch, io.StringIO()) == ""


def test_a_short_run_shows_nothing(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    new_run(threads=1).extend(DEALS_COUNTED)
    assert sys.stderr.getvalue().strip() == ""
