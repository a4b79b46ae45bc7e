"""What choices at a bid, a buy-in or a fold gain, against hands replayed on the readable engine."""

import random
from dataclasses import dataclass

import numpy as np
import pytest

from analysis.ton.bids import MOST_TOPS, NO_OTHER, Bids, bids
from analysis.ton.decisions import ONCE, decisions
from analysis.ton.fetching import Fetchings, by_place
from analysis.ton.thumbs import by_rule, cells_of, gain_of_rule
from core.cards import format_card
from core.errors import InputError
from core.ton.engine import start
from core.ton.play import play_out, sample_deal
from core.ton.policies import Policy, policy
from core.ton.rules import DECK, TonRules
from core.ton.score import result
from core.ton.state import Action
from core.ton.tables import CHOICES, PARTS, tables_for
from core.ton.tricks import LOWEST, beats, strength, suit_of
from core.ton.tuned import Tuned
from tests.core.ton.hands import random_rules, random_tuned
from tests.core.ton.test_open_buyin import by_engine

SEED = 6


class Noted:
    """Tables that note the cells looked up, and take another choice in the first one of a part that a seat looks up."""

    def __init__(self, tables, part, choice=None):
        self.tables, self.part, self.choice_there, self.cell = tables, part, choice, None

    def choice(self, part, *place):
        if part != self.part or self.cell is not None:
            return self.tables.choice(part, *place)
        self.cell = tuple(map(int, place))
        return self.tables.choice(part, *place) if self.choice_there is None else self.choice_there


def one_hand(rules, tables, seat, noted, deal):
    """Return what the seat is worth, playing by noted tables among players by plain ones."""
    table = [Tuned(noted if s == seat else tables) for s in range(tables.players)]
    state, _ = play_out(start(rules, sample_deal(rules, tables.players, SEED, deal)), table, iter(()))
    found = result(state)
    return found.points[seat] - rules.zero_trick_points * found.pluses[seat]


@dataclass
class Says:
    """A policy that says a word when a seat may bid, and else plays by another."""

    word: str
    seat: int
    rest: Policy
    asked: bool = False

    def choose(self, view, actions, words):
        if view.phase == "bid" and view.seat == self.seat:
            self.asked = True
            return Action(self.word)
        return self.rest.choose(view, actions, words)


@pytest.mark.parametrize("part", ONCE)
def test_gains_are_those_of_the_readable_engine(part):
    chance = random.Random(part)
    rules = random_rules(chance).replace(five_bid="allowed")
    tables = random_tuned(3, 3).tables
    seat, against, deals = 1, chance.randrange(CHOICES[part]), 60
    found = decisions(3, part, seat, against=against, tables=tables, rules=rules, deals=deals, seed=SEED)
    gains = np.zeros((*PARTS[part], CHOICES[part]), np.int64)
    counts = np.zeros(PARTS[part], np.int64)
    for deal in range(deals):
        noted = Noted(tables, part)
        one_hand(rules, tables, seat, noted, deal)
        if noted.cell is not None:
            before = one_hand(rules, tables, seat, Noted(tables, part, against), deal)
            for choice in range(CHOICES[part]):
                gains[(*noted.cell, choice)] += (
                    one_hand(rules, tables, seat, Noted(tables, part, choice), deal) - before
                )
            counts[noted.cell] += 1
    assert counts.sum() > 5
    assert (found.counts == counts).all()
    assert (found.gains[..., : CHOICES[part]] == gains).all()
    assert gains.any()
    other = (against + 1) % CHOICES[part]
    assert found.gain(other).value == pytest.approx(gains[..., other].sum() / counts.sum())
    assert found.gain_a_hand(other).value == pytest.approx(gains[..., other].sum() / deals)
    assert found.share().value == pytest.approx(counts.sum() / deals)
    assert found.gain(other, counts < 0) is None


def test_a_bid_succeeds_and_gains_what_the_readable_engine_says():
    chance = random.Random(4)
    for _ in range(4):
        rules = random_rules(chance).replace(five_bid="allowed")
        players, deals = chance.choice((2, 3, 4)), 40
        seat, name = chance.randrange(players), chance.choice(("plain", "greedy", "tuned"))
        measure = Bids((policy(name, players),) * players, seat, rules, SEED)
        sums = [np.zeros(shape, np.int64) for shape in measure.shapes]
        measure.count(sums, 0, deals)
        expected = np.zeros_like(sums[0])
        for number in range(deals):
            deal = sample_deal(rules, players, SEED, number)
            says = {word: Says(word, seat, policy(name, players)) for word in ("five", "pass")}
            ends = [result(play_out(start(rules, deal), [each] * players, iter(()))[0]) for each in says.values()]
            if not says["five"].asked:
                continue
            worth = [end.points[seat] - rules.zero_trick_points * end.pluses[seat] for end in ends]
            hand = set(deal.hands[seat])
            tops = {card for card in hand if all(c in hand for c in DECK if beats(c, card, None))}
            other = max((strength(card) - LOWEST for card in hand - tops), default=NO_OTHER)
            success = ends[0].tricks[seat] == rules.hand_size
            gain = worth[0] - worth[1]
            expected[min(len(tops), MOST_TOPS), other] += 1, success, gain, gain**2
        assert (sums[0] == expected).all(), rules
        assert expected[..., 0].sum() > 10


@pytest.mark.parametrize("players", [2, 4])
def test_fetched_trumps_are_compared_as_the_engine_and_the_solver_play_them(players):
    rules, measure = TonRules(), Fetchings(players, TonRules(), SEED)
    sums = [np.zeros(shape, np.int64) for shape in measure.shapes]
    measure.count(sums, 0, 60)
    expected = np.zeros_like(sums[0])
    solved = 0
    for number in range(60):
        deal = sample_deal(rules, players, SEED, number)
        trump = suit_of(deal.trump_card)
        stock = sorted((card for card in deal.stock if suit_of(card) == trump), key=strength, reverse=True)
        if any(suit_of(card) == trump for card in deal.hands[0]) or not stock:
            continue
        solved += 1
        best, *lower = (by_engine(rules, deal, 0, f"trumpless {format_card(card)}") for card in stock)
        for place, tricks in enumerate(lower, start=1):
            loss = best - tricks
            expected[place] += 1, loss > 0, loss < 0, loss, loss**2
    assert solved > 5
    assert (sums[0] == expected).all()
    found = by_place(players, rules, deals=60, seed=SEED)
    assert [each.loss.value for each in found] == [pytest.approx(row[3] / row[0]) for row in expected if row[0] > 1]


def test_a_rule_of_thumb_is_followed_in_its_part_alone():
    tables = tables_for(3)
    ruled = by_rule(tables, "buy", lambda seat, trumps, top, aces: trumps if trumps < 3 and seat else 0)
    cells = cells_of(ruled, "buy")
    assert (cells[1:, :, 2] == 2).all()
    assert (cells[:, :, 3:] == 0).all()
    assert (cells[0] == 0).all()
    for part in PARTS:
        same = cells_of(ruled, part) == cells_of(tables, part)
        assert same.all() == (part != "buy")
    # A rule that loses is told from one that loses nothing: tuned's own choice by hand, where it looks at no more.
    silly = gain_of_rule(3, "fold", lambda *hand: 1, deals=20_000, seed=SEED)
    assert silly.high < -0.1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: decisions(3, "lead", 0), "no part 'lead'"),
        (lambda: decisions(3, "buy", 3), "no seat 3"),
        (lambda: decisions(3, "buy", 0, against=4), "no choice 4"),
        (lambda: decisions(7, "buy", 0), "7"),
        (lambda: decisions(3, "buy", 2, precision=1.0), "seat 2 hardly ever comes to buy"),
        (lambda: bids(3, rules=TonRules(five_bid="off")), "five_bid = off"),
        (lambda: bids(3, 3), "no seat 3"),
        (lambda: bids(3, 0, "pimc"), "pimc is too slow"),
        (lambda: by_place(3, TonRules(trumpless_right="nobody")), "nobody fetches"),
        (lambda: by_rule(tables_for(3), "lead", lambda *hand: 0), "no rule of thumb for 'lead'"),
        (lambda: by_rule(tables_for(3), "fold", lambda *hand: 2), "chooses 0 to 1"),
    ],
)
def test_wrong_input_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
