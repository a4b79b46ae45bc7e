"""Single hands and whole matches of Ton under one rule set, deal by deal: what comparisons set against each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.tally import Counts
from analysis.ton.sampling import facts_of
from core.deals import sample_hands
from core.errors import InputError
from core.ton.codes import encode, in_kernel, policy_codes
from core.ton.game import no_script, play_worlds
from core.ton.matches import BY_PLAYER, WHOLE, encode_match, money_unit, play_each
from core.ton.play import DEAL_STREAM, play
from core.ton.policies import Policy
from core.ton.rules import DECK, MAX_HANDS, TonRules
from core.ton.seats import FIELDS


@dataclass(frozen=True)
class Hands:
    """Plays single hands from an empty record, each seat by its policy, on the deals of `analysis.ton.sampling.Games`.

    Facts of a hand are, by seat S: `F:S` for each F of FIELDS; `worth:S`, its points less `zero_trick_points` for each
    plus; `buy_worth:S`, the same where the seat has bought, else 0. And `bought`: whether anybody has.
    """

    rules: TonRules
    policies: tuple[Policy, ...]

    def facts(self, columns: Sequence[str], seed: int, start: int, stop: int) -> Counts:
        """Return these facts of the hands start .. stop - 1, a row a hand."""
        hands = self._played(seed, start, stop)

        def fact(column: str) -> Counts:
            name, _, seat = column.partition(":")
            if name == "bought":
                return np.asarray(hands[:, :, FIELDS.index("buy")].max(axis=1))
            own: dict[str, Counts] = dict(zip(FIELDS, hands[:, int(seat)].T, strict=True))
            own["worth"] = own["points"] - self.rules.zero_trick_points * own["pluses"]
            own["buy_worth"] = own["worth"] * own["buy"]
            return own[name]

        return np.stack([fact(column) for column in columns], axis=1)

    def _played(self, seed: int, start: int, stop: int) -> Counts:
        """Return what FIELDS names, shape (hands, players, fields)."""
        players, hands = len(self.policies), stop - start
        results = np.zeros((hands, players, len(FIELDS)), np.int64)
        if not in_kernel(self.policies):
            for number in range(hands):
                # On the reference engine: not all policies are in the kernel.
                results[number] = facts_of(play(self.rules, players, self.policies, seed, start + number))
            return results
        dealt = (players + 1) * self.rules.hand_size
        places = sample_hands(range(len(DECK)), [dealt], hands, seed=seed, stream=DEAL_STREAM, first=start)
        scripts = np.broadcast_to(no_script(), (hands, 1)).copy()
        records = np.zeros(players, np.int64)
        codes = *policy_codes(self.policies), records, encode(self.rules)
        play_worlds(results, np.ascontiguousarray(places.T), scripts, *codes, np.uint64(seed), start)
        return results

    def description(self) -> dict[str, Any]:
        """Return what the facts depend on."""
        return _description("single hands", self.rules, self.policies)


@dataclass(frozen=True)
class Matches:
    """Plays whole matches, each player by his policy, on the deals of `analysis.ton.sampling.Matches`; a deal is one.

    Facts of a match are, by the player's seat S in the first hand: `win:S`, whether he wins; `money:S`, his money. And
    its `hands`, and whether it is `broken_off` after MAX_HANDS hands.
    """

    rules: TonRules
    policies: tuple[Policy, ...]

    def facts(self, columns: Sequence[str], seed: int, start: int, stop: int) -> Counts:
        """Return these facts of the matches start .. stop - 1, a row a match."""
        by_player = np.zeros((stop - start, len(self.policies), len(BY_PLAYER)), np.int64)
        whole = np.zeros((stop - start, len(WHOLE)), np.int64)
        codes = *policy_codes(self.policies), encode(self.rules), encode_match(self.rules)
        play_each(by_player, whole, *codes, np.uint64(seed), start, MAX_HANDS)
        if whole[:, WHOLE.index("too_dear")].any() and any(column.startswith("money") for column in columns):
            raise InputError(
                "in some matches pot pluses double the debts past all bounds (T12): such money has no mean that"
                " sampling finds; pot_plus_points or zero_trick keep it lower"
            )

        def fact(column: str) -> Counts:
            name, _, player = column.partition(":")
            match name:
                case "win":
                    return by_player[:, int(player), BY_PLAYER.index("wins")]
                case "money":
                    return money_unit(self.rules) * by_player[:, int(player), BY_PLAYER.index("money")]
                case _:
                    return whole[:, WHOLE.index(name)]

        return np.stack([fact(column) for column in columns], axis=1)

    def description(self) -> dict[str, Any]:
        """Return what the facts depend on."""
        return _description("whole matches", self.rules, self.policies)


def _description(played: str, rules: TonRules, policies: Sequence[Policy]) -> dict[str, Any]:
    return {"game": "ton", "played": played, "policies": list(map(repr, policies)), "rules": rules.as_dict()}
