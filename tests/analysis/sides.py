"""A game of no cards, to try comparisons on: facts that are known beforehand, from a hash of the deal's number."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np

from analysis.compare import Game, Measure, Tuned
from analysis.effort import Effort
from analysis.estimate import Estimate
from core.errors import InputError
from core.ruleset import RuleSet


@dataclass(frozen=True, kw_only=True)
class CoinRules(RuleSet):
    """A coin falls `bias` times of 100, and pays `pay`."""

    game: ClassVar[str] = "Coin"
    presets: ClassVar[dict[str, dict[str, object]]] = {"fair": {}}
    bias: int = 50
    pay: int = 1
    colour: Literal["red", "blue"] = "red"

    def check_players(self, players: int) -> None:
        if players != 2:
            raise InputError("a coin takes two players")


@dataclass(frozen=True)
class Coins:
    """Throws a coin on each deal; the same deal's number decides under all rules, so that most deals are equal."""

    rules: CoinRules
    policies: tuple[str, ...]

    def facts(self, columns, seed, start, stop):
        thrown = hashed(np.arange(start, stop, dtype=np.uint64) + np.uint64(seed << 40))
        falls = (thrown % 100 < self.rules.bias).astype(np.int64)
        even = (thrown // 300 % 2 == 0).astype(np.int64)
        paid = self.rules.pay * falls * (1 + thrown // 100 % 3) + 5 * self.policies.count("tuned")
        facts = {"falls": falls, "even": even, "paid:0": paid, "paid:1": -paid}
        facts |= {"even_paid": even * paid, "even_falls": even * falls}
        return np.stack([facts[column] for column in columns], axis=1)

    def description(self) -> dict[str, Any]:
        return {"game": "coin", "rules": self.rules.as_dict(), "policies": list(self.policies)}


def hashed(numbers):
    """Return numbers below 10**6 that look random (the finalizer of splitmix64)."""
    numbers = numbers * np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return ((numbers ^ numbers >> np.uint64(31)) % np.uint64(10**6)).astype(np.int64)


def exact(name, rules, setting):
    if rules.bias == 99:
        return None
    return (Fraction(rules.bias, 100),)


def tuned(rules, setting, effort: Effort):
    return Tuned(("tuned",) * (rules.bias // 50), Estimate(0.1, 0.01, 0.08, 0.12, effort.deals or 0, 0.95, effort.seed))


MEASURES = {
    each.name: each
    for each in (
        Measure("chance", "it falls", "deal", column="falls", rate=True),
        Measure("known", "it falls, if that can be counted", "deal"),
        Measure("falls", "it falls", "hand", column="falls", rate=True),
        Measure("paid", "what is paid", "hand", "seat", column="paid"),
        Measure("even_paid", "what is paid to seat 0, on even deals", "hand", column="even_paid", among="even"),
        Measure("falls_even", "it falls, on even deals", "hand", column="even_falls", among="even", rate=True),
        Measure("matches", "what is paid in a match", "match", "seat", column="paid", step=10),
    )
}

COIN = Game(
    CoinRules,
    MEASURES,
    "plain",
    exact,
    lambda setting: setting.by_seat,
    lambda played, rules, policies: Coins(rules, policies),
    tuned,
    {"paid": 4},
    {"bias": ({"bias": 40}, {"bias": 60, "pay": 2}), "pay": ({"pay": 3},)},
    1000,
)
