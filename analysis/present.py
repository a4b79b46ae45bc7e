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
from core.ruleset import RuleSet

# The notebook's JSON carries our blocks under this type.
BLOCK = "application/vnd.tonlab.block+json"


def text(markdown: str) -> None:
    """Show prose, in Markdown."""
    _show({"kind": "text", "markdown": markdown}, {"text/markdown": markdown})


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Show a table; the first column is aligned left, the others right."""
    lines = [columns, [":--", *["--:"] * (len(columns) - 1)], *rows]
    text("\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines))


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


def percent(value: Fraction | Estimate | float, digits: int = 2) -> str:
    """Return a chance in percent, as in 3.08 %.

    >>> percent(Fraction(1, 3))
    '33.33 %'
    """
    return f"{100 * float(value.value if isinstance(value, Estimate) else value):.{digits}f} %"


def one_in(value: Fraction | float) -> str:
    """Return a chance as one in so many.

    >>> one_in(Fraction(3, 1000))
    '1 in 333'
    """
    times = 1 / float(value)
    return f"1 in {times:,.0f}" if times >= 10 else f"1 in {times:.1f}"


def interval(estimate: Estimate, scale: float = 1, digits: int = 3) -> str:
    """Return an estimate with its interval, as in 3.081 (3.078 to 3.085)."""
    value, low, high = (scale * x for x in (estimate.value, estimate.low, estimate.high))
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def _show(block: Mapping[str, Any], data: Mapping[str, str]) -> None:
    display({BLOCK: block, **data}, raw=True)
