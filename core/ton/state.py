"""One hand of Ton at one moment: cards, seats, actions, and the state that the reference engine moves on.

Any card of a state may be UNKNOWN: that makes it a position as one player sees it (`core.ton.view`), or as a record
tells it (`core.ton.record`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.cards import format_card
from core.errors import InputError
from core.ton.rules import DECK, TonRules
from core.ton.tricks import suit_of

UNKNOWN = -1

Cards = tuple[int, ...]
# Cards in the order of play, each with the seat that played it.
Trick = tuple[tuple[int, int], ...]


class Action(NamedTuple):
    """What a player does: a word, and a card where the word takes one.

    The words are pass, five; refuse, keep, trumpless; fetch; discard; play, fold; card (to a trick); plus, minus.
    """

    word: str
    card: int | None = None

    def __str__(self) -> str:
        """Return the action as a record writes it, as in `keep 6s`, `fold` or, for a card to a trick, `10h`."""
        if self.card is None:
            return self.word
        name = "?" if self.card == UNKNOWN else format_card(self.card)
        return name if self.word == "card" else f"{self.word} {name}"


class Deal(NamedTuple):
    """The 36 cards as dealt (T3, T4): hands by seat, the talon in turning order, the next card, and the stock."""

    hands: tuple[Cards, ...]
    talon: Cards
    trump_card: int
    stock: Cards


@dataclass(frozen=True, slots=True)
class State:
    """One hand at one moment. Seats are numbered from the eldest; the dealer is the last (T1).

    phase, seat
        the phase, and who is to act in it (None when the hand is over)
    asked
        in a phase that asks one seat after the other, the next seat that may be asked
    records, debts
        by seat, before the hand: points, and the price in money of the pluses standing in the record (T12)
    hands
        by seat, each sorted by id
    talon, shown
        the cards lying in the talon, in turning order; the talon cards turned up so far, taken or not
    trump_card, trump
        the card after the talon, and the trump suit (None before it is shown, and in a bid of five)
    stock
        the other cards, sorted by id
    bidder, buyer, trumpless
        who bid five; who took the talon (or is about to fetch); whether by the trumpless right
    aside, discard
        the cards that the buyer and the dealer have put away (T5–T7)
    folded
        by seat, whether it has folded
    leader, trick, tricks, taken
        who leads the current trick; that trick; the complete ones; their takers, in order
    choices
        by seat, "plus" or "minus" where a player without a trick has chosen
    """

    rules: TonRules
    records: tuple[int, ...]
    debts: tuple[int, ...]
    hands: tuple[Cards, ...]
    talon: Cards
    trump_card: int
    stock: Cards
    folded: tuple[bool, ...]
    choices: tuple[str | None, ...]
    phase: str = "bid"
    seat: int | None = None
    asked: int = 0
    shown: Cards = ()
    trump: int | None = None
    bidder: int | None = None
    buyer: int | None = None
    trumpless: bool = False
    aside: Cards = ()
    discard: int | None = None
    leader: int = 0
    trick: Trick = ()
    tricks: tuple[Trick, ...] = ()
    taken: tuple[int, ...] = ()

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.hands)

    @property
    def dealer(self) -> int:
        """The dealer's seat, the last one (T1)."""
        return len(self.hands) - 1

    @property
    def participants(self) -> Cards:
        """The seats that have not folded (T8)."""
        return tuple(seat for seat, folded in enumerate(self.folded) if not folded)

    @property
    def lone(self) -> bool:
        """Whether everyone but one player has folded."""
        return sum(self.folded) == len(self.folded) - 1

    @property
    def exchange(self) -> bool:
        """Whether there is a buy-in and a sixth card: always, but in a bid of five only by `five_bid_exchange`."""
        return self.bidder is None or self.rules.five_bid_exchange == "talon"

    @property
    def trump_shown(self) -> bool:
        """Whether the trump card has been shown (T4); it never is in a bid of five."""
        return self.trump is not None

    def must_play(self, seat: int) -> bool:
        """Tell whether the seat may not fold (T8, T13, `must_play_points`, `five_bid_fold`)."""
        return (
            seat in (self.dealer, self.buyer, self.bidder)
            or self.records[seat] >= self.rules.must_play_points
            or (self.bidder is not None and self.rules.five_bid_fold == "forbidden")
        )

    def may_use_trumpless_right(self, seat: int) -> bool:
        """Tell whether the seat has the trumpless right when its turn to buy comes (T7, `trumpless_right`)."""
        right = self.rules.trumpless_right
        return (
            self.trump is not None
            and (right == "every_buyer" or (right == "eldest" and seat == 0))
            and not any(suit_of(card) == self.trump for card in known(self.hands[seat]))
            and len(self.stock) > 0
        )


def known(cards: Iterable[int]) -> Cards:
    """Return the cards that are not UNKNOWN."""
    return tuple(card for card in cards if card != UNKNOWN)


def check_deal(rules: TonRules, deal: Deal, deck: Sequence[int] = DECK) -> None:
    """Raise InputError when the deal is not one of the rules: hands, talon and stock of another size, a card twice."""
    sizes = [(f"hand {seat}", hand, rules.hand_size) for seat, hand in enumerate(deal.hands)]
    sizes.append(("the talon", deal.talon, rules.talon_size))
    sizes.append(("the stock", deal.stock, rules.stock_size(len(deal.hands)) - len(DECK) + len(deck)))
    for name, cards, size in sizes:
        if len(cards) != size:
            raise InputError(f"{name} has {len(cards)} cards, not {size} (T3, T4)")
    seen: set[int] = set()
    for card in known((*(card for _, cards, _ in sizes for card in cards), deal.trump_card)):
        if card not in deck:
            raise InputError(f"card number {card} is not in the deck of {len(deck)} cards (T1)")
        if card in seen:
            raise InputError(f"{format_card(card)} is dealt twice")
        seen.add(card)
