"""What is known before the first turn of Tonk: the rules, the number of players, and the cards that one player sees."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, factorial, lcm, prod

from core.cards import format_card, format_cards, parse_cards, remove_cards
from core.counting import Sort, count_hands, count_totals
from core.errors import InputError
from core.tonk.rules import TonkRules, card_value


@dataclass(frozen=True)
class Table:
    """Players about to play, some cards seen, and exact counts over the hands that nobody has seen.

    Build it with `Table.seen`, which checks its input.
    """

    rules: TonkRules
    players: int
    hand: tuple[int, ...]
    up: int | None
    seat: int

    @classmethod
    def seen(cls, rules: TonkRules, players: int, hand: str | None, up: str | None, seat: int = 0) -> "Table":
        """Read what a player at `seat` sees: no hand or a whole one, and perhaps the up-card.

        Raises InputError naming the card, count, seat or number of players that cannot be.
        """
        rules.check_players(players)
        cards = () if hand is None else parse_cards(hand, decks=rules.decks)
        if hand is not None and len(cards) != rules.hand_size:
            raise InputError(f"hand {format_cards(cards)!r} has {len(cards)} cards, not {rules.hand_size}")
        ups = () if up is None else parse_cards(up, decks=rules.decks)
        if up is not None and len(ups) != 1:
            raise InputError(f"up-card {format_cards(ups)!r} is {len(ups)} cards, not 1")
        if ups and rules.up_card == "no":
            raise InputError(f"up-card {format_card(ups[0])}: with up_card = no there is none")
        if not 0 <= seat < players:
            raise InputError(f"seat {seat} is not a seat: seats run from 0 to {players - 1}")
        table = cls(rules, players, cards, ups[0] if ups else None, seat)
        if ups and ups[0] in cards and (cards + ups).count(ups[0]) > rules.decks:
            raise InputError(f"{format_card(ups[0])} is both in the hand and the up-card")
        return table

    @property
    def hidden_players(self) -> int:
        """The number of players whose hands are hidden: all, or all but the one who sees."""
        return self.players - bool(self.hand)

    @property
    def own_seat(self) -> int | None:
        """The seat of the player whose hand is seen, if any."""
        return self.seat if self.hand else None

    @property
    def total(self) -> int:
        """The seen hand's total (K4)."""
        return sum(map(card_value, self.hand))

    @property
    def own_tonk(self) -> bool:
        """Whether the seen hand is a TONK."""
        return bool(self.hand) and self.rules.is_tonk(self.total)

    @property
    def deck(self) -> tuple[int, ...]:
        """The cards that are not seen, by value."""
        return _unseen(self.rules, self.hand + (() if self.up is None else (self.up,)))

    @property
    def classes(self) -> tuple[tuple[int, int], ...]:
        """Values and numbers of the cards that are not seen, in increasing value."""
        return _classes(self.deck)

    @cached_property
    def hand_totals(self) -> dict[int, int]:
        """The number of hidden hands of each total, in increasing total. Exact."""
        return dict(count_totals(self.classes, self.rules.hand_size))

    def deals(self, hands: int) -> int:
        """Return the number of ways to deal that many hidden hands, the hands told apart. Exact."""
        size = self.rules.hand_size
        return prod(comb(len(self.deck) - size * number, size) for number in range(hands))

    def chance(self, totals: Collection[int]) -> Fraction:
        """Return the chance that one given hidden hand has one of these totals. Exact."""
        return Fraction(sum(self.hand_totals.get(total, 0) for total in totals), self.deals(1))

    def chances_together(self, totals: Collection[int], most: int, max_steps: int) -> list[Fraction]:
        """Return, for k = 0 .. most, the chance that k given hidden hands all have one of these totals. Exact.

        Raises TooMuchWorkError past `max_steps`.
        """
        counts = count_hands(self.classes, self.rules.hand_size, [Sort(totals, most)], most=most, max_steps=max_steps)
        return [Fraction(counts.get((k,), 0) * factorial(k), self.deals(k)) for k in range(most + 1)]


@lru_cache(maxsize=64)
def _unseen(rules: TonkRules, seen: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(remove_cards(rules.deck(), seen), key=card_value))


@lru_cache(maxsize=64)
def _classes(deck: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(Counter(map(card_value, deck)).items()))


def exactly(together: Sequence[Fraction], players: int) -> list[Fraction]:
    """Return the chance that exactly j of the players have a property, j = 0 .. players.

    `together[k]` is the chance that k given players have it, the same for any k players (inclusion and exclusion).
    """
    # In whole numbers over a common denominator, which is much faster than adding fractions.
    whole = lcm(*(chance.denominator for chance in together))
    moments = [comb(players, k) * chance.numerator * (whole // chance.denominator) for k, chance in enumerate(together)]
    return [
        Fraction(sum((-1) ** (k - j) * comb(k, j) * moments[k] for k in range(j, players + 1)), whole)
        for j in range(players + 1)
    ]
