"""The hash of the sources that results come from: it names caches and stores, so that nothing stale is used again."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

CORE = Path(__file__).parent


@cache
def source_hash(root: Path = CORE, more: Iterable[Path] = ()) -> str:
    """Return a hash of all Python files below `root` (default: all of `core`), by path and content, and of `more`."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    for path in more:
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
