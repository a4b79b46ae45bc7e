"""Monte-Carlo regret minimisation for the game of two as kernels: `core.ton.regrets` on `core.ton.abstraction`.

The tree is walked without recursion, which compiled kernels that are kept on disk cannot have: a row of `states` for
each of the walking player's decisions on the way from the deal, and what is to be known of it in a row of each array of
Walk. Regrets and the average strategy's sums lie in a table with a place for each key (`find`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.deals import Bytes
from core.jit import inlined, kernel
from core.rng import LOW_WORD, SHIFT, philox
from core.ton.abstraction import MOST_CHOICES
from core.ton.codes import Codes
from core.ton.heads_up_choices import consider
from core.ton.heads_up_moves import COLUMNS, deal_heads_up, heads_up_payoff, move, to_act
from core.ton.masks import ONE, ZERO, Masks

Floats = NDArray[np.float64]
# A hand has at most so many decisions of one player: the talon, a fold or a discard, six tricks.
LEVELS = 9
# Spreads keys over a table: 2**64 over the golden ratio.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_WORD = 2.0**-32
FREE = np.uint64(0)


class Table(NamedTuple):
    """A place for each key that has come up, of 2**n: the key (FREE where there is none) and a number by choice.

    regrets
        of the walking player's choices, weighted
    sums
        the average strategy, weighted; in a table that is only read, its chances
    """

    keys: Masks
    regrets: Floats
    sums: Floats


class Walk(NamedTuple):
    """Scratch space of a walk: rows by level."""

    states: Masks
    actions: Masks
    values: Floats
    chances: Floats
    found: NDArray[np.int64]
    order: Masks
    # The generator's key, counter and the words of the block in use; then the number of words drawn.
    words: Masks


def new_walk() -> Walk:
    """Return the room that a walk needs."""
    return Walk(
        np.zeros((LEVELS + 1, COLUMNS), np.uint64),
        np.zeros((LEVELS + 1, MOST_CHOICES), np.uint64),
        np.zeros((LEVELS + 1, MOST_CHOICES)),
        np.zeros((LEVELS + 1, MOST_CHOICES)),
        np.zeros((LEVELS + 1, 3), np.int64),
        np.zeros(8, np.uint64),
        np.zeros(8, np.uint64),
    )


def new_table(bits: int) -> Table:
    """Return an empty table with 2**bits places."""
    size = 1 << bits
    return Table(np.zeros(size, np.uint64), np.zeros((size, MOST_CHOICES)), np.zeros((size, MOST_CHOICES)))


@kernel
def find(keys: Masks, key: np.uint64) -> int:
    """Return the place of a key, or the free place where it belongs; -1 if the table is full."""
    mask = np.uint64(keys.shape[0] - 1)
    place = (key * _SPREAD >> np.uint64(20)) & mask
    for _ in range(keys.shape[0]):
        if keys[place] == key or keys[place] == FREE:
            return int(np.int64(place))
        place = (place + ONE) & mask
    return -1


@kernel
def fill_keys(table: Table, keys: Masks, chances: Floats) -> None:
    """Put chances by key into a table that is only to be read."""
    for number in range(keys.shape[0]):
        place = find(table.keys, keys[number])
        table.keys[place] = keys[number]
        for choice in range(MOST_CHOICES):
            table.sums[place, choice] = chances[number, choice]


@kernel
def start_words(words: Masks, seed: np.uint64, stream: int, deal: int) -> None:
    """Begin a deal's words on a stream (`core.rng`)."""
    words[0], words[1], words[2], words[3] = seed, np.uint64(stream), np.uint64(deal), ZERO


@kernel
def next_word(words: Masks) -> float:
    """Return the next word as a fraction below 1."""
    number = words[3]
    if number & np.uint64(3) == ZERO:
        seed, stream, deal = words[0], words[1], words[2]
        w0, w1, w2, w3 = philox(
            np.uint32(number >> np.uint64(2)),
            np.uint32(deal & LOW_WORD),
            np.uint32(deal >> SHIFT),
            np.uint32(stream),
            np.uint32(seed & LOW_WORD),
            np.uint32(seed >> SHIFT),
        )
        words[4], words[5], words[6], words[7] = w0, w1, w2, w3
    words[3] = number + ONE
    return float(words[np.uint64(4) + (number & np.uint64(3))]) * _WORD


@inlined
def drawn(chances: Floats, row: int, found: int, fraction: float) -> int:
    """Return a choice drawn by its chances."""
    for choice in range(found - 1):
        fraction -= chances[row, choice]
        if fraction < 0:
            return choice
    return found - 1


@kernel
def _match(table: Table, place: int, chances: Floats, row: int, found: int) -> None:
    """Put regret matching's strategy into a row of `chances`."""
    total = 0.0
    for choice in range(found):
        total += max(table.regrets[place, choice], 0.0)
    for choice in range(found):
        regret = max(table.regrets[place, choice], 0.0)
        chances[row, choice] = regret / total if total > 0 else 1 / found


@kernel
def known_chances(table: Table, place: int, key: np.uint64, chances: Floats, row: int, found: int) -> None:
    """Put the average strategy into a row of `chances`; all choices are alike where it has none."""
    total = 0.0
    if place >= 0 and table.keys[place] == key:
        for choice in range(found):
            total += table.sums[place, choice]
    for choice in range(found):
        chances[row, choice] = table.sums[place, choice] / total if total > 0 else 1 / found


@kernel
def _run_down(
    table: Table, other: Table, walk: Walk, row: int, seat: int, weight: float, fixed: bool, rules: Codes
) -> int:
    """Play on in a row of `states` to the seat's next decision: return the number of its choices, 0 at the end.

    The other player's choices are drawn: by his present strategy, which is added to his average, or, if he is `fixed`,
    by the average strategy of the table `other`. Returns -1 where a table is full.
    """
    states, actions, chances, found = walk.states, walk.actions, walk.chances, walk.found
    while True:
        choices, key = consider(states, row, actions, walk.order, rules)
        if choices == 0:
            return 0
        if choices == 1:
            move(states, row, actions[row, 0], rules)
            continue
        if to_act(states, row) != seat and fixed:
            known_chances(other, find(other.keys, key), key, chances, row, choices)
        else:
            place = find(table.keys, key)
            if place < 0:
                return -1
            table.keys[place] = key
            _match(table, place, chances, row, choices)
            if to_act(states, row) == seat:
                found[row, 0], found[row, 1], found[row, 2] = choices, 0, place
                return choices
            for choice in range(choices):
                table.sums[place, choice] += weight * weight * chances[row, choice]
        move(states, row, actions[row, drawn(chances, row, choices, next_word(walk.words))], rules)


@kernel
def _descend(walk: Walk, row: int, rules: Codes) -> None:
    """Make the choice of a row that is next to be tried, in the row below it."""
    for column in range(COLUMNS):
        walk.states[row + 1, column] = walk.states[row, column]
    move(walk.states, row + 1, walk.actions[row, walk.found[row, 1]], rules)


@kernel
def _learn(table: Table, walk: Walk, row: int, weight: float) -> float:
    """Add a row's regrets, now that all its choices have their values; return its value."""
    mean = 0.0
    choices, place = walk.found[row, 0], walk.found[row, 2]
    for choice in range(choices):
        mean += walk.chances[row, choice] * walk.values[row, choice]
    for choice in range(choices):
        table.regrets[place, choice] += weight * (walk.values[row, choice] - mean)
    return mean


@kernel
def iterate(
    table: Table,
    other: Table,
    walk: Walk,
    cards: Bytes,
    seed: np.uint64,
    stream: int,
    first: int,
    fixed: int,
    rules: Codes,
) -> int:
    """Do an iteration for each deal of `cards`, the first being number `first`; return how many could be done.

    Iteration t walks for player t modulo 2. `fixed` is a player who keeps to the average strategy of the table `other`,
    and is never walked for; -1 for none.
    """
    for number in range(cards.shape[0]):
        iteration = first + number
        seat = iteration % 2 if fixed < 0 else 1 - fixed
        weight = float(iteration + 1)
        start_words(walk.words, seed, stream, iteration)
        deal_heads_up(walk.states, cards, number, rules)
        row = 0
        while True:
            choices = _run_down(table, other, walk, row, seat, weight, fixed >= 0, rules)
            if choices < 0:
                return number
            if choices > 0:
                _descend(walk, row, rules)
                row += 1
                continue
            value = heads_up_payoff(walk.states, row, rules)
            value = -value if seat else value
            # Back up to the last decision that has a choice left to try.
            while row > 0:
                row -= 1
                walk.values[row, walk.found[row, 1]] = value
                walk.found[row, 1] += 1
                if walk.found[row, 1] < walk.found[row, 0]:
                    _descend(walk, row, rules)
                    row += 1
                    break
                value = _learn(table, walk, row, weight)
            else:
                break
    return int(cards.shape[0])
