"""Worlds of Ton: whole hands, from the deal on, that agree with all that one player has seen.

A world gives every card that the view hides a place: in another hand, the talon, the stock, put aside by the buyer, put
away by the dealer. All such ways are equally likely, but for those that what was seen rules out:

- The trump card that the dealer took is still in his hand, or he discarded it, or he has played it (T4, T6).
- A buyer holds the talon cards that were turned, until he plays them (T5). Who used the trumpless right put no trump
  aside, and fetched one unless the stock had none (T7).
- A card played to a trick was legal with the cards still held then: so a player who did not follow suit, beat or trump
  where he should have holds no card with which he should have (T10). Cards put away before are not held.

Which card a buyer kept is open too, in his own view as well, because a State does not say it: each that he may have
kept is equally likely. Bids, refusals, buy-ins and folds are choices that any hand may make; they can be weighed by a
policy, see `sample_worlds`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.rng import random_words
from core.ton.engine import apply, legal_actions, start
from core.ton.history import Step, history
from core.ton.placing import Place, Placing
from core.ton.policies import Policy
from core.ton.rules import DECK
from core.ton.state import UNKNOWN, Action, Cards, Deal, State, known
from core.ton.tricks import legal_cards, suit_of
from core.ton.view import view

# The stream of random words; those of core.ton.play come before it.
WORLDS = 2
# Worlds that are tried for one that `believes` agrees with.
TRIES = 20
# The words of choices that a hand's strength decides.
_WEIGHED = ("refuse", "keep", "trumpless", "play", "fold")


class World(NamedTuple):
    """A hand as it may have been dealt and played.

    deal, actions
        the cards as dealt, and every (seat, action) so far, in order
    state
        what the engine makes of them: the view with its hidden cards filled in
    believed
        whether the policy that weighs worlds would have acted as was seen; True without one
    """

    deal: Deal
    actions: tuple[Step, ...]
    state: State
    believed: bool = True


def sample_worlds(
    seen: State, worlds: int, seed: int, *, first: int = 0, seat: int | None = None, believes: Policy | None = None
) -> list[World]:
    """Return so many worlds that agree with the view of the player at `seat` (by default the one to act).

    World i is a function of the view, seed and `first` + i; with `believes` also of the number of worlds. With that, a
    world is drawn anew if the policy would have refused, bought, played or folded otherwise than another player was
    seen to do; after TRIES draws the last one is taken all the same, and says so.

    Raises InputError when no world agrees with the view.
    """
    source = _Source(seen, seed)
    drawn = list(source.draw(first, worlds))
    if believes is None:
        return drawn
    own = seen.seat if seat is None else seat
    for attempt in range(TRIES):
        drawn = [world._replace(believed=_agrees(world, own, believes)) for world in drawn]
        missing = [number for number, world in enumerate(drawn) if not world.believed]
        if not missing or attempt + 1 == TRIES:
            break
        anew = list(source.draw(first + (attempt + 1) * worlds, worlds))
        drawn = [world if world.believed else anew[number] for number, world in enumerate(drawn)]
    return drawn


def _agrees(world: World, own: int | None, believes: Policy) -> bool:
    """Tell whether the policy would have said what the other players did."""
    if not any(seat != own and action.word in _WEIGHED for seat, action in world.actions):
        return True
    state = start(world.state.rules, world.deal, records=world.state.records, debts=world.state.debts)
    for seat, action in world.actions:
        if action.word == "card":
            break
        if seat != own and action.word in _WEIGHED:
            # It is asked for its word alone, and weighing must not depend on chance.
            chosen = believes.choose(view(state, seat), legal_actions(state), iter(()))
            if chosen.word != action.word:
                return False
        state = apply(state, action)
    return True


class _Source:
    """Draws worlds that agree with a view."""

    def __init__(self, seen: State, seed: int) -> None:
        self._seen, self._seed = seen, seed
        self._steps = history(seen)
        self._cases = [case for case in _cases(seen) if case.placing.ways]
        if not self._cases:
            raise InputError("no lie of the hidden cards agrees with what was seen")

    def draw(self, first: int, worlds: int) -> Iterator[World]:
        """Yield the worlds first .. first + worlds - 1."""
        needed = max(case.placing.words_needed for case in self._cases)
        # Beside a world's places: one word for its case, and one for each card of two hands, to put them in order.
        extra = 1 + 2 * (self._seen.rules.hand_size + 1)
        words = random_words(self._seed, WORLDS, first, worlds, (needed + extra + 3) // 4)
        bounds = np.cumsum([case.placing.ways for case in self._cases])
        chosen = np.searchsorted(bounds, words[:, 0] / 2.0**32 * bounds[-1], side="right").tolist()
        placed: list[list[Cards]] = [[]] * worlds
        for number, case in enumerate(self._cases):
            rows = [row for row, of in enumerate(chosen) if of == number]
            columns = [cards.tolist() for cards in case.placing.draw(words[rows, extra:])]
            for index, row in enumerate(rows):
                placed[row] = [tuple(cards[index]) for cards in columns]
        for row, cards in enumerate(placed):
            yield self._world(self._cases[chosen[row]], cards, words[row, 1:extra])

    def _world(self, case: "_Case", placed: Sequence[Cards], words: NDArray[np.uint32]) -> World:
        seen, cards = self._seen, dict(zip(case.names, placed, strict=True))
        fetched = case.fetched
        if seen.buyer is not None and _FETCHED in cards:
            (fetched,) = cards[_FETCHED]
            cards[seen.buyer] += (fetched,)

        def fill(name: str | int, there: Cards) -> Cards:
            return (*known(there), *cards[name])

        hands = tuple(tuple(sorted(fill(seat, hand))) for seat, hand in enumerate(seen.hands))
        discard = fill("discard", (seen.discard,))[0] if seen.discard is not None else None
        orders = words[: len(words) // 2].tolist(), words[len(words) // 2 :].tolist()
        trump_card = seen.trump_card
        if trump_card == UNKNOWN:
            # The dealer may have taken any of his six; nobody else has seen which.
            six = (*hands[-1], *_played(seen, seen.dealer), *(() if discard is None else (discard,)))
            trump_card = _in_order(six, orders[0])[0] if _dealer_took(seen) else cards["trump card"][0]
        state = replace(
            seen,
            hands=hands,
            talon=fill("talon", seen.talon),
            trump_card=trump_card,
            stock=tuple(sorted(fill("stock", seen.stock))),
            aside=tuple(sorted(fill("aside", seen.aside))),
            discard=discard,
        )
        deal, kept = _deal_of(state, fetched, orders[1])
        return World(deal, tuple((seat, _filled(action, kept, discard)) for seat, action in self._steps), state)


def _deal_of(state: State, fetched: int | None, order: Sequence[int]) -> tuple[Deal, int]:
    """Return the cards as dealt, and the one that a buyer has kept or fetched; what is open goes by random words."""
    hands = [(*hand, *_played(state, seat)) for seat, hand in enumerate(state.hands)]
    if _dealer_took(state):
        six = hands[-1] if state.discard is None else (*hands[-1], state.discard)
        hands[-1] = tuple(card for card in six if card != state.trump_card)
    if state.buyer is None or state.talon:
        return Deal(tuple(hands), state.talon, state.trump_card, state.stock), UNKNOWN
    unturned = _in_order([card for card in hands[state.buyer] if card not in state.shown], order)
    kept = unturned[0] if fetched is None else fetched
    talon = (*state.shown, *(card for card in unturned if card != kept))
    hands[state.buyer] = state.aside if state.trumpless else (kept, *state.aside)
    stock = (*state.stock, kept) if state.trumpless else state.stock
    return Deal(tuple(hands), talon, state.trump_card, stock), kept


def _played(state: State, seat: int) -> Cards:
    """Return the cards that the player has played."""
    return tuple(card for trick in (*state.tricks, state.trick) for player, card in trick if player == seat)


def _in_order(cards: Sequence[int], words: Sequence[int]) -> Cards:
    """Return the cards in the order of as many random words."""
    return tuple(card for _, card in sorted(zip(words[: len(cards)], cards, strict=True)))


def _filled(action: Action, kept: int, discard: int | None) -> Action:
    """Return the action with its card, if that was hidden."""
    if action.card != UNKNOWN:
        return action
    return Action(action.word, discard if action.word == "discard" else kept)


# What may be where.

_FETCHED = "fetched"


class _Case(NamedTuple):
    """Places by name (a hand's is its seat) for the hidden cards, and what the trumpless right has fetched.

    `fetched` is None where it has not fetched, and where the card is in the place _FETCHED, in the hand.
    """

    names: tuple[str | int, ...]
    placing: Placing
    fetched: int | None = None


def _dealer_took(seen: State) -> bool:
    """Tell whether the dealer has taken the card after the talon (T4, `trump_card`, `five_bid_exchange`)."""
    return seen.phase != "bid" and seen.exchange and seen.rules.trump_card == "to_dealer"


def _cases(seen: State) -> Iterator[_Case]:
    """Yield the cases that what was fetched makes, one if nothing was; worlds of different cases differ."""
    hidden, places = _places(seen)
    if not seen.trumpless or seen.talon or seen.buyer is None:
        yield _Case(tuple(places), Placing(hidden, list(places.values())))
        return
    trumps = frozenset(card for card in DECK if suit_of(card) == seen.trump)
    buyer, hand = seen.buyer, places[seen.buyer]
    for is_trump in (True, False):
        fitting = trumps if is_trump else frozenset(DECK) - trumps
        if not is_trump:
            # Who did not fetch a trump found none in the stock.
            if trumps.intersection(seen.stock):
                return
            places["stock"] = places["stock"]._replace(allowed=places["stock"].allowed - trumps)
        sure = [
            card
            for card in (*known(seen.hands[buyer]), *_played(seen, buyer))
            if card in fitting and card not in seen.shown
        ]
        if sure:
            placing = Placing(hidden, list(places.values()))
            yield from (_Case(tuple(places), placing, card) for card in sure)
        if hand.size:
            split = places | {
                buyer: hand._replace(size=hand.size - 1),
                _FETCHED: Place(1, hand.allowed & fitting),
            }
            yield _Case(tuple(split), Placing(hidden, list(split.values())))


def _places(seen: State) -> tuple[list[int], dict[str | int, Place]]:
    """Return the hidden cards, and the places that hold them."""
    took = _dealer_took(seen)
    played = [card for trick in (*seen.tricks, seen.trick) for _, card in trick]
    lying = [*seen.talon, *seen.stock, *seen.aside, *played, *(card for hand in seen.hands for card in hand)]
    placed = {*lying, seen.discard} if took else {*lying, seen.discard, seen.trump_card}
    hidden = [card for card in DECK if card not in placed]
    anywhere = frozenset(hidden) - ({seen.trump_card} if took else set())
    trumps = frozenset(card for card in hidden if suit_of(card) == seen.trump)

    places: dict[str | int, Place] = {}
    for seat, hand in enumerate(seen.hands):
        allowed = frozenset(hidden) if seat == seen.dealer else anywhere
        allowed -= _ruled_out(seen, seat, hidden)
        if seat == seen.buyer and seen.phase == "fetch":
            allowed -= trumps
        places[seat] = Place(hand.count(UNKNOWN), allowed)
    places["talon"] = Place(seen.talon.count(UNKNOWN), anywhere)
    places["stock"] = Place(seen.stock.count(UNKNOWN), anywhere)
    places["aside"] = Place(seen.aside.count(UNKNOWN), anywhere - trumps if seen.trumpless else anywhere)
    places["discard"] = Place(int(seen.discard == UNKNOWN), frozenset(hidden))
    places["trump card"] = Place(int(seen.trump_card == UNKNOWN and not took), anywhere)
    return hidden, places


def _ruled_out(seen: State, seat: int, hidden: Sequence[int]) -> frozenset[int]:
    """Return the hidden cards with which what the player has played would not have been legal (T10)."""
    found = set()
    for trick in (*seen.tricks, seen.trick):
        before: list[int] = []
        for player, card in trick:
            if player == seat:
                # Whether a card is owed instead of another one depends on these two alone.
                found |= {
                    held for held in hidden if card not in legal_cards((card, held), before, seen.trump, seen.rules)
                }
            before.append(card)
    return frozenset(found)
