"""A match of Ton: hands until somebody reaches the target, what stands in the record meanwhile, and the money (T14).

A match has no certain end: a choice of minus points, folds and lost bids can keep all records low. `play_match`
therefore breaks it off after `max_hands` hands; the antes then go back and nobody pays, so that it is zero-sum all the
same. Players are numbered by their seat in the first hand; the deal passes round, so that in hand h player h mod n is
the eldest (T1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.ton.play import play
from core.ton.policies import Policy
from core.ton.rules import MAX_HANDS, TonRules
from core.ton.score import HandResult, reached


@dataclass(frozen=True)
class Standing:
    """What stands in the record between two hands, by player: points, and the price in money of the pluses."""

    points: tuple[int, ...]
    debts: tuple[int, ...]


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, by player. All numbers are exact.

    winner
        who took the pot; None when the match was broken off
    money
        what each has won or lost, the ante included; adds up to zero
    standing
        the record at the end
    hands
        the number of hands played
    """

    winner: int | None
    money: tuple[int, ...]
    standing: Standing
    hands: int


def record_hand(rules: TonRules, standing: Standing, hand: HandResult) -> Standing:
    """Return the record after a hand (T11–T13); standing and hand are by the same seats.

    Pluses are recorded in seat order. A pot plus costs the pot and all pluses that stand in the record at that time,
    those of its own player included (T12).
    """
    pot = rules.ante * len(standing.points)
    debts = list(standing.debts)
    for seat, pluses in enumerate(hand.pluses):
        price = pot + sum(debts) if hand.pot_plus[seat] else rules.plus_price
        debts[seat] += pluses * price
    points = tuple(before + change for before, change in zip(standing.points, hand.points, strict=True))
    return Standing(points, tuple(debts))


def winner_of(rules: TonRules, points: Sequence[int], hand: HandResult) -> int | None:
    """Return the seat that wins the match by this hand (T14, `reach_target`), or None; `points` are those before it."""
    seats = reached(points, hand, rules.target_points)
    if not seats:
        return None
    if rules.reach_target == "in_trick_order":
        return seats[0]
    # Of equal records max takes the first: who came to the target earlier.
    return max(seats, key=lambda seat: points[seat] + hand.points[seat])


def settle(rules: TonRules, standing: Standing, winner: int) -> tuple[int, ...]:
    """Return each seat's money when the match is won: the pot, and from every other player the price of his pluses.

    >>> settle(TonRules(), Standing((15, 3, 11), (30, 20, 0)), winner=0)
    (40, -30, -10)
    """
    money = [-rules.ante - debt for debt in standing.debts]
    money[winner] = 0
    money[winner] = -sum(money)
    return tuple(money)


def play_match(
    rules: TonRules,
    players: int,
    policies: Sequence[Policy],
    seed: int,
    match: int,
    *,
    max_hands: int = MAX_HANDS,
) -> MatchResult:
    """Play a match, each player by his policy. Its hand h is deal number `match * max_hands + h` of the seed.

    Raises InputError when there is not one policy a player, or as `core.ton.play.play` does.
    """
    if len(policies) != players:
        raise InputError(f"{len(policies)} policies are given for {players} players")
    standing = Standing((0,) * players, (0,) * players)
    for number in range(max_hands):
        eldest = number % players
        seats = [*range(eldest, players), *range(eldest)]
        seated = _reorder(standing, seats)
        deal = match * max_hands + number
        hand = play(
            rules,
            players,
            [policies[player] for player in seats],
            seed,
            deal,
            records=seated.points,
            debts=seated.debts,
        ).result
        after = record_hand(rules, seated, hand)
        standing = _reorder(after, [seats.index(player) for player in range(players)])
        winner = winner_of(rules, seated.points, hand)
        if winner is not None:
            player = seats[winner]
            return MatchResult(player, settle(rules, standing, player), standing, number + 1)
    return MatchResult(None, (0,) * players, standing, max_hands)


def _reorder(standing: Standing, order: Sequence[int]) -> Standing:
    return Standing(tuple(standing.points[i] for i in order), tuple(standing.debts[i] for i in order))
