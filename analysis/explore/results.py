"""How answers are shown: HTML tables of exact and estimated numbers, never by colour alone. No browser is needed.

Each number stands in a `<data value="…">` with all its digits, so that whoever reads the page by program finds it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from math import floor, log10

from analysis.estimate import Estimate
from analysis.explore.texts import Texts

Quantity = Fraction | Estimate
# A name for programs, a label for people, what the two sides have, and whether these are chances.
Pair = tuple[str, str, Quantity, Quantity, bool]
# A longer fraction is folded away.
_LONG = 40


@dataclass(frozen=True)
class Row:
    """A line of a table: a name for programs, a label for people, a quantity, and whether it is a chance."""

    name: str
    label: str
    value: Quantity
    chance: bool = True


@dataclass(frozen=True)
class Choice:
    """A choice of a player, named as the command line does: what it gives, and what that is against another one.

    `worse` tells whether the intervals leave no doubt that the best one gives more.
    """

    name: str
    value: Estimate
    against: Estimate
    worse: bool
    extra: tuple[tuple[str, Estimate, bool], ...] = ()


def table(t: Texts, caption: str, rows: Iterable[Row]) -> str:
    """Return a table of quantities, each with how it is known."""
    lines = [
        f'<tr data-name="{escape(row.name)}"><th scope="row">{escape(row.label)}</th>'
        f'<td class="value">{_number(row.value, row.chance)}</td><td class="bar">{_share(row)}</td>'
        f'<td class="how">{_how(t, row.value, row.chance)}</td></tr>'
        for row in rows
    ]
    return f'<table class="numbers"><caption>{escape(caption)}</caption><tbody>{"".join(lines)}</tbody></table>'


def ranking(t: Texts, caption: str, unit: str, against: str, choices: Sequence[Choice]) -> str:
    """Return choices, best first, each with its interval drawn on a common scale."""
    low = min(choice.value.low for choice in choices)
    high = max(choice.value.high for choice in choices)
    lines = []
    for place, choice in enumerate(choices, 1):
        extra = "".join(
            f'<span class="extra">{escape(label)} {_number(value, chance)}</span>'
            for label, value, chance in choice.extra
        )
        lines.append(
            f'<tr data-name="{escape(choice.name)}"{" class=best" if place == 1 else ""}>'
            f'<th scope="row"><span class="place">{"★" if place == 1 else place}</span> {t.cards(choice.name)}</th>'
            f'<td class="value">{_number(choice.value, chance=False)}</td>'
            f'<td class="bar">{_interval(t, choice.value, low, high)}</td>'
            f'<td class="how">{_between(choice.value, 1)}{extra}</td>'
            f'<td class="against">{_difference(choice.against)}</td></tr>'
        )
    heads = ("", t("column.value", unit=unit), t("column.scale"), t("column.interval"), against)
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    n = max(choice.value.n for choice in choices)
    return (
        f'<table class="ranking"><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
        f"{sampled(t, n, choices[0].value.seed)}"
    )


def side_by_side(t: Texts, caption: str, heads: Sequence[str], rows: Iterable[Pair]) -> str:
    """Return a table of two sides: for each quantity a, b and, where both are exact, b - a."""
    lines = []
    for name, label, a, b, chance in rows:
        difference = "—"
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            difference = ("+" if b > a else "") + _number(b - a, chance)
        cells = "".join(
            f'<td class="value">{_number(x, chance)}<div class="how">{_short(t, x, chance)}</div></td>' for x in (a, b)
        )
        lines.append(
            f'<tr data-name="{escape(name)}"><th scope="row">{escape(label)}</th>{cells}'
            f'<td class="value">{difference}</td></tr>'
        )
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in ("", *heads))
    return (
        f'<table class="compared"><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def best_of(t: Texts, unit: str, choices: Sequence[Choice]) -> str:
    """Say which choice is best and what it gives, and which ones the intervals do not tell from it."""
    close = [choice for choice in choices[1:] if not choice.worse]
    said = verdict(
        t("best" if close else "best.sure", what=t.cards(choices[0].name))
        + f": {as_number(choices[0].value, 2)} {escape(unit)}"
    )
    if close:
        said += f'<p class="note">{t("best.close", what=", ".join(t.cards(choice.name) for choice in close))}</p>'
    return said


def sampled(t: Texts, deals: int, seed: int) -> str:
    """Say what estimates rest on."""
    note = escape(t("estimated", n=t.whole(deals), seed=seed))
    return (
        f'<p class="note" data-deals="{deals}"><span class="tag estimate">≈ {escape(t("estimate"))}</span> {note}</p>'
    )


def verdict(text: str) -> str:
    """Return the answer in a sentence; `text` is HTML."""
    return f'<p class="verdict">{text}</p>'


def paragraph(text: str, kind: str = "note") -> str:
    """Return a paragraph of plain text."""
    return f'<p class="{kind}">{escape(text)}</p>'


def error_line(t: Texts, message: str) -> str:
    """Return the one line that says what is wrong."""
    return f'<p class="error" role="alert"><span class="tag">! {escape(t("wrong"))}</span> {escape(message)}</p>'


def command_line(t: Texts, words: Sequence[str]) -> str:
    """Return the command that prints the same numbers."""
    text = " ".join(f'"{word}"' if " " in word else word for word in words)
    return f'<p class="command">{escape(t("command"))} <code>{escape(text)}</code></p>'


def as_percent(value: Quantity) -> str:
    """Return a chance in percent."""
    return _percent(_float(value))


def as_number(value: Quantity, digits: int) -> str:
    """Return a number with so many decimals."""
    return _signed(f"{_float(value):.{digits}f}")


def _float(value: Quantity) -> float:
    return value.value if isinstance(value, Estimate) else float(value)


def _number(value: Quantity, chance: bool) -> str:
    number = _float(value)
    return f'<data value="{number!r}">{_percent(number) if chance else _signed(f"{number:.3f}")}</data>'


def _percent(number: float) -> str:
    """Return a chance in percent, to four digits or three of a small one."""
    percent = 100 * number
    if percent == 0:
        return "0 %"
    digits = 3 - floor(log10(abs(percent))) if abs(percent) >= 0.1 else 2 - floor(log10(abs(percent)))
    return _signed(f"{percent:.{max(0, digits)}f} %")


def _signed(text: str) -> str:
    return text.replace("-", "−")


def _share(row: Row) -> str:
    """Return a bar as long as the chance; it repeats the number, so screen readers pass it over."""
    if not row.chance:
        return ""
    return f'<div class="share" aria-hidden="true"><i style="width:{100 * min(1, _float(row.value)):.3f}%"></i></div>'


def _how(t: Texts, value: Quantity, chance: bool) -> str:
    """Return how a quantity is known: the fraction, or the interval and what it rests on."""
    if isinstance(value, Estimate):
        between = _between(value, 100, " %") if chance else _between(value, 1)
        tag = f'<span class="tag estimate">≈ {escape(t("estimate"))}</span>'
        return f"{tag} {between}, {escape(t('deals', n=t.whole(value.n)))}"
    tag = f'<span class="tag exact">= {escape(t("exact"))}</span>'
    odds = f' <span class="one-in">{escape(_one_in(t, value))}</span>' if chance and 0 < value < Fraction(1, 2) else ""
    text = str(value)
    if len(text) > _LONG:
        fraction = f"<details><summary>{escape(t('fraction'))}</summary><code>{text}</code></details>"
    else:
        fraction = f"<code>{text}</code>"
    return f"{tag}{odds} {fraction}"


def _short(t: Texts, value: Quantity, chance: bool) -> str:
    if isinstance(value, Estimate):
        between = _between(value, 100, " %") if chance else _between(value, 1)
        return f'<span class="tag estimate">≈</span> {between}'
    return f'<span class="tag exact">= {escape(t("exact"))}</span>'


def _one_in(t: Texts, chance: Fraction) -> str:
    times = 1 / float(chance)
    return t("one.in", n=t.whole(round(times)) if times >= 10 else f"{times:.1f}")


def _between(value: Estimate, scale: float, unit: str = "") -> str:
    low, high = (_signed(f"{scale * end:.3f}") for end in (value.low, value.high))
    return f'<span class="between">{low} … {high}{unit}</span>'


def _difference(value: Estimate) -> str:
    if value.se == value.value == 0:
        return "—"
    half = _signed(f"{value.half_width:.3f}")
    return f'<data value="{value.value!r}">{_signed(f"{value.value:+.3f}")}</data> ± {half}'


def _interval(t: Texts, value: Estimate, low: float, high: float) -> str:
    """Return an interval drawn on the scale low .. high, with a mark at the value and, where it lies there, at 0."""
    width = (high - low) or 1.0

    def place(x: float) -> str:
        return f"{100 * (x - low) / width:.2f}%"

    zero = f'<b style="left:{place(0)}"></b>' if low < 0 < high else ""
    label = t("interval.alt", value=f"{value.value:.3f}", low=f"{value.low:.3f}", high=f"{value.high:.3f}")
    return (
        f'<div class="interval" role="img" aria-label="{escape(label)}">{zero}'
        f'<i style="left:{place(value.low)};right:calc(100% - {place(value.high)})"></i>'
        f'<u style="left:{place(value.value)}"></u></div>'
    )
