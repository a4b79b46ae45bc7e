"""Given deals played by given moves as far as these go, and on by policies: the kernel's front for card ids."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.cards import DECK_SIZE
from core.deals import Bytes
from core.ton.codes import Numbers, encode, policy_codes
from core.ton.game import play_worlds
from core.ton.policies import Policy
from core.ton.rules import DECK, TonRules
from core.ton.seats import FIELDS, NOT_SCRIPTED

# The place in DECK of a card, by its id; len(DECK) for one that Ton does not use.
PLACES = np.array([DECK.index(card) if card in DECK else len(DECK) for card in range(DECK_SIZE)], np.uint8)


def play_scripts(
    cards: Bytes,
    moves: NDArray[np.int64] | Sequence[int],
    policies: Sequence[Policy],
    rules: TonRules,
    seed: int,
    start: int,
    records: Sequence[int] | None = None,
) -> Numbers:
    """Play deals, each seat by its policy where no move is given; return their results, (deals, players, fields).

    `cards` has shape (deals, cards or more): card ids in the order of core.ton.play, up to the trump card. `moves` are
    codes of `move_code`, the same for all deals, or a row for each; the random words are those of deal `start` + i, the
    points before the hand `records` (default: none). The results are what FIELDS names; -1 for a hand that does not
    come to all its moves.
    """
    players = len(policies)
    moves = np.asarray(moves, np.int64)
    scripts = np.full((len(cards), moves.shape[-1] + 1), NOT_SCRIPTED, np.int64)
    scripts[:, :-1] = moves
    dealt = (players + 1) * rules.hand_size
    results = np.empty((len(cards), players, len(FIELDS)), np.int64)
    places = np.ascontiguousarray(PLACES[cards[:, :dealt]].T)
    before = np.array(records or [0] * players, np.int64)
    play_worlds(results, places, scripts, *policy_codes(policies), before, encode(rules), np.uint64(seed), start)
    return results
