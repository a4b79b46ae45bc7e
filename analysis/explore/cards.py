"""The card picker: places to fill (a hand, an up-card …) by clicking cards, or by typing them as the commands do.

One place is active; a click on a card puts it there or takes it out. A card that cannot go there is disabled, and a
line says why nothing more fits.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from nicegui import events, ui

from analysis.explore.elements import put, put_html, set_attributes
from analysis.explore.page import Page
from analysis.explore.state import Cards
from core.cards import format_cards
from core.errors import InputError


@dataclass(frozen=True)
class Place:
    """Where cards go: the page's field, its label, and how many it takes now."""

    name: str
    label: str
    size: Callable[[], int]


class Picker:
    """The places and the deck of one page."""

    def __init__(self, page: Page, places: Sequence[Place], deck: Sequence[int], copies: Callable[[], int]) -> None:
        """Put the picker; `copies` tells how often a card is in the deck now."""
        self._page, self._places, self._copies = page, places, copies
        self._active = next((place for place in places if not self._full(place)), places[0])
        self._boxes: dict[str, ui.element] = {}
        self._heads: dict[str, ui.html] = {}
        self._chosen: dict[str, ui.element] = {}
        self._inputs: dict[str, ui.input] = {}
        self._shown: dict[str, tuple[int, ...]] = {}
        with ui.element("div").classes("picker"):
            for place in places:
                self._put_place(place)
            ranks = len(deck) // 4
            self._cards: dict[int, ui.html] = {}
            with ui.element("div").classes(f"deck ranks-{ranks}").props("role=group") as group:
                set_attributes(group, aria_label=page.t("deck"))
                for number, card in enumerate(deck):
                    self._cards[card] = self._put_card(card, "first" if number % ranks == 0 else "")
            self._line = put("p", "", "hint", role="status")
            with ui.element("div").classes("buttons"):
                put("button", page.t("deal"), "plain", type="button").on("click", self._deal, args=[])
                put("button", page.t("clear"), "plain", type="button").on("click", self._clear, args=[])
        page.follow(self._show)
        self._show()

    def _put_place(self, place: Place) -> None:
        t = self._page.t
        with ui.element("div").classes("place").props(f"data-place={place.name}") as box:
            self._boxes[place.name] = box
            head = put("button", "", "head", type="button")
            head.on("click", partial(self._activate, place), args=[])
            self._heads[place.name] = head
            self._chosen[place.name] = ui.element("div").classes("chosen")
            typed = ui.input(on_change=partial(self._typed, place), placeholder="As 10h Td 2c")
            typed.without_auto_validation()
            typed.props("outlined dense debounce=300 spellcheck=false autocomplete=off autocapitalize=off")
            set_attributes(typed, aria_label=t("type.cards", place=place.label))
            typed.classes(f"field-{place.name}")
            self._inputs[place.name] = typed

    def _put_card(self, card: int, classes: str) -> ui.html:
        t = self._page.t
        button = put_html("button", t.face(card), f"card suit-{card // 13} {classes}", type="button")
        set_attributes(button, aria_label=t.card_name(card), data_card=format_cards([card]))
        return button.on("click", partial(self._clicked, card), args=[])

    def _cards_in(self, place: Place) -> tuple[int, ...]:
        cards: tuple[int, ...] = self._page.values[place.name]
        return cards

    def _full(self, place: Place) -> bool:
        return len(self._cards_in(place)) >= place.size()

    def _used(self, card: int) -> int:
        return sum(self._cards_in(place).count(card) for place in self._places)

    def _activate(self, place: Place) -> None:
        self._active = place
        self._show()

    def _clicked(self, card: int) -> None:
        cards = self._cards_in(self._active)
        if self._used(card) < self._copies() and not self._full(self._active):
            cards = (*cards, card)
        elif card in cards:
            cards = _without(cards, card)
        else:
            return
        if len(cards) >= self._active.size():
            changed = self._active
            self._active = next(
                (place for place in self._places if place is not changed and not self._full(place)), changed
            )
            self._page.change(**{changed.name: cards})
        else:
            self._page.change(**{self._active.name: cards})

    def _take_out(self, place: Place, card: int) -> None:
        self._active = place
        self._page.change(**{place.name: _without(self._cards_in(place), card)})

    def _typed(self, place: Place, event: events.ValueChangeEventArguments[str | None]) -> None:
        field, typed = self._page.fields[place.name], self._inputs[place.name]
        assert isinstance(field, Cards)
        try:
            cards = field.parse(event.value or "")
            self._check(place, cards)
        except InputError as error:
            typed.error = str(error)
            return
        typed.error = None
        self._shown[place.name] = cards
        self._page.change(**{place.name: cards})

    def _check(self, place: Place, cards: tuple[int, ...]) -> None:
        """Raise InputError in one line for cards that cannot be in this place now."""
        t = self._page.t
        if len(cards) > place.size():
            raise InputError(t("too.many", place=place.label, n=len(cards), most=place.size()))
        for card in cards:
            elsewhere = [other for other in self._places if other is not place and card in self._cards_in(other)]
            if cards.count(card) + sum(self._cards_in(other).count(card) for other in elsewhere) > self._copies():
                where = elsewhere[0].label if elsewhere else place.label
                raise InputError(t("used.in", card=t.card_name(card), place=where))

    def _deal(self) -> None:
        left = [card for card in self._cards for _ in range(self._copies())]
        random.shuffle(left)
        dealt: dict[str, Any] = {}
        for place in self._places:
            dealt[place.name] = tuple(sorted(left.pop() for _ in range(place.size())))
        self._page.change(**dealt)

    def _clear(self) -> None:
        self._active = self._places[0]
        self._page.change(**{place.name: () for place in self._places})
        self._show()

    def _show(self) -> None:
        """Bring all to the page's values."""
        for place in self._places:
            if len(self._cards_in(place)) > place.size():
                # What else was chosen leaves less room; the change shows all anew.
                self._page.change(**{place.name: self._cards_in(place)[: place.size()]})
                return
        t, active = self._page.t, self._active
        for place in self._places:
            cards = self._cards_in(place)
            self._boxes[place.name].visible = place.size() > 0
            head = self._heads[place.name]
            head.content = f"{place.label} <small>{len(cards)}/{place.size()}</small>"
            set_attributes(head, aria_pressed="true" if place is active else "false")
            if self._shown.get(place.name) != cards:
                self._inputs[place.name].error = None
                self._inputs[place.name].set_value(format_cards(cards))
                self._shown[place.name] = cards
            self._show_chosen(place, cards)
        full = self._full(active)
        for card, button in self._cards.items():
            here = card in self._cards_in(active)
            used = self._used(card) >= self._copies()
            set_attributes(
                button,
                aria_pressed="true" if self._used(card) else "false",
                disabled=not here and (full or used),
                data_elsewhere=used and not here,
            )
        left = active.size() - len(self._cards_in(active))
        key = "choose" if left > 0 else "place.full"
        self._line.content = t(key, place=active.label, n=left)

    def _show_chosen(self, place: Place, cards: tuple[int, ...]) -> None:
        t, chosen = self._page.t, self._chosen[place.name]
        chosen.clear()
        with chosen:
            for card in cards:
                button = put_html("button", t.face(card), f"card suit-{card // 13}", type="button")
                set_attributes(button, aria_label=t("take.out", card=t.card_name(card)))
                button.on("click", partial(self._take_out, place, card), args=[])


def _without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]
