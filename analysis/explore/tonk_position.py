"""Page: what each action is worth on the first turn of Tonk."""

from collections.abc import Iterator

from analysis.effort import Effort
from analysis.explore.answers import Answers
from analysis.explore.cards import Picker, Place
from analysis.explore.commands import command
from analysis.explore.controls import choice, rule_controls, slider
from analysis.explore.page import Page
from analysis.explore.results import Choice, best_of, command_line, paragraph, ranking
from analysis.explore.state import Cards, Field, Values, Whole, Word, rule_fields, rules_of
from analysis.explore.texts import Texts
from analysis.explore.tonk_drop import HAND, UP
from analysis.explore.tonk_odds import DECK
from analysis.tonk import TonkRules
from analysis.tonk.advice import growing_advice, view_of_deal
from core.cards import format_cards

RULES = (
    "low_tonk",
    "high_tonk",
    "drop_tie",
    "drop_settlement",
    "drop_penalty",
    "equal_pays",
    "meld_duty",
    "set_fourth",
    "ace_runs",
    "out_pay",
)
FIELDS: dict[str, Field] = {
    "players": Whole(3, 2, 10),
    "turn": Word(("before", "after")),
    "hand": Cards(6, DECK, HAND),
    "up": Cards(1, DECK, UP),
    **rule_fields(TonkRules, RULES),
}
POLICY = "threshold"
# In stakes; the half-width at which the page stops sampling, or after so many worlds.
PRECISION = 0.008
MOST = 1_000_000


def answers(values: Values, t: Texts) -> Iterator[str]:
    """Yield each action's worth, best first, after more and more worlds."""
    rules = rules_of(TonkRules, values)
    players, hand, up = values["players"], values["hand"], values["up"]
    missing = hand_size(values) - len(hand)
    if missing > 0 or not up:
        yield paragraph(t("hand.missing", n=missing) if missing > 0 else t("up.missing"), "hint")
        return
    seen = view_of_deal(players, format_cards(hand), format_cards(up), rules)
    for found in growing_advice(seen, POLICY, Effort()).answers(PRECISION, MOST):
        choices = [
            Choice(each.action, each.payment, each.minus_best, worse=each.minus_best.high < 0) for each in found.actions
        ]
        n = found.actions[0].payment.n
        options = {"hand": format_cards(hand), "players": players, "up": format_cards(up), "deals": n}
        yield (
            best_of(t, t("stakes"), choices)
            + ranking(t, t("position.caption", n=players), t("stakes"), t("against.best"), choices)
            + command_line(t, command("tonk advise", rules, **options))
        )


def hand_size(values: Values) -> int:
    """Return how many cards the hand takes: five, or six after the draw."""
    return 5 if values["turn"] == "before" else 6


def build(page: Page) -> None:
    """Put the page's controls and its answers."""
    t = page.t
    with page.frame() as (choices, results):
        with choices:
            slider(page, "players", t("players"))
            choice(page, "turn", t("position.turn"), {word: t(f"position.{word}") for word in ("before", "after")})
            places = [
                Place("hand", t("hand"), lambda: hand_size(page.values)),
                Place("up", t("up"), lambda: 1),
            ]
            Picker(page, places, DECK, lambda: 1)
            rule_controls(page, RULES)
        with results:
            shown = Answers(t)
    page.answer(shown, answers)
