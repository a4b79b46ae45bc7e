"""Estimates that grow: each answer is the one that as many deals give at once, and they stop when they should."""

import pytest

from analysis.effort import Effort
from analysis.growing import Growing
from analysis.tonk import simulate
from analysis.tonk.simulation import growing_simulation
from core.errors import InputError

POLICIES = ["simple", "random"]


def test_each_answer_is_that_of_as_many_deals() -> None:
    growing = growing_simulation(2, POLICIES, None, Effort(seed=7))
    answers = list(growing.answers(precision=0, most=2000))
    deals = [answer.turns.n for answer in answers]
    assert deals == sorted(set(deals))
    assert deals[-1] == 2000
    for answer in answers:
        assert answer == simulate(2, POLICIES, deals=answer.turns.n, seed=7)


def test_growing_ends_with_the_precision() -> None:
    growing = growing_simulation(2, POLICIES, None, Effort())
    *before, last = growing.answers(precision=0.05, most=10**6)
    assert max(payment.half_width for payment in last.payment) <= 0.05
    assert all(max(payment.half_width for payment in answer.payment) > 0.05 for answer in before)


def test_too_few_deals_for_an_answer_are_passed_over() -> None:
    growing = growing_simulation(2, POLICIES, None, Effort())

    def answer() -> int:
        if growing.run.deals < 500:
            raise InputError("too few")
        return growing.run.deals

    patient = Growing(growing.run, answer, growing.judged)
    assert min(patient.answers(precision=0, most=1000)) >= 500
    hopeless = Growing(growing_simulation(2, POLICIES, None, Effort()).run, answer, growing.judged)
    assert hopeless.run.deals == 0
    growing.run.extend(1000)
    with pytest.raises(InputError, match="too few"):
        list(Growing(growing.run, lambda: _never(), growing.judged).answers(precision=0, most=1000))


def _never() -> int:
    raise InputError("too few")
