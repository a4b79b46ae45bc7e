"""The kernel of whole matches against the readable one: the same winner, money and hands, match by match.

TONLAB_MATCHES sets the number of matches that are compared.
"""

import os
import random
from collections import Counter

import numpy as np
import pytest

from core.errors import InputError
from core.ton.codes import encode, policy_codes
from core.ton.match import play_match
from core.ton.matches import BY_PLAYER, HALF, MOST_MONEY, WHOLE, encode_match, money_unit, play_each, play_matches
from core.ton.policies import POLICIES
from core.ton.rules import TonRules
from tests.core.ton.hands import as_policy, random_rules

MATCHES = int(os.environ.get("TONLAB_MATCHES", "250"))
SEED = 77


def counted(rules, policies, seed, start, stop, max_hands):
    """Return the kernel's sums by player, and of the whole match by name."""
    by_player, whole = np.zeros((len(policies), len(BY_PLAYER)), np.int64), np.zeros(len(WHOLE), np.int64)
    codes = policy_codes([as_policy(name, len(policies)) for name in policies])
    match_rules = encode(rules), encode_match(rules)
    play_matches(by_player, whole, *codes, *match_rules, np.uint64(seed), start, stop, max_hands)
    return by_player, dict(zip(WHOLE, whole.tolist(), strict=True))


def random_table(chance: random.Random):
    """Return rules of any options, policies, and a number of hands after which a match is broken off."""
    while True:
        rules = random_rules(chance)
        if chance.random() < 0.6:
            size = chance.randint(2, 8)
            rules = rules.replace(
                hand_size=size,
                talon_size=size - 1,
                must_play_points=chance.choice((0, 6, 13, 1000)),
                pot_plus_points=chance.choice((0, 4, 10)),
                target_points=chance.choice((1, 7, 15)),
                zero_trick_points=chance.choice((0, 2, 5)),
                five_bid_pluses=chance.choice((0, 1, 2)),
                ante=chance.choice((0, 6, 10)),
                plus_price=chance.choice((0, 4, 10)),
            )
        players = chance.randint(2, 6)
        try:
            rules.check_players(players)
        except InputError:
            continue
        kind = chance.choice((("random",), ("plain", "greedy"), (*POLICIES, 5)))
        return rules, [chance.choice(kind) for _ in range(players)], chance.choice((12, 40))


def test_kernel_plays_as_the_reference_match_by_match():
    chance = random.Random(SEED)
    seen, players_seen = Counter(), set()
    for match in range(MATCHES):
        rules, policies, max_hands = random_table(chance)
        players, unit = len(policies), money_unit(rules)
        expected = play_match(
            rules, players, [as_policy(name, players) for name in policies], SEED, match, max_hands=max_hands
        )
        by_player, whole = counted(rules, policies, SEED, match, match + 1, max_hands)
        where = (match, rules, policies)
        wins, money, high, products, low = by_player.T.tolist()
        assert wins == [int(player == expected.winner) for player in range(players)], where
        assert (whole["hands"], whole["hand_squares"]) == (expected.hands, expected.hands**2), where
        assert whole["broken_off"] == (expected.winner is None), where
        dear = max(expected.money) > MOST_MONEY * unit
        assert whole["too_dear"] == dear, where
        if not dear:
            assert [unit * paid for paid in money] == list(expected.money), where
            squares = [HALF * (HALF * a + 2 * b) + c for a, b, c in zip(high, products, low, strict=True)]
            assert squares == [paid**2 for paid in money], where
        seen.update((name, value) for name, value in rules.as_dict().items())
        seen.update([("broken off", expected.winner is None), ("dear", dear)])
        players_seen.add(players)
    assert {(name, word) for name, known in TonRules.options().items() for word in known or ()} <= set(seen)
    assert min(seen["broken off", True], seen["broken off", False]) > 10
    assert players_seen == {2, 3, 4, 5, 6}


def test_debts_past_all_bounds_are_told_and_money_still_adds_up_to_zero():
    # Every plus is a pot plus: what stands in the record doubles each time.
    rules = TonRules(pot_plus_points=0, target_points=200)
    by_player, whole = counted(rules, ["plain", "random", "plain"], 5, 0, 20, 1000)
    assert whole["too_dear"] == 20 - whole["broken_off"] > 0
    assert by_player[:, BY_PLAYER.index("money")].sum() == 0


@pytest.mark.parametrize("policies", [("random",) * 4, ("plain", "random", "greedy"), ("plain",) * 2])
def test_sums_over_any_chunks_are_those_of_the_matches(policies):
    whole = counted(TonRules(), policies, 3, 5, 205, 100)
    parts = [counted(TonRules(), policies, 3, *span, 100) for span in ((5, 6), (6, 90), (90, 205))]
    assert whole[0].tolist() == sum(part[0] for part in parts).tolist()
    assert whole[1] == {name: sum(part[1][name] for part in parts) for name in WHOLE}


def test_each_match_told_apart_is_what_play_matches_adds_up():
    rules, policies = TonRules(zero_trick="minus_only"), ["plain", "random", "greedy"]
    by_player, whole = np.zeros((20, 3, len(BY_PLAYER)), np.int64), np.zeros((20, len(WHOLE)), np.int64)
    codes = policy_codes([as_policy(name, 3) for name in policies])
    play_each(by_player, whole, *codes, encode(rules), encode_match(rules), np.uint64(SEED), 5, 300)
    for row in range(20):
        one, totals = counted(rules, policies, SEED, 5 + row, 6 + row, 300)
        assert by_player[row].tolist() == one.tolist()
        assert whole[row].tolist() == list(totals.values())
