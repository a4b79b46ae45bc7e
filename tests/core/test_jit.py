"""Numba's cache: a change in a callee's file is seen, caching works, and no folder to write to is no failure."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numba.core import config
from numba.core.errors import NumbaError

import core
from core import jit
from core.sources import source_hash

CALLEE = """
from core.jit import kernel

@kernel
def callee(number):
    return number + {more}
"""
CALLER = """
from core.jit import kernel
from core.callee import callee

@kernel
def caller(number):
    return callee(number)
"""
RUN = """
import core
from core.caller import caller
print(core.__file__)
print(caller(40), sum(caller.stats.cache_hits.values()), sum(caller.stats.cache_misses.values()))
"""


@pytest.fixture
def project(tmp_path):
    """A copy of `core` with a kernel in one file that calls a kernel in another."""
    root = tmp_path / "project"
    shutil.copytree(Path(core.__file__).parent, root / "core", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "core" / "callee.py").write_text(CALLEE.format(more=1))
    (root / "core" / "caller.py").write_text(CALLER)
    return root


def run(project, code, cache, **environment):
    """Run Python in the copy, with its own cache home; return the lines printed, and what it wrote as errors."""
    inherited = {name: text for name, text in os.environ.items() if not name.startswith(("NUMBA_", "PYTHON"))}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project,
        env=inherited | {"PYTHONPATH": str(project), "XDG_CACHE_HOME": str(cache), **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr


def compiled(cache):
    """Return all files of compiled code, with the times of their last change."""
    return {path: path.stat().st_mtime_ns for path in cache.rglob("*.nbc")}


# The trap


def test_change_in_a_callee_compiles_the_caller_anew_and_no_change_loads_it_from_the_cache(project, tmp_path):
    cache = tmp_path / "cache"
    home = str(project / "core" / "__init__.py")
    assert run(project, RUN, cache) == ([home, "41 0 1"], "")
    first = compiled(cache)
    assert len(first) == 2  # caller and callee

    # Only the callee's file changes, to the same size; the caller's is as before.
    caller = (project / "core" / "caller.py").stat()
    (project / "core" / "callee.py").write_text(CALLEE.format(more=2))
    assert (project / "core" / "caller.py").stat().st_mtime_ns == caller.st_mtime_ns
    assert run(project, RUN, cache) == ([home, "42 0 1"], "")
    second = compiled(cache)
    assert len(second) == 4

    assert run(project, RUN, cache) == ([home, "42 1 0"], "")
    assert compiled(cache) == second


def test_source_hash_sees_contents_names_and_places_of_all_source_files(project):
    root = project / "core"
    # A process asks once; here the files change.
    fresh_hash = source_hash.__wrapped__
    before = fresh_hash(root)
    seen = {before}
    deep = root / "tonk" / "rules.py"
    source = deep.read_text()
    deep.write_text(source + "\n")
    seen.add(fresh_hash(root))
    deep.write_text(source)
    assert fresh_hash(root) == before
    (root / "callee.py").rename(root / "renamed.py")
    seen.add(fresh_hash(root))
    (root / "renamed.py").rename(root / "tonk" / "renamed.py")
    seen.add(fresh_hash(root))
    (root / "tonk" / "renamed.py").unlink()
    seen.add(fresh_hash(root))
    assert len(seen) == 5


# The folder


def test_kernels_run_without_a_folder_to_write_to_and_say_so_once(project, tmp_path):
    # Root may write to any folder, so the cache home is a regular file, below which nobody can make one.
    cache = tmp_path / "file"
    cache.write_text("")
    lines, errors = run(project, RUN, cache)
    assert lines[1].startswith("41 0 ")  # no cache hit
    assert errors.count("RuntimeWarning") == 1
    assert "kernels are compiled anew" in errors
    assert cache.read_text() == ""
    assert not list(project.rglob("*.nb[ci]"))


def test_oldest_folders_are_removed_beyond_the_kept_number(project, tmp_path):
    folders = tmp_path / "cache" / "tonlab" / "numba"
    now = time.time()
    for age in range(1, jit._KEPT_FOLDERS + 5):
        old = folders / f"old{age}"
        old.mkdir(parents=True)
        (old / "kernel.nbc").write_text("")
        os.utime(old, (now - 1000 * age, now - 1000 * age))
    (own,), errors = run(project, "from core.jit import source_hash; print(source_hash())", tmp_path / "cache")
    assert errors == ""
    kept = {f"old{age}" for age in range(1, jit._KEPT_FOLDERS)}
    assert {path.name for path in folders.iterdir()} == kept | {own}
    assert len(kept | {own}) == jit._KEPT_FOLDERS > 1
    assert all((folders / name / "kernel.nbc").exists() for name in kept)


def test_folder_in_use_counts_as_new_however_old_it_is(project, tmp_path):
    folders = tmp_path / "cache" / "tonlab" / "numba"
    own = folders / source_hash.__wrapped__(project / "core")
    own.mkdir(parents=True)
    (own / "mine").write_text("")
    os.utime(own, (1, 1))
    for number in range(jit._KEPT_FOLDERS):
        (folders / f"other{number}").mkdir()
    run(project, "import core.jit", tmp_path / "cache")
    assert (own / "mine").exists()
    assert len(list(folders.iterdir())) == jit._KEPT_FOLDERS


# Numba's own setting


@pytest.mark.parametrize("setting", ["", "/somewhere/else"])
def test_decorating_leaves_numbas_cache_setting_as_it_was(monkeypatch, setting):
    monkeypatch.setattr(config, "CACHE_DIR", setting)

    def double(number):
        return 2 * number

    assert jit.kernel(double).py_func is double
    assert setting == config.CACHE_DIR
    assert jit.inlined(double).py_func is double
    assert setting == config.CACHE_DIR


def test_failed_decoration_leaves_numbas_cache_setting_as_it_was(monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", "/somewhere/else")
    with pytest.raises(TypeError):
        jit.kernel("no function")
    assert config.CACHE_DIR == "/somewhere/else"


def test_other_code_of_the_process_is_cached_where_it_was_told_and_kernels_are_not(project, tmp_path):
    (project / "other.py").write_text(
        "from numba import njit\nfrom core.caller import caller\n\n"
        "@njit(cache=True)\ndef other(number):\n    return number\n\n"
        "print(caller(40), other(7))\n"
    )
    lines, errors = run(project, "import other", tmp_path / "cache", NUMBA_CACHE_DIR=str(tmp_path / "theirs"))
    assert (lines, errors) == (["41 7"], "")
    assert {path.name.split(".")[0] for path in compiled(tmp_path / "theirs")} == {"other"}
    assert {path.name.split(".")[0] for path in compiled(tmp_path / "cache")} == {"caller", "callee"}


# Compiled kernels


def test_kernels_release_the_interpreters_lock_and_are_compiled_on_first_call():
    def double(number):
        return 2 * number

    compiled_function = jit.kernel(double)
    assert compiled_function.targetoptions["nogil"] is True
    assert compiled_function.signatures == []


def test_only_allocating_kernels_make_arrays_and_count_references_to_them():
    @jit.allocating
    def reverse(numbers):
        return numbers[::-1]

    @jit.kernel
    def reverse_uncounted(numbers):
        return numbers[::-1]

    numbers = np.arange(3.0)
    assert reverse(numbers).tolist() == [2, 1, 0]
    # Without the counting, which only what returns or makes arrays needs, short kernels are two and three times faster.
    with pytest.raises(NumbaError, match="Only accept returning of array passed into the function"):
        reverse_uncounted(numbers)
