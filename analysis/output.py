"""Printing results: one JSON object as other programs rely on it, or a table for people."""

import dataclasses
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from analysis.estimate import Estimate
from core import __version__
from core.ruleset import RuleSet


def as_json(value: Any) -> Any:
    """Turn a result's values into what JSON holds.

    A Fraction becomes `{"value", "exact"}`, an Estimate its fields but the seed, which stands once in the object.
    """
    if isinstance(value, Fraction):
        return {"value": float(value), "exact": str(value)}
    if isinstance(value, Estimate):
        fields = dataclasses.asdict(value)
        del fields["seed"]
        return fields
    if isinstance(value, Mapping):
        return {key: as_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(item) for item in value]
    if dataclasses.is_dataclass(value):
        return as_json(result_fields(value))
    return value


def result_fields(result: Any) -> dict[str, Any]:
    """Return a result's fields by name, leaving out its rule set and notes that say nothing."""
    fields = {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    return {name: value for name, value in fields.items() if name != "rules" and value is not None}


def print_json(fields: Mapping[str, Any], rules: RuleSet | None, **run: Any) -> None:
    """Print one JSON object: the fields, then what reproduces them.

    That is `run` (a seed, say), the rule set, unless there are several and the fields name them, and the version.
    """
    whole = {**as_json(fields), **run, **({"rules": rules.as_dict()} if rules else {}), "version": __version__}
    print(json.dumps(whole, ensure_ascii=False))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> None:
    """Print a table for people; the first columns, so many, are aligned left."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index < left else "right")
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def describe(value: Fraction | Estimate) -> tuple[str, str]:
    """Return a quantity as a table shows it: the value, and how it is known.

    >>> describe(Fraction(1, 3))
    ('0.333333', '= 1/3')
    """
    if isinstance(value, Fraction):
        text = str(value)
        return f"{float(value):.6g}", f"= {text}" if len(text) <= 40 else "exact"
    return f"{value.value:.6g}", f"{value.low:.6g} to {value.high:.6g} ({value.level:.0%}, {value.n:,} deals)"


def with_interval(estimate: Estimate, digits: int) -> str:
    """Return an estimate in a short form, with so many decimals.

    >>> with_interval(Estimate(0.25, 0.05, 0.15, 0.35, 75, 0.95, 1), 2)
    '0.25 (0.15 to 0.35)'
    """
    return f"{estimate.value:.{digits}f} ({estimate.low:.{digits}f} to {estimate.high:.{digits}f})"


def note(text: str | None) -> None:
    """Tell on standard error why something is not exact."""
    if text:
        print(f"note: {text}", file=sys.stderr)
