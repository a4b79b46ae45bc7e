"""The policy `pimc`: open cards valued rightly, choices that cannot be wrong, and nothing seen that is hidden."""

import random
from dataclasses import replace

import pytest

from core.cards import parse_cards
from core.errors import InputError
from core.ton.card_values import forced_by_cards, forced_from_start
from core.ton.engine import apply, legal_actions, start
from core.ton.pimc import Pimc, points_by_tricks, total_points
from core.ton.policies import POLICIES, Policy, policy
from core.ton.position import Position
from core.ton.rules import DECK, TonRules
from core.ton.solver import solve
from core.ton.state import Action, Deal, State
from core.ton.view import view
from core.ton.worlds import sample_worlds
from tests.core.ton.hands import random_hand, random_rules

PIMC = Pimc(20)


def chosen(state: State, player: Policy = PIMC, word: int = 12345) -> str:
    assert state.seat is not None
    return str(player.choose(view(state, state.seat), legal_actions(state), iter([word])))


def dealt(hands: str, trump_card: str, rules: TonRules | None = None, **changes: object) -> State:
    """Return the state after a deal of the hands given, separated by bars; talon and stock are the other cards."""
    cards = tuple(map(parse_cards, hands.split("|")))
    trump = parse_cards(trump_card)[0]
    rest = [card for card in DECK if card != trump and card not in {card for hand in cards for card in hand}]
    rules = rules or TonRules(five_bid="off")
    size = rules.talon_size
    return start(rules, Deal(cards, tuple(rest[:size]), trump, tuple(rest[size:])), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_cards_are_valued_as_the_solver_values_what_comes_of_them(players):
    chance = random.Random(players)
    for _ in range(30):
        rules = random_rules(chance)
        size, trump, leader = chance.randint(1, 4), chance.choice([None, 0, 1, 2, 3]), chance.randrange(players)
        positions = []
        for _ in range(3):
            cards = chance.sample(DECK, players * size)
            positions.append(Position(tuple(tuple(cards[seat::players]) for seat in range(players)), trump, leader))
        before = positions[0]
        seat = chance.randrange(players)
        starts = forced_from_start([p.hands for p in positions], trump, [leader] * 3, seat, rules)
        assert starts.tolist() == [solve(position, rules)[seat] for position in positions]
        for _ in range(chance.randrange(players)):
            before = before.play(chance.choice(before.legal(rules)))
        moves = before.legal(rules)
        after = [solve(before.play(card), rules)[before.seat] for card in moves]
        hands = [before.hands]
        found = forced_by_cards(hands, before.trick, trump, [leader], before.seat, moves, rules)
        assert found.tolist() == [after]


def test_points_of_tricks_count_no_trick_and_a_failed_bid():
    rules = TonRules(zero_trick_points=4, five_bid_pluses=3)
    assert points_by_tricks(rules, bids=False).tolist() == [-4, 1, 2, 3, 4, 5]
    assert points_by_tricks(rules, bids=True).tolist() == [-12, -11, -10, -9, -8, 5]
    assert points_by_tricks(rules.replace(five_bid_failed_tricks="lost"), bids=True).tolist() == [-12] * 5 + [5]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_hidden_cards_change_no_choice(players):
    """Another world that agrees with the view is the same to him, whatever it holds."""
    chance = random.Random(players)
    kinds = set()
    for number in range(12):
        rules = TonRules() if number % 2 else random_rules(chance)
        _, _, steps, _ = random_hand(rules, players, chance, five=0.05)
        for state, seat, _ in chance.sample(steps, 3):
            seen = view(state, seat)
            other = sample_worlds(seen, 1, number)[0].state
            if other != state:
                kinds.add(state.phase)
                assert chosen(state, Pimc(5)) == chosen(other, Pimc(5))
    assert {"play", "buy"} <= kinds


def test_it_bids_five_with_a_hand_that_cannot_lose_and_passes_with_one_that_cannot_win():
    rules = TonRules()
    assert chosen(dealt("As Ks Qs Js 10s|7h 8h 9h 10h Jh|6c 7c 8c 9c 10c", "Ah", rules)) == "five"
    assert chosen(dealt("6s 7s 8h 6d 7d|7h Kh 9h 10h Jh|6c 7c 8c 9c 10c", "Ah", rules)) == "pass"


def test_it_refuses_to_buy_with_the_five_top_trumps_and_buys_with_nothing():
    assert chosen(dealt("As Ks Qs Js 10s|7h 8h 9h 10h Jh", "6s")) == "refuse"
    state = dealt("6h 6d 7d 8h As|7h 9h 10h Jh 8d", "6s")
    assert chosen(state) == "keep As"


def test_it_folds_without_hope_plays_with_top_trumps_and_discards_what_is_worth_nothing():
    sure = dealt("As Ks 6h 7d 8c|6c 6d 7h 8h 7c|9c 10c Jc Qc Kc|9s 7s 8s Js Qd", "6s")
    for action in ("refuse", "refuse", "refuse"):
        sure = apply(sure, Action(action))
    assert sure.phase == "discard"
    # The dealer's trumps are five; the queen of diamonds is not one.
    assert chosen(sure) == "discard Qd"
    declaring = apply(sure, Action("discard", parse_cards("Qd")[0]))
    assert chosen(declaring) == "play"
    assert chosen(apply(declaring, Action("play"))) == "fold"


def test_it_fetches_the_highest_trump_of_the_stock():
    # The ace of trumps is in the talon.
    state = dealt("7d 8d Ah Jh 9c|Kd Qd 6d 10c 7h|10s 8s Ad 6h 7c", "9s")
    state = apply(state, Action("trumpless"))
    assert chosen(state) == "fetch Ks"


def test_the_last_card_that_can_win_wins():
    """Who follows with the ace takes this trick for sure, and the next one perhaps; with the seven, none for sure."""
    rules = TonRules(hand_size=2, talon_size=1, five_bid="off", must_beat="free", no_buyer_lead="dealer")
    state = dealt("Ah 7h|Kh 6d", "6s", rules)
    for action in (Action("refuse"), Action("discard", parse_cards("6s")[0]), Action("play")):
        state = apply(state, action)
    state = apply(state, Action("card", parse_cards("Kh")[0]))
    assert chosen(state) == "Ah"


def test_of_equal_actions_it_takes_that_of_greedy_else_the_lowest():
    seen = dealt("As Ks Qs Js 10s|7h 8h 9h 10h Jh", "6s")
    seen = apply(apply(apply(seen, Action("refuse")), Action("discard", parse_cards("6s")[0])), Action("play"))
    actions = legal_actions(seen)
    worlds = sample_worlds(view(seen, 0), 5, 1)
    assert len(set(total_points(view(seen, 0), actions, worlds))) == 1
    assert chosen(seen) == str(POLICIES["greedy"].choose(view(seen, 0), actions, iter(()))) == "As"
    without = tuple(action for action in actions if str(action) != "As")
    assert str(PIMC.choose(view(seen, 0), without, iter([1]))) == "10s"


def test_value_of_passing_is_at_least_that_of_a_fold_where_he_may():
    weak = dealt("6h 6d 7d 8h 7c|7h 9h 10h Jh 8d|9c 10c Jc Qc Kc|Ah Kh Qh Ad Kd", "6s", TonRules())
    worlds = sample_worlds(view(weak, 0), 40, 1)
    bound = replace(weak, records=(13, 0, 0, 0))
    must = [world._replace(state=replace(world.state, records=(13, 0, 0, 0))) for world in worlds]
    passing, bid = total_points(view(weak, 0), legal_actions(weak), worlds)
    assert bid < passing
    assert passing >= total_points(view(bound, 0), legal_actions(bound), must)[0]


def test_names_of_policies():
    assert policy("plain", 3) is POLICIES["plain"]
    assert policy("pimc", 3) == Pimc(40)
    assert policy("pimc:7", 3) == Pimc(7)
    for name in ("pimc:", "pimc:0", "pimc:x", "pimc:1000000"):
        with pytest.raises(InputError, match="number of worlds"):
            policy(name, 3)
    with pytest.raises(InputError, match="did you mean greedy"):
        policy("gredy", 3)
