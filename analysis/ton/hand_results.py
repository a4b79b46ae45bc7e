"""What a hand gives between fixed players, as a distribution: sampled in independent parts, or given by the user.

It depends on who sits where, and on who must play because of his points (T8): nothing else of a match changes how the
policies play a hand. The choice of T11 is not part of it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import fsum

from analysis.effort import DEALS, Effort
from core.errors import InputError
from core.ton.outcomes import NOBODY, Outcome, decode_outcome, outcome_codes
from core.ton.policies import policy
from core.ton.rules import TonRules

# Independent parts of the sample, from whose spread its error is estimated.
PARTS = 10
MOST_CODES = 1 << 22

# Who is eldest (a player's number below the period of the policies), and which seats but the dealer's must play.
Situation = tuple[int, tuple[bool, ...]]
Chances = Mapping[Situation, Mapping[Outcome, float]]


@dataclass(frozen=True)
class HandResults:
    """The chances of a hand's outcomes, by who is eldest and who must play.

    players
        their number
    chances
        by situation and outcome; with `period` 1, all players play alike and the eldest is always 0
    parts
        the same from independent parts of the sample; empty where the chances are given, and exact
    hands
        the number of hands sampled for each situation
    """

    players: int
    period: int
    chances: Chances
    parts: tuple[Chances, ...] = ()
    hands: int = 0
    seed: int = 1

    def by_player(self) -> "HandResults":
        """Return the same results with all players told apart, so that they may choose differently."""

        def spread(chances: Chances) -> Chances:
            return {
                (player, must): found
                for (eldest, must), found in chances.items()
                for player in range(eldest, self.players, self.period)
            }

        parts = tuple(spread(part) for part in self.parts)
        return replace(self, period=self.players, chances=spread(self.chances), parts=parts)


def given_results(players: int, chances: Chances, hand_size: int = 5) -> HandResults:
    """Return hand results from chances given for each situation.

    Raises InputError for chances that are no distribution, seats that do not exist or missing situations.
    """
    period = 1 + max((eldest for eldest, _ in chances), default=0)
    if players % period:
        raise InputError(f"chances for {period} eldest players do not fit {players} players")
    for situation in _situations(players, period):
        found = chances.get(situation)
        if found is None:
            raise InputError(f"no chances are given for the situation {situation}")
        if min(found.values(), default=0) < 0 or abs(fsum(found.values()) - 1) > 1e-9:
            raise InputError(f"the chances of the situation {situation} do not add up to 1")
        for outcome in found:
            _check_outcome(outcome, players, hand_size)
    return HandResults(players, period, chances)


def same_results(players: int, chances: Mapping[Outcome, float], hand_size: int = 5) -> HandResults:
    """Return hand results that are the same whoever sits where and must play. Raises InputError as given_results."""
    return given_results(players, dict.fromkeys(_situations(players, 1), chances), hand_size)


def _situations(players: int, period: int) -> list[Situation]:
    return [(eldest, must) for eldest in range(period) for must in product((False, True), repeat=players - 1)]


def _check_outcome(outcome: Outcome, players: int, hand_size: int) -> None:
    named = (*outcome.takers, *outcome.choosers, outcome.failed)
    if len(outcome.takers) != hand_size or not all(NOBODY <= seat < players for seat in named):
        raise InputError(f"{outcome} is no outcome of {hand_size} tricks between {players} players")
    if set(outcome.choosers) & {*outcome.takers, outcome.failed, NOBODY}:
        raise InputError(f"{outcome}: who chooses has no trick and has not failed in a bid of five")


def sample_results(policies: Sequence[str], rules: TonRules, effort: Effort) -> HandResults:
    """Return hand results between these policies, sampled: `effort.deals` hands for each situation, in PARTS parts.

    Raises InputError for hands of too many tricks to be told apart.
    """
    from analysis.runs import Run
    from analysis.ton.sampling import Outcomes

    players = len(policies)
    if outcome_codes(players, rules.hand_size) > MOST_CODES:
        raise InputError(f"{players} players with hands of {rules.hand_size} have too many results to be told apart")
    period = next(p for p in range(1, players + 1) if players % p == 0 and policies == [*policies[p:], *policies[:p]])
    deals = max(2, (effort.deals or DEALS) // PARTS)
    part_effort = replace(effort, deals=deals, precision=None)
    parts: list[Chances] = []
    whole: dict[Situation, Counter[Outcome]] = {}
    situations = _situations(players, period)
    chosen = [policy(name, players) for name in policies]
    for part in range(PARTS):
        chances: dict[Situation, Mapping[Outcome, float]] = {}
        for number, (eldest, must) in enumerate(situations):
            seated = (*chosen[eldest:], *chosen[:eldest])
            measure = Outcomes(seated, (*must, True), rules, effort.seed, part * len(situations) + number)
            run = Run(measure, part_effort)
            run.extend(deals)
            counts = run.sums[0]
            found = {
                decode_outcome(code, players, rules.hand_size): int(counts[code])
                for code in counts.nonzero()[0].tolist()
            }
            whole.setdefault((eldest, must), Counter()).update(found)
            chances[eldest, must] = {outcome: n / deals for outcome, n in found.items()}
        parts.append(chances)
    total = deals * PARTS
    merged = {key: {outcome: n / total for outcome, n in found.items()} for key, found in whole.items()}
    return HandResults(players, period, merged, tuple(parts), total, effort.seed)
