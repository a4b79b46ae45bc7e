"""What of Ton can be compared between rule sets: the measures of `tonlab compare ton`, and how each is found."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analysis.compare import Game, Measure, Played, Setting, Tuned
from analysis.effort import Effort
from analysis.ton.opening import odds
from core.errors import InputError
from core.ton.policies import Policy, policy
from core.ton.rules import TonRules

if TYPE_CHECKING:
    from analysis.ton.sides import Hands, Matches

_TO_TUNE = "tuned"
_PLUSES = "each plus counting as minus zero_trick_points"


def _measures(*measures: Measure) -> dict[str, Measure]:
    return {measure.name: measure for measure in measures}


MEASURES = _measures(
    Measure("trumpless", "the eldest is dealt no trump", "deal"),
    Measure("stock_has_trump", "the stock has a trump, if the eldest is dealt none", "deal"),
    Measure("trumpless_by_seat", "the player is dealt no trump", "deal", "seat"),
    Measure("trumps_in_hand", "a hand, not the dealer's, is dealt so many trumps", "deal", "number"),
    Measure("trumps_in_talon", "the talon is dealt so many trumps", "deal", "number"),
    Measure("sure_five", "the eldest is dealt a hand that is sure of a bid of five", "deal"),
    Measure("tricks", "tricks a hand", "hand", "seat", column="tricks", step=5),
    Measure("points", "points a hand, pluses not counted", "hand", "seat", column="points", step=10),
    Measure("pluses", "pluses a hand", "hand", "seat", column="pluses", step=2),
    Measure("worth", f"points a hand, {_PLUSES}", "hand", "seat", column="worth", step=10),
    Measure("no_trick", "the player plays and takes no trick", "hand", "seat", column="no_trick", rate=True),
    Measure("fold", "the player folds", "hand", "seat", column="fold", rate=True),
    Measure("buy", "the player takes the talon, in either way", "hand", "seat", column="buy", rate=True),
    Measure(
        "buy_value",
        f"points of a hand in which the player buys, {_PLUSES}",
        "hand",
        "seat",
        column="buy_worth",
        among="buy",
        step=10,
        dealer=False,
    ),
    Measure("bought", "somebody takes the talon", "hand", column="bought", rate=True),
    Measure("trumpless_used", "the player uses the trumpless right", "hand", "seat", column="trumpless", rate=True),
    Measure("win", "the player wins the match; seats of the first hand", "match", "seat", column="win", rate=True),
    Measure(
        "money", "money won or lost in a match; seats of the first hand", "match", "seat", column="money", step=100
    ),
    Measure("hands", "hands a match", "match", column="hands", step=20),
    Measure("broken_off", "a match is not over after 1,000 hands", "match", column="broken_off", rate=True),
)

# Of numbers, those that are tried beside the default. The talon follows the hand; points above the target switch a
# rule off.
NUMBERS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "must_play_points": ({"must_play_points": 10}, {"must_play_points": 16}),
    "pot_plus_points": ({"pot_plus_points": 5}, {"pot_plus_points": 13}, {"pot_plus_points": 16}),
    "target_points": ({"target_points": 10}, {"target_points": 20}),
    "zero_trick_points": ({"zero_trick_points": 3}, {"zero_trick_points": 10}),
    "five_bid_pluses": ({"five_bid_pluses": 1}, {"five_bid_pluses": 4}),
    "ante": ({"ante": 5}, {"ante": 20}),
    "plus_price": ({"plus_price": 5}, {"plus_price": 20}),
    "hand_size": ({"hand_size": 4, "talon_size": 3}, {"hand_size": 6, "talon_size": 5}),
    "talon_size": (),
}


def _exact(name: str, rules: TonRules, setting: Setting) -> tuple[Fraction, ...] | None:
    answer = odds(setting.players, rules)
    found: dict[str, tuple[Fraction | None, ...]] = {
        "trumpless": (answer.trumpless,),
        "stock_has_trump": (answer.stock_has_trump_given_trumpless,),
        "trumpless_by_seat": answer.trumpless_by_seat,
        "trumps_in_hand": answer.trumps_in_hand,
        "trumps_in_talon": answer.trumps_in_talon,
        "sure_five": (answer.sure_five,),
    }
    exact = tuple(value for value in found[name] if value is not None)
    if len(exact) < len(found[name]):
        raise InputError(f"{name}: the eldest is never without a trump under these rules")
    return exact


def _policies(setting: Setting) -> tuple[Policy, ...]:
    return tuple(policy(name, setting.players) for name in setting.by_seat)


def _side(played: Played, rules: TonRules, policies: tuple[Any, ...]) -> "Hands | Matches":
    # Imported here because it imports numba, which wrong input must not wait for.
    from analysis.ton.sides import Hands, Matches

    return Matches(rules, policies) if played == "match" else Hands(rules, policies)


def _tuned(rules: TonRules, setting: Setting, effort: Effort) -> Tuned:
    from analysis.ton.training import train
    from core.ton.tables import tables_for
    from core.ton.tuned import Tuned as Player

    if _TO_TUNE not in setting.by_seat:
        raise InputError(f"no policy can be tuned again: of Ton's that is {_TO_TUNE}")
    found = train(setting.players, rules, first=tables_for(setting.players), **asdict(effort))
    tuned = Player(found.tables)
    policies = (tuned if name == _TO_TUNE else policy(name, setting.players) for name in setting.by_seat)
    return Tuned(tuple(policies), found.gain)


TON = Game(TonRules, MEASURES, _TO_TUNE, _exact, _policies, _side, _tuned, {}, NUMBERS, 1_000_000)
