"""Questions about Ton (Тонь), one call each.

>>> from analysis.ton import simulate
>>> print(simulate(players=2, policies=["plain", "random"], deals=1000).points[0])
2.171 (95%: 2.05559 to 2.28641, n = 1,000)
"""

from analysis.ton.simulation import Simulation, simulate
from core.ton.rules import TonRules

__all__ = ["Simulation", "TonRules", "simulate"]
