"""A position of Ton with open cards, at any point of the play of tricks (T9, T10)."""

from dataclasses import dataclass

from core.cards import DECK_SIZE, check_copies, format_card
from core.errors import InputError
from core.ton.rules import DECK, MAX_PLAYERS, MIN_PLAYERS, TonRules
from core.ton.tricks import legal_cards, winner

MOST_CARDS = 12


@dataclass(frozen=True)
class Position:
    """Open hands by seat, the trump suit 0..3 or None, who led or leads the trick, its cards, and tricks won before.

    A player who has played to the trick holds a card less than the others. Raises InputError, in one line that names
    what is wrong, for what cannot be a position.
    """

    hands: tuple[tuple[int, ...], ...]
    trump: int | None
    leader: int
    trick: tuple[int, ...] = ()
    won: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check what can be wrong with a position."""
        players = len(self.hands)
        check_table(players, self.trump, self.leader)
        if len(self.trick) >= players:
            raise InputError(f"{len(self.trick)} cards lie in the trick of {players} players: a whole trick is won")
        cards = [*self.trick, *(card for hand in self.hands for card in hand)]
        for card in cards:
            if card not in DECK:
                name = format_card(card) if 0 <= card < DECK_SIZE else f"card number {card}"
                raise InputError(f"{name} is not in the deck of {len(DECK)} cards (T1)")
        check_copies(cards)
        sizes = [len(hand) + (place < len(self.trick)) for place, hand in enumerate(self._in_order())]
        if len(set(sizes)) > 1:
            held = ", ".join(str(len(hand)) for hand in self.hands)
            raise InputError(f"the hands are unequal: {held} cards, with {len(self.trick)} in the trick")
        if sizes[0] > MOST_CARDS:
            raise InputError(f"hands of {sizes[0]} cards: at most {MOST_CARDS} are solved")
        if self.won and len(self.won) != players:
            raise InputError(f"tricks won are given for {len(self.won)} players; there are {players}")
        if any(tricks < 0 for tricks in self.won):
            raise InputError("tricks won cannot be negative")

    def _in_order(self) -> tuple[tuple[int, ...], ...]:
        return self.hands[self.leader :] + self.hands[: self.leader]

    @property
    def seat(self) -> int:
        """The seat that is to play."""
        return (self.leader + len(self.trick)) % len(self.hands)

    def legal(self, rules: TonRules) -> tuple[int, ...]:
        """Return the cards that may be played (T10)."""
        return legal_cards(self.hands[self.seat], self.trick, self.trump, rules)

    def play(self, card: int) -> "Position":
        """Return the position after the seat to play has played the card; a whole trick goes to its winner (T10)."""
        hands = tuple(
            tuple(held for held in hand if seat != self.seat or held != card) for seat, hand in enumerate(self.hands)
        )
        trick, won = (*self.trick, card), self.won or (0,) * len(hands)
        if len(trick) < len(hands):
            return Position(hands, self.trump, self.leader, trick, won)
        leader = (self.leader + winner(trick, self.trump)) % len(hands)
        won = tuple(tricks + (seat == leader) for seat, tricks in enumerate(won))
        return Position(hands, self.trump, leader, (), won)


def check_table(players: int, trump: int | None, leader: int) -> None:
    """Raise InputError for a number of players, a trump or a leader that cannot be."""
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise InputError(f"{players} hands: the game is for {MIN_PLAYERS} to {MAX_PLAYERS} (T1)")
    if trump is not None and not 0 <= trump < 4:
        raise InputError(f"trump {trump} is not a suit")
    if not 0 <= leader < players:
        raise InputError(f"leader {leader} is not a seat: they are 0 to {players - 1}")
