"""Monte-Carlo counterfactual regret minimisation, readably: external sampling, with weights that grow.

Lanctot, Waugh, Zinkevich and Bowling 2009, "Monte Carlo sampling for regret minimization in extensive games"; the
weights are of the kind of Brown and Sandholm 2019, "Solving imperfect-information games via discounted regret
minimization": what iteration t adds counts t + 1 times in regrets, and its square in the average strategy, so that the
first, blind iterations are soon outweighed.

Each iteration deals once and walks the tree for one of the players, in turn: all his choices, and one of the other's,
drawn by the other's present strategy. Regret matching makes a strategy of regrets: each choice in proportion to its
regret, if that is positive. What converges to an equilibrium is the average strategy.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from core.ton.heads_up import Node

Strategy = Mapping[Hashable, Sequence[float]]
# Words of random numbers are 32 bits long.
_WORDS = 2.0**-32


class Regrets:
    """What the iterations so far have added up, by what a player knows: regrets, and the average strategy's sums."""

    def __init__(self) -> None:
        """Start without any."""
        self.regrets: dict[Hashable, list[float]] = {}
        self.sums: dict[Hashable, list[float]] = {}

    def iterate(self, iteration: int, root: Node, words: Iterator[int]) -> float:
        """Do one iteration, for player `iteration` modulo 2, on the tree after a deal; return what he gets there."""
        return self._walk(root, iteration % 2, iteration + 1.0, words)

    def average(self) -> dict[Hashable, list[float]]:
        """Return the average strategy; where a player has not been asked yet, all his choices are equally likely."""
        found = {}
        for key, sums in self.sums.items():
            total = sum(sums)
            found[key] = [part / total if total > 0 else 1 / len(sums) for part in sums]
        return found

    def _walk(self, node: Node, seat: int, weight: float, words: Iterator[int]) -> float:
        if node.seat is None:
            return float(node.payoff if seat == 0 else -node.payoff)
        if node.choices == 1:
            return self._walk(node.child(0), seat, weight, words)
        regrets = self.regrets.setdefault(node.key, [0.0] * node.choices)
        sums = self.sums.setdefault(node.key, [0.0] * node.choices)
        chances = match_regrets(regrets)
        if node.seat != seat:
            for choice, chance in enumerate(chances):
                sums[choice] += weight * weight * chance
            return self._walk(node.child(draw(chances, next(words))), seat, weight, words)
        values = [self._walk(node.child(choice), seat, weight, words) for choice in range(node.choices)]
        mean = 0.0
        for choice, chance in enumerate(chances):
            mean += chance * values[choice]
        for choice, value in enumerate(values):
            regrets[choice] += weight * (value - mean)
        return mean


def match_regrets(regrets: Sequence[float]) -> list[float]:
    """Return the strategy of regret matching: in proportion to positive regrets; without any, all choices alike."""
    total = 0.0
    for regret in regrets:
        total += max(regret, 0.0)
    return [max(regret, 0.0) / total if total > 0 else 1 / len(regrets) for regret in regrets]


def draw(chances: Sequence[float], word: int) -> int:
    """Return a choice drawn by its chances with one random word."""
    left = word * _WORDS
    for choice, chance in enumerate(chances[:-1]):
        left -= chance
        if left < 0:
            return choice
    return len(chances) - 1


def solve(roots: Sequence[Node], iterations: int, words: Callable[[int], Iterator[int]]) -> Regrets:
    """Do that many iterations on a game of equally likely roots; `words` gives an iteration's random words."""
    found = Regrets()
    for iteration in range(iterations):
        source = words(iteration)
        found.iterate(iteration, roots[next(source) * len(roots) >> 32], source)
    return found
