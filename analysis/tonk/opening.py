"""Who is dealt a TONK at Tonk, and what it pays: odds before the first turn (K4, K5, `several_tonks`)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Unpack

from analysis.effort import Effort, Sampling
from analysis.estimate import LEVEL, Estimate, mean, proportion
from analysis.html import Rich
from analysis.tonk.table import Table, exactly
from core.cards import DECK_SIZE
from core.counting import MAX_STEPS
from core.errors import InputError, TooMuchWorkError
from core.tonk.payments import tonk_payments
from core.tonk.rules import TonkRules, card_value

Quantity = Fraction | Estimate


@dataclass(frozen=True)
class Odds(Rich):
    """The chances of a TONK on the deal, for the players whose hands are hidden.

    Exact quantities are Fractions, sampled ones Estimates. `note` says why something is sampled.

    single, low, high
        the chance that one given player holds a TONK, and its parts by low and by high total
    any
        the chance that at least one of them does
    exactly
        by j = 0, 1, …: the chance that exactly j of them do
    payment
        by seat, for all players: the expected payment from TONK hands per deal, in stakes
    own_tonk
        whether the player whose hand is seen holds one; None where no hand is seen
    """

    players: int
    single: Fraction
    low: Fraction
    high: Fraction
    any: Quantity
    exactly: tuple[Quantity, ...]
    payment: tuple[Quantity, ...]
    own_tonk: bool | None
    rules: TonkRules
    note: str | None = None


@dataclass(frozen=True)
class _Holders:
    """How holders of a TONK are spread, as chances or as numbers of deals.

    `number[j]`: j players hold one; `held[seat][j]`: the seat is among them; `first[seat][j]`: it is the first of
    them, counted from seat 0.
    """

    number: Sequence[Fraction | int]
    held: Sequence[Sequence[Fraction | int]]
    first: Sequence[Sequence[Fraction | int]]

    def payment_moments(self, rules: TonkRules) -> list[tuple[Fraction, Fraction]]:
        """Return, by seat, the sums of the payment and of its square.

        A payment depends only on the number of holders, and whether the seat is one of them, and the first.
        """
        players = len(self.held)
        moments = [(Fraction(0), Fraction(0))] * players
        for j in range(1, players + 1):
            # A deal with j holders in which the first is seat 0, other holders follow, and the rest hold none.
            pay = tonk_payments([seat < j for seat in range(players)], rules)
            for seat, (total, squares) in enumerate(moments):
                held, first = self.held[seat][j], self.first[seat][j]
                cases = [(pay[0], first), (pay[j - 1], held - first), (pay[-1], self.number[j] - held)]
                moments[seat] = (
                    total + sum(p * weight for p, weight in cases),
                    squares + sum(p * p * weight for p, weight in cases),
                )
        return moments


def odds(
    players: int,
    rules: TonkRules | None = None,
    *,
    hand: str | None = None,
    up: str | None = None,
    seat: int = 0,
    max_steps: int = MAX_STEPS,
    sampled: bool = False,
    **sampling: Unpack[Sampling],
) -> Odds:
    """Return the chances of a TONK on the deal among `players` players.

    With `hand` (the cards of the player at `seat`) and `up` (the up-card), the chances are those of the other
    players, given these cards; `payment` counts the own hand too. Exact where that takes at most `max_steps` updates
    of a table; otherwise `any`, `exactly` and what of `payment` needs them are estimated, and `note` says so: from
    `deals` sampled deals, or so many that the interval of `any` has a half-width of at most `precision`; the other
    keywords of `Effort` say where. With `sampled` they are estimated in any case, to see the one beside the other.

    >>> odds(players=3).single
    Fraction(3371, 324870)

    Raises InputError for cards, seats, numbers of players or of deals that cannot be.
    """
    effort = Effort(**sampling)
    table = Table.seen(rules or TonkRules(), players, hand, up, seat)
    note = "sampled on request"
    if not sampled:
        try:
            return _exact([table], max_steps)[0]
        except TooMuchWorkError as error:
            note = str(error)
    return _sampled(table, effort, note)


def odds_by_players(
    players: Iterable[int], rules: TonkRules | None = None, *, max_steps: int = MAX_STEPS
) -> dict[int, Odds]:
    """Return `odds` for several numbers of players from one count, which takes no longer than the largest alone.

    Exact; raises InputError as `odds` does, and TooMuchWorkError past `max_steps`.
    """
    rules = rules or TonkRules()
    tables = [Table.seen(rules, number, None, None) for number in players]
    return {answer.players: answer for answer in _exact(tables, max_steps)}


def stakes_moved(answer: Odds) -> Fraction:
    """Return the stakes that change hands through TONK hands per deal, on average.

    Exact. Raises InputError where the odds are sampled, or given a hand.
    """
    chances = [chance for chance in answer.exactly if isinstance(chance, Fraction)]
    if len(chances) < answer.players + 1:
        raise InputError("stakes moved are known only from exact odds of a whole table")
    moved = Fraction(0)
    for j, chance in enumerate(chances):
        pay = tonk_payments([seat < j for seat in range(answer.players)], answer.rules)
        moved += chance * sum(stakes for stakes in pay if stakes > 0)
    return moved


def hand_totals(rules: TonkRules | None = None) -> dict[int, int]:
    """Return the number of dealt hands of each total, in increasing total (K4). Exact."""
    return Table.seen(rules or TonkRules(), 2, None, None).hand_totals


def sample_hand_totals(
    rules: TonkRules | None = None, *, deals: int, seed: int = 1, level: float = LEVEL
) -> dict[int, Estimate]:
    """Return the chance of each total of a dealt hand, sampled, for the totals that occur in so many deals."""
    # Imported here because it imports numba, which an exact answer must not wait for.
    import numpy as np

    from core.deals import sample_hands

    table = Table.seen(rules or TonkRules(), 2, None, None)
    values = np.array([card_value(card) for card in range(DECK_SIZE)])
    hands = sample_hands(table.deck, [table.rules.hand_size], deals, seed=seed)
    counts = np.bincount(values[hands].sum(axis=1)).tolist()
    return {total: proportion(n, deals, seed=seed, level=level) for total, n in enumerate(counts) if n}


def _exact(tables: Sequence[Table], max_steps: int) -> list[Odds]:
    """Answer for tables that differ in the number of players alone."""
    if not tables:
        return []
    largest = max(tables, key=lambda table: table.hidden_players)
    tonks = [total for total in largest.hand_totals if largest.rules.is_tonk(total)]
    together = largest.chances_together(tonks, largest.hidden_players, max_steps)
    answers = []
    for table in tables:
        number = exactly(together, table.hidden_players)
        payment = _payment_without_counting(table)
        if payment is None:
            moments = _exact_holders(table, number).payment_moments(table.rules)
            payment = tuple(total for total, _ in moments)
        answers.append(_answer(table, 1 - number[0], tuple(number), payment, None))
    return answers


def _payment_without_counting(table: Table) -> tuple[Fraction, ...] | None:
    """Return the payments by seat where these need no joint chances, else None. Exact."""
    if not table.hand and table.rules.several_tonks != "first":
        # Seats are alike, and payments add up to zero.
        return (Fraction(0),) * table.players
    if table.rules.several_tonks == "each":
        # Every holder is paid by everyone without: seat by seat, each pair settles by itself.
        hidden = table.chance([total for total in table.hand_totals if table.rules.is_tonk(total)])
        holds = [Fraction(table.own_tonk) if seat == table.own_seat else hidden for seat in range(table.players)]
        total = sum(holds, Fraction(0))
        return tuple(table.rules.tonk_pay * (table.players * own - total) for own in holds)
    return None


def _answer(
    table: Table,
    any_: Quantity,
    exactly_: tuple[Quantity, ...],
    payment: tuple[Quantity, ...],
    note: str | None,
) -> Odds:
    rules = table.rules
    low = table.chance([total for total in table.hand_totals if rules.is_low_tonk(total)])
    high = table.chance([total for total in table.hand_totals if rules.is_high_tonk(total)])
    own = table.own_tonk if table.hand else None
    return Odds(table.players, low + high, low, high, any_, exactly_, payment, own, rules, note)


def _exact_holders(table: Table, number: Sequence[Fraction]) -> _Holders:
    """Spread `number[m]`, the chance of m holders among hidden players, over the seats: any m are equally likely."""
    hidden = table.hidden_players
    own = int(table.own_tonk)
    by_number = [Fraction(0)] * (table.players + 1)
    held = [[Fraction(0)] * (table.players + 1) for _ in range(table.players)]
    first = [[Fraction(0)] * (table.players + 1) for _ in range(table.players)]
    for m, chance in enumerate(number):
        j = m + own
        by_number[j] = chance
        for seat in range(table.players):
            # Hidden players from seat 0 to before this one.
            before = seat - (table.own_seat is not None and table.own_seat < seat)
            if seat == table.own_seat:
                held[seat][j] = chance * own
                first[seat][j] = chance * own * Fraction(comb(hidden - before, m), comb(hidden, m))
            elif m:
                held[seat][j] = chance * Fraction(m, hidden)
                if not (own and table.own_seat is not None and table.own_seat < seat):
                    first[seat][j] = chance * Fraction(comb(hidden - before - 1, m - 1), comb(hidden, m))
    return _Holders(by_number, held, first)


def _sampled(table: Table, effort: Effort, note: str) -> Odds:
    # Imported here because it imports numba, which an exact answer must not wait for.
    from analysis.runs import Run
    from analysis.tonk.sampling import Holders

    seed = effort.seed
    run = Run(Holders(table, seed), effort)
    none = int(table.own_tonk)

    def any_() -> Estimate:
        return proportion(run.deals - int(run.sums[0][none]), run.deals, seed=seed)

    run.complete(any_)
    holders = _Holders(*(sums.tolist() for sums in run.sums))
    number = tuple(proportion(int(n), run.deals, seed=seed) for n in holders.number[none:][: table.hidden_players + 1])
    payment: tuple[Quantity, ...] | None = _payment_without_counting(table)
    if payment is None:
        moments = holders.payment_moments(table.rules)
        payment = tuple(mean(total, squares, run.deals, seed=seed) for total, squares in moments)
    return _answer(table, any_(), number, payment, f"{note}; estimated from {run.deals:,} deals")
