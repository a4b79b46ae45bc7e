"""How players decide: the protocol, and three reference policies that are fixed to the letter.

A policy is given what its player sees (`core.ton.view`), the legal actions in canonical order, and an iterator of
random words of 32 bits, of which it takes as many as it needs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.errors import InputError
from core.ruleset import nearest
from core.ton.rules import DECK
from core.ton.state import Action, State
from core.ton.tricks import LOWEST, beats, strength, suit_of, winner

WORLDS_A_DECISION = 40


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
                return Action("keep", highest(trumps or hand)) if len(trumps) <= 1 else Action("refuse")
            case "fetch":
                # Only trumps are legal where the stock holds any.
                return Action("fetch", highest(_cards(actions)))
            case "discard":
                return Action("discard", lowest(tuple(card for card in hand if card not in trumps) or hand))
            case "declare":
                has_ace = any(card % 13 == 0 for card in hand)
                return Action("play") if trumps or has_ace else Action("fold")
            case "play":
                cards = _cards(actions)
                if not view.trick:
                    return Action("card", highest(trumps or cards))
                return Action("card", lowest(winning(view, actions) or cards))
            case _:
                return Action("plus")


# What `greedy` thinks a card is worth, six to ace, in tenths of a trick.
TRUMP_WORTH = (6, 6, 7, 7, 8, 9, 10, 12, 17)
SIDE_WORTH = (0, 0, 0, 0, 0, 1, 1, 3, 8)
# The least worth of a hand that `greedy` plays.
LEAST_WORTH = 12


@dataclass(frozen=True)
class Greedy:
    """The policy `greedy`: rules of thumb that take more points than those of `plain`; it takes no random words.

    A card is worth, from six to ace, TRUMP_WORTH if it is a trump, else SIDE_WORTH; cards are worth the sum. (That is
    what they add to a hand's tricks, fitted to hands that four `plain` play.)

    - It bids, uses the trumpless right, fetches, and chooses for no trick as `plain` does (T13, T7, T11).
    - It keeps the card that `plain` keeps. It buys if that card, the talon cards turned up, and the mean worth of the
      cards that it does not see (neither in its hand, nor turned, nor the shown trump card) for each other talon card
      are together worth more than its hand (T5).
    - The dealer discards the card that is worth least; of equal ones that of the suit of which he holds the fewest
      cards, then the lowest (T6).
    - It folds a hand that is worth less than LEAST_WORTH (T8).
    - It leads its highest trump if all higher ones have been played to tricks, or if it has no other card; else its
      highest card that is no trump (T9).
    - Of the legal cards that would be winning the trick so far it plays the lowest if it is the last to play, else the
      highest; without such a card the lowest legal card (T10).

    High and low are those of `plain`. In a bid of five no card is a trump.
    """

    def choose(self, view: State, actions: Sequence[Action], words: Iterator[int]) -> Action:
        """Return what the class's docstring says."""
        seat = view.seat
        assert seat is not None
        hand, trump = view.hands[seat], view.trump
        like_plain = POLICIES["plain"].choose(view, actions, words)
        match view.phase:
            case "buy" if like_plain.word != "trumpless":
                trumps = tuple(card for card in hand if suit_of(card) == trump)
                kept = highest(trumps or hand)
                unseen = [card for card in DECK if card not in (*hand, *view.shown, view.trump_card)]
                sure = _worth((kept, *view.shown), trump) - _worth(hand, trump)
                hidden = len(view.talon) - len(view.shown)
                gains = sure * len(unseen) + hidden * _worth(unseen, trump) > 0
                return Action("keep", kept) if gains else Action("refuse")
            case "discard":
                suits = [suit_of(card) for card in hand]
                return Action(
                    "discard",
                    min(hand, key=lambda card: (_worth([card], trump), suits.count(suit_of(card)), height(card))),
                )
            case "declare":
                return Action("fold") if _worth(hand, trump) < LEAST_WORTH else Action("play")
            case "play" if not view.trick:
                return Action("card", _lead(view, hand))
            case "play" if len(view.trick) < len(view.participants) - 1:
                cards = winning(view, actions)
                return Action("card", highest(cards)) if cards else like_plain
            case _:
                return like_plain


POLICIES: Mapping[str, Policy] = {"random": Random(), "plain": Plain(), "greedy": Greedy()}
NAMES = (*POLICIES, "tuned", "pimc", "equilibrium")


def policy(name: str, players: int) -> Policy:
    """Return the policy of that name at a table of so many players.

    Names are `random`, `plain`, `greedy`; `tuned`, or `tuned:FILE` for the tables of a file; `pimc` or `pimc:N` for N
    worlds a decision, a thousand times slower than the others; and for two players `equilibrium` or `equilibrium:FILE`.

    >>> policy("greedy", 3)
    Greedy()

    Raises InputError for another name, and a file without tables for so many.
    """
    # Imported here because they build on the policies above, and one imports numba.
    kind, colon, detail = name.partition(":")
    if name in POLICIES:
        return POLICIES[name]
    if kind == "tuned" and bool(colon) == bool(detail):
        from core.ton.tables import TUNED, tables_for
        from core.ton.tuned import Tuned

        return Tuned(tables_for(players, Path(detail) if detail else TUNED))
    if kind == "equilibrium" and bool(colon) == bool(detail):
        from core.ton.equilibrium import TRAINED, equilibrium

        if players != 2:
            raise InputError(f"policy {name!r} is for two players, not {players}")
        return equilibrium(Path(detail) if detail else TRAINED)
    if kind == "pimc" and bool(colon) == (detail.isascii() and detail.isdigit() and 0 < int(detail[:10]) < 10**5):
        from core.ton.pimc import Pimc

        return Pimc(int(detail or WORLDS_A_DECISION))
    if kind == "pimc":
        raise InputError(f"policy {name!r}: in pimc:N the number of worlds N is a whole number from 1 to 99999")
    raise InputError(f"unknown Ton policy {name!r}: {nearest(kind, NAMES)}")


def _worth(cards: Iterable[int], trump: int | None) -> int:
    """Return what the cards are worth to `greedy`, in tenths of a trick."""
    return sum((TRUMP_WORTH if suit_of(card) == trump else SIDE_WORTH)[strength(card) - LOWEST] for card in cards)


def _lead(view: State, hand: Sequence[int]) -> int:
    """Return the card that `greedy` leads."""
    trumps = tuple(card for card in hand if suit_of(card) == view.trump)
    others = tuple(card for card in hand if card not in trumps)
    if trumps and others:
        played = {card for trick in view.tricks for _, card in trick}
        above = [card for card in DECK if beats(card, highest(trumps), view.trump)]
        return highest(trumps if played.issuperset(above) else others)
    return highest(hand)


def winning(view: State, actions: Sequence[Action]) -> tuple[int, ...]:
    """Return the legal cards that would be winning the trick so far (T10)."""
    trick = [card for _, card in view.trick]
    best = trick[winner(trick, view.trump)]
    return tuple(card for card in _cards(actions) if beats(card, best, view.trump))


def _cards(actions: Sequence[Action]) -> tuple[int, ...]:
    return tuple(action.card for action in actions if action.card is not None)


def highest(cards: Sequence[int]) -> int:
    """Return the highest card by `height`."""
    return max(cards, key=height)


def lowest(cards: Sequence[int]) -> int:
    """Return the lowest card by `height`."""
    return min(cards, key=height)


def height(card: int) -> tuple[int, int]:
    """Return what high and low go by: the rank, then the suits, s before h, d and c."""
    return strength(card), -card
