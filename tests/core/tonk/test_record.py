"""The record format: what each line holds, and every line of a wrong form at its number."""

import unicodedata

import pytest

from core.cards import parse_card, parse_cards
from core.tonk.record import Item, Play, parse_record

NAMES = "players: Voron, Goblin\n"


def items(lines, **options):
    record = parse_record(NAMES + lines, **options)
    assert record.problems == []
    return record.items


def problem(line, before=NAMES):
    found = parse_record(before + line).problems
    assert len(found) == 1
    assert found[0].line == before.count("\n") + 1
    assert found[0].message.splitlines() == [found[0].message]
    return found[0].message


def test_each_kind_of_line():
    assert items(
        "hand Voron: 10s 8d = 18\nhand Goblin: Kc, 10c\nup: 5c\npile: 5c Qd\ntable Goblin: 2s 2h 2d\nturn: Goblin\n"
        "total Voron = 31"
    ) == [
        Item(2, "hand", 0, parse_cards("10s 8d"), 18),
        Item(3, "hand", 1, parse_cards("Kc 10c")),
        Item(4, "up", cards=parse_cards("5c")),
        Item(5, "pile", cards=parse_cards("5c Qd")),
        Item(6, "table", 1, parse_cards("2s 2h 2d")),
        Item(7, "turn", 1),
        Item(8, "total", 0, stated=31),
    ]


def test_a_turn_holds_its_actions_in_order():
    text = "Goblin: stock 6s; up Qc; up; lay 8h 8d 8s; hit 8s 7s on Js 10s 9s; discard 6s; drop; stock; tonk;"
    assert items(text) == [
        Item(
            2,
            "play",
            1,
            plays=(
                Play("stock", parse_cards("6s")),
                Play("up", parse_cards("Qc")),
                Play("up"),
                Play("lay", parse_cards("8h 8d 8s")),
                Play("hit", parse_cards("8s 7s"), parse_cards("Js 10s 9s")),
                Play("discard", parse_cards("6s")),
                Play("drop"),
                Play("stock"),
                Play("tonk"),
            ),
        )
    ]


def test_comments_blank_lines_spaces_and_case_do_not_matter():
    lines = (
        "\n# a comment\n  HAND  Voron :10S 8D=18   # said so\n\t\nTurn:Goblin\r\nGoblin :  DROP # ends\nTOTAL Voron=3"
    )
    assert items(lines) == [
        Item(4, "hand", 0, parse_cards("10s 8d"), 18),
        Item(6, "turn", 1),
        Item(7, "play", 1, plays=(Play("drop"),)),
        Item(8, "total", 0, stated=3),
    ]


def test_names_come_in_any_script_with_blanks_and_accents():
    names = ("Ворон", "Anna Maria", "阿德", "Zoë")
    record = parse_record(f"players: {', '.join(names)}\nВорон: drop\nAnna  Maria: drop\n阿德: drop\nZoë: drop")
    assert record.names == names
    assert [item.seat for item in record.items] == [0, 1, 2, 3]
    decomposed = unicodedata.normalize("NFD", "players: Zoë, B\nZoë: drop")
    assert parse_record(decomposed).items[0].seat == 0


def test_russian_cards_are_read():
    assert items("hand Voron: Тп 10ч Дб 2к")[0].cards == parse_cards("As 10h Qd 2c")


def test_two_decks_hold_a_card_twice():
    assert items("hand Voron: 8s 8s", decks=2)[0].cards == (parse_card("8s"),) * 2
    assert "8s is named 2 times" in problem("hand Voron: 8s 8s")


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("hand Bob: 10s", "unknown player 'Bob'"),
        ("Bob: drop", "unknown player 'Bob'"),
        ("voron: drop", "unknown player 'voron': the players are Voron, Goblin"),
        ("total Bob = 3", "unknown player 'Bob'"),
        ("turn: Bob", "unknown player 'Bob'"),
        ("what is this", "'what is this' cannot be read"),
        ("players: A, B", "named twice"),
        ("hand Voron: 10x", "'10x' is not a card"),
        ("hand Voron: 10s = x", "total 'x'"),
        ("hand Voron: 10s =", "total ''"),
        ("total Voron 31", "does not state a total"),
        ("total Voron = -3", "total '-3'"),
        ("up: 5c 6c", "2 cards are named"),
        ("up:", "0 cards are named"),
        ("pile:", "0 cards are named"),
        ("Voron:", "no action"),
        ("Voron: fold", "'fold' is no action: the actions are stock, up"),
        ("Voron: stock 6s 7s", "wrong number of cards"),
        ("Voron: discard", "wrong number of cards"),
        ("Voron: stock 6s; discard 6s 7s", "'discard 6s 7s' names a wrong number"),
        ("Voron: drop 9", "'9' is not a card"),
        ("Voron: lay", "wrong number of cards"),
        ("Voron: lay 8s 8s 8d", "8s is named 2 times"),
        ("Voron: hit 8s", "which meld is hit"),
        ("Voron: hit 8s on ", "which meld is hit"),
        ("Voron: hit on 8s 9s 10s", "wrong number of cards"),
        ("Voron: stock ??", "'??' is not a card"),
    ],
)
def test_a_line_of_a_wrong_form_is_a_problem_at_its_number(line, part):
    assert part in problem(line)
    assert part in problem(line, NAMES + "\n# more\nVoron: drop\n")


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("", 1, "the record is empty"),
        ("# nothing\n\n", 1, "the record is empty"),
        ("\nhand Voron: 10s\nplayers: A, B", 2, "not the list of players"),
        ("players: A, A", 1, "two players are called 'A'"),
        ("players: A,, B", 1, "cannot be called ''"),
        ("players:", 1, "cannot be called ''"),
        ("players: A, up", 1, "cannot be called 'up'"),
        ("players: A, Hand B", 1, "cannot be called 'Hand B'"),
        ("players: A, B;C", 1, "cannot be called 'B;C'"),
    ],
)
def test_without_a_list_of_players_nothing_else_is_read(text, line, part):
    record = parse_record(text)
    assert record.items == []
    assert [found.line for found in record.problems] == [line]
    assert part in record.problems[0].message


def test_every_wrong_line_is_found_and_the_others_are_read():
    record = parse_record(NAMES + "hand Bob: 2s\nhand Voron: 2s\nwhat\nVoron: drop\nVoron: flop")
    assert [found.line for found in record.problems] == [2, 4, 6]
    assert [item.line for item in record.items] == [3, 5]
