"""Melds and hits (K10, K11): against trying everything, and the cases that players argue about."""

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cards import format_cards, parse_card, parse_cards
from core.tonk.melds import best_melds, hand_total, hit, is_set, meld_of, melds_in
from core.tonk.rules import TonkRules
from tests.reference import tonk_melds as reference

LOW, HIGH = TonkRules(), TonkRules(ace_runs="low_and_high")
TWO_DECKS = TonkRules(decks=2)


def is_meld(text: str, rules: TonkRules = LOW) -> bool:
    return meld_of(parse_cards(text, decks=rules.decks), rules) is not None


def extended(meld: str, card: str, rules: TonkRules = LOW) -> str | None:
    cards = hit(meld_of(parse_cards(meld, decks=rules.decks), rules), parse_card(card), rules)
    return None if cards is None else format_cards(cards)


RULE_SETS = [
    TonkRules(ace_runs=ace_runs, set_fourth=set_fourth)
    for ace_runs in ("low", "low_and_high")
    for set_fourth in ("never", "allowed")
]


# Random hands lean to few ranks or suits, so that they hold melds.
CARDS = st.builds(lambda rank, suit: 13 * suit + rank, st.sampled_from([0, 1, 2, 3, 10, 11, 12]), st.integers(0, 3))
HANDS = st.integers(1, 3).flatmap(
    lambda decks: st.tuples(
        st.just(decks),
        st.lists(CARDS, min_size=1, max_size=9).filter(lambda hand: max(Counter(hand).values()) <= decks),
    )
)


# Against the reference


@settings(deadline=None, max_examples=200)
@given(deal=HANDS, ace_runs=st.sampled_from(["low", "low_and_high"]))
def test_melds_in_a_hand_are_all_its_groups_that_are_melds(deal, ace_runs):
    decks, hand = deal
    found = melds_in(hand, TonkRules(ace_runs=ace_runs, decks=decks))
    assert len(found) == len({tuple(sorted(meld)) for meld in found})
    assert {tuple(sorted(meld)) for meld in found} == reference.all_melds(hand, ace_runs)
    for meld in found:
        assert meld_of(meld[::-1], TonkRules(ace_runs=ace_runs, decks=decks)) == meld


@settings(deadline=None, max_examples=200)
@given(deal=HANDS, ace_runs=st.sampled_from(["low", "low_and_high"]))
def test_best_melds_leave_the_least_total_then_the_fewest_cards(deal, ace_runs):
    decks, hand = deal
    laid = [card for meld in best_melds(hand, TonkRules(ace_runs=ace_runs, decks=decks)) for card in meld]
    assert Counter(laid) <= Counter(hand)
    left = (Counter(hand) - Counter(laid)).elements()
    assert (hand_total(hand) - hand_total(laid), len(list(left))) == reference.best_left(hand, ace_runs)


def test_best_melds_of_ten_and_fourteen_cards_leave_the_least_total():
    source = random.Random(3)
    for size in [10] * 60 + [14] * 2:
        hand = source.sample([card for card in range(52) if card % 13 in (3, 4, 5, 6, 7, 11, 12)], size)
        laid = [card for meld in best_melds(hand, LOW) for card in meld]
        assert hand_total(hand) - hand_total(laid) == reference.best_left(hand, "low")[0]


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: f"{rules.ace_runs}-{rules.set_fourth}")
def test_every_hit_on_every_meld_of_one_deck(rules):
    melds = [meld for suit in range(4) for meld in melds_in(range(13 * suit, 13 * suit + 13), rules)]
    melds += [meld for rank in range(13) for meld in melds_in(range(rank, 52, 13), rules)]
    # In a suit there are 66 runs; ten more end with a high ace. A rank has five sets.
    assert len(melds) == 4 * (66 if rules.ace_runs == "low" else 76) + 13 * 5
    for meld in melds:
        for card in set(range(52)) - set(meld):
            grown = hit(meld, card, rules)
            assert (grown is not None) == reference.takes(meld, card, rules.ace_runs, rules.set_fourth), (meld, card)
            if grown:
                assert Counter(grown) == Counter((*meld, card))
                assert meld_of(grown, rules) == grown


def test_melds_stand_in_the_documented_order():
    hand = parse_cards("6h 5h 4h 7h 6s 6d 6c Ks Qs As")
    shown = [format_cards(meld) for meld in melds_in(hand, HIGH)]
    assert shown == [
        "6s 6h 6d", "6s 6h 6c", "6s 6d 6c", "6h 6d 6c", "6s 6h 6d 6c",
        "Qs Ks As",
        "4h 5h 6h", "4h 5h 6h 7h", "5h 6h 7h",
    ]  # fmt: skip


def test_further_ties_of_best_melds_go_to_the_first_in_order():
    # Either set of queens leaves 10 points in one card; so does the run.
    hand = parse_cards("Qs Qh Qd Kh Jh")
    assert [format_cards(meld) for meld in best_melds(hand, LOW)] == ["Qs Qh Qd"]


# The cases that players argue about


def test_overlapping_sets_and_runs_of_ten_cards():
    hand = parse_cards("6h Qh Qc 5h Kd Kh 7h Kc 4h Qd")
    assert {format_cards(meld) for meld in melds_in(hand, LOW)} == {
        "Qh Qd Qc", "Kh Kd Kc", "4h 5h 6h", "5h 6h 7h", "4h 5h 6h 7h",
    }  # fmt: skip
    assert [format_cards(meld) for meld in best_melds(hand, LOW)] == ["Qh Qd Qc", "Kh Kd Kc", "4h 5h 6h 7h"]


def test_a_card_that_two_melds_want_goes_where_less_is_left():
    # The set of sevens leaves 5s 6s, the run leaves two sevens.
    assert [format_cards(meld) for meld in best_melds(parse_cards("5s 6s 7s 7h 7d"), LOW)] == ["7s 7h 7d"]
    assert [format_cards(meld) for meld in best_melds(parse_cards("8s 9s 7s 7h 7d"), LOW)] == ["7s 8s 9s"]


def test_the_longest_meld_is_not_always_best():
    # The whole run of four leaves both sixes; three of it and the three sixes leave nothing.
    hand = parse_cards("3h 4h 5h 6h 6s 6d")
    assert best_melds(hand, LOW) == (tuple(parse_cards("6s 6h 6d")), tuple(parse_cards("3h 4h 5h")))


def test_the_ace_is_low_and_high_only_by_option_and_never_in_the_middle():
    assert is_meld("As 2s 3s")
    assert not is_meld("Qs Ks As")
    assert is_meld("Qs Ks As", HIGH)
    for rules in (LOW, HIGH):
        assert not is_meld("Ks As 2s", rules)
        assert not is_meld("Qs Ks As 2s", rules)


def test_court_cards_and_ten_make_a_run_by_rank_though_all_count_ten():
    assert is_meld("10h Jh Qh")
    assert is_meld("Jh Qh Kh")
    assert not is_meld("10h Jh Kh")
    assert not is_meld("10h Jh Qd")


def test_two_cards_and_five_of_a_rank_are_no_melds():
    assert not is_meld("As Ah")
    assert not is_meld("As 2s")
    assert is_meld("As Ah Ad Ac")
    assert not is_meld("As Ah Ad Ac As", TWO_DECKS)


def test_with_two_decks_a_set_may_hold_equal_cards_and_a_run_may_not():
    assert is_meld("8s 8s 8h", TWO_DECKS)
    assert is_meld("8s 8s 8h 8h", TWO_DECKS)
    assert not is_meld("8s 8s 9s 10s", TWO_DECKS)
    assert extended("7s 8s 9s", "8s", TWO_DECKS) is None


def test_a_run_takes_cards_at_both_ends_and_stops_at_ace_and_king():
    assert extended("3s 4s 5s", "2s") == "2s 3s 4s 5s"
    assert extended("3s 4s 5s", "6s") == "3s 4s 5s 6s"
    assert extended("3s 4s 5s", "7s") is None
    assert extended("3s 4s 5s", "6h") is None
    assert extended("2s 3s 4s", "As") == "As 2s 3s 4s"
    assert extended("As 2s 3s", "Ks") is None
    assert extended("Js Qs Ks", "As") is None


def test_a_high_ace_closes_a_run_there_and_leaves_the_other_end_open():
    assert extended("Js Qs Ks", "As", HIGH) == "Js Qs Ks As"
    assert extended("Qs Ks As", "Js", HIGH) == "Js Qs Ks As"
    assert extended("Qs Ks As", "2s", HIGH) is None
    assert extended("As 2s 3s", "Ks", HIGH) is None


def test_a_whole_suit_takes_no_second_ace():
    rules = TonkRules(ace_runs="low_and_high", decks=2)
    suit = "2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks"
    assert extended(suit, "As", rules) == f"As {suit}"
    assert extended(f"As {suit}", "As", rules) is None
    assert extended("3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks As", "2s", rules) == f"As {suit}"


def test_a_set_takes_its_fourth_card_only_by_option_and_never_a_fifth():
    allowed = TonkRules(set_fourth="allowed", decks=2)
    assert extended("8s 8h 8d", "8c") is None
    assert extended("8s 8h 8d", "8c", allowed) == "8s 8h 8d 8c"
    assert extended("8s 8h 8d", "8s", allowed) == "8s 8s 8h 8d"
    assert extended("8s 8h 8d 8c", "8s", allowed) is None
    assert extended("8s 8h 8d", "9c", allowed) is None


def test_a_meld_is_a_set_or_a_run():
    assert is_set(parse_cards("8s 8h 8d"))
    assert not is_set(parse_cards("8s 9s 10s"))


def test_hands_of_five_and_six_cards_equal_the_reference_in_number():
    source = random.Random(11)
    for _ in range(1500):
        hand = source.sample(range(52), 6)
        assert len(melds_in(hand, HIGH)) == len(reference.all_melds(hand, "low_and_high"))
        for group in combinations(hand, 3):
            assert (meld_of(group, HIGH) is not None) == reference.is_meld(group, "low_and_high")
