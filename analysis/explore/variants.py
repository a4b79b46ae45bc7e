"""Page: two rule sets of a game side by side."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from nicegui import ui

from analysis.effort import Effort
from analysis.explore.answers import Answers
from analysis.explore.controls import choice, rule_pairs, slider
from analysis.explore.page import Page
from analysis.explore.results import Pair, paragraph, sampled, side_by_side
from analysis.explore.state import Field, Values, Whole, Word, rule_fields, rules_of
from analysis.explore.texts import Texts
from analysis.ton import TonRules
from analysis.ton import odds as ton_odds
from analysis.ton.simulation import growing_simulation as growing_ton
from analysis.tonk import TonkRules, odds
from analysis.tonk.opening import stakes_moved
from analysis.tonk.simulation import growing_simulation as growing_tonk

SIDES = ("a", "b")
_FIRST = ("low_tonk", "high_tonk")
TONK_RULES = (*_FIRST, *(name for name in TonkRules.options() if name not in (*_FIRST, "hand_size")))
TON_RULES = tuple(name for name in TonRules.options() if name not in ("hand_size", "talon_size", "ante", "plus_price"))
FIELDS: dict[str, Field] = {
    "game": Word(("tonk", "ton")),
    "players": Whole(3, 2, 6),
    **{
        name: field
        for side in SIDES
        for name, field in (
            rule_fields(TonkRules, TONK_RULES, f"tonk.{side}.") | rule_fields(TonRules, TON_RULES, f"ton.{side}.")
        ).items()
    },
}
POLICY = {"tonk": "threshold", "ton": "tuned"}
# In stakes or points; the half-width at which the page stops playing, or after so many hands.
PRECISION = 0.008
MOST = 1_000_000


def answers(values: Values, t: Texts) -> Iterator[str]:
    """Yield the exact chances of both sides, then also what whole hands give, on the same deals."""
    game, players = values["game"], values["players"]
    rules: Any = TonkRules if game == "tonk" else TonRules
    sides = [rules_of(rules, values, f"{game}.{side}.") for side in SIDES]
    heads = [t("variants.side", side=side.upper()) for side in SIDES] + ["B − A"]
    same = paragraph(t("variants.same"), "hint") if sides[0] == sides[1] else ""
    lines = _tonk_chances(t, players, sides) if game == "tonk" else _ton_chances(t, players, sides)
    exact = same + side_by_side(t, t("variants.exact"), heads, lines)
    yield exact
    growing_simulation: Any = growing_tonk if game == "tonk" else growing_ton
    policies = [POLICY[game]] * players
    a, b = (growing_simulation(players, policies, side, Effort()) for side in sides)
    for found in a.answers(PRECISION, MOST):
        b.run.extend(a.run.deals)
        played = _tonk_hands(t, found, b.answer()) if game == "tonk" else _ton_hands(t, found, b.answer())
        caption = t("variants.played", policy=POLICY[game])
        yield exact + side_by_side(t, caption, heads, played) + sampled(t, a.run.deals, a.run.effort.seed)


def _lines(t: Texts, keys: Sequence[tuple[str, str]], a: Any, b: Any) -> list[Pair]:
    return [(name, t(key), getattr(a, name), getattr(b, name), True) for name, key in keys]


def _tonk_chances(t: Texts, players: int, sides: Sequence[TonkRules]) -> list[Pair]:
    a, b = (odds(players, side) for side in sides)
    names = ("any", "single", "low", "high")
    lines = _lines(t, [(name, f"odds.{name}") for name in names], a, b)
    if all(isinstance(side.any, Fraction) for side in (a, b)):
        lines.append(("moved", t("variants.moved"), stakes_moved(a), stakes_moved(b), False))
    return lines


def _ton_chances(t: Texts, players: int, sides: Sequence[TonRules]) -> list[Pair]:
    a, b = (ton_odds(players, side) for side in sides)
    keys = [("trumpless", "ton.trumpless"), ("talon_has_trump", "ton.talon"), ("sure_five", "ton.five")]
    lines = _lines(t, keys, a, b)
    given = [side.stock_has_trump_given_trumpless for side in (a, b)]
    if given[0] is not None and given[1] is not None:
        lines.insert(1, ("stock", t("ton.stock"), given[0], given[1], True))
    return lines


def _tonk_hands(t: Texts, a: Any, b: Any) -> list[Pair]:
    seats = zip(a.payment, b.payment, strict=True)
    lines = [(f"payment-{seat}", t("variants.seat", seat=seat), *pay, False) for seat, pay in enumerate(seats)]
    lines += [(kind, t(f"variants.kind.{kind}"), rate, b.kinds[kind], True) for kind, rate in a.kinds.items()]
    return [*lines, ("turns", t("variants.turns"), a.turns, b.turns, False)]


def _ton_hands(t: Texts, a: Any, b: Any) -> list[Pair]:
    lines = []
    for name, key in (("points", "variants.points"), ("buy", "ton.buy"), ("no_trick", "ton.no_trick")):
        seats = zip(getattr(a, name), getattr(b, name), strict=True)
        lines += [(f"{name}-{seat}", t(key, seat=seat), *pair, name != "points") for seat, pair in enumerate(seats)]
    return lines


def build(page: Page) -> None:
    """Put the page's controls and its answers."""
    t, game = page.t, page.values["game"]

    def open_anew() -> None:
        if page.values["game"] != game:
            ui.navigate.to(page.link())

    page.follow(open_anew)
    with page.frame() as (choices, results):
        with choices:
            choice(page, "game", t("variants.game"), {word: t(f"variants.{word}") for word in ("tonk", "ton")})
            slider(page, "players", t("players"))
            rule_pairs(page, TONK_RULES if game == "tonk" else TON_RULES, [f"{game}.{side}." for side in SIDES])
        with results:
            shown = Answers(t)
    page.answer(shown, answers)
