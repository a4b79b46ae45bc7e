"""The policy `pimc`, perfect information Monte Carlo: worlds that agree with what is seen, each with open cards.

Each legal action is valued in the same sampled worlds (`core.ton.worlds`), and the best on average is taken. The value
of a world is the points that the tricks give which the player can force against all others from there on, cards open.
That is no play against him, as the others do not all play together, and much too good a play by him, as he does not
see the cards: he puts off choices until he would know, which he never will ("strategy fusion", measured by
`analysis.ton.fusion`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.ton.card_values import forced_by_cards, forced_from_start
from core.ton.engine import apply, legal_actions
from core.ton.policies import POLICIES, WORLDS_A_DECISION, Policy
from core.ton.rules import TonRules
from core.ton.state import Action, Cards, State
from core.ton.tricks import strength
from core.ton.view import view
from core.ton.worlds import World, sample_worlds

Ints = NDArray[np.int64]

_GREEDY = POLICIES["greedy"]


@dataclass(frozen=True)
class Pimc:
    """`pimc:N`: the action of most points on average over N worlds. Takes one word a decision, as the worlds' seed.

    Points are tricks, and for no trick minus `zero_trick_points` whatever is recorded for it: a plus counts as that
    much, also each of the `five_bid_pluses` of a failed bid.

    - A card, a discard, a fetched trump, a kept card: the points that it leads to (T5–T7, T10).
    - Between a decision and the first lead all act as `greedy` does, he himself too; but nobody folds who has not, and
      nobody bids five.
    - A fold is worth 0. So much is refusing, or passing, worth at least in the worlds in which he may fold later, all
      together: he will not know which it is (T8).
    - For no trick he takes the plus (T11).
    - Of actions that are equally good, `greedy`'s choice if it is one of them; else the lowest card, of equal ranks the
      last in the order s h d c; else the first.

    With `believes` worlds are weighed by what the others have done, see `core.ton.worlds`.
    """

    worlds: int = WORLDS_A_DECISION
    believes: Policy | None = None

    def choose(self, view: State, actions: Sequence[Action], words: Iterator[int]) -> Action:
        """Return one of the actions."""
        seed = next(words)
        if len(actions) == 1 or view.phase == "choose":
            return actions[0]
        points = total_points(view, actions, self.sample(view, seed))
        best = [action for action, value in zip(actions, points, strict=True) if value == max(points)]
        usual = _GREEDY.choose(view, actions, iter(()))
        return usual if usual in best else min(best, key=_height)

    def sample(self, view: State, seed: int) -> list[World]:
        """Return the worlds of a decision."""
        return sample_worlds(view, self.worlds, seed, believes=self.believes)


def total_points(seen: State, actions: Sequence[Action], worlds: Sequence[World]) -> list[int]:
    """Return for each action the points of the player to act over all worlds together; see Pimc."""
    if seen.phase == "play":
        worth = points_by_tricks(seen.rules, bids=seen.seat == seen.bidder)
        found = worth[forced_tricks(seen, actions, worlds)]
        return [int(total) for total in found.sum(axis=0)]
    return [_points_after(seen, action, worlds) for action in actions]


def forced_tricks(seen: State, actions: Sequence[Action], worlds: Sequence[World]) -> Ints:
    """Return the tricks that the player to play a card can force in the hand by each, shape (worlds, actions)."""
    players = seen.participants
    found = forced_by_cards(
        [_hands(world.state) for world in worlds],
        [card for _, card in seen.trick],
        seen.trump,
        [players.index(seen.leader)] * len(worlds),
        players.index(_actor(seen)),
        [action.card for action in actions if action.card is not None],
        seen.rules,
    )
    return found + seen.taken.count(_actor(seen))


def points_by_tricks(rules: TonRules, *, bids: bool) -> Ints:
    """Return what tricks are worth, from none in the hand to all: to who bids five, or to another player (T11, T13)."""
    tricks = np.arange(rules.hand_size + 1)
    if not bids:
        return np.where(tricks == 0, -rules.zero_trick_points, tricks)
    scored = tricks if rules.five_bid_failed_tricks == "score" else 0 * tricks
    return np.where(tricks == rules.hand_size, tricks, scored - rules.five_bid_pluses * rules.zero_trick_points)


def _points_after(seen: State, action: Action, worlds: Sequence[World]) -> int:
    """Return the points over all worlds of an action before play."""
    seat = _actor(seen)
    if action.word == "fold":
        return 0
    starts = [_first_lead(apply(world.state, action)) for world in worlds]
    # Nobody folds on the way, so that all worlds have the same players.
    if starts[0].lone:
        return sum(state.taken.count(seat) for state in starts)
    players = starts[0].participants
    forced = forced_from_start(
        [_hands(state) for state in starts],
        starts[0].trump,
        [players.index(state.leader) for state in starts],
        players.index(seat),
        seen.rules,
    )
    points = points_by_tricks(seen.rules, bids=starts[0].bidder == seat)[forced]
    if action.word == "play":
        return int(points.sum())
    bound = np.array([state.must_play(seat) for state in starts])
    return int(points[bound].sum() + max(0, points[~bound].sum()))


def _first_lead(state: State) -> State:
    """Return the state at the first lead, or at the end of a hand that a lone player has (T8)."""
    while state.phase not in ("play", "over"):
        if state.phase == "declare":
            action = Action("play")
        else:
            action = _GREEDY.choose(view(state, _actor(state)), legal_actions(state), iter(()))
        state = apply(state, action)
    return state


def _hands(state: State) -> list[Cards]:
    """Return the hands of those who take part."""
    return [state.hands[seat] for seat in state.participants]


def _actor(state: State) -> int:
    assert state.seat is not None
    return state.seat


def _height(action: Action) -> tuple[int, int]:
    """Return what low goes by, as for the other policies; actions without a card are equal."""
    return (0, 0) if action.card is None else (strength(action.card), -action.card)
