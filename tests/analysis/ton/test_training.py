"""Training the tables of `tuned`: what a best reply is, when training ends, and that it gets anywhere."""

import numpy as np
import pytest

from analysis.ton import training
from analysis.ton.training import LEAST_PROBES, best_reply, first_guess, train
from core.errors import InputError
from core.ton.rules import TonRules
from core.ton.tables import CHOICES, MOST_CHOICES, SIZE, STARTS


def sums_of(cells):
    """Return sums in which a cell's choices have these (means, standard deviation), so often tried."""
    gains, squares = np.zeros((SIZE, MOST_CHOICES)), np.zeros((SIZE, MOST_CHOICES))
    counts = np.zeros(SIZE)
    for cell, (means, spread, count) in cells.items():
        gains[cell, : len(means)] = np.array(means) * count
        squares[cell, : len(means)] = (np.array(means) ** 2 + spread**2) * count
        counts[cell] = count
    return [gains, squares, counts]


def test_a_best_reply_changes_the_cells_that_gain_surely_enough():
    tables = first_guess(3)
    bid, buy, lead = STARTS["bid"], STARTS["buy"], STARTS["lead"]
    sums = sums_of(
        {
            bid: ([0, 1.0], 2.0, 400),  # ten standard errors
            bid + 1: ([0, 0.1], 2.0, 400),  # one
            bid + 2: ([0, 5.0], 1.0, LEAST_PROBES - 1),  # tried too seldom
            bid + 3: ([0, 0.4, 9.0], 2.0, 400),  # four; there is no third choice
            buy: ([-1.0, 0.5, 0.6, -1.0], 1.0, 1000),
            lead + 5: ([-1.0] * MOST_CHOICES, 1.0, 1000),  # the tables' choice is best
        }
    )
    reply = best_reply(tables, sums)
    changed = {cell: reply.choices[cell] for cell in range(SIZE) if reply.choices[cell] != tables.choices[cell]}
    assert changed == {bid: 1, bid + 3: 1, buy: 2}
    surely = best_reply(tables, sums, 4.5)
    assert [cell for cell in range(SIZE) if surely.choices[cell] != tables.choices[cell]] == [bid, buy]
    assert CHOICES["bid"] == 2


def test_training_gains_on_where_it_began_and_says_what_a_reply_still_gains(monkeypatch):
    monkeypatch.setattr(training, "MOST_ROUNDS", 1)
    before = train(2, deals=40_000, seed=3)
    assert before.tables == first_guess(2)
    monkeypatch.setattr(training, "MOST_ROUNDS", 5)
    after = train(2, deals=40_000, seed=3)
    assert after.gain.value < 0.7 * before.gain.value
    assert after.gain.n == 40_000
    # The numbers are those of any threads.
    assert train(2, deals=40_000, seed=3, threads=1) == after


def test_training_ends_when_no_cell_gains_for_certain(monkeypatch):
    monkeypatch.setattr(training, "SURE_SIGMAS", 1e9)
    begun = first_guess(2)
    assert train(2, first=begun, deals=5_000, seed=3).tables == begun
    with pytest.raises(InputError, match="players"):
        train(7, TonRules(), deals=1000)
