"""How much each value of each option changes: what `tonlab compare GAME --option all --json` found, ranked."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_UP, Context
from fractions import Fraction
from pathlib import Path
from typing import Any

from analysis.compare import Game, Quantity
from analysis.estimate import Estimate
from analysis.rule_changes import ALL, each_value
from core.errors import InputError


@dataclass(frozen=True)
class Change:
    """What one value of an option changes of one measure, against the default rules, by seat or as a single number.

    adapted
        the same where the players adapt to the rule, if that was asked for
    """

    option: str
    differences: tuple[Quantity, ...]
    adapted: tuple[Quantity, ...] | None = None

    @property
    def effect(self) -> float:
        """The greatest of the changes, without its sign."""
        return max(abs(_value(each)) for each in self.differences)

    @property
    def established(self) -> bool:
        """Whether some change is: exact and not zero, or with an interval that excludes zero."""
        return any(map(_established, self.differences))


def read(path: Path, game: Game, names: Sequence[str] = (ALL,)) -> dict[str, list[Change]]:
    """Return the changes by measure, the greatest first; exact values are Fractions, sampled ones Estimates.

    Raises InputError when a value of an option of `names` is missing from the file.
    """
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    found = {}
    for measure in data.get("comparisons", [data]):
        rows = {written(cell["values"]): cell for cell in measure["cells"]}
        for values, _ in each_value(game, game.rules(), names):
            if written(values) not in rows:
                raise InputError(f"{path.name} lacks {written(values)}: make it anew")
        changes = [
            Change(
                option,
                _quantities(cell["difference"], data["seed"]),
                _quantities(cell["adapted"]["difference"], data["seed"]) if "adapted" in cell else None,
            )
            for option, cell in rows.items()
        ]
        found[measure["measure"]] = sorted(changes, key=lambda change: change.effect, reverse=True)
    return found


def written(values: dict[str, Any]) -> str:
    """Return fields and values as a command line has them."""
    return ", ".join(f"{name}={'none' if value is None else value}" for name, value in values.items())


def shown(value: Quantity, digits: int, scale: float = 1) -> str:
    """Return a change as a table shows it: with half its interval, `exact`, or a bound where none is established.

    >>> shown(Fraction(1, 4), 2), shown(Estimate(0.25, 0.05, 0.15, 0.35, 75, 0.95, 1), 2)
    ('+0.25 exact', '+0.25 ± 0.10')
    >>> shown(Estimate(0.05, 0.05, -0.05, 0.15, 75, 0.95, 1), 2)
    '0 (≤ 0.15)'
    """
    if isinstance(value, Fraction):
        return f"{scale * float(value):+.{digits}f} exact" if value else "0 exact"
    if _established(value):
        return f"{scale * value.value:+.{digits}f} ± {scale * value.half_width:.{digits}f}"
    # Rounded up, so that it stays a bound.
    bound = Context(prec=2, rounding=ROUND_UP).create_decimal_from_float(scale * max(-value.low, value.high))
    return f"0 (≤ {bound:f})"


def _established(value: Quantity) -> bool:
    return value != 0 if isinstance(value, Fraction) else not value.low <= 0 <= value.high


def _value(value: Quantity) -> float:
    return value.value if isinstance(value, Estimate) else float(value)


def _quantities(found: Any, seed: int) -> tuple[Quantity, ...]:
    many = found if isinstance(found, list) else [found]
    return tuple(Fraction(each["exact"]) if "exact" in each else Estimate(**each, seed=seed) for each in many)
