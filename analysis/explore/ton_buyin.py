"""Page: whether to take the talon of Ton, and which card to keep."""

from collections.abc import Iterable, Iterator

from analysis.effort import Effort
from analysis.explore.answers import Answers
from analysis.explore.cards import Picker, Place
from analysis.explore.commands import command
from analysis.explore.controls import choice, rule_controls, slider
from analysis.explore.page import Page
from analysis.explore.results import Choice, Row, best_of, command_line, paragraph, ranking, table
from analysis.explore.state import Cards, Field, Values, Whole, Word, rule_fields, rules_of
from analysis.explore.texts import Texts
from analysis.ton import TonRules
from analysis.ton.buyin import growing_buy_in
from analysis.ton.buyin_outcomes import Option
from core.cards import format_cards, parse_card, parse_cards
from core.errors import InputError
from core.ton.rules import DECK, MAX_PLAYERS, MIN_PLAYERS
from core.ton.tricks import strength, suit_of

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
# The deck as players order it: six to ace.
SHOWN = sorted(DECK, key=lambda card: (suit_of(card), strength(card)))
# In tricks; the half-width at which the page stops sampling, or after so many deals.
PRECISION = 0.01
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
        # What a look through the stock gives stands for all trumps that may lie there; the single ones come below.
        single = [option for option in found.options if option.option.startswith("trumpless ")]
        chosen = [option for option in found.options if option not in single]
        choices = [_choice(t, option, chosen[0]) for option in chosen]
        options = {"hand": hand, "trump_card": trump_card, "players": players, "seat": seat or None, "seen": seen}
        options |= {"model": model, "deals": growing.run.deals}
        caption = t("buyin.caption", n=players, seat=seat)
        yield (
            best_of(t, t("points"), choices)
            + ranking(t, caption, t("points"), t("against.refuse"), choices)
            + (table(t, t("buyin.fetched"), _fetched(t, single)) if single else "")
            + paragraph(t(f"buyin.{model}.about"))
            + command_line(t, command("ton buyin", rules, **options))
        )


def _choice(t: Texts, option: Option, best: Option) -> Choice:
    extra = ((t("buyin.tricks"), option.tricks, False), (t("buyin.no_trick"), option.p_no_trick, True))
    return Choice(option.option, option.points, option.minus_refuse, _worse(option, best), extra)


def _fetched(t: Texts, options: Iterable[Option]) -> list[Row]:
    """Return the points that each trump gives in the deals in which it lies in the stock."""
    named = ((option, parse_card(option.option.split()[-1])) for option in options)
    return [Row(option.option, t.card_name(card), option.points, chance=False) for option, card in named]


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
            Picker(page, places, SHOWN, lambda: 1)
            rule_controls(page, RULES)
        with results:
            shown = Answers(t)
    page.answer(shown, answers)
