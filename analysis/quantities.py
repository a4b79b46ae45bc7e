"""The quantities of a result, one by one: what data frames and notebooks show of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import Any

from analysis.estimate import Estimate

Number = Fraction | Estimate


@dataclass(frozen=True)
class Quantity:
    """One quantity of a result.

    name
        the field that holds it
    of
        which of them, where the field holds several: the index (a seat, a number of holders …), the key, or the option
        or action; None for a single one
    number
        exact (a Fraction) or estimated
    """

    name: str
    of: Any
    number: Number


def quantities(result: Any) -> Iterator[Quantity]:
    """Yield what a result holds, field by field; a mapping of numbers, or a single number, is a result too."""
    if isinstance(result, Number):
        yield Quantity("value", None, result)
    elif isinstance(result, Mapping):
        yield from _several("value", result.items())
    elif is_dataclass(result):
        for field in fields(result):
            value = getattr(result, field.name)
            if isinstance(value, Number):
                yield Quantity(field.name, None, value)
            elif isinstance(value, Mapping):
                yield from _several(field.name, value.items())
            elif isinstance(value, tuple):
                yield from _several(field.name, enumerate(value))


def _several(name: str, items: Any) -> Iterator[Quantity]:
    for of, value in items:
        if isinstance(value, Number):
            yield Quantity(name, of, value)
        elif is_dataclass(value) or isinstance(value, Mapping):
            # An option or an action, named by its first field; or a row of a table.
            known = getattr(value, fields(value)[0].name) if is_dataclass(value) else of
            for inner in quantities(value):
                yield Quantity(inner.name, known if inner.of is None else (known, inner.of), inner.number)
