"""The buy-in by class of hand: against the deals counted one by one, exact chances of the classes, and single hands."""

import numpy as np
import pytest

from analysis.ton import TonRules, buy_in, odds
from analysis.ton.buyin_classes import by_class
from core.cards import RANKS
from core.errors import InputError
from core.ton.open_buyin import solve_usual
from core.ton.play import sample_deal
from core.ton.tricks import strength, suit_of


def option(options, name):
    return next(option for option in options if option.option == name)


@pytest.mark.parametrize(("players", "seat", "turned_trumps"), [(2, 0, None), (4, 2, None), (4, 2, 1)])
def test_classes_are_those_of_the_deals_counted_one_by_one(players, seat, turned_trumps):
    rules, deals = TonRules(trumpless_right="every_buyer"), 300
    found = by_class(players, seat, turned_trumps, 3, rules, deals=deals, seed=5)
    expected: dict[tuple[int, str, int], list[list[int]]] = {}
    for number in range(deals):
        deal = sample_deal(rules, players, 5, number)
        trump = suit_of(deal.trump_card)
        trumps = [card for card in deal.hands[seat] if suit_of(card) == trump]
        top = RANKS[max(trumps, key=strength) % 13] if trumps else ""
        aces = sum(card % 13 == 0 and card not in trumps for card in deal.hands[seat])
        if turned_trumps in (None, sum(suit_of(card) == trump for card in deal.talon[:seat])):
            cards = [*(card for hand in deal.hands for card in hand), *deal.talon, deal.trump_card, *deal.stock]
            tricks = solve_usual(np.array([cards], np.uint8), players, seat, rules)[0].tolist()
            expected.setdefault((len(trumps), top, aces), []).append(tricks)
    counted = sum(map(len, expected.values()))
    assert {(one.trumps, one.top, one.side_aces) for one in found.classes} == {
        kind for kind, rows in expected.items() if len(rows) >= 2
    }
    for one in found.classes:
        rows = expected[one.trumps, one.top, one.side_aces]
        assert one.share.value == len(rows) / counted
        assert [option.option for option in one.options] == ["refuse", "keep", *["trumpless"] * (one.trumps == 0)]
        for place, ours in enumerate(one.options):
            points = [row[place] or -3 for row in rows]
            gains = [(row[place] or -3) - (row[0] or -3) for row in rows]
            assert ours.tricks.value == pytest.approx(sum(row[place] for row in rows) / len(rows))
            assert ours.points.value == pytest.approx(sum(points) / len(rows))
            assert ours.minus_refuse.value == pytest.approx(sum(gains) / len(rows))
    assert option(found.overall, "keep").tricks.n == counted


def test_shares_are_the_exact_chances_of_so_many_trumps():
    found, exact = by_class(3, deals=20_000), odds(3)
    for trumps, chance in enumerate(exact.trumps_in_hand):
        share = sum(one.share.value for one in found.classes if one.trumps == trumps)
        # Six errors, and a few deals of classes left out: missed less than once in a million times.
        assert abs(share - chance) < 6 * (float(chance * (1 - chance)) / 20_000) ** 0.5 + 3 / 20_000


def test_classes_average_to_the_worth_of_all_hands():
    found = by_class(2, deals=5000)
    assert sum(one.share.value * option(one.options, "keep").points.value for one in found.classes) == pytest.approx(
        option(found.overall, "keep").points.value, abs=0.02
    )


def test_a_hand_is_worth_about_what_its_class_is():
    """No trump and one ace: any such hand is within half a trick of its class."""
    found = by_class(2, deals=5000)
    kind = next(one for one in found.classes if (one.trumps, one.top, one.side_aces) == (0, "", 1))
    single = {option.option: option for option in buy_in("Ad 7d 8d Jh 9c", "9s", 2, deals=2000).options}
    assert abs(option(kind.options, "keep").tricks.value - single["keep Ad"].tricks.value) < 0.5
    assert abs(option(kind.options, "trumpless").tricks.value - single["trumpless"].tricks.value) < 0.5


def test_numbers_do_not_depend_on_threads_and_precision_is_reached():
    found = [by_class(3, 1, precision=0.1, threads=threads) for threads in (1, 2)]
    assert found[0] == found[1]
    assert option(found[0].overall, "keep").minus_refuse.half_width <= 0.1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((7,), "7 players"),
        ((3, 2), "seat 2 does not buy"),
        ((3, 1, None, -1), "plus_worth cannot be -1"),
        ((3, 1, 2), "turned_trumps cannot be 2: seat 1 sees 1 cards turned"),
    ],
)
def test_wrong_questions_are_refused(given, message):
    with pytest.raises(InputError, match=message):
        by_class(*given, deals=10)
