"""Finding good thresholds for Tonk's policy `threshold`: best replies to a table of equals, until none gains.

A drop is tried at one decision of each hand (see `probe_drops`), which tells for every cell of the drop table, and for
every total there, what a drop gains. The best reply drops up to the total at which these gains add up to most. The
numbers for up-cards and discards are tried up and down by STEPS.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate
from analysis.runs import Run
from analysis.tally import Counts
from analysis.tonk.duels import Duels, gain
from analysis.tonk.games import check_room
from core.tonk.choosing import policy_numbers
from core.tonk.game import SCALE, probe_drops
from core.tonk.policies import Threshold
from core.tonk.rules import TonkRules
from core.tonk.settling import options_of
from core.tonk.thresholds import COLUMNS, FINE_COLUMNS, LATER_TURNS, Thresholds

log = logging.getLogger(__name__)

# Totals at which a drop is tried, and turns of each player.
TOTALS, PROBED_TURNS = 50, 8
# A cell is moved where its best reply was tried so often.
LEAST_PROBES = 500
# Best replies until tuning gives up; and the furthest that the first moves a total. Later ones move it half as far.
MOST_ROUNDS, FIRST_STEP = 64, 8
# When a step is 1, every other cell takes it; after each so many rounds, half as many.
CALMER = 16
# Steps of `keep` that change a choice: it is in quarters of a pip, for each of a few neighbours.
TAKE_STEPS, KEEP_STEPS = (-1, 1), (-4, -2, -1, 1, 2, 4)


@dataclass(frozen=True)
class Tuned:
    """Thresholds, and what is known of them; `gain` is estimated.

    gain
        what the best reply found still gains a hand among players by these thresholds, in stakes; estimated on other
        deals than those that it was found on
    best_reply
        that reply: of the same family
    """

    thresholds: Thresholds
    gain: Estimate
    best_reply: Thresholds


@dataclass(frozen=True)
class Probes:
    """Tries a drop at one decision of each hand, in the first `turns` turns of a player, among equals.

    The sums are, by cell of the fine drop table and total: what a drop gains, times SCALE; its square; the tries.
    """

    rules: TonkRules
    thresholds: Thresholds
    seed: int
    turns: int = PROBED_TURNS

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        return [((self.thresholds.players + LATER_TURNS) * FINE_COLUMNS, TOTALS)] * 3

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the hands start .. stop - 1."""
        check_room(self.rules, self.thresholds.players, stop, 2 * SCALE)
        policies = policy_numbers([Threshold(self.thresholds)] * self.thresholds.players)
        gains, squares, counts = sums
        options, seed = options_of(self.rules), np.uint64(self.seed)
        probe_drops(gains, squares, counts, policies, options, self.turns, seed, start, stop)

    def description(self) -> dict[str, Any]:
        """Return what the sums depend on."""
        return {
            "game": "tonk",
            "measure": "what a drop gains",
            "policies": repr(self.thresholds),
            "turns": self.turns,
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }


def tune(players: int, rules: TonkRules | None = None, **sampling: Unpack[Sampling]) -> Tuned:
    """Return thresholds to which no reply of their family is found that gains more than its error.

    Totals being whole numbers, there need be none: after `MOST_ROUNDS` rounds it is those with the least gain. Each
    round samples `deals` hands (default 1,000,000) for the drops, an eighth of them for each duel that chooses the
    best reply, and a half to estimate its gain; round r takes the seeds `seed` + 2 r and the next.

    Raises InputError for players whom the deck cannot serve, and sampling that no run takes.
    """
    rules = rules or TonkRules()
    rules.check_players(players)
    effort = Effort(**sampling)
    deals = effort.deals or 1_000_000
    found, best = first_guess(players), None
    for number in range(MOST_ROUNDS):
        seed = effort.seed + 2 * number
        duel = replace(effort, seed=seed, deals=max(2, deals // 8))
        probes = Run(Probes(rules, found, seed), replace(effort, seed=seed))
        probes.extend(deals)
        replies = [replace(found, drop=best_drops(found, probes.sums)), *_neighbours(found)]
        gains = [_gain(reply, found, rules, duel) for reply in replies]
        first = max(range(len(replies)), key=lambda index: gains[index].value)
        # On other deals: those that it was chosen on favour it.
        gained = _gain(replies[first], found, rules, replace(effort, seed=seed + 1, deals=max(2, deals // 2)))
        log.info("%d players, round %d: the best reply gains %s", players, number, gained)
        if best is None or gained.value < best.gain.value:
            best = Tuned(found, gained, replies[first])
        if gained.low <= 0:
            break
        found = replies[first] if first else replace(found, drop=_towards(found, replies[0], number))
    assert best is not None, "there is at least one round"
    return best


def richer_reply(thresholds: Thresholds, rules: TonkRules | None = None, **sampling: Unpack[Sampling]) -> Tuned:
    """Return what the best reply found in a richer family gains on players by these thresholds.

    The reply drops by a fine table, which tells his own number of cards too, and takes and keeps by any numbers within
    two steps. It is chosen as in `tune`, and its gain is then estimated on other deals: a lower bound of what
    the best reply of that family gains.

    Raises InputError as `tune` does.
    """
    rules = rules or TonkRules()
    rules.check_players(thresholds.players)
    effort = Effort(**sampling)
    deals = effort.deals or 1_000_000

    probes = Run(Probes(rules, thresholds, effort.seed), effort)
    probes.extend(deals)
    fine = replace(thresholds, drop=thresholds.fine_drop)
    replies = [thresholds, replace(fine, drop=best_drops(fine, probes.sums))]
    # The drop table, then the numbers twice: the least that reaches two steps of both.
    for number in range(1, 4):
        gains = [
            _gain(reply, thresholds, rules, replace(effort, seed=effort.seed + number, deals=max(2, deals // 4)))
            for reply in replies
        ]
        best = replies[max(range(len(replies)), key=lambda index: gains[index].value)]
        replies = [best, *_neighbours(best)]
    last = replace(effort, seed=effort.seed + 4, deals=deals)
    return Tuned(thresholds, _gain(best, thresholds, rules, last), best)


def _gain(reply: Thresholds, others: Thresholds, rules: TonkRules, effort: Effort) -> Estimate:
    return gain(Duels(rules, others.players, Threshold(reply), Threshold(others), effort.seed), effort)


def first_guess(players: int) -> Thresholds:
    """Return thresholds to start from: a drop at 15, low up-cards, and a little for neighbours."""
    return Thresholds(((15,) * COLUMNS,) * (players + LATER_TURNS), take=2, keep=4)


def by_column(sums: Counts, columns: int) -> Counts:
    """Return sums of Probes by cell of a drop table with so many columns, and total."""
    finer = FINE_COLUMNS // columns
    return np.asarray(sums.reshape(-1, finer, columns, TOTALS).sum(axis=1).reshape(-1, TOTALS))


def best_drops(thresholds: Thresholds, sums: Sequence[Counts]) -> tuple[tuple[int, ...], ...]:
    """Return the drop table that gains most at every cell; where too little was tried, the one that is there.

    It has as many columns as the table that is there.
    """
    columns = len(thresholds.drop[0])
    gains, _, counts = (by_column(each, columns) for each in sums)
    drops = np.array(thresholds.drop).ravel()
    for cell in np.flatnonzero(counts.sum(axis=1) >= LEAST_PROBES):
        # Up to total t a drop gains sums[t + 1]; no drop at all, 0.
        drops[cell] = int(np.argmax(np.concatenate([[0], np.cumsum(gains[cell])]))) - 1
    return tuple(map(tuple, drops.reshape(-1, columns).tolist()))


def _towards(found: Thresholds, reply: Thresholds, number: int) -> tuple[tuple[int, ...], ...]:
    """Return the drop table a step nearer to the reply's: all seats change at once, and would overshoot.

    The step shrinks with the number of the round; when it is 1, only every other cell takes it, and ever fewer later.
    """
    step = max(1, FIRST_STEP >> number)
    apart = 2 << (number // CALMER)
    return tuple(
        tuple(
            old + max(-step, min(step, new - old)) if step > 1 or (row + column + number) % apart == 1 else old
            for column, (old, new) in enumerate(zip(*rows, strict=True))
        )
        for row, rows in enumerate(zip(found.drop, reply.drop, strict=True))
    )


def _neighbours(found: Thresholds) -> Iterator[Thresholds]:
    yield from (replace(found, take=found.take + step) for step in TAKE_STEPS if -1 <= found.take + step <= 10)
    yield from (replace(found, keep=found.keep + step) for step in KEEP_STEPS if found.keep + step >= 0)
