"""How players decide: the protocol, and two reference policies that are fixed to the letter.

A policy is given what its player sees (`core.ton.view`), the legal actions in canonical order, and an iterator of
random words of 32 bits, of which it takes as many as it needs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.ton.state import Action, State
from core.ton.tricks import beats, strength, suit_of, winner


class Policy(Protocol):
    """What chooses for a player."""

    def choose(self, view: State, actions: Sequence[Action], words: Iterator[int]) -> Action:
        """Return one of the actions."""
        ...


@dataclass(frozen=True)
class Random:
    """Every legal action equally likely: each decision takes one word, also one with a single action."""

    def choose(self, view: State, actions: Sequence[Action], words: Iterator[int]) -> Action:
        """Return action number (word * n) >> 32 of n."""
        return actions[next(words) * len(actions) >> 32]


@dataclass(frozen=True)
class Plain:
    """The policy `plain`, weak on purpose; it takes no random words.

    It never bids five. It uses the trumpless right where it has it, and fetches the highest trump, else the highest
    card. It buys with at most one trump and keeps its highest trump, else its highest card. The dealer discards his
    lowest card that is no trump, else the lowest trump. It folds without a trump and an ace. It leads its highest
    trump, else its highest card. Following, it plays the lowest legal card that would be winning the trick so far, else
    the lowest legal card. For no trick it takes the plus.

    High and low go by rank; of equal ones the highest is the first in the order s h d c, the lowest the last. A card to
    a trick that wins with a trump counts as higher than one without: both kinds are never legal at once.
    """

    def choose(self, view: State, actions: Sequence[Action], words: Iterator[int]) -> Action:
        """Return what the class's docstring says."""
        seat = view.seat
        assert seat is not None
        hand, trump = view.hands[seat], view.trump
        trumps = tuple(card for card in hand if suit_of(card) == trump)
        match view.phase:
            case "bid":
                return Action("pass")
            case "buy":
                if actions[-1].word == "trumpless":
                    return actions[-1]
                return Action("keep", _highest(trumps or hand)) if len(trumps) <= 1 else Action("refuse")
            case "fetch":
                # Only trumps are legal where the stock holds any.
                return Action("fetch", _highest(_cards(actions)))
            case "discard":
                return Action("discard", _lowest(tuple(card for card in hand if card not in trumps) or hand))
            case "declare":
                has_ace = any(card % 13 == 0 for card in hand)
                return Action("play") if trumps or has_ace else Action("fold")
            case "play":
                cards = _cards(actions)
                if not view.trick:
                    return Action("card", _highest(trumps or cards))
                trick = [card for _, card in view.trick]
                best = trick[winner(trick, trump)]
                winning = tuple(card for card in cards if beats(card, best, trump))
                return Action("card", _lowest(winning or cards))
            case _:
                return Action("plus")


POLICIES: Mapping[str, Policy] = {"random": Random(), "plain": Plain()}


def _cards(actions: Sequence[Action]) -> tuple[int, ...]:
    return tuple(action.card for action in actions if action.card is not None)


def _highest(cards: Sequence[int]) -> int:
    return max(cards, key=lambda card: (strength(card), -card))


def _lowest(cards: Sequence[int]) -> int:
    return min(cards, key=lambda card: (strength(card), -card))
