"""Ton's odds: against enumeration, against sampled deals, and in what they refuse."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest

from analysis.ton import TonRules, odds, sure_of_all
from analysis.ton.opening import Sight, sample_trumps
from core.cards import format_cards, parse_cards
from core.deals import sample_hands
from core.errors import InputError
from core.ton.rules import DECK
from core.ton.tricks import legal_cards, strength, suit_of, winner

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


@pytest.mark.parametrize(("players", "options"), [(2, {}), (6, {}), (4, {"trump_card": "stays"})])
def test_sampled_trumps_agree_with_the_exact_ones(players, options):
    rules = TonRules(**options)
    exact, found = odds(players, rules), sample_trumps(players, rules, deals=DEALS, seed=4)
    pairs = [(exact.trumpless, found.trumpless)]
    pairs.append((exact.stock_has_trump_given_trumpless, found.stock_has_trump_given_trumpless))
    for name in ("trumps_in_hand", "dealer_trumps", "trumps_in_talon"):
        pairs += zip(getattr(exact, name), getattr(found, name), strict=True)
    for chance, estimate in pairs:
        p = float(chance)
        assert abs(estimate.value - p) <= SIGMAS * sqrt(max(p * (1 - p), 5 / estimate.n) / estimate.n)


# Suits of unequal length, so that it matters which is trump.
SMALL = "As Ks Qs 6s Ah Kh 7h Ad 6d Kc"


def every_deal(cards, sizes):
    """Yield every way to deal the cards into groups of these sizes."""
    if not sizes:
        yield ()
        return
    for group in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in group]
        for others in every_deal(rest, sizes[1:]):
            yield (group, *others)


def enumerated(deck, players, rules, hand, trump_card, seen, seat):
    """Return what `odds` does by plain counting of all deals that agree with what is seen."""
    size, talon = rules.hand_size, rules.talon_size
    hits, deals = Counter(), 0
    for *hands, turned, (shown,), stock in every_deal(
        deck, [size] * players + [talon, 1, len(deck) - players * size - talon - 1]
    ):
        if (hand and set(hands[seat]) != set(hand)) or trump_card not in ([], [shown]) or not set(seen) <= set(turned):
            continue
        deals += 1
        trumps = [[card for card in group if card // 13 == shown // 13] for group in (*hands, turned, stock)]
        dealer = len(trumps[players - 1]) + (rules.trump_card == "to_dealer")
        hidden = next(place for place in range(players) if not hand or place != seat)
        hits["trumpless"] += not trumps[0]
        hits["stock_has_trump_given_trumpless"] += not trumps[0] and bool(trumps[-1])
        hits["trumps_in_hand", len(trumps[hidden])] += 1
        hits["dealer_trumps", dealer] += 1
        hits["trumps_in_talon", len(trumps[players])] += 1
        hits["talon_has_trump"] += bool(trumps[players])
        for place in range(players - 1):
            hits["trumpless_by_seat", place] += not trumps[place]
        hits["trumpless_by_seat", players - 1] += dealer == 0
        best = max(trumps[seat] or hands[seat], key=strength)
        hits["talon_beats_hand"] += any(beats_out(card, best, shown // 13) for card in turned)
    trumpless = hits["trumpless"]
    both = hits.pop("stock_has_trump_given_trumpless")
    given = Fraction(both, trumpless) if trumpless else None
    return {name: Fraction(count, deals) for name, count in hits.items()}, given


def beats_out(card, best, trump):
    """Tell whether a card is better to hold: a trump above all others, then the rank."""
    return (card // 13 == trump, strength(card)) > (best // 13 == trump, strength(best))


@pytest.mark.parametrize(
    ("players", "size", "options", "seen"),
    [
        (2, 3, {}, {}),
        (2, 3, {"trump_card": "stays"}, {}),
        (3, 2, {}, {}),
        (2, 3, {}, {"hand": "Ks 6s Kh", "trump_card": "Qs", "seen": "Ah"}),
        (2, 3, {}, {"hand": "Kh 7h 6d"}),
        (2, 3, {}, {"hand": "Kh 7h 6d", "trump_card": "As"}),
        (2, 3, {}, {"hand": "Kh 7h 6d", "seat": 1, "seen": "Ks"}),
        (3, 2, {}, {"hand": "Kh 7h", "seat": 1, "trump_card": "Ad"}),
        (3, 2, {}, {"trump_card": "Kc", "seen": "As"}),
    ],
)
def test_odds_of_a_small_deck_are_those_of_all_its_deals(players, size, options, seen):
    rules = TonRules(hand_size=size, talon_size=size - 1, **options)
    # With three players one card less, for time.
    deck = parse_cards(SMALL.replace("6s ", "") if players == 3 else SMALL)
    hand, trump_card, turned = (parse_cards(seen.get(name, "")) for name in ("hand", "trump_card", "seen"))
    seat = seen.get("seat", 0)
    sight = Sight(rules, players, seat, hand, trump_card, turned, has_hand=bool(hand), deck=tuple(deck))
    exact = sight.odds()
    counted, given = enumerated(deck, players, rules, list(hand), list(trump_card), turned, seat)
    assert exact.stock_has_trump_given_trumpless == given
    if not hand:
        assert exact.talon_beats_hand is None
        del counted["talon_beats_hand"]
    for name in ("trumpless", "talon_has_trump", *(["talon_beats_hand"] if hand else [])):
        assert getattr(exact, name) == counted.pop(name), name
    for name in ("trumps_in_hand", "dealer_trumps", "trumps_in_talon", "trumpless_by_seat"):
        for place, chance in enumerate(getattr(exact, name)):
            assert chance == counted.pop((name, place), 0), (name, place)
    assert not counted


@pytest.mark.parametrize(("hand", "seat"), [("", 0), ("Ks 6s Kh", 1), ("As Ks Ad", 0), ("As Qs Ad", 0)])
def test_sure_hands_of_a_small_deck_are_those_that_no_lie_of_its_cards_beats(hand, seat):
    rules = TonRules(hand_size=3, talon_size=2)
    deck, own = tuple(parse_cards(SMALL)), tuple(parse_cards(hand))
    others = [card for card in deck if card not in own]
    eldest = [own] if own and seat == 0 else list(combinations(others, 3))
    sure = sum(
        not any(
            can_be_beaten(list(cards), list(other), rules)
            for other in combinations([card for card in deck if card not in cards], 3)
        )
        for cards in eldest
    )
    sight = Sight(rules, 2, seat, own, (), (), has_hand=bool(own), deck=deck)
    assert sight.sure_five() == Fraction(sure, len(eldest))


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
