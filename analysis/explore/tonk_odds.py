"""Page: who is dealt a TONK."""

from collections.abc import Iterator

from analysis.explore.answers import Answers
from analysis.explore.cards import Picker, Place
from analysis.explore.commands import command
from analysis.explore.controls import rule_controls, slider
from analysis.explore.page import Page
from analysis.explore.results import Row, as_percent, command_line, paragraph, table, verdict
from analysis.explore.state import Cards, Field, Values, Whole, rule_fields, rules_of
from analysis.explore.stepwise import stepwise
from analysis.explore.texts import Texts
from analysis.tonk import Odds, TonkRules, odds
from core.cards import DECK_SIZE, format_cards
from core.counting import MAX_STEPS

RULES = ("low_tonk", "high_tonk", "decks", "several_tonks", "tonk_pay")
DECK = tuple(range(DECK_SIZE))
FIELDS: dict[str, Field] = {
    "players": Whole(3, 2, 10),
    "hand": Cards(5, DECK, decks=4),
    "up": Cards(1, DECK),
    **rule_fields(TonkRules, RULES),
}


def answers(values: Values, t: Texts) -> Iterator[str]:
    """Yield the chances, for the whole table or given a whole hand."""
    rules = rules_of(TonkRules, values)
    players, hand = values["players"], values["hand"]
    missing = rules.hand_size - len(hand) if hand else 0
    own = format_cards(hand) if hand and not missing else None
    up = format_cards(values["up"]) or None
    words = command_line(t, command("tonk odds", rules, players=players, hand=own, up=up))
    note = paragraph(t("odds.ignored", n=missing), "hint") if missing else ""
    for found in stepwise(
        lambda steps, deals: odds(players, rules, hand=own, up=up, max_steps=steps, deals=deals), MAX_STEPS
    ):
        who = "odds.verdict" if own is None else "odds.verdict.others"
        said = verdict(t(who, chance=as_percent(found.any))) + (paragraph(t("odds.own")) if found.own_tonk else "")
        yield note + said + table(t, t("odds.caption", n=players), _rows(t, found)) + words


def _rows(t: Texts, found: Odds) -> list[Row]:
    any_ = "odds.any" if found.own_tonk is None else "odds.any.others"
    rows = [
        Row("any", t(any_), found.any),
        Row("single", t("odds.single"), found.single),
        Row("low", t("odds.low"), found.low),
        Row("high", t("odds.high"), found.high),
    ]
    rows += [Row(f"exactly-{j}", t("odds.exactly", j=j), chance) for j, chance in enumerate(found.exactly)]
    if found.own_tonk is not None:
        rows.append(Row("payment", t("odds.payment"), found.payment[0], chance=False))
    return rows


def build(page: Page) -> None:
    """Put the page's controls and its answers."""
    t = page.t
    with page.frame() as (choices, results):
        with choices:
            slider(page, "players", t("players"))
            places = [Place("hand", t("odds.hand"), lambda: 5), Place("up", t("odds.up"), lambda: 1)]
            Picker(page, places, DECK, lambda: copies(page))
            rule_controls(page, RULES)
        with results:
            shown = Answers(t)
    page.answer(shown, answers)


def copies(page: Page) -> int:
    """Return how often a card is in the deck now."""
    decks = str(page.values.get("decks", "1"))
    return int(decks) if decks in ("1", "2", "3", "4") else 1
