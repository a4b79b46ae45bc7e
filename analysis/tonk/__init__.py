"""Questions about Tonk, one call each: the chances of a TONK, dropping on the first turn, settling a drop, whole
hands by fixed policies.

>>> from analysis.tonk import odds
>>> odds(players=4).any
Fraction(314758886982339940136, 7699285643102312604345)
"""

from analysis.tonk.first_turn import Drop, drop
from analysis.tonk.opening import Odds, odds, odds_by_players
from analysis.tonk.simulation import Simulation, simulate
from core.tonk.payments import settle_drop as settle
from core.tonk.rules import TonkRules

__all__ = ["Drop", "Odds", "Simulation", "TonkRules", "drop", "odds", "odds_by_players", "settle", "simulate"]
