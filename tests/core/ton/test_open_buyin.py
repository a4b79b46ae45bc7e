"""The solved buy-in: against hands that the readable engine makes, and for two players against plain minimax."""

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, repeat

import numpy as np
import pytest

from core.cards import format_card, parse_card, parse_cards
from core.errors import InputError
from core.ton.engine import apply, legal_actions, start
from core.ton.open_buyin import NONE, USUAL, solve_options, solve_usual
from core.ton.play import deal_cards
from core.ton.policies import POLICIES
from core.ton.position import Position
from core.ton.rules import DECK, TonRules
from core.ton.solver import solve
from core.ton.spot import Spot
from core.ton.state import Action, Deal, State
from core.ton.tricks import strength, suit_of
from core.ton.view import view
from tests.reference.ton_minimax import forced

NO_WORDS: Iterator[int] = repeat(0)
CHANGES = [{name: word} for name, words in TonRules.options().items() for word in (words or ())[1:]]
# Those that change what refusing or keeping a card leads to, where nobody folds and the dealer knows all.
MATTERS = [
    *({"talon_reveal": word} for word in ("first_refusal", "none")),
    *({"must_beat": word} for word in ("best", "free")),
    {"must_overtrump": "yes"},
    {"trumpless_right": "every_buyer"},
    {"trump_card": "stays"},
    {"no_buyer_lead": "dealer"},
]
# Deals that are compared with plain minimax: about two seconds each.
DEALS = int(os.environ.get("TONLAB_BUY_INS", "4"))


def spot_of(hand: str, trump_card: str, players: int = 2, seat: int = 0, seen: str = "", **rules: object) -> Spot:
    cards = parse_cards(hand), parse_card(trump_card), parse_cards(seen)
    return Spot(TonRules.from_options(rules), players, seat, *cards)


def random_spot(chance: random.Random, players: int, rules: TonRules, *, trumpless: bool = False) -> Spot:
    """A hand, a trump card and all talon cards that are turned; a hand without a trump if wanted."""
    seat = chance.randrange(players - 1)
    while True:
        trump_card, *rest = chance.sample(DECK, 1 + 2 * rules.hand_size)
        hand, talon = rest[: rules.hand_size], rest[rules.hand_size :]
        if not trumpless or all(suit_of(card) != suit_of(trump_card) for card in hand):
            break
    return Spot(rules, players, seat, tuple(hand), trump_card, tuple(talon[: rules.turned_before(seat)]))


def before_the_lead(rules: TonRules, deal: Deal, seat: int, option: str) -> list[State]:
    """Return, for each card that the dealer may put away, the state at the first lead (none folds)."""
    word, *card = option.split()
    chosen = Action(word, parse_card(card[0])) if word == "keep" else Action(word)
    six = sorted((*deal.hands[-1], deal.trump_card)) if rules.trump_card == "to_dealer" else (None,)

    def action(state: State, discard: int | None) -> Action:
        acting = state.seat
        assert acting is not None
        if state.phase == "buy" and acting <= seat:
            return chosen if acting == seat else Action("refuse")
        if state.phase == "fetch" and acting == seat and card:
            return Action("fetch", parse_card(card[0]))
        if state.phase == "discard":
            return Action("discard", discard)
        if state.phase == "declare":
            return Action("play")
        return POLICIES["greedy"].choose(view(state, acting), legal_actions(state), NO_WORDS)

    ends = []
    for discard in six:
        state = start(rules, deal)
        while state.phase != "play":
            state = apply(state, action(state, discard))
        ends.append(state)
    return ends


def by_engine(rules: TonRules, deal: Deal, seat: int, option: str) -> int:
    """Return the tricks that the seat can force, against the worst discard."""
    states = before_the_lead(rules, deal, seat, option)
    return min(solve(Position(state.hands, state.trump, state.leader), rules)[seat] for state in states)


def expected(spot: Spot, deal: Deal, option: str) -> int:
    """Return what the model says of an option, from the engine and the solver alone."""
    if not option.startswith("trumpless"):
        return by_engine(spot.rules, deal, spot.seat, option)
    trumps = [card for card in deal.stock if suit_of(card) == suit_of(spot.trump_card)]
    fetched = [parse_card(name) for name in option.split()[1:]]
    if fetched and fetched[0] not in trumps:
        return NONE
    choices = fetched or [max(trumps, key=strength, default=NONE)]
    if choices == [NONE]:
        choices = list(deal.stock)
    return max(by_engine(spot.rules, deal, spot.seat, f"trumpless {format_card(card)}") for card in choices)


def check(spot: Spot, deals: int, seed: int = 1) -> None:
    cards = spot.sample_deals(deals, seed=seed, first=0)
    found = solve_options(spot, cards)
    assert found.shape == (deals, len(spot.options))
    for row, tricks in zip(cards.tolist(), found.tolist(), strict=True):
        deal = deal_cards(spot.rules, spot.players, row)
        assert tricks == [expected(spot, deal, option) for option in spot.options], (spot, deal)


@pytest.mark.parametrize("players", range(2, 6))
def test_tricks_are_those_of_the_engines_hands_solved(players):
    chance = random.Random(f"open buy-in {players}")
    for number in range(20):
        check(random_spot(chance, players, TonRules(), trumpless=number % 3 == 0), 2, seed=number)


def test_tricks_of_six_players_are_those_of_the_engines_hands_solved():
    chance = random.Random("six")
    for number in range(4):
        check(random_spot(chance, 6, TonRules(), trumpless=number % 2 == 0), 1, seed=number)


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_every_option_of_the_rules_is_obeyed(change):
    chance = random.Random(str(change))
    for number in range(12):
        check(random_spot(chance, 2 + number % 4, TonRules.from_options(change), trumpless=number % 2 == 0), 1)


@pytest.mark.parametrize("change", MATTERS, ids=str)
def test_where_an_option_changes_a_deal_the_engine_says_so_too(change):
    """Random spots seldom hit such a deal; here they are looked for, and each choice is compared on the first ones."""
    before = spot_of("Kd 7d 8d Jh 9c", "9s", 4)
    after = replace(before, rules=TonRules.from_options(change))
    cards = after.sample_deals(400, seed=1, first=0)
    assert (cards == before.sample_deals(400, seed=1, first=0)).all()
    found = solve_options(after, cards)
    differing = np.flatnonzero((found != solve_options(before, cards))[:, :6].any(axis=1))
    assert differing.size
    for number in differing[:4]:
        deal = deal_cards(after.rules, 4, cards[number].tolist())
        choices = after.options[:6]
        assert found[number, :6].tolist() == [expected(after, deal, option) for option in choices], deal


@pytest.mark.parametrize("size", [2, 3, 6])
def test_hands_of_other_sizes(size):
    rules = TonRules(hand_size=size, talon_size=size - 1)
    chance = random.Random(size)
    for number in range(4):
        check(random_spot(chance, 2 + number % 2, rules, trumpless=number % 2 == 0), 1)


def brute(hands: list[list[int]], trump: int, *, me: int) -> int:
    return forced([[format_card(card) for card in hand] for hand in hands], "shdc"[trump], 0, [], me, "led", "no")


def test_two_players_are_plain_minimax_deal_by_deal_and_their_tricks_add_to_all():
    """Against brute force from the rules' text; the dealer, who discards for himself, gets the other tricks."""
    chance = random.Random("minimax")
    for number in range(DEALS):
        spot = random_spot(chance, 2, TonRules(), trumpless=number % 3 == 0)
        cards = spot.sample_deals(1, seed=number, first=0)
        trump, row = suit_of(spot.trump_card), cards[0].tolist()
        own, dealer, talon, stock = row[:5], [*row[5:10], row[14]], row[10:14], row[15:]
        left = [[held for held in dealer if held != away] for away in dealer]
        for option, value in zip(spot.options, solve_options(spot, cards)[0].tolist(), strict=True):
            word, *name = option.split()
            if name and word == "trumpless" and parse_card(name[0]) not in stock:
                assert value == NONE
            elif name or word == "refuse":
                hand = [*talon, parse_card(name[0])] if name else own
                assert value == min(brute([hand, five], trump, me=0) for five in left), (spot, option)
            if word == "refuse":
                assert 5 - value == max(brute([own, five], trump, me=1) for five in left), spot


def test_cards_kept_that_nobody_stands_between_give_the_same():
    spot = spot_of("As 7d 8d Jh 9c", "9s", players=4, seat=1)
    tricks = solve_options(spot, spot.sample_deals(300, seed=3, first=0))
    seven, eight, nine = (spot.options.index(f"keep {name}") for name in ("7d", "8d", "9c"))
    assert (tricks[:, seven] == tricks[:, eight]).all()
    assert (tricks[:, seven] != tricks[:, nine]).any()


def test_five_top_trumps_are_worth_five_tricks():
    spot = spot_of("As Ks Qs Js 10s", "9s", players=4)
    tricks = solve_options(spot, spot.sample_deals(200, seed=1, first=0))
    assert (tricks[:, 0] == 5).all()
    assert (tricks[:, 1:].mean(axis=0) < 5).all()


def test_a_deal_in_another_order_of_suits_and_within_hidden_hands_gives_the_same():
    """The three side suits exchange their names; the hidden hands, and the stock, their cards' order."""
    spot, chance = spot_of("Ks 7d 8d Jh 9c", "9s", players=3), random.Random("names")
    renamed = spot_of("Ks 7c 8c Jd 9h", "9s", players=3)
    cards = spot.sample_deals(200, seed=2, first=0)
    turned = np.where(cards >= 13, (cards // 13 % 3 + 1) * 13 + cards % 13, cards)
    for first, last in ((5, 10), (10, 15), (20, 36)):
        turned[:, first:last] = turned[:, chance.sample(range(first, last), last - first)]
    # The own hand stands in the order of the suits.
    own = [spot.options.index(f"keep {name}") for name in ("Ks", "Jh", "7d", "8d", "9c")]
    other = [renamed.options.index(f"keep {name}") for name in ("Ks", "Jd", "7c", "8c", "9h")]
    turned[:, :5] = sorted(renamed.hand, key=lambda card: (suit_of(card), strength(card)))
    before, after = solve_options(spot, cards), solve_options(renamed, turned)
    assert (before[:, own] == after[:, other]).all()
    # Greedy players choose among equal cards by the suits' order, so a refusal may lead elsewhere; seldom.
    assert (before[:, 0] == after[:, 0]).mean() > 0.9


def test_the_usual_choices_are_columns_of_all():
    chance = random.Random("usual")
    for number in range(20):
        spot = random_spot(chance, 2 + number % 4, TonRules(), trumpless=number % 2 == 0)
        cards = spot.sample_deals(20, seed=1, first=0)
        options, usual = solve_options(spot, cards), solve_usual(cards, spot.players, spot.seat, spot.rules)
        trumps = [card for card in spot.hand if suit_of(card) == suit_of(spot.trump_card)]
        kept = max(trumps or spot.hand, key=lambda card: (strength(card), -card))
        assert (usual[:, 0] == options[:, 0]).all()
        assert (usual[:, 1] == options[:, spot.options.index(f"keep {format_card(kept)}")]).all()
        if spot.has_right:
            assert (usual[:, 2] == options[:, spot.options.index("trumpless")]).all()
        else:
            assert (usual[:, 2] == NONE).all()
        assert usual.shape[1] == len(USUAL)


def test_what_is_known_stays_and_the_rest_varies():
    spot = spot_of("As 7d 8d Jh 9c", "9s", players=4, seat=2, seen="Kd 6c")
    cards = spot.sample_deals(3000, seed=1, first=0)
    assert (np.sort(cards, axis=1) == np.sort(DECK)).all()
    assert (np.sort(cards[:, 10:15], axis=1) == sorted(spot.hand)).all()
    assert (cards[:, 20:22] == spot.seen).all()
    assert (cards[:, 24] == spot.trump_card).all()
    hidden = set(DECK) - {*spot.hand, *spot.seen, spot.trump_card}
    for place in chain(range(10), range(15, 20), range(22, 24), range(25, 36)):
        assert set(cards[:, place].tolist()) == hidden
    assert (spot.sample_deals(10, seed=1, first=50) == cards[50:60]).all()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("As 7d 8d Jh", "9s"), "a hand of 4 cards: it has 5"),
        (("As 7d 8d Jh 9c", "As"), "As is named 2 times"),
        (("As 7d 8d Jh 5c", "9s"), "5c is not in the deck of 36 cards"),
        (("As 7d 8d Jh 9c", "9s", 3, 2), "seat 2 deals, and the dealer never buys"),
        (("As 7d 8d Jh 9c", "9s", 3, 3), "seat 3 is not a seat"),
        (("As 7d 8d Jh 9c", "9s", 7), "7 players"),
        (("As 7d 8d Jh 9c", "9s", 3, 1, "6s 7s"), "2 talon cards are seen: seat 1 sees 1 at most"),
        (("As 7d 8d Jh 9c", "9s", 3, 1, "7d"), "7d is named 2 times"),
    ],
)
def test_what_cannot_be_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        spot_of(*given)


def test_no_more_cards_are_seen_than_the_rules_turn():
    for reveal, most in (("each_refusal", 4), ("first_refusal", 1), ("none", 0)):
        assert TonRules(talon_reveal=reveal).turned_before(4) == TonRules(talon_reveal=reveal).turned_before(5) == most
        seen = ["6s", "7s", "8s", "10s", "Js"]
        spot_of("As 7d 8d Jh 9c", "9s", 6, 4, " ".join(seen[:most]), talon_reveal=reveal)
        with pytest.raises(InputError, match=f"seat 4 sees {most} at most .*talon_reveal = {reveal}"):
            spot_of("As 7d 8d Jh 9c", "9s", 6, 4, " ".join(seen[: most + 1]), talon_reveal=reveal)
