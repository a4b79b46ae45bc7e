"""Parameters of a report: the assignments in its notebook's cell tagged `parameters`, overridden by `name=value`.

As papermill has it: one simple assignment a line, and what is overridden stands in a cell of its own right after them.
`PLAYERS = 3` is the parameter `players`; `RULES = TonkRules()` takes the rule set's fields, as in `low_tonk=20`.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import InputError
from core.ruleset import RuleSet, nearest
from core.ton.rules import TonRules
from core.tonk.rules import TonkRules

TAG = "parameters"
_RULE_SETS: Mapping[str, type[RuleSet]] = {rules.__name__: rules for rules in (TonkRules, TonRules)}


@dataclass(frozen=True)
class Settings:
    """Values given to a report's parameters: by name as text, and the code that sets them."""

    given: Mapping[str, str]
    rules: RuleSet | None
    code: str

    def __bool__(self) -> bool:
        """Tell whether anything is overridden."""
        return bool(self.given)

    def name(self, report: str) -> str:
        """Return the name of a report built with them: `tonk-opening,players=5`."""
        return ",".join([report, *(f"{name}={value}" for name, value in self.given.items())])

    def markdown(self) -> str:
        """Return what the report's first page says of them, and of the whole rule set that is used."""
        named = ", ".join(f"{name} = {value}" for name, value in self.given.items())
        lines = [f"Built with the parameters {named}."]
        if self.rules:
            fields = ", ".join(f"{name} = {_shown(value)}" for name, value in self.rules.as_dict().items())
            lines.append(f"All rules of {self.rules.game}: {fields}.")
        return "\n\n".join(lines)


@dataclass(frozen=True)
class Parameters:
    """The parameters of a notebook: their default values by name, and its default rule set."""

    values: Mapping[str, int | None]
    rules: RuleSet | None

    @property
    def names(self) -> list[str]:
        """All names that a setting may have: parameters, then the rule set's fields."""
        return [*self.values, *(self.rules.as_dict() if self.rules else ())]

    def settings(self, report: str, overrides: Sequence[str]) -> Settings:
        """Return what `name=value` texts set.

        Raises InputError, naming the report, for an unknown name, and for a value that the parameter does not take.
        """
        values: dict[str, int | None] = {}
        fields: dict[str, str] = {}
        for override in overrides:
            name, equals, text = (part.strip() for part in override.partition("="))
            if not equals:
                raise InputError(f"{override!r} is not of the form name=value")
            if name in self.values:
                values[name] = _number(name, text, self.values[name])
            elif self.rules and name in self.rules.as_dict():
                fields[name] = text
            else:
                raise InputError(f"unknown parameter {name!r} of {report}: {nearest(name, self.names)}")
        rules = self.rules.replace(**fields) if self.rules else None
        lines = [f"{name.upper()} = {value!r}" for name, value in values.items()]
        if rules and fields:
            changed = ", ".join(f"{name}={value!r}" for name, value in rules.changes().items())
            lines.append(f"RULES = {type(rules).__name__}({changed})")
        set_rules = {name: rules.as_dict()[name] for name in fields} if rules else {}
        given = {name: _shown(value) for name, value in {**values, **set_rules}.items()}
        return Settings(given, rules, "\n".join(lines))


def parameters(notebook: Any) -> Parameters:
    """Return the parameters of a notebook; none where no cell is tagged.

    Raises InputError for a tagged cell with anything but simple assignments.
    """
    values: dict[str, int | None] = {}
    rules = None
    for cell in notebook.cells:
        if not _is_tagged(cell):
            continue
        for line in ast.parse(cell.source).body:
            match line:
                case ast.Assign(targets=[ast.Name("RULES")], value=ast.Call(func=ast.Name(name), keywords=fields)):
                    rules = _RULE_SETS[name](**{str(field.arg): ast.literal_eval(field.value) for field in fields})
                case ast.Assign(targets=[ast.Name(name)], value=ast.Constant(int() | None as value)):
                    values[name.lower()] = value
                case _:
                    raise InputError(f"not a simple assignment of a whole number or a rule set: {ast.unparse(line)}")
    return Parameters(values, rules)


def inject(notebook: Any, settings: Settings) -> None:
    """Put the settings into a notebook, after its parameters."""
    import nbformat.v4

    if settings:
        cell = nbformat.v4.new_code_cell(settings.code, metadata={"tags": [f"injected-{TAG}"]})
        notebook.cells.insert(next(i for i, cell in enumerate(notebook.cells) if _is_tagged(cell)) + 1, cell)


def _is_tagged(cell: Any) -> bool:
    return cell.cell_type == "code" and TAG in cell.metadata.get("tags", ())


def _number(name: str, text: str, default: int | None) -> int | None:
    if default is None and text == "none":
        return None
    if text.isascii() and text.isdigit() and len(text) < 12:
        return int(text)
    raise InputError(f"{name} cannot be {text!r}: it takes a whole number{' or none' if default is None else ''}")


def _shown(value: object) -> str:
    return "none" if value is None else str(value)
