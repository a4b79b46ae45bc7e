"""Questions about Ton (Тонь), one call each: trumps on the deal, hands sure of a bid of five, simulated hands,
matches.

>>> from analysis.ton import odds, simulate
>>> odds(players=3).sure_five
Fraction(1, 5236)
>>> print(simulate(players=2, policies=["plain", "random"], deals=1000).points[0])
2.171 (95%: 2.05559 to 2.28641, n = 1,000)
"""

from analysis.ton.buyin import BuyIn, buy_in
from analysis.ton.match import Match, match
from analysis.ton.opening import TonOdds, odds, sure_of_all
from analysis.ton.simulation import Simulation, simulate
from core.ton.rules import TonRules

__all__ = ["BuyIn", "Match", "Simulation", "TonOdds", "TonRules", "buy_in", "match", "odds", "simulate", "sure_of_all"]
