"""The hand of two as a zero-sum game of its own: what is at stake, and what a solver needs to walk it.

Eldest (seat 0) and dealer (seat 1) play one hand from an empty record, without a bid of five. The payoff is the
eldest's points less the dealer's (T11): a trick is a point, and a participant without a trick loses
`zero_trick_points`, which is also the price at which a plus counts here. Who folds has 0, and a lone dealer what
`lone_player` gives him (T8). What one wins the other loses, so that the hand has a value: what the eldest can expect if
both play their best.
"""

from collections.abc import Hashable
from typing import Protocol

from core.errors import InputError
from core.ton.rules import TonRules
from core.ton.score import result
from core.ton.state import State

ELDEST, DEALER = 0, 1


class Node(Protocol):
    """A moment of the game at which somebody decides, or its end."""

    @property
    def seat(self) -> int | None:
        """Who decides; None at the end."""
        ...

    @property
    def payoff(self) -> int:
        """At the end, what seat 0 wins and seat 1 loses, in points."""
        ...

    @property
    def key(self) -> Hashable:
        """What the deciding player knows: equal at all nodes that are alike for him, which have as many choices."""
        ...

    @property
    def choices(self) -> int:
        """The number of choices."""
        ...

    def child(self, choice: int) -> "Node":
        """Return the node after choice 0 .. choices - 1."""
        ...


def heads_up_rules(rules: TonRules) -> TonRules:
    """Return the rules with those options fixed that the game of two leaves out: no bid of five, a plus as a loss.

    Raises InputError for hands of more than six cards.
    """
    if rules.hand_size > 6:
        raise InputError(f"hand_size cannot be {rules.hand_size} in the game of two that is solved: at most 6")
    return rules.replace(five_bid="off", zero_trick="minus_only")


def payoff(end: State) -> int:
    """Return what the eldest wins in a hand that is over, by the rules of `heads_up_rules`."""
    eldest, dealer = result(end).points
    return eldest - dealer
