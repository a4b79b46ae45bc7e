"""What each choice at the buy-in of Ton is worth to a player: refuse, keep a card, use the trumpless right (T5, T7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from analysis.effort import Effort, Sampling
from analysis.estimate import Estimate
from analysis.growing import Growing
from analysis.html import Rich
from core.cards import parse_card, parse_cards
from core.errors import InputError
from core.ruleset import nearest
from core.ton.rules import TonRules
from core.ton.spot import Spot

if TYPE_CHECKING:
    from analysis.ton.buyin_outcomes import Option
    from analysis.workers import Measure

# The half-width of the tricks where no deals and no precision are asked for.
PRECISION = 0.02
PILOT_DEALS = 2_000
# What each model assumes.
MODELS: Mapping[str, str] = {
    "open": "From the lead on all cards are open, and all others play together against the player: his tricks are those"
    " that he can force. The dealer discards knowing all cards, what costs the player most. Nobody folds. Later players"
    " buy as the policy greedy does; earlier refusals tell nothing of the hands. So it overrates what players know.",
    "play": "Every player sees only what he may see, and decides by the policy tuned: later ones whether they buy, all"
    " whether they fold, and every card. In the deals sampled nobody before would have bought or bid five.",
}


@dataclass(frozen=True)
class BuyIn(Rich):
    """The choices of a player at the buy-in, best first by points; all estimated, on the same deals.

    options
        `refuse`; `keep As`; with the trumpless right (T7) `trumpless`, the expectation of looking through the stock and
        fetching the highest trump, or without a trump the card that gives most; and `trumpless Ks`, over those deals
        only in which that card lies in the stock (`n` is their number). Trumps that lay there in fewer than two deals
        are left out
    model, assumes
        the model's name, and what it takes for granted
    plus_worth
        how many points a plus is taken to cost
    """

    players: int
    seat: int
    model: str
    assumes: str
    plus_worth: float
    options: "tuple[Option, ...]"
    rules: TonRules


def buy_in(
    hand: str,
    trump_card: str,
    players: int,
    seat: int = 0,
    seen: str = "",
    model: str = "open",
    plus_worth: float | None = None,
    rules: TonRules | None = None,
    **sampling: Unpack[Sampling],
) -> BuyIn:
    """Return what each choice is worth to the player at `seat` (0 is the eldest), all before him having refused.

    `trump_card` is the shown card, `seen` are the talon cards turned so far, in order, `plus_worth` is what a plus
    costs in points (default: as many as `zero_trick_points`). Deals that agree with these cards are sampled: `deals`
    of them, or until the tricks of each choice have an interval of half-width `precision` (default PRECISION); that
    of points is wider, and the single trumps of the trumpless right come in fewer deals.

    >>> found = buy_in("As 7d 8d Jh 9c", "9s", players=2, deals=2000)
    >>> print(found.options[0].option, found.options[0].tricks)
    keep As 2.7575 (95%: 2.702 to 2.813, n = 2,000)

    Raises InputError for cards, a seat or a number of players that cannot be, and for an unknown model.
    """
    if sampling.get("deals") is None and sampling.get("precision") is None:
        sampling["precision"] = PRECISION
    effort = Effort(**sampling)
    growing = growing_buy_in(hand, trump_card, players, seat, seen, model, plus_worth, rules, effort)
    return growing.complete(pilot=PILOT_DEALS)


def growing_buy_in(
    hand: str,
    trump_card: str,
    players: int,
    seat: int,
    seen: str,
    model: str,
    plus_worth: float | None,
    rules: TonRules | None,
    effort: Effort,
) -> Growing[BuyIn]:
    """Prepare what `buy_in` returns, to be counted as long as one likes; the arguments are the same."""
    rules = rules or TonRules()
    if model not in MODELS:
        raise InputError(f"unknown model {model!r}: {nearest(model, MODELS)}")
    spot = Spot(rules, players, seat, parse_cards(hand), parse_card(trump_card), parse_cards(seen))
    # Imported here because they import numba, which wrong input must not wait for.
    from analysis.runs import Run
    from analysis.ton.buyin_outcomes import option_of, zero_cost

    cost = zero_cost(rules, plus_worth)
    run = Run(_measure(model, spot, effort.seed), effort)

    def options() -> "list[Option]":
        named = zip(spot.options, run.sums[0], strict=True)
        found = [option_of(name, counts, cost, effort.seed) for name, counts in named if counts.sum() >= 2]
        if not found:
            raise InputError("in too few of the deals would nobody before have bought: sample more (--deals)")
        return found

    def widest() -> Estimate:
        # A single trump of the trumpless right comes in fewer deals than the other choices.
        found = [option.tricks for option in options()]
        most = max(tricks.n for tricks in found)
        return max((tricks for tricks in found if tricks.n == most), key=lambda tricks: tricks.half_width)

    def answer() -> BuyIn:
        ordered = tuple(sorted(options(), key=lambda option: -option.points.value))
        worth = float(rules.zero_trick_points if plus_worth is None else plus_worth)
        return BuyIn(players, seat, model, MODELS[model], worth, ordered, rules)

    return Growing(run, answer, widest)


def _measure(model: str, spot: Spot, seed: int) -> "Measure":
    """Return what counts the outcomes of the spot's options by that model."""
    from analysis.ton.open_model import OpenBuyIn
    from analysis.ton.play_model import PlayBuyIn

    return OpenBuyIn(spot, seed) if model == "open" else PlayBuyIn(spot, seed)
