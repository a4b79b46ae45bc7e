"""How strong the eldest's hand is with open cards, by its trumps: what he can force against all others (T9, T10).

The hands are those dealt: nobody buys, nobody folds, and the turned card stays on the table (`trump_card = stays`).
The eldest leads. Tricks are the solver's, exact for each deal; only the deals are sampled.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from analysis.estimate import Estimate, mean
from analysis.workers import cores
from core.deals import sample_hands
from core.errors import InputError
from core.ton.rules import DECK, TonRules
from core.ton.solver import solve_many
from core.ton.tricks import strength, suit_of

# So many deals are looked through for those of each kind.
POOL = 200_000
_SUIT, _STRENGTH = (np.array([of(card) for card in range(52)]) for of in (suit_of, strength))


def strength_by_trumps(
    players: int, rules: TonRules | None = None, *, hands: int, seed: int = 1
) -> Mapping[int, Estimate]:
    """Return the tricks that the eldest can force, by his number of trumps; of each up to `hands` deals are solved.

    A number that comes in fewer than two deals of POOL is left out. Raises InputError as `odds` does.
    """
    deals = _Deals(players, rules or TonRules(), seed)
    return deals.solved(deals.trumps, hands)


def strength_by_top_trump(
    players: int, trumps: int, rules: TonRules | None = None, *, hands: int, seed: int = 1
) -> Mapping[int, Estimate]:
    """Return the same for hands of so many trumps, by the strength of the highest one: six 4, …, ace 12.

    Raises InputError as `odds` does.
    """
    deals = _Deals(players, rules or TonRules(), seed)
    return deals.solved(np.where(deals.trumps == trumps, deals.top, -1), hands)


class _Deals:
    """POOL deals: the hands, the trump suits, and of the eldest's trumps the number and the strength of the highest."""

    def __init__(self, players: int, rules: TonRules, seed: int) -> None:
        rules.check_players(players)
        self._rules, self._seed = rules, seed
        size = rules.hand_size
        cards = sample_hands(DECK, [size] * players + [1], POOL, seed=seed)
        self._hands, self._suits = cards[:, :-1].reshape(POOL, players, size), _SUIT[cards[:, -1]]
        eldest = self._hands[:, 0]
        is_trump = _SUIT[eldest] == self._suits[:, None]
        self.trumps: NDArray[np.int64] = is_trump.sum(axis=1)
        self.top: NDArray[np.int64] = np.where(is_trump, _STRENGTH[eldest], -1).max(axis=1)

    def solved(self, kinds: NDArray[np.int64], hands: int) -> dict[int, Estimate]:
        """Return the mean of the eldest's tricks for each kind of deal from 0 on, over its first deals."""
        if hands < 2:
            raise InputError(f"{hands} hands are too few for a standard error")
        found = {}
        for kind in range(int(kinds.max()) + 1):
            chosen = np.flatnonzero(kinds == kind)[:hands]
            if len(chosen) >= 2:
                leaders = np.zeros(len(chosen), np.int64)
                tricks = solve_many(self._hands[chosen], self._suits[chosen], leaders, self._rules, threads=cores())[
                    :, 0
                ]
                found[kind] = mean(int(tricks.sum()), int((tricks**2).sum()), len(chosen), seed=self._seed)
        return found
