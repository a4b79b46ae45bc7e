"""Ton's odds: against enumeration, against sampled deals, and in what they refuse."""

from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest

from analysis.ton import TonRules, odds, sure_of_all
from core.cards import format_cards, parse_cards
from core.deals import sample_hands
from core.errors import InputError
from core.ton.rules import DECK
from core.ton.tricks import legal_cards, suit_of, winner

DEALS = 200_000
# A right program is further off once in 10**8 comparisons.
SIGMAS = 5.8


def sampled(players, rules=None, hand="", trump_card="", seen="", seat=0):
    """Return the same quantities as `odds`, as (name, hits, deals), from deals that agree with what is seen."""
    rules = rules or TonRules()
    size, talon = rules.hand_size, rules.talon_size
    sizes = [size] * players + [talon, 1, rules.stock_size(players)]
    known = [()] * (players + 2)
    known[seat], known[players], known[players + 1] = map(parse_cards, (hand, seen, trump_card))
    cards = sample_hands(DECK, sizes, DEALS, known=known, seed=11)
    groups = np.split(cards, np.cumsum(sizes)[:-1], axis=1)
    suit = groups[players + 1] // 13
    trumps = [(group // 13 == suit).sum(axis=1) for group in groups]
    dealer = trumps[players - 1] + (rules.trump_card == "to_dealer")
    trumpless = trumps[0] == 0
    yield "trumpless", trumpless.sum(), DEALS
    yield "stock_has_trump_given_trumpless", (trumps[-1][trumpless] > 0).sum(), trumpless.sum()
    other = next(s for s in range(players) if not (hand and s == seat))
    for k in range(size + 1):
        yield f"trumps_in_hand {k}", (trumps[other] == k).sum(), DEALS
        yield f"dealer_trumps {k}", (dealer == k).sum(), DEALS
    for k in range(talon + 1):
        yield f"trumps_in_talon {k}", (trumps[players] == k).sum(), DEALS
    for s in range(players):
        none = dealer == 0 if s == players - 1 else trumps[s] == 0
        yield f"trumpless_by_seat {s}", none.sum(), DEALS
    if hand:
        worth = [np.where(group // 13 == suit, 100, 0) + (group.astype(int) - 1) % 13 for group in groups]
        better = worth[players].max(axis=1) > worth[seat].max(axis=1)
        yield "talon_beats_hand", better.sum(), DEALS


@pytest.mark.parametrize(
    ("players", "options", "seen"),
    [
        (2, {}, {}),
        (3, {}, {}),
        (6, {}, {}),
        (4, {"trump_card": "stays"}, {}),
        (3, {"hand_size": 4, "talon_size": 3}, {}),
        (4, {}, {"hand": "As 7d 8d Jh 9c", "trump_card": "9s", "seen": "6c Jd", "seat": 2}),
        (4, {}, {"hand": "As 7d 8d Jh 9c", "seat": 3}),
        (3, {}, {"hand": "Kd 7d 8d Jh 9c", "trump_card": "9s", "seen": "Ks", "seat": 0}),
        (2, {}, {"hand": "Kd 7d 8d Jh 9c", "seat": 0}),
    ],
)
def test_odds_agree_with_sampled_deals(players, options, seen):
    rules = TonRules(**options)
    exact = odds(players, rules, **seen)
    compared = 0
    for name, hits, deals in sampled(players, rules, **seen):
        field, *place = name.split()
        value = getattr(exact, field)
        p = value[int(place[0])] if place else value
        if p is None:
            assert deals == 0
            continue
        spread = SIGMAS * sqrt(max(float(p * (1 - p)), 1e-12) * deals)
        assert abs(hits - float(p) * deals) <= spread + 1e-6, name
        compared += 1
    assert compared > 10


def test_odds_are_the_textbook_fractions():
    for players in range(2, 7):
        exact = odds(players)
        stock = 36 - 5 * players - 5
        assert exact.trumpless == Fraction(comb(27, 5), comb(35, 5))
        assert exact.stock_has_trump_given_trumpless == 1 - Fraction(comb(22, stock), comb(30, stock))
        for chances in (exact.trumps_in_hand, exact.dealer_trumps, exact.trumps_in_talon):
            assert sum(chances) == 1
        assert exact.trumpless_by_seat == (exact.trumpless,) * (players - 1) + (0,)
    assert odds(3, TonRules(trump_card="stays")).trumpless_by_seat == (odds(3).trumpless,) * 3
    assert odds(3, TonRules(five_bid="off")).sure_five == 0


def can_be_beaten(hand, others, rules):
    """Tell whether an opponent with `others` takes a trick, whatever the hand leads: plain search over all play."""
    if not hand:
        return False
    for lead in hand:
        rest = [card for card in hand if card != lead]
        replies = legal_cards(others, [lead], None, rules)
        if all(
            winner([lead, reply], None) == 0
            and not can_be_beaten(rest, [card for card in others if card != reply], rules)
            for reply in replies
        ):
            return False
    return True


@pytest.mark.parametrize("must_beat", ["led", "best", "free"])
def test_sure_hands_are_those_that_no_other_hand_beats(must_beat):
    """Two players, hands of three: every other hand is tried, by plain search over all play."""
    rules = TonRules(hand_size=3, talon_size=2, must_beat=must_beat)
    deck = [card for card in DECK if suit_of(card) < 2 and card % 13 in (0, 12, 11, 10)]
    random = np.random.default_rng(5)
    for hand in combinations(deck, 3):
        others = [card for card in deck if card not in hand]
        beaten = any(can_be_beaten(list(hand), list(other), rules) for other in combinations(others, 3))
        # Where the deck is short of low cards, those of the full one may help an opponent to wait, never the hand.
        if sure_of_all(hand):
            assert not beaten, format_cards(hand)
    hands = [random.choice(DECK, 3, replace=False).tolist() for _ in range(25)]
    sure = [parse_cards(text) for text in ("As Ks Qs", "Ah Kh Ad", "As Ad Ac", "Ac Kd Ad")]
    near = [parse_cards(text) for text in ("As Ks Js", "Ah Qh Ad", "As Ad Kc", "Ac Ad 6d")]
    for hand in [*hands, *sure, *near]:
        suits = {suit_of(card) for card in hand}
        # The worst lies hold cards of the hand's suits; any others are as good as each other.
        others = [card for card in DECK if card not in hand]
        pool = [card for card in others if suit_of(card) in suits]
        pool += [card for card in others if suit_of(card) not in suits][:2]
        beaten = any(can_be_beaten(list(hand), list(other), rules) for other in combinations(pool, 3))
        assert sure_of_all(hand) == (not beaten), format_cards(hand)
    assert all(map(sure_of_all, sure))
    assert not any(map(sure_of_all, near))


def test_the_number_of_sure_hands_is_that_of_an_enumeration():
    rules = TonRules(hand_size=3, talon_size=2)
    hands = sum(map(sure_of_all, combinations(DECK, 3)))
    assert odds(2, rules).sure_five == Fraction(hands, comb(36, 3))
    assert odds(2).sure_five == Fraction(72, comb(36, 5))
    assert odds(4, hand="As Ks Qs Js 6s").sure_five == 1
    assert odds(4, hand="As Ks Qs 10s 6s").sure_five == 0


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"players": 7}, "7 players"),
        ({"seat": 3}, "seat 3"),
        ({"hand": "As Kd"}, "2 cards"),
        ({"hand": "As Kd 5h 7h 6c"}, "5h"),
        ({"trump_card": "As Kd"}, "trump card"),
        ({"seen": "As Kd Qd Jd 6c"}, "seen"),
        ({"hand": "As Kd 9h 7h 6c", "trump_card": "As"}, "As"),
        ({"hand": "Zz"}, "Zz"),
    ],
)
def test_what_cannot_be_is_refused_by_name(options, named):
    with pytest.raises(InputError, match=named) as caught:
        odds(**{"players": 3, **options})
    assert "\n" not in str(caught.value)
