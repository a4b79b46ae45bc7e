"""Reference policies of Tonk: what a player does, given what he sees and what he may do.

A policy is given no state. What it wants of chance it takes from `words`, random 32-bit words in a fixed order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.errors import InputError
from core.ruleset import nearest
from core.tonk.actions import DROP, STOCK, UP, Action
from core.tonk.melds import best_melds, hand_total, melds_in
from core.tonk.rules import card_value
from core.tonk.view import View

DROP_TOTAL = 10


class Policy(Protocol):
    """Chooses one of the legal actions, which come in the order of `legal_actions`."""

    def choose(self, view: View, actions: Sequence[Action], words: Iterator[int]) -> Action:
        """Return one of the actions."""
        ...


@dataclass(frozen=True)
class Random:
    """Each legal action with equal chance. Takes one word w for each decision, also where there is one action only.

    The action is number (w * n) >> 32 of n.
    """

    def choose(self, view: View, actions: Sequence[Action], words: Iterator[int]) -> Action:
        """Return one of the actions."""
        return actions[(next(words) * len(actions)) >> 32]


@dataclass(frozen=True)
class Simple:
    """`simple:T`, a weak policy with a fixed definition: drops at a total of T or less, melds and hits all it can.

    - At the start of a turn it drops if it may and its total is at most T. Else it takes the up-card if that completes
      a meld with the hand, and else the stock.
    - It lays the melds of `best_melds`; then, as long as some card can be hit, hits the one of greatest value (then the
      higher rank, then suits s, h, d, c) on the first meld that takes it; then discards by the same order.
    """

    drop_total: int = DROP_TOTAL

    def choose(self, view: View, actions: Sequence[Action], words: Iterator[int]) -> Action:
        """Return one of the actions; takes no words."""
        if not view.drawn:
            if DROP in actions and hand_total(view.hand) <= self.drop_total:
                return DROP
            return UP if UP in actions and _completes_meld(view) else STOCK
        best = best_melds(view.hand, view.rules)
        if best:
            return Action("lay", best[0])
        hits = [action for action in actions if action.kind == "hit"]
        # Of equal actions on several melds max takes the first.
        return max(hits or actions, key=lambda action: _greatness(action.cards[0]))


def _completes_meld(view: View) -> bool:
    up = view.pile[-1]
    # With several decks a meld may hold an equal card instead of this one; it is the same meld.
    return any(up in meld for meld in melds_in((*view.hand, up), view.rules))


def _greatness(card: int) -> tuple[int, int, int]:
    return card_value(card), card % 13, -(card // 13)


def policy(name: str) -> Policy:
    """Return the policy of that name: `random`, `simple` or `simple:T`.

    >>> policy("simple:15")
    Simple(drop_total=15)

    Raises InputError for another name.
    """
    kind, colon, number = name.partition(":")
    if name == "random":
        return Random()
    if kind == "simple" and not colon:
        return Simple()
    if kind == "simple" and number.isascii() and number.isdigit() and len(number) < 10:
        return Simple(int(number))
    if kind == "simple":
        raise InputError(f"policy {name!r}: in simple:T the total T is a whole number from 0 on")
    raise InputError(f"unknown Tonk policy {name!r}: {nearest(kind, ('random', 'simple', 'simple:T'))}")
