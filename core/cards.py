"""Card ids, parsing and printing, for both games.

A card is an integer `13 * suit + rank` in 0..51: suits in the order s, h, d, c; rank 0 is the ace, 1 the two,
up to 12 the king. A game that plays with several decks repeats the id; a game with a short deck uses a subset.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from core.errors import InputError

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("s", "h", "d", "c")
DECK_SIZE = len(RANKS) * len(SUITS)

# Every spelling is lower case. Russian: валет, дама, король, туз; пики, червы, бубны, крести (also трефы).
_RANK_NAMES = {name.lower(): rank for rank, name in enumerate(RANKS)} | {
    "t": 9, "в": 10, "д": 11, "к": 12, "т": 0,
}  # fmt: skip
_SUIT_NAMES = {name: suit for suit, name in enumerate(SUITS)} | {
    "♠": 0, "♥": 1, "♦": 2, "♣": 3, "п": 0, "ч": 1, "б": 2, "к": 3, "т": 3,
}  # fmt: skip
# Emoji presentation selectors travel with suit symbols copied from a web page.
_INVISIBLE = str.maketrans("", "", "\ufe0e\ufe0f")


def parse_card(text: str) -> int:
    """Return the id of one card, written as rank then suit in any of the accepted spellings.

    >>> [parse_card(name) for name in ("As", "10h", "Td", "Тп", "дк", "К♣")]
    [0, 22, 35, 0, 50, 51]

    Raises InputError, naming the text, when it is not a card.
    """
    name = text.translate(_INVISIBLE).lower()
    rank, suit = _RANK_NAMES.get(name[:-1]), _SUIT_NAMES.get(name[-1:])
    if rank is None or suit is None:
        raise InputError(f"{text!r} is not a card: write a rank (A 2 … 10 J Q K) and a suit (s h d c), as in 10h")
    return 13 * suit + rank


def parse_cards(text: str, *, decks: int = 1) -> tuple[int, ...]:
    """Return the ids of the cards in `text`, in its order; blanks and commas separate them.

    >>> parse_cards("As 10h, 2c")
    (0, 22, 40)

    Raises InputError naming a card that is none, or one that stands there more often than `decks` decks hold it.
    """
    cards = tuple(parse_card(word) for word in re.split(r"[\s,]+", text) if word)
    check_copies(cards, decks=decks)
    return cards


def check_copies(cards: Iterable[int], *, decks: int = 1) -> None:
    """Raise InputError naming the first card that stands in `cards` more often than `decks` decks hold it."""
    for card, copies in Counter(cards).items():
        if copies > decks:
            held = "once" if decks == 1 else f"{decks} times"
            raise InputError(f"{format_card(card)} is named {copies} times; the deck holds it {held}")


def remove_cards(deck: Sequence[int], cards: Sequence[int]) -> list[int]:
    """Return the deck, in its order, without the given cards, each taken out once.

    Raises InputError naming a card that is not (or no longer) there.
    """
    rest = list(deck)
    for card in cards:
        if card not in rest:
            name = format_card(card) if 0 <= card < DECK_SIZE else f"card number {card}"
            raise InputError(f"{name} is not in the deck, or is named too often")
        rest.remove(card)
    return rest


def format_card(card: int) -> str:
    """Return the card's name, as in `As` or `10h`."""
    return RANKS[card % 13] + SUITS[card // 13]


def format_cards(cards: Iterable[int]) -> str:
    """Return the names of the cards with blanks between.

    >>> format_cards((0, 22))
    'As 10h'
    """
    return " ".join(map(format_card, cards))
