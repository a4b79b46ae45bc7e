"""Ton's rule set: every option that the source leaves open, and the numbers that a researcher varies."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from core.cards import DECK_SIZE
from core.errors import InputError
from core.ruleset import RuleSet

MIN_PLAYERS, MAX_PLAYERS = 2, 6
# A match that has not ended after so many hands is broken off, if nothing else is said.
MAX_HANDS = 1000
# The cards in the order of their ids, six to king and ace of each suit (T1).
DECK = tuple(card for card in range(DECK_SIZE) if card % 13 == 0 or card % 13 >= 5)


@dataclass(frozen=True, kw_only=True)
class TonRules(RuleSet):
    """The rules of Ton (T1–T14) with one value for each option; the defaults are the source's reading.

    Where the rules leave a case open, this project reads them so:

    - `talon_size` is `hand_size - 1`, so that a buyer keeps one card and takes the talon for the others (T5). "Five"
      means all tricks of the hand, also in `five_bid` and `lone_player = five_points`.
    - A limit of points above `target_points` is never met: so a researcher switches T8's duty or T12 off.
    - The turned card of `trump_card = stays` does not belong to the stock: the trumpless right cannot fetch it (T7).
      The dealer then takes no sixth card in a bid of five with `five_bid_exchange = talon` either.
    - Who uses the trumpless right says so before he sees the stock, and cannot take it back. The card that he fetches
      is not shown. Without a stock there is no such right (T7).
    - With `dealer_discard = after_declarations`, a dealer who is left alone discards nothing: the hand is over (T8).
    - A lone player of `lone_player = no_score` has no trick, but takes neither plus nor minus. A bid of five by him
      counts as neither made nor failed.
    - In a bid of five with a buyer (`five_bid_exchange = talon`) the buyer leads (T9); `five_bid_lead` says who leads
      when nobody has bought.
    - A bidder must play. A failed one without a trick records `five_bid_pluses`, each at the price of a plus, and has
      no choice of T11 besides. The other players' tricks and choices stand whether the bid is made or fails.
    - The points of T8 and T12 are those before the hand. Pluses of one hand are recorded in seat order, and one that
      is recorded stands for the next (T12). The price of a pot plus is the pot, the ordinary pluses and the earlier
      pot pluses of all players, without the new one itself.
    - `reach_target = end_of_hand_highest`: of two with equal points the one wins who reached the target first. Tricks
      of a failed bidder that are lost never count, also not on the way to the target.

    Raises InputError, naming the field, for a value outside its range or fields that contradict each other.
    """

    game: ClassVar[str] = "Ton"
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "source": {},
        "one_card": {"talon_reveal": "first_refusal"},
        "table_trump": {"trump_card": "stays"},
    }

    talon_reveal: Literal["each_refusal", "first_refusal", "none"] = "each_refusal"
    trumpless_right: Literal["eldest", "nobody", "every_buyer"] = "eldest"
    trump_card: Literal["to_dealer", "stays"] = "to_dealer"
    must_beat: Literal["led", "best", "free"] = "led"
    must_overtrump: Literal["no", "yes"] = "no"
    no_buyer_lead: Literal["eldest", "dealer"] = "eldest"
    lone_player: Literal["five_points", "no_score"] = "five_points"
    dealer_discard: Literal["before_declarations", "after_declarations", "before_buy_in"] = "before_declarations"
    five_bid: Literal["allowed", "off"] = "allowed"
    five_bid_lead: Literal["bidder", "eldest"] = "bidder"
    five_bid_exchange: Literal["none", "talon"] = "none"
    five_bid_failed_tricks: Literal["score", "lost"] = "score"
    five_bid_fold: Literal["allowed", "forbidden"] = "allowed"
    reach_target: Literal["in_trick_order", "end_of_hand_highest"] = "in_trick_order"
    zero_trick: Literal["choice", "plus_only", "minus_only"] = "choice"
    must_play_points: int = 13
    pot_plus_points: int = 10
    target_points: int = 15
    zero_trick_points: int = 5
    five_bid_pluses: int = 2
    ante: int = 10
    plus_price: int = 10
    hand_size: int = 5
    talon_size: int = 4

    def __post_init__(self) -> None:
        """Check each field, then the talon against the hand."""
        super().__post_init__()
        for name, least, most in (
            ("must_play_points", 0, 1000),
            ("pot_plus_points", 0, 1000),
            ("target_points", 1, 1000),
            ("zero_trick_points", 0, 1000),
            ("five_bid_pluses", 0, 1000),
            ("ante", 0, 1_000_000),
            ("plus_price", 0, 1_000_000),
            ("hand_size", 2, 12),
        ):
            if not least <= getattr(self, name) <= most:
                raise InputError(f"{name} cannot be {getattr(self, name)}: it lies in {least}..{most}")
        if self.talon_size != self.hand_size - 1:
            raise InputError(
                f"talon_size cannot be {self.talon_size} with hand_size {self.hand_size}: a buyer keeps one card and"
                f" takes the talon for the others (T5), so set talon_size={self.hand_size - 1}"
            )

    def stock_size(self, players: int) -> int:
        """Return the number of cards left after the deal and the trump card (T4)."""
        return len(DECK) - players * self.hand_size - self.talon_size - 1

    def turned_before(self, seat: int) -> int:
        """Return the number of talon cards that a seat sees when all before it have refused (T5, `talon_reveal`)."""
        most = {"each_refusal": self.talon_size, "first_refusal": 1, "none": 0}[self.talon_reveal]
        return min(seat, most)

    def check_players(self, players: int) -> None:
        """Raise InputError when the game or the deck cannot serve that many players (T1, T3)."""
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise InputError(f"{players} players: the game is for {MIN_PLAYERS} to {MAX_PLAYERS} (T1)")
        if self.stock_size(players) < 0:
            most = (len(DECK) - self.talon_size - 1) // self.hand_size
            raise InputError(
                f"{players} players: {len(DECK)} cards serve at most {most} with hands of {self.hand_size}"
            )
