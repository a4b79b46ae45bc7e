"""What one player may see of a hand of Tonk, and nothing else: all that a policy is given."""

from dataclasses import dataclass

from core.tonk.actions import drop_refusal
from core.tonk.rules import TonkRules
from core.tonk.state import State, TableMeld


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A hand in play as the player on `seat` sees it. Lists by seat are tuples; fields are those of State but for:

    - `hand` is his own; of the others only `sizes` (cards in hand, by seat) and `known` are seen;
    - `stock` is the number of cards left there;
    - `may_drop` tells whether he may drop now.
    """

    rules: TonkRules
    seat: int
    hand: tuple[int, ...]
    sizes: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    table: tuple[TableMeld, ...]
    pile: tuple[int, ...]
    faced: tuple[int, ...]
    stock: int
    turn: int
    drawn: bool
    turns: tuple[int, ...]
    holds: tuple[int, ...]
    stalled: int
    reshuffled: bool
    may_drop: bool


def view(state: State, seat: int) -> View:
    """Return what the player on that seat sees."""
    return View(
        rules=state.rules,
        seat=seat,
        hand=state.hands[seat],
        sizes=tuple(map(len, state.hands)),
        known=state.known,
        table=state.table,
        pile=state.pile,
        faced=state.faced,
        stock=len(state.stock),
        turn=state.turn,
        drawn=state.drawn,
        turns=state.turns,
        holds=state.holds,
        stalled=state.stalled,
        reshuffled=state.reshuffled,
        may_drop=seat == state.turn and not state.drawn and drop_refusal(state, seat) is None,
    )
