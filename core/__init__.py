"""What the two games are: cards, rules, exact counting, dealing. No statistics, no files, no plots."""

__version__ = "0.1.0"
