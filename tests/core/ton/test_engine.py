"""The reference engine: every hand ends, no card is lost, legal actions stand in order, moments come in order."""

import random

import pytest

from core.cards import parse_cards
from core.errors import InputError
from core.ton.engine import apply, legal_actions, start
from core.ton.rules import DECK, TonRules
from core.ton.score import HandResult, result
from core.ton.state import UNKNOWN, Action, Deal, State
from core.ton.view import view
from tests.core.ton.hands import random_deal, random_hand, random_rules

WORDS = ["pass", "five", "refuse", "keep", "trumpless", "fetch", "discard", "play", "fold", "card", "plus", "minus"]
ALL_WORDS = [(name, word) for name, words in TonRules.options().items() for word in words or ()]


def all_cards(state: State) -> list[int]:
    cards = [card for hand in state.hands for card in hand] + [*state.talon, *state.stock, *state.aside]
    cards += [card for trick in (*state.tricks, state.trick) for _, card in trick]
    cards += [] if state.discard is None else [state.discard]
    # The trump card lies on the table until the dealer has taken it.
    taken = state.phase != "bid" and state.exchange and state.rules.trump_card == "to_dealer"
    return sorted(cards if taken else [*cards, state.trump_card])


def check_result(state: State, found: HandResult) -> None:
    rules, seats = state.rules, range(state.players)
    lone = sum(found.participants) == 1
    tricks = 0 if lone and rules.lone_player == "no_score" else rules.hand_size
    assert sum(found.tricks) == tricks
    failed = state.bidder is not None and not lone and found.tricks[state.bidder] < rules.hand_size
    lost = found.tricks[state.bidder] if failed and rules.five_bid_failed_tricks == "lost" else 0
    zero = [seat for seat in seats if found.participants[seat] and not found.tricks[seat] and not lone]
    minus = [seat for seat in zero if found.points[seat] < 0]
    assert sum(found.points) == tricks - lost - rules.zero_trick_points * len(minus)
    assert len(found.scored) == tricks - lost
    for seat in seats:
        if failed and seat == state.bidder:
            assert found.pluses[seat] == rules.five_bid_pluses
            assert found.points[seat] >= 0
        else:
            assert found.pluses[seat] == (seat in zero and seat not in minus)
        assert found.pot_plus[seat] <= (found.pluses[seat] == 1 and state.records[seat] >= rules.pot_plus_points)
    if rules.zero_trick == "plus_only":
        assert not minus
    if rules.zero_trick == "minus_only":
        assert minus == [seat for seat in zero if not (failed and seat == state.bidder)]


def check_hand(rules: TonRules, players: int, chance: random.Random) -> None:
    _, first, steps, end = random_hand(rules, players, chance)
    for state, seat, action in steps:
        actions = legal_actions(state)
        assert action in actions
        keys = [(WORDS.index(other.word), -1 if other.card is None else other.card) for other in actions]
        assert keys == sorted(set(keys))
        assert legal_actions(view(state, seat)) == actions
        assert all_cards(state) == list(DECK)
    assert all_cards(end) == list(DECK)
    assert len(steps) <= 60
    assert (end.phase, end.seat, legal_actions(end)) == ("over", None, ())
    check_result(end, result(end))
    assert first.records == end.records


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize(("name", "word"), ALL_WORDS)
def test_every_hand_ends_and_adds_up_with_every_option(name, word, players):
    chance = random.Random(f"{name} {word} {players}")
    for _ in range(4):
        check_hand(TonRules(**{name: word}), players, chance)
        check_hand(random_rules(chance, **{name: word}), players, chance)


@pytest.mark.parametrize(("size", "players"), [(2, 6), (3, 4), (6, 5), (7, 4), (9, 3), (12, 2)])
def test_every_hand_ends_with_other_hand_sizes(size, players):
    chance = random.Random(size)
    for _ in range(20):
        check_hand(random_rules(chance).replace(hand_size=size, talon_size=size - 1), players, chance)


# Wrong input


def test_only_legal_actions_can_be_done():
    state = start(TonRules(), random_deal(TonRules(), 3, random.Random(1)))
    for action in (Action("refuse"), Action("card", 0), Action("nonsense")):
        with pytest.raises(InputError, match="not a legal action"):
            apply(state, action)


def test_result_waits_for_the_end():
    state = start(TonRules(), random_deal(TonRules(), 3, random.Random(1)))
    with pytest.raises(InputError, match="not over"):
        result(state)


def test_deal_must_be_one_of_the_rules():
    deal = random_deal(TonRules(), 3, random.Random(1))
    for wrong, message in (
        (deal._replace(talon=deal.talon[:3]), "talon"),
        (deal._replace(hands=(deal.hands[0][:4], *deal.hands[1:])), "hand 0"),
        (deal._replace(trump_card=deal.hands[0][0]), "dealt twice"),
        (deal._replace(trump_card=1), "not in the deck"),
        (Deal(deal.hands[:1], deal.talon, deal.trump_card, deal.stock), "players"),
    ):
        with pytest.raises(InputError, match=message):
            start(TonRules(), wrong)
    with pytest.raises(InputError, match="records"):
        start(TonRules(), deal, records=(0, 0))


# Moments


def small_deal() -> Deal:
    """Three players; spades are trump, of which the eldest has none."""
    hands = ("7d 8d Ah Jh 9c", "Kd Qd 6s 10c 7h", "10s 8s Ad 6h 7c")
    named = [parse_cards(hand) for hand in hands]
    talon, trump_card = parse_cards("6c Jd Qh 8c"), parse_cards("9s")[0]
    dealt = {*sum(named, talon), trump_card}
    return Deal(tuple(named), talon, trump_card, tuple(card for card in DECK if card not in dealt))


def after(state: State, *texts: str) -> State:
    """Do what the texts say, whoever is to act."""
    for text in texts:
        state = apply(state, {str(action): action for action in legal_actions(state)}[text])
    return state


def test_buyer_keeps_one_card_and_takes_the_talon():
    state = after(start(TonRules(five_bid="off"), small_deal()), "refuse", "keep 6s")
    assert state.hands[1] == tuple(sorted(parse_cards("6s 6c Jd Qh 8c")))
    assert state.aside == tuple(sorted(parse_cards("Kd Qd 10c 7h")))
    assert state.shown == parse_cards("6c")
    assert (state.buyer, state.phase, state.seat) == (1, "discard", 2)


def test_trumpless_eldest_takes_a_trump_and_the_talon():
    state = start(TonRules(five_bid="off"), small_deal())
    assert legal_actions(state)[-1] == Action("trumpless")
    state = after(state, "trumpless")
    assert legal_actions(state) == tuple(Action("fetch", card) for card in parse_cards("As 7s Js Qs Ks"))
    state = after(state, "fetch Ks")
    assert state.hands[0] == tuple(sorted(parse_cards("Ks 6c Jd Qh 8c")))
    assert state.aside == tuple(sorted(parse_cards("7d 8d Ah Jh 9c")))
    assert parse_cards("Ks")[0] not in state.stock


def test_without_a_trump_in_the_stock_any_card_may_be_fetched():
    deal = small_deal()
    diamond_talon = parse_cards("As 7s Js Qs")
    stock = tuple(card for card in DECK if card not in {*sum(deal.hands, diamond_talon), deal.trump_card})
    # The last trump, the king, goes to the second player for his ten of clubs.
    hands = (deal.hands[0], parse_cards("Kd Qd 6s Ks 7h"), deal.hands[2])
    stock = tuple(parse_cards("10c")[0] if card == parse_cards("Ks")[0] else card for card in stock)
    state = after(start(TonRules(five_bid="off"), Deal(hands, diamond_talon, deal.trump_card, stock)), "trumpless")
    assert [action.card for action in legal_actions(state)] == sorted(stock)


def test_with_six_players_the_fifth_refusal_turns_no_card():
    state = start(TonRules(five_bid="off", trumpless_right="nobody"), random_deal(TonRules(), 6, random.Random(2)))
    for number in (1, 2, 3, 4, 4):
        state = after(state, "refuse")
        assert len(state.shown) == number
    assert state.seat == 5


def test_stock_of_six_players_is_one_card():
    assert len(random_deal(TonRules(), 6, random.Random(3)).stock) == 1


def test_first_bid_in_seat_order_has_it_and_the_dealer_may_bid():
    state = start(TonRules(), small_deal())
    bid = after(state, "pass", "five")
    assert (bid.bidder, bid.trump, bid.phase, bid.seat) == (1, None, "declare", 0)
    assert len(bid.hands[2]) == 5
    dealer = after(state, "pass", "pass", "five")
    assert (dealer.bidder, dealer.dealer) == (2, 2)


def test_made_bid_of_five_is_five_points():
    hands = (parse_cards("As Ks Qs Js 10s"), parse_cards("9s 8s 7s 6s 6h"), parse_cards("6d 7d 8d 9d 10d"))
    rest = [card for card in DECK if card not in {*sum(hands, ())}]
    state = start(TonRules(), Deal(hands, tuple(rest[:4]), rest[4], tuple(rest[5:])))
    state = after(state, "five", "play")
    while state.phase == "play":
        state = apply(state, legal_actions(state)[-1])
    state = after(state, "plus", "minus")
    assert result(state) == HandResult(
        (5, 0, 0), (5, 0, -5), (0, 1, 0), (False,) * 3, (True,) * 3, scored=(0, 0, 0, 0, 0)
    )


def test_failed_bidder_without_a_trick_records_two_pluses_and_has_no_choice():
    hands = (parse_cards("6s 7s 8s 9s 10s"), parse_cards("6d 7d 8d 9d 10d"), parse_cards("As Ks Qs Js Ah"))
    rest = [card for card in DECK if card not in {*sum(hands, ())}]
    state = start(TonRules(), Deal(hands, tuple(rest[:4]), rest[4], tuple(rest[5:])), records=(12, 0, 0))
    state = after(state, "five", "fold")
    while state.phase == "play":
        state = apply(state, legal_actions(state)[0])
    found = result(state)
    assert found.tricks == (0, 0, 5)
    assert found.points == (0, 0, 5)
    assert found.pluses == (2, 0, 0)
    assert found.pot_plus == (False, False, False)


def test_pluses_of_ten_points_or_more_are_pot_pluses():
    deal = small_deal()
    state = start(TonRules(five_bid="off"), deal, records=(10, 9, 0))
    state = after(state, "refuse", "refuse", "discard 6h", "play", "fold")
    while state.phase == "play":
        state = apply(state, legal_actions(state)[0])
    found = result(after(state, "plus") if state.phase == "choose" else state)
    assert found.pot_plus == (found.tricks[0] == 0, False, False)


def test_positions_with_unknown_cards_allow_what_the_known_cards_allow():
    deal = small_deal()._replace(hands=((UNKNOWN,) * 5, *small_deal().hands[1:]))
    state = start(TonRules(five_bid="off"), deal)
    assert legal_actions(state) == (Action("refuse"), Action("keep", UNKNOWN), Action("trumpless"))
