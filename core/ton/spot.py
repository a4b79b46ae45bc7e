"""What a player sees when his turn to buy comes, what he may then choose, and deals that agree with it (T5, T7)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.cards import check_copies, format_card
from core.errors import InputError
from core.ton.rules import DECK, TonRules
from core.ton.tricks import strength, suit_of

if TYPE_CHECKING:
    from core.deals import Bytes

# The stream of the hidden cards; core.ton.play has those before it.
BUY_IN_STREAM = 2


@dataclass(frozen=True)
class Spot:
    """A player before the dealer, all before him having refused: his hand, the trump card, the talon cards turned.

    `seen` are the talon cards that he knows, in turning order: at most those that the refusals have turned (T5).
    Raises InputError, in one line, for cards or a seat that cannot be.
    """

    rules: TonRules
    players: int
    seat: int
    hand: tuple[int, ...]
    trump_card: int
    seen: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check the seat, then the cards."""
        self.rules.check_players(self.players)
        last = self.players - 1
        if not 0 <= self.seat <= last:
            raise InputError(f"seat {self.seat} is not a seat: seats run from 0 to {last}")
        if self.seat == last:
            raise InputError(f"seat {self.seat} deals, and the dealer never buys (T6): seats 0 to {last - 1} do")
        if len(self.hand) != self.rules.hand_size:
            raise InputError(f"a hand of {len(self.hand)} cards: it has {self.rules.hand_size}")
        known = (*self.hand, self.trump_card, *self.seen)
        for card in known:
            if card not in DECK:
                raise InputError(f"{format_card(card)} is not in the deck of {len(DECK)} cards (T1)")
        check_copies(known)
        turned = self.rules.turned_before(self.seat)
        if len(self.seen) > turned:
            raise InputError(
                f"{len(self.seen)} talon cards are seen: seat {self.seat} sees {turned} at most"
                f" (T5, talon_reveal = {self.rules.talon_reveal})"
            )

    @property
    def has_right(self) -> bool:
        """Whether the player may look through the stock (T7)."""
        allowed = {"eldest": self.seat == 0, "nobody": False, "every_buyer": True}[self.rules.trumpless_right]
        trumpless = all(suit_of(card) != suit_of(self.trump_card) for card in self.hand)
        return allowed and trumpless and self.rules.stock_size(self.players) > 0

    @property
    def options(self) -> tuple[str, ...]:
        """What he may choose: refuse, keep each card, and with the trumpless right the best of the stock, or a trump.

        Cards are in the order of suits s h d c, low to high. The trumps are those that may lie in the stock.
        """
        options = ["refuse", *(f"keep {format_card(card)}" for card in self.in_order)]
        if self.has_right:
            options += ["trumpless", *(f"trumpless {format_card(card)}" for card in self.fetchable)]
        return tuple(options)

    @property
    def in_order(self) -> tuple[int, ...]:
        """His cards in the order of `options`."""
        return _in_order(self.hand)

    @property
    def fetchable(self) -> tuple[int, ...]:
        """The trumps that may lie in the stock, if he has the trumpless right: low to high."""
        trump = suit_of(self.trump_card)
        trumps = (card for card in DECK if suit_of(card) == trump and card not in (self.trump_card, *self.seen))
        return _in_order(trumps) if self.has_right else ()

    def sample_deals(self, deals: int, *, seed: int, first: int) -> "Bytes":
        """Return deals that agree with what he sees, shape (deals, 36): all card ids, in the order of core.ton.play.

        That is hand by hand, his own in the order of `options`, the talon in turning order, the trump card, the stock.
        All lies of the hidden cards are equally likely: what the refusals tell of the hands is not used. Deal i is a
        function of (seed, first + i).
        """
        from core.deals import sample_hands

        rules = self.rules
        known: list[Sequence[int]] = [()] * self.players + [self.seen, (self.trump_card,), ()]
        known[self.seat] = self.in_order
        sizes = [rules.hand_size] * self.players + [rules.talon_size, 1, rules.stock_size(self.players)]
        return sample_hands(DECK, sizes, deals, known=known, seed=seed, stream=BUY_IN_STREAM, first=first)


def _in_order(cards: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(cards, key=lambda card: (suit_of(card), strength(card))))
