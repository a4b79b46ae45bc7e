"""The command `tonlab compare`: what a change of rules changes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from analysis.compare import (
    Comparison,
    Game,
    Setting,
    compare,
)
from analysis.compare_output import check_picture, draw, fields_of, print_comparison
from analysis.effort import default_store
from analysis.estimate import Estimate
from analysis.options import Deals, Json, Scheduler, Seed, Store, Threads, Workers, whole_numbers
from analysis.output import print_json
from analysis.rule_changes import each_value, rule_set, swept
from analysis.ton.measures import TON
from analysis.tonk.measures import TONK
from core.errors import InputError
from core.ruleset import nearest

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
    option: Annotated[
        Texts,
        typer.Option(help="Set each other value of this option in --a, greatest change first; all: of every one."),
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
    retune_deals: Annotated[
        int | None, typer.Option(help="Hands of each step of --retune (default: 100,000 at Tonk, 1,000,000 at Ton).")
    ] = None,
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
        check_picture(chosen, picture, sweep or (), measure, seat)
    before, after = rule_set(chosen, a or ()), rule_set(chosen, b or ())
    if option and (b or sweep):
        raise InputError("--option starts from --a: it takes no --b and no --sweep")
    cells = list(each_value(chosen, before, option) if option else swept(after, sweep or ()))
    if not cells:
        raise InputError(f"no other value of {', '.join(option or ())} is tried: give one with --b")
    names = tuple(name.strip() for name in policies.split(",")) if policies else (chosen.policy,)
    found = compare(
        chosen,
        before,
        [rules for _, rules in cells],
        measure,
        Setting(players, names, hand),
        parts=None if seat is None else whole_numbers(seat, "seat"),
        retune=(retune_deals or chosen.retune_deals) if retune else None,
        deals=deals,
        precision=precision,
        seed=seed,
        threads=threads,
        workers=workers,
        scheduler=scheduler,
        store=store or default_store(),
    )
    values = [value for value, _ in cells]
    if option:
        found, values = _greatest_first(found, values)
    if picture is not None:
        draw(chosen, found, values, picture)
    if json:
        fields = fields_of(chosen, found, values, precision is not None)
        print_json({"game": game, "players": players, "policies": names, **fields}, None, seed=seed)
    else:
        print_comparison(chosen, found, values, precision is not None)


def _greatest_first(found: Comparison, values: Sequence[dict[str, Any]]) -> tuple[Comparison, list[dict[str, Any]]]:
    """Sort the cells by the greatest change of the first measure, in any of its parts."""

    def change(number: int) -> float:
        rows = found.cells[number].fixed
        own = [row.difference for row in rows if row.measure == rows[0].measure]
        return max(abs(each.value if isinstance(each, Estimate) else float(each)) for each in own)

    order = sorted(range(len(values)), key=change, reverse=True)
    cells = tuple(found.cells[number] for number in order)
    return replace(found, cells=cells), [values[number] for number in order]


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
