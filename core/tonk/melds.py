"""Melds and hits: what may be laid (K10), and what may be added to it on the table (K11).

A meld is a tuple of cards in its own order: a set by card id, a run upwards, as Q-K-A with the ace last. Where the
rules leave a case open, this project reads them so:

- With several decks a set may hold equal cards (three or four cards of one rank, in all); a run never does. So a run
  from the ace to the king takes no second ace.
- An ace that a run from 2 to K could take at either end goes below the 2.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from core.cards import RANKS
from core.tonk.rules import TonkRules, card_value

Meld = tuple[int, ...]

SHORTEST, LARGEST_SET = 3, 4
_ACE, _ACE_HIGH = 0, len(RANKS)


def hand_total(cards: Iterable[int]) -> int:
    """Return the total of the cards (K4).

    >>> hand_total([0, 8, 12])
    20
    """
    return sum(map(card_value, cards))


def meld_of(cards: Sequence[int], rules: TonkRules) -> Meld | None:
    """Return the cards as a meld, in its own order, or None where they are none (K10, `ace_runs`).

    >>> meld_of((2, 0, 1), TonkRules())
    (0, 1, 2)
    >>> meld_of((0, 11, 12), TonkRules()), meld_of((0, 11, 12), TonkRules(ace_runs="low_and_high"))
    (None, (11, 12, 0))
    """
    if len(cards) < SHORTEST:
        return None
    if is_set(cards):
        return tuple(sorted(cards)) if len(cards) <= LARGEST_SET else None
    if len({card // 13 for card in cards}) > 1:
        return None
    low = sorted(card % 13 for card in cards)
    high = sorted(rank or _ACE_HIGH for rank in low)
    for ranks in (low, high) if rules.ace_runs == "low_and_high" else (low,):
        if ranks == list(range(ranks[0], ranks[0] + len(ranks))):
            return _run(cards[0] // 13, ranks)
    return None


def is_set(cards: Sequence[int]) -> bool:
    """Tell whether the cards are of one rank; of a meld: whether it is a set and not a run."""
    return len({card % 13 for card in cards}) == 1


def hit(meld: Meld, card: int, rules: TonkRules) -> Meld | None:
    """Return the meld with the card added, or None where it does not take it (K11, `set_fourth`).

    >>> hit((9, 10, 11), 8, TonkRules())
    (8, 9, 10, 11)
    """
    if is_set(meld) and rules.set_fourth == "never":
        return None
    return meld_of((*meld, card), rules)


def melds_in(hand: Sequence[int], rules: TonkRules) -> list[Meld]:
    """Return every meld that the hand holds, each once (K10).

    Order: sets by rank, then number of cards, then cards; then runs by suit, lowest card (a high ace is no lowest
    card), and length.
    """
    return [*_sets(hand), *_runs(hand, rules)]


def best_melds(hand: Sequence[int], rules: TonkRules) -> tuple[Meld, ...]:
    """Return the disjoint melds that leave the least total in hand; among those, the fewest cards.

    Further ties go to the choice that comes first when melds stand in the order of `melds_in` and choices are compared
    meld by meld.
    """
    found = melds_in(hand, rules)
    best: tuple[Meld, ...] = ()
    most = (0, 0)

    def extend(chosen: tuple[Meld, ...], first: int, left: Counter[int]) -> None:
        nonlocal best, most
        laid = [card for meld in chosen for card in meld]
        gain = (hand_total(laid), len(laid))
        if gain > most:
            best, most = chosen, gain
        for number in range(first, len(found)):
            wanted = Counter(found[number])
            if wanted <= left:
                extend((*chosen, found[number]), number, left - wanted)

    extend((), 0, Counter(hand))
    return best


def _sets(hand: Sequence[int]) -> Iterator[Meld]:
    by_rank: dict[int, list[int]] = defaultdict(list)
    for card in sorted(hand):
        by_rank[card % 13].append(card)
    for rank in sorted(by_rank):
        for size in range(SHORTEST, min(len(by_rank[rank]), LARGEST_SET) + 1):
            # Equal cards of several decks make equal sets.
            yield from sorted(set(combinations(by_rank[rank], size)))


def _runs(hand: Sequence[int], rules: TonkRules) -> Iterator[Meld]:
    by_suit: dict[int, set[int]] = defaultdict(set)
    for card in hand:
        by_suit[card // 13].add(card % 13)
    for suit in sorted(by_suit):
        ranks = by_suit[suit]
        if rules.ace_runs == "low_and_high" and _ACE in ranks:
            ranks.add(_ACE_HIGH)
        for low in sorted(ranks):
            high = low + 1
            # Thirteen cards are a whole suit; from the 2 to a high ace they are the same cards as from the ace.
            while high in ranks and high - low < len(RANKS) - (low > _ACE):
                if high - low >= SHORTEST - 1:
                    yield _run(suit, range(low, high + 1))
                high += 1


def _run(suit: int, ranks: Iterable[int]) -> Meld:
    return tuple(13 * suit + rank % 13 for rank in ranks)
