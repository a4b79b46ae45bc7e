"""Tuned thresholds: what they gain, the same on any threads; best drops from sums written by hand."""

import numpy as np
import pytest

from analysis.effort import Effort
from analysis.estimate import Estimate
from analysis.tonk.duels import Duels, gain
from analysis.tonk.tuning import LEAST_PROBES, TOTALS, Probes, best_drops, first_guess, richer_reply, tune
from core.errors import InputError
from core.tonk.policies import Threshold
from core.tonk.rules import TonkRules
from core.tonk.thresholds import COLUMNS, FINE_COLUMNS, LATER_TURNS, Thresholds

CELLS = (2 + LATER_TURNS) * FINE_COLUMNS


@pytest.fixture(scope="module")
def tuned():
    return tune(2, deals=20_000, seed=4, threads=1)


def test_tuned_thresholds_are_the_same_on_any_threads_with_their_gain_estimated(tuned, tmp_path):
    assert tune(2, TonkRules(), deals=20_000, seed=4, threads=2, store=tmp_path) == tuned
    assert isinstance(tuned.gain, Estimate)
    assert tuned.gain.n == 10_000
    assert tuned.thresholds.players == tuned.best_reply.players == 2


def test_the_gain_is_that_of_the_best_reply_on_the_round_s_deals(tuned):
    one, others, seed = Threshold(tuned.best_reply), Threshold(tuned.thresholds), tuned.gain.seed
    assert gain(Duels(TonkRules(), 2, one, others, seed), Effort(deals=10_000, seed=seed)) == tuned.gain


def test_tuned_thresholds_beat_the_first_guess_on_other_deals(tuned):
    one, others = Threshold(tuned.thresholds), Threshold(first_guess(2))
    found = gain(Duels(TonkRules(), 2, one, others, 999), Effort(deals=60_000, seed=999))
    assert found.value - 5 * found.se > 0


def test_tuning_refuses_players_whom_the_deck_cannot_serve():
    for players in (1, 11):
        with pytest.raises(InputError, match=f"{players} players"):
            tune(players)


def sums(gains, probes=LEAST_PROBES):
    """Return sums in which totals of row 1, column 1 gain that much, and its finer cells too."""
    tables = [np.zeros((CELLS, TOTALS), np.int64) for _ in range(3)]
    cell = FINE_COLUMNS + 1
    for total, gained in gains.items():
        tables[0][[cell, cell + COLUMNS, cell + 2 * COLUMNS], total] = gained, 2 * gained, -2 * gained
    tables[2][cell, 40] = tables[2][cell + 2 * COLUMNS, 40] = probes // 2
    return tables


@pytest.mark.parametrize(
    ("gains", "total"),
    [
        ({3: 5, 9: 2, 12: -1}, 9),
        ({3: 5, 9: -4, 12: 3, 20: 3}, 20),  # up to 20 more is gained than lost
        ({3: 5, 9: -4, 12: 3, 20: 1}, 3),  # of equal sums the least total
        ({0: 1}, 0),
        ({0: -1, 30: 1}, -1),
        ({49: 1}, 49),
        ({}, -1),
    ],
)
def test_the_best_drop_is_where_the_gains_up_to_it_add_up_to_most(gains, total):
    guess = first_guess(2)
    expected = [list(row) for row in guess.drop]
    expected[1][1] = total
    assert best_drops(guess, sums(gains)) == tuple(map(tuple, expected))
    assert best_drops(guess, sums(gains, LEAST_PROBES - 1)) == guess.drop
    assert Thresholds(best_drops(guess, sums(gains)), 0, 0).players == 2


def test_a_fine_table_drops_by_his_own_cards_where_that_was_tried():
    guess = first_guess(2)
    fine = Thresholds(guess.fine_drop, guess.take, guess.keep)
    expected = [list(row) for row in fine.drop]
    expected[1][1], expected[1][1 + 2 * COLUMNS] = 9, -1
    assert best_drops(fine, sums({9: 5}, 2 * LEAST_PROBES)) == tuple(map(tuple, expected))


def test_a_richer_reply_gains_on_other_deals_than_it_was_chosen_on():
    # A table that is bad for small hands: they drop at 15 too.
    reply = richer_reply(first_guess(2), deals=100_000, seed=4, threads=1)
    assert reply.gain.value - 5 * reply.gain.se > 0
    duels = Duels(TonkRules(), 2, Threshold(reply.best_reply), Threshold(first_guess(2)), 8)
    assert gain(duels, Effort(deals=100_000, seed=8)) == reply.gain
    assert len(reply.best_reply.drop[0]) == FINE_COLUMNS


def probed(hands, **options):
    probes = Probes(TonkRules(**options), first_guess(3), 2)
    tables = [np.zeros(shape, np.int64) for shape in probes.shapes]
    probes.count(tables, 0, hands)
    return tables


def test_on_the_first_turn_a_drop_of_few_points_gains_and_one_of_many_loses():
    gains, _, counts = (table[: 3 * FINE_COLUMNS] for table in probed(20_000))
    # The lowest and the highest totals that are no TONK.
    assert counts[:, :16].sum() == counts[:, 49:].sum() == 0
    assert counts[:, 16:21].sum() > 30
    assert gains[:, 16:21].sum() > 0 > gains[:, 40:].sum()


def test_sums_that_could_overflow_are_refused():
    with pytest.raises(InputError, match="hands at most"):
        probed(10**6, drop_penalty=1000)
