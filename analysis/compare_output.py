"""Comparisons of rule sets as JSON, tables and pictures."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.compare import Cell, Comparison, Difference, Game, Measure
from analysis.estimate import LEVEL, Estimate
from analysis.output import describe, print_table
from analysis.records import check_writable
from core.errors import InputError
from core.ruleset import RuleSet


def fields_of(game: Game, found: Comparison, values: Sequence[Mapping[str, Any]], stopping: bool) -> dict[str, Any]:
    """Return a comparison as JSON holds it: one measure's fields at the top, several ones' as a list."""
    measures = list(dict.fromkeys(each.measure for each in found.cells[0].fixed))
    by_measure = []
    for name in measures:
        cells = []
        for cell, value in zip(found.cells, values, strict=True):
            fields = _of_measure(game.measures[name], cell.fixed)
            if cell.adapted is not None:
                adapted = _of_measure(game.measures[name], cell.adapted)
                fields["adapted"] = {key: adapted[key] for key in adapted if key != "a"}
                fields["best_reply_gains"] = {"a": found.gain, "b": cell.gain}
            cells.append({"values": value, **fields} if value else fields)
        by_measure.append({"measure": name, **(cells[0] if not values[0] else {"cells": cells})})
    return {
        **(by_measure[0] if len(by_measure) == 1 else {"comparisons": by_measure}),
        "intervals": _method(found, stopping),
        "rules_a": found.a.as_dict(),
        **({"rules_b": found.cells[0].rules.as_dict()} if not values[0] else {}),
    }


def _of_measure(measure: Measure, rows: Sequence[Difference]) -> dict[str, Any]:
    """Return the fields of one measure: single values, or lists by seat or number where there are several."""
    own = [row for row in rows if row.measure == measure.name]
    names = ["a", "b", "difference", "excludes_zero"]
    if isinstance(own[0].difference, Estimate):
        names += ["deals_differing", "deals_to_tell_apart"]
    lists = {name: [getattr(row, name) for row in own] for name in names}
    if len(own) == 1:
        part: dict[str, Any] = {} if own[0].part is None else {measure.parts: own[0].part}
        return {**part, **{name: values[0] for name, values in lists.items()}}
    return {f"{measure.parts}s": [row.part for row in own], **lists}


def _method(found: Comparison, stopping: bool) -> dict[str, Any]:
    """Return how the intervals of differences are made."""
    return {
        "level": LEVEL,
        "comparisons": found.comparisons,
        "correction": "bonferroni" if found.comparisons > 1 else "none",
        "kind": "confidence sequence" if stopping else "fixed number of deals",
    }


def print_comparison(game: Game, found: Comparison, values: Sequence[Mapping[str, Any]], stopping: bool) -> None:
    """Print a table: of a sweep one for each measure."""
    title = f"{game.rules.game}, {found.setting.players} players: a = {_named(found.a)}; b = "
    columns = ("a", "b", "b - a", "±", "differ", "to tell apart")
    if not values[0]:
        (cell,) = found.cells
        rows = [row for number, each in enumerate(cell.fixed) for row in _rows(cell, number, _label(game, each))]
        print_table(title + _named(cell.rules), ("", *columns), rows)
    else:
        for name in dict.fromkeys(each.measure for each in found.cells[0].fixed):
            rows = []
            for cell, value in zip(found.cells, values, strict=True):
                setting = ", ".join(f"{field}={text(word)}" for field, word in value.items())
                for number, each in enumerate(cell.fixed):
                    if each.measure == name:
                        rows += _rows(cell, number, setting if each.part is None else f"{setting}, {each.part}")
            parts = game.measures[name].parts
            print_table(f"{title}as follows: {name}{f', {parts} by {parts}' if parts else ''}", ("", *columns), rows)
    if found.comparisons:
        _print_method(found, stopping)


def _rows(cell: Cell, number: int, name: str) -> list[tuple[str, ...]]:
    """Return the row of a difference, and that of players who adapt, if there is one."""
    rows = [(name, *_shown(cell.fixed[number]))]
    if cell.adapted is not None and isinstance(cell.fixed[number].difference, Estimate):
        rows.append(("… players adapt", *_shown(cell.adapted[number])))
    return rows


def _shown(each: Difference) -> tuple[str, ...]:
    """Return the values of a row: a, b, the difference, its half-width, and how the deals tell a and b apart."""
    one, two, change = (describe(quantity)[0] for quantity in (each.a, each.b, each.difference))
    if not isinstance(each.difference, Estimate) or each.deals_differing is None:
        return one, two, change, "exact", "", ""
    apart = "-" if each.deals_to_tell_apart is None else f"{each.deals_to_tell_apart:,}"
    differ = f"{100 * each.deals_differing.value:.3g} %"
    return one, two, change, f"{each.difference.half_width:.2g}", differ, apart


def _print_method(found: Comparison, stopping: bool) -> None:
    """Say how the estimated differences were found."""
    deals = {each.difference.n for each in found.cells[0].fixed if isinstance(each.difference, Estimate)}
    print(
        f"From the same {' and '.join(f'{n:,}' for n in sorted(deals))} deals under a and b, played by"
        f" {', '.join(dict.fromkeys(found.setting.policies))}. ±: half the interval of {LEVEL:.0%}. Differ: deals on"
        " which a and b give different results. To tell apart: deals that a difference of this size takes."
    )
    if found.comparisons > 1:
        print(
            f"{found.comparisons} differences at once: their intervals are corrected (Bonferroni), so that all hold"
            f" together with {LEVEL:.0%}."
        )
    if stopping:
        print("The intervals are a confidence sequence: they stay valid although the run stops by their width.")
    if found.gain is not None:
        gains = ", ".join(f"{cell.gain.value:.3g}" for cell in found.cells if cell.gain is not None)
        print(
            "The players are tuned to a, and where they adapt to b. The best reply found still gains"
            f" {found.gain.value:.3g} a hand against the former, {gains} against the latter."
        )


def _label(game: Game, each: Difference) -> str:
    return each.measure if each.part is None else f"{each.measure}, {game.measures[each.measure].parts} {each.part}"


def _named(rules: RuleSet) -> str:
    return ", ".join(f"{name}={text(value)}" for name, value in rules.changes().items()) or "the default rules"


def text(value: object) -> str:
    """Return a rule's value as it is written on the command line."""
    return "none" if value is None else str(value)


def check_picture(game: Game, path: Path, sweeps: Sequence[str], measures: Sequence[str], parts: str | None) -> None:
    """Raise InputError for a picture that cannot be drawn, before long work for it."""
    if path.suffix not in (".svg", ".png"):
        raise InputError(f"picture {str(path)!r}: a file .svg or .png is drawn")
    if not 1 <= len(sweeps) <= 2:
        raise InputError("a picture is drawn of a sweep of one field or two")
    by_part = any(game.measure(name).parts for name in measures)
    if len(sweeps) == 2 and (len(measures) > 1 or (by_part and (parts is None or "," in parts))):
        raise InputError("a picture of two fields shows one value: name one measure, and one of its seats with --seat")
    check_writable(path)


def draw(game: Game, found: Comparison, values: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw a sweep to a file: of one field each difference with its interval, of two a table in colours."""
    # Imported here because it imports matplotlib.
    from analysis import plots

    fields = list(values[0])
    labels = [_label(game, each) for each in found.cells[0].fixed]
    against = f"change against {_named(found.a)}"
    if len(fields) == 1:
        curves = {label: [cell.fixed[number].difference for cell in found.cells] for number, label in enumerate(labels)}
        for number, label in enumerate(labels):
            adapted = [cell.adapted[number].difference for cell in found.cells if cell.adapted is not None]
            if adapted:
                curves[f"{label}, players adapt"] = adapted
        names = [text(value[fields[0]]) for value in values]
        figure = plots.differences(names, curves, x_label=fields[0], y_label=against)
    else:
        one, two = (list(dict.fromkeys(text(value[field]) for value in values)) for field in fields)
        changes = [cell.fixed[0].difference for cell in found.cells]
        numbers = [change.value if isinstance(change, Estimate) else change for change in changes]
        grid = [numbers[row * len(two) : (row + 1) * len(two)] for row in range(len(one))]
        label = f"{labels[0]}: {against}"
        figure = plots.heat_map(one, two, grid, x_label=fields[1], y_label=fields[0], label=label, digits=4)
    plots.save(figure, path)
