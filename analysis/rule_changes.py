"""Which rule sets are compared: from texts of a command line, a sweep of fields, every value of an option."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from analysis.compare import Game
from core.errors import InputError
from core.ruleset import RuleSet, nearest

ALL = "all"


def swept(rules: RuleSet, sweeps: Sequence[str]) -> Iterator[tuple[dict[str, Any], RuleSet]]:
    """Yield each cell of a sweep: the values of its fields, and the rule set with them.

    A sweep is written `field=a,b,c`; several make a grid, of which the last field changes first.

    Raises InputError for what is not of that form, and as rule sets do.
    """
    fields: dict[str, list[str]] = {}
    for text in sweeps:
        name, equals, listed = (word.strip() for word in text.partition("="))
        if not equals or not listed:
            raise InputError(f"sweep {text!r} is not of the form field=a,b,c")
        if name in fields:
            raise InputError(f"sweep: {name} is named more than once")
        fields[name] = [value.strip() for value in listed.split(",")]
    for values in product(*fields.values()):
        cell = rules.replace(**dict(zip(fields, values, strict=True)))
        yield {name: getattr(cell, name) for name in fields}, cell


def each_value(game: Game, rules: RuleSet, names: Sequence[str]) -> Iterator[tuple[dict[str, Any], RuleSet]]:
    """Yield each other value of these options: the fields that it changes in a rule set, and the rule set with them.

    `all` names all options. Of words all others are tried, of numbers those of the game's `numbers`.

    Raises InputError for an option that is not known.
    """
    options = game.rules.options()
    for name in options if ALL in names else names:
        if name not in options:
            raise InputError(f"unknown {game.rules.game} rule {name!r}: {nearest(name, options)}")
        words = options[name]
        changes: Sequence[Mapping[str, Any]] = game.numbers[name] if words is None else [{name: word} for word in words]
        for change in changes:
            cell = rules.replace(**change)
            if cell != rules:
                yield dict(change), cell


def rule_set(game: Game, texts: Sequence[str]) -> RuleSet:
    """Return a rule set from texts, each `field=value`; one may be a preset or a file to start from.

    Raises InputError as `RuleSet.load` does, and for several presets.
    """
    bases = [text for text in texts if "=" not in text]
    if len(bases) > 1:
        raise InputError(f"{bases[0]!r} and {bases[1]!r}: a rule set starts from one preset or file")
    if bases and not bases[0].endswith(".toml") and bases[0] not in game.rules.presets:
        fields = difflib.get_close_matches(bases[0], game.rules.options(), n=1, cutoff=0.8)
        if fields:
            raise InputError(f"{bases[0]!r} is not of the form field=value")
    return game.rules.load(bases[0] if bases else None, [text for text in texts if "=" in text])
