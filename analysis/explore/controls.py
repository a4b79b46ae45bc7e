"""Controls that several pages have: a slider, a choice of words, the rules of a game."""

from collections.abc import Callable, Mapping, Sequence

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


def rule_controls(page: Page, names: tuple[str, ...]) -> None:
    """Put a control with its explanation for each of these rules, folded away while all are the defaults."""
    changed = any(page.values[name] != page.fields[name].default for name in names)
    with ui.element("details").classes("folded") as folded:
        set_attributes(folded, open=changed)
        put("summary", page.t("rules"))
        with ui.element("div").classes("rules"):
            for name in names:
                with ui.element("div").classes("rule"):
                    rule = _rule(page, name, name)
                    put("p", page.t.rule(rule.game.game, rule.name), "about-rule")


def rule_pairs(page: Page, names: tuple[str, ...], sides: Sequence[str]) -> None:
    """Put two controls for each of these rules, one for each side: the prefix of its fields' names."""
    t = page.t
    with ui.element("div").classes("sides"):
        for side in sides:
            _preset(page, names, side)
    for name in names:
        with ui.element("div").classes("rule"):
            rule = page.fields[sides[0] + name]
            assert isinstance(rule, Rule)
            put("p", name, "rule-name")
            put("p", t.rule(rule.game.game, name), "about-rule")
            with ui.element("div").classes("sides"):
                for side in sides:
                    _rule(page, side + name, t("variants.side", side=_letter(side)))


def _letter(side: str) -> str:
    return side.rstrip(".")[-1].upper()


def _preset(page: Page, names: tuple[str, ...], side: str) -> None:
    """Put a select that sets all rules of a side to those of a preset."""
    rule = page.fields[side + names[0]]
    assert isinstance(rule, Rule)

    def chosen(preset: str) -> None:
        rules = rule.game.load(preset).as_dict()
        page.change(**{side + name: page.fields[side + name].text(rules[name]) for name in names})

    def fits() -> str:
        """Return the preset that the side's rules are, if any."""
        for preset in rule.game.presets:
            rules = rule.game.load(preset).as_dict()
            if all(page.values[side + name] == page.fields[side + name].text(rules[name]) for name in names):
                return preset
        return ""

    label = f"{page.t('variants.side', side=_letter(side))}: {page.t('preset')}"
    select = _select(label, f"field-{side.replace('.', '-')}preset", chosen)

    def show() -> None:
        _show_words(select, ["", *rule.game.presets] if not fits() else list(rule.game.presets), fits())

    show()
    page.follow(show)


def _rule(page: Page, name: str, label: str) -> Rule:
    rule = page.fields[name]
    assert isinstance(rule, Rule)
    classes = "field-" + name.replace(".", "-")
    if rule.words:
        words = rule.words
        select = _select(label, classes, lambda word: page.change(**{name: word}))

        def show_word() -> None:
            _show_words(select, words, page.values[name])

        show_word()
        page.follow(show_word)
        return rule

    def typed(event: events.ValueChangeEventArguments[str | None]) -> None:
        try:
            value = rule.parse(event.value or "")
        except InputError as error:
            number.error = str(error)
            return
        number.error = None
        page.change(**{name: value})

    def show_number() -> None:
        # What is being typed stays while it is wrong.
        if number.error is None:
            number.set_value(page.values[name])

    with ui.element("label").classes("named"):
        put("span", label)
        number = ui.input(value=page.values[name], on_change=typed).without_auto_validation()
    number.props("outlined dense debounce=250 autocomplete=off").classes(classes)
    page.follow(show_number)
    return rule


def _select(label: str, classes: str, chosen: Callable[[str], None]) -> ui.html:
    """Put the browser's own select: light, and on a phone its large list."""
    with ui.element("label").classes("named"):
        put("span", label)
        select = put("select", "", classes)
    select.on("change", lambda event: chosen(str(event.args)), js_handler="(event) => emit(event.target.value)")
    return select


def _show_words(select: ui.html, words: Sequence[str], chosen: str) -> None:
    select.content = "".join(f"<option{' selected' if word == chosen else ''}>{word}</option>" for word in words)
