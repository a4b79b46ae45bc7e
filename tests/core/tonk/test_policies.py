"""The reference policies, step by step as their definitions say."""

from collections import Counter
from itertools import islice

import pytest

from core.errors import InputError
from core.rng import word_stream
from core.tonk.actions import DROP, STOCK, UP, legal_actions
from core.tonk.policies import Random, Simple, Threshold, policy
from core.tonk.rollouts import Rollout
from core.tonk.thresholds import thresholds_for
from core.tonk.view import view
from tests.core.tonk.hands import action, after, position


def choice(state, name="simple", words=()):
    chosen = policy(name, state.players).choose(view(state, state.turn), legal_actions(state), iter(words))
    assert chosen in legal_actions(state)
    return chosen


# simple:T


@pytest.mark.parametrize(("hand", "name", "drops"), [
    ("5s 5h", "simple", True),
    ("5s 6h", "simple", False),
    ("5s 6h", "simple:11", True),
    ("5s 5h", "simple:9", False),
])  # fmt: skip
def test_simple_drops_at_a_total_of_t_or_less(hand, name, drops):
    assert (choice(position(hand, "Kd", pile="9c"), name) == DROP) == drops


def test_simple_does_not_drop_where_it_may_not():
    state = position("5s 4h", "Kd", pile="9c", drop_allowed="first_turn")
    assert choice(after(state, "up", "discard 9c", "up", "discard 9c")) == STOCK


@pytest.mark.parametrize(("up", "taken"), [("7s", UP), ("4s", UP), ("8s", STOCK), ("6h", STOCK), ("9h", STOCK)])
def test_simple_takes_the_up_card_only_for_a_meld_with_it(up, taken):
    # The three kings are a meld without the up-card.
    assert choice(position("5s 6s Ks Kh Kd", "2d", pile=up, meld_duty="optional")) == taken


def test_simple_takes_the_stock_where_there_is_no_pile_and_where_it_is_empty():
    assert choice(position("5s 9s Ks", "2d")) == STOCK
    assert choice(position("5s 9s Ks", "2d", pile="9d", stock="")) == STOCK
    assert choice(position("5s 6s Ks", "2d", pile="7s", stock="")) == UP


@pytest.mark.parametrize("duty", ["forced", "optional"])
def test_simple_lays_the_melds_that_leave_least(duty):
    state = after(position("5s 6s 7s 7h", "2d", pile="7d", meld_duty=duty), "up")
    assert choice(state) == action("lay 7s 7h 7d")


def test_simple_hits_the_greatest_card_first_on_the_first_meld_that_takes_it():
    table = [("9s 10s Js", 1), ("Jd Qd Kd", 1), ("3h 4h 5h", 1)]
    state = after(position("Qs 10d 2h 6c", "2d", pile="8c", table=table), "up")
    # Of Qs and 10d, both ten points, the queen ranks higher.
    assert choice(state) == action("hit Qs 0")
    state = after(state, "hit Qs 0")
    assert choice(state) == action("hit 10d 1")
    state = after(state, "hit 10d 1")
    assert choice(state) == action("hit 2h 2")
    assert choice(after(state, "hit 2h 2")) == action("discard 8c")
    twice = [("9s 10s Js", 1), ("9s 10s Js", 1)]
    state = after(position("Qs 10d", "2d", pile="8c", table=twice, decks=2), "up")
    assert choice(state) == action("hit Qs 0")


@pytest.mark.parametrize(("hand", "card"), [
    ("10s 8h 3d", "10s"), ("10s Jh 3d", "Jh"), ("Kd Kh 3d", "Kh"), ("Kc Kd 3s", "Kd"), ("As Ah", "7d"),
])  # fmt: skip
def test_simple_discards_the_greatest_value_then_rank_then_suit(hand, card):
    assert choice(after(position(hand, "2s", pile="7d"), "up")) == action(f"discard {card}")


# random


def test_random_takes_one_word_a_decision_and_scales_it_to_the_number_of_actions():
    state = after(position("5s 6h 9d", "Kd", pile="9c"), "up")
    actions = legal_actions(state)
    words = iter([0, 2**32 - 1, 2**31, 2**30 - 1, 7])
    picked = [actions.index(Random().choose(view(state, 0), actions, words)) for _ in range(4)]
    assert picked == [0, 3, 2, 0]
    assert Random().choose(view(state, 0), actions[:1], words) == actions[0]
    assert next(words, None) is None


def test_random_is_uniform():
    state = after(position("5s 6h 9d", "Kd", pile="9c"), "up")
    actions = legal_actions(state)
    words = word_stream(1, 2, 3)
    counts = Counter(Random().choose(view(state, 0), actions, words) for _ in range(4000))
    # Chi-square with 3 degrees of freedom exceeds 16.3 once in a thousand times.
    assert sum((counts[each] - 1000) ** 2 / 1000 for each in actions) < 16.3


# Names


def test_policies_by_name():
    assert policy("random", 3) == Random()
    assert policy("simple", 3) == policy("simple:10", 3) == Simple(10)
    assert policy("simple:0", 3) == Simple(0)
    assert policy("threshold", 3) == Threshold(thresholds_for(3))
    assert policy("rollout", 3) == policy("rollout:200", 3) == Rollout(200, thresholds_for(3))
    assert policy("rollout:999999", 3) == Rollout(999_999, thresholds_for(3))


@pytest.mark.parametrize("name", [
    "", "Simple", "simple:", "simple:-1", "simple:x", "random:3", "simple:1:2", "best", "threshold:", "thresholds",
    "rollout:", "rollout:0", "rollout:-1", "rollout:1000000", "rollout:00000000001", "rollout:5x", "rollout:²",
])  # fmt: skip
def test_an_unknown_policy_is_refused_by_name(name):
    with pytest.raises(InputError) as caught:
        policy(name, 3)
    assert repr(name) in str(caught.value)


def test_a_name_that_is_nearly_one_is_answered_with_that():
    with pytest.raises(InputError, match=r"did you mean threshold\?"):
        policy("treshold", 3)
    with pytest.raises(InputError, match=r"nowhere\.json: No such file"):
        policy("threshold:nowhere.json", 3)


def test_simple_takes_no_words():
    state = position("5s 9s Ks", "2d", pile="9d")
    words = iter(list(islice(word_stream(1, 2, 3), 4)))
    Simple().choose(view(state, 0), legal_actions(state), words)
    assert len(list(words)) == 4
