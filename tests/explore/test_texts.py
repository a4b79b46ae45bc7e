"""Every word of the dashboard is there in both languages."""

import re
from pathlib import Path
from string import Formatter

import pytest

import analysis.explore
from analysis.explore.rule_texts import RULES
from analysis.explore.texts import LANGUAGES, TEXTS, Texts
from analysis.ton import TonRules
from analysis.tonk import TonkRules


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("key", TEXTS)
def test_a_text_has_each_language_and_the_same_blanks(key: str) -> None:
    english, russian = TEXTS[key]
    assert english
    assert re.search("[а-я]", russian.lower())
    assert blanks(english) == blanks(russian)


@pytest.mark.parametrize("rules", [TonkRules, TonRules])
def test_every_rule_has_a_line_in_each_language(rules) -> None:
    assert set(RULES[rules.game]) == set(rules.options())
    for lang in LANGUAGES:
        assert all(Texts(lang).rule(rules.game, name) for name in rules.options())


def test_every_text_that_a_page_names_is_there() -> None:
    sources = Path(analysis.explore.__file__).parent.glob("*.py")
    named = {key for source in sources for key in re.findall(r'\bt\("([^"{]+)"', source.read_text(encoding="utf-8"))}
    assert len(named) > 40
    assert named <= set(TEXTS)


def test_cards_and_actions_in_both_languages() -> None:
    english, russian = Texts("en"), Texts("ru")
    assert (english.card_name(0), russian.card_name(0)) == ("ace of spades", "туз пик")
    assert (english.card_name(50), russian.card_name(50)) == ("queen of clubs", "дама крестей")
    assert ">10</b><span>♥<" in russian.face(22)
    plain = re.sub("<[^>]+>", "", russian.cards("hit Ks on Js 10s Qs"))
    assert plain == "добавить К♠ к В♠ 10♠ Д♠"
    assert english.whole(1234567) == "1,234,567"
