"""What the rule sets of both games share: a frozen dataclass of options, built from text, presets and TOML files.

A game's rule set subclasses RuleSet and lists its options as annotated fields:

- `Literal["a", "b"]`: one of these words, the default first;
- `int`: a whole number; `int | None`: the same, or `none` to switch it off.

`__post_init__` of the subclass calls `super().__post_init__()`, then checks its fields against each other.
"""

import difflib
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import NoneType
from typing import Any, ClassVar, Self, get_args, get_type_hints

from core.errors import InputError

# No rule takes a number near this.
_HUGE = 10**9


def nearest(name: str, known: Iterable[str]) -> str:
    """End an error line: the nearest known name, or all of them where none is near."""
    known = list(known)
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"


@dataclass(frozen=True)
class RuleSet(ABC):
    """Base of a game's rule set; see the module's docstring."""

    game: ClassVar[str]
    presets: ClassVar[Mapping[str, Mapping[str, object]]]

    def __post_init__(self) -> None:
        """Raise InputError for a value outside its field's choices."""
        for name, hint in self._hints().items():
            value = getattr(self, name)
            if not _fits(value, hint):
                raise InputError(_refusal(name, value, hint))

    @classmethod
    def _hints(cls) -> dict[str, Any]:
        hints = get_type_hints(cls)
        return {field.name: hints[field.name] for field in fields(cls)}

    @classmethod
    def options(cls) -> dict[str, tuple[str, ...] | None]:
        """Return each field's words, the default first; None for a field that takes a number."""
        return {name: _words(hint) or None for name, hint in cls._hints().items()}

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> Self:
        """Build a rule set from field names and values.

        Values may be text, as on a command line (`"15"`, `"none"`), or of the field's own type. Fields that are
        not named keep their default. Raises InputError for an unknown field or value, naming the nearest known one.
        """
        return cls(**cls._converted(options))

    @classmethod
    def _converted(cls, options: Mapping[str, object]) -> dict[str, Any]:
        hints = cls._hints()
        for name in options:
            if name not in hints:
                raise InputError(f"unknown {cls.game} rule {name!r}: {nearest(name, hints)}")
        return {name: _convert(name, value, hints[name]) for name, value in options.items()}

    @classmethod
    def load(cls, base: str | None = None, overrides: Iterable[str] = ()) -> Self:
        """Build a rule set from a preset's name or a TOML file, then `field=value` texts that override it.

        Raises InputError for an unknown preset, an unreadable or malformed file, an unknown field or value.
        """
        options = {} if base is None else dict(cls._base(base))
        for text in overrides:
            name, equals, value = text.partition("=")
            if not equals:
                raise InputError(f"{text!r} is not of the form field=value")
            options[name.strip()] = value.strip()
        return cls.from_options(options)

    @classmethod
    def _base(cls, base: str) -> Mapping[str, object]:
        if base in cls.presets:
            return cls.presets[base]
        if not base.endswith(".toml"):
            raise InputError(f"unknown {cls.game} preset {base!r}: {nearest(base, cls.presets)} (a file ends in .toml)")
        try:
            return tomllib.loads(Path(base).read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise InputError(f"cannot read {base!r}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise InputError(f"cannot read {base!r}: it is not UTF-8 text") from None
        except (ValueError, RecursionError) as error:
            # Besides TOMLDecodeError: a name with a zero byte, numbers and brackets beyond Python's own limits.
            raise InputError(f"{base!r} is not valid TOML: {' '.join(str(error).split())}") from None

    @abstractmethod
    def check_players(self, players: int) -> None:
        """Raise InputError when the game cannot be played by that many."""

    def replace(self, **changes: object) -> Self:
        """Return a copy with some fields changed, checked like a new rule set."""
        return type(self)(**self.as_dict() | type(self)._converted(changes))

    def as_dict(self) -> dict[str, Any]:
        """Return field names and values, in the order of the options table."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def changes(self) -> dict[str, Any]:
        """Return the fields that differ from the default rules."""
        default = type(self)().as_dict()
        return {name: value for name, value in self.as_dict().items() if value != default[name]}


def _words(hint: Any) -> tuple[str, ...]:
    return tuple(word for word in get_args(hint) if isinstance(word, str))


def _fits(value: object, hint: Any) -> bool:
    if words := _words(hint):
        return value in words
    if value is None:
        return NoneType in get_args(hint)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _HUGE


def _convert(name: str, value: object, hint: Any) -> object:
    """Turn text into the field's type; a value of another type goes through and is checked by the rule set."""
    if not isinstance(value, str) or _words(hint):
        return value
    text = value.strip().lower()
    if text == "none" and NoneType in get_args(hint):
        return None
    # Only ASCII digits: int() would also take "1_5", " 15 " and digits of other scripts.
    if text.lstrip("-").isascii() and text.removeprefix("-").isdigit() and len(text) < 12:
        return int(text)
    raise InputError(_refusal(name, value, hint))


def _refusal(name: str, value: object, hint: Any) -> str:
    if words := _words(hint):
        return f"{name} cannot be {_shown(value)}: {nearest(_shown(value).strip(chr(39)), words)}"
    also_none = " or none" if NoneType in get_args(hint) else ""
    return f"{name} cannot be {_shown(value)}: it takes a whole number{also_none}"


def _shown(value: object) -> str:
    """Return a value as an error line shows it: on one line, not too long."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print integers of many thousand digits
        text = "so large a number"
    return text if len(text) <= 60 else text[:60] + "…"
