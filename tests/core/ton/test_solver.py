"""The solver against brute force from the rules' text, and against itself."""

import os
import random
from itertools import product

import numpy as np
import pytest

from core.cards import format_card, parse_cards
from core.errors import InputError
from core.ton.open_masks import BEST, FREE, LED, bit_of, legal, mask_of, suit_around, suit_mask
from core.ton.position import Position
from core.ton.rules import DECK, TonRules
from core.ton.solver import best_line, each_for_himself, solve, solve_many
from core.ton.tricks import legal_cards, winner
from tests.reference.ton_minimax import forced, selfish

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


def some_cards(chance: random.Random, players: int) -> int:
    """Few cards more often than many, which take brute force most of its time."""
    return min(chance.randint(1, LARGEST[players]) for _ in range(2))


def spelled(position: Position) -> tuple[list[list[str]], str | None, int, list[str]]:
    hands = [[format_card(card) for card in hand] for hand in position.hands]
    trump = None if position.trump is None else "shdc"[position.trump]
    return hands, trump, position.leader, [format_card(card) for card in position.trick]


def brute(position: Position, rules: TonRules) -> tuple[int, ...]:
    won = position.won or (0,) * len(position.hands)
    return tuple(
        forced(*spelled(position), me, rules.must_beat, rules.must_overtrump) + won[me]
        for me in range(len(position.hands))
    )


def brute_selfish(position: Position, rules: TonRules) -> tuple[int, ...]:
    won = position.won or (0,) * len(position.hands)
    found = selfish(*spelled(position), rules.must_beat, rules.must_overtrump)
    return tuple(tricks + before for tricks, before in zip(found, won, strict=True))


@pytest.mark.parametrize("part", range(4))
def test_solver_is_brute_force(part):
    chance = random.Random(f"solver {part}")
    for number in range(POSITIONS // 4):
        players = 2 + number % 5
        rules = chance.choice(RULES)
        position = random_position(chance, players, some_cards(chance, players), rules)
        assert solve(position, rules) == brute(position, rules), (position, rules)


def test_each_for_himself_is_brute_force():
    chance = random.Random("each for himself")
    for number in range(POSITIONS // 5):
        players = 2 + number % 5
        rules = chance.choice(RULES)
        position = random_position(chance, players, some_cards(chance, players), rules)
        assert each_for_himself(position, rules) == brute_selfish(position, rules), (position, rules)


def test_masks_follow_the_rules_as_written():
    chance = random.Random("masks")
    numbers = {"led": LED, "best": BEST, "free": FREE}
    for _ in range(3000):
        rules, trump = chance.choice(RULES), chance.choice([None, 0, 1, 2, 3])
        cards = chance.sample(DECK, 10)
        hand, trick = cards[: chance.randint(1, 5)], cards[5 : 5 + chance.randint(1, 5)]
        best = trick[winner(trick, trump)]
        suit, trumps = suit_around(bit_of(trick[0])), suit_mask(trump)
        found = legal(
            mask_of(hand), suit, bit_of(trick[0]), bit_of(best), trumps, numbers[rules.must_beat],
            int(rules.must_overtrump == "yes"),
        )  # fmt: skip
        assert found == mask_of(legal_cards(hand, trick, trump, rules))


def test_values_do_not_depend_on_threads_or_on_what_was_solved_before():
    chance = random.Random("batch")
    for players, cards, rules in ((2, 5, RULES[0]), (4, 5, RULES[3]), (6, 3, RULES[5])):
        hands = np.array([chance.sample(DECK, players * cards) for _ in range(600)]).reshape(-1, players, cards)
        trumps = np.array([chance.choice([-1, 0, 1, 2, 3]) for _ in hands])
        leaders = np.array([chance.randrange(players) for _ in hands])
        whole = solve_many(hands, trumps, leaders, rules)
        assert (whole == solve_many(hands, trumps, leaders, rules, threads=2)).all()
        assert (whole[::-1] == solve_many(hands[::-1], trumps[::-1], leaders[::-1], rules, threads=3)).all()
        # The last ones are solved by `solve_many` with a table in use, and here with a new one.
        for index in range(500, 600):
            trump = None if trumps[index] < 0 else int(trumps[index])
            position = Position(tuple(map(tuple, hands[index].tolist())), trump, int(leaders[index]))
            assert solve(position, rules) == tuple(whole[index])


def test_two_players_share_the_tricks():
    chance = random.Random("two")
    for _ in range(300):
        rules = chance.choice(RULES)
        position = random_position(chance, 2, 5, rules)
        assert sum(solve(position, rules)) == 5


def test_cards_without_another_between_them_are_worth_the_same():
    chance = random.Random("equivalent")
    compared = 0
    for number in range(600):
        players = 2 + number % 3
        rules = chance.choice(RULES)
        position = random_position(chance, players, 4, rules)
        held = {card: seat for seat, hand in enumerate(position.hands) for card in hand}
        moves = position.legal(rules)
        for low, high in product(moves, moves):
            if low // 13 == high // 13 and bit_of(low) < bit_of(high):
                inside = [card for card in (*held, *position.trick) if bit_of(low) < bit_of(card) < bit_of(high)]
                if all(held.get(card) == position.seat for card in inside):
                    compared += 1
                    assert solve(position.play(low), rules) == solve(position.play(high), rules)
    assert compared > 100


def test_a_best_line_is_a_legal_game_that_gives_what_the_seat_can_force():
    chance = random.Random("line")
    for number in range(30):
        players = 2 + number % 5
        rules = chance.choice(RULES)
        position = random_position(chance, players, 4, rules)
        seat = chance.randrange(players)
        value = solve(position, rules)[seat]
        for card in best_line(position, rules, seat):
            assert card in position.legal(rules)
            position = position.play(card)
        assert not any(position.hands)
        assert position.won[seat] == value


def test_whole_deck_in_three_hands():
    cards = random.Random("long").sample(DECK, 36)
    position = Position(tuple(tuple(cards[seat::3]) for seat in range(3)), 2, 1)
    assert sum(solve(position, TonRules())) <= 12


HANDS = ("As 7h", "Ks Ah")
WRONG = [
    (HANDS, {"leader": 2}, "leader 2 is not a seat"),
    (HANDS, {"trump": 4}, "trump 4 is not a suit"),
    (HANDS[:1], {}, "1 hands"),
    (("As 7h", "Ks As"), {}, "As is named 2 times"),
    (("As 7h", "Ks"), {}, "the hands are unequal: 2, 1 cards"),
    (("As 7h", "Ks 2h"), {}, "2h is not in the deck"),
    (HANDS, {"trick": "6s"}, "the hands are unequal"),
    (HANDS, {"trick": "6s 7s"}, "a whole trick"),
    (HANDS, {"won": (1,)}, "tricks won are given for 1"),
    (HANDS, {"won": (1, -1)}, "negative"),
]


@pytest.mark.parametrize(("hands", "fields", "message"), WRONG)
def test_what_is_no_position_is_refused_in_one_line(hands, fields, message):
    given = {"trump": 0, "leader": 0, **fields, "trick": parse_cards(fields.get("trick", ""))}
    with pytest.raises(InputError, match=message):
        Position(tuple(map(parse_cards, hands)), **given)


def test_arrays_that_hold_no_positions_are_refused():
    hands = [[parse_cards("As 7h"), parse_cards("Ks Ah")]] * 2
    assert solve_many(hands, [0, -1], [0, 1], TonRules()).tolist() == [[1, 1], [1, 1]]
    for trumps, leaders in (([0, 4], [0, 0]), ([0, 0], [0, 2]), ([0, -2], [0, 0])):
        with pytest.raises(InputError, match="position 1"):
            solve_many(hands, trumps, leaders, TonRules())
    with pytest.raises(InputError, match="position 0: card number 52 is not in the deck"):
        solve_many([[[0], [52]]], [0], [0], TonRules())
    with pytest.raises(InputError, match="shape"):
        solve_many(hands, [0], [0], TonRules())
