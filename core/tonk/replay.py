"""Replaying a recorded hand on the engine: is every line legal, does it state the right totals, how does it end?

Where the rules leave a case open, this project reads a record so:

- The stock's order is never known: a card taken there may be any that is nowhere else.
- An action out of turn, and a discard with a meld in hand (K10), are errors after which the replay goes on. After any
  other illegal action the cards are no longer known: later lines are read, but not judged.
- A hand that is not legal has no result. A record may stop before the hand ends, also within a turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, NoReturn

from core.cards import format_card, format_cards
from core.tonk.actions import DROP, STOCK, UP, Action, discard_refusal, refusal
from core.tonk.melds import hand_total, hit
from core.tonk.moves import carry_out, may_reshuffle, reshuffle
from core.tonk.position import first_position, is_mid_play, split_record
from core.tonk.record import Item, Play, Problem, parse_record
from core.tonk.rules import TonkRules
from core.tonk.state import Result, State


class Slip(NamedTuple):
    """A total or a pile that the record states wrongly."""

    line: int
    stated: int | str
    computed: int | str


@dataclass(frozen=True)
class Replay:
    """What a replay found: errors and slips by line, the last position that is known, the result of a legal hand."""

    names: tuple[str, ...]
    errors: tuple[Problem, ...]
    warnings: tuple[Slip, ...]
    state: State | None

    @property
    def legal(self) -> bool:
        """Whether the record holds no error; wrong totals and piles are none."""
        return not self.errors

    @property
    def result(self) -> Result | None:
        """How the hand ended; None where it is not legal or has not ended."""
        return self.state.result if self.state and self.legal else None


def replay(text: str, rules: TonkRules) -> Replay:
    """Replay a record, given as text, under the rules."""
    record = parse_record(text, decks=rules.decks)
    header, course, problems = split_record(record)
    problems += record.problems
    slips = [slip for item in header if (slip := _slip(item, item.stated, hand_total(item.cards)))]
    first_turn = next((item.line for item in course if item.kind == "play"), None)
    unread = min((problem.line for problem in record.problems), default=None)
    state = None
    # Where a line of the header cannot be read, what it lacks is no further error.
    if unread is None or (first_turn is not None and first_turn < unread):
        state, wrong = first_position(record, header, rules)
        problems += wrong
    if state is not None:
        replayer = _Replayer(record.names, state, is_mid_play(header))
        replayer.run([item for item in course if unread is None or item.line < unread])
        state = replayer.state
        problems += replayer.errors
        slips += replayer.slips
    return Replay(record.names, tuple(sorted(problems)), tuple(sorted(slips)), state)


def _slip(item: Item, stated: int | str | None, computed: int | str) -> Slip | None:
    return None if stated is None or stated == computed else Slip(item.line, stated, computed)


class _LostError(Exception):
    """An illegal action after which the cards are not known."""


class _Replayer:
    """Goes through the turns and checks of a record, from its first position on."""

    def __init__(self, names: Sequence[str], state: State, mid_play: bool) -> None:
        self.names, self.state = names, state
        self.dealt_result = state.result
        # In mid-play the stock may be smaller than the cards not seen: how much is not known.
        self.stock_counted = not mid_play
        self.errors: list[Problem] = []
        self.slips: list[Slip] = []
        self.last_line = 0

    def run(self, course: Sequence[Item]) -> None:
        try:
            for item in course:
                if item.kind == "play":
                    self._turn(item)
                else:
                    self._check(item)
        except _LostError:
            return

    def _check(self, item: Item) -> None:
        if item.kind == "total":
            slip = _slip(item, item.stated, hand_total(self.state.hands[item.seat]))
        else:
            top = format_card(self.state.pile[-1]) if self.state.pile else "empty"
            slip = _slip(item, format_card(item.cards[-1]), top)
        if slip:
            self.slips.append(slip)

    def _turn(self, item: Item) -> None:
        if item.seat != self.state.turn and self.state.result is None:
            if self.state.drawn:
                self._lose(self.last_line, self.state.turn, "has not discarded (K9)")
            self._fault(item.line, item.seat, f"is not to play, {self.names[self.state.turn]} is (K6)")
            self.state = replace(self.state, turn=item.seat)
        self.last_line = item.line
        for play in item.plays:
            if play.verb == "tonk":
                self._declare(item)
                continue
            if self.state.result is not None:
                self._lose(item.line, item.seat, f"cannot {play.verb}: the hand is over{self._why_over()}")
            if self.state.turn != item.seat:
                self._lose(item.line, item.seat, f"cannot {play.verb} after the discard (K9)")
            for action in self._actions(item, play):
                self._act(item, action)

    def _act(self, item: Item, action: Action) -> None:
        reason = refusal(self.state, action)
        if reason is not None:
            if action.kind != "discard" or reason != discard_refusal(self.state):
                self._lose(item.line, item.seat, f"cannot {_named(action)}: {reason}")
            self._fault(item.line, item.seat, f"cannot {_named(action)}: {reason}")
        self.state = carry_out(self.state, action)

    def _actions(self, item: Item, play: Play) -> list[Action]:
        """Return what was written as actions of the engine, one for each card that is hit."""
        if play.verb == "stock":
            self._prepare_stock(item, play.cards)
            return [STOCK]
        if play.verb == "up":
            pile = self.state.pile
            if play.cards and pile and play.cards[0] != pile[-1]:
                top, card = format_card(pile[-1]), format_card(play.cards[0])
                self._lose(item.line, item.seat, f"cannot take {card}: the top of the pile is {top} (K9)")
            return [UP]
        if play.verb == "hit":
            number = self._meld_number(item, play)
            return [Action("hit", (card,), number) for card in play.cards]
        return [DROP] if play.verb == "drop" else [Action("lay" if play.verb == "lay" else "discard", play.cards)]

    def _prepare_stock(self, item: Item, cards: Sequence[int]) -> None:
        """Put the card that was taken on top of the stock, or empty the stock where none was."""
        if self.state.drawn:
            return  # refused by the engine
        state = self.state
        if not cards:
            if (state.stock and self.stock_counted) or may_reshuffle(state):
                self._lose(item.line, item.seat, "takes a card from the stock that is not named (K9)")
            self.state = replace(state, stock=())
            return
        card = cards[0]
        if card not in state.stock and may_reshuffle(state) and not (state.stock and self.stock_counted):
            state = reshuffle(state, (*state.pile[:-1], *state.stock))
        if card not in state.stock:
            self._lose(
                item.line, item.seat, f"cannot take {format_card(card)} from the stock: {self._place(card)} (K9)"
            )
        stock = list(state.stock)
        stock.remove(card)
        self.state = replace(state, stock=(card, *stock))

    def _place(self, card: int) -> str:
        """Tell where a card is that is not in the stock."""
        for name, hand in zip(self.names, self.state.hands, strict=True):
            if card in hand:
                return f"{name} holds it"
        return "it lies in the pile" if card in self.state.pile else "it lies on the table"

    def _meld_number(self, item: Item, play: Play) -> int:
        """Return the number of the meld that is named by some or all of its cards; first one that takes the card."""
        table = self.state.table
        named = [number for number, meld in enumerate(table) if set(play.onto) <= set(meld.cards)]
        if not named:
            self._lose(item.line, item.seat, f"cannot hit: {format_cards(play.onto)} is not on the table (K11)")
        takes = (number for number in named if hit(table[number].cards, play.cards[0], self.state.rules))
        return next(takes, named[0])

    def _declare(self, item: Item) -> None:
        """K4, K5: a TONK is there on the deal or never."""
        if self.state.result is None or self.state.result != self.dealt_result:
            self._fault(item.line, item.seat, "has no TONK: it counts on the deal only (K4, K5)")
        elif not self.state.rules.is_tonk(self.state.totals[item.seat]):
            self._fault(item.line, item.seat, f"has no TONK: the total is {self.state.totals[item.seat]} (K4)")

    def _why_over(self) -> str:
        return " by a TONK on the deal (K4)" if self.dealt_result else ""

    def _fault(self, line: int, seat: int, message: str) -> None:
        self.errors.append(Problem(line, f"{self.names[seat]} {message}"))

    def _lose(self, line: int, seat: int, message: str) -> NoReturn:
        self._fault(line, seat, message)
        raise _LostError


def _named(action: Action) -> str:
    return f"{action.kind} {format_cards(action.cards)}".strip()
