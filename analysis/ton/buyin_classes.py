"""What the buy-in is worth by class of hand: trumps held, the highest of them, aces beside, over whole random deals.

The model is `open` (core.ton.open_buyin). Hands are dealt too, so that one run serves all classes; of the cards to
keep, only the one that the policy `greedy` keeps is tried.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate, proportion
from analysis.runs import Run
from analysis.tally import Counts
from analysis.ton.buyin_outcomes import Option, add_outcomes, option_of, zero_cost
from core.cards import DECK_SIZE, RANKS
from core.deals import Bytes, sample_hands
from core.errors import InputError
from core.ton.open_buyin import USUAL, solve_usual
from core.ton.play import DEAL_STREAM
from core.ton.rules import DECK, TonRules
from core.ton.tricks import LOWEST, strength, suit_of

DEALS = 100_000
PILOT_DEALS = 2_000
# The highest trump of a class: none, then six to ace.
TOPS = ("", *RANKS[5:], RANKS[0])
# Classes: at most all nine cards of a suit but the shown one are held, and three aces beside the trumps.
_SHAPE = (9, len(TOPS), 4)
_SUIT, _STRENGTH = (np.array([of(card) for card in range(DECK_SIZE)]) for of in (suit_of, strength))


@dataclass(frozen=True)
class HandClass:
    """A class of hands, how often it is dealt, and what the choices are worth with one of its hands; all estimated.

    trumps, top, side_aces
        the number of trumps in the hand, the rank of the highest ("" for none), the number of aces of other suits
    share
        its share of the deals that are counted
    options
        those of `refuse`, `keep` (the card that `greedy` keeps) and `trumpless` (T7; only where the hand has that
        right) that it has; `minus_refuse` of `keep` is what the buy-in is worth, in points
    """

    trumps: int
    top: str
    side_aces: int
    share: Estimate
    options: tuple[Option, ...]


@dataclass(frozen=True)
class BuyInByClass:
    """The choices at the buy-in of one seat, averaged over all hands, and by class of hand.

    overall
        the same for all deals that are counted; `trumpless` over those that give the right
    classes
        by trumps, top and side aces; those of which fewer than two deals came are left out
    turned_trumps
        only deals are counted in which so many of the talon cards that the seat sees are trumps; None counts all
    """

    players: int
    seat: int
    turned_trumps: int | None
    overall: tuple[Option, ...]
    classes: tuple[HandClass, ...]
    plus_worth: float
    rules: TonRules


@dataclass(frozen=True)
class ClassedBuyIns:
    """Solves the usual choices of a seat in whole random deals; the sums are counts of `add_outcomes` by class."""

    players: int
    seat: int
    turned_trumps: int | None
    rules: TonRules
    seed: int

    @property
    def shapes(self) -> Sequence[tuple[int, ...]]:
        """The shapes of the sums."""
        most = self.rules.hand_size + 2
        return [(int(np.prod(_SHAPE)), len(USUAL), most, most)]

    def count(self, sums: Sequence[Counts], start: int, stop: int) -> None:
        """Add the deals start .. stop - 1, those of core.ton.play."""
        cards = sample_hands(DECK, [len(DECK)], stop - start, seed=self.seed, stream=DEAL_STREAM, first=start)
        numbers = self._classes(cards)
        cards, numbers = cards[numbers >= 0], numbers[numbers >= 0]
        tricks = solve_usual(cards, self.players, self.seat, self.rules)
        for number in np.unique(numbers):
            add_outcomes(sums[0][number], tricks[numbers == number])

    def _classes(self, cards: Bytes) -> NDArray[np.int64]:
        """Return the number of each deal's class, or -1 where another number of trumps is turned than wanted."""
        size, talon = self.rules.hand_size, self.players * self.rules.hand_size
        own, turned = (
            cards[:, self.seat * size :][:, :size],
            cards[:, talon : talon + self.rules.turned_before(self.seat)],
        )
        trump = _SUIT[cards[:, talon + self.rules.talon_size]][:, None]
        is_trump = _SUIT[own] == trump
        top = np.where(is_trump, _STRENGTH[own] - LOWEST + 1, 0).max(axis=1)
        aces = ((own % 13 == 0) & ~is_trump).sum(axis=1)
        numbers: NDArray[np.int64] = np.ravel_multi_index((is_trump.sum(axis=1), top, aces), _SHAPE)
        if self.turned_trumps is None:
            return numbers
        return np.where((_SUIT[turned] == trump).sum(axis=1) == self.turned_trumps, numbers, -1)

    def description(self) -> dict[str, Any]:
        """Return what the sums depend on."""
        return {
            "game": "ton",
            "measure": "buy-in by class of hand, open cards",
            "players": self.players,
            "seat": self.seat,
            "turned_trumps": self.turned_trumps,
            "rules": self.rules.as_dict(),
            "seed": self.seed,
        }


def by_class(
    players: int,
    seat: int = 0,
    turned_trumps: int | None = None,
    plus_worth: float | None = None,
    rules: TonRules | None = None,
    **sampling: Unpack[Sampling],
) -> BuyInByClass:
    """Return what the choices at the buy-in are worth to a seat by class of hand, all before it having refused.

    `deals` are dealt (default DEALS), or so many that what buying gains over all hands has an interval of half-width
    `precision` points. `turned_trumps` counts only the deals in which so many of the turned talon cards that the seat
    sees are trumps. The refusals before tell nothing of the hands here. `plus_worth` is that of `buy_in`.

    Raises InputError for a seat or a number of players or turned trumps that cannot be.
    """
    if sampling.get("deals") is None and sampling.get("precision") is None:
        sampling["deals"] = DEALS
    effort = Effort(**sampling)
    rules = rules or TonRules()
    rules.check_players(players)
    if not 0 <= seat < players - 1:
        raise InputError(f"seat {seat} does not buy: seats 0 to {players - 2} do, seat {players - 1} deals")
    turned = rules.turned_before(seat)
    if turned_trumps is not None and not 0 <= turned_trumps <= turned:
        raise InputError(f"turned_trumps cannot be {turned_trumps}: seat {seat} sees {turned} cards turned")
    cost = zero_cost(rules, plus_worth)
    run = Run(ClassedBuyIns(players, seat, turned_trumps, rules, effort.seed), effort)

    def options(counts: Counts) -> tuple[Option, ...]:
        named = zip(USUAL, counts, strict=True)
        return tuple(option_of(name, outcomes, cost, effort.seed) for name, outcomes in named if outcomes.sum() >= 2)

    def bought() -> Estimate:
        found = options(run.sums[0].sum(axis=0))
        if not found:
            raise InputError(f"too few of {run.deals:,} deals count")
        return found[USUAL.index("keep")].minus_refuse

    run.complete(bought, pilot=PILOT_DEALS)
    by_number = run.sums[0]
    dealt = by_number[:, USUAL.index("refuse")].sum(axis=(1, 2))
    classes = []
    for number in np.flatnonzero(dealt >= 2):
        trumps, top, aces = (int(place) for place in np.unravel_index(number, _SHAPE))
        share = proportion(int(dealt[number]), int(dealt.sum()), seed=effort.seed)
        classes.append(HandClass(trumps, TOPS[top], aces, share, options(by_number[number])))
    worth = float(rules.zero_trick_points if plus_worth is None else plus_worth)
    return BuyInByClass(players, seat, turned_trumps, options(by_number.sum(axis=0)), tuple(classes), worth, rules)
