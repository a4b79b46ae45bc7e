"""How results look in a notebook: their quantities with fraction or interval, as tables."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from fractions import Fraction
from html import escape
from typing import Any

from analysis.estimate import Estimate
from analysis.quantities import Number, quantities
from core.ruleset import RuleSet

_SMALL = "font-size:.85em;opacity:.75"
# Fractions longer than this are shown when the pointer rests on them.
_LONGEST = 26


class Rich:
    """Base of results that a notebook shows as tables."""

    def _repr_html_(self) -> str:
        return to_html(self)


def to_html(result: Any) -> str:
    """Return a result as HTML: what was asked, single quantities a row each, then fields of several, a row each."""
    found = list(quantities(result))
    singles = [item for item in found if item.of is None]
    parts = [f"<b>{escape(type(result).__name__)}</b> {escape(_asked(result))}"]
    if singles:
        parts.append(_table((), [(_words(item.name), [_cell(item.number)]) for item in singles]))
    several = [item for item in found if item.of is not None]
    if _has_options(result):
        # Options and actions: each a row, what is known of it in columns.
        names = list(dict.fromkeys(item.name for item in several))
        cells = {(item.of, item.name): _cell(item.number) for item in several}
        of_all = dict.fromkeys(item.of for item in several)
        parts.append(_table(map(_words, names), [(str(of), [cells.get((of, n), "") for n in names]) for of in of_all]))
    else:
        for keys, names in _alike(several).items():
            cells = {(item.of, item.name): _cell(item.number) for item in several}
            parts.append(_table(map(str, keys), [(_words(name), [cells[key, name] for key in keys]) for name in names]))
    parts += [f'<div style="{_SMALL}">{escape(line)}</div>' for line in _told(result)]
    return "\n".join(parts)


def _has_options(result: Any) -> bool:
    return any(hasattr(result, name) for name in ("options", "actions"))


def _alike(several: Iterable[Any]) -> dict[tuple[Any, ...], list[str]]:
    """Return the fields by the keys that they have: those of equal length share a table."""
    keys: dict[str, tuple[Any, ...]] = {}
    for item in several:
        keys[item.name] = (*keys.get(item.name, ()), item.of)
    fields_of: dict[tuple[Any, ...], list[str]] = {}
    for name, of in keys.items():
        fields_of.setdefault(of, []).append(name)
    return fields_of


def _asked(result: Any) -> str:
    """Return the plain fields of a result, as in: players 3, total 32."""
    shown = []
    for field in fields(result):
        value = getattr(result, field.name)
        if isinstance(value, (int, str)) and field.name not in ("note", "assumes"):
            shown.append(f"{_words(field.name)} {value}")
        elif field.name == "policies":
            shown.append(f"policies {', '.join(map(str, value))}")
    return ", ".join(shown)


def _told(result: Any) -> list[str]:
    """Return what stands below: the rules, and notes."""
    lines = [str(text) for name in ("assumes", "note") if (text := getattr(result, name, None))]
    rules = getattr(result, "rules", None)
    if isinstance(rules, RuleSet):
        changes = ", ".join(f"{name} = {value}" for name, value in rules.changes().items())
        lines.append(f"Rules of {rules.game}: {changes or 'the defaults'}.")
    return lines


def _words(name: str) -> str:
    return name.replace("_", " ")


def _cell(number: Number) -> str:
    """Return a quantity's value, and below it the fraction or the interval."""
    if isinstance(number, Estimate):
        known = f"{number.low:.6g} to {number.high:.6g}"
        about = f"{number.level:.0%} interval, {number.n:,} deals"
        return f'{number.value:.6g}<br><span style="{_SMALL}" title="{about}">{known}</span>'
    return f"{float(number):.6g}<br>{_fraction(number)}"


def _fraction(number: Fraction) -> str:
    if number.denominator == 1:
        return ""
    text = str(number)
    shown = f"= {text}" if len(text) <= _LONGEST else "exact"
    return f'<span style="{_SMALL}" title="{text}">{shown}</span>'


def _table(head: Iterable[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    titles = [f'<th scope="col" style="text-align:right">{escape(title)}</th>' for title in head]
    top = f"<thead><tr><th></th>{''.join(titles)}</tr></thead>" if titles else ""
    lines = []
    for name, cells in rows:
        shown = "".join(f'<td style="text-align:right">{cell}</td>' for cell in cells)
        lines.append(f'<tr><th scope="row" style="text-align:left">{escape(name)}</th>{shown}</tr>')
    return f"<table>{top}<tbody>{''.join(lines)}</tbody></table>"
