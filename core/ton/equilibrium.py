"""The policy `equilibrium` for two players: a table of chances that regret minimisation has found, and its file.

equilibrium.npz was made by the command that it names in `made_by`, for the rules that it holds. A file has, for each
key of `core.ton.abstraction` in rising order, the chances of its choices in parts of PARTS.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.ton.abstraction import MOST_CHOICES, choice
from core.ton.regrets import draw
from core.ton.rules import TonRules
from core.ton.state import Action, State

TRAINED = Path(__file__).parent / "equilibrium.npz"
# Chances are kept in so many parts: finer ones would change little and fill the file.
PARTS = 15


@dataclass(frozen=True, eq=False)
class HeadsUpStrategy:
    """What both players of the game of two do (`core.ton.heads_up`), by what they know.

    keys, parts
        the keys in rising order, and for each the weights of its choices, shape (keys, MOST_CHOICES)
    rules
        the rules for which it was made
    made_by
        the command that made it
    """

    keys: NDArray[np.uint64]
    parts: NDArray[np.uint8]
    rules: TonRules
    made_by: str

    def chances(self, key: int, choices: int) -> list[float]:
        """Return the chances of that many choices; they are all alike for a key that is not known."""
        place = int(np.searchsorted(self.keys, np.uint64(key)))
        if place < len(self.keys) and self.keys[place] == key:
            parts = self.parts[place, :choices].tolist()
            if total := sum(parts):
                return [part / total for part in parts]
        return [1 / choices] * choices

    def save(self, path: Path) -> None:
        """Write the strategy to a file."""
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                # Differences of keys take half the room; the bytes of a place lie together for the same reason.
                steps=np.diff(self.keys, prepend=np.uint64(0)).view(np.uint8).reshape(-1, 8).T,
                parts=self.parts.T,
                rules=np.array(json.dumps(self.rules.as_dict())),
                made_by=np.array(self.made_by),
            )


@cache
def load_strategy(path: Path = TRAINED) -> HeadsUpStrategy:
    """Return the strategy of a file.

    Raises InputError when it cannot be read or holds none.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            steps = np.ascontiguousarray(file["steps"].T).view(np.uint64).ravel()
            parts = np.ascontiguousarray(file["parts"].T)
            rules = TonRules.from_options(json.loads(str(file["rules"])))
            made_by = str(file["made_by"])
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'not a table of the policy equilibrium'}") from None
    except (ValueError, KeyError, AttributeError, TypeError, EOFError, BadZipFile):
        raise InputError(f"{path} is no table of the policy equilibrium") from None
    if parts.dtype != np.uint8 or parts.shape != (len(steps), MOST_CHOICES):
        raise InputError(f"{path} is no table of the policy equilibrium")
    return HeadsUpStrategy(np.cumsum(steps), parts, rules, made_by)


@dataclass(frozen=True)
class Equilibrium:
    """The policy `equilibrium`: near an equilibrium of the hand of two; one word for each choice that it draws.

    It plays by a table (`equilibrium:FILE` names another). It never bids five (T13), and takes the plus for no trick
    (T11): the game that it is made for has no bid, and prices a plus like the points. Where the table knows nothing of
    a decision, all choices that it considers are equally likely.
    """

    strategy: HeadsUpStrategy

    def choose(self, view: State, actions: Sequence[Action], words: Iterator[int]) -> Action:
        """Return what the class's docstring says.

        Raises InputError for more than two players.
        """
        if view.players != 2:
            raise InputError(f"the policy equilibrium plays with 2 players, not {view.players}")
        if view.phase in ("bid", "choose"):
            return actions[0]
        considered = choice(view, actions)
        if len(considered.actions) == 1:
            return considered.actions[0]
        chances = self.strategy.chances(considered.key, len(considered.actions))
        return considered.actions[draw(chances, next(words))]


def equilibrium(path: Path = TRAINED) -> Equilibrium:
    """Return the policy that plays by a file.

    Raises InputError as `load_strategy` does.
    """
    return Equilibrium(load_strategy(path))


def rounded(sums: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return weights as parts of PARTS, rounded; a row's greatest weight never comes to nothing."""
    totals = sums.sum(axis=1, keepdims=True)
    return np.rint(PARTS * sums / np.where(totals > 0, totals, 1)).astype(np.uint8)
