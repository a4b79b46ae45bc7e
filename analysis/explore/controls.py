"""Controls that several pages have: a slider, a choice of words, the rules of a game."""

from collections.abc import Callable, Mapping

from nicegui import events, ui

from analysis.explore.elements import put, set_attributes
from analysis.explore.page import Page
from analysis.explore.state import Rule, Whole, Word
from core.errors import InputError


def slider(page: Page, name: str, label: str, most: Callable[[], int] | None = None) -> None:
    """Put a slider for a whole number; `most` tells its greatest value now, if the field's own is not it."""
    field = page.fields[name]
    assert isinstance(field, Whole)

    def moved(event: events.ValueChangeEventArguments[float | None]) -> None:
        if event.value is not None:
            page.change(**{name: int(event.value)})

    with ui.element("div").classes("control"):
        text = put("span", "", "label")
        control = ui.slider(min=field.least, max=field.most, value=page.values[name], on_change=moved)
        control.props("markers snap").classes(f"field-{name}")

    def show() -> None:
        value, last = page.values[name], most() if most else field.most
        text.content = f"{label}: {value}"
        set_attributes(control, aria_label=label, max=last, disable=last == field.least)
        control.set_value(value)

    show()
    page.follow(show)


def choice(page: Page, name: str, label: str, texts: Mapping[str, str]) -> None:
    """Put buttons, one for each word."""
    field = page.fields[name]
    assert isinstance(field, Word)
    with ui.element("div").classes("control"):
        put("span", label, "label")
        control = ui.toggle(
            {word: texts[word] for word in field.words},
            value=page.values[name],
            on_change=lambda event: page.change(**{name: event.value}),
        )
        control.props("no-caps unelevated spread").classes(f"field-{name}")
        set_attributes(control, aria_label=label, role="group")


def rule_controls(page: Page, names: tuple[str, ...], prefix: str = "") -> None:
    """Put a control with its explanation for each of these rules."""
    with ui.element("div").classes("rules"):
        for name in names:
            with ui.element("div").classes("rule"):
                _rule(page, prefix + name)


def _rule(page: Page, name: str) -> None:
    rule = page.fields[name]
    assert isinstance(rule, Rule)

    def changed(event: events.ValueChangeEventArguments[str | None]) -> None:
        try:
            value = rule.parse(event.value or "")
        except InputError as error:
            control.error = str(error)
            return
        control.error = None
        page.change(**{name: value})

    control: ui.select | ui.input
    if rule.words:
        control = ui.select(list(rule.words), label=rule.name, value=page.values[name], on_change=changed)
        control.props("outlined dense options-dense")
    else:
        control = ui.input(label=rule.name, value=page.values[name], on_change=changed)
        control.props("outlined dense debounce=250 autocomplete=off")
    control.classes("field-" + name.replace(".", "-"))
    put("p", page.t.rule(rule.game.game, rule.name), "about-rule")
