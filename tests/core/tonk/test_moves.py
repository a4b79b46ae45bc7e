"""What actions lead to (K7–K12): turns, endings and payments, each option's effect, and that every hand ends."""

from fractions import Fraction
from itertools import islice

import pytest

from core.cards import format_cards, parse_cards
from core.errors import InputError
from core.rng import word_stream
from core.shuffling import shuffle
from core.tonk.actions import DROP, STOCK, UP, Action, legal_actions
from core.tonk.moves import apply, may_reshuffle
from core.tonk.play import deal_hand
from core.tonk.rules import TonkRules
from core.tonk.state import STALLED_TURNS
from tests.core.tonk.hands import OPTIONS, Patient, action, after, position, states_of

WORDS = list(islice(word_stream(3, 1, 0), 400))


def ending(state):
    result = state.result
    return result.kind, result.winner, [str(pay) for pay in result.payments]


# A turn


def test_a_turn_takes_a_card_lays_hits_and_discards():
    state = position("6s 7s 9c Kc", "2s 2h", pile="Jh 8s", table=[("9h 10h Jh", 1)], decks=2)
    state = after(state, "up", "lay 8s 6s 7s")
    assert state.pile == parse_cards("Jh")
    assert [(format_cards(meld.cards), meld.owner) for meld in state.table] == [("9h 10h Jh", 1), ("6s 7s 8s", 0)]
    assert format_cards(state.hands[0]) == "9c Kc"
    assert state.turn == 0
    state = after(state, "discard Kc")
    assert format_cards(state.pile) == "Jh Kc"
    assert (state.turn, state.drawn, state.turns) == (1, False, (1, 0))
    state = after(state, "stock", "discard 2h")
    assert (state.turn, state.turns) == (0, (1, 1))


def test_lays_and_hits_come_in_any_order():
    state = position("4s 6h 7h 8h", "2s", pile="Kd", table=[("5s 6s 7s", 1)])
    one = after(state, "up", "hit 4s 0", "lay 6h 7h 8h", "discard Kd")
    other = after(state, "up", "lay 6h 7h 8h", "hit 4s 0", "discard Kd")
    assert one == other


def test_the_stock_gives_its_top_card():
    state = after(position("6s 9c", "2s", stock="4d 5d"), "stock")
    assert format_cards(state.hands[0]) == "6s 4d 9c"
    assert format_cards(state.stock) == "5d"


def test_the_card_just_taken_may_be_discarded():
    state = after(position("6s 9c", "2s 3s", pile="Kd"), "up", "discard Kd")
    assert format_cards(state.pile) == "Kd"


def test_what_was_taken_from_the_pile_is_known_until_it_is_put_down():
    state = after(position("6s 7s 9c 9d", "2s 2h", pile="Kd"), "up", "discard 9d", "up")
    assert [format_cards(cards) for cards in state.known] == ["Kd", "9d"]
    assert format_cards(state.faced) == "Kd 9d"
    state = after(state, "discard 9d", "stock", "discard Kd")
    assert state.known == ((), ())
    assert format_cards(state.faced) == "Kd 9d 9d Kd"
    laid = after(position("6s 7s 9c", "2s", pile="8s"), "up", "lay 6s 7s 8s")
    assert laid.known == ((), ())


def test_an_action_that_is_not_allowed_raises_one_line_and_changes_nothing():
    state = position("6s 9c", "2s", pile="Kd")
    with pytest.raises(InputError, match=r"^a card is taken before any discard \(K9\)$"):
        apply(state, action("discard 6s"))


# Endings


def test_a_drop_that_wins_and_one_that_does_not():
    assert ending(after(position("2s 3s", "9c", "Kh"), "drop")) == ("drop_won", 0, ["2", "-1", "-1"])
    assert ending(after(position("9c", "2s 3s", "Kh"), "drop")) == ("drop_lost", 1, ["-1", "3", "-2"])
    assert ending(after(position("9c", "9d", "Kh"), "drop")) == ("drop_lost", None, ["1", "1", "-2"])


def test_laid_cards_do_not_count_in_a_drop():
    state = position("2s", "3c", table=[("Kh Kd Ks", 0)])
    assert ending(after(state, "drop")) == ("drop_won", 0, ["1", "-1"])


@pytest.mark.parametrize(
    ("options", "kind", "payments"),
    [
        ({}, "drop_lost", ["1", "1", "1", "-3"]),
        ({"drop_tie": "dropper_loses"}, "drop_lost", ["-3", "3", "3", "-3"]),
        ({"drop_tie": "dropper_wins"}, "drop_won", ["3", "-1", "-1", "-1"]),
        ({"equal_pays": "yes"}, "drop_lost", ["-4", "2", "2", "0"]),
    ],
)
def test_drop_tie_and_equal_pays_decide_a_tie(options, kind, payments):
    state = after(position("4s 5s", "9h", "9d", "Kd", **options), "drop")
    assert state.result.kind == kind
    assert [str(pay) for pay in state.result.payments] == payments


def test_drop_settlement_and_drop_penalty_change_a_failed_drop():
    for options, payments in (
        ({}, [-3, 4, 2, -3]),
        ({"drop_settlement": "lowest_only"}, [-2, 4, -1, -1]),
        ({"drop_penalty": 5}, [-9, 7, 5, -3]),
    ):
        state = after(position("Kd 2s", "3s", "9d", "Kh Qh", **options), "drop")
        assert list(state.result.payments) == payments
        assert state.result.winner == 1


def test_going_out_with_a_discard_pays_one_stake_and_without_one_out_pay():
    for out_pay in (1, 2, 7):
        closed = after(position("6s 7s", "2s", "Kh", pile="8s", out_pay=out_pay), "up", "lay 6s 7s 8s")
        assert ending(closed) == ("out", 0, [str(2 * out_pay), f"-{out_pay}", f"-{out_pay}"])
        state = position("6s 7s Kd", "2s", "Kh", pile="8s", out_pay=out_pay)
        discarded = after(state, "up", "lay 6s 7s 8s", "discard Kd")
        assert ending(discarded) == ("out", 0, ["2", "-1", "-1"])


def test_going_out_by_hits_alone():
    state = position("6s", "2s 4d", pile="8d", table=[("3s 4s 5s", 1), ("5d 6d 7d", 1)], out_pay=3)
    assert ending(after(state, "up", "hit 6s 0", "hit 8d 1")) == ("out", 0, ["3", "-3"])


# The stock runs out


def test_an_empty_stock_ends_the_hand_only_when_a_player_wants_it():
    state = position("9c 4s", "2s 3h", "Kh 2d", pile="9d", stock="")
    assert legal_actions(state) == [DROP, UP, STOCK]
    assert after(state, "up", "discard 9c").result is None
    assert ending(after(state, "stock")) == ("stock_out", 1, ["-1", "2", "-1"])


def test_a_showdown_is_shared_by_several_lowest():
    state = after(position("2s 3s", "5h", "Kh", "Kd", stock=""), "stock")
    assert ending(state) == ("stock_out", None, ["1", "1", "-1", "-1"])
    assert after(position("5h", "5d", "5c", "Kd", stock=""), "stock").result.payments[0] == Fraction(1, 3)


def test_void_pays_nobody_where_a_showdown_would():
    state = after(position("9c 4s", "2s 3h", pile="9d", stock="", stock_out="void"), "stock")
    assert ending(state) == ("stock_out", None, ["0", "0"])


def test_a_reshuffle_makes_the_pile_below_its_top_the_stock_once():
    state = position("9c 4s", "2s 3h", pile="9d Kd Qd Jd 8c", stock="", stock_out="reshuffle")
    drawn = apply(state, STOCK, WORDS)
    order = shuffle(parse_cards("9d Kd Qd Jd"), WORDS)
    assert drawn.stock == order[1:]
    assert order[0] in drawn.hands[0]
    assert format_cards(drawn.pile) == "8c"
    while drawn.stock:
        drawn = after(drawn, f"discard {format_cards(drawn.hands[drawn.turn][-1:])}", "stock")
    drawn = after(drawn, f"discard {format_cards(drawn.hands[drawn.turn][-1:])}")
    assert len(drawn.pile) > 1
    assert apply(drawn, STOCK, WORDS).result.kind == "stock_out"


def test_a_pile_of_one_card_is_not_reshuffled():
    for pile in ("", "9d"):
        state = position("9c 4s", "2s 3h", pile=pile, stock="", stock_out="reshuffle")
        assert not may_reshuffle(state)
        assert after(state, "stock").result.kind == "stock_out"


def test_a_reshuffle_without_words_is_an_error():
    state = position("9c 4s", "2s 3h", pile="9d Kd Qd", stock="", stock_out="reshuffle")
    with pytest.raises(InputError, match="random words"):
        apply(state, STOCK)


# Every hand ends


@pytest.mark.parametrize("stock_out", OPTIONS["stock_out"])
@pytest.mark.parametrize("players", [2, 3])
def test_a_hand_in_which_nobody_takes_the_stock_ends_at_the_bound(players, stock_out):
    """Everybody takes the discard and puts it back: without the bound they would go on for ever."""
    state = position("9c 4s", "2s 3h", "Kh 2d", pile="9d Kd", stock_out=stock_out)
    state = position(*[format_cards(hand) for hand in state.hands[:players]], pile="9d Kd", stock_out=stock_out)
    turns = 0
    while state.result is None:
        state = after(state, "up", "discard Kd")
        turns += 1
    assert turns == STALLED_TURNS * players
    assert state.result.kind == "stock_out"
    assert bool(any(state.result.payments)) == (stock_out != "void")
    assert not state.reshuffled


def test_a_card_from_the_stock_starts_the_bound_anew():
    state = position("9c 4s", "2s 3h", pile="9d", stock="Kd Qd")
    for _ in range(2 * STALLED_TURNS - 1):
        state = after(state, "up", f"discard {format_cards(state.pile)}")
    state = after(state, "stock", "discard Kd")
    assert state.result is None
    assert state.stalled == 0


# Each value of each option, and some rule sets far from the defaults.
VARIANTS = [
    {},
    *({name: word} for name, words in OPTIONS.items() for word in words[1:]),
    *(
        {"out_pay": 3, "meld_duty": "optional", "stock_out": "reshuffle", "set_fourth": "allowed"},
        {"hit_hold": "yes", "meld_duty": "optional", "set_fourth": "allowed", "ace_runs": "low_and_high"},
        {"hand_size": 3, "low_tonk": None, "high_tonk": 29, "stock_out": "reshuffle"},
        {"hand_size": 1, "low_tonk": None, "high_tonk": None, "drop_penalty": 0, "out_pay": 0, "tonk_pay": 0},
        {"decks": 2, "hand_size": 7, "low_tonk": 20, "high_tonk": 65, "stock_out": "reshuffle", "up_card": "no"},
        TonkRules.presets["american"],
    ),
]


def variant_name(options):
    return "-".join(map(str, options.values())) or "source"


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_every_hand_ends_pays_zero_sum_and_keeps_every_card(options):
    rules = TonkRules(**options)
    deck = sorted(rules.deck())
    kinds = set()
    for deal in range(72):
        players = 2 + deal % 9
        try:
            rules.check_players(players)
        except InputError:
            continue
        words = word_stream(6, 2, deal)
        states = list(states_of(deal_hand(rules, players, 6, deal), Patient(300), words, WORDS))
        for state in (states[0], states[len(states) // 2], states[-1]):
            laid = [card for meld in state.table for card in meld.cards]
            held = [card for hand in state.hands for card in hand]
            assert sorted([*laid, *held, *state.pile, *state.stock]) == deck
        result = states[-1].result
        kinds.add(result.kind)
        assert sum(result.payments) == 0
        assert all(isinstance(pay, Fraction) for pay in result.payments)
        assert result.winner is None or result.payments[result.winner] == max(result.payments)
    assert len(kinds) >= 3


def test_four_hands_of_thirteen_leave_nothing_to_play():
    rules = TonkRules(hand_size=13, up_card="no", low_tonk=None, high_tonk=None)
    state = deal_hand(rules, 4, 1, 0)
    assert apply(state, Action("stock")).result.kind == "stock_out"
    assert UP not in legal_actions(state)
