"""Hands for tests: written out card by card, or played at random without a drop at every other turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.cards import parse_card, parse_cards, remove_cards
from core.tonk.actions import Action, legal_actions
from core.tonk.moves import apply
from core.tonk.rules import TonkRules
from core.tonk.state import State, TableMeld, new_state
from core.tonk.view import View, view

OPTIONS = {name: words for name, words in TonkRules.options().items() if words}


def position(*hands: str, pile: str = "", table: Sequence[tuple[str, int]] = (), stock: str | None = None, **options):
    """Return a position in mid-play; without `stock` it is all other cards in order."""
    rules = TonkRules(**options)
    cards = [parse_cards(hand, decks=rules.decks) for hand in hands]
    on_pile = parse_cards(pile, decks=rules.decks)
    melds = [TableMeld(parse_cards(meld, decks=rules.decks), owner) for meld, owner in table]
    seen = [*on_pile, *(card for hand in cards for card in hand), *(card for meld in melds for card in meld.cards)]
    rest = remove_cards(rules.deck(), seen) if stock is None else parse_cards(stock, decks=rules.decks)
    return new_state(rules, cards, on_pile, rest, table=melds)


def action(text: str) -> Action:
    """Return an action as records write it; for a hit the number of the meld comes last: `hit 8s 0`."""
    verb, *cards = text.split()
    if verb == "hit":
        return Action("hit", (parse_card(cards[0]),), int(cards[1]))
    return Action(verb, tuple(map(parse_card, cards)))


def after(state: State, *actions: str, words: Sequence[int] = ()) -> State:
    for text in actions:
        state = apply(state, action(text), words)
    return state


@dataclass(frozen=True)
class Patient:
    """Plays at random, but of its chances to drop it takes one in `drops`, so that hands last."""

    drops: int = 40

    def choose(self, view: View, actions: Sequence[Action], words: Iterator[int]) -> Action:
        if actions[0].kind == "drop" and (next(words) * self.drops) >> 32:
            actions = actions[1:]
        return actions[(next(words) * len(actions)) >> 32]


def states_of(state: State, policy: Patient, words: Iterator[int], shuffled: Sequence[int]) -> Iterator[State]:
    """Yield every state of a hand in which all players follow the policy, the last one too."""
    yield state
    while state.result is None:
        chosen = policy.choose(view(state, state.turn), legal_actions(state), words)
        state = apply(state, chosen, shuffled)
        yield state
