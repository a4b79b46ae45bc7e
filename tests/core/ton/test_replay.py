"""Recorded hands: what is read, what is deduced, and each kind of illegal line at its number with its rule."""

import random

import pytest

from core.cards import format_cards, parse_cards
from core.errors import InputError
from core.ton.engine import legal_actions
from core.ton.reasons import reason
from core.ton.replay import replay
from core.ton.rules import DECK, TonRules
from core.ton.score import result
from core.ton.state import UNKNOWN, Action, State
from tests.core.ton.hands import NAMES, play_lines, random_hand, random_rules, setup_lines

EXAMPLE = """players: A, B, C
points: 0 13 4
hand A: As 7d 8d Jh 9c
hand B: Kd Qd 6s 10c 7h
hand C: 10s 8s Ad 6h 7c
talon: 6c Jd Qh 8c
trump: 9s
A: refuse
B: keep 6s
C: discard 7c
A: play
B: 6s
C: 10s
A: As
"""
SETUP = EXAMPLE[: EXAMPLE.index("trump")]
SHOWN = EXAMPLE[: EXAMPLE.index("A: refuse")]


def errors(text: str, **options: object) -> list[tuple[int, str]]:
    found = replay(text, TonRules(**options))
    assert found.legal == (not found.errors)
    assert found.legal or found.result is None
    return [(problem.line, problem.message) for problem in found.errors]


def test_example_of_the_page_is_a_legal_position():
    found = replay(EXAMPLE, TonRules())
    assert (found.legal, found.errors, found.result) == (True, (), None)
    assert (found.state.phase, found.state.seat, found.state.trick) == ("play", 0, ())
    assert found.state.taken == (0,)
    assert found.state.records == (0, 13, 4)


# Whole hands


def test_records_of_random_hands_replay_to_their_result():
    chance = random.Random(5)
    for number in range(300):
        rules = TonRules() if number % 2 else random_rules(chance)
        players = chance.randint(2, 6)
        deal, first, steps, end = random_hand(rules, players, chance)
        done = [(seat, action) for _, seat, action in steps]
        # Without its line the stock is what is left; in a bid of five that leaves the next card open.
        trump = end.bidder is None
        given = setup_lines(deal, first.records, trump=trump, stock=not trump or bool(number % 3))
        found = replay("\n".join(given + play_lines(deal, done)), rules)
        assert found.errors == ()
        assert found.result == result(end)


def all_actions(state: State) -> list[Action]:
    with_card = [Action(word, card) for word in ("keep", "discard", "card") for card in DECK]
    return [Action("refuse"), Action("trumpless"), Action("play"), Action("fold"), *with_card]


def test_any_illegal_line_is_found_at_its_number():
    chance = random.Random(6)
    checked = 0
    for number in range(250):
        rules = TonRules() if number % 2 else random_rules(chance)
        players = chance.randint(2, 6)
        deal, first, steps, end = random_hand(rules, players, chance, five=0.05)
        places = [place for place, (state, _, _) in enumerate(steps) if state.phase not in ("bid", "fetch", "choose")]
        if not places:
            continue
        place = chance.choice(places)
        state, actor, _ = steps[place]
        seat = actor if chance.random() < 0.7 else chance.randrange(players)
        legal = legal_actions(state) if seat == actor else ()
        wrong = chance.choice([action for action in all_actions(state) if action not in legal])
        if wrong.word == "play" and state.must_play(seat):
            continue  # need not be said, but may
        trump = end.bidder is None
        before = setup_lines(deal, first.records, trump=trump)
        before += play_lines(deal, [(s, action) for _, s, action in steps[:place]])
        if trump and not any(line.startswith("trump") for line in before):
            before.append(play_lines(deal, [(0, Action("refuse"))])[0])
        after = play_lines(deal, [(s, action) for _, s, action in steps[place:]])
        after = [line for line in after if not line.startswith("trump")]
        found = replay("\n".join([*before, f"{NAMES[seat]}: {wrong}", *after]), rules)
        assert [problem.line for problem in found.errors] == [len(before) + 1]
        assert found.errors[0].message.startswith("T")
        checked += 1
    assert checked > 200


def test_every_cut_of_a_record_is_a_legal_position():
    chance = random.Random(8)
    for _ in range(20):
        deal, first, steps, end = random_hand(TonRules(), 4, chance)
        lines = setup_lines(deal, first.records, trump=end.bidder is None)
        lines += play_lines(deal, [(seat, action) for _, seat, action in steps])
        for cut in range(7, len(lines)):
            found = replay("\n".join(lines[:cut]), TonRules())
            assert found.legal
            assert found.state.seat is not None or found.state.phase == "over"


# Kinds of illegal lines: the lines after SHOWN, of which the last is illegal, and what is said of it.
KINDS = [
    # Buying
    ("B: refuse", "T5: A is to refuse or to buy", {}),
    ("A: keep Kd", "T5: A does not hold Kd to keep it", {}),
    ("A: keep 6c", "T5: A does not hold 6c", {}),
    ("A: trumpless Ks", "T7: A has no trumpless right, holding As", {}),
    ("A: refuse|B: trumpless Ks", "T7: the trumpless right is the eldest's, A's", {}),
    ("A: refuse|B: trumpless Ks", "T7: B has no trumpless right, holding 6s", {"trumpless_right": "every_buyer"}),
    ("A: trumpless Ks", "T7: nobody has the trumpless right", {"trumpless_right": "nobody"}),
    ("A: keep As|B: keep 6s", "T5: A has bought, and at most one player does", {}),
    ("A: keep As|B: refuse", "T5: A has bought, and at most one player does", {}),
    ("A: refuse|B: refuse|C: keep Ad", "T6: C is the dealer, who never exchanges", {}),
    ("A: refuse|A: refuse", "T5: B is to refuse or to buy", {}),
    ("C: refuse", "T6: C is the dealer", {}),
    # Discarding
    ("A: refuse|B: refuse|C: discard As", "T6: C does not hold As", {}),
    ("A: refuse|B: refuse|A: discard As", "T6: only the dealer discards, not A", {}),
    ("C: discard 7c", "T5: A is to refuse or to buy", {}),
    ("A: refuse", "T6: C is to discard", {"dealer_discard": "before_buy_in"}),
    ("A: refuse|B: refuse|C: discard 7c", "T8: A is to say", {"dealer_discard": "after_declarations"}),
    ("A: refuse|B: refuse|C: discard 7c|C: discard 8s", "T6: C has discarded already", {}),
    ("A: refuse|B: refuse|C: discard 7c", "T6: C has taken no sixth card", {"trump_card": "stays"}),
    ("A: refuse|B: refuse|A: play", "T6: C is to discard", {}),
    # Declaring
    ("A: refuse|B: refuse|C: discard 7c|A: play|B: fold", "T8: B has 13 points and must play", {}),
    ("A: keep As|C: discard 7c|A: fold", "T8: A is the buyer and must play", {}),
    ("A: refuse|B: refuse|C: discard 7c|C: fold", "T8: C is the dealer and must play", {}),
    ("A: refuse|B: refuse|C: discard 7c|A: fold|A: play", "T8: A has folded already", {}),
    ("A: refuse|B: refuse|C: discard 7c|A: As", "T8: A is to say whether", {}),
    ("A: play", "T5: A is to refuse", {}),
    # Playing
    ("A: keep As|C: discard 7c|B: 6s", "T9: A is to play a card", {}),
    ("A: keep As|C: discard 7c|A: 7d", "T10: A does not hold 7d", {}),
    ("A: keep As|C: discard 7c|A: As|B: Kd", "T10: B cannot play Kd but must follow suit: 6s", {}),
    ("A: keep As|C: discard 7c|A: Jd|B: 6s", "T10: B cannot play 6s but must follow suit: Qd Kd", {}),
    ("A: refuse|B: keep 6s|C: discard 7c|A: play|B: 6s|C: 8s|A: 7d", "T10: A cannot play 7d but must follow suit", {}),
    ("A: refuse|B: keep Qd|C: discard 7c|A: play|B: Jd|C: Ad|A: 9c", "T10: A cannot play 9c", {}),
    ("A: keep As|C: discard 7c|A: Qh|B: 7h|C: 6h|A: Jd|B: Kd|C: Ad|B: Qd", "T9: C is to play a card", {}),
    ("A: refuse|B: refuse|C: discard 7c|A: fold|B: Kd|C: Ad|A: As", "T8: A has folded and plays no card", {}),
    # Bids
    ("A: five", "T13: bids come before the trump is shown", {}),
    ("A: five", "T13: nobody may bid five (five_bid = off)", {"five_bid": "off"}),
    # After the end, and what cannot be read
    ("A: keep As|C: discard 7c|A: play|D: As", "D is not one of the players A, B, C", {}),
    ("A: refuse|B: jump", "'jump' is not a card", {}),
    ("A: refuse|B: keep", "'keep' is not a card", {}),
    ("A: refuse|B: hold 6s", "'hold 6s' is nothing that a player can do", {}),
    ("A: refuse|B refuse", "'B refuse' is not of the form", {}),
    ("A: refuse|B:", "nothing that a player can do", {}),
]


@pytest.mark.parametrize(("lines", "message", "options"), KINDS)
def test_kind_of_illegal_line(lines, message, options):
    text = SHOWN + lines.replace("|", "\n")
    found = errors(text, **options)
    assert [line for line, _ in found] == [len(text.split("\n"))]
    assert message in found[0][1]
    # What follows an illegal line is not looked at.
    assert errors(text + "\nA: nonsense\n", **options) == found


TRUMPLESS = """players: A, B
hand A: 7d 8d Ah Jh 9c
hand B: Kd Qd 6s 10c 7h
talon: 6c Jd Qh 8c
trump: 9s
"""


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("A: trumpless Kh", "T7: A must fetch a trump, Kh is none, and the stock holds As 7s 8s 10s Js Qs Ks"),
        ("A: trumpless 6s", "T7: 6s is not in the stock"),
        ("A: trumpless 9s", "T7: 9s is not in the stock"),
        ("A: trumpless 6c", "T7: 6c is not in the stock"),
        ("A: trumpless 2s", "T7: 2s is not in the stock"),
        ("A: trumpless\nB: discard 7h", "T6: B has"),
        ("A: trumpless\nA: refuse", "T5: A has bought"),
    ],
)
def test_fetching_what_may_not_be_fetched(lines, message):
    found = errors(TRUMPLESS + lines)
    assert [line for line, _ in found] == [5 + len(lines.split("\n"))]
    assert message in found[0][1] or found[0][1] == "T7: A is to fetch a card from the stock"


def test_trumpless_right_may_be_said_before_the_card_is_fetched():
    assert replay(TRUMPLESS + "A: trumpless\n", TonRules()).state.phase == "fetch"
    for lines in ("A: trumpless Ks\n", "A: trumpless\nA: trumpless Ks\n"):
        state = replay(TRUMPLESS + lines, TonRules()).state
        assert format_cards(state.hands[0]) == "Ks Qh Jd 6c 8c"
        assert state.phase == "discard"


def test_fetched_card_is_judged_by_the_stock_when_it_has_no_trump():
    text = """players: A, B
hand A: 7d 8d Ah Jh 9c
hand B: 10s Js Qs Ks As
talon: 6s 7s 8s Jd
trump: 9s
"""
    assert errors(text + "A: trumpless Kh\n") == []
    assert errors(text + "A: trumpless Jd\n") == [(6, "T7: Jd is not in the stock")]


# Bids of five


def test_bid_of_five_has_no_trump_and_no_buy_in():
    state = replay(SETUP + "B: five\n", TonRules()).state
    assert (state.bidder, state.trump, state.phase, state.seat) == (1, None, "declare", 0)
    assert errors(SETUP + "B: five\nA: refuse\n") == [
        (8, "T13: in a bid of five nobody buys (five_bid_exchange = none)")
    ]
    assert errors(SETUP + "B: five\ntrump: 9s\n") == [(8, "T13: B has bid five, so that no trump is shown")]
    assert errors(SETUP + "B: five\nB: fold\n")[0] == (8, "T8: B is the bidder and must play")
    assert errors(SETUP + "B: five\nB: five\n") == [(8, "T13: B has said five already")]
    forbidden = errors(SETUP + "B: five\nA: fold\n", five_bid_fold="forbidden")
    assert forbidden == [(8, "T8: in a bid of five nobody folds (five_bid_fold = forbidden), not even A")]
    no_right = errors(SETUP + "B: five\nA: trumpless Ks\n", five_bid_exchange="talon")
    assert no_right == [(8, "T13: in a bid of five there is no trumpless right")]


def test_first_bid_in_seat_order_has_it_whatever_the_order_of_lines():
    assert replay(SETUP + "C: five\nA: five\n", TonRules()).state.bidder == 0
    assert replay(SETUP + "A: pass\nC: five\n", TonRules()).state.bidder == 2


def test_passes_may_be_said():
    state = replay(SETUP + "A: pass\nB: pass\n", TonRules()).state
    assert (state.phase, state.seat) == ("bid", 2)
    assert replay(SETUP + "A: pass\ntrump: 9s\nA: refuse\n", TonRules()).legal


def test_sixth_card_of_a_bid_of_five_is_the_first_of_the_stock():
    stock = format_cards(replay(EXAMPLE, TonRules()).state.stock)
    rules = TonRules(five_bid_exchange="talon")
    state = replay(SETUP + f"stock: 9s {stock}\nB: five\n", rules).state
    assert format_cards(state.hands[2]) == "8s 9s 10s 6h Ad 7c"
    assert format_cards(state.stock) == stock
    # Without a stock it is any card left, and a dealer may discard or play what nobody else has.
    lines = "B: five\nA: keep As\n"
    assert replay(SETUP + lines, rules).state.hands[2][0] == UNKNOWN
    assert replay(SETUP + lines + "C: discard 9d\n", rules).legal
    assert errors(SETUP + lines + "C: discard Kd\n", five_bid_exchange="talon") == [(9, "T6: C does not hold Kd")]


# Kinds of deals that cannot be


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("hand A: As 7d", "hand A: As As", "line 3: As is named twice"),
        ("hand B: Kd", "hand B: As", "line 4: As is named in line 3 too"),
        ("trump: 9s", "trump: As", "line 7: As is named in line 3 too"),
        ("hand A: As", "hand A: 2s", "line 3: 2s is not one of the 36 cards"),
        ("hand A: As", "hand A: Xs", "line 3: 'Xs' is not a card"),
        ("hand A: As", "hand A:", "line 3: 4 cards"),
        ("talon: 6c", "talon: 6c 9d", "line 6: 5 cards"),
        ("trump: 9s", "trump: 9s 10h", "line 7: 2 cards"),
        ("trump: 9s", "trump: 9s\nstock: 6d", "line 8: 1 cards"),
        ("points: 0 13 4", "points: 0 13", "line 2: 2 numbers of points for 3 players"),
        ("points: 0 13 4", "points: 0 13 x", "line 2: 'x' is not a number of points"),
        ("players: A, B, C", "players: A, B, A", "line 1: two players are called A"),
        ("players: A, B, C", "players: A", "line 1: 1 players: the game is for 2 to 6"),
        ("players: A, B, C", "players: A, , C", "line 1: '' cannot be a player's name"),
        ("players: A, B, C\n", "", "no line of players"),
        ("hand C:", "hand D:", "line 5: D is not one of the players"),
        ("talon: 6c", "hand C: 6c\ntalon: 6c", "line 6: hand C stands already in line 5"),
    ],
)
def test_deal_that_cannot_be_is_refused_with_its_line(old, new, message):
    with pytest.raises(InputError) as caught:
        replay(EXAMPLE.replace(old, new), TonRules())
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# What is read


def test_names_in_any_script_comments_and_spellings():
    text = (
        "# a hand\r\nplayers: Анна Петровна, Zoé ,李\r\n\r\nhand Анна  Петровна: Тп 7б, 8б Вч 9т\r\n"
        "hand Zoe\u0301: К♦ Q♦ 6♠ 10c 7h # six of spades\r\nhand 李: Ts 8s AD 6h 7c\r\ntalon: 6c Jd Qh 8c\r\n"
        "trump: 9s\r\nАнна Петровна: refuse\r\nZoé: KEEP 6п\r\n李: discard 7c\r\n"
    )
    found = replay("\ufeff" + text, TonRules())
    assert found.legal
    assert found.record.names == ("Анна Петровна", "Zoé", "李")
    assert found.state.seat == 0
    assert replay(text + "李: fold\r\n", TonRules()).errors[0].line == 12


def test_points_may_be_negative_and_are_zero_without_a_line():
    assert replay(EXAMPLE.replace("0 13 4", "-5, 13 −2"), TonRules()).state.records == (-5, 13, -2)
    assert replay(EXAMPLE.replace("points: 0 13 4", ""), TonRules()).state.records == (0, 0, 0)


def test_play_of_one_who_must_play_may_be_said():
    lines = "A: refuse\nB: refuse\nC: discard 7c\nA: play\nB: play\nC: play\nA: As\n"
    assert errors(SHOWN + lines) == []


def test_choice_of_who_took_no_trick_may_be_said():
    five = "A: five\nB: play\n" + "A: As\nB: 6s\nC: 8s\nA: Jh\nB: 7h\nC: 6h\nA: 9c\nB: 10c\nC: 7c\n"
    lines = "B: Kd\nC: Ad\nA: 7d\nC: 10s\nA: 8d\nB: Qd\n"
    assert errors(SETUP + five + lines) == []
    no_buyer = "trump: 9s\nA: refuse\nB: refuse\nC: discard 7c\nA: play\n"
    tricks = (
        "A: As\nB: 6s\nC: 8s\nA: Jh\nB: 7h\nC: 6h\nA: 9c\nB: 10c\nC: 9s\nC: 10s\nA: 7d\nB: Qd\nC: Ad\nA: 8d\nB: Kd\n"
    )
    whole = SETUP + no_buyer + tricks
    for end, points, pluses in (("", 0, 1), ("B: plus\n", 0, 1), ("B: minus\n", -5, 0)):
        found = replay(whole + end, TonRules()).result
        assert found is not None
        assert (found.tricks, found.points[1], found.pluses[1]) == ((2, 0, 3), points, pluses)
        assert found.pot_plus[1] == (pluses == 1)
    assert errors(whole + "A: minus\n")[0][1] == "T11: A has taken a trick and chooses nothing"
    assert errors(whole + "B: plus\nA: As\n")[0][1] == "T11: the hand is over"
    assert errors(whole + "B: plus\n", zero_trick="minus_only")[0][1] == "T11: the hand is over"


def test_lone_player_takes_all_tricks_unplayed():
    lines = "A: refuse\nB: refuse\nC: discard 7c\nA: fold\nB: fold\n"
    text = SHOWN.replace("0 13 4", "0 1 4") + lines
    found = replay(text, TonRules()).result
    assert found is not None
    assert (found.tricks, found.points, found.participants) == ((0, 0, 5), (0, 0, 5), (False, False, True))
    assert errors(text + "C: play\n") == []
    assert errors(text + "C: Ad\n")[0] == (13, "T8: the hand is over, nobody but one plays")


# Cards that are not named


def test_cards_of_the_only_place_without_a_line_are_the_ones_left():
    state = replay(EXAMPLE, TonRules()).state
    stock = format_cards(state.stock)
    for old, new in (
        ("hand B: Kd Qd 6s 10c 7h", f"stock: {stock}"),
        ("hand B: Kd Qd 6s 10c 7h", f"hand B: ?\nstock: {stock}"),
        ("trump: 9s", f"stock: {stock}"),
        ("hand B: Kd Qd 6s 10c 7h", f"hand B: Kd ? ? 10c 7h\nstock: {stock}"),
    ):
        text = EXAMPLE.replace(old, new)
        if "trump" in old:
            # The trump card is then one of a longer unknown rest; it is deduced as the only card left.
            text = text.replace(f"stock: {stock}\n", "").replace("talon", f"stock: {stock}\ntalon")
        assert replay(text, TonRules()).state == state


POSITION = """players: A, B, C
hand A: As 7d 8d Jh 9c
hand B: ?
hand C: ?
talon: 6c ? ? ?
trump: 9s
"""


def test_position_with_cards_that_nobody_may_know():
    lines = "A: refuse\nB: keep ?\nC: discard ?\nA: play\nB: Kd\nC: Ad\nA: 7d\n"
    found = replay(POSITION + lines, TonRules())
    assert (found.legal, found.result) == (True, None)
    state = found.state
    assert (state.phase, state.seat) == ("play", 2)
    assert state.hands[1] == (UNKNOWN, UNKNOWN, UNKNOWN, parse_cards("6c")[0])
    assert state.hands[2] == (UNKNOWN,) * 4
    assert legal_actions(state) == ()
    # The trump card may still be the dealer's, and nobody else's.
    assert errors(POSITION + lines + "C: 9s\n") == []
    assert errors(POSITION + "A: refuse\nB: keep ?\nC: discard ?\nA: play\nB: 9s\n")[0][0] == 11


def test_discard_of_an_unseen_hand_need_not_be_said():
    lines = "A: refuse\nB: keep ?\nA: play\nB: Kd\nC: Ad\nA: 7d\n"
    assert replay(POSITION + lines, TonRules()).state.hands[2] == (UNKNOWN,) * 4


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ("A: refuse\nB: keep ?\nC: discard ?\nA: play\nB: As\n", 11),  # in another hand
        ("A: refuse\nB: keep ?\nC: discard ?\nA: play\nB: Kd\nC: Kd\n", 12),  # played already
        ("A: refuse\nB: keep ?\nC: discard ?\nA: play\nB: Kd\nC: 6c\n", 12),  # the buyer's, by the talon
        ("A: keep ?\n", 7),  # a hand that is known
        ("A: refuse\nB: trumpless ?\n", 8),
    ],
)
def test_illegal_lines_of_a_position(lines, line):
    assert errors(POSITION + lines)[0][0] == line


def test_hands_without_a_line_are_unknown():
    text = "players: A, B\nhand A: As 7d 8d Jh 9c\ntrump: 9d\n"
    state = replay(text, TonRules()).state
    assert state.hands[1] == (*(UNKNOWN,) * 5, parse_cards("9d")[0])
    assert state.talon == (UNKNOWN,) * 4
    assert len(state.stock) == 21


def test_trumpless_buyer_of_a_position_fetches_an_unknown_card():
    text = "players: A, B\nhand B: As 7d 8d Jh 9c\ntrump: 9d\nA: trumpless ?\n"
    assert replay(text, TonRules()).state.hands[0] == (UNKNOWN,) * 5
    assert errors(text.replace("?", "8d"))[0] == (4, "T7: 8d is not in the stock")
    assert errors(text.replace("?", "Kd")) == []


# Moments of the trump


def test_trump_is_shown_before_anybody_buys():
    assert errors(SETUP + "A: refuse\ntrump: 9s\n") == [(7, "T4: the trump card is shown before that")]
    assert errors(SETUP + "A: refuse\n") == [(7, "T4: the trump card is shown before that")]
    assert errors(SETUP + "A: refuse\n", five_bid="off") == [(7, "T4: the trump card is shown before that")]
    assert errors(SETUP + "trump: ?\n") == [(7, "T4: the trump card must be named")]


def test_every_reason_names_a_rule():
    chance = random.Random(9)
    for _ in range(60):
        _, _, steps, _ = random_hand(random_rules(chance), 4, chance)
        for state, actor, _ in steps:
            seat = chance.choice((actor, chance.randrange(4)))
            legal = legal_actions(state) if seat == actor else ()
            others = [*all_actions(state), Action("fetch", chance.choice(DECK)), Action("plus")]
            action = chance.choice([other for other in others if other not in legal])
            message = reason(state, seat, action, NAMES)
            assert message[0] == "T"
            assert message[1].isdigit()
            assert "\n" not in message
