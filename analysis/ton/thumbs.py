"""Rules of thumb for the buy-in and the fold of Ton, and what a player gains by one among players by tables."""

from collections.abc import Callable
from dataclasses import replace
from math import prod
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate
from analysis.ton.duels import Duels, gain
from core.errors import InputError
from core.ton.rules import TonRules
from core.ton.tables import CHOICES, PARTS, STARTS, Tables, tables_for
from core.ton.tuned import Tuned

# A choice by seat, trumps held, the class of the highest (of the trump card shown, where none is held), and other aces:
# as core.ton.tables counts them.
Rule = Callable[[int, int, int, int], int]
PARTS_BY_HAND = ("buy", "fold")


def cells_of(tables: Tables, part: str) -> NDArray[np.uint8]:
    """Return the choices of a part, in its shape."""
    return np.frombuffer(tables.choices, np.uint8)[STARTS[part] :][: prod(PARTS[part])].reshape(PARTS[part])


def by_rule(tables: Tables, part: str, rule: Rule) -> Tables:
    """Return tables that differ in one part: it follows the rule, which looks at seat and hand alone.

    Raises InputError for a part that does not look at the hand so, and a choice that it does not have.
    """
    if part not in PARTS_BY_HAND:
        raise InputError(f"no rule of thumb for {part!r}: there are {', '.join(PARTS_BY_HAND)}")
    # The seat comes first, the hand last.
    shape = PARTS[part]
    seats_and_hands = (shape[0], *shape[-3:])
    chosen = np.array([rule(*place) for place in np.ndindex(*seats_and_hands)])
    if not ((chosen >= 0) & (chosen < CHOICES[part])).all():
        raise InputError(f"a rule for {part!r} chooses 0 to {CHOICES[part] - 1}")
    choices = np.frombuffer(tables.choices, np.uint8).copy()
    spread = chosen.reshape(shape[0], *[1] * (len(shape) - 4), *shape[-3:])
    choices[STARTS[part] : STARTS[part] + prod(shape)] = np.broadcast_to(spread, shape).ravel()
    return replace(tables, choices=bytes(choices.tolist()))


def gain_of_rule(
    players: int, part: str, rule: Rule, rules: TonRules | None = None, **sampling: Unpack[Sampling]
) -> Estimate:
    """Return what a player gains a hand, in points, who follows a rule in one part and `tuned` in all else.

    It is below zero where the rule loses. The others play `tuned`; he is compared with himself playing `tuned`, on
    common deals, averaged over the seats; a plus counts as minus `zero_trick_points`. `deals` are played, or so many
    that the interval has a half-width of `precision`.

    Raises InputError as `by_rule` does, and for a number of players that the rules do not allow.
    """
    rules = rules or TonRules()
    rules.check_players(players)
    tables, effort = tables_for(players), Effort(**sampling)
    follower = Tuned(by_rule(tables, part, rule))
    return gain(Duels(rules, players, follower, Tuned(tables), rules.zero_trick_points, effort.seed), effort)
