"""Reference policies of Tonk: what a player does, given what he sees and what he may do.

A policy is given no state. What it wants of chance it takes from `words`, random 32-bit words in a fixed order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.errors import InputError
from core.ruleset import nearest
from core.tonk.actions import DROP, STOCK, UP, Action
from core.tonk.melds import best_melds, hand_total, hit, melds_in
from core.tonk.rules import card_value
from core.tonk.thresholds import COLUMNS, LATER_TURNS, TUNED, Thresholds, size_class, thresholds_for
from core.tonk.view import View

DROP_TOTAL, WORLDS_A_DECISION = 10, 200
NAMES = ("random", "simple", "simple:T", "threshold", "rollout", "rollout:N")


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
        return _meld_or_hit(view, actions) or max(actions, key=lambda action: _greatness(action.cards[0]))


@dataclass(frozen=True)
class Threshold:
    """`threshold`, a player who drops at totals that depend on what he sees, by a table of numbers.

    - At the start of a turn he drops if he may and his total is at most the table's, by his seat on his first turn and
      later by the turn, by the fewest cards that another player holds, and by whether another player still holds a
      card that he took from the discard pile; in a fine table also by the number of his own cards.
    - Else he takes the up-card if that completes a meld with the hand, can be hit, or counts at most `take`; else the
      stock.
    - He lays and hits as `simple:T` does. He discards the card of greatest worth: four times its value, less `keep` for
      each other card in hand of its rank, or of its suit at most two ranks away (an ace is below the 2). Of equal ones
      he discards as `simple:T` does.
    """

    thresholds: Thresholds

    def choose(self, view: View, actions: Sequence[Action], words: Iterator[int]) -> Action:
        """Return one of the actions; takes no words."""
        if not view.drawn:
            if DROP in actions and hand_total(view.hand) <= self._drop_total(view):
                return DROP
            return UP if UP in actions and self._takes(view) else STOCK
        return _meld_or_hit(view, actions) or max(actions, key=lambda action: self._worth(view.hand, action.cards[0]))

    def _drop_total(self, view: View) -> int:
        turn = view.turns[view.seat]
        row = view.seat if turn == 0 else len(view.sizes) + min(turn, LATER_TURNS) - 1
        others = [seat for seat in range(len(view.sizes)) if seat != view.seat]
        fewest = size_class(min(view.sizes[seat] for seat in others))
        taken = any(view.known[seat] for seat in others)
        return self.thresholds.fine_drop[row][COLUMNS * size_class(len(view.hand)) + 2 * fewest + taken]

    def _takes(self, view: View) -> bool:
        up = view.pile[-1]
        return (
            card_value(up) <= self.thresholds.take
            or _completes_meld(view)
            or any(hit(meld.cards, up, view.rules) for meld in view.table)
        )

    def _worth(self, hand: Sequence[int], card: int) -> tuple[int, int, int, int]:
        neighbours = sum(
            other % 13 == card % 13 or (other // 13 == card // 13 and abs(other % 13 - card % 13) <= 2)
            for other in set(hand)
            if other != card
        )
        return (4 * card_value(card) - self.thresholds.keep * neighbours, *_greatness(card))


def _meld_or_hit(view: View, actions: Sequence[Action]) -> Action | None:
    """Return the first of the best melds, else the hit of the greatest card, if there is one."""
    best = best_melds(view.hand, view.rules)
    if best:
        return Action("lay", best[0])
    hits = [action for action in actions if action.kind == "hit"]
    # Of equal actions on several melds max takes the first.
    return max(hits, key=lambda action: _greatness(action.cards[0])) if hits else None


def _completes_meld(view: View) -> bool:
    up = view.pile[-1]
    # With several decks a meld may hold an equal card instead of this one; it is the same meld.
    return any(up in meld for meld in melds_in((*view.hand, up), view.rules))


def _greatness(card: int) -> tuple[int, int, int]:
    return card_value(card), card % 13, -(card // 13)


def policy(name: str, players: int) -> Policy:
    """Return the policy of that name at a table of so many players.

    Names are `random`; `simple` or `simple:T`; `threshold`, or `threshold:FILE` for the thresholds of a file; and
    `rollout` or `rollout:N` for N worlds a decision, a thousand times slower than the others.

    >>> policy("simple:15", 3)
    Simple(drop_total=15)

    Raises InputError for another name.
    """
    kind, colon, detail = name.partition(":")
    if name == "random":
        return Random()
    if kind == "threshold" and bool(colon) == bool(detail):
        return Threshold(thresholds_for(players, Path(detail) if detail else TUNED))
    if kind == "simple" and not colon:
        return Simple()
    if kind == "simple" and detail.isascii() and detail.isdigit() and len(detail) < 10:
        return Simple(int(detail))
    if kind == "simple":
        raise InputError(f"policy {name!r}: in simple:T the total T is a whole number from 0 on")
    if kind == "rollout" and bool(colon) == (detail.isascii() and detail.isdigit() and 0 < int(detail[:10]) < 10**6):
        # Imported here because it imports numba.
        from core.tonk.rollouts import Rollout

        return Rollout(int(detail or WORLDS_A_DECISION), thresholds_for(players))
    if kind == "rollout":
        raise InputError(f"policy {name!r}: in rollout:N the number of worlds N is a whole number from 1 to 999999")
    raise InputError(f"unknown Tonk policy {name!r}: {nearest(kind, NAMES)}")
