"""The policy `tuned`: a fast player who looks up each decision in tables, trained by best replies against itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.ton.policies import Greedy, height, highest, lowest, winning
from core.ton.rules import DECK
from core.ton.state import Action, State
from core.ton.tables import (
    ACES,
    BOSS_SIDE,
    BOSS_TRUMP,
    HIGH_LOSING,
    HIGH_SIDE,
    HIGH_TRUMP,
    HIGH_WINNING,
    KEEP_SIDE,
    LOW_LOSING,
    LOW_SIDE,
    LOW_TRUMP,
    LOW_WINNING,
    TO_REFUSE,
    TOP_CLASS,
    TRUMPS,
    USE_RIGHT,
    Tables,
)
from core.ton.tricks import LOWEST, strength, suit_of

_LIKE_GREEDY = Greedy()


@dataclass(frozen=True)
class Tuned:
    """The policy `tuned`; it takes no random words.

    - It bids five by the number of its cards that nothing of their suit can beat, and by its highest other card (T13).
    - It buys by its seat, by the trumps and aces among the talon cards turned, and by its hand (T5): it refuses, keeps
      its highest trump (its highest card, if it has none), keeps its highest other card, or uses the trumpless right,
      if it has that (T7). It fetches the highest trump, else the highest card.
    - It folds by its seat, by whether somebody has bought and how many have folded, and by its hand (T8).
    - A hand counts by its trumps, its highest trump (the trump card shown, if it has none), and its other aces.
    - It leads and follows by the tricks left, by whether it has taken one, and by which kinds of cards it has, if more
      than one. To lead: the highest trump (of two kinds: higher than all that others may hold, or not) and the lowest;
      of the others the highest of those that nothing of their suit can beat, the highest and the lowest of the rest
      (T9). To follow: the lowest and the highest legal card that would be winning the trick, the lowest and the highest
      of the rest (T10). Leads also look at the participants and at whether others may hold trumps; following, at the
      players to come, at whether the highest of the winning cards is sure of the trick, and at the trumps held.
    - In a bid of five it buys and folds, and always discards, as `greedy` does. For no trick it takes the plus (T11).

    Others may hold any card that it does not hold and that has not been played. High and low are those of `plain`.
    """

    tables: Tables

    def choose(self, view: State, actions: Sequence[Action], words: Iterator[int]) -> Action:
        """Return what the class's docstring says."""
        match view.phase:
            case "bid":
                return Action("five" if self._bids(view) else "pass")
            case "buy" if view.trump is not None:
                return self._buys(view, actions)
            case "declare" if view.trump is not None:
                return Action("fold" if self._folds(view) else "play")
            case "play" if not view.trick:
                return Action("card", self._leads(view))
            case "play":
                return Action("card", self._follows(view, actions))
            case _:
                return _LIKE_GREEDY.choose(view, actions, words)

    def _bids(self, view: State) -> bool:
        hand = _hand(view)
        tops = [card for card in hand if not _above(card, hand)]
        others = [strength(card) - LOWEST for card in hand if card not in tops]
        return self.tables.choice("bid", min(len(tops), 5), max(others, default=9)) == 1

    def _buys(self, view: State, actions: Sequence[Action]) -> Action:
        trumps, others = _trumps_and_others(view)
        turned = sum(suit_of(card) == view.trump or card % 13 == 0 for card in view.shown)
        way = self.tables.choice("buy", _seat(view), min(turned, 3), *_hand_class(view))
        if way == TO_REFUSE:
            return Action("refuse")
        if way == USE_RIGHT and actions[-1].word == "trumpless":
            return actions[-1]
        return Action("keep", highest(others if way == KEEP_SIDE and others else trumps or others))

    def _folds(self, view: State) -> bool:
        bought, folded = view.buyer is not None, min(sum(view.folded), 2)
        return self.tables.choice("fold", _seat(view), bought, folded, *_hand_class(view)) == 1

    def _leads(self, view: State) -> int:
        trumps, others = _trumps_and_others(view)
        gone = _gone(view)
        kinds = {}
        if trumps:
            top = highest(trumps)
            kinds[HIGH_TRUMP if _above(top, gone) else BOSS_TRUMP] = top
            if len(trumps) > 1:
                kinds[LOW_TRUMP] = lowest(trumps)
        boss = tuple(card for card in others if not _above(card, gone))
        rest = tuple(card for card in others if card not in boss)
        if boss:
            kinds[BOSS_SIDE] = highest(boss)
        if rest:
            kinds[HIGH_SIDE] = highest(rest)
            if len(rest) > 1:
                kinds[LOW_SIDE] = lowest(rest)
        participants = min(len(view.participants), 4) - 2
        return self._of_kind("lead", kinds, _left(view), _has_trick(view), participants, _trumps_out(view))

    def _follows(self, view: State, actions: Sequence[Action]) -> int:
        legal = tuple(action.card for action in actions if action.card is not None)
        better = winning(view, actions)
        worse = tuple(card for card in legal if card not in better)
        kinds = {}
        sure = False
        if better:
            kinds[LOW_WINNING] = lowest(better)
            best = highest(better)
            sure = not _above(best, _gone(view)) and (suit_of(best) == view.trump or not _trumps_out(view))
            if len(better) > 1:
                kinds[HIGH_WINNING] = best
        if worse:
            kinds[LOW_LOSING] = lowest(worse)
            if len(worse) > 1:
                kinds[HIGH_LOSING] = highest(worse)
        to_come = min(len(view.participants) - len(view.trick) - 1, 2)
        trumps = min(len(_trumps_and_others(view)[0]), 2)
        return self._of_kind("follow", kinds, _left(view), _has_trick(view), to_come, sure, trumps)

    def _of_kind(self, part: str, kinds: dict[int, int], *place: int) -> int:
        """Return the card of the kind that the tables choose, or, if there is none, of the first kind there is."""
        if len(kinds) == 1:
            return next(iter(kinds.values()))
        kind = self.tables.choice(part, *place, sum(1 << kind for kind in kinds))
        return kinds[kind if kind in kinds else min(kinds)]


def _hand(view: State) -> tuple[int, ...]:
    assert view.seat is not None
    return view.hands[view.seat]


def _seat(view: State) -> int:
    assert view.seat is not None
    return view.seat


def _trumps_and_others(view: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    hand = _hand(view)
    trumps = tuple(card for card in hand if suit_of(card) == view.trump)
    return trumps, tuple(card for card in hand if card not in trumps)


def _hand_class(view: State) -> tuple[int, int, int]:
    """Return the trumps, the class of the highest one, and the other aces."""
    trumps, others = _trumps_and_others(view)
    top = highest(trumps) if trumps else view.trump_card
    aces = sum(card % 13 == 0 for card in others)
    return min(len(trumps), TRUMPS - 1), TOP_CLASS[strength(top) - LOWEST], min(aces, ACES - 1)


def _gone(view: State) -> set[int]:
    """Return the cards that no other player may hold: those in hand and those played."""
    return {*_hand(view), *(card for trick in (*view.tricks, view.trick) for _, card in trick)}


def _above(card: int, gone: set[int] | tuple[int, ...]) -> bool:
    """Tell whether another player may hold a higher card of the suit."""
    return any(suit_of(other) == suit_of(card) and height(other) > height(card) for other in DECK if other not in gone)


def _trumps_out(view: State) -> bool:
    """Tell whether another player may hold a trump."""
    gone = _gone(view)
    return any(suit_of(card) == view.trump for card in DECK if card not in gone)


def _left(view: State) -> int:
    return min(len(_hand(view)), 5) - 1


def _has_trick(view: State) -> bool:
    return view.seat in view.taken
