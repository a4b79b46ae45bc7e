"""The commands `tonlab ton …`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.output import print_json, print_table
from analysis.ton import TonRules
from core.errors import InputError

if TYPE_CHECKING:
    from core.ton.replay import Replay

app = typer.Typer(no_args_is_help=True, help="Ton (Тонь), five tricks with a talon: rules T1–T14.")

Preset = Annotated[str | None, typer.Option("--rules", help="A preset (source, one_card, table_trump) or a TOML file.")]
Set = Annotated[list[str] | None, typer.Option("--set", help="Override one rule: field=value; repeatable.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@app.command("rules")
def show_rules(rules: Preset = None, set_: Set = None, json: Json = False) -> None:
    """Print the rule set in force, and each rule's other values."""
    rule_set = TonRules.load(rules, set_ or ())
    if json:
        print_json({}, rule_set)
        return
    options = rule_set.options()
    rows = [(name, str(value), ", ".join(options[name] or ("a number",))) for name, value in rule_set.as_dict().items()]
    print_table("Ton: the rule set in force", ("rule", "value", "values"), rows)


@app.command()
def replay(
    file: Annotated[str, typer.Argument(help="A recorded hand.", show_default=False)],
    rules: Preset = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Judge a recorded hand line by line, and print what it gives."""
    # Imported here, so that other commands need not wait for the engine.
    from core.ton.replay import replay as replay_

    rule_set = TonRules.load(rules, set_ or ())
    found = replay_(_read(file), rule_set)
    if json:
        print_json(_fields(found), rule_set)
    else:
        _print_replay(found)


@app.command()
def solve(
    file: Annotated[
        str,
        typer.Argument(
            help='Positions, a line each: {"hands": ["As 7h", "Ks Ah"], "trump": "s", "leader": 0}; "trick" (cards on'
            ' the table) and "won" (tricks by seat) may be added.',
            show_default=False,
        ),
    ],
    rules: Preset = None,
    set_: Set = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Print the tricks that each seat can force against all the others playing together, cards open."""
    from analysis.ton.solve import read_positions

    rule_set = TonRules.load(rules, set_ or ())
    positions = list(read_positions(_read(file), file))
    # Imported when the input is known to be sound: the solver takes a second to load.
    from core.ton.solver import solve as solve_

    found = [solve_(position, rule_set) for position in positions]
    if json:
        for guaranteed in found:
            print_json({"guaranteed": guaranteed}, rule_set)
        return
    rows = [(str(number), *(str(tricks) for tricks in guaranteed)) for number, guaranteed in enumerate(found, 1)]
    most = max((len(guaranteed) for guaranteed in found), default=0)
    padded = [(*row, *[""] * (most + 1 - len(row))) for row in rows]
    print_table("Ton: tricks to force", ("position", *(f"seat {seat}" for seat in range(most))), padded)


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read {file!r}: {error.strerror}") from None
    except ValueError:  # not UTF-8, or a name with a zero byte
        raise InputError(f"cannot read {file!r}: it is not UTF-8 text") from None


def _fields(found: "Replay") -> dict[str, Any]:
    result = None
    if found.result is not None:
        result = {name: getattr(found.result, name) for name in ("tricks", "points", "pluses", "participants")}
    return {
        "legal": found.legal,
        "errors": [{"line": problem.line, "message": problem.message} for problem in found.errors],
        # A record of Ton states nothing that could be computed.
        "warnings": [],
        "result": result,
    }


def _print_replay(found: "Replay") -> None:
    for problem in found.errors:
        print(f"line {problem.line}: {problem.message}")
    if found.result is None:
        seat = found.state.seat
        if found.legal and seat is not None:
            print(f"legal so far; {found.record.names[seat]} is to act ({found.state.phase})")
        return
    rows = [
        (name, "plays" if plays else "folds", str(tricks), f"{points:+}", str(pluses))
        for name, plays, tricks, points, pluses in zip(
            found.record.names,
            found.result.participants,
            found.result.tricks,
            found.result.points,
            found.result.pluses,
            strict=True,
        )
    ]
    print_table("Ton: a legal hand", ("player", "", "tricks", "points", "pluses"), rows)
