"""What each action is worth to a player of Tonk who is to move, in what he sees of the hand."""

from dataclasses import dataclass
from typing import Unpack

from analysis.compared import Advised, advised, payments
from analysis.effort import Effort, Sampling
from analysis.growing import Growing
from analysis.html import Rich
from core.cards import check_copies, format_card, format_cards, parse_card, parse_cards
from core.errors import InputError
from core.tonk.actions import Action, legal_actions
from core.tonk.melds import hand_total
from core.tonk.policies import policy
from core.tonk.replay import replay
from core.tonk.rules import TonkRules
from core.tonk.view import View, view
from core.tonk.worlds import WORLDS, sample_world

# The half-width of the payments where no deals and no precision are asked for, in stakes.
PRECISION = 0.02
PILOT_WORLDS = 5_000


@dataclass(frozen=True)
class Advice(Rich):
    """The legal actions of a player, best first; all play on by `policy`."""

    actions: tuple[Advised, ...]
    policy: str
    rules: TonkRules


def view_of_record(text: str, rules: TonkRules) -> View:
    """Return what the player to move sees at the end of a recorded hand.

    Raises InputError for a record that is not legal, and for a hand that is over.
    """
    found = replay(text, rules)
    if not found.legal or found.state is None:
        raise InputError(f"line {found.errors[0].line}: {found.errors[0].message}")
    if found.state.result is not None:
        raise InputError("the recorded hand is over: nobody is to move")
    return view(found.state, found.state.turn)


def view_of_deal(players: int, hand: str, up: str | None, rules: TonkRules) -> View:
    """Return what the first player sees on his first turn: before the draw, or with one card more after a draw.

    Raises InputError for cards that do not fit the rules or each other, and for a hand that is a TONK.
    """
    rules.check_players(players)
    cards = parse_cards(hand, decks=rules.decks)
    if len(cards) not in (rules.hand_size, rules.hand_size + 1):
        raise InputError(f"a hand of {len(cards)} cards: it has {rules.hand_size}, or one more after the draw")
    if (up is None) != (rules.up_card == "no"):
        raise InputError("the up-card is missing (--up)" if up is None else "no card is turned up under these rules")
    drawn = len(cards) > rules.hand_size
    if not drawn and rules.is_tonk(hand_total(cards)):
        raise InputError(f"the hand {format_cards(cards)} is a TONK: it ends the game at once (K5)")
    pile = () if up is None else (parse_card(up),)
    check_copies([*cards, *pile], decks=rules.decks)
    stock = len(rules.deck()) - players * rules.hand_size - len(pile) - drawn
    return View(
        rules=rules,
        seat=0,
        hand=tuple(sorted(cards)),
        sizes=(len(cards), *[rules.hand_size] * (players - 1)),
        known=((),) * players,
        table=(),
        pile=pile,
        faced=pile,
        stock=stock,
        turn=0,
        drawn=drawn,
        turns=(0,) * players,
        holds=(0,) * players,
        stalled=0,
        reshuffled=False,
        may_drop=not drawn,
    )


def advise(seen: View, policy_name: str = "threshold", **sampling: Unpack[Sampling]) -> Advice:
    """Return what each legal action is worth to the player to move, when all play on by one policy.

    Worlds that agree with the view are sampled: `deals` of them, or until each payment's interval has a half-width of
    `precision` stakes (default PRECISION). Actions are compared in the same worlds. Estimated.

    Raises InputError for a policy that is not for kernels, and where no world agrees with what was seen.
    """
    if sampling.get("deals") is None and sampling.get("precision") is None:
        sampling["precision"] = PRECISION
    return growing_advice(seen, policy_name, Effort(**sampling)).complete(pilot=PILOT_WORLDS)


def growing_advice(seen: View, policy_name: str, effort: Effort) -> Growing[Advice]:
    """Prepare what `advise` returns, to be counted as long as one likes; the arguments are the same."""
    chosen = policy(policy_name, len(seen.sizes))
    # Imported here because it imports numba, which wrong input must not wait for.
    from analysis.runs import Run
    from analysis.tonk.rolled import Rolled
    from core.rng import word_stream
    from core.tonk.game import SCALE

    # What may be done depends on nothing hidden, so any world tells it.
    actions = legal_actions(sample_world(seen, word_stream(effort.seed, WORLDS, 0)))
    run = Run(Rolled(seen, tuple(actions), chosen, effort.seed), effort)
    texts = [_text(action, seen) for action in actions]
    return Growing(
        run,
        lambda: Advice(advised(texts, run.sums, run.deals, effort.seed, SCALE), policy_name, seen.rules),
        lambda: max(payments(run.sums, run.deals, effort.seed, SCALE), key=lambda payment: payment.half_width),
    )


def _text(action: Action, seen: View) -> str:
    if action.kind == "hit":
        return f"hit {format_card(action.cards[0])} on {format_cards(seen.table[action.meld].cards)}"
    return f"{action.kind} {format_cards(action.cards)}".strip()
