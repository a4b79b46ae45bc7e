"""Advice in Ton: each action's value is that of the readable engine in the same worlds; what may be asked, and how."""

import json
import random
import sys

import pytest

from analysis.main import main
from analysis.ton.advice import advise, view_of_deal, view_of_record
from core.errors import InputError
from core.ton.engine import apply, legal_actions, start
from core.ton.play import play_out
from core.ton.policies import policy
from core.ton.rules import TonRules
from core.ton.score import result
from core.ton.view import view
from core.ton.worlds import sample_worlds
from tests.core.ton.hands import random_hand, random_rules

RECORD = """
players: A, B, C
points: 0 13 4
hand A: ?
hand B: Kd Qd 6s 10c 7h
hand C: ?
talon: 6c ? ? ?
trump: 9s
A: refuse
"""


def random_position(chance):
    """Return a state of a hand played at random, at some decision."""
    rules = random_rules(chance)
    _, _, steps, _ = random_hand(rules, chance.randint(2, 5), chance)
    return chance.choice(steps)[0]


@pytest.mark.parametrize("number", range(24))
def test_values_are_those_of_the_readable_engine_in_the_same_worlds(number):
    state = random_position(random.Random(number))
    seen, plain, deals = view(state, state.seat), policy("plain", state.players), 6
    found = advise(seen, "plain", deals=deals, seed=3)
    actions = legal_actions(seen)
    assert sorted(each.action for each in found.actions) == sorted(
        str(action).replace("fetch", "trumpless") for action in actions
    )
    worlds = sample_worlds(seen, deals, 3)
    for each in found.actions:
        total = 0
        for world in worlds:
            action = next(a for a in actions if str(a).replace("fetch", "trumpless") == each.action)
            end, _ = play_out(apply(world.state, action), [plain] * state.players, iter(()))
            given = result(end)
            total += given.points[state.seat] - state.rules.zero_trick_points * given.pluses[state.seat]
        assert each.payment.value == pytest.approx(total / deals), (number, each.action)
    values = [each.payment.value for each in found.actions]
    assert values == sorted(values, reverse=True)
    assert found.actions[-1].minus_best.value == pytest.approx(values[-1] - values[0])


def test_advice_depends_on_nothing_that_the_player_does_not_see():
    deal, first, _, _ = random_hand(TonRules(five_bid="off"), 3, random.Random(1))
    hidden = [*deal.hands[1], *deal.hands[2], *deal.talon, *deal.stock]
    random.Random(2).shuffle(hidden)
    other = deal._replace(
        hands=(deal.hands[0], tuple(hidden[:5]), tuple(hidden[5:10])),
        talon=tuple(hidden[10:14]),
        stock=tuple(hidden[14:]),
    )
    one = advise(view(first, 0), "greedy", deals=50)
    assert advise(view(start(first.rules, other, records=first.records), 0), "greedy", deals=50) == one


def test_numbers_are_the_same_on_any_threads():
    seen = view_of_deal(3, "As 7d 8d Jh 9c", "9s", 0, "", TonRules())
    assert advise(seen, "greedy", deals=2500, threads=1) == advise(seen, "greedy", deals=2500, threads=2)


def test_a_record_s_view_is_that_of_the_player_to_act():
    seen = view_of_record(RECORD, TonRules())
    assert (seen.seat, seen.phase, seen.players) == (1, "buy", 3)
    assert seen == view_of_deal(3, "Kd Qd 6s 10c 7h", "9s", 1, "6c", TonRules(), (0, 13, 4))


def test_without_a_trump_card_a_bid_is_asked_for():
    seen = view_of_deal(2, "As Ks Qs Js 10s", None, 1, "", TonRules())
    found = advise(seen, "greedy", deals=100)
    assert (found.phase, found.seat) == ("bid", 1)
    assert {each.action for each in found.actions} == {"pass", "five"}
    lead = advise(view_of_deal(2, "As Ks Qs Js 10s", None, 0, "", TonRules()), "greedy", deals=100)
    assert (lead.actions[0].action, lead.actions[0].payment.value) == ("five", 5)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((3, "As 7d 8d Jh", "9s", 0, ""), "4 cards"),
        ((3, "As 7d 8d Jh 9c", "As", 0, ""), "As"),
        ((3, "As 7d 8d Jh 2c", "9s", 0, ""), "2c is not in the deck"),
        ((3, "As 7d 8d Jh 9c", "9s", 3, ""), "seat 3 is not a seat"),
        ((3, "As 7d 8d Jh 9c", "9s", 2, "6c 7c"), "seat 2 is not asked whether it buys"),
        ((3, "As 7d 8d Jh 9c", "9s", 1, ""), "0 talon cards are given: 1"),
        ((7, "As 7d 8d Jh 9c", "9s", 0, ""), "7 players"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(given, named):
    with pytest.raises(InputError, match=named):
        view_of_deal(*given, TonRules())


def test_a_record_without_a_decision_is_refused():
    with pytest.raises(InputError, match="cards of A, who is to act, are not given"):
        view_of_record(RECORD.replace("A: refuse", ""), TonRules())
    with pytest.raises(InputError, match="line 10: "):
        view_of_record(RECORD + "C: refuse\n", TonRules())


def test_the_command_prints_the_agreed_json(monkeypatch, capsys, tmp_path):
    path = tmp_path / "hand.txt"
    path.write_text(RECORD)
    monkeypatch.setattr(
        sys, "argv", ["tonlab", "ton", "advise", str(path), "--policy", "greedy", "--deals", "60", "--json"]
    )
    with pytest.raises(SystemExit) as stopped:
        main()
    out, err = capsys.readouterr()
    assert (stopped.value.code, err) == (0, "")
    found = json.loads(out)
    assert {"actions", "seat", "phase", "policy", "plus_worth", "seed", "rules", "version"} == set(found)
    assert all(set(each) == {"action", "payment", "minus_best"} for each in found["actions"])
    assert len(found["actions"]) == 6
