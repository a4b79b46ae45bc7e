"""The command `tonlab compare`: what a change of rules changes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from analysis.compare import (
    RETUNE_DEALS,
    Comparison,
    Difference,
    Game,
    Measure,
    Setting,
    compare,
    rule_set,
    swept,
)
from analysis.effort import default_store
from analysis.estimate import LEVEL, Estimate
from analysis.options import Deals, Json, Scheduler, Seed, Store, Threads, Workers, whole_numbers
from analysis.output import describe, print_json, print_table
from analysis.records import check_writable
from analysis.ton.measures import TON
from analysis.tonk.measures import TONK
from core.errors import InputError
from core.ruleset import RuleSet, nearest

GAMES: Mapping[str, Game] = {"tonk": TONK, "ton": TON}

Texts = list[str] | None


def compare_command(
    game: Annotated[str, typer.Argument(help="tonk or ton.", show_default=False)],
    a: Annotated[Texts, typer.Option("--a", help="Rules before: field=value, a preset or a TOML file.")] = None,
    b: Annotated[Texts, typer.Option("--b", help="Rules after; likewise, and repeatable as --a is.")] = None,
    measure: Annotated[Texts, typer.Option(help="What to compare; repeatable (--measures lists them).")] = None,
    measures: Annotated[bool, typer.Option("--measures", help="List the measures and stop.")] = False,
    sweep: Annotated[
        Texts, typer.Option(help="Set --b's field to each of these: field=a,b,c; twice makes a grid.")
    ] = None,
    players: Annotated[int, typer.Option(help="Number of players.")] = 3,
    policies: Annotated[
        str | None, typer.Option(help="One for all seats, or one a seat (default: threshold at Tonk, tuned at Ton).")
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", "--part", help="Seats (or numbers) of measures with several, as in 0,2.")
    ] = None,
    hand: Annotated[str | None, typer.Option(help="The cards of drop_win and drop_payment.")] = None,
    retune: Annotated[bool, typer.Option("--retune", help="Also tune the players to each rule set.")] = False,
    retune_deals: Annotated[int, typer.Option(help="Hands of each step of --retune.")] = RETUNE_DEALS,
    picture: Annotated[Path | None, typer.Option(help="Draw the sweep, to a file .svg or .png.")] = None,
    json: Json = False,
    deals: Deals = None,
    precision: Annotated[
        float | None,
        typer.Option(help="Half-width wanted of each difference; its interval is valid for such stopping."),
    ] = None,
    seed: Seed = 1,
    threads: Threads = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    store: Store = None,
) -> None:
    """Print a measure under two rule sets and the difference b - a: exact, or from the same deals under both.

    Of several differences at once the intervals are corrected, so that all hold together (Bonferroni).
    """
    if game not in GAMES:
        raise InputError(f"unknown game {game!r}: {nearest(game, GAMES)}")
    chosen = GAMES[game]
    if measures:
        _list_measures(game, chosen, json)
        return
    if not measure:
        raise InputError("name what to compare with --measure; --measures lists what there is")
    if picture is not None:
        _check_picture(picture, sweep or ())
    before, after = rule_set(chosen, a or ()), rule_set(chosen, b or ())
    cells = list(swept(after, sweep)) if sweep else [({}, after)]
    names = tuple(name.strip() for name in policies.split(",")) if policies else (chosen.policy,)
    found = compare(
        chosen,
        before,
        [rules for _, rules in cells],
        measure,
        Setting(players, names, hand),
        parts=None if seat is None else whole_numbers(seat, "seat"),
        retune=retune_deals if retune else None,
        deals=deals,
        precision=precision,
        seed=seed,
        threads=threads,
        workers=workers,
        scheduler=scheduler,
        store=store or default_store(),
    )
    values = [value for value, _ in cells]
    if picture is not None:
        _draw(chosen, found, values, picture)
    if json:
        fields = _fields(chosen, found, values, precision is not None)
        print_json({"game": game, "players": players, "policies": names, **fields}, None, seed=seed)
    else:
        _print(chosen, found, values, precision is not None)


def _list_measures(name: str, game: Game, json: bool) -> None:
    if json:
        rows = [
            {"name": each.name, "text": each.text, "counted_over": each.played, "by": each.parts or None}
            for each in game.measures.values()
        ]
        print_json({"game": name, "measures": rows}, None)
        return
    over = {"deal": "the deal, exact", "hand": "hands", "match": "matches"}
    for each in game.measures.values():
        by = f", by {each.parts}" if each.parts else ""
        print(f"{each.name:<18} {each.text}{by} ({over[each.played]})")


def _fields(game: Game, found: Comparison, values: Sequence[Mapping[str, Any]], stopping: bool) -> dict[str, Any]:
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
    """Return the fields of one measure: single values, or lists by seat or number."""
    own = [row for row in rows if row.measure == measure.name]
    names = ["a", "b", "difference", "excludes_zero"]
    if isinstance(own[0].difference, Estimate):
        names += ["deals_differing", "deals_to_tell_apart"]
    lists = {name: [getattr(row, name) for row in own] for name in names}
    if own[0].part is None:
        return {name: values[0] for name, values in lists.items()}
    return {f"{measure.parts}s": [row.part for row in own], **lists}


def _method(found: Comparison, stopping: bool) -> dict[str, Any]:
    """Return how the intervals of differences are made."""
    return {
        "level": LEVEL,
        "comparisons": found.comparisons,
        "correction": "bonferroni" if found.comparisons > 1 else "none",
        "kind": "confidence sequence" if stopping else "fixed number of deals",
    }


def _print(game: Game, found: Comparison, values: Sequence[Mapping[str, Any]], stopping: bool) -> None:
    several = len(found.cells[0].fixed) > 1
    rows = []
    for cell, value in zip(found.cells, values, strict=True):
        swept_to = ", ".join(map(text, value.values()))
        for number, each in enumerate(cell.fixed):
            label = _label(game, each)
            name = f"{swept_to}: {label}" if swept_to and several else swept_to or label
            rows.append((name, *_shown(each)))
            if cell.adapted is not None and isinstance(each.difference, Estimate):
                rows.append(("… players adapt", *_shown(cell.adapted[number])))
    title = f"{game.rules.game}, {found.setting.players} players: a = {_named(found.a)}; b = "
    title += f"by {', '.join(values[0])}" if values[0] else _named(found.cells[0].rules)
    first = "" if several or not values[0] else _label(game, found.cells[0].fixed[0])
    print_table(title, (first, "a", "b", "b - a", "±", "differ", "to tell apart"), rows)
    if found.comparisons:
        _print_method(found, stopping)


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


def _check_picture(path: Path, sweeps: Sequence[str]) -> None:
    if path.suffix not in (".svg", ".png"):
        raise InputError(f"picture {str(path)!r}: a file .svg or .png is drawn")
    if not 1 <= len(sweeps) <= 2:
        raise InputError("a picture is drawn of a sweep of one field or two")
    check_writable(path)


def _draw(game: Game, found: Comparison, values: Sequence[Mapping[str, Any]], path: Path) -> None:
    from analysis import plots

    first = found.cells[0].fixed
    labels = [_label(game, each) for each in first]
    fields = list(values[0])
    if len(fields) == 1:
        names = [text(value[fields[0]]) for value in values]
        curves = {label: [cell.fixed[number].difference for cell in found.cells] for number, label in enumerate(labels)}
        if found.cells[0].adapted is not None:
            curves |= {
                f"{label}, players adapt": [(cell.adapted or cell.fixed)[number].difference for cell in found.cells]
                for number, label in enumerate(labels)
            }
        figure = plots.differences(names, curves, x_label=fields[0], y_label=f"change against {_named(found.a)}")
    else:
        if len(labels) > 1:
            raise InputError("a picture of two fields shows one value: choose a measure, and a seat with --seat")
        one, two = (list(dict.fromkeys(text(value[field]) for value in values)) for field in fields)
        changes = [cell.fixed[0].difference for cell in found.cells]
        grid = [
            [
                change.value if isinstance(change, Estimate) else change
                for change in changes[row * len(two) :][: len(two)]
            ]
            for row in range(len(one))
        ]
        figure = plots.heat_map(
            one, two, grid, x_label=fields[1], y_label=fields[0], label=f"change of {labels[0]}", digits=4
        )
    plots.save(figure, path)
