"""Policies fixed to the letter, and hands that are a function of seed and deal number."""

import json
import random
import subprocess
import sys
from fractions import Fraction
from itertools import islice

import pytest

from core.cards import format_cards, parse_cards
from core.deals import sample_hands
from core.errors import InputError
from core.rng import random_words
from core.ton.engine import apply, legal_actions, start
from core.ton.play import decision_words, play, play_out, sample_deal
from core.ton.policies import POLICIES, Greedy, Plain, Random
from core.ton.replay import replay
from core.ton.rules import DECK, TonRules
from core.ton.score import result
from core.ton.state import Action
from core.ton.view import view
from tests.core.ton.hands import random_deal, random_hand, random_rules

STRENGTH = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def test_deal_is_cut_from_the_shuffled_deck_in_the_stated_order():
    cards = sample_hands(DECK, [36], 1, seed=5, first=17)[0].tolist()
    deal = sample_deal(TonRules(), 3, 5, 17)
    assert deal.hands == (tuple(cards[:5]), tuple(cards[5:10]), tuple(cards[10:15]))
    assert deal.talon == tuple(cards[15:19])
    assert deal.trump_card == cards[19]
    assert deal.stock == tuple(cards[20:])


def test_decision_words_are_those_of_stream_one():
    assert list(islice(decision_words(5, 17), 40)) == random_words(5, 1, 17, 1, 10)[0].tolist()


def test_hand_is_a_function_of_seed_and_deal_and_its_actions_replay_to_its_result():
    rules = TonRules()
    for number in range(30):
        policies = [Random(), Plain(), Random()]
        played = play(rules, 3, policies, 9, number, records=(0, 10, 13))
        assert play(rules, 3, policies, 9, number, records=(0, 10, 13)) == played
        state = start(rules, played.deal, records=(0, 10, 13))
        for seat, action in played.actions:
            assert state.seat == seat
            state = apply(state, action)
        assert result(state) == played.result


def test_random_takes_one_word_for_every_decision():
    actions = tuple(Action("card", card) for card in range(3))
    state = start(TonRules(), random_deal(TonRules(), 2, random.Random(1)))
    words = iter([0, 2**32 - 1, 2**31, 2**32 // 3, 2**32 // 3 + 1])
    chosen = [Random().choose(state, actions, words) for _ in range(5)]
    assert [action.card for action in chosen] == [0, 2, 1, 0, 1]
    assert Random().choose(state, actions[:1], iter([77])) == actions[0]


def test_policies_must_be_one_a_seat():
    with pytest.raises(InputError, match="2 policies"):
        play(TonRules(), 3, [Plain()] * 2, 1, 1)


def plain_by_the_page(state, actions) -> str:
    """The policy `plain` in words of cards, written from interface.md."""
    seat = state.seat
    hand = format_cards(state.hands[seat]).split()
    trump = None if state.trump is None else "shdc"[state.trump]

    def rank(card: str) -> int:
        return STRENGTH.index(card[:-1])

    def highest(cards: list[str]) -> str:
        top = [card for card in cards if rank(card) == max(map(rank, cards))]
        return min(top, key=lambda card: "shdc".index(card[-1]))

    def lowest(cards: list[str]) -> str:
        low = [card for card in cards if rank(card) == min(map(rank, cards))]
        return max(low, key=lambda card: "shdc".index(card[-1]))

    texts = [str(action) for action in actions]
    trumps = [card for card in hand if card[-1] == trump]
    others = [card for card in hand if card[-1] != trump]
    if "five" in texts:
        return "pass"
    if "trumpless" in texts:
        return "trumpless"
    if "refuse" in texts:
        if len(trumps) > 1:
            return "refuse"
        return f"keep {highest(trumps) if trumps else highest(hand)}"
    if "plus" in texts:
        return "plus"
    if "fold" in texts:
        return "play" if trumps or any(card[0] == "A" for card in hand) else "fold"
    if texts[0].startswith("fetch"):
        stock = format_cards(state.stock).split()
        in_stock = [card for card in stock if card[-1] == trump]
        return f"fetch {highest(in_stock) if in_stock else highest(stock)}"
    if texts[0].startswith("discard"):
        return f"discard {lowest(others) if others else lowest(trumps)}"
    trick = format_cards(card for _, card in state.trick).split()
    if not trick:
        return highest(trumps) if trumps else highest(hand)

    def value(card: str) -> tuple[int, int]:
        return (2 if card[-1] == trump else 1 if card[-1] == trick[0][-1] else 0, rank(card))

    winning = [card for card in texts if value(card) > max(map(value, trick))]
    return min(winning, key=value) if winning else lowest(texts)


def test_plain_is_the_policy_of_the_page():
    chance = random.Random(3)
    met = set()
    for number in range(400):
        rules = random_rules(chance) if number % 2 else TonRules()
        _, _, steps, _ = random_hand(rules, chance.randint(2, 6), chance, five=0.05)
        for state, seat, _ in steps:
            actions = legal_actions(state)
            chosen = Plain().choose(view(state, seat), actions, iter(()))
            assert str(chosen) == plain_by_the_page(state, actions)
            met.add(chosen.word)
    assert met == {"pass", "refuse", "keep", "trumpless", "fetch", "discard", "play", "fold", "card", "plus"}


def greedy_by_the_docstring(state, actions) -> str:
    """The policy `greedy` in words of cards, written from the docstring of `Greedy`."""
    hand = format_cards(state.hands[state.seat]).split()
    trump = None if state.trump is None else "shdc"[state.trump]
    texts = [str(action) for action in actions]

    def height(card: str) -> tuple[int, int]:
        return STRENGTH.index(card[:-1]), -"shdc".index(card[-1])

    def worth(cards: list[str]) -> int:
        by_trump = {True: [6, 6, 7, 7, 8, 9, 10, 12, 17], False: [0, 0, 0, 0, 0, 1, 1, 3, 8]}
        return sum(by_trump[card[-1] == trump][STRENGTH.index(card[:-1])] for card in cards)

    trumps = [card for card in hand if card[-1] == trump]
    others = [card for card in hand if card[-1] != trump]
    if texts[0] == "refuse" and "trumpless" not in texts:
        kept = max(trumps or hand, key=height)
        turned = format_cards(state.shown).split()
        trump_card = [] if trump is None else [format_cards([state.trump_card])]
        unseen = [card for card in format_cards(DECK).split() if card not in hand + turned + trump_card]
        mean = Fraction(worth(unseen), len(unseen))
        bought = worth([kept, *turned]) + (len(state.talon) - len(turned)) * mean
        return f"keep {kept}" if bought > worth(hand) else "refuse"
    if texts[0].startswith("discard"):
        fewest = {card: sum(other[-1] == card[-1] for other in hand) for card in hand}
        return f"discard {min(hand, key=lambda card: (worth([card]), fewest[card], height(card)))}"
    if "fold" in texts:
        return "fold" if worth(hand) < 12 else "play"
    trick = format_cards(card for _, card in state.trick).split()
    if state.phase == "play" and not trick:
        played = [card for done in state.tricks for _, card in done]
        if trumps and others:
            top = max(trumps, key=height)
            above = [f"{rank}{trump}" for rank in STRENGTH[STRENGTH.index(top[:-1]) + 1 :]]
            return top if set(above) <= set(format_cards(played).split()) else max(others, key=height)
        return max(hand, key=height)
    if state.phase == "play":

        def value(card: str) -> tuple[int, int]:
            return (2 if card[-1] == trump else 1 if card[-1] == trick[0][-1] else 0, height(card)[0])

        winning = [card for card in texts if value(card) > max(map(value, trick))]
        if winning and len(trick) + 1 < sum(not folded for folded in state.folded):
            return max(winning, key=height)
    return plain_by_the_page(state, actions)


def test_greedy_is_the_policy_of_its_docstring():
    chance = random.Random(4)
    met = set()
    for number in range(400):
        rules = random_rules(chance) if number % 2 else TonRules()
        _, _, steps, _ = random_hand(rules, chance.randint(2, 6), chance, five=0.05)
        for state, seat, _ in steps:
            actions = legal_actions(state)
            chosen = Greedy().choose(view(state, seat), actions, iter(()))
            assert str(chosen) == greedy_by_the_docstring(state, actions)
            met.add(chosen.word)
    assert met == {"pass", "refuse", "keep", "trumpless", "fetch", "discard", "play", "fold", "card", "plus"}


def test_plain_keeps_of_two_kings_the_spade_and_throws_of_two_sixes_the_club():
    text = """players: A, B
hand A: Kh Ks 6d 6c 7d
hand B: As Qs 8s 9s 10s
talon: 7c 8c 9c 10c
trump: Ah
"""
    state = replay(text, TonRules()).state
    assert Plain().choose(view(state, 0), legal_actions(state), iter(())) == Action("keep", parse_cards("Kh")[0])
    state = replay(text.replace("Ah", "Jc").replace("6c", "6h"), TonRules()).state
    assert Plain().choose(view(state, 0), legal_actions(state), iter(())).word == "trumpless"
    state = replay(text.replace("Ah", "Jc"), TonRules(trumpless_right="nobody")).state
    assert Plain().choose(view(state, 0), legal_actions(state), iter(())) == Action("keep", parse_cards("6c")[0])


# Shares of a hand by the policy `plain`: an independent engine, 150,000 hands a line, five_bid = off.
# By seat: tricks, no trick, folds, buys, of these by the trumpless right.
INDEPENDENT = {
    2: [(2.2397, 0.14915, 0, 0.67914, 0.24684), (2.7603, 0.1029, 0, 0, 0)],
    4: [
        (1.41332, 0.26180, 0, 0.68134, 0.24755),
        (0.94439, 0.35969, 0.07874, 0.24324, 0),
        (0.85613, 0.36252, 0.11495, 0.06478, 0),
        (1.78617, 0.20352, 0, 0, 0),
    ],
}


@pytest.mark.parametrize("players", INDEPENDENT)
def test_plain_does_as_an_independent_engine_found(players):
    hands = 1000
    rules = TonRules(five_bid="off")
    sums = [[0] * 5 for _ in range(players)]
    for number in range(hands):
        played = play(rules, players, [POLICIES["plain"]] * players, 11, number)
        for seat, tricks in enumerate(played.result.tricks):
            sums[seat][0] += tricks
            sums[seat][1] += played.result.participants[seat] and not tricks
        for seat, action in played.actions:
            sums[seat][2] += action.word == "fold"
            sums[seat][3] += action.word in ("keep", "trumpless")
            sums[seat][4] += action.word == "trumpless"
    for found, wanted in zip(sums, INDEPENDENT[players], strict=True):
        assert abs(found[0] / hands - wanted[0]) < 4.5 * 1.6 / hands**0.5  # tricks spread by at most 1.6
        for count, rate in zip(found[1:], wanted[1:], strict=True):
            assert abs(count / hands - rate) <= 4.5 * (rate * (1 - rate) / hands) ** 0.5


def test_engine_and_policies_do_not_load_numba():
    code = (
        "import sys, json; import core.ton.replay, core.ton.policies, core.ton.view;"
        "print(json.dumps([m for m in ('numba', 'numpy') if m in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


def test_hand_can_be_played_on_from_any_state():
    _, _, steps, _ = random_hand(TonRules(), 3, random.Random(4), five=0)
    end, actions = play_out(steps[4][0], [Plain()] * 3, iter(()))
    assert end.phase == "over"
    assert actions
