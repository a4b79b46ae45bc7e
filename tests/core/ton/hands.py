"""Random hands of Ton for the tests, by Python's own generator, and their records."""

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import prod

from core.cards import format_card, format_cards
from core.ton.engine import apply, legal_actions, start
from core.ton.policies import POLICIES, Policy
from core.ton.rules import DECK, TonRules
from core.ton.state import Action, Deal, State
from core.ton.tables import PARTS, Tables
from core.ton.tuned import Tuned

NAMES = ("A", "B", "C", "D", "E", "F")
Step = tuple[State, int, Action]


def random_deal(rules: TonRules, players: int, chance: random.Random) -> Deal:
    cards = list(DECK)
    chance.shuffle(cards)

    def draw(number: int) -> tuple[int, ...]:
        return tuple(cards.pop() for _ in range(number))

    hands = tuple(draw(rules.hand_size) for _ in range(players))
    return Deal(hands, draw(rules.talon_size), cards.pop(), draw(len(cards)))


def random_records(players: int, chance: random.Random) -> tuple[int, ...]:
    return tuple(chance.choice((0, 3, 9, 10, 12, 13, 14, -5)) for _ in range(players))


def random_steps(state: State, chance: random.Random, *, five: float = 0.1) -> Iterator[Step]:
    """Yield (state, seat, action) of a hand played at random to its end; at a bid, five with the chance given."""
    while state.seat is not None:
        actions = legal_actions(state)
        action = actions[chance.random() < five] if state.phase == "bid" else chance.choice(actions)
        yield state, state.seat, action
        state = apply(state, action)


def random_hand(
    rules: TonRules, players: int, chance: random.Random, *, five: float = 0.1
) -> tuple[Deal, State, list[Step], State]:
    """Play a hand at random; return its deal, the state after the deal, its steps, and the state at the end."""
    deal = random_deal(rules, players, chance)
    first = start(rules, deal, records=random_records(players, chance))
    steps = list(random_steps(first, chance, five=five))
    end = apply(steps[-1][0], steps[-1][2]) if steps else first
    return deal, first, steps, end


@cache
def random_tuned(seed: int, players: int) -> Tuned:
    """Return `tuned` by random tables, which seldom bid."""
    chance = random.Random(seed)
    choices = bytearray(
        chance.randrange(most) if part != "bid" or chance.random() < 0.1 else 0
        for part, most in (("bid", 2), ("buy", 4), ("fold", 2), ("lead", 6), ("follow", 4))
        for _ in range(prod(PARTS[part]))
    )
    return Tuned(Tables(players, bytes(choices)))


def as_policy(name: str | int, players: int) -> Policy:
    """Return a policy by its name; a number is `tuned` by random tables of that seed."""
    return random_tuned(name, players) if isinstance(name, int) else POLICIES[name]


def random_rules(chance: random.Random, **fixed: str) -> TonRules:
    words = {name: chance.choice(values) for name, values in TonRules.options().items() if values}
    return TonRules.from_options(words | fixed)


def setup_lines(deal: Deal, records: Sequence[int], *, trump: bool, stock: bool = True) -> list[str]:
    """Return a record's lines that describe the deal; without a trump line the stock starts with the next card."""
    names = NAMES[: len(deal.hands)]
    lines = [f"players: {', '.join(names)}", f"points: {' '.join(map(str, records))}"]
    lines += [f"hand {name}: {format_cards(hand)}" for name, hand in zip(names, deal.hands, strict=True)]
    lines.append(f"talon: {format_cards(deal.talon)}")
    if stock:
        lines.append(f"stock: {format_cards(deal.stock if trump else (deal.trump_card, *deal.stock))}")
    return lines


def play_lines(deal: Deal, steps: Iterable[tuple[int, Action]]) -> list[str]:
    """Return a record's lines of play, with the line that shows the trump in its place."""
    lines = []
    shown = bid = False
    looking = False
    for seat, action in steps:
        if action.word == "pass":
            continue
        if action.word == "five":
            bid = True
        elif not (shown or bid):
            shown = True
            lines.append(f"trump: {format_card(deal.trump_card)}")
        if action.word == "trumpless":
            looking = True
            continue
        word = str(action).replace("fetch", "trumpless") if looking else str(action)
        looking = False
        lines.append(f"{NAMES[seat]}: {word}")
    return lines
