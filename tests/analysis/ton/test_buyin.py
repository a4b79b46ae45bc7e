"""The worth of the choices at the buy-in: estimates from solved deals, the command's JSON, what is refused."""

import json
import math
import shlex
import sys

import pytest

from analysis.main import main
from analysis.ton import TonRules, buy_in
from core.cards import parse_card, parse_cards
from core.errors import InputError
from core.ton.open_buyin import solve_options
from core.ton.spot import Spot

TRUMPLESS, TRUMP_CARD = "Ad 7d 8d Jh 9c", "9s"
FIELDS = {"value", "se", "low", "high", "n", "level"}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    """Return what runs a command in this process: exit status, standard output, standard error."""

    def run_(command: str) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["tonlab", *shlex.split(command)])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code, *capfd.readouterr()

    return run_


@pytest.mark.parametrize(("zero", "cost"), [("choice", 2.5), ("plus_only", 2.5), ("minus_only", 5)])
def test_estimates_are_the_moments_of_the_deals_solved(zero, cost):
    rules, deals = TonRules(zero_trick=zero), 400
    found = buy_in(TRUMPLESS, TRUMP_CARD, 3, plus_worth=2.5, rules=rules, deals=deals, seed=7)
    spot = Spot(rules, 3, 0, parse_cards(TRUMPLESS), parse_card(TRUMP_CARD))
    tricks = solve_options(spot, spot.sample_deals(deals, seed=7, first=0)).tolist()
    assert {option.option for option in found.options} == set(spot.options)
    for option in found.options:
        place = spot.options.index(option.option)
        pairs = [(row[place], row[0]) for row in tricks if row[place] >= 0]
        points = [own or -cost for own, _ in pairs]
        gains = [(own or -cost) - (other or -cost) for own, other in pairs]
        assert (len(pairs) == deals) == (option.option.split()[0] != "trumpless" or option.option == "trumpless")
        for estimate, values in ((option.tricks, [own for own, _ in pairs]), (option.points, points)):
            check_moments(estimate, values)
        if option.option == "refuse":
            assert (option.minus_refuse.low, option.minus_refuse.high) == (0, 0)
        else:
            check_moments(option.minus_refuse, gains)
        assert option.p_no_trick.value == sum(own == 0 for own, _ in pairs) / len(pairs)


def check_moments(estimate, values):
    average = sum(values) / len(values)
    assert estimate.n == len(values)
    assert estimate.value == pytest.approx(average)
    deviation = math.sqrt(sum((value - average) ** 2 for value in values) / (len(values) - 1) / len(values))
    assert estimate.se == pytest.approx(deviation)


def test_options_stand_best_first_and_a_plus_may_cost_less_than_the_minus():
    dear, cheap = (buy_in(TRUMPLESS, TRUMP_CARD, 2, plus_worth=worth, deals=1000) for worth in (None, 1))
    assert dear.plus_worth == 5
    for found in (dear, cheap):
        points = [option.points.value for option in found.options]
        assert points == sorted(points, reverse=True)
    by_name = [{option.option: option for option in found.options} for found in (dear, cheap)]
    for name, option in by_name[0].items():
        assert by_name[1][name].tricks == option.tricks
        gained = by_name[1][name].points.value - option.points.value
        assert gained == pytest.approx(4 * option.p_no_trick.value)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_five_top_trumps_take_all_tricks_and_refuse(players):
    found = buy_in("As Ks Qs Js 10s", "9s", players, deals=500)
    assert found.options[0].option == "refuse"
    assert (found.options[0].tricks.value, found.options[0].tricks.se) == (5, 0)
    assert all(option.minus_refuse.high < 0 for option in found.options[1:])


def test_equal_neighbours_are_worth_the_same():
    found = {option.option: option for option in buy_in(TRUMPLESS, TRUMP_CARD, 3, deals=1000).options}
    seven, eight = found["keep 7d"], found["keep 8d"]
    assert (seven.tricks, seven.points, seven.minus_refuse) == (eight.tricks, eight.points, eight.minus_refuse)


def test_numbers_do_not_depend_on_threads_and_precision_is_reached():
    found = [buy_in("As 7d 8d Jh 9c", "9s", 2, precision=0.03, threads=threads) for threads in (1, 2)]
    assert found[0] == found[1]
    assert max(option.tricks.half_width for option in found[0].options) <= 0.03
    assert all(option.tricks.half_width <= 0.02 for option in buy_in("As 7d 8d Jh 9c", "9s", 2).options)


def test_other_seeds_and_other_turned_cards_give_other_numbers():
    seen = [
        buy_in("As 7d 8d Jh 9c", "9s", 3, 1, cards, deals=500, seed=seed).options[0].tricks.value
        for cards, seed in (("", 1), ("", 2), ("Ks", 1), ("6d", 1))
    ]
    assert len(set(seen)) == 4
    # A king of trumps in the talon is worth more than a six: over ten errors.
    assert seen[2] > seen[3] + 0.5


def test_a_trump_that_lies_in_the_stock_too_seldom_is_left_out():
    """With six players the stock is one card, and one of 30."""
    found = buy_in("Ad 7d 8d Jh 9c", TRUMP_CARD, 6, deals=20)
    fetched = [option for option in found.options if option.option.startswith("trumpless ")]
    assert len(fetched) < 8
    assert all(option.tricks.n >= 2 for option in fetched)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("As 7d 8d Jh", "9s", 2), "a hand of 4 cards"),
        (("As 7d 8d Jh 9c", "9s 8s", 2), "'9s 8s' is not a card"),
        (("As 7d 8d Jh 9c", "As", 2), "As is named 2 times"),
        (("As 7d 8d Jh 9c", "9s", 3, 2), "the dealer never buys"),
        (("As 7d 8d Jh 9c", "9s", 3, 1, "6s 7s"), "seat 1 sees 1 at most"),
        (("As 7d 8d Jh 9c", "9s", 2, 0, "", "ply"), "unknown model 'ply': did you mean play"),
        (("As 7d 8d Jh 9c", "9s", 2, 0, "", "opne"), "did you mean open"),
        (("As 7d 8d Jh 9c", "9s", 2, 0, "", "open", -1.0), "plus_worth cannot be -1"),
        (("As 7d 8d Jh 9c", "9s", 2, 0, "", "open", math.nan), "plus_worth cannot be nan"),
    ],
)
def test_wrong_questions_are_refused(given, message):
    with pytest.raises(InputError, match=message):
        buy_in(*given, deals=10)


def test_json_of_the_command_is_the_functions_result(run):
    command = f"ton buyin --hand '{TRUMPLESS}' --trump-card {TRUMP_CARD} --players 2 --deals 300 --seed 4"
    outputs = [run(f"{command} --json --threads {threads}") for threads in (1, 2)]
    assert outputs[0] == outputs[1]
    status, out, error = outputs[0]
    assert (status, error) == (0, "")
    given = json.loads(out)
    assert given["model"] == "open"
    assert "all cards are open" in given["assumes"]
    assert (given["players"], given["seat"], given["seed"], given["plus_worth"]) == (2, 0, 4, 5)
    options = buy_in(TRUMPLESS, TRUMP_CARD, 2, deals=300, seed=4).options
    assert [option["option"] for option in given["options"]] == [option.option for option in options]
    for option, ours in zip(given["options"], options, strict=True):
        assert set(option) == {"option", "tricks", "points", "minus_refuse", "p_no_trick"}
        for name in ("tricks", "points", "minus_refuse", "p_no_trick"):
            assert set(option[name]) == FIELDS
            assert option[name]["value"] == getattr(ours, name).value


def test_table_names_the_model_and_every_choice(run):
    status, out, _ = run("ton buyin --hand 'Kd 7d 8d Jh 9c' --trump-card 9s --players 3 --seat 1 --seen Kh --deals 50")
    assert status == 0
    for text in ("model open, seat 1 of 3", "refuse", "keep Kd", "A plus counts as minus 5 points", "greedy"):
        assert text in out


@pytest.mark.parametrize(
    "wrong",
    ["--seen 6s", "--hand 'As As 8d Jh 9c'", "--seat 1", "--trump-card 8d", "--model ply", "--set trump_card=table"],
)
def test_wrong_input_is_one_line_and_status_2(run, wrong):
    command = f"ton buyin --hand 'As 7d 8d Jh 9c' --trump-card 9s --players 2 --deals 10 {wrong}"
    status, out, error = run(command)
    assert (status, out) == (2, "")
    assert error.count("\n") == 1
    assert error.startswith("tonlab: ")
