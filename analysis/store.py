"""Checkpoints: what runs have counted, in one SQLite file, one transaction a chunk.

A run is known by its measure's description, the seed among it, and by a hash of the code that counts. Rows hold sums
over spans of deals: one from deal 0 on, which grows, parts further on, and totals that a finished run ended with.
Those stay, so that a longer run can go on from them and the same one need not be repeated.

SQLite keeps the file whole whatever kills the process; a lock per run keeps two processes from counting the same.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout

from analysis.tally import Part, Tally
from core.errors import InputError

FILE = "runs.sqlite"
# The layout of the file; a store of another one is refused.
LAYOUT = 1

_TABLES = """
CREATE TABLE run (
    key TEXT PRIMARY KEY, description TEXT NOT NULL, code TEXT NOT NULL, begun TEXT NOT NULL
);
CREATE TABLE part (
    key TEXT NOT NULL REFERENCES run ON DELETE CASCADE,
    start INTEGER NOT NULL, stop INTEGER NOT NULL, finished INTEGER NOT NULL,
    sums BLOB NOT NULL, checksum INTEGER NOT NULL, saved TEXT NOT NULL,
    PRIMARY KEY (key, start, stop)
);
"""


class StoreError(InputError):
    """A store that cannot be read or written: one line that names it and says why."""


@dataclass(frozen=True)
class StoredRun:
    """A run in a store: its key, what it counts, its code's hash, its deals from 0 on, and when it was last saved."""

    key: str
    description: dict[str, Any]
    code: str
    deals: int
    saved: str
    bytes: int


class Store:
    """The checkpoints in a folder."""

    def __init__(self, folder: Path | str) -> None:
        """Name the folder; nothing is opened yet."""
        self.folder = Path(folder)
        self._file = self.folder / FILE

    @property
    def exists(self) -> bool:
        """Whether anything was ever kept here."""
        return self._file.exists()

    def runs(self) -> list[StoredRun]:
        """Return all runs, the last saved first."""
        if not self.exists:
            return []
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT key, description, code, max(CASE start WHEN 0 THEN stop ELSE 0 END), max(saved),"
                " sum(length(sums)) FROM run JOIN part USING (key) GROUP BY key ORDER BY max(saved) DESC, key"
            ).fetchall()
        return [StoredRun(key, json.loads(text), *rest) for key, text, *rest in rows]

    def find(self, beginning: str) -> StoredRun:
        """Return the run whose key begins so. Raises InputError when there is none, or more than one."""
        found = [run for run in self.runs() if run.key.startswith(beginning)]
        if len(found) != 1:
            raise InputError(f"{len(found) or 'no'} runs in {self.folder} have a key that begins with {beginning!r}")
        return found[0]

    def remove(self, runs: Sequence[StoredRun]) -> None:
        """Remove runs. Raises StoreError when one is being counted."""
        for run in runs:
            with self._lock(run.key), self._connection() as connection, connection:
                connection.execute("DELETE FROM run WHERE key = ?", (run.key,))
            (self.folder / f"{run.key}.lock").unlink(missing_ok=True)

    @contextmanager
    def open(self, description: dict[str, Any], code: str, shapes: Sequence[tuple[int, ...]]) -> Iterator["Checkpoint"]:
        """Open the checkpoints of one run, for this process alone.

        Raises StoreError where the folder cannot be written, the file is damaged or of another layout, or another
        process counts this run.
        """
        text = json.dumps(description, sort_keys=True, ensure_ascii=False)
        key = sha256(f"{text}\0{code}".encode()).hexdigest()[:16]
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"store {str(self.folder)!r} cannot be made: {error.strerror}") from None
        with self._lock(key), self._connection() as connection:
            yield Checkpoint(self, connection, key, text, code, shapes)

    @contextmanager
    def _lock(self, key: str) -> Iterator[None]:
        lock = FileLock(self.folder / f"{key}.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise StoreError(f"run {key} in {str(self.folder)!r} is being counted by another process") from None
        except OSError as error:
            raise StoreError(f"store {str(self.folder)!r} cannot be written: {error.strerror}") from None
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with self.errors():
            connection = sqlite3.connect(self._file, timeout=60)
        try:
            with self.errors():
                # Whole after a killed process in any case; and after a power cut, up to the last few chunks.
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute("PRAGMA foreign_keys = ON")
                self._check_layout(connection)
                yield connection
        finally:
            connection.close()

    def _check_layout(self, connection: sqlite3.Connection) -> None:
        (layout,) = connection.execute("PRAGMA user_version").fetchone()
        if layout == 0:
            with connection:
                # Another process may be at it too: the first one makes the tables.
                connection.execute("BEGIN IMMEDIATE")
                if connection.execute("PRAGMA user_version").fetchone() == (0,):
                    for statement in _TABLES.split(";"):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA user_version = {LAYOUT}")
        elif layout != LAYOUT:
            raise StoreError(f"store {str(self._file)!r} has layout {layout}, not {LAYOUT}: use another folder")

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn SQLite's errors into one line that names the store."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StoreError(f"store {str(self._file)!r}: {error}") from None


class Checkpoint:
    """The checkpoints of one run."""

    def __init__(
        self,
        store: Store,
        connection: sqlite3.Connection,
        key: str,
        description: str,
        code: str,
        shapes: Sequence[tuple[int, ...]],
    ) -> None:
        """Hold a run's place in an open store; `Store.open` makes it."""
        self.key = key
        self.store = store
        self._connection, self._description, self._code, self._shapes = connection, description, code, shapes

    def other_code(self) -> int:
        """Return how many deals of the same run were counted by other code; they are not used."""
        with self.store.errors():
            (deals,) = self._connection.execute(
                "SELECT coalesce(max(stop), 0) FROM run JOIN part USING (key)"
                " WHERE description = ? AND code != ? AND start = 0",
                (self._description, self._code),
            ).fetchone()
        return int(deals)

    def load(self, deals: int) -> Tally:
        """Return what is kept of a run of so many deals. Raises StoreError for damaged rows."""
        tally = Tally(self._shapes)
        with self.store.errors():
            rows = self._connection.execute(
                "SELECT start, stop, sums, checksum FROM part WHERE key = ? AND stop <= ? ORDER BY start, stop DESC",
                (self.key, deals),
            ).fetchall()
        end = 0
        for start, stop, sums, checksum in rows:
            # The longest span from deal 0 on comes first; what it holds already is passed over.
            if start >= end:
                tally.add(self._part(start, stop, sums, checksum))
                end = stop
        return tally

    def save(self, tally: Tally, parts: Sequence[Part], *, finished: bool = False) -> None:
        """Keep the tally after parts were added to it, in one transaction; `finished`: its total stays for good."""
        saved = datetime.now(UTC).isoformat(timespec="seconds")
        rows = [self._row(part, False, saved) for part in parts if part.start > tally.deals]
        if tally.deals:
            rows.append(self._row(Part(0, tally.deals, tally.sums), finished, saved))
        with self.store.errors(), self._connection:
            self._connection.execute(
                "INSERT OR IGNORE INTO run VALUES (?, ?, ?, ?)", (self.key, self._description, self._code, saved)
            )
            # What the total from deal 0 on now holds.
            self._connection.execute(
                "DELETE FROM part WHERE key = ? AND NOT finished AND stop <= ?", (self.key, tally.deals)
            )
            self._connection.executemany("INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def _row(self, part: Part, finished: bool, saved: str) -> tuple[Any, ...]:
        sums = b"".join(np.ascontiguousarray(array).tobytes() for array in part.sums)
        return (self.key, part.start, part.stop, finished, sums, self._checksum(part.start, part.stop, sums), saved)

    def _part(self, start: int, stop: int, sums: bytes, checksum: int) -> Part:
        sizes = [prod(shape) for shape in self._shapes]
        if len(sums) != 8 * sum(sizes) or self._checksum(start, stop, sums) != checksum:
            raise StoreError(f"run {self.key} in {str(self.store.folder)!r} is damaged: remove it with `tonlab runs`")
        numbers, ends = np.frombuffer(sums, np.int64), np.cumsum(sizes)
        arrays = [
            numbers[end - size : end].reshape(shape) for size, end, shape in zip(sizes, ends, self._shapes, strict=True)
        ]
        return Part(start, stop, arrays)

    @staticmethod
    def _checksum(start: int, stop: int, sums: bytes) -> int:
        return zlib.crc32(sums, zlib.crc32(f"{start} {stop}".encode()))
