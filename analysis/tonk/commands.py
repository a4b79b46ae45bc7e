"""The commands `tonlab tonk …`."""

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from analysis.effort import Sampling, default_store
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
from analysis.output import describe, note, print_json, print_table, result_fields, with_interval
from analysis.records import check_writable, read_text, write_text
from analysis.tonk import Odds, TonkRules
from analysis.tonk import drop as drop_
from analysis.tonk import odds as odds_
from analysis.tonk import settle as settle_
from analysis.tonk import simulate as simulate_
from analysis.tonk.first_turn import DROP_STEPS
from core.cards import format_cards, parse_cards
from core.counting import MAX_STEPS
from core.errors import InputError
from core.tonk.replay import Replay
from core.tonk.replay import replay as replay_
from core.tonk.state import Ending

app = typer.Typer(no_args_is_help=True, help="Tonk (Тонк), the five-card rummy: rules K1–K12.")

Players = Annotated[int, typer.Option(help="Number of players.", show_default=False)]
Hand = Annotated[str | None, typer.Option(help='Your cards, as in "As 10h Td 2c 5d".', show_default=False)]
Up = Annotated[str | None, typer.Option(help="The up-card.", show_default=False)]
Steps = Annotated[int, typer.Option("--steps", min=1, help="Bound of work for an exact count: updates of a table.")]


@app.command(rich_help_panel=ODDS, short_help="Chances of a TONK on the deal.")
def odds(
    players: Players,
    hand: Hand = None,
    up: Up = None,
    seat: Annotated[int, typer.Option(help="Your seat, from the dealer's left; matters to several_tonks=first.")] = 0,
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
    steps: Steps = MAX_STEPS,
) -> None:
    """Print the chances of a TONK on the deal; with --hand, those of the other players."""
    rule_set = TonkRules.load(rules, set_ or ())
    result = odds_(
        players,
        rule_set,
        hand=hand,
        up=up,
        seat=seat,
        deals=deals,
        precision=precision,
        seed=seed,
        threads=threads,
        workers=workers,
        scheduler=scheduler,
        store=store or default_store(),
        max_steps=steps,
    )
    note(result.note)
    if json:
        print_json(result_fields(result) | _seen(hand, up, rule_set), rule_set, seed=seed)
    else:
        _print_odds(result, hand)


@app.command(rich_help_panel=ODDS, short_help="What dropping on the first turn is worth.")
def drop(
    hand: Annotated[str, typer.Option(help='Your cards, as in "As 10h Td 2c 5d".', show_default=False)],
    players: Players,
    up: Up = None,
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
    steps: Steps = DROP_STEPS,
) -> None:
    """Print what dropping at once on the first turn is worth, given that nobody has TONK."""
    rule_set = TonkRules.load(rules, set_ or ())
    result = drop_(
        hand,
        players,
        rule_set,
        up=up,
        deals=deals,
        precision=precision,
        seed=seed,
        threads=threads,
        workers=workers,
        scheduler=scheduler,
        store=store or default_store(),
        max_steps=steps,
    )
    note(result.note)
    if json:
        print_json(result_fields(result) | _seen(hand, up, rule_set), rule_set, seed=seed)
        return
    rows = [
        ("nobody has TONK", *describe(result.p_no_tonk)),
        ("every other total is greater", *describe(result.p_win)),
        ("some other total is less", *describe(result.p_less)),
        ("expected payment, stakes", *describe(result.payment)),
    ]
    print_table(f"Tonk: dropping {result.total} on the first turn, {players} players", ("", "value", "known as"), rows)


@app.command(rich_help_panel=RECORDS, short_help="Who pays whom after a drop.")
def settle(
    totals: Annotated[str, typer.Option(help="Totals in hand by seat, as in 9,10,24.", show_default=False)],
    dropper: Annotated[int, typer.Option(help="The seat that drops.", show_default=False)],
    rules: Preset = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Print who pays whom when a player drops (K8)."""
    rule_set = TonkRules.load(rules, set_ or ())
    numbers = whole_numbers(totals, "total")
    payments = settle_(numbers, dropper, rule_set)
    if json:
        print_json({"payments": [_stakes(pay) for pay in payments], "totals": numbers, "dropper": dropper}, rule_set)
        return
    rows = [
        (f"{seat}{' (dropper)' if seat == dropper else ''}", str(total), str(pay))
        for seat, (total, pay) in enumerate(zip(numbers, payments, strict=True))
    ]
    print_table("Tonk: settlement of a drop", ("seat", "total", "payment, stakes"), rows)


@app.command(rich_help_panel=PLAY, short_help="Whole hands between policies.")
def simulate(
    players: Players,
    policies: Annotated[str, typer.Option(help="A policy for each seat, as in simple:12,random.", show_default=False)],
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
    """Play whole hands by fixed policies (random, simple, simple:T, threshold), by default 1,000,000 of them."""
    rule_set = TonkRules.load(rules, set_ or ())
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
        return
    rows = [
        (f"payment of seat {seat} ({name}), stakes", *describe(payment))
        for seat, (name, payment) in enumerate(zip(result.policies, result.payment, strict=True))
    ]
    rows += [(f"ends {_ENDINGS[kind]}", *describe(rate)) for kind, rate in result.kinds.items()]
    rows.append(("turns a hand", *describe(result.turns)))
    print_table(f"Tonk: whole hands, {players} players", ("", "value", "known as"), rows)


@app.command(rich_help_panel=ODDS, short_help="What each action is worth in a position.")
def advise(
    file: Annotated[Path | None, typer.Argument(help="A hand recorded up to your move.", show_default=False)] = None,
    hand: Hand = None,
    players: Annotated[int | None, typer.Option(help="Number of players.", show_default=False)] = None,
    up: Up = None,
    policy: Annotated[str, typer.Option(help="How all play on after the action.")] = "threshold",
    rules: Preset = None,
    set_: Set = None,
    json: Json = False,
    deals: Deals = None,
    precision: Precision = None,
    seed: Seed = 1,
    threads: Threads = None,
) -> None:
    """Print what each action is worth to you, from a record or, on the first turn, from your hand."""
    rule_set = TonkRules.load(rules, set_ or ())
    if (file is None) == (hand is None):
        raise InputError("give either a recorded hand, or --hand and --players")
    if file is not None and (players is not None or up is not None):
        raise InputError("players and up-card stand in the recorded hand")
    from analysis.tonk.advice import advise as advise_
    from analysis.tonk.advice import view_of_deal, view_of_record

    if hand is None:
        seen = view_of_record(read_text(file or Path()), rule_set)
    elif players is None:
        raise InputError("--hand needs --players")
    else:
        seen = view_of_deal(players, hand, up, rule_set)
    sampling = Sampling(seed=seed, threads=threads)
    if deals is not None:
        sampling["deals"] = deals
    if precision is not None:
        sampling["precision"] = precision
    found = advise_(seen, policy, **sampling)
    if json:
        print_json(result_fields(found), rule_set, seed=seed)
        return
    rows = [
        (each.action, *describe(each.payment), "best" if number == 0 else f"{each.minus_best.value:+.3f}")
        for number, each in enumerate(found.actions)
    ]
    print_table(
        f"Tonk: what you are paid, in stakes, when all play on by {policy}",
        ("action", "payment", "known as", "against the best"),
        rows,
    )


@app.command(rich_help_panel=PLAY, short_help="One policy among others, seats rotated.")
def duel(
    players: Players,
    policies: Annotated[str, typer.Option(help="Two policies or more, as in simple,threshold.", show_default=False)],
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
    """Print what one player is paid among others of another policy, for each two policies; seats rotate."""
    rule_set = TonkRules.load(rules, set_ or ())
    # Imported here because it imports numba.
    from analysis.tonk.duels import head_to_head

    found = head_to_head(
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
        duels = [{"one": one, "others": others, "payment": payment} for (one, others), payment in found.items()]
        print_json({"duels": duels, "players": players}, rule_set, seed=seed)
        return
    rows = [(one, others, *describe(payment)) for (one, others), payment in found.items()]
    title = f"Tonk: one player among {players - 1} others, stakes a hand"
    print_table(title, ("one", "others", "he is paid", "known as"), rows)


@app.command(rich_help_panel=PLAY, short_help="Find good thresholds; takes minutes.")
def tune(
    players: Annotated[str, typer.Option(help="Numbers of players, as in 2,3,4.", show_default=False)],
    out: Annotated[Path, typer.Option(help="The file to write.", show_default=False)],
    rules: Preset = None,
    set_: Set = None,
    deals: Deals = None,
    seed: Seed = 1,
    threads: Threads = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    store: Store = None,
) -> None:
    """Find good thresholds for the policy threshold; play by them as threshold:FILE. Takes minutes."""
    rule_set = TonkRules.load(rules, set_ or ())
    numbers = whole_numbers(players, "number of players")
    for number in numbers:
        rule_set.check_players(number)
    check_writable(out)
    # Imported here because it imports numba.
    from analysis.tonk.tuning import richer_reply
    from analysis.tonk.tuning import tune as tune_
    from core.tonk.thresholds import as_text

    sampling = Sampling(
        deals=deals, seed=seed, threads=threads, workers=workers, scheduler=scheduler, store=store or default_store()
    )
    found = {number: tune_(number, rule_set, **sampling) for number in numbers}
    made_by = f"tonlab tonk tune --players {','.join(map(str, numbers))} --seed {seed}"
    made_by += f" --deals {deals}" if deals else ""
    settings = [f" --set {name}={'none' if value is None else value}" for name, value in rule_set.changes().items()]
    richer = {n: richer_reply(tuned.thresholds, rule_set, **sampling) for n, tuned in found.items()}
    gains = {
        n: {"best_reply_gains": with_interval(tuned.gain, 4), "richer_reply_gains": with_interval(richer[n].gain, 4)}
        for n, tuned in found.items()
    }
    write_text(out, as_text({n: tuned.thresholds for n, tuned in found.items()}, made_by + "".join(settings), gains))
    rows = [(str(n), *texts.values()) for n, texts in gains.items()]
    columns = ("players", "the best reply gains, stakes a hand", "a richer one gains")
    print_table(f"Tonk: thresholds in {out}", columns, rows)


@app.command(rich_help_panel=RECORDS, short_help="Check a recorded hand.")
def replay(
    file: Annotated[Path, typer.Argument(help="A recorded hand.", show_default=False)],
    rules: Preset = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Check a recorded hand: whether it is legal, what it states wrongly, who pays whom."""
    rule_set = TonkRules.load(rules, set_ or ())
    found = replay_(read_text(file), rule_set)
    if json:
        print_json(_replay_fields(found), rule_set)
    else:
        _print_replay(found)


@app.command("rules", rich_help_panel=RECORDS, short_help="The rule set in force.")
def show_rules(rules: Preset = None, set_: Set = None, json: Json = False) -> None:
    """Print the rule set in force, and each rule's other values."""
    rule_set = TonkRules.load(rules, set_ or ())
    if json:
        print_json({}, rule_set)
        return
    options = rule_set.options()
    rows = [
        (name, "none" if value is None else str(value), ", ".join(options[name] or ("a number",)))
        for name, value in rule_set.as_dict().items()
    ]
    print_table("Tonk: the rule set in force", ("rule", "value", "values"), rows)


def _print_odds(result: Odds, hand: str | None) -> None:
    who = "another player" if hand else "a player"
    rows = [
        (f"{who} has TONK", *describe(result.single)),
        ("… by a low total", *describe(result.low)),
        ("… by a high total", *describe(result.high)),
        (f"any of {len(result.exactly) - 1} has", *describe(result.any)),
    ]
    rows += [(f"exactly {j} have", *describe(chance)) for j, chance in enumerate(result.exactly)]
    rows += [(f"payment of seat {seat}, stakes", *describe(pay)) for seat, pay in enumerate(result.payment)]
    others = " the others, given your hand" if hand else ""
    print_table(f"Tonk: TONK on the deal, {result.players} players{others}", ("", "value", "known as"), rows)


def _replay_fields(found: Replay) -> dict[str, Any]:
    """Return a replay as JSON holds it; winner and payments go by seat, in the order of `players`."""
    result = found.result
    return {
        "legal": found.legal,
        "errors": [problem._asdict() for problem in found.errors],
        "warnings": [slip._asdict() for slip in found.warnings],
        "result": None
        if result is None
        else {
            "winner": result.winner,
            "kind": result.kind,
            "payments": [_stakes(pay) for pay in result.payments],
        },
        "players": found.names,
    }


_ENDINGS: dict[Ending, str] = {
    "tonk": "with a TONK on the deal",
    "drop_won": "with a drop that won",
    "drop_lost": "with a drop that did not win",
    "out": "with a player who went out",
    "stock_out": "with a stock that ran out",
}


def _print_replay(found: Replay) -> None:
    from rich.markup import escape

    for problem in found.errors:
        print(f"line {problem.line}: {problem.message}")
    for slip in found.warnings:
        print(f"line {slip.line}: states {slip.stated}, but it is {slip.computed}")
    state = found.state
    if not found.legal:
        print("The hand is not legal.")
    elif state is None or state.result is None:
        print("The hand is legal as far as it is recorded.")
    else:
        print(f"The hand is legal and ends {_ENDINGS[state.result.kind]}.")
        players = zip(found.names, state.hands, state.totals, state.result.payments, strict=True)
        rows = [(escape(name), format_cards(hand), str(total), str(pay)) for name, hand, total, pay in players]
        print_table("Tonk: settlement", ("player", "left in hand", "total", "payment, stakes"), rows)


def _seen(hand: str | None, up: str | None, rules: TonkRules) -> dict[str, Any]:
    """Return the cards seen, as JSON names them."""
    seen = {"hand": hand, "up": up}
    return {name: format_cards(parse_cards(text, decks=rules.decks)) for name, text in seen.items() if text is not None}


def _stakes(payment: Fraction) -> int | str:
    """Return whole stakes as a number and others as the fraction's text, so that both stay exact."""
    return payment.numerator if payment.denominator == 1 else str(payment)
