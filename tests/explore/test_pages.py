"""The dashboard in a real browser: what is clicked and typed is asked, and what is shown is what Python answers."""

import os
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from analysis.explore.page import MENU
from analysis.ton import TonRules, buy_in
from analysis.ton import odds as ton_odds
from analysis.tonk import TonkRules, drop, odds, simulate
from analysis.tonk.advice import advise, view_of_deal

# One dashboard and one browser serve all tests of this file, so one worker runs them.
pytestmark = pytest.mark.xdist_group("browser")
Tab = Callable[..., Any]
# Looks are checked on two pages, on all of them where TONLAB_PAGES is set: a page takes seconds to load.
LOOKS = list(MENU) if os.environ.get("TONLAB_PAGES") else [*MENU][2:4]
HAND = "10s 8d 8h 5s 4c"


def number(page: Any, row: str, column: int = 0) -> float:
    """Return a number of a row of the answers."""
    return float(page.locator(f'.answers tr[data-name="{row}"] data').nth(column).get_attribute("value"))


def wait_for_number(page: Any, row: str, value: float) -> None:
    """Wait until a row shows a number."""
    page.wait_for_function(
        """([row, value]) => {
            const shown = document.querySelector(`.answers tr[data-name="${row}"] data`)
            return shown && Math.abs(shown.value - value) <= 1e-12
        }""",
        arg=[row, value],
    )


def wait_until_done(page: Any) -> None:
    page.wait_for_selector(".state[data-state=done]")


def click(page: Any, cards: str) -> None:
    for card in cards.split():
        page.click(f'.deck [data-card="{card}"]')
        page.wait_for_selector(f'.deck [data-card="{card}"][aria-pressed=true]')


def move(page: Any, name: str, steps: int, text: str) -> None:
    """Move a slider by the keyboard, as many steps to the right."""
    page.focus(f".field-{name} [tabindex='0']")
    for _ in range(steps):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"text={text}")


def fields(page: Any) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_odds_follow_the_players_slider(tab: Tab) -> None:
    page = tab("/")
    wait_for_number(page, "any", float(odds(3).any))
    move(page, "players", 2, "Players: 5")
    expected = odds(5)
    wait_for_number(page, "any", float(expected.any))
    assert number(page, "exactly-2") == float(expected.exactly[2])
    assert "1 in 96" in page.inner_text('.answers tr[data-name="single"]')
    assert "3371/324870" in page.inner_text('.answers tr[data-name="single"]')
    assert fields(page) == {"players": ["5"]}


def test_odds_given_a_hand_that_is_clicked(tab: Tab) -> None:
    page = tab("/tonk/odds")
    click(page, "As 2d 3h 10c")
    page.wait_for_selector("text=cards missing: 1")
    assert number(page, "any") == float(odds(3).any)
    click(page, "Kc 5c")  # the hand is full: the next card is the up-card
    expected = odds(3, hand="As 2d 3h 10c Kc", up="5c")
    wait_for_number(page, "any", float(expected.any))
    assert number(page, "payment") == float(expected.payment[0])
    assert fields(page) == {"hand": ["As 2d 3h 10c Kc"], "up": ["5c"]}
    page.click('.chosen [aria-label="five of clubs: take it out"]')
    wait_for_number(page, "any", float(odds(3, hand="As 2d 3h 10c Kc").any))


def test_odds_that_take_long_are_estimated_first(tab: Tab) -> None:
    page = tab("/tonk/odds?low_tonk=20&players=4")
    wait_until_done(page)
    wait_for_number(page, "any", float(odds(4, TonkRules(low_tonk=20)).any))


def test_a_full_place_and_used_cards_take_no_more(tab: Tab) -> None:
    page = tab("/tonk/drop")
    assert page.is_disabled('.deck [data-card="As"]')
    assert page.is_disabled('.deck [data-card="5c"]')  # the up-card
    page.click('.deck [data-card="10s"]')
    page.wait_for_selector('.deck [data-card="10s"][aria-pressed=false]')
    assert page.is_enabled('.deck [data-card="As"]')
    assert page.is_disabled('.deck [data-card="5c"]')
    page.wait_for_selector("text=Cards still missing: 1")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("10s 8d 8h 5s 5s", "five of spades is already used: Your hand"),
        ("10s 8d 8h 5s Zz", "'Zz' is not a card"),
        ("10s 8d 8h 5s 4c 3c", "5 at most"),
        ("10s 8d 8h 5s 5c", "five of clubs is already used: Up-card"),
    ],
)
def test_wrong_cards_are_told_beside_the_field(tab: Tab, typed: str, said: str) -> None:
    page = tab("/tonk/drop")
    page.fill("input.field-hand, .field-hand input", typed)
    page.wait_for_selector(f".place[data-place=hand] >> text={said}")
    assert number(page, "p_win") == float(drop(HAND, 3, up="5c").p_win)
    page.fill("input.field-hand, .field-hand input", "Тп 8б 8ч 5п 4к")
    wait_for_number(page, "p_win", float(drop("As 8d 8h 5s 4c", 3, up="5c").p_win))
    assert page.locator(f"text={said}").count() == 0


def test_rules_that_contradict_each_other_are_told_in_a_line(tab: Tab) -> None:
    page = tab("/tonk/odds")
    page.click("summary")
    page.fill(".field-low_tonk input", "50")
    page.wait_for_selector(".answers [role=alert] >> text=low_tonk 50 must lie below high_tonk 49")
    page.fill(".field-low_tonk input", "many")
    page.wait_for_selector("text='many' is not a whole number")
    page.fill(".field-low_tonk input", "13")
    wait_for_number(page, "any", float(odds(3, TonkRules(low_tonk=13)).any))


def test_a_hand_that_is_a_tonk_is_told_in_a_line(tab: Tab) -> None:
    page = tab("/tonk/drop?hand=As+2s+3s+4s+5s")
    page.wait_for_selector(".answers [role=alert] >> text=a TONK is declared, not dropped")


def test_drop_shows_what_python_answers(tab: Tab) -> None:
    page = tab("/tonk/drop?players=4&drop_tie=dropper_loses")
    expected = drop(HAND, 4, TonkRules(drop_tie="dropper_loses"), up="5c")
    for name in ("payment", "p_win", "p_less", "p_no_tonk"):
        wait_for_number(page, name, float(getattr(expected, name)))


def test_a_position_is_what_as_many_deals_give(tab: Tab) -> None:
    page = tab("/tonk/position?players=4")
    wait_until_done(page)
    deals = int(page.get_attribute("[data-deals]", "data-deals"))
    found = advise(view_of_deal(4, HAND, "5c", TonkRules()), deals=deals)
    for action in found.actions:
        assert number(page, action.action) == action.payment.value
    assert found.actions[0].action == page.get_attribute(".ranking .best", "data-name")


def test_a_position_after_the_draw_takes_six_cards(tab: Tab) -> None:
    page = tab("/tonk/position")
    page.click(".field-turn button:has-text('after the draw')")
    page.wait_for_selector("text=Cards still missing: 1")
    click(page, "8c")
    page.wait_for_selector('.answers tr[data-name="lay 8h 8d 8c"]')
    assert fields(page) == {"turn": ["after"], "hand": [HAND + " 8c"]}


def test_the_buy_in_narrows_and_is_what_as_many_deals_give(tab: Tab) -> None:
    page = tab("/ton/buyin?players=4&seat=2")
    page.click(".place[data-place=seen] .head")
    click(page, "6c Kd")
    page.wait_for_function("document.querySelector('.command code')?.textContent.includes('--seen')")
    first = int(page.get_attribute("[data-deals]", "data-deals"))
    page.wait_for_function(f"document.querySelector('[data-deals]').dataset.deals > {2 * first}")
    page.goto("about:blank")
    page = tab("/ton/buyin?players=2")
    page.click(".place[data-place=hand] .head")
    wait_until_done(page)
    deals = int(page.get_attribute("[data-deals]", "data-deals"))
    found = buy_in("As 7d 8d Jh 9c", "9s", 2, deals=deals)
    assert [row.get_attribute("data-name") for row in page.locator(".ranking tbody tr").all()] == [
        option.option for option in found.options
    ]
    for option in found.options:
        assert number(page, option.option) == option.points.value
        assert number(page, option.option, 1) == option.tricks.value


def test_the_buy_in_by_play_and_the_trumpless_right(tab: Tab) -> None:
    page = tab("/ton/buyin?hand=Ah+7d+8d+Jh+9c&model=play")
    page.wait_for_selector('.answers tr[data-name="trumpless"]')
    page.wait_for_selector('.answers tr[data-name="trumpless As"]')
    page.click(".field-model button:has-text('open cards')")
    page.wait_for_selector("text=From the lead on all cards are open")


def test_fewer_players_leave_fewer_seats_and_turned_cards(tab: Tab) -> None:
    page = tab("/ton/buyin?players=5&seat=3&seen=6c+Kd+6h")
    page.wait_for_selector(".ranking")
    page.focus(".field-players [tabindex='0']")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=Your seat (0 is the eldest): 2")
    page.wait_for_selector(".place[data-place=seen] >> text=2/2")
    assert fields(page) == {"players": ["4"], "seat": ["2"], "seen": ["6c Kd"]}


def test_variants_stand_side_by_side(tab: Tab) -> None:
    page = tab("/variants")
    page.wait_for_selector("text=Both rule sets are the same")
    page.fill(".field-tonk-b-low_tonk input", "13")
    page.wait_for_function(
        "(value) => Math.abs(document.querySelectorAll('tr[data-name=any] data')[1]?.value - value) < 1e-12",
        arg=float(odds(3, TonkRules(low_tonk=13)).any),
    )
    page.select_option(".field-tonk-b-several_tonks", "void")
    page.wait_for_function("document.querySelector('.answers tr[data-name=payment-2]')")
    assert number(page, "any") == float(odds(3).any)
    wait_until_done(page)
    deals = int(page.get_attribute("[data-deals]", "data-deals"))
    for column, rules in enumerate((TonkRules(), TonkRules(low_tonk=13, several_tonks="void"))):
        played = simulate(3, ["threshold"] * 3, rules, deals=deals)
        assert number(page, "payment-2", column) == played.payment[2].value
        assert number(page, "drop_won", column) == played.kinds["drop_won"].value
    page.select_option(".field-tonk-b-preset", "american")
    page.wait_for_function("document.querySelector('.field-tonk-b-equal_pays').value === 'yes'")
    page.wait_for_function("location.search.includes('tonk.b.low_tonk=none')")


def test_variants_of_ton(tab: Tab) -> None:
    page = tab("/variants")
    page.click("text='Ton'")
    page.wait_for_url("**game=ton**")
    page.select_option(".field-ton-b-five_bid", "off")
    page.wait_for_function("document.querySelectorAll('.answers tr[data-name=sure_five] data')[1]?.value === '0.0'")
    assert number(page, "sure_five") == float(ton_odds(3, TonRules()).sure_five)


def test_a_link_opens_the_page_as_it_was(tab: Tab) -> None:
    page = tab("/tonk/odds")
    move(page, "players", 1, "Players: 4")
    click(page, "As 2d 3h 10c Kc")
    page.click("summary")
    page.select_option(".field-several_tonks", "first")
    page.wait_for_function("location.search.includes('several_tonks=first')")
    other = tab(page.url)
    expected = odds(4, TonkRules(several_tonks="first"), hand="As 2d 3h 10c Kc")
    for opened in (page, other):
        wait_for_number(opened, "payment", float(expected.payment[0]))
    assert other.input_value(".field-hand input") == "As 2d 3h 10c Kc"
    assert other.input_value(".field-several_tonks") == "first"


def test_a_link_with_what_cannot_be_says_so(tab: Tab) -> None:
    page = tab("/tonk/odds?players=99&hand=Zz&decks=two&nonsense=<b>1</b>&players_=3")
    said = page.locator(".page > [role=alert]").all_inner_texts()
    assert len(said) == 5
    assert any("'99' is not a whole number in 2..10" in line for line in said)
    wait_for_number(page, "any", float(odds(3).any))


def test_two_tabs_do_not_disturb_each_other(tab: Tab) -> None:
    one, other = tab("/tonk/odds"), tab("/tonk/odds")
    move(one, "players", 1, "Players: 4")
    click(other, "As 2d 3h 10c Kc")
    move(other, "players", 3, "Players: 6")
    wait_for_number(one, "any", float(odds(4).any))
    wait_for_number(other, "any", float(odds(6, hand="As 2d 3h 10c Kc").any))
    assert one.inner_text(".control .label") == "Players: 4"
    assert one.locator(".deck [aria-pressed=true]").count() == 0


def test_russian_and_the_switch_that_keeps_the_page(tab: Tab) -> None:
    page = tab("/ton/buyin?players=4&lang=ru")
    assert page.get_attribute("html", "lang") == "ru"
    assert page.inner_text("h1") == "Брать ли прикуп в тони?"
    page.wait_for_selector('.deck [aria-label="туз пик"]')
    page.wait_for_selector(".ranking >> text=отказаться")
    assert "Т♠" in page.inner_text(".ranking").replace("\n", "")
    page.click("button.lang")
    page.wait_for_selector("h1:text('Take the talon at Ton?')")
    assert fields(page) == {"players": ["4"]}


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("path", LOOKS)
def test_pages_fit_and_can_be_touched(tab: Tab, path: str, width: int) -> None:
    page = tab(path, width=width)
    page.wait_for_selector(".answers table")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate(
        """() => [...document.querySelectorAll('a, button, summary, select, input, [role=slider]')]
            .filter((e) => e.checkVisibility({visibilityProperty: true}))
            .filter((e) => {
                const box = (e.closest('.q-slider, .q-field__control') ?? e).getBoundingClientRect()
                return box.width < 40 || box.height < 40
            }).map((e) => e.outerHTML.slice(0, 90))"""
    )
    if width < 640:
        assert small == []


@pytest.mark.parametrize("path", LOOKS)
def test_all_that_can_be_used_has_a_name(tab: Tab, path: str) -> None:
    page = tab(path)
    page.wait_for_selector(".answers table")
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('a, button, select, input, [role=slider], [role=img], [role=group]')]
            .filter((e) => !(e.ariaLabel || e.textContent.trim() || e.labels?.[0]?.textContent.trim()
                || e.closest('[aria-label]') || e.type === 'hidden'))
            .map((e) => e.outerHTML.slice(0, 90))"""
    )
    assert nameless == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("path", LOOKS)
def test_words_stand_out_from_the_ground(tab: Tab, path: str, dark: bool) -> None:
    page = tab(path, dark=dark)
    page.wait_for_selector(".answers table")
    assert (page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 23, 30)") is dark
    faint = page.evaluate(
        """() => {
            const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number)
            const light = (colour) => {
                const [r, g, b] = numbers(colour).map((x) => x / 255)
                    .map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
                return 0.2126 * r + 0.7152 * g + 0.0722 * b
            }
            const ground = (e) => {
                for (; e; e = e.parentElement) {
                    const colour = getComputedStyle(e).backgroundColor
                    if ((numbers(colour)[3] ?? 1) > 0) return colour
                }
            }
            const found = []
            for (const e of document.querySelectorAll('.page *, header *')) {
                const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())
                if (!own || !e.checkVisibility({visibilityProperty: true}) || e.closest('[disabled]')) continue
                const [a, b] = [light(getComputedStyle(e).color), light(ground(e))]
                const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
                if (contrast < 4.5) found.push([contrast.toFixed(2), e.outerHTML.slice(0, 90)])
            }
            return found
        }"""
    )
    assert faint == []


def test_nothing_is_fetched_from_elsewhere(browser: Any, dashboard: str) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in MENU:
        page.goto(dashboard + path)
        page.wait_for_selector(".answers > *")
    page.close()
    assert asked
    assert {urlsplit(url).hostname for url in asked if not url.startswith("data:")} == {"127.0.0.1"}
