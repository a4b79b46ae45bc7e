"""What players of Tonk want to know, among players by `threshold`: what a drop and the up-card are worth."""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Unpack

import numpy as np

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate, mean
from analysis.runs import Run
from analysis.tonk.tuning import PROBED_TURNS, Probes, by_column
from core.tonk.actions import STOCK, UP
from core.tonk.choosing import policy_numbers
from core.tonk.game import SCALE
from core.tonk.melds import melds_in
from core.tonk.play import deal_hand
from core.tonk.policies import Threshold
from core.tonk.rollouts import roll_out
from core.tonk.rules import TonkRules, card_value
from core.tonk.thresholds import COLUMNS, LATER_TURNS, Thresholds, thresholds_for
from core.tonk.view import view

# Tries of a drop that an estimate needs at least.
LEAST_TRIES = 200


def drop_gains(
    players: int,
    rules: TonkRules | None = None,
    *,
    thresholds: Thresholds | None = None,
    turns: int = PROBED_TURNS,
    **sampling: Unpack[Sampling],
) -> dict[tuple[int, int], dict[int, Estimate]]:
    """Return what a drop gains against playing on, by (row, column) of the drop table and by own total.

    In stakes, among players by `thresholds` (default: the tuned ones); rows and columns are those of `Thresholds`. A
    drop is tried at one decision of each of `deals` hands (default 1,000,000), in the first `turns` turns of a player;
    estimated, and left out where it was tried less than LEAST_TRIES times.

    Raises InputError for players whom the deck cannot serve.
    """
    rules = rules or TonkRules()
    rules.check_players(players)
    effort = Effort(**sampling)
    run = Run(Probes(rules, thresholds or thresholds_for(players), effort.seed, turns), effort)
    run.extend(effort.deals or 1_000_000)
    gains, squares, counts = (by_column(sums, COLUMNS) for sums in run.sums)
    return {
        (row, column): {
            total: mean(
                Fraction(int(gains[cell, total]), SCALE),
                Fraction(int(squares[cell, total]), SCALE**2),
                int(tries),
                seed=effort.seed,
            )
            for total, tries in enumerate(counts[cell])
            if tries >= LEAST_TRIES
        }
        for row in range(players + LATER_TURNS)
        for column in range(COLUMNS)
        for cell in [COLUMNS * row + column]
    }


def up_card_gains(
    players: int, rules: TonkRules | None = None, *, deals: int = 2_000, worlds: int = 500, seed: int = 1
) -> dict[str, Estimate]:
    """Return what the first player gains when he takes the up-card and not the stock, by what the up-card is.

    In stakes, all going on by the tuned thresholds. Keys are `meld`, for an up-card that completes a meld with the
    hand, and the values of the others. Each of `deals` deals is played on in `worlds` worlds; the intervals are over
    deals. Estimated; deal i is a function of seed and i.

    Raises InputError for players whom the deck cannot serve, and rules without an up-card.
    """
    rules = rules or TonkRules()
    policies = policy_numbers([Threshold(thresholds_for(players))] * players)
    found: defaultdict[str, list[Fraction]] = defaultdict(list)
    for deal in range(deals):
        state = deal_hand(rules, players, seed, deal)
        if state.result is not None:
            continue
        seen, up = view(state, 0), state.pile[-1]
        completes = any(up in meld for meld in melds_in((*seen.hand, up), rules))
        paid, products = np.zeros(2, np.int64), np.zeros((2, 2), np.int64)
        roll_out(paid, products, seen, (UP, STOCK), policies, seed, worlds * deal, worlds * (deal + 1))
        found["meld" if completes else str(card_value(up))].append(Fraction(int(paid[0] - paid[1]), SCALE * worlds))
    return {key: _mean(values, seed) for key, values in sorted(found.items(), key=_order) if len(values) > 1}


def _order(item: tuple[str, list[Fraction]]) -> int:
    return 0 if item[0] == "meld" else int(item[0])


def _mean(values: list[Fraction], seed: int) -> Estimate:
    return mean(sum(values, Fraction(0)), sum(value * value for value in values), len(values), seed=seed)


def break_even(gains: Mapping[int, Estimate]) -> int | None:
    """Return the greatest total up to which a drop gains, or None where it never does."""
    gaining = [total for total, gain in gains.items() if gain.value > 0]
    return max(gaining) if gaining else None
