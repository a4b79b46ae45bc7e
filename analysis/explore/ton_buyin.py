"""Page: whether to take the talon of Ton, and which card to keep."""

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
from analysis.ton import TonRules
from analysis.ton.buyin import growing_buy_in
from analysis.ton.buyin_outcomes import Option
from core.cards import format_cards, parse_cards
from core.errors import InputError
from core.ton.rules import DECK, MAX_PLAYERS, MIN_PLAYERS

RULES = ("talon_reveal", "trumpless_right", "trump_card", "must_beat", "must_overtrump", "no_buyer_lead", "zero_trick")
MODELS = ("open", "play")
FIELDS: dict[str, Field] = {
    "players": Whole(3, MIN_PLAYERS, MAX_PLAYERS),
    "seat": Whole(0, 0, MAX_PLAYERS - 2),
    "model": Word(MODELS),
    "hand": Cards(5, DECK, parse_cards("As 7d 8d Jh 9c")),
    "trump": Cards(1, DECK, parse_cards("9s")),
    "seen": Cards(4, DECK),
    **rule_fields(TonRules, RULES),
}
# In tricks; the half-width at which the page stops sampling, or after so many deals.
PRECISION = 0.008
MOST = 200_000


def answers(values: Values, t: Texts) -> Iterator[str]:
    """Yield what each choice is worth, best first, after more and more deals."""
    rules = rules_of(TonRules, values)
    players, seat, model = values["players"], values["seat"], values["model"]
    missing = rules.hand_size - len(values["hand"])
    if missing > 0 or not values["trump"]:
        yield paragraph(t("hand.missing", n=missing) if missing > 0 else t("trump.missing"), "hint")
        return
    hand, trump_card, seen = (format_cards(values[name]) for name in ("hand", "trump", "seen"))
    growing = growing_buy_in(hand, trump_card, players, seat, seen, model, None, rules, Effort())
    for found in growing.answers(PRECISION, MOST):
        choices = [
            Choice(
                option.option,
                option.points,
                option.minus_refuse,
                _worse(option, found.options[0]),
                ((t("buyin.tricks"), option.tricks), (t("buyin.no_trick"), option.p_no_trick)),
            )
            for option in found.options
        ]
        options = {"hand": hand, "trump_card": trump_card, "players": players, "seat": seat or None, "seen": seen}
        options |= {"model": model, "deals": growing.run.deals}
        caption = t("buyin.caption", n=players, seat=seat)
        yield (
            best_of(t, choices)
            + ranking(t, caption, t("points"), t("against.refuse"), choices)
            + paragraph(t(f"buyin.{model}.about"))
            + command_line(t, command("ton buyin", rules, **options))
        )


def _worse(option: Option, best: Option) -> bool:
    """Tell whether an option surely gives less than the best; differences are known against refusing only."""
    if best.option == "refuse":
        return option.minus_refuse.high < 0
    if option.option == "refuse":
        return best.minus_refuse.low > 0
    return option.points.high < best.points.low


def build(page: Page) -> None:
    """Put the page's controls and its answers."""
    t = page.t

    def turned() -> int:
        try:
            return rules_of(TonRules, page.values).turned_before(page.values["seat"])
        except InputError:
            return 0

    def keep_seat_at_table() -> None:
        last = page.values["players"] - 2
        if page.values["seat"] > last:
            page.change(seat=last)

    page.follow(keep_seat_at_table)
    keep_seat_at_table()
    with page.frame() as (choices, results):
        with choices:
            slider(page, "players", t("players"))
            slider(page, "seat", t("buyin.seat"), lambda: page.values["players"] - 2)
            choice(page, "model", t("buyin.model"), {word: t(f"buyin.{word}") for word in MODELS})
            places = [
                Place("hand", t("hand"), lambda: 5),
                Place("trump", t("trump"), lambda: 1),
                Place("seen", t("seen"), turned),
            ]
            Picker(page, places, DECK, lambda: 1)
            rule_controls(page, RULES)
        with results:
            shown = Answers(t)
    page.answer(shown, answers)
