"""The commands `tonlab ton …`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.effort import Sampling, default_store
from analysis.estimate import LEVEL, Estimate
from analysis.options import (
    ODDS,
    PLAY,
    RECORDS,
    Deals,
    Json,
    Precision,
    Preset,
    Scheduler,
    Seed,
    Set,
    Store,
    Threads,
    Workers,
    whole_numbers,
)
from analysis.output import describe, print_json, print_table, result_fields, with_interval
from analysis.records import check_writable, read_text, write_text
from analysis.ton import Match, Simulation, TonRules
from analysis.ton import match as match_
from analysis.ton import odds as odds_
from analysis.ton import simulate as simulate_
from core.errors import InputError
from core.ton.rules import MAX_HANDS

if TYPE_CHECKING:
    from analysis.ton.buyin import BuyIn
    from core.ton.replay import Replay

app = typer.Typer(no_args_is_help=True, help="Ton (Тонь), five tricks with a talon: rules T1–T14.")


@app.command(rich_help_panel=ODDS, short_help="Chances of trumps on the deal.")
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


@app.command("rules", rich_help_panel=RECORDS, short_help="The rule set in force.")
def show_rules(rules: Preset = None, set_: Set = None, json: Json = False) -> None:
    """Print the rule set in force, and each rule's other values."""
    rule_set = TonRules.load(rules, set_ or ())
    if json:
        print_json({}, rule_set)
        return
    options = rule_set.options()
    rows = [(name, str(value), ", ".join(options[name] or ("a number",))) for name, value in rule_set.as_dict().items()]
    print_table("Ton: the rule set in force", ("rule", "value", "values"), rows)


@app.command(rich_help_panel=RECORDS, short_help="Check a recorded hand.")
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


@app.command(rich_help_panel=PLAY, short_help="Single hands between policies.")
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


@app.command(rich_help_panel=ODDS, short_help="What each choice at the buy-in is worth.")
def buyin(
    hand: Annotated[str, typer.Option(help='Your cards, as in "As Kd 9h 7h 6c".', show_default=False)],
    trump_card: Annotated[str, typer.Option(help="The shown trump card.", show_default=False)],
    players: Annotated[int, typer.Option(help="Number of players.", show_default=False)],
    seat: Annotated[int, typer.Option(help="Your seat: 0 is the eldest, the last one deals.")] = 0,
    seen: Annotated[str, typer.Option(help="Talon cards turned so far, in order.", show_default=False)] = "",
    model: Annotated[str, typer.Option(help="How the hand goes on: open or play.")] = "open",
    plus_worth: Annotated[
        float | None,
        typer.Option(
            help="Points that a plus costs (default: zero_trick_points); plus-worth finds it.", show_default=False
        ),
    ] = None,
    rules: Preset = None,
    set_: Set = None,
    json: Json = False,
    deals: Deals = None,
    precision: Annotated[
        float | None, typer.Option(help="Half-width wanted of each choice's tricks (default: 0.02).")
    ] = None,
    seed: Seed = 1,
    threads: Threads = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    store: Store = None,
) -> None:
    """Print what each choice at the buy-in is worth: refuse, keep a card, use the trumpless right.

    All choices on the same sampled deals. `trumpless` stands for looking through the stock and fetching the best;
    `trumpless Ks` counts only the deals in which that card lies there.
    """
    from analysis.ton.buyin import buy_in

    rule_set = TonRules.load(rules, set_ or ())
    result = buy_in(
        hand,
        trump_card,
        players,
        seat,
        seen,
        model,
        plus_worth,
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
        _print_buy_in(result)


@app.command(rich_help_panel=ODDS, short_help="What each action is worth in a position.")
def advise(
    file: Annotated[Path | None, typer.Argument(help="A recorded hand, cut off.", show_default=False)] = None,
    hand: Annotated[str | None, typer.Option(help='Your cards, as in "As Kd 9h 7h 6c".', show_default=False)] = None,
    players: Annotated[int | None, typer.Option(help="Number of players.", show_default=False)] = None,
    trump_card: Annotated[
        str | None, typer.Option(help="The shown trump card; without it you are asked for a bid.", show_default=False)
    ] = None,
    seat: Annotated[int, typer.Option(help="Your seat: 0 is the eldest, the last one deals.")] = 0,
    seen: Annotated[str, typer.Option(help="Talon cards turned so far, in order.", show_default=False)] = "",
    policy: Annotated[str, typer.Option(help="How all play on after the action.")] = "tuned",
    rules: Preset = None,
    set_: Set = None,
    json: Json = False,
    deals: Deals = None,
    precision: Precision = None,
    seed: Seed = 1,
    threads: Threads = None,
) -> None:
    """Print what each action is worth to you: from a record cut off mid-hand, or at the buy-in or bid."""
    rule_set = TonRules.load(rules, set_ or ())
    if (file is None) == (hand is None):
        raise InputError("give either a recorded hand, or --hand and --players")
    if file is not None and (players is not None or trump_card is not None or seen):
        raise InputError("players, trump card and talon stand in the recorded hand")
    from analysis.ton.advice import advise as advise_
    from analysis.ton.advice import view_of_deal, view_of_record

    if hand is None:
        view = view_of_record(read_text(file or Path()), rule_set)
    elif players is None:
        raise InputError("--hand needs --players")
    else:
        view = view_of_deal(players, hand, trump_card, seat, seen, rule_set)
    sampling = Sampling(seed=seed, threads=threads)
    if deals is not None:
        sampling["deals"] = deals
    if precision is not None:
        sampling["precision"] = precision
    found = advise_(view, policy, **sampling)
    if json:
        print_json(result_fields(found), rule_set, seed=seed)
        return
    rows = [
        (each.action, *describe(each.payment), "best" if number == 0 else f"{each.minus_best.value:+.3f}")
        for number, each in enumerate(found.actions)
    ]
    title = f"Ton: what seat {found.seat} gets, in points (a plus: -{found.plus_worth}), when all play on by {policy}"
    print_table(title, ("action", "points", "known as", "against the best"), rows)


@app.command(rich_help_panel=PLAY, short_help="One policy among others, seats rotated.")
def duel(
    players: Annotated[int, typer.Option(help="Number of players.", show_default=False)],
    policies: Annotated[str, typer.Option(help="Two policies or more, as in plain,greedy.", show_default=False)],
    among: Annotated[
        str | None, typer.Option(help="The others play only this one of them.", show_default=False)
    ] = None,
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
    """Print what one player gains among others of another policy, for each two policies; seats rotate."""
    rule_set = TonRules.load(rules, set_ or ())
    # Imported here because it imports numba.
    from analysis.ton.duels import head_to_head

    found = head_to_head(
        players,
        [name.strip() for name in policies.split(",")],
        rule_set,
        among=among,
        deals=deals,
        precision=precision,
        seed=seed,
        threads=threads,
        workers=workers,
        scheduler=scheduler,
        store=store or default_store(),
    )
    if json:
        duels = [{"one": one, "others": others, "points": points} for (one, others), points in found.items()]
        print_json({"duels": duels, "players": players}, rule_set, seed=seed)
        return
    rows = [(one, others, *describe(points)) for (one, others), points in found.items()]
    title = f"Ton: one player among {players - 1} others, points a hand more than one of them would get"
    print_table(title, ("one", "others", "he gains", "known as"), rows)


@app.command(rich_help_panel=PLAY, short_help="Whole matches between policies.")
def match(
    players: Annotated[int, typer.Option(help="Number of players.", show_default=False)],
    policies: Annotated[
        str, typer.Option(help="One a player, from the first eldest: random, plain or greedy.", show_default=False)
    ],
    method: Annotated[
        str, typer.Option(help="simulate: whole matches. exact: solved for sampled hands, 2 or 3 players.")
    ] = "simulate",
    max_hands: Annotated[int, typer.Option(help="Hands after which a simulated match is broken off.")] = MAX_HANDS,
    rules: Preset = None,
    set_: Set = None,
    json: Json = False,
    deals: Annotated[int | None, typer.Option(help="Matches to play; with exact: hands to sample.")] = None,
    precision: Precision = None,
    seed: Seed = 1,
    threads: Threads = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    store: Store = None,
) -> None:
    """Play whole matches, and print what each player wins; players are numbered by their seat in the first hand."""
    rule_set = TonRules.load(rules, set_ or ())
    result = match_(
        players,
        [name.strip() for name in policies.split(",")],
        rule_set,
        method=method,
        max_hands=max_hands,
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
        _print_match(result)


@app.command(rich_help_panel=ODDS, short_help="Tricks each seat can force, cards open.")
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


@app.command("plus-worth", rich_help_panel=ODDS, short_help="How many points a plus is worth.")
def plus_worth_command(
    points: Annotated[str, typer.Option(help="Points by seat, from the next eldest, as in 0,5,5.", show_default=False)],
    policy: Annotated[str, typer.Option(help="How all play.")] = "greedy",
    rules: Preset = None,
    set_: Set = None,
    json: Json = False,
    deals: Annotated[int | None, typer.Option(help="Hands to sample for each set of players who must play.")] = None,
    seed: Seed = 1,
    threads: Threads = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    store: Store = None,
) -> None:
    """Print how many points a plus is worth to the next eldest, by the race: the --plus-worth of `tonlab ton buyin`.

    For two or three players, who choose best between plus and minus; exact for the hands sampled.
    """
    rule_set = TonRules.load(rules, set_ or ())
    numbers = whole_numbers(points, "points")
    from analysis.ton.plus_worth import plus_worth

    worth = plus_worth(
        numbers,
        policy,
        rule_set,
        deals=deals,
        seed=seed,
        threads=threads,
        workers=workers,
        scheduler=scheduler,
        store=store or default_store(),
    )
    if json:
        print_json({"plus_worth": worth, "points": numbers, "policy": policy}, rule_set, seed=seed)
    else:
        print(f"{worth:.3f}")


@app.command(rich_help_panel=PLAY, short_help="Train the policy tuned; takes an hour.")
def train(
    players: Annotated[str, typer.Option(help="Numbers of players, as in 2,3,4.", show_default=False)],
    out: Annotated[Path, typer.Option(help="The file to write.", show_default=False)],
    rules: Preset = None,
    set_: Set = None,
    plus_worth: Annotated[int | None, typer.Option(help="How many points a plus costs.  [default: 5]")] = None,
    first: Annotated[Path | None, typer.Option(help="Begin from this file of tables.", show_default=False)] = None,
    deals: Deals = None,
    seed: Seed = 1,
    threads: Threads = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    store: Store = None,
) -> None:
    """Train tables for the policy tuned; play by them as tuned:FILE. Takes an hour and more."""
    rule_set = TonRules.load(rules, set_ or ())
    numbers = whole_numbers(players, "number of players")
    for number in numbers:
        rule_set.check_players(number)
    check_writable(out)
    # Imported here because it imports numba.
    from analysis.ton.training import train as train_
    from core.ton.tables import as_text, tables_for

    begin = {number: None if first is None else tables_for(number, first) for number in numbers}
    sampling = Sampling(
        deals=deals, seed=seed, threads=threads, workers=workers, scheduler=scheduler, store=store or default_store()
    )
    found = {
        number: train_(number, rule_set, plus_worth=plus_worth, first=begin[number], **sampling) for number in numbers
    }
    made_by = f"tonlab ton train --players {','.join(map(str, numbers))} --seed {seed}"
    made_by += f" --deals {deals}" if deals else ""
    made_by += f" --plus-worth {plus_worth}" if plus_worth is not None else ""
    made_by += f" --first {first}" if first is not None else ""
    settings = [f" --set {name}={value}" for name, value in rule_set.changes().items()]
    gains = {n: {"best_reply_gains": with_interval(trained.gain, 4)} for n, trained in found.items()}
    write_text(out, as_text({n: trained.tables for n, trained in found.items()}, made_by + "".join(settings), gains))
    rows = [(str(n), *texts.values()) for n, texts in gains.items()]
    print_table(f"Ton: tables in {out}", ("players", "the best reply gains, points a hand"), rows)


@app.command("train-equilibrium", rich_help_panel=PLAY, short_help="Train the policy equilibrium; minutes.")
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
    from core.ton.heads_up_training import train

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


def _print_buy_in(result: "BuyIn") -> None:
    def shown(estimate: Estimate) -> str:
        return f"{estimate.value:.3f} ± {estimate.half_width:.3f}"

    rows = [
        (option.option, *map(shown, (option.tricks, option.points, option.minus_refuse, option.p_no_trick)))
        for option in result.options
    ]
    deals = max(option.tricks.n for option in result.options)
    title = f"Ton: the buy-in by the model {result.model}, seat {result.seat} of {result.players} ({deals:,} deals)"
    print_table(title, ("choice", "tricks", "points", "points minus refuse", "P(no trick)"), rows)
    print(f"Intervals of {LEVEL:.0%}. A plus counts as minus {result.plus_worth:g} points. {result.assumes}")


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


def _print_match(result: Match) -> None:
    rows = [
        (
            f"{player} {policy}",
            f"{win.value:.4f}",
            f"{win.half_width:.4f}",
            f"{paid.value:+.3f}",
            f"{paid.half_width:.3f}",
        )
        for player, (policy, win, paid) in enumerate(zip(result.policies, result.win, result.money, strict=True))
    ]
    how = "simulated" if result.method == "simulate" else "exact for sampled hands"
    title = f"Ton: matches, {how} ({LEVEL:.0%} intervals)"
    print_table(title, ("player", "wins", "±", "money", "±"), rows)
    print(f"hands a match: {result.hands}")
    if result.broken_off is not None:
        print(f"broken off after {result.max_hands:,} hands: {result.broken_off}")
    if result.floor_error:
        print(f"holding points at a floor changes a win chance by {result.floor_error:.1g} at most")
