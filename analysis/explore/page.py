"""One open page in one tab: its language and values, its link, its frame, and what follows a change."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from html import escape
from typing import Any

from nicegui import ui

from analysis.explore.answers import Answers
from analysis.explore.elements import put, set_attributes
from analysis.explore.state import Field, Values, read, write
from analysis.explore.texts import LANGUAGES, Texts

# Address and name of each page, in the order of the menu.
MENU = {
    "/tonk/odds": "odds",
    "/tonk/drop": "drop",
    "/tonk/position": "position",
    "/ton/buyin": "buyin",
    "/variants": "variants",
}


class Page:
    """The values of a page; two tabs have one each."""

    def __init__(self, path: str, fields: Mapping[str, Field], query: Mapping[str, str], lang: str) -> None:
        """Read the values from a link; `lang` is the language of a link that names none."""
        self.path, self.fields, self._home_lang = path, fields, lang
        named = query.get("lang", lang)
        self.t = Texts(named if named in LANGUAGES else lang)
        self.values, self.wrong = read(fields, {name: text for name, text in query.items() if name != "lang"})
        self._followers: list[Callable[[], None]] = []

    def follow(self, follower: Callable[[], None]) -> None:
        """Call this after each change, in the order of the calls here."""
        self._followers.append(follower)

    def change(self, **values: Any) -> None:
        """Take new values, put them in the link, and let all follow."""
        if all(self.values[name] == value for name, value in values.items()):
            return
        self.values.update(values)
        ui.navigate.history.replace(self.link())
        for follower in self._followers:
            follower()

    def answer(self, place: Answers, answers: Callable[[Values, Texts], Iterator[str]]) -> None:
        """Ask for answers to the values now, and anew after each change, which the work in hand does not see."""

        def ask() -> None:
            values = dict(self.values)
            place.ask(lambda: answers(values, self.t))

        self.follow(ask)
        ask()

    def link(self, path: str | None = None, lang: str | None = None) -> str:
        """Return the link of this page as it is, or of another page as it opens; perhaps in another language."""
        lang = lang or self.t.lang
        parts = [] if path else [write(self.fields, self.values)]
        parts.append("" if lang == self._home_lang else f"lang={lang}")
        query = "&".join(part for part in parts if part)
        return f"{path or self.path}{'?' if query else ''}{query}"

    @contextmanager
    def frame(self) -> Iterator[tuple[ui.element, ui.element]]:
        """Lay out the page: menu, heading, and the places for the choices and for the answers."""
        t, name = self.t, MENU[self.path]
        ui.page_title(f"{t(name + '.menu')} · tonlab")
        ui.add_body_html(f'<script>document.documentElement.lang = "{t.lang}"</script>')
        # Painted before any other script has run.
        ui.add_body_html(f'<p class="loading">{escape(t(name + ".title"))} · {escape(t("loading"))}</p>')
        with ui.element("header"):
            put("span", "tonlab", "brand")
            with ui.element("nav") as menu:
                set_attributes(menu, aria_label=t("menu"))
                for path, key in MENU.items():
                    here = "page" if path == self.path else False
                    put("a", t(key + ".menu"), href=self.link(path), aria_current=here)
            for lang, label in LANGUAGES.items():
                if lang != t.lang:
                    switch = put(
                        "button", lang.upper(), "lang", type="button", lang=lang, aria_label=label, title=label
                    )
                    switch.on("click", lambda lang=lang: ui.navigate.to(self.link(lang=lang)), args=[])
        with ui.element("div").classes("page"):
            put("h1", t(name + ".title"))
            put("p", t(name + ".about"), "about")
            for line in self.wrong:
                put("p", t("link.wrong", what=line), "error", role="alert")
            with ui.element("div").classes(f"columns {name}"):
                choices = ui.element("section").classes("choices")
                set_attributes(choices, aria_label=t("choices"))
                answers = ui.element("section").classes("results")
                set_attributes(answers, aria_label=t("answers"))
        yield choices, answers
