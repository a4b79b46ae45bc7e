"""Replays: the source's two examples, every kind of illegal line at its number, and whole hands written out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cards import format_card, format_cards
from core.rng import word_stream
from core.tonk.moves import apply
from core.tonk.play import RESHUFFLE, deal_hand, play
from core.tonk.policies import Simple
from core.tonk.replay import Replay, replay
from core.tonk.rules import TonkRules

EXAMPLE_1 = """\
# The source's first example, to its end.
players: Ворон, Гоблин, Эльмо
hand Ворон: 10s 8d 8h 5s 4c = 35
hand Гоблин: Kc 10c 3c 2s Ah = 26
hand Эльмо: Qh 8c 6d 2d 2c = 28
up: 5c
Ворон: stock 6s; discard 10s
Гоблин: stock Ac; discard Kc
Эльмо: stock 7s; discard Qh
total Ворон = 31
total Гоблин = 17
total Эльмо = 25
pile: Qh
Ворон: stock 8s; lay 8h 8d 8s; discard 6s
Гоблин: stock 3s; discard 10c
Эльмо: stock 7h; discard 8c
total Ворон = 9
total Гоблин = 10
total Эльмо = 25
pile: 8c
Ворон: drop
"""

EXAMPLE_2 = """\
players: Voron, Goblin, Elmo
hand Voron: Qc 10s 9s 6h 5h = 40
hand Goblin: Jc 10c 4s 4c As = 29
hand Elmo: 8s 7h 5d 2d Ad = 23
pile: Qd

Voron: stock Js; lay Js 10s 9s; discard Qc
Goblin: up Qc; lay Qc Jc 10c; discard 4s
Elmo: stock 10h; hit 8s on Js 10s 9s; discard 10h
total Voron = 11
total Goblin = 5
total Elmo = 15
pile: Qd
Voron: stock 9h; discard 9h
Goblin: drop
"""

START = """\
players: A, B
hand A: 10s 8d 8h 5s 4c
hand B: Kc 10c 3c 2s Ah
up: 5c
"""
MIDDLE = """\
players: A, B
hand A: 5s 6s 9c Kd
hand B: 2s 3s Qc
table A: 7h 8h 9h
pile: 4h Qd
"""


PIECES = [
    f"{name}: {action}"
    for name in "AB"
    for action in (
        "stock 6s", "stock Qh; discard Qh", "stock Jd; discard Jd", "stock 7s; lay 5s 6s 7s; discard Kd", "stock", "up",
        "up; discard 5c", "up; discard Qd", "discard Kc", "drop", "tonk", "lay 8d 8h 8s", "hit 10h on 8h",
    )
]  # fmt: skip


def played(lines, start=START, **options) -> Replay:
    return replay(start + lines, TonkRules(**options))


def errors(lines, start=START, **options):
    """Return (line, message) of each error; lines are counted from the first after `start`."""
    found = played(lines, start, **options)
    assert found.legal == (not found.errors)
    assert not (found.errors and found.result)
    for error in found.errors:
        assert error.message.splitlines() == [error.message]
    return [(error.line - start.count("\n"), error.message) for error in found.errors]


def one_error(lines, start=START, **options):
    found = errors(lines, start, **options)
    assert len(found) == 1
    return found[0]


# The source's examples


def test_the_first_example_is_legal_but_for_a_total_of_24_stated_as_25():
    found = replay(EXAMPLE_1, TonkRules())
    assert found.errors == ()
    assert found.warnings == ((19, 25, 24),)
    assert (found.result.kind, found.result.winner) == ("drop_won", 0)
    assert found.result.payments == (2, -1, -1)


def test_the_source_prints_the_first_wrong_total_one_round_earlier():
    # After the first round Elmo's 8c 7s 6d 2d 2c is 25, as printed; after the second, 7s 7h 6d 2d 2c is 24.
    assert all(slip.line != 12 for slip in replay(EXAMPLE_1, TonkRules()).warnings)


def test_the_second_example_is_legal_but_for_the_pile_of_10h_stated_as_qd():
    found = replay(EXAMPLE_2, TonkRules())
    assert found.errors == ()
    assert found.warnings == ((13, "Qd", "10h"),)
    assert (found.result.kind, found.result.winner) == ("drop_won", 1)
    assert found.result.payments == (-1, 2, -1)
    assert [format_cards(meld.cards) for meld in found.state.table] == ["8s 9s 10s Js", "10c Jc Qc"]


@pytest.mark.parametrize("example", [EXAMPLE_1, EXAMPLE_2])
def test_the_examples_are_not_legal_where_only_a_first_turn_may_drop(example):
    found = replay(example, TonkRules(drop_allowed="first_turn"))
    assert [error.line for error in found.errors] == [example.count("\n")]
    assert "first turn only" in found.errors[0].message


# Illegal play, each kind at its line


@pytest.mark.parametrize(
    ("lines", "line", "part"),
    [
        ("A: stock 6s; discard 6s\nB: discard Kc", 2, "B cannot discard Kc: a card is taken before any discard (K9)"),
        ("A: stock 8d; discard 10s", 1, "A cannot take 8d from the stock: A holds it (K9)"),
        ("A: stock Kc; discard 10s", 1, "B holds it"),
        ("A: stock 5c; discard 10s", 1, "it lies in the pile"),
        ("A: stock; discard 10s", 1, "is not named"),
        ("A: up 6c; discard 10s", 1, "A cannot take 6c: the top of the pile is 5c (K9)"),
        ("A: stock 6s; discard Qs", 1, "A cannot discard Qs: not in hand: Qs"),
        ("A: stock 6s; discard Kc", 1, "not in hand: Kc"),
        ("A: stock 6s; stock 7s; discard 10s", 1, "a turn takes one card only (K9)"),
        ("A: stock 6s; up 5c; discard 10s", 1, "a turn takes one card only (K9)"),
        ("A: stock 6s; drop", 1, "a player who has drawn cannot drop (K7)"),
        ("A: stock 6s; lay 8d 8h 6s; discard 10s", 1, "8d 8h 6s is no meld (K10)"),
        ("A: stock 6s; lay 8d 8h 8s; discard 10s", 1, "not in hand: 8s"),
        ("A: stock 6s; lay 8d 8h; discard 10s", 1, "8d 8h is no meld (K10)"),
        ("A: lay 8d 8h 8s; discard 10s", 1, "a card is taken before any lay (K9)"),
        ("A: stock 6s; hit 6s on 7s 8s 9s; discard 10s", 1, "7s 8s 9s is not on the table (K11)"),
        ("A: stock 6s; discard 10s; discard 6s", 1, "A cannot discard after the discard (K9)"),
        ("A: stock 6s; discard 10s; drop", 1, "A cannot drop after the discard (K9)"),
        ("A: stock 6s\nB: stock 7s; discard 7s", 1, "A has not discarded (K9)"),
        ("A: drop\nB: stock 7s; discard 7s", 2, "B cannot stock: the hand is over"),
        ("A: drop; tonk", 1, "A has no TONK: it counts on the deal only (K4, K5)"),
        ("A: tonk\nA: drop", 1, "A has no TONK: it counts on the deal only (K4, K5)"),
    ],
)
def test_an_illegal_action_is_found_at_its_line(lines, line, part):
    found, message = one_error(lines)
    assert found == line
    assert part in message


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        ("A: stock 7s; hit Kd on 7h 8h 9h; discard 7s", "Kd cannot be hit onto 7h 8h 9h (K11)"),
        ("A: stock 8h; discard Kd", "8h from the stock: it lies on the table (K9)"),
        ("A: stock Kh; discard Kd\nA: drop", "A is not to play, B is (K6)"),
        ("A: stock 7s; discard Kd", "a meld in hand must be laid: 5s 6s 7s (K10)"),
    ],
)
def test_illegal_actions_in_mid_play(lines, part):
    assert part in one_error(lines, MIDDLE)[1]


def test_set_fourth_decides_a_hit_onto_a_set():
    start = "players: A, B\nhand A: 5s 6s\nhand B: 2s 3s\ntable A: 7h 7d 7c\npile: Qd\n"
    lines = "A: stock 7s; hit 7s on 7h 7d 7c; discard 6s"
    assert "7s cannot be hit onto 7h 7d 7c (K11)" in one_error(lines, start)[1]
    assert errors(lines, start, set_fourth="allowed") == []


def test_a_replay_goes_on_after_a_turn_out_of_order_and_an_unlaid_meld():
    found = errors("B: stock 6s; discard Kc\nB: stock 7s; discard 10c\nA: stock 8s; discard 10s\nB: drop; discard 3c")
    assert [line for line, _ in found] == [1, 2, 3, 4]
    assert "B is not to play, A is (K6)" in found[0][1]
    assert "8d 8h" not in found[1][1]
    assert "a meld in hand must be laid: 8s 8h 8d (K10)" in found[2][1]
    assert "the hand is over" in found[3][1]


def test_after_another_illegal_action_later_lines_are_read_but_not_judged():
    found = errors("A: stock 6s; discard Qs\nB: drop\nB: drop\ntotal A = 3\nA: jump")
    assert [line for line, _ in found] == [1, 5]
    assert played("A: stock 6s; discard Qs\ntotal A = 3").warnings == ()


def test_after_an_unreadable_turn_later_turns_are_not_judged():
    assert [line for line, _ in errors("A: stock 6s; discard 10s\nB: jump\nB: drop\nB: drop")] == [2]
    assert [line for line, _ in errors("A: stock 6s; discard Qs\nB: jump")] == [1, 2]


def test_a_drop_under_a_hold_is_refused():
    start = "players: A, B\nhand A: 6h 6s Kd\nhand B: 2s 3s Qc\ntable B: 7h 8h 9h\npile: Qd\n"
    lines = "A: stock Kh; hit 6h on 7h 8h 9h; discard Kd\nB: drop"
    assert errors(lines, start) == []
    assert "hit_hold" in one_error(lines, start, hit_hold="yes")[1]


# The first position


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("players: A, B\nhand A: 10s 8d 8h 5s 4c\nup: 5c", 1, "no hand is given for B"),
        ("players: A\nhand A: 10s 8d 8h 5s 4c\nup: 5c", 1, "(K1)"),
        ("players: A, B\nhand A: 10s 8d 8h 5s\nhand B: Kc 10c 3c 2s Ah\nup: 5c", 2, "A has 4 cards, not 5 (K2)"),
        ("players: A, B\nhand A: 10s 8d 8h 5s 4c 4d\nhand B: Kc 10c 3c 2s Ah\nup: 5c", 2, "A has 6 cards, not 5 (K2)"),
        ("players: A, B\nhand A: 10s 8d 8h 5s 4c\nhand B: Kc 10c 3c 2s 4c\nup: 5c", 3, "4c stands already in line 2"),
        (START.replace("up: 5c", "up: Kc"), 4, "Kc stands already in line 3 (K2)"),
        (START.replace("up: 5c\n", ""), 1, "the up-card is not given"),
        (START + "up: 6c", 5, "up is given already in line 4"),
        (START + "hand A: 10d Jd Qd Kd 9d", 5, "hand of A is given already in line 2"),
        (START + "A: stock 6s; discard 6s\nturn: A", 6, "turn belongs before the first turn"),
        (START + "A: stock 6s; discard 6s\nup: 9d", 6, "up belongs before the first turn"),
        (START + "turn: A\nturn: B", 6, "turn is given already in line 5"),
        (MIDDLE + "up: 9s", 6, "up is given already in line 5"),
        (MIDDLE + "table B: 7s 8s 9d", 6, "7s 8s 9d is no meld (K10)"),
        (MIDDLE + "table B: 7s 8s 9h", 6, "9h stands already in line 4"),
        (MIDDLE.replace("2s 3s Qc", "2s 3s Qc 4s 4c Jd"), 3, "B has 6 cards, not 1 to 5 (K2)"),
        (MIDDLE.replace("2s 3s Qc", ""), 3, "B has 0 cards, not 1 to 5 (K2)"),
    ],
)
def test_a_wrong_first_position_is_found_at_its_line(text, line, part):
    found = replay(text, TonkRules())
    assert (line, True) in [(error.line, part in error.message) for error in found.errors]
    assert not found.legal
    assert found.result is None


def test_a_line_that_cannot_be_read_is_the_only_error():
    assert [error.line for error in replay(START.replace("hand B: Kc", "hand B: Kx"), TonkRules()).errors] == [3]


def test_stated_totals_of_dealt_hands_are_checked():
    found = played("", START.replace("4c\n", "4c = 36\n"))
    assert found.legal
    assert found.warnings == ((2, 36, 35),)


def test_pile_after_the_up_card_is_a_check():
    assert played("pile: 5c").warnings == ()
    assert played("pile: 6c").warnings == ((5, "6c", "5c"),)
    assert played("A: up 5c\npile: 5c").warnings == ((6, "5c", "empty"),)


def test_mid_play_begins_where_the_record_says():
    found = played("turn: B\nB: drop", MIDDLE)
    assert found.result.kind == "drop_won"
    assert found.state.turns == (2, 2)
    # 15 points are no TONK here (K5), and the first turns are over.
    assert played("turn: B\n", MIDDLE).state.result is None
    assert "first turn only" in one_error("turn: B\nB: drop", MIDDLE, drop_allowed="first_turn")[1]


def test_a_record_may_stop_anywhere():
    for lines in ("", "A: stock 6s", "A: stock 6s; discard 10s", "A: stock 8s; lay 8s 8h 8d"):
        found = played(lines)
        assert found.legal
        assert found.result is None


def test_a_turn_may_take_several_lines():
    assert errors("A: stock 8s\nA: lay 8s 8h 8d\ntotal A = 19\nA: discard 10s\nB: drop") == []


# TONK


TONK = START.replace("Kc 10c 3c 2s Ah", "3c 2s Ah Ad 4s")


def test_a_tonk_ends_the_hand_and_may_be_declared():
    for lines in ("", "B: tonk"):
        found = played(lines, TONK)
        assert (found.result.kind, found.result.winner, found.result.payments) == ("tonk", 1, (-2, 2))
    assert "A has no TONK: the total is 35 (K4)" in one_error("A: tonk", TONK)[1]
    assert "the hand is over by a TONK on the deal (K4)" in one_error("A: stock 6s; discard 6s", TONK)[1]
    assert errors("A: stock 6s; discard 6s", TONK, low_tonk=10) == []


# Melds and the pile


def test_a_meld_is_named_by_some_or_all_of_its_cards():
    for name in ("7h 8h 9h", "9h 7h", "8h"):
        found = played(f"A: stock 10h; hit 10h on {name}; discard Kd", MIDDLE)
        assert found.legal
        assert format_cards(found.state.table[0].cards) == "7h 8h 9h 10h"
    assert "7h 10h is not on the table" in one_error("A: stock 10h; hit 10h on 7h 10h; discard Kd", MIDDLE)[1]


def test_several_cards_are_hit_in_the_order_written():
    start = MIDDLE.replace("5s 6s 9c Kd", "5s 10h 9c Kd")
    assert errors("A: stock Jh; hit 10h Jh on 7h 8h 9h; discard Kd", start) == []
    assert "Jh cannot be hit" in one_error("A: stock Jh; hit Jh 10h on 7h 8h 9h; discard Kd", start)[1]


def test_with_two_decks_the_meld_that_takes_the_card_is_meant():
    start = "players: A, B\nhand A: 5s 10h\nhand B: 2s 3s\ntable A: 9h 10h Jh\ntable B: 9h 9d 9c\npile: Qd\n"
    found = played("A: stock 8h; hit 8h on 9h; discard 5s", start, decks=2)
    assert found.legal
    assert format_cards(found.state.table[0].cards) == "8h 9h 10h Jh"
    assert played("A: stock 9h; discard 5s", start, decks=2).errors[0].message.startswith("A cannot take 9h")


# The stock runs out


def short(rules):
    """Return a hand recorded until its stock is empty: everybody discards what he drew."""
    state = deal_hand(rules, 9, 4, 0)
    text = ["players: " + ", ".join(f"P{seat}" for seat in range(9))]
    text += [f"hand P{seat}: {format_cards(hand)}" for seat, hand in enumerate(state.hands)]
    text.append(f"up: {format_cards(state.pile)}")
    text += [
        f"P{turn}: stock {format_card(card)}; discard {format_card(card)}" for turn, card in enumerate(state.stock)
    ]
    return "\n".join(text) + "\n", len(state.stock)


@pytest.mark.parametrize(("stock_out", "paid"), [("showdown", True), ("void", False)])
def test_an_empty_stock_is_written_without_a_card(stock_out, paid):
    rules = TonkRules(stock_out=stock_out, low_tonk=None, high_tonk=None, meld_duty="optional")
    text, turns = short(rules)
    found = replay(f"{text}P{turns}: stock", rules)
    assert found.legal
    assert found.result.kind == "stock_out"
    assert any(found.result.payments) == paid
    before = text.rstrip().rsplit("\n", 1)[0]
    assert "is not named" in replay(f"{before}\nP{turns - 1}: stock", rules).errors[0].message
    assert "lies in the pile" in replay(f"{text}P{turns}: stock {text.split()[-1]}", rules).errors[0].message


def test_after_a_reshuffle_the_stock_gives_a_card_of_the_pile_below_its_top():
    rules = TonkRules(stock_out="reshuffle", low_tonk=None, high_tonk=None, meld_duty="optional")
    text, turns = short(rules)
    *_, below, top = [line.split()[-1] for line in text.splitlines()]
    assert replay(f"{text}P{turns}: stock {below}; discard {below}", rules).legal
    assert "lies in the pile" in replay(f"{text}P{turns}: stock {top}; discard {top}", rules).errors[0].message
    assert "is not named" in replay(f"{text}P{turns}: stock", rules).errors[0].message


def test_in_mid_play_the_stock_may_be_empty_at_any_time():
    assert played("A: stock", MIDDLE).result.kind == "stock_out"


# Any text


@settings(deadline=None, max_examples=200)
@given(data=st.data(), options=st.sampled_from([{}, {"stock_out": "reshuffle", "decks": 2}, {"up_card": "no"}]))
def test_any_mixture_of_lines_is_judged_without_fail(data, options):
    known = (START + MIDDLE + EXAMPLE_2.replace("Voron", "A").replace("Goblin", "B")).splitlines()
    lines = data.draw(st.lists(st.sampled_from(known) | st.sampled_from(PIECES), max_size=14))
    text = data.draw(st.sampled_from([START, MIDDLE, ""])) + "\n".join(lines)
    found = replay(text, TonkRules(**options))
    for error in found.errors:
        assert 1 <= error.line <= max(1, text.count("\n") + 1)
        assert error.message.splitlines() == [error.message]
    assert list(found.errors) == sorted(found.errors)
    if found.result:
        assert sum(found.result.payments) == 0


# Whole hands


def written(rules, names, seed, deal):
    """Play a hand by `simple` and write it out as a record."""
    players = len(names)
    state = deal_hand(rules, players, seed, deal)
    text = [f"players: {', '.join(names)}"]
    text += [f"hand {name}: {format_cards(hand)}" for name, hand in zip(names, state.hands, strict=True)]
    text += [f"up: {format_card(state.pile[0])}"] if state.pile else []
    result, actions, _ = play(rules, players, [Simple(6)] * players, seed, deal)
    words = ""
    for seat, action in actions:
        before, state = state, apply(state, action, word_stream(seed, RESHUFFLE, deal))
        cards = f" {format_cards(action.cards)}" if action.cards else ""
        if action.kind == "stock" and state.drawn:
            (card,) = set(state.hands[seat]) - set(before.hands[seat])
            cards = f" {format_card(card)}"
        on = f" on {format_cards(before.table[action.meld].cards)}" if action.kind == "hit" else ""
        words += f"{action.kind}{cards}{on}; "
        if state.turn != seat or state.result:
            text += [f"{names[seat]}: {words}", *(f"total {n} = {t}" for n, t in zip(names, state.totals, strict=True))]
            words = ""
    return "\n".join(text), result


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"stock_out": "reshuffle", "meld_duty": "optional", "set_fourth": "allowed"},
        {"up_card": "no"},
        {"hit_hold": "yes"},
    ],
    ids=str,
)
def test_whole_hands_written_out_replay_to_their_result(options):
    rules = TonkRules(**options)
    names = ("Voron", "Гоблин", "Elmo", "D", "E", "F")
    kinds = set()
    for deal in range(90):
        text, result = written(rules, names[: 2 + deal % 5], 13, deal)
        found = replay(text, rules)
        assert (found.errors, found.warnings) == ((), ())
        assert found.result == result
        kinds.add(result.kind)
    assert {"tonk", "drop_won", "drop_lost", "out"} <= kinds
