"""The policy `rollout`: it leaves what `threshold` does only for an action that is clearly better in its worlds."""

from itertools import islice

import numpy as np
import pytest

from core.rng import word_stream
from core.tonk.actions import DROP, STOCK, UP, legal_actions
from core.tonk.choosing import policy_numbers
from core.tonk.game import SCALE
from core.tonk.play import deal_hand
from core.tonk.policies import Threshold
from core.tonk.rollouts import CLEARLY, Rollout, roll_out
from core.tonk.rules import TonkRules
from core.tonk.thresholds import thresholds_for
from core.tonk.view import view
from tests.core.tonk.hands import Patient, position, states_of

USUAL = Threshold(thresholds_for(3))
WORLDS = 25


def by_world(seen, actions, seed):
    """Return what each action pays in each of a seed's worlds, in stakes."""
    rows = np.zeros((WORLDS, len(actions)), np.int64)
    products = np.zeros((len(actions), len(actions)), np.int64)
    for world in range(WORLDS):
        roll_out(rows[world], products, seen, actions, policy_numbers([USUAL] * 3), seed, world, world + 1)
    return rows / SCALE


def test_it_takes_what_pays_clearly_more_than_threshold_s_choice():
    left = 0
    words = list(islice(word_stream(3, 1, 0), 400))
    for deal in range(6):
        course = states_of(deal_hand(TonkRules(), 3, 8, deal), Patient(), word_stream(8, 2, deal), words)
        for number, state in enumerate(course):
            if state.result is not None or number % 3 or len(legal_actions(state)) == 1:
                continue
            seen, actions = view(state, state.turn), legal_actions(state)
            usual = USUAL.choose(seen, actions, iter(()))
            paid = by_world(seen, actions, number)
            gains = paid - paid[:, [actions.index(usual)]]
            errors = gains.std(axis=0) / WORLDS**0.5
            # Where a gain lies on the bound, rounding may decide.
            sure = abs(gains.mean(axis=0) - CLEARLY * errors) > 1e-9
            clear = np.where(gains.mean(axis=0) > CLEARLY * errors + 1e-9, gains.mean(axis=0), 0)
            chosen = Rollout(WORLDS, USUAL.thresholds).choose(seen, actions, iter([number]))
            if sure[gains.any(axis=0)].all():
                assert clear[actions.index(chosen)] == pytest.approx(clear.max())
                assert clear.any() or chosen == usual
            left += chosen != usual
    assert left > 2


def test_it_takes_one_word_a_decision_also_where_there_is_one_action():
    seen = view(position("5s 9s Kd", "2d", "3d", pile="7s", low_tonk=None), 0)
    for actions in ([DROP, UP, STOCK], [STOCK]):
        words = iter([1, 2])
        assert Rollout(3, USUAL.thresholds).choose(seen, actions, words) in actions
        assert next(words) == 2


def test_it_goes_out_where_it_can():
    # `threshold` takes the up-card too where it completes a meld; nothing in any world pays more.
    state = position("7s 8s", "Kd Qd Jc 10h 2c", "Kh Qc Jh 9d 3c", pile="9s")
    assert Rollout(WORLDS, USUAL.thresholds).choose(view(state, 0), [UP, STOCK], iter([1])) == UP
