"""The one place that knows numba: the decorator of all kernels and the folder of their compiled code.

numba caches compiled code on disk by the file that defines a function, and does not see a change in a function that
it calls from another file: the cached caller would silently return old results. So the cache folder is named after
a hash of all sources of `core`, and any change there compiles anew. All kernels therefore live in `core`.

Importing this module imports numba, which costs a command half a second; only modules with kernels import it.
"""

import shutil
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast

import platformdirs
from numba import njit
from numba.core import config as numba_config

from core.sources import source_hash

_F = TypeVar("_F", bound=Callable[..., Any])


def _import_without_blas() -> None:
    """Import the part of numba that loads scipy.linalg, a fifth of a second, to multiply matrices: no kernel does."""
    missing = "scipy.linalg" not in sys.modules
    if missing:
        sys.modules["scipy.linalg"] = cast(Any, None)
    try:
        import_module("numba.np.arraymath")
    finally:
        if missing:
            del sys.modules["scipy.linalg"]


_import_without_blas()

# Folders for older sources that are kept, so that two checkouts in use do not evict each other.
_KEPT_FOLDERS = 8


def _cache_folder() -> Path | None:
    """Return this version's cache folder, made if missing, or None where none can be written."""
    parent = platformdirs.user_cache_path("tonlab") / "numba"
    folder = parent / source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
    except OSError as error:
        warnings.warn(f"kernels are compiled anew: no cache folder ({error})", RuntimeWarning, stacklevel=2)
        return None
    # Another process may prune at the same time.
    with suppress(OSError):
        by_age = sorted(parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in by_age[_KEPT_FOLDERS:]:
            shutil.rmtree(old, ignore_errors=True)
    return folder


_FOLDER = _cache_folder()


def kernel(function: _F) -> _F:
    """Compile a function with numba when it is first called; it runs without the interpreter's lock.

    Kernels check nothing and raise nothing: the public function in front of them checks shapes and ranges. They make
    no arrays, copy none whole and return none, so that numba need not count references to those that they are given:
    the counting takes longer than many kernels' work. `allocating` is for those that do.
    """
    return _compiled(function, counting=False)


def allocating(function: _F) -> _F:
    """Compile a kernel that makes, copies or returns arrays; it is to be called seldom, or to work long."""
    return _compiled(function, counting=True)


def _compiled(function: _F, counting: bool) -> _F:
    # Set for this function alone: other packages in the process keep their own cache folder.
    before = vars(numba_config)["CACHE_DIR"]
    vars(numba_config)["CACHE_DIR"] = str(_FOLDER)
    try:
        # numba's own name for it: it is not among the options that its documentation and its types list.
        options: dict[str, Any] = {"_nrt": counting}
        compiled = njit(cache=_FOLDER is not None, nogil=True, **options)(function)
    finally:
        vars(numba_config)["CACHE_DIR"] = before
    return cast(_F, compiled)


def inlined(function: _F) -> _F:
    """Compile a small function into each kernel that calls it; it has no cache of its own."""
    return cast(_F, njit(inline="always", nogil=True)(function))
