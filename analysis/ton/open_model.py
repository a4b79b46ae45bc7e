"""What is added up over deals when each choice of a spot is solved with open cards."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from analysis.tally import Counts
from analysis.ton.buyin_outcomes import add_outcomes
from core.ton.open_buyin import solve_options
from core.ton.spot import Spot


@dataclass(frozen=True)
class OpenBuyIn:
    """Solves the choices of a spot, all on the same deals; the sums are the counts of `add_outcomes`."""

    spot: Spot
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        most = self.spot.rules.hand_size + 2
        return [(len(self.spot.options), most, most)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the deals start .. stop - 1."""
        cards = self.spot.sample_deals(stop - start, seed=self.seed, first=start)
        add_outcomes(sums[0], solve_options(self.spot, cards))

    def description(self) -> dict[str, Any]:
        """Return what the sums depend on."""
        return {"game": "ton", "measure": "buy-in, open cards", **asdict(self.spot), "seed": self.seed}
