"""Whole matches of Ton as a kernel: what `core.ton.match.play_match` plays, match by match (T11–T14).

Money is counted in units that divide the ante and the price of a plus. Each pot plus more than doubles what stands in
the record, so that debts have no limit that a whole number holds: they are counted up to MOST_MONEY only, and a match
in which more is paid is counted as too dear.
"""

from math import gcd
from typing import NamedTuple

import numpy as np

from core.deals import Bytes
from core.jit import allocating, kernel
from core.ton.codes import Codes, Numbers
from core.ton.rules import TonRules
from core.ton.seats import CHOSEN, N_PLUSES, N_POINTS, POLICY, RECORD, TABLE, TAKEN
from core.ton.single import Table, make_table, play_single

# What is added up by player: matches won; money; and its square, as a * a, a * b and b * b of |money| = a * HALF + b.
BY_PLAYER = ("wins", "money", "high_squares", "products", "low_squares")
# What is added up of the whole match: hands and their square, matches broken off, matches too dear to count.
WHOLE = ("hands", "hand_squares", "broken_off", "too_dear")
HALF = 1 << 16
MOST_MONEY = HALF * HALF - 1
# So many matches fit the sums.
MOST_MATCHES = 2**63 // HALF**2 - 1
_WINS, _MONEY, _HIGH_SQUARES, _PRODUCTS, _LOW_SQUARES = range(len(BY_PLAYER))
_HANDS, _HAND_SQUARES, _BROKEN_OFF, _TOO_DEAR = range(len(WHOLE))
_NOBODY = -1


class MatchCodes(NamedTuple):
    """The fields of TonRules that decide a match, with money in units."""

    pot_plus_points: int
    target_points: int
    highest: bool  # reach_target = end_of_hand_highest
    ante: int
    plus_price: int


def money_unit(rules: TonRules) -> int:
    """Return the unit of money in which a match's sums are counted."""
    return gcd(rules.ante, rules.plus_price) or 1


def encode_match(rules: TonRules) -> MatchCodes:
    """Return the rules of a match as the kernel takes them."""
    unit = money_unit(rules)
    return MatchCodes(
        rules.pot_plus_points,
        rules.target_points,
        rules.reach_target == "end_of_hand_highest",
        rules.ante // unit,
        rules.plus_price // unit,
    )


@allocating
def play_matches(
    by_player: Numbers,
    whole: Numbers,
    policies: Numbers,
    tables: Bytes,
    rules: Codes,
    match_rules: MatchCodes,
    seed: np.uint64,
    start: int,
    stop: int,
    max_hands: int,
) -> None:
    """Play the matches start .. stop - 1 to their end or for `max_hands` hands, and add up what they give.

    Adds to `by_player` of shape (players, fields) what BY_PLAYER names, and to `whole` what WHOLE names. Players are
    numbered by their seat in the first hand, `policies` of shape (players, 2) and rows of `tables` are theirs.
    """
    players = policies.shape[0]
    table = make_table(policies, tables, rules)
    points, debts = np.empty(players, np.int64), np.empty(players, np.int64)
    for match in range(start, stop):
        points[:] = 0
        debts[:] = 0
        winner, hand = _NOBODY, 0
        while winner == _NOBODY and hand < max_hands:
            eldest = hand % players
            _seat(table, points, policies, eldest)
            play_single(table, rules, seed, match * max_hands + hand)
            seat = _winner(table, match_rules)
            if seat != _NOBODY:
                winner = (eldest + seat) % players
            _record_hand(table, points, debts, eldest, match_rules)
            hand += 1
        whole[_HANDS] += hand
        whole[_HAND_SQUARES] += hand * hand
        if winner == _NOBODY:
            whole[_BROKEN_OFF] += 1
        else:
            _settle(by_player, whole, debts, winner, match_rules)


@allocating
def play_each(
    by_player: Numbers,
    whole: Numbers,
    policies: Numbers,
    tables: Bytes,
    rules: Codes,
    match_rules: MatchCodes,
    seed: np.uint64,
    start: int,
    max_hands: int,
) -> None:
    """Play as many matches as `whole` has rows, from match `start` on, and tell what each of them gives.

    `by_player` has shape (matches, players, fields): a row of each is what `play_matches` adds up, for one match.
    """
    for row in range(whole.shape[0]):
        match = start + row
        play_matches(
            by_player[row], whole[row], policies, tables, rules, match_rules, seed, match, match + 1, max_hands
        )


@kernel
def _seat(table: Table, points: Numbers, policies: Numbers, eldest: int) -> None:
    """Seat the players for a hand (T1)."""
    players = points.shape[0]
    for seat in range(players):
        player = (eldest + seat) % players
        table.hand.seats[seat, POLICY] = policies[player, 0]
        table.hand.seats[seat, TABLE] = policies[player, 1]
        table.hand.seats[seat, RECORD] = points[player]


@kernel
def _winner(table: Table, rules: MatchCodes) -> int:
    """Return the seat that wins the match by this hand (T14, `reach_target`)."""
    seats = table.hand.seats
    winner, best, first = _NOBODY, 0, 0
    for seat in range(seats.shape[0]):
        trick = _reaches(seats[seat, TAKEN], rules.target_points - seats[seat, RECORD])
        if trick != _NOBODY:
            # Of equal points the one wins who came to the target first; without `highest` all count as equal.
            points = seats[seat, RECORD] + seats[seat, N_POINTS] if rules.highest else 0
            if winner == _NOBODY or points > best or (points == best and trick < first):
                winner, best, first = seat, points, trick
    return winner


@kernel
def _reaches(taken: int, points: int) -> int:
    """Return the trick that is number `points` of those taken, or _NOBODY."""
    trick = 0
    while taken:
        points -= taken & 1
        if points == 0:
            return trick
        taken >>= 1
        trick += 1
    return _NOBODY


@kernel
def _record_hand(table: Table, points: Numbers, debts: Numbers, eldest: int, rules: MatchCodes) -> None:
    """Bring the record up to date (T11–T13): pluses in seat order, a pot plus at the price of what stands there."""
    players = points.shape[0]
    for seat in range(players):
        player = (eldest + seat) % players
        points[player] += table.hand.seats[seat, N_POINTS]
        pluses = table.hand.seats[seat, N_PLUSES]
        if pluses:
            price = rules.plus_price
            if table.hand.seats[seat, CHOSEN] and table.hand.seats[seat, RECORD] >= rules.pot_plus_points:
                price = rules.ante * players + debts.sum()
            # One above the bound: whoever then pays it is told of.
            debts[player] = min(debts[player] + pluses * price, MOST_MONEY + 1)


@kernel
def _settle(by_player: Numbers, whole: Numbers, debts: Numbers, winner: int, rules: MatchCodes) -> None:
    """Let the others pay the winner (T14)."""
    players = debts.shape[0]
    gain = rules.ante * (players - 1) + debts.sum() - debts[winner]
    whole[_TOO_DEAR] += gain > MOST_MONEY
    by_player[winner, _WINS] += 1
    for player in range(players):
        paid = gain if player == winner else rules.ante + debts[player]
        by_player[player, _MONEY] += paid if player == winner else -paid
        high, low = paid // HALF, paid % HALF
        by_player[player, _HIGH_SQUARES] += high * high
        by_player[player, _PRODUCTS] += high * low
        by_player[player, _LOW_SQUARES] += low * low
