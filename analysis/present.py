"""What a report's notebook shows: prose with computed numbers, tables, figures with captions, and the facts behind it.

Each call displays one block in the notebook and marks it for `analysis.report`, which sets the same blocks as HTML,
PDF and Markdown.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from IPython.display import display

from analysis.estimate import Estimate
from analysis.plots import Picture, to_svg
from core.errors import InputError
from core.ruleset import RuleSet
from core.ton.rules import TonRules
from core.tonk.rules import TonkRules

# The notebook's JSON carries our blocks under this type.
BLOCK = "application/vnd.tonlab.block+json"


class Cell(str):
    """What a table shows for a quantity, in the table's unit; remembers the quantity itself, for the report's data."""

    __slots__ = ("quantity",)

    quantity: Fraction | Estimate | float

    def __new__(cls, shown: str, quantity: Fraction | Estimate | float) -> "Cell":
        """Show a quantity so."""
        cell = super().__new__(cls, shown)
        cell.quantity = quantity
        return cell


def text(markdown: str) -> None:
    """Show prose, in Markdown."""
    _show({"kind": "text", "markdown": markdown}, {"text/markdown": markdown})


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Show a table; the first column is aligned left, the others right.

    Cells made by `percent`, `interval`, `one_in` and `number` also go to the report's data, as the numbers they are.
    """
    rows = [list(row) for row in rows]
    lines = [columns, [":--", *["--:"] * (len(columns) - 1)], *rows]
    markdown = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
    cells = [[_known(cell) for cell in row] for row in rows]
    block = {"kind": "table", "markdown": markdown, "columns": list(columns), "rows": cells}
    _show(block, {"text/markdown": markdown})


def _known(cell: str) -> dict[str, Any]:
    """Return a cell's text, and what is known of the number behind it: no scale, no rounding."""
    quantity = cell.quantity if isinstance(cell, Cell) else None
    match quantity:
        case None:
            return {"text": str(cell)}
        case Estimate():
            return {
                "text": str(cell),
                "value": quantity.value,
                "low": quantity.low,
                "high": quantity.high,
                "n": quantity.n,
            }
        case Fraction():
            return {"text": str(cell), "value": float(quantity), "exact": str(quantity)}
    return {"text": str(cell), "value": float(quantity)}


def figure(picture: Picture, caption: str) -> None:
    """Show a figure; the caption says what it shows and serves as its alternative text."""
    svg = to_svg(picture)
    _show({"kind": "figure", "caption": caption}, {"image/svg+xml": svg, "text/plain": caption})


def headline(sentence: str) -> None:
    """Show the report's main result; `tonlab report` prints it too."""
    _show({"kind": "headline", "markdown": sentence}, {"text/markdown": f"**{sentence}**"})


def record(rules: RuleSet, seeds: Mapping[str, int], deals: Mapping[str, int]) -> None:
    """Record what the report's numbers rest on: rule set, seeds and numbers of deals."""
    changed = {name: value for name, value in rules.as_dict().items() if value != getattr(type(rules)(), name)}
    named = ", ".join(f"{name} = {value}" for name, value in changed.items()) or "the defaults"
    facts: dict[str, Any] = {"rules": rules.as_dict(), "seeds": dict(seeds), "deals": dict(deals)}
    _show({"kind": "facts", **facts}, {"text/markdown": f"Rules of {rules.game}: {named}."})


def served(rules: TonkRules | TonRules, players: Iterable[int]) -> list[int]:
    """Return those numbers of players that the rules and the deck allow."""

    def allows(number: int) -> bool:
        try:
            rules.check_players(number)
        except InputError:
            return False
        return True

    return [number for number in players if allows(number)]


def words(number: int) -> str:
    """Return a small number as prose has it.

    >>> words(10), words(13)
    ('ten', '13')
    """
    names = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    return names[number] if number < len(names) else str(number)


def percent(value: Fraction | Estimate | float, digits: int = 2) -> Cell:
    """Return a chance in percent, as in 3.08 %.

    >>> percent(Fraction(1, 3))
    '33.33 %'
    """
    return Cell(f"{100 * float(value.value if isinstance(value, Estimate) else value):.{digits}f} %", value)


def number(value: Fraction | float, digits: int = 3, scale: float = 1) -> Cell:
    """Return a number with its sign, as in +0.667.

    >>> number(Fraction(2, 3))
    '+0.667'
    """
    return Cell(f"{scale * float(value):+.{digits}f}", value)


def one_in(value: Fraction | float) -> Cell:
    """Return a chance as one in so many.

    >>> one_in(Fraction(3, 1000))
    '1 in 333'
    """
    times = 1 / float(value)
    return Cell(f"1 in {times:,.0f}" if times >= 10 else f"1 in {times:.1f}", value)


def interval(estimate: Estimate, scale: float = 1, digits: int = 3) -> Cell:
    """Return an estimate with its interval, as in 3.081 (3.078 to 3.085)."""
    value, low, high = (scale * x for x in (estimate.value, estimate.low, estimate.high))
    return Cell(f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})", estimate)


def _show(block: Mapping[str, Any], data: Mapping[str, str]) -> None:
    display({BLOCK: block, **data}, raw=True)
