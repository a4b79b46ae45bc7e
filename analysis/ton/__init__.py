"""Questions about Ton (Тонь), one call each."""

from core.ton.rules import TonRules

__all__ = ["TonRules"]
