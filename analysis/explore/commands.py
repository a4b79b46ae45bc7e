"""The command that prints what a page shows, so that whoever likes a number can have it again."""

from core.ruleset import RuleSet


def command(name: str, rules: RuleSet, **options: object) -> list[str]:
    """Return the words of a command: its options, then the rules that are not the defaults.

    >>> from core.tonk.rules import TonkRules
    >>> " ".join(command("tonk odds", TonkRules(high_tonk=None), players=3, deals=None))
    'tonlab tonk odds --players 3 --set high_tonk=none'
    """
    words = ["tonlab", *name.split()]
    for option, value in options.items():
        if value not in (None, ""):
            words += [f"--{option.replace('_', '-')}", str(value)]
    for rule, value in rules.changes().items():
        words += ["--set", f"{rule}={'none' if value is None else value}"]
    return words
