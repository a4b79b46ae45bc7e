"""What a change of rules changes: measures under two rule sets and their difference, exact or on the same deals.

It knows no game: a `Game` names the measures and says how to count or to sample them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Unpack

from analysis.effort import DEALS, Effort, Sampling
from analysis.estimate import LEVEL, Estimate
from core.errors import InputError
from core.ruleset import RuleSet, nearest

if TYPE_CHECKING:  # an exact answer does not wait for numpy
    from analysis.paired import Pair, Side

Quantity = Fraction | Estimate
# What a measure is counted over: the deal alone, exactly if it can be; single hands; whole matches.
Played = Literal["deal", "hand", "match"]
# Matches that are played where no number is given; hands are DEALS.
MATCHES = 100_000
# The seeds of tuning begin so far above the comparison's.
RETUNE_SEED = 1000
# With more sides than this, chunks that take as long as the pool likes have too few deals to be worth their overhead.
MANY_SIDES, CHUNK = 8, 512


@dataclass(frozen=True)
class Measure:
    """Something that can be compared.

    text
        what it is, in a line
    played
        what it is counted over
    parts
        what it has several values by: seats or numbers; "" for a single value
    column, among
        the facts of a deal that are averaged, and, if any, those that say over which deals
    rate
        whether it is a share
    step
        about as much as one deal may change, in the measure's unit: what an interval allows for deals not seen
    dealer
        whether the dealer, who sits on the last seat, has a value
    """

    name: str
    text: str
    played: Played
    parts: Literal["", "seat", "number"] = ""
    column: str = ""
    among: str = ""
    rate: bool = False
    step: int = 1
    dealer: bool = True


@dataclass(frozen=True)
class Setting:
    """What both sides have in common.

    policies
        a policy for each seat, or one for all
    hand
        the cards of a measure that is about one hand
    """

    players: int
    policies: tuple[str, ...]
    hand: str | None = None

    @property
    def by_seat(self) -> tuple[str, ...]:
        """The policy of each seat; raises InputError for a number of them that is neither one nor all."""
        names = self.policies
        if len(names) not in (1, self.players):
            raise InputError(f"{len(names)} policies for {self.players} players: name one for all, or one for each")
        return names * self.players if len(names) == 1 else names


@dataclass(frozen=True)
class Tuned:
    """Policies tuned to a rule set, one a seat, and what the best reply found still gains against them, estimated."""

    policies: tuple[Any, ...]
    gain: Estimate


@dataclass(frozen=True)
class Game:
    """A game's measures, and the functions that find them.

    exact(name, rules, setting)
        the exact values by part, or None where there are none, or they take too much work
    policies(setting)
        a policy for each seat
    side(played, rules, policies)
        what is played under a rule set
    tuned(rules, setting, effort)
        policies adapted to a rule set
    scales
        what a column's facts are to be divided by, where that is not 1
    numbers
        for each option that is a number: the values that `each_value` tries, with what has to go with them
    retune_deals
        hands of each step of tuning, where no number is given
    """

    rules: type[RuleSet]
    measures: Mapping[str, Measure]
    policy: str
    exact: Callable[[str, Any, Setting], tuple[Fraction, ...] | None]
    policies: Callable[[Setting], tuple[Any, ...]]
    side: "Callable[[Played, Any, tuple[Any, ...]], Side]"
    tuned: Callable[[Any, Setting, Effort], Tuned]
    scales: Mapping[str, int]
    numbers: Mapping[str, Sequence[Mapping[str, Any]]]
    retune_deals: int

    def measure(self, name: str) -> Measure:
        """Return the measure of that name; raise InputError with the nearest one for another."""
        if name not in self.measures:
            raise InputError(f"unknown {self.rules.game} measure {name!r}: {nearest(name, self.measures)}")
        return self.measures[name]


@dataclass(frozen=True)
class Difference:
    """One quantity under two rule sets, exact (Fraction) or estimated on the same deals.

    part
        the seat or number that it belongs to; None for a measure with a single value
    difference
        b - a. Its interval is the paired one; of several differences at once each has a level above LEVEL, so that all
        intervals hold together with the chance LEVEL (Bonferroni)
    deals_differing
        the share of deals on which the two rule sets give different facts
    deals_to_tell_apart
        how many deals bring the usual interval to exclude 0 if the difference is the one observed; None without one
    """

    measure: str
    part: int | None
    a: Quantity
    b: Quantity
    difference: Quantity
    deals_differing: Estimate | None = None
    deals_to_tell_apart: int | None = None

    @property
    def excludes_zero(self) -> bool:
        """Whether a difference is established: it is exact and not 0, or its interval excludes 0."""
        if isinstance(self.difference, Fraction):
            return self.difference != 0
        return not self.difference.low <= 0 <= self.difference.high


@dataclass(frozen=True)
class Cell:
    """One rule set against the first: the differences, measure by measure.

    fixed
        the rule set changes and the policies stay
    adapted
        the policies are tuned to each rule set; None where no policies were tuned, or nothing is sampled
    gain
        what the best reply found still gains against the policies tuned to this rule set
    """

    rules: RuleSet
    fixed: tuple[Difference, ...]
    adapted: tuple[Difference, ...] | None = None
    gain: Estimate | None = None


@dataclass(frozen=True)
class Comparison:
    """A rule set against others.

    comparisons
        the number of estimated differences at once, to which the levels of the intervals are corrected
    gain
        what the best reply found still gains against the policies tuned to the first rule set
    """

    a: RuleSet
    cells: tuple[Cell, ...]
    setting: Setting
    comparisons: int
    gain: Estimate | None = None


def compare(
    game: Game,
    a: RuleSet,
    others: Sequence[RuleSet],
    measures: Sequence[str],
    setting: Setting,
    *,
    parts: Sequence[int] | None = None,
    retune: int | None = None,
    **sampling: Unpack[Sampling],
) -> Comparison:
    """Return what each of the other rule sets changes against `a`.

    Exact where all sides are. Else each of `deals` deals (default: DEALS hands, or MATCHES matches) is played under all
    the rule sets, or until each interval of a difference has a half-width of at most `precision`, in the measure's
    unit: these intervals are then valid for such stopping (see `analysis.sequential`). `parts` chooses some seats or
    numbers of the measures that have several values. With `retune` the policies are tuned to `a`, and then once more to
    each rule set, so many hands a step; the tuning's seeds are others.

    Raises InputError for unknown measures, parts that are not there, players and policies that the game does not know,
    and a precision that is not reached.
    """
    effort = Effort(**sampling)
    chosen = [game.measure(name) for name in dict.fromkeys(measures)]
    for rules in (a, *others):
        rules.check_players(setting.players)
    exact = {measure.name: _exact(game, measure, (a, *others), setting) for measure in chosen}
    sampled = [measure for measure in chosen if exact[measure.name] is None]
    for measure in sampled:
        if measure.played == "deal" and not measure.column:
            raise InputError(f"{measure.name} takes too much work to be counted, and is not sampled")
    tuned = []
    if retune is not None and any(measure.played != "deal" for measure in sampled):
        step = replace(effort, deals=retune, precision=None, seed=effort.seed + RETUNE_SEED)
        tuned = [game.tuned(rules, setting, step) for rules in (a, *others)]
    found: dict[tuple[str, int, bool], list[Difference]] = {}
    counted = _quantities(sampled, setting, parts)
    comparisons = len(counted) * sum(rules != a for rules in others) * (2 if tuned else 1)
    level = 1 - (1 - LEVEL) / max(1, comparisons)
    for played in ("hand", "match"):
        quantities = [quantity for quantity in counted if _played(quantity[0]) == played]
        if not quantities:
            continue
        fixed = tuned[0].policies if tuned else game.policies(setting)
        sides = [game.side(played, rules, fixed) for rules in (a, *others)]
        sides += [game.side(played, rules, each.policies) for rules, each in zip(others, tuned[1:], strict=False)]
        pairs = _sample(game, sides, quantities, level, effort, played)
        for number, row in enumerate(pairs):
            for (measure, part), pair in zip(quantities, row, strict=True):
                place = measure.name, number % len(others), number >= len(others)
                found.setdefault(place, []).append(
                    _difference(game, measure, part, pair, level, effort.precision is not None)
                )

    def cell(number: int, rules: RuleSet) -> Cell:
        def differences(adapted: bool) -> tuple[Difference, ...]:
            rows: list[Difference] = []
            for measure in chosen:
                values = exact[measure.name]
                if values is None:
                    rows += found[measure.name, number, adapted]
                else:
                    rows += _exact_differences(measure, values[0], values[number + 1], parts)
            return tuple(rows)

        if not tuned:
            return Cell(rules, differences(False))
        return Cell(rules, differences(False), differences(True), tuned[number + 1].gain)

    cells = tuple(cell(number, rules) for number, rules in enumerate(others))
    return Comparison(a, cells, setting, comparisons, tuned[0].gain if tuned else None)


def _exact(
    game: Game, measure: Measure, rule_sets: Sequence[RuleSet], setting: Setting
) -> list[tuple[Fraction, ...]] | None:
    """Return the values by rule set and part, if all are exact."""
    values = []
    for rules in rule_sets:
        found = game.exact(measure.name, rules, setting) if measure.played == "deal" else None
        if found is None:
            return None
        values.append(found)
    return values


def _exact_differences(
    measure: Measure, a: tuple[Fraction, ...], b: tuple[Fraction, ...], parts: Sequence[int] | None
) -> list[Difference]:
    size = max(len(a), len(b))
    # Fewer cards hold no more than so many trumps.
    a, b = ((*each, *[Fraction(0)] * (size - len(each))) for each in (a, b))
    return [
        Difference(measure.name, part, a[part or 0], b[part or 0], b[part or 0] - a[part or 0])
        for part in _parts(measure, size, parts)
    ]


def _parts(measure: Measure, size: int, parts: Sequence[int] | None) -> Sequence[int | None]:
    if not measure.parts:
        return [None]
    for part in parts or ():
        if not 0 <= part < size:
            raise InputError(f"{measure.parts} {part} is none of {measure.name}: they run from 0 to {size - 1}")
    return range(size) if parts is None else list(parts)


def _quantities(
    measures: Sequence[Measure], setting: Setting, parts: Sequence[int] | None
) -> list[tuple[Measure, int | None]]:
    return [
        (measure, part)
        for measure in measures
        for part in _parts(measure, setting.players - (not measure.dealer), parts)
    ]


def _played(measure: Measure) -> Played:
    # What the deal alone decides is seen in hands, where it is not counted.
    return "hand" if measure.played == "deal" else measure.played


def _columns(measure: Measure, part: int | None) -> tuple[str, str]:
    at = "" if part is None else f":{part}"
    return measure.column + at, measure.among and measure.among + at


def _sample(
    game: Game,
    sides: "Sequence[Side]",
    quantities: Sequence[tuple[Measure, int | None]],
    level: float,
    effort: Effort,
    played: Played,
) -> "list[list[Pair]]":
    """Return the pairs by other side and quantity, from as many deals as the effort says."""
    # Imported here because it imports numpy, which an exact answer must not wait for.
    from analysis.paired import Paired, pairs_of
    from analysis.runs import Run
    from analysis.sequential import FIRST_LOOK

    if effort.deals is None and effort.precision is None:
        effort = replace(effort, deals=MATCHES if played == "match" else DEALS)
    paired = Paired(tuple(sides), tuple(_columns(*quantity) for quantity in quantities), effort.seed)
    run = Run(paired, effort, chunk=CHUNK if len(sides) > MANY_SIDES else None)
    stopping = effort.precision is not None

    def widest() -> Estimate:
        differences = [
            _estimated(game, measure, pair, level, stopping)
            for row in pairs_of(run.sums, run.deals, effort.seed)
            for (measure, _), pair in zip(quantities, row, strict=True)
        ]
        return max(differences, key=lambda difference: difference.half_width)

    run.complete(widest, pilot=FIRST_LOOK)
    return pairs_of(run.sums, run.deals, effort.seed)


def _estimated(game: Game, measure: Measure, pair: "Pair", level: float, stopping: bool) -> Estimate:
    scale = game.scales.get(measure.column, 1)
    return pair.difference(scale, level, stopping=stopping, step=Fraction(measure.step))


def _difference(
    game: Game, measure: Measure, part: int | None, pair: "Pair", level: float, stopping: bool
) -> Difference:
    from analysis.paired import deals_to_tell_apart

    scale, step = game.scales.get(measure.column, 1), Fraction(measure.step)

    def side(other: bool) -> Estimate:
        return pair.side(other, scale, LEVEL, rate=measure.rate, stopping=stopping, step=step)

    difference = _estimated(game, measure, pair, level, stopping)
    return Difference(
        measure.name,
        part,
        side(False),
        side(True),
        difference,
        pair.differs(LEVEL),
        deals_to_tell_apart(difference, step),
    )
