"""The small game of two, solved exactly: the same states of knowledge and the same NashConv as an independent OpenSpiel
game's, and regret minimisation that comes near an equilibrium.
"""

import pytest

from core.errors import InputError
from core.rng import word_stream
from core.ton.best_reply import best_reply_value, chances, expected, nash_conv
from core.ton.regrets import solve
from core.ton.rules import TonRules
from core.ton.small import SmallGame

STREAM = 900


def words(seed):
    return lambda iteration: word_stream(seed, STREAM, iteration)


# Ranks, suits, every so many'th deal, options. Eight cards leave a stock of two, for the trumpless right.
GAMES = [
    (3, 2, 4, {}),
    (3, 2, 7, {"must_beat": "free", "no_buyer_lead": "dealer", "talon_reveal": "none"}),
    (4, 2, 180, {}),
    (4, 2, 250, {"dealer_discard": "before_buy_in", "lone_player": "no_score"}),
    (4, 2, 250, {"dealer_discard": "after_declarations", "talon_reveal": "first_refusal"}),
    (3, 3, 450, {"trump_card": "stays", "trumpless_right": "nobody", "zero_trick_points": 1}),
]


@pytest.mark.parametrize(("ranks", "suits", "every", "options"), GAMES)
def test_nash_conv_is_open_spiels_on_a_game_written_for_it(ranks, suits, every, options):
    pytest.importorskip("pyspiel")
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import expected_game_score, exploitability

    from tests.reference.ton_open_spiel import CARD, DISCARD, FETCH, FOLD, KEEP, PLAY, REFUSE, RIGHT, TonGame

    bases = {"keep": KEEP, "fetch": FETCH, "discard": DISCARD, "card": CARD}
    alone = {"refuse": REFUSE, "trumpless": RIGHT, "play": PLAY, "fold": FOLD}

    small = SmallGame(ranks, suits, rules=TonRules().replace(**options), every=every)
    deals = [(*deal.hands, deal.talon[0], deal.trump_card, deal.stock) for deal in small.deals]
    game = TonGame(deals, small.rules)
    texts, asked = {}, {}

    def compare(node, state):
        """Walk both trees: the same players, choices, payoffs, and the same things known."""
        if node.seat is None:
            assert state.is_terminal()
            assert state.returns() == [node.payoff, -node.payoff]
            return
        assert state.current_player() == node.seat
        actions = [bases[word] + card if card is not None else alone[word] for word, card in node.actions]
        assert sorted(actions) == state.legal_actions()
        text = state.information_state_string(node.seat)
        assert texts.setdefault(text, node.key) == node.key
        asked[text] = (node, actions)
        for action, child in zip(actions, node.children, strict=True):
            compare(child, state.child(action))

    for number, root in enumerate(small.roots):
        compare(root, game.new_initial_state().child(number))
    # As many states of knowledge, and so the same ones.
    assert len(texts) == len(set(texts.values())) == small.keys

    class Mapped(policies.Policy):
        def __init__(self, strategy):
            super().__init__(game, [0, 1])
            self.strategy = strategy

        def action_probabilities(self, state, player_id=None):
            node, actions = asked[state.information_state_string(state.current_player())]
            return dict(zip(actions, chances(node, self.strategy), strict=True))

    for strategy in ({}, solve(small.roots, 300, words(1)).average()):
        mapped = Mapped(strategy)
        ours = nash_conv(small.roots, strategy)
        assert ours == pytest.approx(exploitability.nash_conv(game, mapped, use_cpp_br=False), abs=1e-9)
        assert ours > 1e-6
        value = expected_game_score.policy_value(game.new_initial_state(), [mapped, mapped])[0]
        assert expected(small.roots, strategy) == pytest.approx(value, abs=1e-9)


def test_regret_minimisation_comes_near_an_equilibrium():
    game = SmallGame(3, 2)
    found = [nash_conv(game.roots, solve(game.roots, number, words(1)).average()) for number in (0, 1000, 8000)]
    assert found[0] > 4
    assert found[1] < 1
    # Other seeds come to 0.01 to 0.05.
    assert found[2] < 0.1
    assert all(found)


def test_value_lies_between_what_both_best_replies_leave():
    game = SmallGame(3, 2)
    average = solve(game.roots, 4000, words(2)).average()
    floor, ceiling = -best_reply_value(game.roots, average, 1), best_reply_value(game.roots, average, 0)
    assert floor <= expected(game.roots, average) <= ceiling
    # Of the same game solved from another seed: the intervals of the value must meet.
    other = solve(game.roots, 4000, words(3)).average()
    assert -best_reply_value(game.roots, other, 1) <= ceiling
    assert floor <= best_reply_value(game.roots, other, 0)


def test_best_reply_knows_no_hidden_cards():
    game = SmallGame(3, 2)

    def open_value(node, seat):
        if node.seat is None:
            return node.payoff if seat == 0 else -node.payoff
        values = [open_value(child, seat) for child in node.children]
        return max(values) if node.seat == seat else sum(values) / len(values)

    eldest, dealer = (sum(open_value(root, seat) for root in game.roots) / len(game.roots) for seat in (0, 1))
    assert best_reply_value(game.roots, {}, 0) < eldest - 0.1
    # With so few cards the dealer needs to know no more than he sees.
    assert best_reply_value(game.roots, {}, 1) <= dealer + 1e-9


def test_deals_and_what_is_refused():
    game = SmallGame(3, 2)
    # Three trump cards, C(5, 2) hands, C(3, 2) hands, one card for the talon.
    assert len(game.deals) == 3 * 10 * 3
    assert {len(deal.stock) for deal in game.deals} == {0}
    assert game.rules.five_bid == "off"
    for ranks, suits, hand_size in ((10, 2, 2), (0, 4, 2), (3, 5, 2), (2, 2, 2), (9, 4, 7)):
        with pytest.raises(InputError):
            SmallGame(ranks, suits, hand_size)
