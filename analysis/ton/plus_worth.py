"""What a plus is worth in points, by the race to 15 (T11, T12): the exchange rate for `plus_worth` of the buy-in.

A plus costs money, and so do points lost. Its worth is how many points cost as much, at the price a point of taking
`zero_trick_points` less: where it is above them, the minus is the better choice.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from analysis.effort import Effort, Sampling
from analysis.ton.match import check_states
from core.errors import InputError
from core.ton.rules import TonRules

if TYPE_CHECKING:  # wrong input does not wait for numba
    from analysis.ton.choices import Choices

# How far points fall, in units of `zero_trick_points`, where they are held: by players.
FALLS = {2: 2, 3: 1}


def plus_worth(
    points: Sequence[int], policy: str = "greedy", rules: TonRules | None = None, **sampling: Unpack[Sampling]
) -> float:
    """Return what a plus is worth, in points, to the next eldest, at these points by seat; two or three players.

    All play by the policy named and then choose best between plus and minus; no pluses stand in the record. Exact for
    the hands sampled: `deals` of each set of players who must play (default 1,000,000), or, with three players, nearly,
    as points are held at a floor.

    Raises InputError for other numbers of players, points that end the match, a policy that is unknown or too slow, and
    where points lost cost nothing.
    """
    effort = Effort(**sampling)
    rules = rules or TonRules()
    players = len(points)
    if players not in FALLS:
        raise InputError(f"points {','.join(map(str, points))!r}: the race is solved for two or three players")
    floor = -FALLS[players] * rules.zero_trick_points
    for number in points:
        if not floor + rules.zero_trick_points <= number < rules.target_points:
            raise InputError(
                f"points {number}: from {floor + rules.zero_trick_points} to {rules.target_points - 1} here"
            )
    check_states(players, rules, floor)
    # Imported here because they import numba.
    from analysis.ton.choices import best_choices
    from analysis.ton.hand_results import sample_results

    results = sample_results([policy] * players, rules, effort)
    return worth_at(best_choices(results, rules, floor=floor), points)


def worth_at(choices: "Choices", points: Sequence[int]) -> float:
    """Return what a plus is worth, in points, to the next eldest in a solved match, at these points by seat.

    Raises InputError where points lost cost nothing.
    """
    from analysis.ton.race_values import at

    race, money = choices.race, choices.money
    rules, (own, *rest) = race.rules, points
    price = rules.ante * len(points) if own >= rules.pot_plus_points else rules.plus_price
    here = at(race, money, points)[0]
    plus = here - at(race, money, points, (price,))[0]
    minus = here - at(race, money, (own - rules.zero_trick_points, *rest))[0]
    if minus <= 0:
        raise InputError(
            f"at these points {rules.zero_trick_points} points less cost nothing: a plus has no worth in them"
        )
    return float(rules.zero_trick_points * plus / minus)
