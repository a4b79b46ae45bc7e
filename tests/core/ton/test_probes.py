"""Probed decisions and players in turn, by the kernel, against the readable engine."""

import random
from dataclasses import dataclass, field

import numpy as np

from core.ton.codes import encode, policy_codes
from core.ton.engine import start
from core.ton.game_in_turn import play_in_turn
from core.ton.play import play, play_out, sample_deal
from core.ton.policies import POLICIES
from core.ton.probes import ANY_SEAT, AS_TABLES, Wanted, probe
from core.ton.rules import TonRules
from core.ton.score import result
from core.ton.tables import CHOICES, MOST_CHOICES, PARTS, SIZE, STARTS
from core.ton.tuned import Tuned
from tests.core.ton.hands import random_rules, random_tuned

SEED, PLUS_WORTH = 77, 4


@dataclass
class Recorded:
    """Tables that note each cell looked up, and at one of them take another choice."""

    tables: object
    probed: int = -1
    choice_there: int = 0
    cells: list = field(default_factory=list)

    def choice(self, part, *place):
        cell = STARTS[part] + int(np.ravel_multi_index([int(index) for index in place], PARTS[part]))
        self.cells.append(cell)
        return self.choice_there if len(self.cells) - 1 == self.probed else self.tables.choice(part, *place)


def played(rules, tables, deal, probed=-1, choice=0):
    """Return the seats and cells of all lookups of a hand, and each seat's worth."""
    recorded = Recorded(tables, probed, choice)
    players, seats = tables.players, []

    class Noted(Tuned):
        def choose(self, view, actions, words):
            before = len(recorded.cells)
            action = super().choose(view, actions, words)
            seats.extend([view.seat] * (len(recorded.cells) - before))
            return action

    state, _ = play_out(start(rules, sample_deal(rules, players, SEED, deal)), [Noted(recorded)] * players, iter(()))
    found = result(state)
    worth = [points - PLUS_WORTH * pluses for points, pluses in zip(found.points, found.pluses, strict=True)]
    return seats, recorded.cells, worth


def test_a_probe_compares_each_choice_with_the_table_s_at_one_decision_of_the_hand():
    chance = random.Random(5)
    parts = set()
    for deal in range(400):
        rules, tables = random_rules(chance), random_tuned(chance.randrange(50), chance.randint(2, 6)).tables
        gains, squares = np.zeros((SIZE, MOST_CHOICES), np.int64), np.zeros((SIZE, MOST_CHOICES), np.int64)
        counts = np.zeros(SIZE, np.int64)
        codes = policy_codes([Tuned(tables)] * tables.players)
        part = chance.choice([*PARTS, None])
        first, last = (STARTS[part], STARTS[part] + int(np.prod(PARTS[part]))) if part else (0, SIZE)
        wanted = Wanted(first, last, chance.randrange(ANY_SEAT, tables.players), chance.randrange(AS_TABLES, 2))
        probe(gains, squares, counts, *codes, wanted, PLUS_WORTH, encode(rules), np.uint64(SEED), deal, deal + 1)
        seats, cells, worth = played(rules, tables, deal)
        places = [
            place
            for place, (seat, cell) in enumerate(zip(seats, cells, strict=True))
            if first <= cell < last and wanted.seat in (ANY_SEAT, seat)
        ]
        assert counts.sum() == (len(places) > 0)
        if not places:
            continue
        (cell,) = np.flatnonzero(counts).tolist()
        assert cell in {cells[place] for place in places}
        expected = []
        for place in places:
            if cells[place] == cell:
                seat = seats[place]
                if wanted.against != AS_TABLES:
                    worth = played(rules, tables, deal, place, wanted.against)[2]
                expected.append(
                    [
                        len(places) * (played(rules, tables, deal, place, choice)[2][seat] - worth[seat])
                        for choice in range(MOST_CHOICES)
                    ]
                )
        assert gains[cell].tolist() in expected, (deal, rules)
        assert (squares == gains**2).all()
        assert np.count_nonzero(gains.any(axis=1)) <= 1
        parts.add(max((start, part) for part, start in STARTS.items() if start <= cell)[1])
    assert parts == set(PARTS)
    assert max(CHOICES.values()) == MOST_CHOICES


def test_every_decision_of_a_hand_is_probed_about_as_often():
    rules, tables = TonRules(five_bid="off"), random_tuned(1, 2).tables
    chosen = []
    for deal in range(3000):
        gains, counts = np.zeros((SIZE, MOST_CHOICES), np.int64), np.zeros(SIZE, np.int64)
        codes = policy_codes([Tuned(tables)] * 2)
        probe(gains, gains.copy(), counts, *codes, Wanted(), 5, encode(rules), np.uint64(SEED), deal, deal + 1)
        _, cells, _ = played(rules, tables, deal) if deal < 300 else ([], [], [])
        if cells:
            place = cells.index(int(np.flatnonzero(counts)[0]))
            chosen.append(place / len(cells))
    # The mean of uniform places is (n - 1) / 2n, a little under a half; its error is under 0.02 here.
    assert 0.33 < np.mean(chosen) < 0.57


def test_a_player_in_turn_gets_what_he_gets_by_the_reference():
    chance = random.Random(9)
    for number in range(60):
        rules, players = random_rules(chance), chance.randint(2, 5)
        one, others = (
            chance.choice((*POLICIES.values(), random_tuned(chance.randrange(50), players))) for _ in range(2)
        )
        table = [one if seat == own else others for own in (*range(players), players) for seat in range(players)]
        numbers, tables = policy_codes(table, players)
        sums = np.zeros(2, np.int64)
        rows = numbers.reshape(players + 1, players, 2)
        first = 4 * number
        play_in_turn(sums, rows, tables, PLUS_WORTH, encode(rules), np.uint64(SEED), first, first + 3)
        expected = np.zeros(2, np.int64)
        for deal in range(first, first + 3):
            own = 0
            for seat in range(players):
                own += worths(rules, players, [one if s == seat else others for s in range(players)], deal)[seat]
            gain = own - sum(worths(rules, players, [others] * players, deal))
            expected += gain, gain**2
        assert sums.tolist() == expected.tolist(), (number, rules, one, others)


def worths(rules, players, policies, deal):
    found = play(rules, players, policies, SEED, deal).result
    return [points - PLUS_WORTH * pluses for points, pluses in zip(found.points, found.pluses, strict=True)]
