"""Every exact quantity that also has a sampled estimate, and how often the estimates' intervals cover it.

A group is one question asked with one seed: it gives several quantities by name, each as (estimate, exact value). A
new estimate joins by a new group; `make calibrate` runs them all on many seeds, the tests on fewer.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from itertools import chain

from analysis.estimate import Estimate
from analysis.tonk import TonkRules, drop, odds
from analysis.tonk.drop_by_total import drop_by_total, sample_drop_by_total
from analysis.tonk.opening import hand_totals, sample_hand_totals

Pairs = dict[str, tuple[Estimate, Fraction]]

# Deals of one run, and the least number of them in which an event and its opposite are to be expected: normal
# intervals, and Wilson's, keep their level only where both have been seen some dozens of times.
DEALS = 20_000
LEAST_EXPECTED = 60


def _fields(sampled: object, exact: object, *names: str) -> Pairs:
    pairs: Pairs = {}
    for name in names:
        ours, true = getattr(sampled, name), getattr(exact, name)
        if isinstance(ours, Estimate):
            pairs[name] = ours, true
        else:
            pairs |= {
                f"{name}[{i}]": (a, b)
                for i, (a, b) in enumerate(zip(ours, true, strict=True))
                if isinstance(a, Estimate)
            }
    return pairs


def _odds(players: int, rules: TonkRules, **seen: str) -> Callable[[int], Pairs]:
    exact = cache(lambda: odds(players, rules, **seen))
    return lambda seed: _fields(
        odds(players, rules, **seen, sampled=True, deals=DEALS, seed=seed, threads=1),
        exact(),
        "any",
        "exactly",
        "payment",
    )


def _drop(hand: str, players: int, rules: TonkRules, **seen: str) -> Callable[[int], Pairs]:
    exact = cache(lambda: drop(hand, players, rules, **seen))
    return lambda seed: _fields(
        drop(hand, players, rules, **seen, sampled=True, deals=DEALS, seed=seed, threads=1),
        exact(),
        "p_no_tonk",
        "p_win",
        "p_less",
        "payment",
    )


def _totals(seed: int) -> Pairs:
    counts = hand_totals()
    whole = sum(counts.values())
    found = sample_hand_totals(deals=DEALS, seed=seed)
    return {f"total {total}": (found[total], Fraction(n, whole)) for total, n in counts.items() if total in found}


def _by_total(seed: int) -> Pairs:
    exact = _exact_by_total()
    found = sample_drop_by_total(3, deals=10 * DEALS, seed=seed, threads=1)
    return {f"payment of {total}": (found[total], exact[total]) for total in range(24, 46)}


@cache
def _exact_by_total() -> dict[int, Fraction]:
    return drop_by_total([3])[3]


GROUPS: dict[str, Callable[[int], Pairs]] = {
    **{
        f"odds, 3 players, several_tonks={reading}": _odds(3, TonkRules(several_tonks=reading))
        for reading in ("each", "first", "split", "void")
    },
    "odds, 6 players, low_tonk=20": _odds(6, TonkRules(low_tonk=20)),
    "odds given a hand": _odds(4, TonkRules(several_tonks="first"), hand="2d 3h 10c Kc 9s", up="5c"),
    "drop, 3 players": _drop("3d 4c 6s 2h 5h", 3, TonkRules(), up="Qd"),
    "drop, 2 players, drop_tie=dropper_loses": _drop("3d 4c 6s 2h 9h", 2, TonkRules(drop_tie="dropper_loses")),
    "drop, 3 players, lowest_only": _drop("3d 4c 6s 5h 9h", 3, TonkRules(drop_settlement="lowest_only")),
    "drop, 3 players, equal_pays": _drop("3d 4c 6s 5h 9h", 3, TonkRules(equal_pays="yes")),
    "totals of a hand": _totals,
    "drop by total, 3 players": _by_total,
}


def coverage(group: str, seeds: range) -> Iterator[tuple[str, int, int]]:
    """Yield, by quantity that can be judged: its name, the seeds whose interval covers it, and all seeds."""
    covered: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    # The first by itself: it also works out the exact values, which threads would each do for themselves.
    first = GROUPS[group](seeds[0])
    with ThreadPoolExecutor() as pool:
        for pairs in chain([first], pool.map(GROUPS[group], seeds[1:])):
            for name, (estimate, exact) in pairs.items():
                if name.startswith("payment") or _both_occur(estimate, exact):
                    judged[name] += 1
                    covered[name] += estimate.low <= exact <= estimate.high
    for name, n in judged.items():
        if n == len(seeds):
            yield name, covered[name], n


def _both_occur(estimate: Estimate, exact: Fraction) -> bool:
    """Tell whether a proportion's event, and its opposite, are frequent enough."""
    return min(exact, 1 - exact) * estimate.n >= LEAST_EXPECTED
