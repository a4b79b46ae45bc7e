"""The kernel of whole hands against the readable engine: the same moves and results, deal by deal.

TONLAB_HANDS sets the number of hands that are compared.
"""

import os
import random
from collections import Counter

import numpy as np
import pytest

from core.errors import InputError
from core.rng import random_words
from core.ton.codes import WORDS, encode, logged_moves, longest, policy_codes
from core.ton.game import play_games
from core.ton.play import Played, play
from core.ton.policies import POLICIES
from core.ton.rules import TonRules
from core.ton.seats import FIELDS, SQUARED
from tests.core.ton.hands import as_policy, random_records, random_rules

HANDS = int(os.environ.get("TONLAB_HANDS", "3000"))
SEED = 2024
NO_LOG = np.empty(0, np.int64)


def counted(rules, policies, records, seed, start, stop, log=NO_LOG):
    """Return the kernel's sums and squares by seat."""
    players = len(policies)
    sums, squares = np.zeros((players, len(FIELDS)), np.int64), np.zeros((players, SQUARED), np.int64)
    codes = policy_codes([as_policy(name, players) for name in policies])
    play_games(sums, squares, log, *codes, np.array(records), encode(rules), np.uint64(seed), start, stop)
    return sums, squares


def facts(played: Played) -> list[list[int]]:
    """Return what FIELDS names of a hand played by the reference, by seat."""
    result = played.result
    words = [{action.word for by, action in played.actions if by == seat} for seat in range(len(result.tricks))]
    return [
        [
            tricks,
            points,
            pluses,
            plays and not tricks,
            not plays,
            not {"keep", "trumpless"}.isdisjoint(done),
            "trumpless" in done,
        ]
        for tricks, points, pluses, plays, done in zip(
            result.tricks, result.points, result.pluses, result.participants, words, strict=True
        )
    ]


def random_table(chance: random.Random):
    """Return rules of any options, and a policy and a record for each of some players."""
    while True:
        rules = random_rules(chance)
        if chance.random() < 0.5:
            size = chance.randint(2, 12)
            rules = rules.replace(hand_size=size, talon_size=size - 1)
        if chance.random() < 0.5:
            rules = rules.replace(
                must_play_points=chance.choice((0, 9, 1000)),
                pot_plus_points=chance.choice((0, 9)),
                zero_trick_points=chance.choice((0, 3)),
                five_bid_pluses=chance.choice((0, 5)),
            )
        players = chance.randint(2, 6)
        try:
            rules.check_players(players)
        except InputError:
            continue
        tuned = (chance.randrange(50), chance.randrange(50))
        kind = chance.choice((("random",), ("plain",), ("greedy",), tuned, (*POLICIES, *tuned)))
        return rules, [chance.choice(kind) for _ in range(players)], random_records(players, chance)


def test_kernel_plays_as_the_reference_move_by_move():
    chance = random.Random(SEED)
    values, words, tables = set(), Counter(), Counter()
    for deal in range(HANDS):
        rules, policies, records = random_table(chance)
        players = len(policies)
        played = play(rules, players, [as_policy(name, players) for name in policies], SEED, deal, records=records)
        log = np.full(longest(players, rules.hand_size), -1, np.int64)
        sums, squares = counted(rules, policies, records, SEED, deal, deal + 1, log)
        assert logged_moves(log.tolist()) == played.actions, (deal, rules, policies, records)
        expected = np.array(facts(played))
        assert sums.tolist() == expected.tolist(), (deal, rules, policies, records)
        assert squares.tolist() == (expected[:, :SQUARED] ** 2).tolist()
        values.update((name, value) for name, value in rules.as_dict().items())
        words.update(action.word for _, action in played.actions)
        tables[players] += 1
    assert {(name, word) for name, known in TonRules.options().items() for word in known or ()} <= values
    assert set(words) == set(WORDS)
    assert set(tables) == {2, 3, 4, 5, 6}


@pytest.mark.parametrize("policies", [("random",) * 4, ("plain", "random", "greedy"), ("plain",) * 2])
def test_sums_over_any_chunks_are_those_of_the_hands(policies):
    whole = counted(TonRules(), policies, [0] * len(policies), 3, 5, 1205)
    parts = [counted(TonRules(), policies, [0] * len(policies), 3, *span) for span in ((5, 6), (6, 700), (700, 1205))]
    for index, total in enumerate(whole):
        assert total.tolist() == sum(part[index] for part in parts).tolist()


def test_log_of_several_hands_holds_one_after_the_other():
    policies = ["random", "plain", "random"]
    width = longest(3, 5)
    log = np.full(600 * width, -1, np.int64)
    counted(TonRules(), policies, [0, 10, 13], 8, 40, 640, log)
    for number in (0, 1, 511, 512, 599):
        played = play(TonRules(), 3, [POLICIES[name] for name in policies], 8, 40 + number, records=(0, 10, 13))
        assert logged_moves(log[number * width : (number + 1) * width].tolist()) == played.actions


def test_random_draws_from_the_decision_stream_alone():
    # The first bid is the highest bit of the deal's first word.
    width = longest(2, 5)
    log = np.full(100 * width, -1, np.int64)
    counted(TonRules(), ["random", "random"], [0, 0], 8, 0, 100, log)
    first = [logged_moves(log[width * deal : width * deal + 1].tolist())[0][1].word for deal in range(100)]
    assert first == ["five" if word >> 31 else "pass" for word in random_words(8, 1, 0, 100, 1)[:, 0].tolist()]
