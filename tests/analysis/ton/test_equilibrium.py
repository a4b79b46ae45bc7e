"""Measures of Ton's hand of two, and the command that trains a table."""

import json

import numpy as np
import pytest

from analysis.main import main
from analysis.ton.equilibrium import Contrast, against, reply_gain, value
from core.errors import InputError
from core.ton.equilibrium import Equilibrium, HeadsUpStrategy, load_strategy
from core.ton.heads_up import heads_up_rules
from core.ton.heads_up_training import train
from core.ton.play import play
from core.ton.policies import POLICIES
from core.ton.rules import TonRules


def test_contrast_sums_what_the_reference_plays():
    strategy = load_strategy()
    policy, greedy, rules = Equilibrium(strategy), POLICIES["greedy"], heads_up_rules(TonRules())
    gains = []
    for deal in range(5, 25):
        one, two = (play(rules, 2, pair, 3, deal).result.points for pair in ([policy, greedy], [greedy, policy]))
        gains.append(one[0] - one[1] - (two[0] - two[1]))
    sums = np.zeros(2, np.int64)
    Contrast((strategy, "greedy"), ("greedy", strategy), TonRules(), 3).count([sums], 5, 25)
    assert sums.tolist() == [sum(gains), sum(gain * gain for gain in gains)]
    assert any(gains)


@pytest.mark.parametrize(("rival", "least"), [("greedy", 0.2), ("plain", 0.4)])
def test_trained_table_beats_the_rules_of_thumb(rival, least):
    # Standard errors are 0.01.
    assert against(load_strategy(), rival, deals=20_000, seed=11).value > least


def test_value_and_reply_gain_do_not_depend_on_threads():
    strategy = train(300, TonRules(), seed=1)
    for question in (lambda **more: value(strategy, **more), lambda **more: reply_gain(strategy, 1, 500, **more)):
        one, two = (question(deals=3000, seed=2, threads=threads) for threads in (1, 2))
        assert one == two
        assert one.n == 3000


def test_reply_to_a_table_of_few_iterations_gains():
    """300 iterations know next to nothing. The standard error is 0.03."""
    strategy = train(300, TonRules(), seed=1)
    assert reply_gain(strategy, 1, 6000, deals=5000).value > 0.15


def test_what_cannot_be_asked_is_refused():
    strategy = HeadsUpStrategy(np.zeros(0, np.uint64), np.zeros((0, 8), np.uint8), TonRules(), "")
    with pytest.raises(InputError, match="unknown rival"):
        against(strategy, "greed")
    with pytest.raises(InputError, match="seat 2"):
        reply_gain(strategy, 2, 10)


def test_command_writes_a_table_that_can_be_played(tmp_path, capsys, monkeypatch):
    out = tmp_path / "table.npz"
    words = ["tonlab", "ton", "train-equilibrium", "--iterations", "400", "--deals", "500", "--out", str(out), "--json"]
    monkeypatch.setattr("sys.argv", [*words, "--set", "must_beat=free"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code in (0, None)
    printed = json.loads(capsys.readouterr().out)
    assert printed["rules"]["must_beat"] == "free"
    assert printed["value"]["n"] == 500
    assert set(printed["against"]) == {"plain", "greedy"}
    assert len(printed["reply_gain"]) == 2
    strategy = load_strategy(out)
    assert len(strategy.keys) == printed["decisions"] > 100
    assert strategy.made_by == "tonlab ton train-equilibrium --iterations 400 --seed 1 --set must_beat=free"
    play(TonRules(), 2, [Equilibrium(strategy)] * 2, 1, 0)


def test_command_refuses_wrong_input(tmp_path, capsys, monkeypatch):
    for words in (["--iterations", "0", "--out", str(tmp_path / "a")], ["--iterations", "5", "--out", "/no/such/a"]):
        monkeypatch.setattr("sys.argv", ["tonlab", "ton", "train-equilibrium", *words])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
