"""Training the tables of Ton's policy `tuned`: best replies to a table of equals, until none gains.

One decision of each sampled hand is tried in every way (see `core.ton.probes`), which tells for each cell of the tables
what each choice gains. The best reply takes the best choice in every cell; training goes a part of the way to it.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate
from analysis.runs import Run
from analysis.tally import Counts
from analysis.ton.duels import Duels, gain
from core.ton.codes import encode, policy_codes
from core.ton.probes import EVERYTHING, Wanted, probe
from core.ton.rules import TonRules
from core.ton.tables import (
    BOSS_TRUMP,
    CHOICES,
    HIGH_WINNING,
    KEEP_TRUMP,
    LOW_LOSING,
    LOW_WINNING,
    MOST_CHOICES,
    PARTS,
    SIZE,
    STARTS,
    USE_RIGHT,
    Tables,
)
from core.ton.tuned import Tuned

log = logging.getLogger(__name__)

# Best replies until training gives up.
MOST_ROUNDS = 36
# A cell is changed where it was tried so often, and the gain is so many times its standard error.
LEAST_PROBES, LEAST_SIGMAS = 30, 1.5
# Training ends when no cell gains so many standard errors: of the thousands of cells, one would by chance in about
# thirty rounds.
SURE_SIGMAS = 4.5
# The share of the cells to be changed that a round changes, as all players change at once and would overshoot; from
# round CALM on it falls as one over the rounds. The rounds before need no more than a quarter of the deals.
SHARE, CALM = 0.4, 12
# What the sums of the rounds before count for, as tables that change little make them worth keeping.
KEPT = 0.7


@dataclass(frozen=True)
class Trained:
    """Tables, and what is known of them; `gain` is estimated.

    gain
        what the best reply found gains a hand among players by these tables, in points; estimated on other deals than
        those that it was found on
    best_reply
        that reply
    """

    tables: Tables
    gain: Estimate
    best_reply: Tables


@dataclass(frozen=True)
class Probes:
    """Tries one of the wanted decisions of each hand among equals. The sums are those of `core.ton.probes.probe`."""

    rules: TonRules
    tables: Tables
    plus_worth: int
    seed: int
    wanted: Wanted = EVERYTHING

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        return [(SIZE, MOST_CHOICES), (SIZE, MOST_CHOICES), (SIZE,)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the hands start .. stop - 1."""
        gains, squares, counts = sums
        codes = policy_codes([Tuned(self.tables)] * self.tables.players)
        rules, seed = encode(self.rules), np.uint64(self.seed)
        probe(gains, squares, counts, *codes, self.wanted, self.plus_worth, rules, seed, start, stop)

    def description(self) -> dict[str, Any]:
        """Return what the sums depend on."""
        return {
            "game": "ton",
            "measure": "what choices gain",
            "tables": repr(self.tables),
            "wanted": list(self.wanted),
            "plus_worth": self.plus_worth,
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }


def train(
    players: int,
    rules: TonRules | None = None,
    *,
    plus_worth: int | None = None,
    first: Tables | None = None,
    **sampling: Unpack[Sampling],
) -> Trained:
    """Return tables in which no cell's best choice gains more than its error, or those with the least gain found.

    A player wants most points, a plus counting as minus `plus_worth` (default: the `zero_trick_points` of the rules).
    Training begins from the tables `first`, then at round CALM. Each round samples `deals` hands (default 1,000,000) to
    find the best reply, those before CALM a quarter of that, and a quarter as many to measure it; round r takes the
    seeds `seed` + 2 r and the next. The error of a cell is SURE_SIGMAS standard errors of one round, so that what the
    reply gains over all its cells together may still be more than its own error. The gain returned is measured anew,
    as the one that chose among rounds is too low.

    Raises InputError for a number of players that the rules do not allow.
    """
    rules = rules or TonRules()
    rules.check_players(players)
    plus_worth = rules.zero_trick_points if plus_worth is None else plus_worth
    effort = Effort(**sampling)
    deals = effort.deals or 1_000_000
    found, best = first or first_guess(players), None
    kept: list[NDArray[np.float64]] = [np.zeros(shape) for shape in Probes(rules, found, plus_worth, 0).shapes]
    chance = np.random.default_rng(effort.seed)
    for number in range(CALM if first else 0, MOST_ROUNDS):
        tries = deals if number >= CALM else max(2, deals // 4)
        tried = replace(effort, seed=effort.seed + 2 * number, deals=tries)
        probes = Run(Probes(rules, found, plus_worth, tried.seed), tried)
        probes.extend(tries)
        reply = best_reply(found, probes.sums)
        measured = replace(tried, seed=tried.seed + 1, deals=max(2, deals // 4))
        gained = _gain(reply, found, rules, plus_worth, measured)
        sure = number < CALM or best_reply(found, probes.sums, SURE_SIGMAS) != found
        log.info("%d players, round %d: the best reply gains %s", players, number, gained)
        if best is None or gained.value < best.gain.value or not sure:
            best = Trained(found, gained, reply)
        if not sure or gained.low <= 0:
            break
        kept = [KEPT * old + new for old, new in zip(kept, probes.sums, strict=True)]
        found = _towards(found, best_reply(found, kept), SHARE * min(1, CALM / (number + 1)), chance)
    assert best is not None, "there is at least one round"
    last = replace(effort, seed=effort.seed + 2 * MOST_ROUNDS, deals=deals)
    return replace(best, gain=_gain(best.best_reply, best.tables, rules, plus_worth, last))


def _gain(reply: Tables, others: Tables, rules: TonRules, plus_worth: int, effort: Effort) -> Estimate:
    return gain(Duels(rules, others.players, Tuned(reply), Tuned(others), plus_worth, effort.seed), effort)


def best_reply(
    tables: Tables, sums: Sequence[Counts] | Sequence[NDArray[np.float64]], least_sigmas: float = LEAST_SIGMAS
) -> Tables:
    """Return the tables with the best choice in each cell that gains so many standard errors; the rest as they are."""
    gains, squares, counts = (each.astype(float) for each in sums)
    tried = np.maximum(counts, 1)[:, None]
    means = gains / tried
    errors = np.sqrt(np.maximum(squares / tried - means**2, 0) / tried)
    for part, start in STARTS.items():
        # A part has fewer choices than there are columns.
        means[start : start + int(np.prod(PARTS[part])), CHOICES[part] :] = -np.inf
    best = means.argmax(axis=1)
    rows = np.arange(SIZE)
    better = (counts >= LEAST_PROBES) & (means[rows, best] > least_sigmas * errors[rows, best])
    return _with(tables, np.where(better, best, _numbers(tables)))


def _towards(tables: Tables, reply: Tables, share: float, chance: np.random.Generator) -> Tables:
    changed = chance.random(SIZE) < share
    return _with(tables, np.where(changed, _numbers(reply), _numbers(tables)))


def first_guess(players: int) -> Tables:
    """Return tables to start from.

    They never bid, use the trumpless right, buy with at most one trump, fold without a trump and an ace, lead the first
    kind of card there is, win cheaply as the last player and as high as they can before, and else play low.
    """
    choices = {part: np.zeros(shape, np.int64) for part, shape in PARTS.items()}
    choices["buy"][:, :, 0], choices["buy"][:, :, 1] = USE_RIGHT, KEEP_TRUMP
    choices["fold"][:, :, :, 0, :, 0] = 1
    for kinds in range(PARTS["lead"][-1]):
        choices["lead"][..., kinds] = next((kind for kind in range(CHOICES["lead"]) if kinds >> kind & 1), BOSS_TRUMP)
    for kinds in range(PARTS["follow"][-1]):
        high, low = kinds >> HIGH_WINNING & 1, kinds >> LOW_WINNING & 1
        choices["follow"][..., kinds] = HIGH_WINNING if high else LOW_WINNING if low else LOW_LOSING
        if low:
            choices["follow"][:, :, 0, ..., kinds] = LOW_WINNING
    return Tables(players, bytes(np.concatenate([part.ravel() for part in choices.values()]).tolist()))


def _numbers(tables: Tables) -> NDArray[np.int64]:
    return np.frombuffer(tables.choices, np.uint8).astype(np.int64)


def _with(tables: Tables, choices: NDArray[np.int64]) -> Tables:
    return replace(tables, choices=bytes(choices.tolist()))
