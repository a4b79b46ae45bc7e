"""Advice: obvious actions come first, payments are those of the reference engine, wrong input is one line."""

import json
import shlex
import sys
from dataclasses import replace
from statistics import fmean, stdev

import numpy as np
import pytest

from analysis.main import main
from analysis.tonk import TonkRules
from analysis.tonk.advice import advise, view_of_deal, view_of_record
from analysis.tonk.rolled import Rolled
from core.errors import InputError
from core.rng import word_stream
from core.tonk.actions import DROP, STOCK, legal_actions
from core.tonk.moves import apply
from core.tonk.policies import Simple
from core.tonk.view import view
from core.tonk.worlds import sample_world
from tests.core.tonk.hands import action
from tests.core.tonk.test_replay import EXAMPLE_1

SOURCE = TonkRules()
HAND, UP = "10s 8d 8h 5s 4c", "5c"

# Voron can go out with 9s, Goblin holds little, and Elmo's hand takes a hit.
MID_PLAY = """\
players: Voron, Goblin, Elmo
hand Voron: 7s 8s Kd
hand Goblin: Ac 2h
hand Elmo: Qh Jc 6d 2d 2c
table Elmo: 9h 9d 9c
table Goblin: Js Qs Ks
pile: 9s
"""


def advised(seen, deals=2000, name="simple"):
    return [(each.action, each) for each in advise(seen, name, deals=deals).actions]


# What is best


@pytest.mark.parametrize(
    ("hand", "rules"),
    [("As Ad Ah 2c 2d", TonkRules(low_tonk=None)), ("As", TonkRules(low_tonk=None, high_tonk=None, hand_size=1))],
)
def test_a_hand_of_few_points_drops(hand, rules):
    # Where nobody drops later, no more than 2 can be won; where others do, to wait for their failure may pay 3.
    found = advised(view_of_deal(3, hand, "Kc", rules), name="simple:0")
    assert {text for text, _ in found} == {"drop", "up", "stock"}
    assert found[0][0] == "drop"
    assert found[0][1].payment.value > 1.8


def test_a_hand_of_many_points_does_not_drop():
    found = advised(view_of_deal(3, "Ks Qd 10h 9c 8d", "3h", SOURCE))
    assert found[-1][0] == "drop"
    assert found[-1][1].minus_best.high < -2


def test_a_forced_meld_is_all_that_may_be_done():
    seen = view_of_deal(3, "7s 8s 9s Kd 2c 3h", "4c", SOURCE)
    [(text, only)] = advised(seen)
    assert text == "lay 7s 8s 9s"
    assert (only.minus_best.value, only.minus_best.se) == (0, 0)
    optional = advised(replace(seen, rules=TonkRules(meld_duty="optional")))
    assert len(optional) == 7


def test_going_out_at_once_is_worth_what_it_pays():
    first, *_ = found = advised(view_of_record(MID_PLAY.replace("7s 8s Kd", "7s 8s"), SOURCE))
    assert first[0] == "up"
    assert (first[1].payment.value, first[1].payment.se) == (2, 0)
    assert dict(found).keys() == {"drop", "up", "stock"}


def test_a_hit_is_written_as_a_record_writes_it():
    record = MID_PLAY.replace("pile: 9s", "pile: 10s") + "Voron: up 10s\n"
    texts = [text for text, _ in advised(view_of_record(record, SOURCE))]
    assert sorted(texts) == sorted(["hit 10s on Js Qs Ks", "discard 7s", "discard 8s", "discard 10s", "discard Kd"])
    # Each of them goes on with the record.
    for text in texts:
        view_of_record(f"{record}Voron: {text}\n", SOURCE)


@pytest.mark.parametrize("record", [MID_PLAY, MID_PLAY + "Voron: stock 3c\n", "\n".join(EXAMPLE_1.split("\n")[:10])])
def test_actions_stand_best_first_with_what_they_lose(record):
    seen = view_of_record(record, SOURCE)
    found = [each for _, each in advised(seen, deals=4000)]
    values = [each.payment.value for each in found]
    assert len(values) > 1
    assert values == sorted(values, reverse=True)
    assert (found[0].minus_best.value, found[0].minus_best.se) == (0, 0)
    for each in found:
        assert each.minus_best.value == pytest.approx(each.payment.value - values[0], abs=1e-9)
        assert each.minus_best.value <= 0
        assert each.payment.n == each.minus_best.n == 4000


# Payments


@pytest.mark.parametrize(
    ("seen", "drop_total"),
    [
        (view_of_deal(3, HAND, UP, SOURCE), 10),
        (view_of_deal(2, "10s 8d 8h 5s 4c 4d", UP, SOURCE), 20),
        (view_of_deal(4, "9s 8d 2h 5s 4c", None, TonkRules(up_card="no", stock_out="void", drop_penalty=3)), 25),
        (view_of_record(MID_PLAY, TonkRules(hit_hold="yes", out_pay=2, meld_duty="optional")), 6),
    ],
    ids=["first turn", "after the draw", "no up-card", "mid-play"],
)
def test_payments_are_those_of_the_reference_engine(seen, drop_total):
    worlds = 120
    for text, each in advised(seen, 20_000, f"simple:{drop_total}"):
        paid = [played_out(seen, text, Simple(drop_total), number) for number in range(worlds)]
        spread = (stdev(paid) ** 2 / worlds + each.payment.se**2) ** 0.5
        assert abs(fmean(paid) - each.payment.value) <= 5 * spread, (text, fmean(paid), each.payment)


def played_out(seen, text, policy, number):
    """Return what an action is paid in a world of another seed, all playing on by the policy."""
    state = sample_world(seen, word_stream(99, 7, number))
    state = apply(state, action(text.partition(" on ")[0]), word_stream(99, 8, number))
    while state.result is None:
        chosen = policy.choose(view(state, state.turn), legal_actions(state), iter(()))
        state = apply(state, chosen, word_stream(99, 8, number))
    return float(state.result.payments[seen.seat])


def test_threads_change_no_number_and_a_precision_is_kept():
    seen = view_of_deal(3, HAND, UP, SOURCE)
    assert advise(seen, threads=1, deals=9000, seed=3) == advise(seen, threads=2, deals=9000, seed=3)
    assert advise(seen, deals=9000, seed=3) != advise(seen, deals=9000, seed=4)
    found = advise(seen, precision=0.05)
    assert all(each.payment.half_width <= 0.05 for each in found.actions)
    assert found.actions[0].payment.n >= 5000


# What is seen


@pytest.mark.parametrize("options", [{}, {"decks": 2}, {"up_card": "no"}])
def test_a_record_s_first_turn_is_that_of_a_hand(options):
    rules = TonkRules(**options)
    up = UP if rules.up_card == "yes" else None
    lines = [
        "players: Voron, Goblin, Elmo",
        "hand Goblin: Kc 10c 3c 2s Ah",
        "hand Elmo: Qh 8c 6d 2d 2c",
        f"hand Voron: {HAND}",
    ]
    text = "\n".join(lines + ([f"up: {up}"] if up else []))
    assert view_of_record(text, rules) == view_of_deal(3, HAND, up, rules)
    drawn = view_of_record(f"{text}\nVoron: stock 4d", rules)
    assert drawn == view_of_deal(3, f"{HAND} 4d", up, rules)


def test_advice_depends_on_nothing_that_the_player_does_not_see():
    changed = MID_PLAY.replace("Ac 2h", "3d 3h").replace("Qh Jc 6d 2d 2c", "4h 5c 10d Ad As")
    assert advised(view_of_record(MID_PLAY, SOURCE)) == advised(view_of_record(changed, SOURCE))


def test_positions_and_policies_that_cannot_be_are_refused():
    seen = view_of_deal(3, HAND, UP, SOURCE)
    for name, said in (("rollout:5", "rollout is too slow"), ("simpel", "did you mean simple")):
        with pytest.raises(InputError, match=said):
            advise(seen, name, deals=10)
    rolled = Rolled(replace(seen, rules=TonkRules(drop_penalty=1000)), (DROP, STOCK), Simple(), 1)
    with pytest.raises(InputError, match="hands at most"):
        rolled.count([np.zeros(shape, np.int64) for shape in rolled.shapes], 10**6, 10**6 + 1)


# The command


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Return what runs `tonlab tonk advise`; {file} in the options is a file of that content."""
    monkeypatch.setenv("COLUMNS", "140")

    def run_(options: str, content: str = ""):
        path = tmp_path / "hand.txt"
        path.write_text(content, encoding="utf-8")
        words = shlex.split(options.replace("{file}", str(path)))
        monkeypatch.setattr(sys, "argv", ["tonlab", "tonk", "advise", *words])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code, *capsys.readouterr()

    return run_


def test_the_command_prints_the_agreed_json(run):
    status, out, err = run(f"--hand '{HAND}' --up {UP} --players 3 --policy simple:12 --deals 500 --seed 4 --json")
    assert (status, err, out.count("\n")) == (0, "", 1)
    found = json.loads(out)
    assert {each["action"] for each in found["actions"]} == {"drop", "up", "stock"}
    fields = {"value", "se", "low", "high", "n", "level"}
    for each in found["actions"]:
        assert each.keys() == {"action", "payment", "minus_best"}
        assert each["payment"].keys() == each["minus_best"].keys() == fields
    assert (found["policy"], found["seed"], found["rules"]["decks"]) == ("simple:12", 4, 1)
    expected = advise(view_of_deal(3, HAND, UP, SOURCE), "simple:12", deals=500, seed=4)
    assert [each["payment"]["value"] for each in found["actions"]] == [each.payment.value for each in expected.actions]


def test_the_command_prints_a_table_of_a_record(run):
    status, out, err = run("{file} --deals 500 --set hit_hold=yes", MID_PLAY)
    assert (status, err) == (0, "")
    assert out.count("best") == 2  # the column's head, and the first action
    assert out.index("up") < out.index("stock")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("", "either a recorded hand, or --hand"),
        (f"{{file}} --hand '{HAND}' --players 3", "either a recorded hand, or --hand"),
        ("{file} --players 3", "stand in the recorded hand"),
        ("{file} --up 5c", "stand in the recorded hand"),
        (f"--hand '{HAND}' --up 5c", "--players"),
        (f"--hand '{HAND}' --players 3", "--up"),
        (f"--hand '{HAND}' --players 3 --up 5c --set up_card=no", "no card is turned up"),
        (f"--hand '{HAND}' --players 3 --up 8d", "8d"),
        (f"--hand '{HAND}' --players 3 --up '5c 6c'", "5c 6c"),
        (f"--hand '{HAND}' --players 11 --up 5c", "11 players"),
        ("--hand '8d 8h 5s 4c' --players 3 --up 5c", "4 cards"),
        ("--hand '10s 9s 8d 8h 5s 4c 4d' --players 3 --up 5c", "7 cards"),
        ("--hand '' --players 3 --up 5c", "0 cards"),
        ("--hand '8d 8d 5s 4c Kd' --players 3 --up 5c", "8d"),
        ("--hand 'As 2d 3d 4d 5d' --players 3 --up 5c", "As 2d 3d 4d 5d is a TONK"),
        ("--hand 'Ks Kd Qd Jd 9d' --players 3 --up 5c", "Ks Kd"),
        (f"--hand '{HAND}' --players 3 --up 5c --policy best", "'best'"),
        (f"--hand '{HAND}' --players 3 --up 5c --policy rollout", "rollout is too slow"),
        (f"--hand '{HAND}' --players 3 --up 5c --policy threshold:no.json", "no.json"),
        (f"--hand '{HAND}' --players 3 --up 5c --deals 1", "deals"),
        (f"--hand '{HAND}' --players 3 --up 5c --precision 0", "precision"),
        (f"--hand '{HAND}' --players 3 --up 5c --set decks=0", "decks"),
        ("no-such-file.txt", "no-such-file.txt"),
    ],
)
def test_wrong_input_is_refused_in_one_line(run, options, named):
    assert_refused(run(options, MID_PLAY), named)


@pytest.mark.parametrize(
    ("record", "named"),
    [
        ("", "empty"),
        ("players: Voron, Goblin\nup: 5c\n", "no hand is given"),
        (MID_PLAY + "Voron: drop\n", "over"),
        (MID_PLAY + "Voron: up 9s; discard 2h\n", "line 8"),
        (MID_PLAY + "Elmo: drop\n", "line 8"),
        (MID_PLAY.replace("Kd", "9s"), "line 7"),
    ],
)
def test_a_record_without_a_move_to_advise_on_is_refused_in_one_line(run, record, named):
    assert_refused(run("{file}", record), named)


def assert_refused(done, named):
    status, out, err = done
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert named in err
    assert "Traceback" not in err
