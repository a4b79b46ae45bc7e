"""Which trump the trumpless right should fetch (T7): the highest in the stock against lower ones, cards open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate, mean, proportion
from analysis.runs import Run
from analysis.tally import Counts
from core.deals import sample_hands
from core.errors import InputError
from core.ton.open_buyin import solve_options
from core.ton.play import DEAL_STREAM, deal_cards
from core.ton.rules import DECK, TonRules
from core.ton.spot import Spot

DEALS = 20_000
_FIELDS = 5


@dataclass(frozen=True)
class Fetched:
    """Fetching the trump that comes so many places after the highest one in the stock; all estimated.

    place
        1 for the second highest trump in the stock, and so on
    loses, gains
        how often it takes fewer tricks than the highest would, and how often more
    loss
        the tricks that it takes less, on average
    """

    place: int
    loses: Estimate
    gains: Estimate
    loss: Estimate


@dataclass(frozen=True)
class Fetchings:
    """Solves each trump that the eldest may fetch in random deals that give him the right; by place of the trump.

    The sum holds: the deals, those in which it takes fewer tricks than the highest, those in which it takes more, the
    tricks lost, and their squares.
    """

    players: int
    rules: TonRules
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shape of the sum."""
        return [(len(DECK), _FIELDS)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the deals start .. stop - 1, those of core.ton.play."""
        dealt = sample_hands(DECK, [len(DECK)], stop - start, seed=self.seed, stream=DEAL_STREAM, first=start)
        for cards in dealt:
            deal = deal_cards(self.rules, self.players, cards.tolist())
            spot = Spot(self.rules, self.players, 0, deal.hands[0], deal.trump_card)
            if not spot.has_right:
                continue
            stock = [place for place, card in enumerate(spot.fetchable) if card in deal.stock]
            usual = len(spot.options) - len(spot.fetchable)
            # From the highest down.
            tricks = solve_options(spot, cards[None])[0, usual:][stock][::-1].astype(np.int64)
            losses = tricks[0] - tricks[1:] if len(tricks) else tricks
            for place, loss in enumerate(losses.tolist(), start=1):
                sums[0][place] += 1, loss > 0, loss < 0, loss, loss**2

    def description(self) -> dict[str, Any]:
        """Return what the sum depends on."""
        return {
            "game": "ton",
            "measure": "which trump to fetch, open cards",
            "players": self.players,
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }


def by_place(players: int, rules: TonRules | None = None, **sampling: Unpack[Sampling]) -> list[Fetched]:
    """Return what the trumpless eldest loses by fetching a lower trump than the highest, by its place in the stock.

    The model is that of core.ton.open_buyin. `deals` are dealt (default DEALS), of which those that give the right
    count. Places of which fewer than two deals came are left out.

    Raises InputError for rules without the right, and players whom they do not allow.
    """
    rules = rules or TonRules()
    rules.check_players(players)
    if rules.trumpless_right == "nobody":
        raise InputError("trumpless_right = nobody: nobody fetches a trump")
    sampling.setdefault("deals", DEALS)
    effort = Effort(**sampling)
    run = Run(Fetchings(players, rules, effort.seed), effort)
    run.extend(effort.deals or DEALS)
    found = []
    for place, (count, loses, gains, loss, square) in enumerate(run.sums[0].tolist()):
        if count >= 2:
            fewer, more = (proportion(part, count, seed=effort.seed) for part in (loses, gains))
            found.append(Fetched(place, fewer, more, mean(loss, square, count, seed=effort.seed)))
    return found
