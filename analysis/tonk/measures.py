"""What of Tonk can be compared between rule sets: the measures of `tonlab compare tonk`, and how each is found."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analysis.compare import Game, Measure, Played, Setting, Tuned
from analysis.effort import Effort
from analysis.tonk.first_turn import drop
from analysis.tonk.opening import Quantity, odds
from core.errors import InputError
from core.tonk.policies import Policy, policy
from core.tonk.rules import TonkRules

if TYPE_CHECKING:
    from analysis.tonk.sides import Hands

_TO_TUNE = "threshold"
# Payments are counted in parts of a stake, as core.tonk.game.SCALE says.
_SCALE = 2520
# Where an exact answer takes too much work, the sampled one is not used.
_FEW = 1000


def _measures(*measures: Measure) -> dict[str, Measure]:
    return {measure.name: measure for measure in measures}


MEASURES = _measures(
    Measure("tonk_any", "somebody is dealt a TONK, which ends the hand", "deal", column="tonk", rate=True),
    Measure("tonk_single", "one given player is dealt a TONK", "deal"),
    Measure("tonk_payment", "payment from TONK hands, stakes a deal", "deal", "seat", column="tonk_payment", step=8),
    Measure("drop_win", "dropping --hand on the first turn wins, if nobody has TONK", "deal"),
    Measure("drop_payment", "payment for dropping --hand on the first turn, stakes, if nobody has TONK", "deal"),
    Measure("payment", "payment, stakes a hand", "hand", "seat", column="payment", step=8),
    Measure("stakes", "stakes that change hands in a hand", "hand", column="stakes", step=8),
    Measure("drops", "a hand ends with a drop", "hand", column="drops", rate=True),
    Measure("drop_won", "a hand ends with a drop that wins", "hand", column="drop_won", rate=True),
    Measure("drop_lost", "a hand ends with a drop that does not win", "hand", column="drop_lost", rate=True),
    Measure("out", "a hand ends with a player who goes out", "hand", column="out", rate=True),
    Measure("stock_out", "a hand ends with a stock that runs out", "hand", column="stock_out", rate=True),
    Measure("drop_success", "a drop wins", "hand", column="drop_won", among="drops", rate=True),
    Measure("turns", "turns a hand; a drop is a turn", "hand", column="turns", step=50),
)

# Of numbers, those that are tried beside the default. Hands of other sizes have other totals to be a TONK.
NUMBERS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "out_pay": ({"out_pay": 2}, {"out_pay": 3}),
    "low_tonk": tuple({"low_tonk": limit} for limit in (None, 13, 14, 16, 17)),
    "high_tonk": tuple({"high_tonk": limit} for limit in (None, 48, 50)),
    "tonk_pay": ({"tonk_pay": 1}, {"tonk_pay": 3}),
    "drop_penalty": ({"drop_penalty": 1}, {"drop_penalty": 3}),
    "hand_size": tuple({"hand_size": size, "high_tonk": 10 * size - 1} for size in (4, 6, 7)),
    "decks": ({"decks": 2},),
}


def _exact(name: str, rules: TonkRules, setting: Setting) -> tuple[Fraction, ...] | None:
    found: tuple[Quantity, ...]
    if name in ("drop_win", "drop_payment"):
        if setting.hand is None:
            raise InputError(f"{name} is about one hand: name its cards with --hand")
        dropped = drop(setting.hand, setting.players, rules, deals=_FEW)
        found = (dropped.p_win if name == "drop_win" else dropped.payment,)
    else:
        answer = odds(setting.players, rules, deals=_FEW)
        by_name = {"tonk_any": (answer.any,), "tonk_single": (answer.single,), "tonk_payment": answer.payment}
        found = by_name[name]
    exact = tuple(value for value in found if isinstance(value, Fraction))
    return exact if len(exact) == len(found) else None


def _policies(setting: Setting) -> tuple[Policy, ...]:
    return tuple(policy(name, setting.players) for name in setting.by_seat)


def _side(played: Played, rules: TonkRules, policies: tuple[Any, ...]) -> "Hands":
    # Imported here because it imports numba, which wrong input must not wait for.
    from analysis.tonk.sides import Hands

    return Hands(rules, policies)


def _tuned(rules: TonkRules, setting: Setting, effort: Effort) -> Tuned:
    from analysis.tonk.tuning import tune
    from core.tonk.policies import Threshold

    if _TO_TUNE not in setting.by_seat:
        raise InputError(f"no policy can be tuned again: of Tonk's that is {_TO_TUNE}")
    found = tune(setting.players, rules, **asdict(effort))
    tuned = Threshold(found.thresholds)
    policies = (tuned if name == _TO_TUNE else policy(name, setting.players) for name in setting.by_seat)
    return Tuned(tuple(policies), found.gain)


TONK = Game(
    TonkRules,
    MEASURES,
    _TO_TUNE,
    _exact,
    _policies,
    _side,
    _tuned,
    {"payment": _SCALE, "stakes": _SCALE, "tonk_payment": _SCALE},
    NUMBERS,
    100_000,
)
