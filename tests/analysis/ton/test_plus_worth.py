"""What a plus is worth by the race: from matches worked out by hand, and from sampled hands."""

import json
import sys

import pytest

from analysis.main import main
from analysis.ton.choices import best_choices
from analysis.ton.hand_results import same_results
from analysis.ton.plus_worth import plus_worth, worth_at
from core.errors import InputError
from core.ton.outcomes import Outcome
from core.ton.rules import TonRules

# Each hand is one trick, taken by either seat with the same chance; the target is 2. A minus of 1 point more.
RULES = TonRules(
    target_points=2, zero_trick_points=1, must_play_points=99, pot_plus_points=99, hand_size=2, talon_size=1
)
TOSS = same_results(2, {Outcome((0, -1)): 0.5, Outcome((1, -1)): 0.5}, hand_size=2)


def test_a_plus_costs_its_price_times_the_chance_to_lose_and_a_point_what_it_changes_of_the_win():
    choices = best_choices(TOSS, RULES, floor=-3)
    # At 1 to 1 the next point decides: 20 are at stake, and a plus of 10 is paid in half of the matches. One point less
    # leaves one win in four, as two points in a row are needed: 5 money less.
    assert worth_at(choices, (1, 1)) == pytest.approx(1 * (10 * 0.5) / (20 * 0.25))


def test_points_that_cost_nothing_have_no_exchange_rate():
    choices = best_choices(TOSS, RULES.replace(zero_trick_points=0), floor=-3)
    with pytest.raises(InputError, match="0 points less cost nothing"):
        worth_at(choices, (1, 1))


def test_worth_from_sampled_hands_is_the_same_for_any_threads_and_less_for_who_leads(tmp_path):
    found = plus_worth([5, 5], deals=20_000, threads=1)
    assert plus_worth([5, 5], deals=20_000, threads=2, store=tmp_path) == found
    # Who leads seldom pays for it, and who is behind does better to take minus 5.
    assert plus_worth([9, 2], deals=20_000) < found < 5 < plus_worth([2, 9], deals=20_000)


def test_command_prints_what_the_buy_in_takes(monkeypatch, capfd):
    def run(*words):
        monkeypatch.setattr(sys, "argv", ["tonlab", "ton", "plus-worth", *words])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code, *capfd.readouterr()

    status, out, _ = run("--points", "5,5", "--deals", "20000", "--json")
    assert status == 0
    assert json.loads(out)["plus_worth"] == plus_worth([5, 5], deals=20_000)
    assert run("--points", "5,5", "--deals", "20000")[1] == f"{json.loads(out)['plus_worth']:.3f}\n"
    assert run("--points", "5") == (2, "", "tonlab: points '5': the race is solved for two or three players\n")
    assert run("--points", "5,15") == (2, "", "tonlab: points 15: from -5 to 14 here\n")
