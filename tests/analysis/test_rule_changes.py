"""Rule sets to compare: from texts, sweeps, and every value of every option."""

import pytest

from analysis.compare import Game
from analysis.rule_changes import ALL, each_value, rule_set, swept
from analysis.ton.measures import TON
from analysis.tonk.measures import TONK
from core.errors import InputError
from core.ton.rules import TonRules
from core.tonk.rules import TonkRules
from tests.analysis.sides import COIN, CoinRules

GAMES = {"tonk": TONK, "ton": TON}


def test_a_rule_set_comes_from_fields_a_preset_or_a_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("out_pay = 3\n", encoding="utf-8")
    assert rule_set(TONK, ["out_pay=2", "low_tonk=none"]) == TonkRules(out_pay=2, low_tonk=None)
    assert rule_set(TONK, ["out_pay=3", "american"]) == TonkRules.load("american", ["out_pay=3"])
    assert rule_set(TONK, [str(file), "decks=2"]) == TonkRules(out_pay=3, decks=2)
    assert rule_set(TON, []) == TonRules()


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["out_pay"], "'out_pay' is not of the form field=value"),
        (["american", "source"], "'american' and 'source': a rule set starts from one preset or file"),
        (["amercan"], "did you mean american"),
        (["out_pai=2"], "did you mean out_pay"),
    ],
)
def test_wrong_rule_sets_are_refused(texts, message):
    with pytest.raises(InputError, match=message):
        rule_set(TONK, texts)


def test_a_sweep_is_a_grid_of_which_the_last_field_changes_first():
    found = list(swept(CoinRules(colour="blue"), ["bias=40, 60", "pay=1,2"]))
    assert [values for values, _ in found] == [
        {"bias": 40, "pay": 1},
        {"bias": 40, "pay": 2},
        {"bias": 60, "pay": 1},
        {"bias": 60, "pay": 2},
    ]
    assert found[1][1] == CoinRules(colour="blue", bias=40, pay=2)
    assert list(swept(CoinRules(), [])) == [({}, CoinRules())]


@pytest.mark.parametrize(
    ("sweeps", "message"),
    [
        (["bias"], "sweep 'bias' is not of the form field=a,b,c"),
        (["bias="], "not of the form"),
        (["bias=1", "bias=2"], "bias is named more than once"),
        (["bais=1,2"], "did you mean bias"),
        (["colour=red,blu"], "did you mean blue"),
    ],
)
def test_wrong_sweeps_are_refused(sweeps, message):
    with pytest.raises(InputError, match=message):
        list(swept(CoinRules(), sweeps))


def test_each_value_leaves_out_what_changes_nothing():
    assert [values for values, _ in each_value(COIN, CoinRules(pay=3, colour="blue"), [ALL])] == [
        {"bias": 40},
        {"bias": 60, "pay": 2},
        {"colour": "red"},
    ]
    assert [values for values, _ in each_value(COIN, CoinRules(), ["colour", "pay"])] == [
        {"colour": "blue"},
        {"pay": 3},
    ]
    with pytest.raises(InputError, match="unknown Coin rule 'color': did you mean colour"):
        list(each_value(COIN, CoinRules(), ["color"]))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_option_of_the_game_and_every_word_of_it_is_tried(game: Game):
    """A new option without values fails here, and with it the report that shows them."""
    rules = game.rules()
    tried = [values for values, _ in each_value(game, rules, [ALL])]
    for name, words in game.rules.options().items():
        own = [values[name] for values in tried if name in values]
        if words is None:
            assert own, name
            assert rules.as_dict()[name] not in own
        else:
            assert own == list(words[1:])
    assert set(game.numbers) == {name for name, words in game.rules.options().items() if words is None}
