"""Ton's rule sets: the options table of ton.md and its presets; wrong ones are refused in one line."""

import dataclasses

import pytest

from core.errors import InputError
from core.ton.rules import DECK, TonRules

WORDS = {
    "talon_reveal": ("each_refusal", "first_refusal", "none"),
    "trumpless_right": ("eldest", "nobody", "every_buyer"),
    "trump_card": ("to_dealer", "stays"),
    "must_beat": ("led", "best", "free"),
    "must_overtrump": ("no", "yes"),
    "no_buyer_lead": ("eldest", "dealer"),
    "lone_player": ("five_points", "no_score"),
    "dealer_discard": ("before_declarations", "after_declarations", "before_buy_in"),
    "five_bid": ("allowed", "off"),
    "five_bid_lead": ("bidder", "eldest"),
    "five_bid_exchange": ("none", "talon"),
    "five_bid_failed_tricks": ("score", "lost"),
    "five_bid_fold": ("allowed", "forbidden"),
    "reach_target": ("in_trick_order", "end_of_hand_highest"),
    "zero_trick": ("choice", "plus_only", "minus_only"),
}
NUMBERS = {
    "must_play_points": 13,
    "pot_plus_points": 10,
    "target_points": 15,
    "zero_trick_points": 5,
    "five_bid_pluses": 2,
    "ante": 10,
    "plus_price": 10,
    "hand_size": 5,
    "talon_size": 4,
}
DEFAULTS = {name: words[0] for name, words in WORDS.items()} | NUMBERS


def refusal(call, *args, **kwargs) -> str:
    with pytest.raises(InputError) as caught:
        call(*args, **kwargs)
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


def test_fields_words_and_defaults_are_exactly_the_options_table():
    assert TonRules().as_dict() == DEFAULTS
    assert TonRules.options() == {**WORDS, **dict.fromkeys(NUMBERS)}


@pytest.mark.parametrize(("name", "word"), [(name, word) for name, words in WORDS.items() for word in words])
def test_every_word_of_the_table_is_accepted(name, word):
    assert TonRules.load("source", [f"{name}={word}"]).as_dict() == DEFAULTS | {name: word}


@pytest.mark.parametrize("name", [name for name in NUMBERS if name not in ("hand_size", "talon_size")])
def test_every_number_of_the_table_is_accepted(name):
    assert TonRules.load(None, [f"{name}=3"]).as_dict() == DEFAULTS | {name: 3}
    assert name in refusal(TonRules.load, None, [f"{name}=-1"])
    assert name in refusal(TonRules.load, None, [f"{name}=none"])


def test_presets_are_as_the_page_says():
    assert TonRules.load("source").as_dict() == DEFAULTS
    assert TonRules.load("one_card").as_dict() == DEFAULTS | {"talon_reveal": "first_refusal"}
    assert TonRules.load("table_trump").as_dict() == DEFAULTS | {"trump_card": "stays"}


def test_talon_is_one_card_less_than_the_hand():
    assert TonRules(hand_size=6, talon_size=5).hand_size == 6
    for sizes in ({"hand_size": 6}, {"talon_size": 5}, {"hand_size": 1, "talon_size": 0}):
        message = refusal(TonRules, **sizes)
        assert "hand_size" in message or "talon_size" in message


def test_two_to_six_players_may_play():
    for players in range(2, 7):
        TonRules().check_players(players)
        assert TonRules().stock_size(players) == 31 - 5 * players
    for players in (-1, 0, 1, 7):
        assert str(players) in refusal(TonRules().check_players, players)


@pytest.mark.parametrize(("size", "most"), [(2, 6), (5, 6), (6, 5), (7, 4), (9, 3), (12, 2)])
def test_larger_hands_serve_fewer_players(size, most):
    rules = TonRules(hand_size=size, talon_size=size - 1)
    rules.check_players(most)
    assert str(most + 1) in refusal(rules.check_players, most + 1)


def test_deck_is_six_to_ace_of_each_suit():
    assert len(DECK) == 36
    assert sorted(card % 13 for card in DECK) == sorted([0, *range(5, 13)] * 4)


def test_rules_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        TonRules().ante = 5
