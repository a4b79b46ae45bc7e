"""Who holds the trumps of Ton before the first trick (T3–T7), and which hands are sure of a bid of five (T13)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import comb

from analysis.estimate import Estimate, proportion
from analysis.html import Rich
from core.cards import format_cards, parse_cards
from core.errors import InputError
from core.ton.rules import DECK, TonRules
from core.ton.tricks import strength, suit_of


@dataclass(frozen=True)
class TonOdds(Rich):
    """Chances on the deal, once the trump card is shown. All exact; given what one player sees, if anything.

    trumpless
        the eldest holds no trump
    stock_has_trump_given_trumpless
        the stock then holds one, so that the trumpless right (T7) can serve him; None where he never is trumpless
    trumps_in_hand
        by k = 0, 1, …: a hand of which no card is seen, not the dealer's, holds k trumps
    dealer_trumps
        by k: the dealer's cards hold k trumps, his sixth among them (T4)
    trumps_in_talon
        by k: the talon holds k trumps
    talon_has_trump
        the talon holds at least one trump
    trumpless_by_seat
        by seat: the player holds no trump
    sure_five
        the eldest holds all tricks of a bid of five that he leads, however the other cards lie (T13); 0 with
        `five_bid = off`
    talon_beats_hand
        given a hand: the talon holds a card that is better than the best one in it; None where no hand is seen
    """

    players: int
    trumpless: Fraction
    stock_has_trump_given_trumpless: Fraction | None
    trumps_in_hand: tuple[Fraction, ...]
    dealer_trumps: tuple[Fraction, ...]
    trumps_in_talon: tuple[Fraction, ...]
    talon_has_trump: Fraction
    trumpless_by_seat: tuple[Fraction, ...]
    sure_five: Fraction
    talon_beats_hand: Fraction | None
    rules: TonRules


def odds(
    players: int,
    rules: TonRules | None = None,
    *,
    hand: str | None = None,
    trump_card: str | None = None,
    seen: str | None = None,
    seat: int = 0,
) -> TonOdds:
    """Return the chances of trumps on the deal among `players` players.

    `hand` holds the cards of the player at `seat` (0 is the eldest, the dealer is the last), `trump_card` the shown
    card, `seen` the talon cards that refusals have turned (T5). What is not given is averaged over.

    >>> odds(3).trumpless                                  # 27 choose 5 over 35 choose 5
    Fraction(40365, 162316)

    Raises InputError for cards, seats or numbers of players that cannot be.
    """
    rules = rules or TonRules()
    rules.check_players(players)
    if not 0 <= seat < players:
        raise InputError(f"seat {seat} is not a seat: seats run from 0 to {players - 1}")
    own, turned, seen_cards = (() if text is None else parse_cards(text) for text in (hand, trump_card, seen))
    sight = Sight(rules, players, seat, own, turned, seen_cards, has_hand=hand is not None)
    sight.check()
    return sight.odds()


@dataclass(frozen=True)
class SampledTrumps(Rich):
    """Some of the chances of TonOdds, each the share of sampled deals."""

    trumpless: Estimate
    stock_has_trump_given_trumpless: Estimate
    trumps_in_hand: tuple[Estimate, ...]
    dealer_trumps: tuple[Estimate, ...]
    trumps_in_talon: tuple[Estimate, ...]


def sample_trumps(players: int, rules: TonRules | None = None, *, deals: int, seed: int = 1) -> SampledTrumps:
    """Deal so many times and count what `odds` knows exactly; the hand counted is the eldest's.

    Raises InputError as `odds` does.
    """
    # Imported here because it imports numba, which an exact answer must not wait for.
    import numpy as np

    from core.deals import sample_hands

    rules = rules or TonRules()
    rules.check_players(players)
    sizes = [rules.hand_size] * players + [rules.talon_size, 1, rules.stock_size(players)]
    suits = sample_hands(DECK, sizes, deals, seed=seed) // 13
    *groups, stock = np.split(suits, np.cumsum(sizes)[:-1], axis=1)
    shown = groups.pop()
    eldest, dealer, talon, left = (
        (group == shown).sum(axis=1) for group in (groups[0], groups[players - 1], groups[-1], stock)
    )

    def shares(trumps: Sequence[int], most: int) -> tuple[Estimate, ...]:
        counts = np.bincount(trumps, minlength=most + 1).tolist()
        return tuple(proportion(count, deals, seed=seed) for count in counts)

    trumpless = int((eldest == 0).sum())
    return SampledTrumps(
        proportion(trumpless, deals, seed=seed),
        proportion(int(((eldest == 0) & (left > 0)).sum()), trumpless, seed=seed),
        shares(eldest, rules.hand_size),
        shares(dealer + (rules.trump_card == "to_dealer"), rules.hand_size + 1),
        shares(talon, rules.talon_size),
    )


def sure_of_all(hand: Sequence[int], deck: Sequence[int] = DECK) -> bool:
    """Tell whether a hand that leads to every trick, without a trump, takes them all however the other cards lie.

    The cards of a suit are led from the top. One is lost only if an opponent holds a higher one and can keep it until
    then: he must have followed to each earlier lead of the suit with another card of it, so he has no such choice
    when fewer cards of the suit are out than the leads that it takes. (T10; the solver confirms it.)
    """
    for suit in range(4):
        own = sorted((card for card in hand if suit_of(card) == suit), key=strength, reverse=True)
        out = [card for card in deck if suit_of(card) == suit and card not in own]
        for leads, card in enumerate(own, 1):
            if len(out) >= leads and any(strength(other) > strength(card) for other in out):
                return False
    return True


@dataclass(frozen=True)
class Sight:
    """What one player sees, and the chances of the rest: hypergeometric, the trump suit being given or averaged.

    Nothing here counts on a deck of 36 cards, so that the deals of a small one can be enumerated beside it.
    """

    rules: TonRules
    players: int
    seat: int
    hand: tuple[int, ...]
    trump_card: tuple[int, ...]
    seen: tuple[int, ...]
    has_hand: bool
    deck: tuple[int, ...] = DECK
    trump: int = -1

    def check(self) -> None:
        """Raise InputError for cards that cannot be together."""
        if self.has_hand and len(self.hand) != self.rules.hand_size:
            raise InputError(f"hand {format_cards(self.hand)!r} has {len(self.hand)} cards, not {self.rules.hand_size}")
        if len(self.trump_card) > 1:
            raise InputError(f"trump card {format_cards(self.trump_card)!r} is {len(self.trump_card)} cards, not 1")
        if len(self.seen) > self.rules.talon_size:
            raise InputError(
                f"seen {format_cards(self.seen)!r} has {len(self.seen)} cards, more than the talon's "
                f"{self.rules.talon_size}"
            )
        known = self.hand + self.trump_card + self.seen
        for card in known:
            if card not in DECK:
                raise InputError(f"{format_cards([card])} is not in the deck of 36 cards (T1)")
            if known.count(card) > 1:
                raise InputError(f"{format_cards([card])} is named more than once")

    def odds(self) -> TonOdds:
        """Return all chances."""
        size = self.rules.hand_size

        def chances(quantity: Callable[[Sight, int], Fraction], most: int) -> tuple[Fraction, ...]:
            def of(k: int) -> Fraction:
                return self.average(lambda s: quantity(s, k))

            return tuple(map(of, range(most + 1)))

        trumpless = self.average(lambda s: s.no_trump_at(0))
        both = self.average(Sight.trumpless_and_in_stock)
        in_talon = chances(Sight.in_talon, self.rules.talon_size)
        return TonOdds(
            self.players,
            trumpless,
            both / trumpless if trumpless else None,
            chances(lambda s, k: s.in_group(size, k), size),
            chances(Sight.dealer, size + 1),
            in_talon,
            1 - in_talon[0],
            chances(Sight.no_trump_at, self.players - 1),
            self.sure_five(),
            self.average(Sight.talon_beats_hand) if self.has_hand else None,
            self.rules,
        )

    def average(self, quantity: Callable[["Sight"], Fraction]) -> Fraction:
        """Return a quantity's expectation over the trump card, where that is not seen."""
        if self.trump_card:
            return quantity(self._with_trump(self.trump_card[0]))
        hidden = self._hidden()
        return sum((quantity(self._with_trump(card)) for card in hidden), Fraction(0)) / len(hidden)

    def _with_trump(self, card: int) -> "Sight":
        return replace(self, trump_card=(card,), trump=suit_of(card))

    def in_group(self, cards: int, trumps: int) -> Fraction:
        """Return the chance that so many hidden cards hold exactly so many trumps."""
        hidden = self._hidden()
        t = sum(suit_of(card) == self.trump for card in hidden)
        return _hypergeometric(len(hidden), t, cards, trumps)

    def no_trump_at(self, seat: int) -> Fraction:
        """Return the chance that the player at a seat holds no trump."""
        if seat == self.players - 1 and self.rules.trump_card == "to_dealer":
            return Fraction(0)
        if self.has_hand and seat == self.seat:
            return Fraction(not any(suit_of(card) == self.trump for card in self.hand))
        return self.in_group(self.rules.hand_size, 0)

    def trumpless_and_in_stock(self) -> Fraction:
        """Return the chance that the eldest has no trump and the stock has one."""
        stock = len(self.deck) - self.players * self.rules.hand_size - self.rules.talon_size - 1
        trumpless = self.no_trump_at(0)
        if self.has_hand and self.seat == 0:
            return trumpless * (1 - self.in_group(stock, 0))
        # Neither of them holds a trump, as if they were one hand.
        return trumpless - self.in_group(self.rules.hand_size + stock, 0)

    def dealer(self, trumps: int) -> Fraction:
        """Return the chance that the dealer holds exactly so many trumps."""
        sixth = self.rules.trump_card == "to_dealer"
        if self.has_hand and self.seat == self.players - 1:
            return Fraction(sum(suit_of(card) == self.trump for card in self.hand) + sixth == trumps)
        return self.in_group(self.rules.hand_size, trumps - sixth)

    def in_talon(self, trumps: int) -> Fraction:
        """Return the chance that the talon holds exactly so many trumps."""
        turned = sum(suit_of(card) == self.trump for card in self.seen)
        return self.in_group(self.rules.talon_size - len(self.seen), trumps - turned)

    def talon_beats_hand(self) -> Fraction:
        """Return the chance that some talon card, turned or not, is better than the best card of the hand."""

        def worth(card: int) -> tuple[bool, int]:
            return suit_of(card) == self.trump, strength(card)

        best = max(map(worth, self.hand))
        if any(worth(card) > best for card in self.seen):
            return Fraction(1)
        hidden = self._hidden()
        better = sum(worth(card) > best for card in hidden)
        return 1 - _hypergeometric(len(hidden), better, self.rules.talon_size - len(self.seen), 0)

    def sure_five(self) -> Fraction:
        """Return the chance that the eldest is sure of a bid of five."""
        if self.rules.five_bid == "off":
            return Fraction(0)
        if self.has_hand and self.seat == 0:
            return Fraction(sure_of_all(self.hand, self.deck))
        # Bids come before the trump card is shown: only the own hand is known not to be the eldest's.
        ways = _ways_to_be_sure(self.rules.hand_size, self.hand, self.deck)
        return Fraction(ways, comb(len(self.deck) - len(self.hand), self.rules.hand_size))

    def _hidden(self) -> list[int]:
        known = self.hand + self.trump_card + self.seen
        return [card for card in self.deck if card not in known]


def _ways_to_be_sure(hand_size: int, gone: Sequence[int], deck: Sequence[int]) -> int:
    """Count the sure hands that hold none of the cards that are gone: suit by suit, by number of cards."""
    ways = [1] + [0] * hand_size
    for suit in range(4):
        suited = [card for card in deck if suit_of(card) == suit and card not in gone]
        more = [0] * (hand_size + 1)
        for taken in range(min(len(suited), hand_size) + 1):
            sure = sum(sure_of_all(cards, deck) for cards in combinations(suited, taken))
            for held in range(hand_size + 1 - taken):
                more[held + taken] += sure * ways[held]
        ways = more
    return ways[hand_size]


def _hypergeometric(cards: int, trumps: int, drawn: int, found: int) -> Fraction:
    """Return the chance of exactly `found` of `trumps` special cards among `drawn` of `cards`."""
    if found < 0 or found > drawn:
        return Fraction(0)
    return Fraction(comb(trumps, found) * comb(cards - trumps, drawn - found), comb(cards, drawn))
