"""How much pimc overrates its hands: against the hands themselves, played again."""

import pytest

from analysis.ton.fusion import Fusion, overrated_tricks
from core.errors import InputError
from core.ton.engine import apply, legal_actions, start
from core.ton.pimc import Pimc, forced_tricks
from core.ton.play import decision_words, play, sample_deal
from core.ton.rules import TonRules
from core.ton.view import view


def test_expected_and_taken_tricks_are_those_of_the_hands():
    found = overrated_tricks(3, worlds=4, deals=5, seed=2, threads=1)
    pimc, gaps = Pimc(4), []
    for deal in range(5):
        words, state, expected = decision_words(2, deal), start(TonRules(), sample_deal(TonRules(), 3, 2, deal)), None
        while (seat := state.seat) is not None:
            word, seen, actions = next(words), view(state, seat), legal_actions(state)
            action = pimc.choose(seen, actions, iter([word]))
            if state.phase == "play" and expected is None:
                tricks = forced_tricks(seen, actions, pimc.sample(seen, word))
                expected = seat, tricks[:, actions.index(action)].mean()
            state = apply(state, action)
        if expected is not None:
            gaps.append(expected[1] - play(TonRules(), 3, [pimc] * 3, 2, deal).result.tricks[expected[0]])
    assert found[0].n == len(gaps) > 2
    assert found[0].value == pytest.approx(sum(gaps) / len(gaps))


def test_two_players_expect_more_than_all_tricks_together():
    """Open cards share all tricks out between two; both overrate theirs if what they expect adds up to more."""
    leader, other = overrated_tricks(2, worlds=8, deals=50)
    assert leader is not None
    assert other is not None
    spread = leader.se + other.se
    assert leader.value + other.value > 2 * spread > 0


def test_measures_of_other_rules_and_worlds_are_kept_apart():
    kinds = [Fusion(TonRules(), 2, 4, 1), Fusion(TonRules(), 3, 4, 1), Fusion(TonRules(), 2, 5, 1)]
    assert len({str(kind.description()) for kind in kinds}) == 3
    with pytest.raises(InputError, match="1 players"):
        overrated_tricks(1)
