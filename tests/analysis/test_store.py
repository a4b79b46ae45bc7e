"""Checkpoints: runs go on where they stopped, whatever stopped them, and nothing wrong is used again."""

import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from analysis import runs
from analysis.store import FILE, Store, StoreError
from analysis.tally import Part, Tally
from core.errors import InputError
from tests.measures import SCATTER_SHAPES, run_of, scatter, scattered

DEALS = 100_000


@pytest.fixture(autouse=True)
def _checkpoints_from_the_first_chunk_on(monkeypatch):
    monkeypatch.setattr(runs, "UNCHECKED_SECONDS", 0)


def new_run(store, function=scatter, **options):
    return run_of(function, SCATTER_SHAPES, store=store, **{"chunk": 5000, **options})


def lists(run):
    return [sums.tolist() for sums in run.sums]


def counted(monkeypatch_or_list):
    """Return a measure's function that also lists the spans that it counts."""

    def scatter_(sums, start, stop):
        monkeypatch_or_list.append((start, stop))
        scatter(sums, start, stop)

    return scatter_


# Going on


def test_a_finished_run_is_not_repeated_and_a_longer_one_goes_on(tmp_path):
    spans = []
    function = counted(spans)
    new_run(tmp_path, function).extend(DEALS)
    assert sum(stop - start for start, stop in spans) == DEALS
    spans.clear()
    again = new_run(tmp_path, function)
    again.extend(DEALS)
    assert spans == []
    assert lists(again) == scattered(DEALS)
    longer = new_run(tmp_path, function, chunk=999)
    longer.extend(DEALS + 20_000)
    assert min(start for start, _ in spans) == DEALS
    assert lists(longer) == scattered(DEALS + 20_000)


def test_a_shorter_run_after_a_longer_one_has_its_own_deals(tmp_path):
    new_run(tmp_path).extend(DEALS)
    shorter = new_run(tmp_path)
    shorter.extend(30_000)
    assert shorter.deals == 30_000
    assert lists(shorter) == scattered(30_000)
    spans = []
    again = new_run(tmp_path, counted(spans))
    again.extend(30_000)
    assert lists(again) == scattered(30_000)


@pytest.mark.parametrize("threads", [1, 4])
def test_a_run_that_failed_halfway_goes_on_from_what_it_kept(tmp_path, threads):
    spans, broken = [], True

    def scatter_(sums, start, stop):
        if broken and start >= 60_000:
            raise ZeroDivisionError
        spans.append((start, stop))
        scatter(sums, start, stop)

    with pytest.raises(ZeroDivisionError):
        new_run(tmp_path, scatter_, threads=threads).extend(DEALS)
    (kept,) = Store(tmp_path).runs()
    assert 0 < kept.deals <= 60_000
    broken = False
    run = new_run(tmp_path, scatter_, threads=threads)
    run.extend(DEALS)
    assert lists(run) == scattered(DEALS)
    # At most the chunks in hand were lost.
    assert sum(stop - start for start, stop in spans) <= DEALS + threads * 5000


def test_parts_that_wait_for_others_are_kept_and_used_once(tmp_path):
    description, code = {"measure": "x"}, "c"
    parts = {}
    for start, stop in ((0, 10), (10, 20), (20, 40), (40, 50), (60, 70)):
        parts[start] = Part(start, stop, [sums.copy() for sums in _sums(start, stop)])
    tally = Tally(SCATTER_SHAPES)
    with Store(tmp_path).open(description, code, SCATTER_SHAPES) as checkpoint:
        for start in (60, 20, 0):
            tally.add(parts[start])
            checkpoint.save(tally, [parts[start]])
    with Store(tmp_path).open(description, code, SCATTER_SHAPES) as checkpoint:
        kept = checkpoint.load(100)
        assert kept.deals == 10
        assert kept.gaps(100) == [(10, 20), (40, 60), (70, 100)]
        assert checkpoint.load(65).gaps(65) == [(10, 20), (40, 65)]
        kept = checkpoint.load(100)
        for start in (10, 40):
            kept.add(parts[start])
            checkpoint.save(kept, [parts[start]])
        assert kept.deals == 50
        kept.add(Part(50, 60, _sums(50, 60)))
        assert kept.deals == 70
        assert [sums.tolist() for sums in kept.sums] == scattered(70)


def _sums(start, stop):
    import numpy as np

    sums = [np.zeros(shape, np.int64) for shape in SCATTER_SHAPES]
    scatter(sums, start, stop)
    return sums


def test_precision_and_number_of_deals_share_what_is_kept(tmp_path):
    spans = []
    first = new_run(tmp_path, counted(spans))
    first.extend(20_000)
    first.extend(50_000)
    spans.clear()
    second = new_run(tmp_path, counted(spans))
    second.extend(20_000)
    assert lists(second) == scattered(20_000)
    assert spans == []
    second.extend(50_000)
    assert spans == []
    assert lists(second) == scattered(50_000)


# Being killed

COUNT = """
import sys, time
from analysis import runs
from tests.measures import SCATTER_SHAPES, run_of, scatter
runs.UNCHECKED_SECONDS = 0
run = run_of(scatter, SCATTER_SHAPES, store=sys.argv[1], threads=2, chunk=4000)
print("begun", flush=True)
run.extend(int(sys.argv[2]))
print([sums.tolist() for sums in run.sums])
"""


def count(store, deals, **options):
    return subprocess.Popen(
        [sys.executable, "-c", COUNT, str(store), str(deals)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **options,
    )


def test_killing_a_run_fifty_times_changes_no_byte(tmp_path):
    deals, kills, dice = 2_000_000, 0, random.Random(3)
    progress = []
    while kills < 50:
        process = count(tmp_path, deals)
        assert process.stdout.readline() == "begun\n"
        time.sleep(dice.random() * 0.06)
        process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
        assert errors == ""
        kills += process.returncode == -signal.SIGKILL
        progress.append(sum(run.deals for run in Store(tmp_path).runs()))
    # It got further meanwhile, and never lost what it had.
    assert progress == sorted(progress)
    assert 0 < progress[-1] < deals
    process = count(tmp_path, deals)
    output, errors = process.communicate(timeout=120)
    assert (errors, process.returncode) == ("", 0)
    assert output == f"begun\n{scattered(deals)}\n"
    with sqlite3.connect(tmp_path / FILE) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_ctrl_c_stops_within_a_second_and_keeps_what_is_done(tmp_path):
    process = count(tmp_path, 10**9)
    process.stdout.readline()
    time.sleep(0.5)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert time.monotonic() - sent < 1
    assert "the same command goes on from there" in errors
    (kept,) = Store(tmp_path).runs()
    assert kept.deals > 0


# What cannot be used


def test_two_processes_cannot_count_the_same_run_but_two_runs_share_a_store(tmp_path):
    process = count(tmp_path, 10**9)
    try:
        process.stdout.readline()
        while not Store(tmp_path).runs():
            time.sleep(0.01)
        same = run_of(scatter, SCATTER_SHAPES, store=tmp_path)
        with pytest.raises(StoreError, match="is being counted by another process"):
            same.extend(1000)
        other = new_run(tmp_path, counted([]))
        other.extend(DEALS)
        assert lists(other) == scattered(DEALS)
        with pytest.raises(StoreError, match="is being counted by another process"):
            Store(tmp_path).remove([run for run in Store(tmp_path).runs() if run.description["measure"] == "scatter"])
    finally:
        process.kill()
        process.communicate()
    same.extend(1000)
    assert lists(same) == scattered(1000)


def test_a_full_disk_is_one_clear_line(tmp_path):
    def small_files_only():
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))

    code = COUNT.replace("print([", "print('not reached', [")
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), str(DEALS)],
        capture_output=True,
        text=True,
        preexec_fn=small_files_only,
    )
    assert "not reached" not in done.stdout
    last = done.stderr.splitlines()[-1]
    assert last.startswith("analysis.store.StoreError: store '")
    assert FILE in last


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"store '.*file' cannot be made"):
        new_run(tmp_path / "file").extend(1000)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_one_clear_line(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="cannot be written"):
        new_run(tmp_path).extend(1000)


def test_where_the_default_store_cannot_be_used_the_run_is_counted_all_the_same(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").touch()
    monkeypatch.setattr(runs, "default_store", lambda: tmp_path / "file")
    run = new_run(tmp_path / "file")
    run.extend(1000)
    assert lists(run) == scattered(1000)
    assert "no checkpoints: store" in caplog.text


def test_a_damaged_file_and_damaged_rows_are_refused(tmp_path):
    new_run(tmp_path).extend(DEALS)
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("UPDATE part SET stop = stop - 5000")
    connection.close()
    with pytest.raises(StoreError, match="is damaged: remove it"):
        new_run(tmp_path).extend(DEALS)
    Store(tmp_path).remove(Store(tmp_path).runs())
    run = new_run(tmp_path)
    run.extend(DEALS)
    assert lists(run) == scattered(DEALS)
    (tmp_path / FILE).write_bytes(b"nothing of SQLite's" * 1000)
    with pytest.raises(StoreError, match="not a database"):
        new_run(tmp_path).extend(DEALS)


def test_a_store_of_another_layout_is_refused(tmp_path):
    new_run(tmp_path).extend(DEALS)
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="has layout 99, not 1"):
        new_run(tmp_path).extend(DEALS)


def test_what_other_code_counted_is_not_used_and_said_so(tmp_path, monkeypatch, caplog):
    caplog.set_level("INFO", logger="analysis")
    monkeypatch.setattr(runs, "source_hash", lambda *_: "other")
    new_run(tmp_path).extend(DEALS)
    monkeypatch.undo()
    spans = []
    function = counted(spans)
    function.__name__ = "scatter"
    run = new_run(tmp_path, function)
    run.extend(DEALS)
    assert sum(stop - start for start, stop in spans) == DEALS
    assert lists(run) == scattered(DEALS)
    assert f"{DEALS:,} deals of this run were counted by other code" in caplog.text


@pytest.mark.parametrize("name", ["seed", "players", "rules"])
def test_runs_that_differ_in_anything_are_kept_apart(tmp_path, name):
    from analysis.effort import Effort
    from tests.measures import Plain

    for value in (1, 2):
        run = runs.Run(Plain(scatter, SCATTER_SHAPES, {name: value}), Effort(store=tmp_path))
        run.extend(1000 * value)
    assert sorted(run.deals for run in Store(tmp_path).runs()) == [1000, 2000]


# Listing


def test_runs_are_found_by_how_their_key_begins_and_removed(tmp_path):
    assert Store(tmp_path).runs() == []
    new_run(tmp_path).extend(DEALS)
    new_run(tmp_path, counted([])).extend(1000)
    store = Store(tmp_path)
    first, second = store.runs()
    assert {first.deals, second.deals} == {DEALS, 1000}
    assert store.find(first.key[:6]) == first
    with pytest.raises(InputError, match=r"no runs in .* begins with 'zz'"):
        store.find("zz")
    with pytest.raises(InputError, match="2 runs"):
        store.find("")
    store.remove([first])
    assert store.runs() == [second]


def test_the_command_line_lists_shows_and_removes(tmp_path):
    new_run(tmp_path).extend(DEALS)

    def tonlab(*words):
        return subprocess.run(
            [sys.executable, "-c", "from analysis.main import main; main()", "runs", *words, "--store", str(tmp_path)],
            capture_output=True,
            text=True,
        )

    (listed,) = json.loads(tonlab("list", "--json").stdout)["runs"]
    assert listed["deals"] == DEALS
    assert listed["key"][:8] in tonlab("list").stdout
    assert json.loads(tonlab("show", listed["key"][:8], "--json").stdout) == listed
    assert "scatter" in tonlab("show", listed["key"]).stdout
    assert tonlab("remove").returncode == 2
    assert tonlab("remove", "zz").returncode == 2
    assert tonlab("remove", listed["key"]).stdout == "removed 1 run\n"
    assert json.loads(tonlab("list", "--json").stdout) == {"runs": []}
    assert tonlab("remove", "--all").stdout == "removed 0 runs\n"
