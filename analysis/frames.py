"""Results as pandas data frames."""

from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from analysis.estimate import Estimate
from analysis.quantities import Number, quantities
from core.errors import InputError
from core.ruleset import RuleSet

COLUMNS = ("quantity", "of", "value", "low", "high", "se", "n", "level", "exact")


def to_frame(result: Any) -> pd.DataFrame:
    """Return a result of either game as a data frame, one row a quantity.

    `quantity` is the result's field, `of` the seat, number, key, option or action that it belongs to. `value` is in the
    field's unit. What is estimated has `low`, `high`, `se`, `n` (deals) and `level`; what is exact has `exact`, a
    Fraction. What else the result says, its rules among it, stands in `attrs`. Also takes a mapping of numbers.

    Raises InputError for what holds no quantity.
    """
    rows = [(item.name, item.of, *_known(item.number)) for item in quantities(result)]
    if not rows:
        raise InputError(f"{type(result).__name__} holds no exact or estimated quantity")
    frame = pd.DataFrame.from_records(rows, columns=list(COLUMNS)).astype({"n": "Int64"})
    if is_dataclass(result) and not isinstance(result, Estimate):
        kept = {field.name: getattr(result, field.name) for field in fields(result)}
        frame.attrs = {
            name: value.as_dict() if isinstance(value, RuleSet) else value
            for name, value in kept.items()
            if isinstance(value, (str, int, RuleSet)) or name == "policies"
        }
    return frame


def _known(number: Number) -> tuple[float | int | Fraction | None, ...]:
    if isinstance(number, Estimate):
        return number.value, number.low, number.high, number.se, number.n, number.level, None
    return float(number), None, None, None, None, None, number
