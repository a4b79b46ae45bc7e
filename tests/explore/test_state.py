"""What a link holds: every value goes there and back, and what cannot be is told in a line."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.explore import ton_buyin, tonk_drop, tonk_odds, tonk_position, variants
from analysis.explore.state import Cards, Rule, Whole, Word, read, rules_of, write
from analysis.ton import TonRules
from analysis.tonk import TonkRules
from core.errors import InputError

PAGES = (tonk_odds, tonk_drop, tonk_position, ton_buyin, variants)


def some_value(field):
    match field:
        case Whole():
            return st.integers(field.least, field.most)
        case Word():
            return st.sampled_from(field.words)
        case Cards():
            return st.lists(st.sampled_from(field.deck), unique=True, max_size=field.most).map(tuple)
        case Rule():
            return st.sampled_from(field.words) if field.words else st.integers(0, 99).map(str)
    raise AssertionError(field)


@pytest.mark.parametrize("page", PAGES)
@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_every_value_goes_to_the_link_and_back(page, data) -> None:
    values = {name: data.draw(some_value(field)) for name, field in page.FIELDS.items()}
    link = write(page.FIELDS, values)
    assert read(page.FIELDS, dict(parse_qsl(link, keep_blank_values=True))) == (values, [])


@pytest.mark.parametrize("page", PAGES)
def test_the_plain_link_is_the_page_as_it_opens(page) -> None:
    values, wrong = read(page.FIELDS, {})
    assert not wrong
    assert write(page.FIELDS, values) == ""


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"players": "1"}, "players: '1' is not a whole number in 2..10"),
        ({"players": "٣"}, "is not a whole number"),
        ({"hand": "As As As As As"}, "As is named 5 times"),
        ({"hand": "As 2s 3s 4s 5s 6s"}, "6 cards: 5 at most"),
        ({"hand": "A" * 10_000}, "is not a card"),
        ({"up": "Xx"}, "'Xx' is not a card"),
        ({"several_tonks": "eech"}, "did you mean each?"),
        ({"decks": "-1"}, "decks: '-1' is not a whole number"),
        ({"decks": "none"}, "it takes a whole number"),
        ({"playerz": "3"}, "did you mean players?"),
    ],
)
def test_what_cannot_be_is_told_and_the_default_stands(query, said) -> None:
    values, (line,) = read(tonk_odds.FIELDS, query)
    assert said in line
    assert "\n" not in line
    assert len(line) < 400
    assert values == read(tonk_odds.FIELDS, {})[0]


def test_a_card_that_the_deck_lacks_is_told() -> None:
    _, (line,) = read(ton_buyin.FIELDS, {"hand": "2s"})
    assert line == "hand: 2s is not in the deck of 36 cards"


def test_rules_are_those_of_the_values() -> None:
    values, _ = read(tonk_odds.FIELDS, {"high_tonk": "none", "several_tonks": "void"})
    assert rules_of(TonkRules, values) == TonkRules(high_tonk=None, several_tonks="void")
    values, _ = read(variants.FIELDS, {"ton.b.five_bid": "off"})
    assert rules_of(TonRules, values, "ton.a.") == TonRules()
    assert rules_of(TonRules, values, "ton.b.") == TonRules(five_bid="off")
    with pytest.raises(InputError, match="must lie below"):
        rules_of(TonkRules, {"low_tonk": "50"})
