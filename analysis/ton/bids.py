"""The bid of five: how often it succeeds, and what it gains, by class of hand (T13); sampled."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate, mean, proportion
from analysis.runs import Run
from analysis.tally import Counts
from core.cards import DECK_SIZE
from core.deals import Bytes, sample_hands
from core.errors import InputError
from core.ton.codes import FIVE, NO_CARD, PASS, move_code
from core.ton.play import DEAL_STREAM
from core.ton.policies import Policy, policy
from core.ton.rules import DECK, TonRules
from core.ton.scripts import play_scripts
from core.ton.seats import N_PLUSES, N_POINTS, N_TRICKS
from core.ton.tricks import LOWEST, strength, suit_of

# Classes: cards that nothing of their suit beats, six and more as one; the rank of the highest other, six to ace, or
# none. Ranks are counted from the six.
MOST_TOPS, NO_OTHER = 6, 9
_SHAPE = (MOST_TOPS + 1, NO_OTHER + 1)
# What is added up for a class.
_COUNT, _SUCCESS, _GAIN, _SQUARE = range(4)
_SUIT = np.array([suit_of(card) for card in range(DECK_SIZE)])
_RANK = np.array([strength(card) - LOWEST for card in range(DECK_SIZE)])
_SUITS, _RANKS = 4, 9


@dataclass(frozen=True)
class BidClass:
    """A class of hands, and a bid of five with one of them; all estimated.

    tops, other
        how many of its cards nothing of their suit can beat; the rank of the highest other card, 0 for a six to 8 for
        an ace, NO_OTHER for none
    share
        its share of the deals in which nobody bids before
    success
        the chance to take all five tricks
    gain
        the points that bidding gives more than passing, on the same deals, a plus counting as minus `zero_trick_points`
    """

    tops: int
    other: int
    share: Estimate
    success: Estimate
    gain: Estimate


@dataclass(frozen=True)
class Bids:
    """A seat's bid and its pass, both played on each random deal in which nobody bids before it.

    The sum holds by class: the deals, those in which the bid succeeds, what it gains, and the square of that.
    """

    policies: tuple[Policy, ...]
    seat: int
    rules: TonRules
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shape of the sum."""
        return [(*_SHAPE, _SQUARE + 1)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the deals start .. stop - 1, those of core.ton.play."""
        cards = sample_hands(DECK, [len(DECK)], stop - start, seed=self.seed, stream=DEAL_STREAM, first=start)
        bid, passed = (self._played(cards, word, start) for word in (FIVE, PASS))
        asked = bid[:, N_TRICKS] >= 0
        numbers = self._classes(cards)[asked]
        success = bid[asked, N_TRICKS] == self.rules.hand_size
        gain = (self._worth(bid) - self._worth(passed))[asked]
        for column, values in ((_COUNT, np.ones_like(gain)), (_SUCCESS, success), (_GAIN, gain), (_SQUARE, gain**2)):
            np.add.at(sums[0][..., column].reshape(-1), numbers, values)

    def _played(self, cards: Bytes, word: int, start: int) -> Counts:
        """Return what the seat gets by saying so, by deal and field; -1 where somebody bids before."""
        moves = [move_code(self.seat, word, NO_CARD)]
        return play_scripts(cards, moves, self.policies, self.rules, self.seed, start)[:, self.seat]

    def _worth(self, results: Counts) -> Counts:
        return np.asarray(results[:, N_POINTS] - self.rules.zero_trick_points * results[:, N_PLUSES])

    def _classes(self, cards: Bytes) -> NDArray[np.int64]:
        """Return the number of each deal's class."""
        size = self.rules.hand_size
        own = cards[:, self.seat * size : (self.seat + 1) * size]
        held = np.zeros((len(cards), _SUITS, _RANKS), bool)
        held[np.arange(len(cards))[:, None], _SUIT[own], _RANK[own]] = True
        # Down from the ace, as long as all higher cards of the suit are held.
        top = np.logical_and.accumulate(held[..., ::-1], axis=2)[..., ::-1]
        other = np.logical_or.reduce(held & ~top, axis=1)
        highest = np.where(other.any(axis=1), _RANKS - 1 - other[:, ::-1].argmax(axis=1), NO_OTHER)
        tops = np.minimum(top.sum(axis=(1, 2)), MOST_TOPS)
        numbers: NDArray[np.int64] = np.ravel_multi_index((tops, highest), _SHAPE)
        return numbers

    def description(self) -> dict[str, Any]:
        """Return what the sum depends on."""
        return {
            "game": "ton",
            "measure": "bids of five by class of hand",
            "policies": [repr(each) for each in self.policies],
            "seat": self.seat,
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }


def bids(
    players: int, seat: int = 0, name: str = "tuned", rules: TonRules | None = None, **sampling: Unpack[Sampling]
) -> list[BidClass]:
    """Return what a bid of five is worth to a seat by class of hand, all others and its other decisions by one policy.

    `deals` hands are dealt, the classes with fewer than two left out.

    Raises InputError for rules without such a bid, a seat or number of players that cannot be, and policies that no
    kernel plays.
    """
    rules = rules or TonRules()
    rules.check_players(players)
    if rules.five_bid == "off":
        raise InputError("five_bid = off: nobody bids")
    if not 0 <= seat < players:
        raise InputError(f"no seat {seat}: there are 0 to {players - 1}")
    effort = Effort(**sampling)
    run = Run(Bids((policy(name, players),) * players, seat, rules, effort.seed), effort)

    def overall() -> Estimate:
        sums = run.sums[0].sum(axis=(0, 1)).tolist()
        return mean(sums[_GAIN], sums[_SQUARE], sums[_COUNT], seed=effort.seed)

    run.complete(overall)
    asked = int(run.sums[0][..., _COUNT].sum())
    found = []
    for tops, other in np.argwhere(run.sums[0][..., _COUNT] >= 2).tolist():
        count, success, gain, square = run.sums[0][tops, other].tolist()
        share, succeeds = (proportion(*part, seed=effort.seed) for part in ((count, asked), (success, count)))
        found.append(BidClass(tops, other, share, succeeds, mean(gain, square, count, seed=effort.seed)))
    return found
