"""A report's tables as data: one CSV or Parquet file a table.

Each column of the table gives its cells' text. Where a cell shows a quantity, columns beside it hold the quantity
itself, in its own unit and not rounded (a chance lies in 0..1 whatever its text says): `value`; for what is estimated
`low`, `high` (the interval) and `n` (independent deals); for what is exact `exact`, the fraction.
"""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from analysis.notebooks import Block

Kind = Literal["csv", "parquet"]
Columns = dict[str, list[Any]]

_KNOWN = ("value", "low", "high", "n", "exact")


def tables(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    """Return the tables of a report in order, each with the section that it stands in."""
    section, found = "", []
    for block in blocks:
        if block["kind"] == "text" and block["markdown"].startswith("#"):
            section = block["markdown"].splitlines()[0].lstrip("# ")
        elif block["kind"] == "table":
            found.append({"section": section, "columns": block["columns"], "rows": block["rows"]})
    return found


def columns(table: Mapping[str, Any]) -> Columns:
    """Return a table's columns of text, each followed by those of what is known of its quantities."""
    found: Columns = {}
    for index, heading in enumerate(table["columns"]):
        name = heading if heading and heading not in found else f"{heading or 'column'} ({index + 1})"
        cells = [row[index] for row in table["rows"]]
        found[name] = [cell["text"] for cell in cells]
        for what in _KNOWN:
            if any(what in cell for cell in cells):
                found[f"{name}: {what}"] = [cell.get(what) for cell in cells]
    return found


def export(manifest: Mapping[str, Any], folder: Path, kinds: Iterable[Kind]) -> list[Path]:
    """Write the tables of a built report into a folder; return the files."""
    files = []
    for number, table in enumerate(manifest["tables"], 1):
        for kind in kinds:
            file = folder / f"table-{number}.{kind}"
            folder.mkdir(exist_ok=True)
            if kind == "csv":
                _write_csv(file, columns(table))
            else:
                about = {name: manifest[name] for name in ("report", "tonlab", "facts")}
                _write_parquet(file, columns(table), {**about, "section": table["section"]})
            files.append(file)
    return files


def _write_csv(file: Path, found: Columns) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(found)
        writer.writerows(zip(*found.values(), strict=True))


def _write_parquet(file: Path, found: Columns, about: Mapping[str, Any]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    types = {"value": pa.float64(), "low": pa.float64(), "high": pa.float64(), "n": pa.int64()}
    arrays = {name: pa.array(cells, types.get(name.rpartition(": ")[2], pa.string())) for name, cells in found.items()}
    metadata = {"tonlab": json.dumps(about, ensure_ascii=False)}
    parquet.write_table(pa.table(arrays).replace_schema_metadata(metadata), file)
