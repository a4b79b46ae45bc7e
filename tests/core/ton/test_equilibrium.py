"""The policy equilibrium: its table and file, what it may know, and what it does."""

import random

import numpy as np
import pytest

from core.errors import InputError
from core.ton.engine import legal_actions, start
from core.ton.equilibrium import Equilibrium, HeadsUpStrategy, equilibrium, load_strategy, rounded
from core.ton.heads_up import heads_up_rules
from core.ton.play import play
from core.ton.rules import DECK, TonRules
from core.ton.state import Action
from core.ton.view import view
from tests.core.ton.hands import random_deal, random_hand
from tests.core.ton.test_view import seen_by, swapped


def test_cards_that_it_has_not_seen_change_no_choice():
    policy = equilibrium()
    chance = random.Random(1)
    compared = dict.fromkeys(("buy", "fetch", "discard", "declare", "play"), 0)
    for _ in range(80):
        rules = heads_up_rules(TonRules())
        deal, _, steps, _ = random_hand(rules, 2, chance)
        for place, (state, seat, _) in enumerate(steps):
            seen = seen_by(seat, deal, steps[:place]) | {deal.trump_card}
            hidden = [card for card in DECK if card not in seen]
            other = swapped(deal, steps[:place], *chance.sample(hidden, 2)) if len(hidden) > 1 else None
            if other is None or other.seat != seat or other.phase != state.phase:
                continue
            actions = legal_actions(state)
            word = chance.randrange(1 << 32)
            choices = [policy.choose(view(s, seat), legal_actions(s), iter([word])) for s in (state, other)]
            assert choices[0] == choices[1]
            assert choices[0] in actions
            compared[state.phase] += 1
    assert compared["buy"] == 0  # nothing has been done yet: `swapped` starts after a step
    assert all(compared[phase] >= 10 for phase in ("discard", "declare", "play"))


def test_first_choice_depends_on_the_own_hand_and_the_trump_card_alone():
    policy, chance = equilibrium(), random.Random(2)
    words = set()
    for _ in range(60):
        deal = random_deal(TonRules(), 2, chance)
        hidden = [*deal.hands[1], *deal.talon, *deal.stock]
        chance.shuffle(hidden)
        other = deal._replace(
            hands=(deal.hands[0], tuple(hidden[:5])), talon=tuple(hidden[5:9]), stock=tuple(hidden[9:])
        )
        word = chance.randrange(1 << 32)
        states = [start(heads_up_rules(TonRules()), dealt) for dealt in (deal, other)]
        choices = [policy.choose(view(state, 0), legal_actions(state), iter([word])) for state in states]
        assert choices[0] == choices[1]
        words.add(choices[0].word)
    assert words == {"refuse", "keep", "trumpless"}


def test_five_top_trumps_are_refused_to_exchange_and_led():
    # As Ks Qs Js 10s; 6s is shown.
    hand, up = (0, 12, 11, 10, 9), 5
    rest = [card for card in DECK if card not in (*hand, up)]
    deal = random_deal(TonRules(), 2, random.Random(3))._replace(
        hands=(hand, tuple(rest[:5])), talon=tuple(rest[5:9]), trump_card=up, stock=tuple(rest[9:])
    )
    state = start(heads_up_rules(TonRules()), deal)
    refused = sum(
        equilibrium().choose(view(state, 0), legal_actions(state), iter([word])) == Action("refuse")
        for word in range(0, 1 << 32, 1 << 26)
    )
    assert refused == 64


def test_it_plays_whole_hands_by_the_source_rules_and_never_bids():
    played = [play(TonRules(), 2, [equilibrium()] * 2, 1, deal) for deal in range(30)]
    words = {action.word for hand in played for _, action in hand.actions}
    assert {"pass", "refuse", "keep", "discard", "card"} <= words
    assert not {"five", "minus"} & words


def test_it_takes_two_players():
    with pytest.raises(InputError, match="2 players, not 3"):
        play(TonRules(), 3, [equilibrium()] * 3, 1, 0)


def test_file_holds_the_strategy(tmp_path):
    parts = rounded(np.array([[1.0, 2, 0, 0, 0, 0, 0, 0], [0, 1e-9, 0, 0, 0, 0, 0, 1], [0] * 8]))
    keys = np.array([5, 1 << 40, (1 << 63) + 9], np.uint64)
    strategy = HeadsUpStrategy(keys, parts, TonRules(must_beat="free"), "a command")
    strategy.save(tmp_path / "table.npz")
    loaded = load_strategy(tmp_path / "table.npz")
    assert np.array_equal(loaded.keys, keys)
    assert np.array_equal(loaded.parts, parts)
    assert (loaded.rules, loaded.made_by) == (strategy.rules, "a command")
    assert loaded.chances(5, 3) == pytest.approx([1 / 3, 2 / 3, 0], abs=0.01)
    assert loaded.chances(1 << 40, 8)[7] == 1
    # A key that is not known, and one of which nothing is known.
    assert loaded.chances(6, 4) == loaded.chances((1 << 63) + 9, 4) == [0.25] * 4


def test_files_that_hold_none_are_refused(tmp_path):
    wrong = tmp_path / "wrong.npz"
    with pytest.raises(InputError, match="No such file"):
        load_strategy(wrong)
    wrong.write_bytes(b"PK nothing")
    with pytest.raises(InputError, match="no table"):
        load_strategy(wrong)
    other = tmp_path / "other.npz"
    np.savez(other, steps=np.zeros((8, 1), np.uint8))
    with pytest.raises(InputError, match="no table"):
        load_strategy(other)


def test_trained_table_names_its_command_and_rules():
    strategy = load_strategy()
    assert strategy.made_by.startswith("tonlab ton train-equilibrium --iterations ")
    assert strategy.rules == TonRules()
    assert len(strategy.keys) > 100_000
    assert (np.diff(strategy.keys) > 0).all()
    assert isinstance(equilibrium(), Equilibrium)
