"""Following and taking a trick, against a second version written from the text of T10."""

import random

import pytest

from core.cards import format_card, format_cards, parse_cards
from core.ton.rules import DECK, TonRules
from core.ton.tricks import beats, legal_cards, strength, winner

ORDER = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def rank(name: str) -> int:
    return ORDER.index(name[:-1])


def takes(trick: list[str], trump: str) -> str:
    """The highest trump, else the highest card of the led suit, takes the trick."""
    trumps = [card for card in trick if card[-1] == trump]
    led = [card for card in trick if card[-1] == trick[0][-1]]
    return max(trumps or led, key=rank)


def may_play(card: str, hand: list[str], trick: list[str], trump: str, must_beat: str, must_overtrump: str) -> bool:
    """T10, sentence by sentence, for one card."""
    if not trick:
        return True
    led = trick[0]
    best = takes(trick, trump)
    has_suit = any(other[-1] == led[-1] for other in hand)
    has_trump = any(other[-1] == trump for other in hand)
    if has_suit:
        if card[-1] != led[-1]:
            return False
        if must_beat == "led":
            owed = [other for other in hand if other[-1] == led[-1] and rank(other) > rank(led)]
        elif must_beat == "best" and best[-1] == led[-1]:
            owed = [other for other in hand if other[-1] == led[-1] and rank(other) > rank(best)]
        else:
            owed = []
        return not owed or card in owed
    if has_trump:
        if card[-1] != trump:
            return False
        if must_overtrump == "yes" and best[-1] == trump:
            owed = [other for other in hand if other[-1] == trump and rank(other) > rank(best)]
            return not owed or card in owed
        return True
    return True


@pytest.mark.parametrize("must_beat", ["led", "best", "free"])
@pytest.mark.parametrize("must_overtrump", ["no", "yes"])
def test_legal_cards_and_winner_are_those_of_the_text(must_beat, must_overtrump):
    rules = TonRules(must_beat=must_beat, must_overtrump=must_overtrump)
    chance = random.Random(f"{must_beat} {must_overtrump}")
    for _ in range(4000):
        cards = chance.sample(DECK, 10)
        hand, trick = cards[: chance.randint(1, 5)], cards[5 : 5 + chance.randint(0, 5)]
        trump = chance.choice([None, 0, 1, 2, 3])
        letter = "-" if trump is None else "shdc"[trump]
        names, lying = [format_card(card) for card in hand], [format_card(card) for card in trick]
        wanted = [name for name in names if may_play(name, names, lying, letter, must_beat, must_overtrump)]
        assert format_cards(legal_cards(hand, trick, trump, rules)).split() == wanted
        if trick:
            assert format_card(trick[winner(trick, trump)]) == takes(lying, letter)


CASES = [
    # hand, trick, trump, options, allowed
    ("6h Ah 7s", "10h", "s", {}, "Ah"),
    ("6h 7h 7s", "10h", "s", {}, "6h 7h"),
    # Higher than the led card, not than the best one.
    ("6h Qh 7s", "10h Kh", "s", {}, "Qh"),
    ("6h Qh 7s", "10h Kh", "s", {"must_beat": "best"}, "6h Qh"),
    ("6h Qh 7s", "10h Kh", "s", {"must_beat": "free"}, "6h Qh"),
    # Also after a trump, except where only the best card counts.
    ("6h Qh 7s", "10h 9s", "s", {}, "Qh"),
    ("6h Qh 7s", "10h 9s", "s", {"must_beat": "best"}, "6h Qh"),
    # A trump is owed that beats no earlier trump.
    ("7s Ks Ad", "10h 9s", "s", {}, "7s Ks"),
    ("7s Ks Ad", "10h 9s", "s", {"must_overtrump": "yes"}, "Ks"),
    ("7s 8s Ad", "10h 9s", "s", {"must_overtrump": "yes"}, "7s 8s"),
    # Trumps led are followed like a suit.
    ("7s Ks Ad", "9s", "s", {}, "Ks"),
    ("7s Ks Ad", "9s As", "s", {"must_beat": "best"}, "7s Ks"),
    # Without suit and trump, any card; in a bid of five nothing is trump.
    ("7s Ks Ad", "9h", "c", {}, "7s Ks Ad"),
    ("7s Ks Ad", "9h", None, {"must_overtrump": "yes"}, "7s Ks Ad"),
]


@pytest.mark.parametrize(("hand", "trick", "trump", "options", "allowed"), CASES)
def test_following(hand, trick, trump, options, allowed):
    suit = None if trump is None else "shdc".index(trump)
    found = legal_cards(parse_cards(hand), parse_cards(trick), suit, TonRules(**options))
    assert format_cards(found) == allowed


def test_any_card_may_be_led():
    hand = parse_cards("7s Ks Ad")
    assert legal_cards(hand, (), 0, TonRules()) == hand


def test_strength_runs_from_six_to_ace():
    assert [strength(card) for card in parse_cards("6s 7h 10d Jc Qs Kh Ad")] == [4, 5, 8, 9, 10, 11, 12]
    assert beats(0, 12, None)
    assert not beats(12, 0, None)
