"""A hand of Tonk in play (K1–K12): the state of the reference engine, the deal, and the result.

`core.tonk.actions` tells what a player may do, `core.tonk.moves` what it leads to, `core.tonk.view` what he sees.

A turn is a drop, or a draw, then melds and hits in any order, then one discard unless no card is left (K7, K9). The
hand ends at once when a player has no card left. Where the rules leave a case open, this project reads them so:

- Lays and hits may be mixed. `meld_duty = forced` demands that no meld is left wholly in hand at the discard; which of
  several melds is laid is the player's choice, hits are never demanded, and may use up a card of a meld.
- The card just taken from the pile may be discarded again.
- To take the stock where it is empty is a choice like any other: it ends the hand, or reshuffles. A pile of one card
  leaves nothing to reshuffle, so that the hand ends. A player may drop, or take the discard, instead.
- Every hand ends: when 10 turns (`STALLED_TURNS`) for each player have been played in a row without a card drawn from
  the stock, it ends as if a player needed the stock and it were empty past any reshuffle.
- A hit onto another's meld forbids its owner one drop (`hit_hold`) for each card, from his next turn on.
- The winner is the dropper who won, who went out, who alone holds a TONK; else who is paid most, if only one is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple, TypeVar

from core.cards import check_copies
from core.errors import InputError
from core.tonk.melds import Meld, hand_total
from core.tonk.payments import tonk_payments
from core.tonk.rules import TonkRules

_T = TypeVar("_T")

STALLED_TURNS = 10

Ending = Literal["tonk", "drop_won", "drop_lost", "out", "stock_out"]


class TableMeld(NamedTuple):
    """A meld on the table, with what was hit onto it, and the seat that laid it."""

    cards: Meld
    owner: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a hand ended: the winner's seat, if there is one, the kind of ending, payments by seat in stakes (K3)."""

    winner: int | None
    kind: Ending
    payments: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A hand in play, all cards open. Lists by seat are tuples; hands are sorted by card id."""

    rules: TonkRules
    hands: tuple[tuple[int, ...], ...]
    pile: tuple[int, ...]  # the discard pile, top last
    stock: tuple[int, ...]  # top first
    table: tuple[TableMeld, ...] = ()  # in the order laid
    turn: int = 0
    drawn: bool = False  # whether the player has taken his card
    turns: tuple[int, ...]  # turns played, by seat; a drop is a turn
    holds: tuple[int, ...]  # turns without the right to drop, by seat (`hit_hold`)
    known: tuple[tuple[int, ...], ...]  # taken from the pile and still in hand, by seat: everybody knows them
    faced: tuple[int, ...]  # cards that were put on the pile, oldest first: the up-card, then every discard
    stalled: int = 0  # turns in a row without a card from the stock
    reshuffled: bool = False
    result: Result | None = None

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.hands)

    @property
    def totals(self) -> tuple[int, ...]:
        """What each hand counts; laid cards do not (K8)."""
        return tuple(map(hand_total, self.hands))


def start(rules: TonkRules, hands: Sequence[Sequence[int]], up: int | None, stock: Sequence[int]) -> State:
    """Return the state after the deal (K2); with a TONK it is over already (K4, K5).

    `up` is the up-card, None under `up_card = no`; `stock` is given top first. Raises InputError when a hand has not
    `hand_size` cards, the up-card is missing or too many, or the deck does not hold these cards.
    """
    rules.check_players(len(hands))
    for seat, hand in enumerate(hands):
        if len(hand) != rules.hand_size:
            raise InputError(f"seat {seat} has {len(hand)} cards: {rules.hand_size} are dealt (K2)")
    if (up is not None) != (rules.up_card == "yes"):
        raise InputError(f"the up-card does not fit the rules: up_card is {rules.up_card}")
    pile = () if up is None else (up,)
    check_copies([*pile, *stock, *(card for hand in hands for card in hand)], decks=rules.decks)
    state = new_state(rules, hands, pile, stock)
    holders = [rules.is_tonk(total) for total in state.totals]
    if not any(holders):
        return state
    return ended(state, "tonk", tonk_payments(holders, rules), holders.index(True) if sum(holders) == 1 else None)


def new_state(
    rules: TonkRules,
    hands: Sequence[Sequence[int]],
    pile: Sequence[int],
    stock: Sequence[int],
    *,
    table: Sequence[TableMeld] = (),
    turn: int = 0,
    turns: int = 0,
) -> State:
    """Return a hand in play from the cards alone: nobody has drawn, no card is known.

    Each seat has played `turns`, and those before the one to move one more.
    """
    return State(
        rules=rules,
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        pile=tuple(pile),
        stock=tuple(stock),
        table=tuple(table),
        turn=turn,
        turns=tuple(turns + (seat < turn) for seat in range(len(hands))),
        holds=(0,) * len(hands),
        known=((),) * len(hands),
        faced=tuple(pile),
    )


def ended(state: State, kind: Ending, payments: tuple[Fraction, ...], winner: int | None = None) -> State:
    """Return the state with its result; without a winner named, the one seat that is paid most, if there is one."""
    most = max(payments)
    if winner is None and most > 0 and payments.count(most) == 1:
        winner = payments.index(most)
    return replace(state, result=Result(winner, kind, payments))


def changed(by_number: tuple[_T, ...], number: int, value: _T) -> tuple[_T, ...]:
    """Return the tuple with one entry changed."""
    return (*by_number[:number], value, *by_number[number + 1 :])
