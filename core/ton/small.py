"""The game of two with a small deck: the same rules and engine, few enough cards to write down the whole tree.

What a player knows is taken from `core.ton.view` alone: all that he has seen at his decisions so far, and what he did.

The suits being alike, only deals with the first suit as trump are kept; they stand for all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from core.errors import InputError
from core.ton.engine import apply, legal_actions, start
from core.ton.heads_up import heads_up_rules, payoff
from core.ton.rules import DECK, TonRules
from core.ton.state import Action, Deal, State
from core.ton.tricks import LOWEST, strength, suit_of
from core.ton.view import view

_Seen = tuple[object, ...]


@dataclass(slots=True)
class SmallNode:
    """A node of the tree (`core.ton.heads_up.Node`): `key` numbers what the player knows, `actions` are his choices."""

    seat: int | None
    key: int
    actions: tuple[Action, ...]
    children: tuple["SmallNode", ...]
    payoff: int

    @property
    def choices(self) -> int:
        """The number of choices."""
        return len(self.actions)

    def child(self, choice: int) -> "SmallNode":
        """Return the node after a choice."""
        return self.children[choice]


class SmallGame:
    """The whole game of two with the highest ranks of the first suits, and hands of a few cards.

    deals, roots
        every deal whose trump is the first suit, all equally likely, and the tree after each
    keys
        the number of different states of knowledge; they are numbered from 0
    """

    def __init__(
        self, ranks: int, suits: int, hand_size: int = 2, rules: TonRules | None = None, *, every: int = 1
    ) -> None:
        """Write down the tree; of the deals only `every` so many'th is kept, which makes a game of fewer chances.

        Raises InputError for a deck that is none, or too small to deal from.
        """
        if not (1 <= ranks <= len(DECK) // 4 and 1 <= suits <= 4):
            raise InputError(f"a small deck has 1 to 9 ranks and 1 to 4 suits, not {ranks} and {suits}")
        self.rules = heads_up_rules((rules or TonRules()).replace(hand_size=hand_size, talon_size=hand_size - 1))
        self.deck = tuple(card for card in DECK if suit_of(card) < suits and strength(card) > LOWEST + 8 - ranks)
        if len(self.deck) < 3 * hand_size:
            raise InputError(
                f"{len(self.deck)} cards are too few for two hands of {hand_size}, a talon and a trump card"
            )
        self._numbers: dict[object, int] = {}
        self.deals = tuple(_deals(self.deck, hand_size)[::every])
        self.roots = tuple(self._node(start(self.rules, deal, deck=self.deck), ((), ())) for deal in self.deals)
        self.keys = len(self._numbers)

    def _node(self, state: State, memories: tuple[_Seen, _Seen]) -> SmallNode:
        """Return the tree after a state; a memory is what a seat has seen and done at its decisions so far."""
        seat = state.seat
        if seat is None:
            return SmallNode(None, -1, (), (), payoff(state))
        actions = legal_actions(state)
        seen = view(state, seat)
        # A number stands for what was seen, so that keys stay short; the rules are the same in the whole game.
        facts = tuple(getattr(seen, name) for name in _FACTS)
        key = self._numbers.setdefault((memories[seat], facts), len(self._numbers))
        children = []
        for action in actions:
            after = list(memories)
            after[seat] = (key, action)
            children.append(self._node(apply(state, action), (after[0], after[1])))
        return SmallNode(seat, key, actions, tuple(children), 0)


# The fields of a state that differ within the game of two.
_FACTS = tuple(name for name in State.__slots__ if name not in ("rules", "records", "debts", "bidder", "choices"))


def _deals(deck: Sequence[int], size: int) -> list[Deal]:
    """Return all deals of which the trump card is of the first suit; the talon's order matters, a hand's does not."""
    deals = []
    for trump_card in (card for card in deck if suit_of(card) == 0):
        left = [card for card in deck if card != trump_card]
        for eldest in combinations(left, size):
            others = [card for card in left if card not in eldest]
            for dealer in combinations(others, size):
                rest = [card for card in others if card not in dealer]
                for talon in combinations(rest, size - 1):
                    stock = tuple(card for card in rest if card not in talon)
                    # Which of the talon's cards is turned up is one more chance.
                    for first in range(size - 1):
                        order = (talon[first], *talon[:first], *talon[first + 1 :])
                        deals.append(Deal((eldest, dealer), order, trump_card, stock))
    return deals
