"""Training tables for the game of two: an equilibrium by regret minimisation, and a good reply to a table. Estimates.

Iteration t of a seed is a function of (seed, t) and of those before it: its cards are deal t on the stream of cards,
its drawn choices take the words of deal t on the stream of choices.
"""

from collections.abc import Callable

import numpy as np

from core.deals import sample_hands
from core.errors import InputError
from core.seeds import check_run
from core.ton.codes import Codes, encode
from core.ton.equilibrium import HeadsUpStrategy, rounded
from core.ton.heads_up import DEALER, ELDEST, heads_up_rules
from core.ton.heads_up_regrets import FREE, Table, fill_keys, iterate, new_table, new_walk
from core.ton.rules import DECK, TonRules

# Streams of random numbers: cards and choices of training, then those of training a reply.
CARDS, CHOICES, REPLY_CARDS, REPLY_CHOICES = 40, 41, 42, 43
NOBODY_FIXED = -1
# What all choices of a reply together are regretted from the start, in points an iteration, each in proportion to its
# chance in the strategy. With 5 the noise of half a million iterations costs more than they find; with 100 it does not.
PRIOR = 100.0
# 2**20 places: the game of five cards has about 200,000 keys.
_BITS = 20
_BATCH = 20_000


def train(
    iterations: int, rules: TonRules, *, seed: int, made_by: str = "", done: Callable[[int], object] = lambda _: None
) -> HeadsUpStrategy:
    """Return the average strategy after that many iterations; `done` is told how many more there are, now and then.

    Raises InputError for a number of iterations or a seed out of range, and for rules that make the game too large.
    """
    table = new_table(_BITS)
    _iterate(table, table, iterations, NOBODY_FIXED, encode(heads_up_rules(rules)), seed, CARDS, CHOICES, done)
    used = np.flatnonzero((table.keys != FREE) & (table.sums.sum(axis=1) > 0))
    used = used[np.argsort(table.keys[used])]
    return HeadsUpStrategy(table.keys[used], rounded(table.sums[used]), rules, made_by)


def train_reply(
    strategy: HeadsUpStrategy, seat: int, iterations: int, *, seed: int, done: Callable[[int], object] = lambda _: None
) -> HeadsUpStrategy:
    """Return a reply of one seat to the other's part of a strategy: what regret minimisation finds against it.

    It is of the same abstraction, and starts from the seat's own part of the strategy: what is seldom met is played by
    that. Raises InputError as `train` does.
    """
    table = new_table(_BITS)
    rules = encode(heads_up_rules(strategy.rules))
    fixed = DEALER if seat == ELDEST else ELDEST
    totals = np.maximum(strategy.parts.sum(axis=1, keepdims=True), 1)
    fill_keys(table, strategy.keys, PRIOR * iterations * strategy.parts / totals)
    table.regrets[:], table.sums[:] = table.sums, 0
    _iterate(table, reading_table(strategy), iterations, fixed, rules, seed, REPLY_CARDS, REPLY_CHOICES, done)
    used = np.flatnonzero(table.keys != FREE)
    used = used[np.argsort(table.keys[used])]
    return HeadsUpStrategy(table.keys[used], rounded(np.maximum(table.regrets[used], 0)), strategy.rules, "")


def reading_table(strategy: HeadsUpStrategy) -> Table:
    """Return a strategy as the kernels look it up."""
    keys, sums = np.zeros(2 << len(strategy.keys).bit_length(), np.uint64), strategy.parts.astype(np.float64)
    table = Table(keys, np.zeros((1, sums.shape[1])), np.zeros((len(keys), sums.shape[1])))
    fill_keys(table, strategy.keys, sums)
    return table


def _iterate(
    table: Table,
    other: Table,
    iterations: int,
    fixed: int,
    rules: Codes,
    seed: int,
    cards: int,
    choices: int,
    done: Callable[[int], object],
) -> None:
    if iterations < 1:
        raise InputError(f"iterations cannot be {iterations}: training takes at least 1")
    check_run(seed, choices, 0, iterations)
    walk = new_walk()
    for first in range(0, iterations, _BATCH):
        batch = min(_BATCH, iterations - first)
        # Cards as the kernels take them: places in the deck.
        deals = sample_hands(range(len(DECK)), [len(DECK)], batch, seed=seed, stream=cards, first=first)
        if iterate(table, other, walk, deals, np.uint64(seed), choices, first, fixed, rules) < batch:
            raise InputError(f"these rules make more than {len(table.keys):,} different decisions")
        done(batch)
