"""Cards as text: every spelling of interface.md's section Cards; refusals name the card in one line."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cards import check_copies, format_card, format_cards, parse_card, parse_cards
from core.errors import InputError

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("s", "h", "d", "c")
ALL_CARDS = range(52)

# The spellings, by rank and suit: Latin first.
RANK_SPELLINGS = [[name] for name in RANKS]
RANK_SPELLINGS[9].append("T")
for place, russian in ((10, "В"), (11, "Д"), (12, "К"), (0, "Т")):
    RANK_SPELLINGS[place].append(russian)
SUIT_SPELLINGS = [
    ["s", "♠", "♠\ufe0f", "♠\ufe0e", "п"],
    ["h", "♥", "♥\ufe0f", "♥\ufe0e", "ч"],
    ["d", "♦", "♦\ufe0f", "♦\ufe0e", "б"],
    ["c", "♣", "♣\ufe0f", "♣\ufe0e", "к", "т"],
]
SPELLINGS = {
    13 * suit + rank: [rank_name + suit_name for rank_name in rank_names for suit_name in suit_names]
    for suit, suit_names in enumerate(SUIT_SPELLINGS)
    for rank, rank_names in enumerate(RANK_SPELLINGS)
}


def assert_one_line(error: Exception) -> None:
    message = str(error)
    assert message
    assert message.splitlines() == [message]


# Accepted spellings


def test_cards_are_numbered_by_suit_then_rank():
    assert [format_card(card) for card in ALL_CARDS] == [rank + suit for suit in SUITS for rank in RANKS]


@pytest.mark.parametrize("card", ALL_CARDS, ids=[rank + suit for suit in SUITS for rank in RANKS])
def test_every_spelling_is_read_in_any_case(card):
    for name in SPELLINGS[card]:
        for spelling in (name, name.lower(), name.upper(), name.swapcase()):
            assert parse_card(spelling) == card, ascii(spelling)


def test_spellings_of_one_card_are_the_same_card():
    names = ("10h", "Th", "th", "10H", "tH", "10♥", "T♥", "t♥\ufe0f", "10ч", "tч")
    assert {format_card(parse_card(name)) for name in names} == {"10h"}


def test_russian_rank_letter_is_the_ace_and_latin_t_is_the_ten():
    assert format_card(parse_card("Тт")) == "Ac"  # both Russian: туз треф
    assert format_card(parse_card("Tт")) == "10c"  # Latin T, Russian suit
    assert format_card(parse_card("тs")) == "As"  # Russian rank, Latin suit


def test_russian_k_is_the_king_as_rank_and_clubs_as_suit():
    assert format_cards(parse_cards("Кк Кs 10к вп Дб")) == "Kc Ks 10c Js Qd"


def test_round_trip_of_all_cards():
    assert [parse_card(format_card(card)) for card in ALL_CARDS] == list(ALL_CARDS)
    assert parse_cards(format_cards(ALL_CARDS)) == tuple(ALL_CARDS)


def test_output_is_rank_then_lower_case_suit_with_blanks_between():
    assert format_cards(parse_cards("as,10H,Td,2♣")) == "As 10h 10d 2c"
    assert format_cards([]) == ""


@pytest.mark.parametrize(
    "text",
    [
        "As 10h Td 2c",
        "As,10h,Td,2c",
        "As, 10h, Td, 2c",
        "  As\t10h ,Td\n2c ,",
        "as 10♥,T♦\ufe0f  2к",
        "Тп,10ч,10б,2т",
    ],
)
def test_blanks_and_commas_separate_cards(text):
    assert parse_cards(text) == (0, 22, 35, 40)


@pytest.mark.parametrize("text", ["", "   ", ",", " , ,"])
def test_text_without_a_card_holds_no_cards(text):
    assert parse_cards(text) == ()


@settings(deadline=None)
@given(data=st.data())
def test_cards_in_any_mixture_of_spellings_and_separators_are_read_in_order(data):
    cards = data.draw(st.lists(st.sampled_from(ALL_CARDS), unique=True, max_size=6))
    text = ""
    for card in cards:
        name = data.draw(st.sampled_from(SPELLINGS[card]))
        name = data.draw(st.sampled_from([name, name.lower(), name.upper()]))
        text += name + data.draw(st.sampled_from([" ", ",", ", ", " ,", "  ", "\t", "\n"]))
    assert parse_cards(text) == tuple(cards)


# Refused text


@pytest.mark.parametrize(
    "name",
    [
        "1s",
        "Zz",
        "11h",
        "0s",
        "A",
        "s",
        "sA",
        "10",
        "Ax",
        "As2",
        "1Os",
        "10 h",
        "AsKs",
        "-",
        "A♠♠",
        "100c",
        "?",
        "",
    ],
)
def test_text_that_is_no_card_is_refused_by_name(name):
    with pytest.raises(InputError, match=re.escape(repr(name))) as caught:
        parse_card(name)
    assert_one_line(caught.value)


@pytest.mark.parametrize("wrong", ["1s", "Zz", "AsKs", "As;Ks", "10"])
def test_wrong_card_among_others_is_the_one_named(wrong):
    with pytest.raises(InputError, match=re.escape(repr(wrong))) as caught:
        parse_cards(f"2c {wrong}, 9d")
    assert "2c" not in str(caught.value)
    assert "9d" not in str(caught.value)
    assert_one_line(caught.value)


@pytest.mark.parametrize("text", ["As Kd As", "As,тп", "A♠ 2c as", "Kh As A♠\ufe0f"])
def test_repeated_card_is_refused_by_name_in_whatever_spelling(text):
    with pytest.raises(InputError, match="As") as caught:
        parse_cards(text)
    assert_one_line(caught.value)


def test_two_decks_hold_a_card_twice_but_not_three_times():
    assert parse_cards("As Kd As", decks=2) == (0, 38, 0)
    with pytest.raises(InputError, match="As") as caught:
        parse_cards("As Kd As As", decks=2)
    assert_one_line(caught.value)


def test_check_copies_counts_each_card():
    check_copies([])
    check_copies(ALL_CARDS)
    check_copies([*ALL_CARDS, *ALL_CARDS], decks=2)
    with pytest.raises(InputError, match="10h"):
        check_copies([5, 22, 7, 22])
    with pytest.raises(InputError, match="10h"):
        check_copies([22, 5, 22, 5, 22], decks=2)


# Fuzz

CARD_LIKE = st.text(st.sampled_from("Aa2 19 0JQKTtВДКТвдктshdcпчбк♠♥♦♣\ufe0f\ufe0e,,\n\x00\u2028\u0130\u212a"))


@settings(deadline=None)
@given(text=st.text() | CARD_LIKE)
def test_any_text_is_either_cards_or_refused_in_one_line(text):
    try:
        cards = parse_cards(text)
    except InputError as error:
        assert_one_line(error)
    else:
        assert all(card in ALL_CARDS for card in cards)
        assert len(set(cards)) == len(cards)


@settings(deadline=None)
@given(text=st.text(max_size=4) | st.text(st.sampled_from("A210JQKTВДКТтshdcпчбк♠♥♦♣\ufe0f"), max_size=4))
def test_any_text_is_either_one_card_or_refused_in_one_line(text):
    try:
        card = parse_card(text)
    except InputError as error:
        assert_one_line(error)
    else:
        # Whatever is accepted means a card that can be written and read again.
        assert parse_card(format_card(card)) == card
