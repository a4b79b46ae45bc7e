"""The kernel of whole hands equals the readable engine: move by move, payment by payment, under every option."""

import os
from fractions import Fraction
from itertools import cycle
from random import Random as Choice
from typing import get_args

import numpy as np

from core.rng import word_stream
from core.tonk.actions import DROP, Action, legal_actions
from core.tonk.choosing import policy_numbers
from core.tonk.game import SCALE, play_each, play_hands, play_in_turn, probe_drops
from core.tonk.moves import apply
from core.tonk.payments import settle_drop
from core.tonk.play import DECISIONS, RESHUFFLE, deal_hand, play
from core.tonk.policies import Random, Simple, Threshold
from core.tonk.rollouts import action_numbers
from core.tonk.rules import TonkRules
from core.tonk.settling import options_of
from core.tonk.state import Ending
from core.tonk.thresholds import COLUMNS, FINE_COLUMNS, LATER_TURNS, Thresholds
from core.tonk.view import view
from tests.core.tonk.hands import OPTIONS

# Set it to compare more hands than the tests do.
HANDS = int(os.environ.get("TONLAB_HANDS", "2500"))
NUMBERS = {
    "low_tonk": (None, 15, 8),
    "high_tonk": (None, 49),
    "tonk_pay": (2, 3),
    "drop_penalty": (2, 3),
    "out_pay": (1, 2),
    "hand_size": (5, 5, 1, 2, 3, 7, 10, 13),
    "decks": (1, 1, 2, 4),
}
MOST_MOVES = 20_000


class Summed:
    """What the kernel adds up over hands, and their moves."""

    def __init__(self, rules, policies, seed, start, stop, moves=0):
        players = len(policies)
        self.payments = np.zeros((players, players + 1), np.int64)
        self.squares = np.zeros((players, players + 1), np.int64)
        self.kinds = np.zeros(len(get_args(Ending)), np.int64)
        self.turns = np.zeros(2, np.int64)
        log = np.full((moves, 4), -1, np.int64)
        sums = (self.payments, self.squares, self.kinds, self.turns)
        play_hands(*sums, log, policy_numbers(policies), options_of(rules), np.uint64(seed), start, stop)
        self.moves = [tuple(row) for row in log[: int((log[:, 0] >= 0).sum())].tolist()]

    def paid(self):
        return tuple(sum(Fraction(int(pay), divisor or 1) for divisor, pay in enumerate(row)) for row in self.payments)

    def squared(self):
        return tuple(sum(Fraction(int(s), (d or 1) ** 2) for d, s in enumerate(row)) for row in self.squares)


def as_logged(seat: int, action: Action) -> tuple[int, int, int, int]:
    return seat, *map(int, action_numbers([action])[0])


def tables(hands):
    """Yield rules and policies by seat, each value of each option in turn or at random."""
    choice = Choice(7)
    turns = {name: cycle(words) for name, words in OPTIONS.items()}
    for number in range(hands):
        options = {name: choice.choice(values) for name, values in NUMBERS.items()}
        options |= {name: choice.choice(words) for name, words in OPTIONS.items()}
        if options["hand_size"] != 5:
            options["low_tonk"] = options["high_tonk"] = None
        name = choice.choice(list(OPTIONS))
        options[name] = next(turns[name])
        rules = TonkRules(**options)
        most = (52 * rules.decks - 1) // rules.hand_size
        players = min(most, 10 if number % 12 == 0 else choice.randint(2, 6))
        simple = [Simple(choice.choice((0, 3, 6, 10, 15, 40))) for _ in range(players)]
        by_table = [Threshold(thresholds(players, choice)) for _ in range(players)]
        policies = {
            0: [Random()] * players,
            1: simple,
            2: [choice.choice(kinds) for kinds in zip([Random()] * players, simple, by_table, strict=True)],
            3: by_table,
        }[number % 4]
        yield rules, policies


def thresholds(players, choice):
    """Return a table that drops now and then, so that its cells matter."""
    columns = choice.choice((COLUMNS, FINE_COLUMNS))
    drop = tuple(tuple(choice.randint(-1, 24) for _ in range(columns)) for _ in range(players + LATER_TURNS))
    return Thresholds(drop, choice.choice((-1, 0, 1, 3, 5)), choice.choice((0, 1, 3, 6, 9)))


def test_the_kernel_plays_the_reference_s_hands():
    kinds = list(get_args(Ending))
    for deal, (rules, policies) in enumerate(tables(HANDS)):
        played = play(rules, len(policies), policies, 11, deal)
        summed = Summed(rules, policies, 11, deal, deal + 1, MOST_MOVES)
        assert summed.moves == [as_logged(seat, action) for seat, action in played.actions], (deal, rules, policies)
        assert summed.paid() == played.result.payments, (deal, rules, policies)
        assert summed.squared() == tuple(pay * pay for pay in played.result.payments)
        assert summed.kinds.tolist() == [kind == played.result.kind for kind in kinds], (deal, rules, policies)
        assert summed.turns.tolist() == [played.turns, played.turns**2], (deal, rules, policies)


# One decision of each hand, and one player among others


def test_probed_drops_are_those_of_the_reference():
    rounds, totals, compared = 2, 55, 0
    for deal, (rules, policies) in enumerate(tables(700)):
        players = len(policies)
        gains, squares, counts = (
            np.zeros(((players + LATER_TURNS) * FINE_COLUMNS, totals), np.int64) for _ in range(3)
        )
        numbers, options = policy_numbers(policies), options_of(rules)
        probe_drops(gains, squares, counts, numbers, options, rounds, np.uint64(11), deal, deal + 1)
        probe = probed(rules, policies, rounds, deal)
        expected = {} if probe is None or probe[1] >= totals else {probe[:2]: probe[2] * SCALE}
        assert {tuple(cell): gains[*cell] for cell in np.argwhere(counts).tolist()} == expected, (deal, rules, policies)
        assert (counts <= 1).all()
        assert (squares == gains**2).all()
        compared += len(expected)
    assert compared > 150


def probed(rules, policies, rounds, deal):
    """Return the cell of the drop table, the total, and what a drop gains against none, at the hand's own turn."""
    state, words = deal_hand(rules, len(policies), 11, deal), word_stream(11, DECISIONS, deal)

    def step(state, actions):
        chosen = policies[state.turn].choose(view(state, state.turn), actions, words)
        return apply(state, chosen, word_stream(11, RESHUFFLE, deal))

    looked_at = deal % (rounds * len(policies))
    while state.result is None and (state.drawn or sum(state.turns) < looked_at):
        state = step(state, legal_actions(state))
    actions = legal_actions(state)
    if DROP not in actions:
        return None
    seat, total = state.turn, state.totals[state.turn]
    others = [other for other in range(len(policies)) if other != seat]
    turn, fewest = looked_at // len(policies), min(len(state.hands[other]) for other in others)
    row = (seat, len(policies))[turn]
    own = len(state.hands[seat])
    column = COLUMNS * (2 if own < 3 else 1 if own < 5 else 0)
    column += 2 * (2 if fewest < 3 else 1 if fewest < 5 else 0) + any(state.known[other] for other in others)
    dropped = settle_drop(state.totals, seat, rules)[seat]
    state = step(state, [action for action in actions if action != DROP])
    while state.result is None:
        state = step(state, legal_actions(state))
    return FINE_COLUMNS * row + column, total, dropped - state.result.payments[seat]


def test_one_player_s_pay_on_all_seats_is_that_of_the_reference():
    deals = 3
    for number, (rules, policies) in enumerate(tables(100)):
        players, first = len(policies), 5 * number
        by_seat = [policies[seat:] + policies[:seat] for seat in range(players)]
        sums = np.zeros(2, np.int64)
        numbers = np.array([policy_numbers(each) for each in by_seat])
        play_in_turn(sums, numbers, options_of(rules), np.uint64(11), first, first + deals)
        paid = [
            sum(play(rules, players, by_seat[seat], 11, deal).result.payments[seat] for seat in range(players)) * SCALE
            for deal in range(first, first + deals)
        ]
        assert sums.tolist() == [sum(paid), sum(pay * pay for pay in paid)], (number, rules, policies)


def test_each_hand_told_apart_is_what_play_hands_adds_up():
    chance = Choice(11)
    for number in range(12):
        rules = TonkRules(drop_settlement=chance.choice(OPTIONS["drop_settlement"]), several_tonks="split", low_tonk=24)
        players = chance.randint(2, 6)
        policies = [chance.choice((Random(), Simple(20), Simple(5))) for _ in range(players)]
        # Not from a multiple of the hands that are dealt side by side.
        start, hands = 7 * number, 50
        payments = np.zeros((hands, players), np.int64)
        kinds, turns = np.zeros(hands, np.int64), np.zeros(hands, np.int64)
        play_each(payments, kinds, turns, policy_numbers(policies), options_of(rules), np.uint64(9), start)
        for row in range(hands):
            alone = Summed(rules, policies, 9, start + row, start + row + 1)
            assert payments[row].tolist() == [paid * SCALE for paid in alone.paid()]
            assert alone.kinds[kinds[row]] == 1
            assert alone.turns[0] == turns[row]
