"""What a strategy can be made to lose, exactly: best replies in a game whose whole tree is at hand.

The sum of what both players' best replies gain on a pair of strategies is NashConv: 0 for an equilibrium, and half of
it is called exploitability. It needs players who forget nothing they have seen or done.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence

from core.ton.heads_up import Node
from core.ton.regrets import Strategy


def expected(roots: Sequence[Node], strategy: Strategy) -> float:
    """Return what seat 0 wins on average, in points, if both play by the strategy; unknown choices are all alike."""
    return sum(_value(root, strategy) for root in roots) / len(roots)


def best_reply_value(roots: Sequence[Node], strategy: Strategy, seat: int) -> float:
    """Return what the seat wins on average, in points, by the best reply to the other's part of the strategy. Exact."""
    reply = _BestReply(roots, strategy, seat)
    return sum(reply.value(root) for root in roots) / len(roots)


def nash_conv(roots: Sequence[Node], strategy: Strategy) -> float:
    """Return how much both players together gain by best replies, in points a hand. Exact; 0 for an equilibrium.

    What the players win by the strategy itself cancels out: it is a zero-sum game.
    """
    return sum(best_reply_value(roots, strategy, seat) for seat in (0, 1))


def chances(node: Node, strategy: Strategy) -> Sequence[float]:
    """Return the strategy's chances at a node; where it has none, all choices are equally likely."""
    return strategy.get(node.key) or [1 / node.choices] * node.choices


def _value(node: Node, strategy: Strategy) -> float:
    if node.seat is None:
        return node.payoff
    parts = enumerate(chances(node, strategy))
    return sum(chance * _value(node.child(choice), strategy) for choice, chance in parts if chance > 0)


class _BestReply:
    """One player's best reply: his choice for each state of knowledge, found when it is first needed."""

    def __init__(self, roots: Sequence[Node], strategy: Strategy, seat: int) -> None:
        self._strategy, self._seat = strategy, seat
        self._choices: dict[Hashable, int] = {}
        self._values: dict[int, float] = {}
        # By what the player knows: the nodes that he may be at, each with its chance, were he to go there.
        self._nodes: dict[Hashable, list[tuple[Node, float]]] = defaultdict(list)
        for root in roots:
            self._collect(root, 1.0)

    def value(self, node: Node) -> float:
        """Return what the player wins from a node on."""
        if id(node) not in self._values:
            self._values[id(node)] = self._find_value(node)
        return self._values[id(node)]

    def _find_value(self, node: Node) -> float:
        if node.seat is None:
            return node.payoff if self._seat == 0 else -node.payoff
        if node.seat == self._seat:
            return self.value(node.child(self._choice(node)))
        parts = enumerate(chances(node, self._strategy))
        return sum(chance * self.value(node.child(choice)) for choice, chance in parts)

    def _choice(self, node: Node) -> int:
        if node.key not in self._choices:
            alike = self._nodes[node.key]
            values = [
                sum(chance * self.value(other.child(choice)) for other, chance in alike)
                for choice in range(node.choices)
            ]
            self._choices[node.key] = values.index(max(values))
        return self._choices[node.key]

    def _collect(self, node: Node, chance: float) -> None:
        if node.seat is None:
            return
        if node.seat == self._seat:
            self._nodes[node.key].append((node, chance))
        own = node.seat == self._seat
        for choice, part in enumerate([1.0] * node.choices if own else chances(node, self._strategy)):
            self._collect(node.child(choice), chance * part)
