"""Page: what dropping at once is worth on the first turn of Tonk."""

from collections.abc import Iterator

from analysis.explore.answers import Answers
from analysis.explore.cards import Picker, Place
from analysis.explore.commands import command
from analysis.explore.controls import rule_controls, slider
from analysis.explore.page import Page
from analysis.explore.results import Row, as_number, command_line, paragraph, table, verdict
from analysis.explore.state import Cards, Field, Values, Whole, rule_fields, rules_of
from analysis.explore.stepwise import stepwise
from analysis.explore.texts import Texts
from analysis.explore.tonk_odds import DECK, copies
from analysis.tonk import TonkRules, drop
from analysis.tonk.first_turn import DROP_STEPS
from core.cards import format_cards, parse_cards

RULES = ("low_tonk", "high_tonk", "drop_tie", "drop_settlement", "drop_penalty", "equal_pays", "decks")
# The first hand of the source's own example.
HAND, UP = parse_cards("10s 8d 8h 5s 4c"), parse_cards("5c")
FIELDS: dict[str, Field] = {
    "players": Whole(3, 2, 10),
    "hand": Cards(5, DECK, HAND, decks=4),
    "up": Cards(1, DECK, UP),
    **rule_fields(TonkRules, RULES),
}


def answers(values: Values, t: Texts) -> Iterator[str]:
    """Yield the chances and the payment, once the hand is whole; the up-card may be left out."""
    rules = rules_of(TonkRules, values)
    players, hand = values["players"], format_cards(values["hand"])
    missing = rules.hand_size - len(values["hand"])
    if missing > 0:
        yield paragraph(t("hand.missing", n=missing), "hint")
        return
    up = format_cards(values["up"]) or None
    words = command_line(t, command("tonk drop", rules, hand=hand, players=players, up=up))
    for found in stepwise(
        lambda steps, deals: drop(hand, players, rules, up=up, max_steps=steps, deals=deals), DROP_STEPS
    ):
        rows = [
            Row("payment", t("drop.payment"), found.payment, chance=False),
            Row("p_win", t("drop.p_win"), found.p_win),
            Row("p_less", t("drop.p_less"), found.p_less),
            Row("p_no_tonk", t("drop.p_no_tonk"), found.p_no_tonk),
        ]
        said = verdict(t("drop.verdict", total=found.total, pay=as_number(found.payment, 2)))
        yield said + table(t, t("drop.caption", total=found.total, n=players), rows) + words


def build(page: Page) -> None:
    """Put the page's controls and its answers."""
    t = page.t
    with page.frame() as (choices, results):
        with choices:
            slider(page, "players", t("players"))
            places = [Place("hand", t("hand"), lambda: 5), Place("up", t("odds.up"), lambda: 1)]
            Picker(page, places, DECK, lambda: copies(page))
            rule_controls(page, RULES)
        with results:
            shown = Answers(t)
    page.answer(shown, answers)
