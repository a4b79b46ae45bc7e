"""Deals: equal to a plain shuffle card for card, uniform, the same in any pieces, and true to what is known."""

from collections import Counter
from itertools import islice, permutations
from math import factorial

import numpy as np
import pytest
from scipy import stats

from core.deals import enumerate_hands, sample_hands
from core.errors import InputError
from tests.measures import run_of
from tests.reference import shuffle as reference

DECKS = {
    "52": list(range(52)),
    "36": [13 * suit + rank for suit in range(4) for rank in (0, *range(5, 13))],
    "104": [card for card in range(52) for _ in range(2)],
    "104 told apart": list(range(104)),
    "3": [7, 0, 51],
    "1": [33],
    "254": list(range(254)),
}

# Every chi-square test below keeps its chance between these bounds; a right sampler misses them once in 5 * 10**7
# tests, and there are fewer than 40 tests. Too good a fit is as suspect as too bad a one.
LEAST_CHANCE, GREATEST_CHANCE = 1e-8, 1 - 1e-8


def assert_fits(observed, expected=None):
    """Assert that counts fit the expected ones (default: all alike), each of which is large enough for chi-square."""
    observed = np.ravel(observed)
    expected = np.full(len(observed), observed.sum() / len(observed)) if expected is None else np.ravel(expected)
    assert expected.min() > 25
    chance = stats.chisquare(observed, expected).pvalue
    assert LEAST_CHANCE < chance < GREATEST_CHANCE


def deal(deck, cards, deals, **options):
    return sample_hands(deck, [cards], deals, **{"seed": 1, **options}).tolist()


# Against the reference


@pytest.mark.parametrize("name", DECKS)
@pytest.mark.parametrize("first", [0, 2**32 - 300, 2**40 + 17])
def test_deals_equal_a_plain_shuffle_card_for_card(name, first):
    deck = DECKS[name]
    for cards in sorted({1, 2, 3, min(5, len(deck)), len(deck) // 2 + 1, len(deck)}):
        if cards > len(deck):
            continue
        deals = 600 if cards < 10 else 40
        expected = reference.deals(deck, cards, range(first, first + deals), seed=2**33 + 5, stream=3)
        assert deal(deck, cards, deals, seed=2**33 + 5, stream=3, first=first) == expected, cards


@pytest.mark.parametrize("cards", range(1, 53))
def test_any_number_of_cards_equals_a_plain_shuffle(cards):
    assert deal(DECKS["52"], cards, 20, seed=cards) == reference.deals(DECKS["52"], cards, range(20), seed=cards)


@pytest.mark.parametrize("deals", [1, 511, 512, 513, 1025])
def test_any_number_of_deals_equals_a_plain_shuffle(deals):
    expected = reference.deals(DECKS["36"], 4, range(7, 7 + deals), seed=9)
    assert deal(DECKS["36"], 4, deals, seed=9, first=7) == expected


@pytest.mark.parametrize("seed", [0, 2**32 - 1, 2**32, 2**63, 2**64 - 1])
@pytest.mark.parametrize("stream", [0, 2**32 - 1])
def test_seed_and_stream_reach_the_shuffle_whole(seed, stream):
    expected = reference.deals(DECKS["52"], 5, range(30), seed=seed, stream=stream)
    assert deal(DECKS["52"], 5, 30, seed=seed, stream=stream) == expected


def test_the_full_deck_is_dealt_as_a_permutation():
    for name in ("52", "104", "254"):
        hands = sample_hands(DECKS[name], [len(DECKS[name])], 700, seed=3)
        assert np.array_equal(np.sort(hands, axis=1), np.tile(np.sort(DECKS[name]), (700, 1)))


def test_hands_are_cut_from_one_deal_in_order():
    whole = sample_hands(DECKS["52"], [20], 600, seed=4)
    assert np.array_equal(sample_hands(DECKS["52"], [5, 0, 5, 1, 9], 600, seed=4), whole)
    assert whole.dtype == np.uint8
    assert whole.shape == (600, 20)


def test_fewer_cards_are_the_first_of_more_and_the_deck_order_only_renames_cards():
    more, fewer = sample_hands(DECKS["52"], [52], 600, seed=5), sample_hands(DECKS["52"], [7], 600, seed=5)
    assert np.array_equal(more[:, :7], fewer)
    order = np.random.default_rng(1).permutation(52)
    assert np.array_equal(sample_hands(order.tolist(), [7], 600, seed=5), order[fewer])


@pytest.mark.parametrize(
    ("deck", "sizes", "deals"), [([1, 2], [1], 0), ([1, 2], [0, 0], 5), ([1, 2], [], 5), ([], [], 5)]
)
def test_deals_of_nothing_are_empty(deck, sizes, deals):
    assert sample_hands(deck, sizes, deals, seed=1).shape == (deals, sum(sizes))


# Rejected words

# Deals of seed 1 whose draw `draw` meets a word that must be rejected, and no other: found by a search over the deals
# from 0, and for the last two lines from 2**32 on.
REJECTED = [
    ("52", 251145, 0),
    ("52", 283998, 3),
    ("52", 15119765, 5),
    ("52", 344324, 21),
    ("52", 5254888, 39),
    ("36", 12024499, 9),
    ("36", 3904427, 10),
    ("104", 3633350, 3),
    ("254", 546452, 8),
    ("254", 35388, 24),
    ("254", 53978, 152),
    ("52", 4294993062, 9),
    ("52", 4295006264, 23),
]


@pytest.mark.parametrize(("name", "number", "draw"), REJECTED)
def test_a_word_is_rejected_where_it_would_favour_a_position(name, number, draw):
    deck = DECKS[name]
    # With draw + 1 cards the rejected word is the last needed one; in lines with draw % 4 == 3 it ends a block.
    for cards in {draw + 1, min(draw + 2, len(deck)), min(draw + 6, len(deck)), len(deck)}:
        drawn, rejected = reference.shuffle(deck, cards, reference.stream_of_words(1, 0, number))
        assert [at for at, _ in rejected] == [draw]
        assert all(fraction < 2**24 % (len(deck) - draw) for _, fraction in rejected)
        for lane in (0, 1, 200, 511):
            assert deal(deck, cards, 512, first=number - lane)[lane] == drawn, (cards, lane)
        assert deal(deck, cards, 1, first=number) == [drawn]


@pytest.mark.parametrize(("name", "number"), [("52", 251145), ("36", 12024499), ("104", 3633350)])
def test_neighbours_of_a_rejection_are_dealt_as_ever(name, number):
    deck = DECKS[name]
    numbers = range(number - 300, number + 300)
    assert deal(deck, 12, 600, first=numbers.start) == reference.deals(deck, 12, numbers, seed=1)


# Deals of seed 1 whose draw `draw` meets a word at the very edge: its fraction equals the threshold, so it is used.
EDGE = [("52", 1042223, 4), ("52", 12995593, 1), ("52", 16232940, 2), ("36", 3518825, 0), ("254", 62278, 239)]


@pytest.mark.parametrize(("name", "number", "draw"), EDGE)
def test_a_word_at_the_threshold_is_used(name, number, draw):
    deck = DECKS[name]
    word = next(islice(reference.stream_of_words(1, 0, number), draw, None))
    left = len(deck) - draw
    assert 0 < 2**24 % left == (word >> 8) * left % 2**24
    # With `draw` cards the word at the threshold is not needed, but may share a block with words that are.
    for cards in {max(draw, 1), draw + 1, min(draw + 6, len(deck)), len(deck)}:
        drawn, rejected = reference.shuffle(deck, cards, reference.stream_of_words(1, 0, number))
        assert rejected == []
        for lane in (0, 1, 200, 511):
            assert deal(deck, cards, 512, first=number - lane)[lane] == drawn, (cards, lane)


@pytest.mark.parametrize(("name", "number", "draw"), EDGE[:3])
def test_neighbours_of_a_word_at_the_threshold_are_dealt_as_ever(name, number, draw):
    deck = DECKS[name]
    numbers = range(number - 300, number + 300)
    for cards in (draw, draw + 1):
        assert deal(deck, cards, 600, first=numbers.start) == reference.deals(deck, cards, numbers, seed=1)


# Uniform

DEALS = 400_000


@pytest.fixture(scope="module")
def sampled():
    return sample_hands(DECKS["52"], [52], DEALS, seed=20240501).astype(np.int64)


@pytest.mark.parametrize("position", [0, 1, 2, 3, 4, 7, 20, 49, 50, 51])
def test_every_card_is_equally_likely_at_each_position(sampled, position):
    assert_fits(np.bincount(sampled[:, position], minlength=52))


@pytest.mark.parametrize("pair", [(0, 1), (0, 4), (3, 4), (4, 5), (7, 8), (20, 40), (0, 51), (50, 51)])
def test_every_ordered_pair_of_cards_is_equally_likely(sampled, pair):
    one, other = pair
    counts = np.bincount(52 * sampled[:, one] + sampled[:, other], minlength=52 * 52).reshape(52, 52)
    assert np.all(np.diag(counts) == 0)
    assert_fits(counts[~np.eye(52, dtype=bool)])


def test_neighbouring_deals_are_independent(sampled):
    assert_fits(np.bincount(52 * sampled[:-1, 0] + sampled[1:, 0], minlength=52 * 52))
    assert_fits(np.bincount(52 * sampled[:-1, 51] + sampled[1:, 0], minlength=52 * 52))


def test_streams_and_seeds_are_independent(sampled):
    for seed, stream in ((20240501, 1), (20240502, 0)):
        other = sample_hands(DECKS["52"], [1], DEALS, seed=seed, stream=stream)[:, 0]
        assert_fits(np.bincount(52 * sampled[:, 0] + other, minlength=52 * 52))


def test_every_order_of_a_small_deck_is_equally_likely():
    deck = [4, 8, 15, 16, 23, 42]
    counts = Counter(map(tuple, sample_hands(deck, [6], 100_000, seed=3).tolist()))
    assert_fits([counts[order] for order in permutations(deck)])
    assert counts.total() == 100_000


# The same deals in any pieces


def test_slices_put_together_are_the_whole():
    first, deals = 2**32 - 1000, 3001
    whole = sample_hands(DECKS["52"], [5, 5, 1], deals, seed=8, stream=2, first=first)
    for piece in (1, 7, 511, 512, 513, 2000):
        if piece == 1:
            deals, whole = 300, whole[:300]
        starts = range(0, len(whole), piece)
        pieces = [
            sample_hands(DECKS["52"], [5, 5, 1], min(piece, len(whole) - at), seed=8, stream=2, first=first + at)
            for at in starts
        ]
        assert np.concatenate(pieces).tobytes() == whole.tobytes(), piece


@pytest.mark.parametrize("threads", [1, 2, 16])
@pytest.mark.parametrize("chunk", [100, 512, 999, 10_000])
def test_threads_and_chunks_do_not_change_a_byte(threads, chunk):
    deals = 3001

    def write(sums, start, stop):
        sums[0][start:stop] += sample_hands(DECKS["52"], [5, 1], stop - start, seed=8, first=start)

    run = run_of(write, [(deals, 6)], threads=threads, chunk=chunk)
    run.extend(deals)
    whole = sample_hands(DECKS["52"], [5, 1], deals, seed=8)
    assert run.sums[0].astype(np.uint8).tobytes() == whole.tobytes()


# Known cards

KNOWN_CASES = [
    # deck, sizes, known
    ([0, 1, 2, 3, 4, 5, 6, 7], [2, 2, 1], [[3]]),
    ([0, 1, 2, 3, 4, 5, 6, 7], [2, 2, 1], [[], [6, 1]]),
    ([0, 1, 2, 3, 4, 5, 6], [3, 3], [[5], [0, 2]]),
    ([0, 1, 2, 3, 4, 5], [2, 1, 3], [[4, 2], [], [0]]),
    ([0, 0, 1, 1, 2, 2], [2, 2], [[0]]),
    ([0, 0, 0, 1, 2, 2, 3], [2, 3], [[], [2]]),
    ([9, 9, 9], [1, 1], []),
]


def cut(cards, sizes):
    hands, at = [], 0
    for size in sizes:
        hands.append(tuple(cards[at : at + size]))
        at += size
    return hands


@pytest.mark.parametrize(("deck", "sizes", "known"), KNOWN_CASES)
def test_frequencies_of_deals_are_those_of_the_enumeration(deck, sizes, known):
    """Hands as sets of cards: each deal of the enumeration is equally likely, copies of a card told apart."""
    exact = Counter(tuple(tuple(sorted(hand)) for hand in hands) for hands in enumerate_hands(deck, sizes, known=known))
    sampled = sample_hands(deck, sizes, 60_000, known=known, seed=11).tolist()
    counts = Counter(tuple(tuple(sorted(hand)) for hand in cut(cards, sizes)) for cards in sampled)
    assert set(counts) == set(exact)
    if len(exact) > 1:
        outcomes = sorted(exact)
        expected = [exact[outcome] / exact.total() * 60_000 for outcome in outcomes]
        assert_fits([counts[outcome] for outcome in outcomes], expected)


@pytest.mark.parametrize(("deck", "sizes", "known"), KNOWN_CASES)
def test_known_cards_stand_first_in_their_hand_and_nowhere_else(deck, sizes, known):
    held = [tuple(cards) for cards in known] + [()] * (len(sizes) - len(known))
    for cards in sample_hands(deck, sizes, 2000, known=known, seed=12).tolist():
        hands = cut(cards, sizes)
        assert [hand[: len(seen)] for hand, seen in zip(hands, held, strict=True)] == held
        assert not Counter(cards) - Counter(deck)


def test_unknown_cards_of_a_full_deck_are_uniform_over_the_rest():
    known = [[0, 22], [51], [], [5, 6, 7, 8, 9]]
    sizes = [5, 5, 5, 5, 1]
    hands = sample_hands(DECKS["52"], sizes, DEALS, known=known, seed=13)
    seen = sorted(card for cards in known for card in cards)
    rest = [card for card in range(52) if card not in seen]
    unknown = [2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 20]
    assert [hands[:, at].min() == hands[:, at].max() for at in range(21)] == [at not in unknown for at in range(21)]
    for at in (2, 4, 6, 9, 10, 14, 20):
        counts = np.bincount(hands[:, at], minlength=52)
        assert not counts[seen].any()
        assert_fits(counts[rest])
    # Cards of two hands together: a hidden card of the first hand and one of the second.
    pairs = np.bincount(52 * hands[:, 2].astype(np.int64) + hands[:, 6], minlength=52 * 52).reshape(52, 52)
    pairs = pairs[np.ix_(rest, rest)]
    assert not np.diag(pairs).any()
    assert_fits(pairs[~np.eye(len(rest), dtype=bool)])


def test_known_cards_leave_a_plain_shuffle_of_the_rest():
    known = [[], [22, 3]]
    rest = [card for card in range(52) if card not in (22, 3)]
    expected = [[*drawn[:5], 22, 3, *drawn[5:]] for drawn in reference.deals(rest, 9, range(40, 140), seed=6, stream=1)]
    assert sample_hands(DECKS["52"], [5, 5, 1], 100, known=known, seed=6, stream=1, first=40).tolist() == expected


def test_hands_known_in_full_leave_nothing_to_deal():
    hands = sample_hands([1, 2, 3], [2, 1], 5, known=[[3, 1], [2]], seed=1)
    assert hands.tolist() == [[3, 1, 2]] * 5


# Enumeration


@pytest.mark.parametrize(
    ("deck", "sizes", "known"),
    [
        *KNOWN_CASES,
        ([0, 1, 2, 3, 4], [], []),
        ([0, 1, 2, 3, 4], [0, 2], []),
        ([0, 1, 2, 3, 4], [5], []),
        ([0, 1, 2, 3, 4, 5, 6, 7, 8], [3, 3, 3], []),
        ([0, 1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3], [[], [], [8]]),
    ],
)
def test_enumeration_has_each_deal_once_and_as_many_as_the_multinomial(deck, sizes, known):
    # Cards told apart by their place in the deck: known cards are taken from the left.
    held = [list(cards) for cards in known] + [[] for _ in range(len(sizes) - len(known))]
    places = list(range(len(deck)))
    known_places = []
    for cards in held:
        known_places.append([])
        for card in cards:
            place = next(place for place in places if deck[place] == card)
            places.remove(place)
            known_places[-1].append(place)
    missing = [size - len(cards) for size, cards in zip(sizes, held, strict=True)]
    count = factorial(len(places)) // factorial(len(places) - sum(missing))
    for number in missing:
        count //= factorial(number)

    told_apart = list(enumerate_hands(range(len(deck)), sizes, known=known_places))
    assert len(told_apart) == count
    assert len({tuple(map(frozenset, hands)) for hands in told_apart}) == count
    for hands in told_apart:
        dealt = [place for hand in hands for place in hand]
        assert [len(hand) for hand in hands] == list(sizes)
        assert len(set(dealt)) == len(dealt)
        assert [list(hand[: len(seen)]) for hand, seen in zip(hands, known_places, strict=True)] == known_places

    # With equal cards the deals are the same ones, named by card.
    named = Counter(tuple(tuple(deck[place] for place in hand) for hand in hands) for hands in told_apart)
    assert Counter(enumerate_hands(deck, sizes, known=known)) == named


def test_enumeration_of_a_whole_deck_has_every_permutation():
    deck = [3, 1, 4, 15, 9]
    assert sorted(enumerate_hands(deck, [1] * 5)) == sorted(
        tuple((card,) for card in order) for order in permutations(deck)
    )


# Wrong input


@pytest.mark.parametrize(
    ("deck", "sizes", "known", "names"),
    [
        (DECKS["52"], [5, 5], [[60]], "60"),
        (DECKS["36"], [5, 5], [[1]], "2s"),
        (DECKS["52"], [5, 5], [[0], [0]], "As"),
        (DECKS["52"], [5, 5], [[0, 0]], "As"),
        (DECKS["104"], [5, 5], [[0], [0, 0]], "As"),
        (DECKS["52"], [1, 5], [[0, 1]], "hand 0 takes 1"),
        (DECKS["52"], [5, 2], [[], [0, 1, 2]], "hand 1 takes 2"),
        (DECKS["52"], [5, -1], [], "hand 1 takes -1"),
        (DECKS["52"], [5], [[0], [1]], "2 hands"),
        (DECKS["52"], [26, 27], [], "53"),
        (DECKS["52"], [26, 27], [[0]], "52 more"),
        (DECKS["3"], [4], [], "4"),
        ([], [1], [], "1"),
        ([0] * 255, [5], [], "255"),
    ],
)
def test_deals_that_cannot_be_are_refused_in_one_line(deck, sizes, known, names):
    for call in (
        lambda: sample_hands(deck, sizes, 10, known=known, seed=1),
        # Refused when called, not only when the first deal is asked for.
        lambda: enumerate_hands(deck, sizes, known=known),
    ):
        with pytest.raises(InputError) as caught:
            call()
        assert names in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"seed": -1}, "seed -1"),
        ({"seed": 2**64}, "seed"),
        ({"seed": 1, "stream": 2**32}, "stream"),
        ({"seed": 1, "first": -1}, "deals -1"),
        ({"seed": 1, "first": 2**63 - 5}, "deals"),
    ],
)
def test_numbers_that_do_not_fit_the_counter_are_refused(options, names):
    with pytest.raises(InputError, match=names):
        sample_hands(DECKS["52"], [5], 10, **options)
    with pytest.raises(InputError, match="deals"):
        sample_hands(DECKS["52"], [5], -1, seed=1)


def test_a_deck_is_limited_only_by_the_cards_that_are_shuffled():
    assert sample_hands([0] * 255, [2], 10, known=[[0]], seed=1).tolist() == [[0, 0]] * 10
