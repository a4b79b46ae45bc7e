"""Tonk's rule set: every option that the source leaves open, and the numbers that a researcher varies."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from core.cards import DECK_SIZE
from core.errors import InputError
from core.ruleset import RuleSet

LOWEST_VALUE, HIGHEST_VALUE = 1, 10


def card_value(card: int) -> int:
    """Return what the card counts in a total: ace 1, pips their number, court cards 10 (K4).

    >>> [card_value(card) for card in (0, 8, 9, 12, 13)]
    [1, 9, 10, 10, 1]
    """
    return min(card % 13 + 1, HIGHEST_VALUE)


@dataclass(frozen=True, kw_only=True)
class TonkRules(RuleSet):
    """The rules of Tonk (K1–K12) with one value for each option; the defaults are the source's reading.

    Where the rules leave a case open, this project reads them so:

    - A limit must be a total that `hand_size` cards can have; a limit that can never be met is refused, not ignored
      (`none` switches a side off). `low_tonk` lies below `high_tonk`.
    - `lowest_only` with `no_win`, and the dropper tied for the lowest total: every player above pays 1 stake, which
      the tied players and the dropper share equally. With `dropper_loses` the players whom he ties are the lowest and
      he pays them; with `dropper_wins` he alone is the lowest.
    - `several_tonks = split`: each player without TONK pays `tonk_pay` once, and the holders share it equally.

    Raises InputError, naming the field, for a value outside its range or fields that contradict each other.
    """

    game: ClassVar[str] = "Tonk"
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "source": {},
        "american": {
            "low_tonk": None,
            "high_tonk": 49,
            "several_tonks": "void",
            "equal_pays": "yes",
            "set_fourth": "allowed",
            "meld_duty": "optional",
            "out_pay": 2,
            "stock_out": "showdown",
        },
    }

    several_tonks: Literal["each", "first", "split", "void"] = "each"
    drop_allowed: Literal["any_turn", "first_turn"] = "any_turn"
    drop_tie: Literal["no_win", "dropper_loses", "dropper_wins"] = "no_win"
    drop_settlement: Literal["pairwise", "lowest_only"] = "pairwise"
    meld_duty: Literal["forced", "optional"] = "forced"
    set_fourth: Literal["never", "allowed"] = "never"
    ace_runs: Literal["low", "low_and_high"] = "low"
    stock_out: Literal["showdown", "void", "reshuffle"] = "showdown"
    out_pay: int = 1
    hit_hold: Literal["no", "yes"] = "no"
    equal_pays: Literal["no", "yes"] = "no"
    up_card: Literal["yes", "no"] = "yes"
    low_tonk: int | None = 15
    high_tonk: int | None = 49
    tonk_pay: int = 2
    drop_penalty: int = 2
    hand_size: int = 5
    decks: int = 1

    def __post_init__(self) -> None:
        """Check each field, then the limits against hand size and each other."""
        super().__post_init__()
        for name, least, most in (
            ("decks", 1, 4),
            ("hand_size", 1, 13),
            ("tonk_pay", 0, 1000),
            ("drop_penalty", 0, 1000),
            ("out_pay", 0, 1000),
        ):
            if not least <= getattr(self, name) <= most:
                raise InputError(f"{name} cannot be {getattr(self, name)}: it lies in {least}..{most}")
        least, most = self.total_range()
        for name in ("low_tonk", "high_tonk"):
            limit = getattr(self, name)
            if limit is not None and not least <= limit <= most:
                raise InputError(
                    f"{name} cannot be {limit}: {self.hand_size} cards total {least} to {most} (none switches it off)"
                )
        if self.low_tonk is not None and self.high_tonk is not None and self.low_tonk >= self.high_tonk:
            raise InputError(f"low_tonk {self.low_tonk} must lie below high_tonk {self.high_tonk}")

    def total_range(self) -> tuple[int, int]:
        """Return the least and the greatest total of `hand_size` cards (K4)."""
        values = sorted(card_value(card) for card in self.deck())
        return sum(values[: self.hand_size]), sum(values[-self.hand_size :])

    def deck(self) -> list[int]:
        """Return all card ids of the deck in order, each as often as there are decks (K2)."""
        return [card for card in range(DECK_SIZE) for _ in range(self.decks)]

    def is_tonk(self, total: int) -> bool:
        """Tell whether a dealt hand of this total is a TONK (K4)."""
        return self.is_low_tonk(total) or self.is_high_tonk(total)

    def is_low_tonk(self, total: int) -> bool:
        """Tell whether a dealt hand of this total is a TONK by its low total (K4)."""
        return self.low_tonk is not None and total <= self.low_tonk

    def is_high_tonk(self, total: int) -> bool:
        """Tell whether a dealt hand of this total is a TONK by its high total (K4)."""
        return self.high_tonk is not None and total >= self.high_tonk

    def check_players(self, players: int) -> None:
        """Raise InputError when the deck cannot serve that many players (K1, K2)."""
        dealt_up = 1 if self.up_card == "yes" else 0
        most = (DECK_SIZE * self.decks - dealt_up) // self.hand_size
        if players < 2:
            raise InputError(f"{players} players: the game needs at least 2")
        if players > most:
            decks = "one deck serves" if self.decks == 1 else f"{self.decks} decks serve"
            raise InputError(f"{players} players: {decks} at most {most} with hands of {self.hand_size} (set decks)")
