"""The first position of a recorded hand: its hands, table and pile as the record gives them, checked.

With `table`, `turn` or a starting `pile` a record begins in mid-play: no TONK is looked for (K5), each player has had
his first turn (`drop_allowed`), hands may be smaller, and all cards that are not shown may be in the stock. Else it
begins with the deal.
"""

from collections import Counter
from collections.abc import Sequence

from core.cards import format_card, format_cards, remove_cards
from core.errors import InputError
from core.tonk.melds import meld_of
from core.tonk.record import Item, Problem, Record
from core.tonk.rules import TonkRules
from core.tonk.state import State, TableMeld, new_state, start


def split_record(record: Record) -> tuple[list[Item], list[Item], list[Problem]]:
    """Return the lines that give the first position, the turns and checks, and what stands in the wrong place."""
    header: list[Item] = []
    course: list[Item] = []
    problems = []
    for item in record.items:
        kinds = {known.kind for known in header}
        if item.kind in ("play", "total") or (item.kind == "pile" and (course or kinds & {"up", "pile"})):
            course.append(item)
        elif any(known.kind == "play" for known in course):
            problems.append(Problem(item.line, f"{item.kind} belongs before the first turn"))
        else:
            header.append(item)
    return header, course, problems


def is_mid_play(header: Sequence[Item]) -> bool:
    """Tell whether the record begins in mid-play and not with the deal."""
    return any(item.kind in ("table", "turn", "pile") for item in header)


def first_position(record: Record, header: Sequence[Item], rules: TonkRules) -> tuple[State | None, list[Problem]]:
    """Return the first position, or None and what is wrong with it."""
    problems = [*_players_problems(record, rules), *_repeated_lines(header, record.names)]
    problems += [*_repeated_cards(header, rules), *_wrong_cards(header, record.names, rules)]
    if not is_mid_play(header):
        problems += _up_card_problems(record, header, rules)
    hands = {item.seat: item.cards for item in header if item.kind == "hand"}
    missing = [name for seat, name in enumerate(record.names) if seat not in hands]
    if missing:
        problems.append(Problem(record.line, f"no hand is given for {', '.join(missing)}"))
    if problems:
        return None, problems
    return _state(header, [hands[seat] for seat in range(len(hands))], rules), []


def _state(header: Sequence[Item], hands: Sequence[Sequence[int]], rules: TonkRules) -> State:
    shown = [card for item in header for card in item.cards]
    stock = remove_cards(rules.deck(), shown)
    pile = next((item.cards for item in header if item.kind in ("up", "pile")), ())
    if not is_mid_play(header):
        return start(rules, hands, pile[0] if pile else None, stock)
    table = []
    for item in header:
        meld = meld_of(item.cards, rules) if item.kind == "table" else None
        if meld:
            table.append(TableMeld(meld, item.seat))
    turn = next((item.seat for item in header if item.kind == "turn"), 0)
    return new_state(rules, hands, pile, stock, table=table, turn=turn, turns=1)


def _players_problems(record: Record, rules: TonkRules) -> list[Problem]:
    try:
        rules.check_players(len(record.names))
    except InputError as error:
        return [Problem(record.line, f"{error} (K1)")]
    return []


def _repeated_lines(header: Sequence[Item], names: Sequence[str]) -> list[Problem]:
    """Each player has one hand; there is one pile (or up-card) and one player to move. Melds may be many."""
    problems = []
    first: dict[tuple[str, int], int] = {}
    for item in header:
        key = ("pile" if item.kind == "up" else item.kind, item.seat if item.kind == "hand" else -1)
        if item.kind != "table" and key in first:
            whose = f" of {names[item.seat]}" if item.kind == "hand" else ""
            problems.append(Problem(item.line, f"{item.kind}{whose} is given already in line {first[key]}"))
        first.setdefault(key, item.line)
    return problems


def _repeated_cards(header: Sequence[Item], rules: TonkRules) -> list[Problem]:
    problems = []
    seen: Counter[int] = Counter()
    where: dict[int, int] = {}
    for item in header:
        for card in item.cards:
            seen[card] += 1
            if seen[card] > rules.decks:
                problems.append(Problem(item.line, f"{format_card(card)} stands already in line {where[card]} (K2)"))
            where[card] = item.line
    return problems


def _wrong_cards(header: Sequence[Item], names: Sequence[str], rules: TonkRules) -> list[Problem]:
    """Find hands of a wrong size, and groups on the table that are no meld."""
    problems = []
    least = 1 if is_mid_play(header) else rules.hand_size
    for item in header:
        if item.kind == "hand" and not least <= len(item.cards) <= rules.hand_size:
            wanted = f"{least} to {rules.hand_size}" if least < rules.hand_size else str(least)
            problems.append(Problem(item.line, f"{names[item.seat]} has {len(item.cards)} cards, not {wanted} (K2)"))
        if item.kind == "table" and meld_of(item.cards, rules) is None:
            problems.append(Problem(item.line, f"{format_cards(item.cards)} is no meld (K10)"))
    return problems


def _up_card_problems(record: Record, header: Sequence[Item], rules: TonkRules) -> list[Problem]:
    ups = [item for item in header if item.kind == "up"]
    if rules.up_card == "yes" and not ups:
        return [Problem(record.line, "the up-card is not given: up: C (K2)")]
    if rules.up_card == "no" and ups:
        return [Problem(ups[0].line, "no card is turned up under these rules (K2, up_card)")]
    return []
