"""The commands `tonlab ton …`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.effort import Sampling, default_store
from analysis.estimate import LEVEL, Estimate
from analysis.options import Deals, Json, Precision, Preset, Scheduler, Seed, Set, Store, Threads, Workers
from analysis.output import describe, print_json, print_table, result_fields
from analysis.records import check_writable, read_text
from analysis.ton import Simulation, TonRules
from analysis.ton import odds as odds_
from analysis.ton import simulate as simulate_

if TYPE_CHECKING:
    from core.ton.replay import Replay

app = typer.Typer(no_args_is_help=True, help="Ton (Тонь), five tricks with a talon: rules T1–T14.")


@app.command()
def odds(
    players: Annotated[int, typer.Option(help="Number of players.", show_default=False)],
    hand: Annotated[str | None, typer.Option(help='Your cards, as in "As Kd 9h 7h 6c".', show_default=False)] = None,
    trump_card: Annotated[str | None, typer.Option(help="The shown trump card.", show_default=False)] = None,
    seen: Annotated[str | None, typer.Option(help="Talon cards that were turned.", show_default=False)] = None,
    seat: Annotated[int, typer.Option(help="Your seat: 0 is the eldest, the last one deals.")] = 0,
    rules: Preset = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Print the chances of trumps on the deal, and of a hand that is sure of a bid of five."""
    rule_set = TonRules.load(rules, set_ or ())
    result = odds_(players, rule_set, hand=hand, trump_card=trump_card, seen=seen, seat=seat)
    if json:
        print_json(result_fields(result), rule_set)
        return
    given = result.stock_has_trump_given_trumpless
    rows = [("the eldest has no trump", *describe(result.trumpless))]
    rows += [("… and then the stock has one", *describe(given))] if given is not None else []
    rows += [(f"a hidden hand has {k} trumps", *describe(chance)) for k, chance in enumerate(result.trumps_in_hand)]
    rows += [(f"the dealer has {k} trumps", *describe(chance)) for k, chance in enumerate(result.dealer_trumps)]
    rows += [(f"the talon has {k} trumps", *describe(chance)) for k, chance in enumerate(result.trumps_in_talon)]
    rows += [("the talon has a trump", *describe(result.talon_has_trump))]
    rows += [(f"seat {seat} has no trump", *describe(chance)) for seat, chance in enumerate(result.trumpless_by_seat)]
    rows += [("the eldest is sure of a bid of five", *describe(result.sure_five))]
    if result.talon_beats_hand is not None:
        rows += [("the talon has a better card than you", *describe(result.talon_beats_hand))]
    print_table(f"Ton: trumps on the deal, {players} players", ("", "value", "known as"), rows)


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
    file: Annotated[Path, typer.Argument(help="A recorded hand.", show_default=False)],
    rules: Preset = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Judge a recorded hand line by line, and print what it gives."""
    # Imported here, so that other commands need not wait for the engine.
    from core.ton.replay import replay as replay_

    rule_set = TonRules.load(rules, set_ or ())
    found = replay_(read_text(file), rule_set)
    if json:
        print_json(_fields(found), rule_set)
    else:
        _print_replay(found)


@app.command()
def simulate(
    players: Annotated[int, typer.Option(help="Number of players.", show_default=False)],
    policies: Annotated[
        str, typer.Option(help="One a seat, from the eldest: random, plain or greedy.", show_default=False)
    ],
    rules: Preset = None,
    set_: Set = None,
    json: Json = False,
    deals: Deals = None,
    precision: Precision = None,
    seed: Seed = 1,
    threads: Threads = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    store: Store = None,
) -> None:
    """Play single hands from an empty record, and print what each seat gets of them."""
    rule_set = TonRules.load(rules, set_ or ())
    result = simulate_(
        players,
        [name.strip() for name in policies.split(",")],
        rule_set,
        deals=deals,
        precision=precision,
        seed=seed,
        threads=threads,
        workers=workers,
        scheduler=scheduler,
        store=store or default_store(),
    )
    if json:
        print_json(result_fields(result), rule_set, seed=seed)
    else:
        _print_simulation(result)


@app.command()
def solve(
    file: Annotated[
        Path,
        typer.Argument(
            help='Positions, a line each: {"hands": ["As 7h", "Ks Ah"], "trump": "s", "leader": 0}; "trick" (cards on'
            ' the table) and "won" (tricks by seat) may be added.',
            show_default=False,
        ),
    ],
    rules: Preset = None,
    set_: Set = None,
    line: Annotated[
        bool, typer.Option("--line", help="Also a best line: the seat to play takes what it can force, no more.")
    ] = False,
    each: Annotated[
        bool, typer.Option("--each-for-himself", help="Also the tricks if each seat wants most for itself (max^n).")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Print the tricks that each seat can force against all the others playing together, cards open.

    The tricks of --each-for-himself nobody can force: they are what comes of it if a player, of cards that give him the
    same, plays the first (suits in the order s h d c, low to high).
    """
    from analysis.ton.solve import read_positions, tricks_of

    rule_set = TonRules.load(rules, set_ or ())
    positions = list(read_positions(read_text(file), str(file)))
    # Imported when the input is known to be sound: the solver takes a second to load.
    from core.ton.solver import best_line, each_for_himself
    from core.ton.solver import solve as solve_

    found = []
    for position in positions:
        fields: dict[str, Any] = {"guaranteed": solve_(position, rule_set)}
        if each:
            fields["each_for_himself"] = each_for_himself(position, rule_set)
        if line:
            cards = best_line(position, rule_set, position.seat)
            fields["best_line"] = {"seat": position.seat, "tricks": tricks_of(position, cards)}
        found.append(fields)
        if json:
            print_json(fields, rule_set)
    if not json:
        _print_solved(found)


@app.command("train-equilibrium")
def train_equilibrium(
    iterations: Annotated[int, typer.Option(help="Iterations, some thousand a second.", show_default=False)],
    out: Annotated[Path, typer.Option(help="The file to write.", show_default=False)],
    rules: Preset = None,
    set_: Set = None,
    deals: Deals = None,
    seed: Seed = 1,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Train the policy equilibrium for two players; play by it as equilibrium:FILE. Takes minutes.

    Prints what it wins, and what replies to it gain that are trained in a quarter of the iterations each: a lower bound
    of its distance from an equilibrium.
    """
    rule_set = TonRules.load(rules, set_ or ())
    check_writable(out)
    # Imported here because they import numba.
    from analysis.runs import progress
    from analysis.ton.equilibrium import RIVALS, against, reply_gain, value
    from core.ton.duel_training import train

    made_by = f"tonlab ton train-equilibrium --iterations {iterations} --seed {seed}"
    made_by += "".join(f" --set {name}={setting}" for name, setting in rule_set.changes().items())
    with progress(iterations, unit=" iterations") as bar:
        strategy = train(iterations, rule_set, seed=seed, made_by=made_by, done=bar.update)
    strategy.save(out)
    sampling = Sampling(deals=deals or 200_000, seed=seed, threads=threads)
    fields: dict[str, Any] = {"decisions": len(strategy.keys), "value": value(strategy, **sampling)}
    replies = [reply_gain(strategy, seat, max(1, iterations // 4), **sampling) for seat in (0, 1)]
    fields |= {"reply_gain": replies, "against": {name: against(strategy, name, **sampling) for name in RIVALS}}
    if json:
        print_json(fields, rule_set, seed=seed)
        return
    rows = [("the eldest wins", *describe(fields["value"]))]
    rows += [(f"a trained reply gains, seat {seat}", *describe(gain)) for seat, gain in enumerate(replies)]
    rows += [(f"it wins against {name}", *describe(won)) for name, won in fields["against"].items()]
    print_table(
        f"Ton: {len(strategy.keys):,} decisions of the hand of two in {out}", ("", "points a hand", "known as"), rows
    )


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


def _print_solved(found: list[dict[str, Any]]) -> None:
    """Print a table of what can be forced, then what was asked for besides."""
    titles = {"guaranteed": "Ton: tricks to force", "each_for_himself": "Ton: each for himself (max^n)"}
    most = max((len(fields["guaranteed"]) for fields in found), default=0)
    columns = ("position", *(f"seat {seat}" for seat in range(most)))
    for name, title in titles.items():
        rows = [(str(n), *map(str, fields[name])) for n, fields in enumerate(found, 1) if name in fields]
        if rows or name == "guaranteed":
            print_table(title, columns, [(*row, *[""] * (most + 1 - len(row))) for row in rows])
    if any("each_for_himself" in fields for fields in found):
        print("Each for himself: nobody can force these; of cards that give a player the same he plays the first,")
        print("suits in the order s h d c, low to high.")
    for number, fields in enumerate(found, 1):
        if "best_line" in fields:
            seat, tricks = fields["best_line"].values()
            print(f"position {number}, a best line for seat {seat}: {' | '.join(tricks)}")


def _print_simulation(result: Simulation) -> None:
    names = ("tricks", "points", "pluses", "no_trick", "fold", "buy", "trumpless")
    columns: list[tuple[Estimate, ...]] = [getattr(result, name) for name in names]
    rows = [
        (f"{seat} {policy}", *(f"{column[seat].value:.4f}" for column in columns))
        for seat, policy in enumerate(result.policies)
    ]
    hands, widest = result.tricks[0].n, max(estimate.half_width for column in columns for estimate in column)
    title = f"Ton: {hands:,} hands from an empty record, a hand dealt ({LEVEL:.0%}: ± {widest:.2g} or less)"
    print_table(title, ("seat", *(name.replace("_", " ") for name in names)), rows)
