"""What is added up over deals when each choice of a spot is played on by players who see only what they may see."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from analysis.tally import Counts
from analysis.ton.buyin_outcomes import FOLDED, add_outcomes
from core.deals import Bytes
from core.ton.codes import FETCH, KEEP, NO_CARD, PASS, REFUSE, TRUMPLESS, move_code
from core.ton.policies import policy
from core.ton.rules import DECK
from core.ton.scripts import PLACES, play_scripts
from core.ton.seats import N_FOLD, N_TRICKS
from core.ton.spot import Spot


@dataclass(frozen=True)
class PlayBuyIn:
    """Plays the choices of a spot, all on the same deals, every other decision by the policy `tuned`.

    The sums are the counts of `add_outcomes`. A deal in which somebody would have bid five, or have bought before the
    player, is left out: it does not agree with what he has seen.
    """

    spot: Spot
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        most = self.spot.rules.hand_size + 2
        return [(len(self.spot.options), most, most)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the deals start .. stop - 1."""
        spot = self.spot
        cards = spot.sample_deals(stop - start, seed=self.seed, first=start)
        tricks = np.full((len(cards), len(spot.options)), -1, np.int8)
        usual = len(spot.options) - len(spot.fetchable)
        stock = cards[:, len(DECK) - spot.rules.stock_size(spot.players) :]
        for column, moves in enumerate(self._moves()):
            # A trump can be fetched only in the deals in which it lies in the stock.
            given = np.ones(len(cards), bool)
            if column >= usual:
                given = (stock == spot.fetchable[column - usual]).any(axis=1)
            tricks[given, column] = self._played(cards[given], moves, start)
        add_outcomes(sums[0], tricks)

    def _moves(self) -> list[list[int]]:
        """Return the moves of each choice."""
        spot = self.spot

        def move(word: int, card: int | None = None) -> int:
            return move_code(spot.seat, word, NO_CARD if card is None else np.uint64(PLACES[card]))

        # He has not bid five, whatever his policy would have done.
        before = [move(PASS)] if spot.rules.five_bid == "allowed" else []
        moves = [[move(REFUSE)], *([move(KEEP, card)] for card in spot.in_order)]
        if spot.has_right:
            moves += [[move(TRUMPLESS)], *([move(TRUMPLESS), move(FETCH, card)] for card in spot.fetchable)]
        return [[*before, *each] for each in moves]

    def _played(self, cards: Bytes, moves: Sequence[int], start: int) -> Counts:
        """Return the player's tricks by deal, FOLDED where he folds, -1 where he is not asked or it cannot be."""
        spot = self.spot
        policies = [policy("tuned", spot.players)] * spot.players
        own = play_scripts(cards, moves, policies, spot.rules, self.seed, start)[:, spot.seat]
        return np.where(own[:, N_FOLD] == 1, FOLDED, own[:, N_TRICKS])

    def description(self) -> dict[str, Any]:
        """Return what the sums depend on."""
        tuned = repr(policy("tuned", self.spot.players))
        return {"game": "ton", "measure": "buy-in, played", "policy": tuned, **asdict(self.spot), "seed": self.seed}
