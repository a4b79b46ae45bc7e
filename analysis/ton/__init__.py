"""Questions about Ton (Тонь), one call each."""

from core.ton.replay import replay
from core.ton.rules import TonRules

__all__ = ["TonRules", "replay"]
