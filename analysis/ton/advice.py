"""What each action is worth to a player of Ton who is to act, in what he sees of the hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from analysis.compared import Advised, advised, payments
from analysis.effort import Effort, Sampling
from analysis.html import Rich
from core.cards import check_copies, format_card, parse_card, parse_cards
from core.errors import InputError
from core.ton.engine import apply, legal_actions, start
from core.ton.policies import policy
from core.ton.replay import replay
from core.ton.rules import DECK, TonRules
from core.ton.state import UNKNOWN, Action, Deal, State
from core.ton.view import view

# The half-width of the values where no deals and no precision are asked for, in points.
PRECISION = 0.2
PILOT_WORLDS = 400


@dataclass(frozen=True)
class Advice(Rich):
    """The legal actions of a player, best first, in points a hand, a plus counting as minus `plus_worth`.

    All play on by `policy`.
    """

    actions: tuple[Advised, ...]
    seat: int
    phase: str
    policy: str
    plus_worth: int
    rules: TonRules


def view_of_record(text: str, rules: TonRules) -> State:
    """Return what the player to act sees at the end of a recorded hand.

    Raises InputError for a record that is not legal, for a hand that is over, and where his own cards are not given.
    """
    found = replay(text, rules)
    if not found.legal:
        raise InputError(f"line {found.errors[0].line}: {found.errors[0].message}")
    state = found.state
    if state.seat is None:
        raise InputError("the recorded hand is over: nobody is to act")
    if UNKNOWN in state.hands[state.seat]:
        raise InputError(f"the cards of {found.record.names[state.seat]}, who is to act, are not given")
    return view(state, state.seat)


def view_of_deal(
    players: int, hand: str, trump_card: str | None, seat: int, seen: str, rules: TonRules, points: Sequence[int] = ()
) -> State:
    """Return what the player at `seat` sees when he may buy, all before him having refused; or, with no trump card
    shown, when he may bid five, all before him having passed.

    `seen` are the talon cards turned so far, in order; `points` the records by seat, 0 without them.

    Raises InputError for cards, a seat or records that cannot be, and where he has no choice.
    """
    rules.check_players(players)
    cards, turned = parse_cards(hand), parse_cards(seen)
    shown = () if trump_card is None else (parse_card(trump_card),)
    check_copies((*cards, *turned, *shown))
    for card in (*cards, *turned, *shown):
        if card not in DECK:
            raise InputError(f"{format_card(card)} is not in the deck of {len(DECK)} cards (T1)")
    if not 0 <= seat < players:
        raise InputError(f"seat {seat} is not a seat: seats run from 0 to {players - 1}")
    wanted = min(rules.turned_before(seat), rules.talon_size) if shown else 0
    if len(turned) != wanted:
        raise InputError(f"{len(turned)} talon cards are given: {wanted} have been turned before seat {seat} (T5)")
    unknown = (UNKNOWN,) * rules.hand_size
    hands = tuple(cards if number == seat else unknown for number in range(players))
    talon = (*turned, *(UNKNOWN,) * (rules.talon_size - len(turned)))
    stock = (UNKNOWN,) * rules.stock_size(players)
    deal = Deal(hands, talon, shown[0] if shown else UNKNOWN, stock)
    state = start(rules, deal, records=points or None)
    phase = "buy" if shown else "bid"
    while state.seat is not None and (state.phase, state.seat) != (phase, seat):
        if state.phase not in ("bid", "buy") and not (state.phase == "discard" and phase == "buy"):
            raise InputError(f"seat {seat} is not asked whether it {'buys' if shown else 'bids'}")
        state = apply(state, legal_actions(state)[0])
    return view(state, seat)


def advise(seen: State, policy_name: str = "tuned", **sampling: Unpack[Sampling]) -> Advice:
    """Return what each legal action is worth to the player to act, when all play on by one policy.

    Worlds that agree with the view are sampled: `deals` of them, or until each value's interval has a half-width of
    `precision` points (default PRECISION). Actions are compared in the same worlds. A plus counts as minus
    `zero_trick_points`. What others chose before tells nothing of their cards but what the rules make it tell.
    Estimated.

    Raises InputError for a policy that is not for kernels, and where no world agrees with what was seen.
    """
    if sampling.get("deals") is None and sampling.get("precision") is None:
        sampling["precision"] = PRECISION
    effort = Effort(**sampling)
    chosen = policy(policy_name, seen.players)
    # Imported here because it imports numba, which wrong input must not wait for.
    from analysis.runs import Run
    from analysis.ton.tried import Tried

    assert seen.seat is not None
    actions = legal_actions(seen)
    run = Run(Tried(seen, actions, chosen, seen.rules.zero_trick_points, effort.seed), effort)
    run.complete(
        lambda: max(payments(run.sums, run.deals, effort.seed), key=lambda value: value.half_width),
        pilot=PILOT_WORLDS,
    )
    return Advice(
        advised([_text(action) for action in actions], run.sums, run.deals, effort.seed),
        seen.seat,
        seen.phase,
        policy_name,
        seen.rules.zero_trick_points,
        seen.rules,
    )


def _text(action: Action) -> str:
    return str(action).replace("fetch", "trumpless")
