"""Questions about Ton (Тонь), one call each: the chances of trumps on the deal, and hands sure of a bid of five.

>>> from analysis.ton import odds
>>> odds(players=3).sure_five
Fraction(1, 5236)
"""

from analysis.ton.opening import TonOdds, odds, sure_of_all
from core.ton.rules import TonRules

__all__ = ["TonOdds", "TonRules", "odds", "sure_of_all"]
