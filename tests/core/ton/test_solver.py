"""The solver against brute force from the rules' text, and against itself."""

import os
import random

import pytest

from core.cards import format_card
from core.ton.rules import DECK, TonRules
from core.ton.solver import Position, solve
from tests.reference.ton_minimax import forced

POSITIONS = int(os.environ.get("TONLAB_POSITIONS", "3000"))
# The most cards a hand that brute force can bear, by players.
LARGEST = {2: 5, 3: 4, 4: 3, 5: 3, 6: 2}
RULES = [TonRules(must_beat=beat, must_overtrump=over) for beat in ("led", "best", "free") for over in ("no", "yes")]


def random_position(chance: random.Random, players: int, cards: int, rules: TonRules) -> Position:
    dealt = chance.sample(DECK, players * cards)
    hands = tuple(tuple(dealt[seat::players]) for seat in range(players))
    position = Position(hands, chance.choice([None, 0, 1, 2, 3]), chance.randrange(players))
    for _ in range(chance.choice([0, 0, chance.randrange(players)])):
        position = position.play(chance.choice(position.legal(rules)))
    return position


def brute(position: Position, rules: TonRules) -> tuple[int, ...]:
    hands = [[format_card(card) for card in hand] for hand in position.hands]
    trick = [format_card(card) for card in position.trick]
    trump = None if position.trump is None else "shdc"[position.trump]
    given = (hands, trump, position.leader, trick)
    return tuple(forced(*given, me, rules.must_beat, rules.must_overtrump) for me in range(len(hands)))


@pytest.mark.parametrize("part", range(4))
def test_solver_is_brute_force(part):
    chance = random.Random(f"solver {part}")
    for number in range(POSITIONS // 4):
        players = 2 + number % 5
        rules = chance.choice(RULES)
        position = random_position(chance, players, chance.randint(1, LARGEST[players]), rules)
        assert solve(position, rules) == brute(position, rules), (position, rules)
