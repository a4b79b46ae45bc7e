"""Worlds agree with all that was seen: the engine replays them to the same view, and all such are equally likely."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import factorial, prod

import pytest
from scipy.stats import chi2

from core.cards import parse_cards
from core.errors import InputError
from core.ton.engine import apply, legal_actions, start
from core.ton.history import history
from core.ton.policies import POLICIES, Policy
from core.ton.rules import DECK, TonRules
from core.ton.state import UNKNOWN, Action, Deal, State, known
from core.ton.view import view
from core.ton.worlds import sample_worlds
from tests.core.ton.hands import random_deal, random_hand, random_records, random_rules


def states(rules: TonRules, players: int, chance: random.Random, *, five: float = 0.1) -> list[State]:
    """Return every state of a hand, played at random or, half of the hands, by greedy players."""
    if chance.random() < 0.5:
        _, _, steps, end = random_hand(rules, players, chance, five=five)
        return [*(state for state, _, _ in steps), end]
    state = start(rules, random_deal(rules, players, chance), records=random_records(players, chance))
    found = [state]
    while state.seat is not None:
        action = POLICIES["greedy"].choose(view(state, state.seat), legal_actions(state), iter(()))
        state = apply(state, action)
        found.append(state)
    return found


def replayed(seen: State, deal: Deal, actions: Sequence[tuple[int, Action]]) -> State | None:
    """Return the state after the actions, or None where one is not legal."""
    state = start(seen.rules, deal, records=seen.records)
    for seat, action in actions:
        if state.seat != seat or action not in legal_actions(state):
            return None
        state = apply(state, action)
    return state


def test_history_is_what_was_done_but_for_the_cards_that_no_state_tells():
    chance = random.Random(4)
    for number in range(150):
        rules = random_rules(chance) if number % 3 else TonRules()
        _, _, steps, end = random_hand(rules, chance.randint(2, 6), chance)
        done: list[tuple[int, Action]] = []
        for state, seat, action in steps:
            assert history(state) == tuple(done)
            hidden = action.word in ("keep", "fetch")
            done.append((seat, Action(action.word, UNKNOWN) if hidden else action))
        assert history(end) == tuple(done)


@pytest.mark.parametrize("players", range(2, 7))
def test_a_world_replays_to_the_view_from_which_it_was_drawn(players):
    chance = random.Random(players)
    phases = Counter[str]()
    for number in range(60):
        rules = random_rules(chance) if number % 3 else TonRules()
        for state in chance.sample(states(rules, players, chance), 3):
            seat = chance.randrange(players)
            seen = view(state, seat)
            for world in sample_worlds(seen, 3, number, seat=seat):
                assert replayed(seen, world.deal, world.actions) == world.state
                assert view(world.state, seat) == seen
            phases[state.phase] += 1
            phases["trumpless"] += state.trumpless
    assert all(phases[phase] for phase in ("bid", "buy", "discard", "declare")), phases
    # With six players hardly anybody meets the trumpless right: the stock is one card.
    assert phases["trumpless"] or players == 6
    assert phases["play"] > 60


# All worlds of a view, by brute force.


def open_places(seen: State) -> tuple[frozenset[int], list[int]]:
    """Return the hidden cards, and how many lie in each hand, the talon, the stock, aside, away, after the talon."""
    taken = seen.phase != "bid" and seen.exchange and seen.rules.trump_card == "to_dealer"
    placed = {
        *(card for hand in seen.hands for card in hand),
        *(card for trick in (*seen.tricks, seen.trick) for _, card in trick),
        *(*seen.talon, *seen.stock, *seen.aside, seen.discard, *([] if taken else [seen.trump_card])),
    }
    sizes = [places.count(UNKNOWN) for places in (*seen.hands, seen.talon, seen.stock, seen.aside)]
    sizes += [int(seen.discard == UNKNOWN), int(not taken and seen.trump_card == UNKNOWN)]
    hidden = frozenset(DECK) - placed
    assert sum(sizes) == len(hidden)
    return hidden, sizes


def filled(seen: State, parts: Sequence[Sequence[int]]) -> State:
    """Return the view with the cards of its places filled in, in the order of `open_places`."""
    *hands, talon, stock, aside, discard, trump_card = parts
    return replace(
        seen,
        hands=tuple(tuple(sorted((*known(hand), *more))) for hand, more in zip(seen.hands, hands, strict=True)),
        talon=(*known(seen.talon), *talon),
        stock=tuple(sorted((*known(seen.stock), *stock))),
        aside=tuple(sorted((*known(seen.aside), *aside))),
        discard=discard[0] if discard else seen.discard,
        trump_card=trump_card[0] if trump_card else seen.trump_card,
    )


def all_parts(cards: frozenset[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield every way to give each place its number of cards, in no order."""
    if not sizes:
        yield []
        return
    for here in combinations(sorted(cards), sizes[0]):
        for others in all_parts(cards - frozenset(here), sizes[1:]):
            yield [here, *others]


def dealings(state: State) -> Iterator[tuple[Deal, tuple[tuple[int, Action], ...]]]:
    """Yield the deals from which a state may come, with what was done: a buyer may have kept any card but turned ones.

    The order in which hidden talon cards lay is left out.
    """
    held = [
        (*hand, *(card for trick in (*state.tricks, state.trick) for player, card in trick if player == seat))
        for seat, hand in enumerate(state.hands)
    ]
    taken = state.phase != "bid" and state.exchange and state.rules.trump_card == "to_dealer"
    six = held[-1] if state.discard is None else (*held[-1], state.discard)
    took = (state.trump_card,) if state.trump_card != UNKNOWN else six
    bought = state.buyer is not None and not state.talon
    if taken and not set(took) & set(six):
        return
    for trump_card in took if taken else (state.trump_card,):
        for kept in set(held[state.buyer]) - set(state.shown) if state.buyer is not None and bought else (None,):
            hands, talon, stock = list(held), state.talon, state.stock
            if taken:
                hands[-1] = tuple(card for card in six if card != trump_card)
            if kept is not None:
                assert state.buyer is not None
                talon = (*state.shown, *sorted(set(held[state.buyer]) - {*state.shown, kept}))
                hands[state.buyer] = state.aside if state.trumpless else (kept, *state.aside)
                stock = (*stock, kept) if state.trumpless else stock
            actions = tuple(
                (seat, Action(action.word, kept if action.word in ("keep", "fetch") else state.discard))
                if action.card == UNKNOWN
                else (seat, action)
                for seat, action in history(state)
            )
            yield Deal(tuple(hands), talon, trump_card, stock), actions


def key(deal: Deal, actions: Sequence[tuple[int, Action]]) -> object:
    hands = tuple(frozenset(hand) for hand in deal.hands)
    return hands, frozenset(deal.talon), deal.trump_card, frozenset(deal.stock), tuple(actions)


def brute_worlds(seen: State, seat: int) -> set[object]:
    found = set()
    for parts in all_parts(*open_places(seen)):
        for deal, actions in dealings(filled(seen, parts)):
            end = replayed(seen, deal, actions)
            if end is not None and view(end, seat) == seen:
                found.add(key(deal, actions))
    return found


def tries(seen: State) -> int:
    """Return how many deals brute force tries, or a little more."""
    _, sizes = open_places(seen)
    ways = factorial(sum(sizes)) // prod(map(factorial, sizes))
    bought = seen.buyer is not None and not seen.talon
    return ways * (seen.rules.hand_size - len(seen.shown) if bought else 1)


def chi_square(seen: State, seat: int, number: int) -> tuple[float, int, bool]:
    """Return sampled worlds' distance from brute force's, its degrees of freedom, and whether tries were ruled out."""
    worlds = brute_worlds(seen, seat)
    assert worlds
    drawn = Counter(
        key(world.deal, world.actions) for world in sample_worlds(seen, 10 * len(worlds), number, seat=seat)
    )
    assert set(drawn) <= worlds
    return sum((drawn[world] - 10) ** 2 / 10 for world in worlds), len(worlds) - 1, len(worlds) < tries(seen) // 2


def test_all_worlds_of_a_small_view_are_equally_likely():
    chance = random.Random(8)
    distance, freedom, views = 0.0, 0, 0
    kinds = Counter[str]()
    while views < 40:
        players, size = chance.choice([(2, 12), (2, 11), (3, 8), (4, 7), (5, 6), (6, 5)])
        rules = random_rules(chance).replace(hand_size=size, talon_size=size - 1)
        hand = states(rules, players, chance, five=0.2)
        # Only a late state has few worlds.
        few = [(view(state, seat), seat) for state in hand[-2 * players :] for seat in range(players)]
        few = [(seen, seat) for seen, seat in few if 2 <= tries(seen) <= 130]
        for seen, seat in chance.sample(few, min(2, len(few))):
            views += 1
            kinds["bought"] += seen.buyer is not None
            kinds["five"] += seen.bidder is not None
            far, free, ruled_out = chi_square(seen, seat, views)
            distance, freedom = distance + far, freedom + free
            kinds["ruled out"] += ruled_out
    assert freedom > 300
    assert all(kinds[kind] for kind in ("bought", "five", "ruled out")), kinds
    assert distance < chi2.isf(1e-6, freedom)


def trumpless_view(observer: int) -> State:
    """Return a view of the first trick of three players, whose eldest has used the trumpless right."""
    hands = tuple(map(parse_cards, ("7d 8d Ah Jh 9c", "Kd Qd 10d 10c 7h", "10s 8s Ad 6h 7c")))
    talon, trump_card = parse_cards("6c Jd Qh 8c"), parse_cards("9s")[0]
    stock = tuple(card for card in DECK if card not in {*talon, trump_card, *(card for hand in hands for card in hand)})
    state = start(TonRules(talon_reveal="none", five_bid="off"), Deal(hands, talon, trump_card, stock))
    ace, jack, discarded, followed = parse_cards("As Jd 6h Kd")
    actions = [Action("trumpless"), Action("fetch", ace), Action("discard", discarded), Action("play")]
    for action in (*actions, Action("card", jack), Action("card", followed)):
        state = apply(state, action)
    return view(state, observer)


@pytest.mark.parametrize("observer", [1, 2])
def test_what_was_fetched_by_the_trumpless_right_is_as_likely_as_by_rejection(observer):
    """Too many worlds to list: hidden cards are shuffled into their places, and what cannot be is thrown away."""
    seen = trumpless_view(observer)
    drawn = Counter(
        action.card
        for world in sample_worlds(seen, 3000, 5, seat=observer)
        for _, action in world.actions
        if action.word == "fetch"
    )
    chance, accepted = random.Random(5), Counter[int | None]()
    hidden, sizes = open_places(seen)
    cards = sorted(hidden)
    while accepted.total() < 600:
        chance.shuffle(cards)
        parts = [cards[sum(sizes[:place]) : sum(sizes[: place + 1])] for place in range(len(sizes))]
        # The engine would refuse these too, but takes longer.
        if any(card // 13 == seen.trump for card in parts[5]) or any(seen.trump_card in parts[i] for i in (0, 1, 4)):
            continue
        deal, actions = chance.choice(list(dealings(filled(seen, parts))))
        end = replayed(seen, deal, actions)
        if end is not None and view(end, observer) == seen:
            accepted.update(action.card for _, action in actions if action.word == "fetch")
    common = [card for card in drawn if drawn[card] + accepted[card] >= 40]
    distance = sum((drawn[card] / 5 - accepted[card]) ** 2 * 5 / (drawn[card] + accepted[card]) for card in common)
    assert len(common) >= 5
    assert distance < chi2.isf(1e-6, len(common))


def test_worlds_are_weighed_by_what_a_policy_would_have_done():
    """The next player has refused and plays: greedy ones do so with trumps in hand."""
    hands = tuple(map(parse_cards, ("7d 8d Ah Jh 9c", "7h 8h 9h 10h Jd", "10s 8s Ad 6h 7c")))
    talon, trump_card = parse_cards("6c Qd Qh 8c"), parse_cards("9s")[0]
    stock = tuple(card for card in DECK if card not in {*talon, trump_card, *(card for hand in hands for card in hand)})
    state = start(TonRules(five_bid="off"), Deal(hands, talon, trump_card, stock))
    for action in (Action("refuse"), Action("refuse"), Action("discard", parse_cards("6h")[0])):
        state = apply(state, action)
    for action in (Action("play"), Action("play")):
        state = apply(state, action)
    seen = view(state, 0)
    greedy = POLICIES["greedy"]

    def trumps(believes: Policy | None) -> float:
        worlds = sample_worlds(seen, 200, 3, believes=believes)
        assert all(world.believed for world in worlds)
        return sum(card // 13 == 0 for world in worlds for card in world.state.hands[1]) / 200

    assert seen.seat == 0
    assert trumps(greedy) > trumps(None) + 0.5

    class Never:
        def choose(self, view: State, actions: Sequence[Action], words: Iterator[int]) -> Action:
            return actions[1]

    assert not any(world.believed for world in sample_worlds(seen, 3, 3, believes=Never()))


def test_a_view_that_no_deal_agrees_with_is_refused():
    seen = trumpless_view(1)
    # The eldest who found trumps in the stock cannot have fetched another suit.
    hidden = [card for card in DECK if card // 13 == 0 and card != seen.trump_card]
    wrong = replace(
        seen, hands=(parse_cards("Ah Kh 6d 9d"), *seen.hands[1:]), stock=tuple(hidden[:-1]) + seen.stock[7:]
    )
    with pytest.raises(InputError, match="no lie of the hidden cards"):
        sample_worlds(wrong, 2, 1)


def test_worlds_depend_on_view_number_and_seed_alone():
    seen = trumpless_view(1)
    worlds = sample_worlds(seen, 20, 9, seat=1)
    assert sample_worlds(seen, 20, 9, seat=1) == worlds
    assert sample_worlds(seen, 5, 9, seat=1) == worlds[:5]
    assert sample_worlds(seen, 20, 10, seat=1) != worlds
    assert len(set(map(str, worlds))) == 20
