"""Tonk's rule sets: the options table of tonk.md, presets and files; wrong ones are refused in one line."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.tonk.rules import TonkRules

# The options table: field, its words with the default first.
WORDS = {
    "several_tonks": ("each", "first", "split", "void"),
    "drop_allowed": ("any_turn", "first_turn"),
    "drop_tie": ("no_win", "dropper_loses", "dropper_wins"),
    "drop_settlement": ("pairwise", "lowest_only"),
    "meld_duty": ("forced", "optional"),
    "set_fourth": ("never", "allowed"),
    "ace_runs": ("low", "low_and_high"),
    "stock_out": ("showdown", "void", "reshuffle"),
    "hit_hold": ("no", "yes"),
    "equal_pays": ("no", "yes"),
    "up_card": ("yes", "no"),
}
# Field and its default; the two limits may also be None.
NUMBERS = {
    "out_pay": 1,
    "low_tonk": 15,
    "high_tonk": 49,
    "tonk_pay": 2,
    "drop_penalty": 2,
    "hand_size": 5,
    "decks": 1,
}
DEFAULTS = {name: words[0] for name, words in WORDS.items()} | NUMBERS
AMERICAN = {
    "low_tonk": None,
    "high_tonk": 49,
    "several_tonks": "void",
    "equal_pays": "yes",
    "set_fourth": "allowed",
    "meld_duty": "optional",
    "out_pay": 2,
    "stock_out": "showdown",
}
ALL_WORDS = [(name, word) for name, words in WORDS.items() for word in words]


def assert_one_line(error: Exception) -> None:
    message = str(error)
    assert message
    assert message.splitlines() == [message]


def refusal(call, *args, **kwargs) -> str:
    """Return the one line with which the call is refused."""
    with pytest.raises(InputError) as caught:
        call(*args, **kwargs)
    assert_one_line(caught.value)
    return str(caught.value)


@pytest.fixture
def toml(tmp_path):
    """Write a rules file and return its path as text."""

    def write(content: str | bytes) -> str:
        path = tmp_path / "my.toml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


# The options table


def test_fields_and_defaults_are_exactly_the_options_table():
    assert TonkRules().as_dict() == DEFAULTS
    assert {field.name for field in dataclasses.fields(TonkRules)} == set(DEFAULTS)


def test_words_of_each_field_are_exactly_the_options_table_with_the_default_first():
    assert TonkRules.options() == {**WORDS, **dict.fromkeys(NUMBERS)}


@pytest.mark.parametrize(("name", "word"), ALL_WORDS)
def test_every_word_of_the_table_is_accepted(name, word):
    for rules in (
        TonkRules(**{name: word}),
        TonkRules.from_options({name: word}),
        TonkRules.load("source", [f"{name}={word}"]),
        TonkRules().replace(**{name: word}),
    ):
        assert rules.as_dict() == DEFAULTS | {name: word}


@pytest.mark.parametrize("name", [*NUMBERS])
def test_every_number_of_the_table_is_accepted_as_number_and_as_text(name):
    number = {"low_tonk": 14, "high_tonk": 48, "decks": 2, "hand_size": 6}.get(name, 3)
    expected = DEFAULTS | {name: number}
    assert TonkRules(**{name: number}).as_dict() == expected
    assert TonkRules.from_options({name: number}).as_dict() == expected
    assert TonkRules.from_options({name: str(number)}).as_dict() == expected
    assert TonkRules.load(None, [f"{name}={number}"]).as_dict() == expected


def test_rules_are_frozen_and_equal_by_value():
    rules = TonkRules()
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.decks = 2
    assert rules == TonkRules.from_options(DEFAULTS)
    assert rules != rules.replace(decks=2)
    assert len({rules, TonkRules(), rules.replace(decks=2)}) == 2


def test_replace_returns_a_changed_copy_and_leaves_the_rules_alone():
    rules = TonkRules()
    changed = rules.replace(low_tonk=None, equal_pays="yes")
    assert changed.as_dict() == DEFAULTS | {"low_tonk": None, "equal_pays": "yes"}
    assert rules.as_dict() == DEFAULTS
    assert changed.replace() == changed


def test_as_dict_gives_back_the_rules():
    rules = TonkRules.load("american", ["decks=2"])
    assert TonkRules.from_options(rules.as_dict()) == rules
    assert TonkRules(**rules.as_dict()) == rules


# Presets


def test_preset_source_is_the_defaults():
    assert TonkRules.load("source").as_dict() == DEFAULTS
    assert TonkRules.load().as_dict() == DEFAULTS


def test_preset_american_is_as_the_page_says():
    assert TonkRules.load("american").as_dict() == DEFAULTS | AMERICAN


def test_override_changes_one_field_of_a_preset_and_the_last_one_counts():
    rules = TonkRules.load("american", ["several_tonks=split", "out_pay=3", "several_tonks=first"])
    assert rules.as_dict() == DEFAULTS | AMERICAN | {"several_tonks": "first", "out_pay": 3}


# Limits (K4)


def test_limits_are_part_of_tonk():
    rules = TonkRules()
    assert [total for total in range(5, 51) if rules.is_tonk(total)] == [*range(5, 16), 49, 50]


def test_none_switches_a_limit_off():
    assert [total for total in range(5, 51) if TonkRules(low_tonk=None).is_tonk(total)] == [49, 50]
    assert [total for total in range(5, 51) if TonkRules(high_tonk=None).is_tonk(total)] == [*range(5, 16)]
    assert not any(TonkRules(low_tonk=None, high_tonk=None).is_tonk(total) for total in range(5, 51))


@pytest.mark.parametrize("name", ["low_tonk", "high_tonk"])
def test_the_word_none_switches_a_limit_off_on_the_command_line_and_in_a_file(name, toml):
    assert TonkRules.from_options({name: "none"}).as_dict()[name] is None
    assert TonkRules.load("source", [f"{name}=none"]).as_dict() == DEFAULTS | {name: None}
    assert TonkRules.load(toml(f'{name} = "none"')).as_dict() == DEFAULTS | {name: None}


@pytest.mark.parametrize("name", ["out_pay", "tonk_pay", "drop_penalty", "hand_size", "decks", "drop_tie"])
def test_other_fields_cannot_be_switched_off(name, toml):
    for call, args in (
        (TonkRules.load, ("source", [f"{name}=none"])),
        (TonkRules.load, (toml(f'{name} = "none"'),)),
        (TonkRules.from_options, ({name: None},)),
    ):
        assert name in refusal(call, *args)


@pytest.mark.parametrize("name", ["low_tonk", "high_tonk"])
@pytest.mark.parametrize("limit", [51, 4, 0, -1, 999])
def test_limit_that_five_cards_cannot_total_is_refused(name, limit):
    message = refusal(TonkRules, **{name: limit})
    assert name in message
    assert str(limit) in message
    assert name in refusal(TonkRules.load, "source", [f"{name}={limit}"])


def test_limits_of_another_hand_size_are_measured_by_it():
    assert TonkRules(hand_size=6, high_tonk=51).is_tonk(51)
    assert "high_tonk" in refusal(TonkRules, hand_size=4)  # 49 of at most 40
    assert TonkRules(hand_size=4, high_tonk=40).high_tonk == 40


def test_two_decks_make_a_lower_total_possible():
    # Five aces total 5; one deck has four, so that its least total is 6.
    assert TonkRules(low_tonk=5, decks=2).is_tonk(5)
    assert "low_tonk" in refusal(TonkRules, low_tonk=5)


@pytest.mark.parametrize(("low", "high"), [(30, 30), (31, 30), (49, 49), (50, 49)])
def test_low_limit_must_lie_below_the_high_one(low, high):
    message = refusal(TonkRules, low_tonk=low, high_tonk=high)
    assert "low_tonk" in message
    assert "high_tonk" in message


def test_low_limit_just_below_the_high_one_is_accepted():
    assert all(TonkRules(low_tonk=29, high_tonk=30).is_tonk(total) for total in range(6, 51))


def test_replace_checks_the_new_rules():
    assert "low_tonk" in refusal(TonkRules().replace, low_tonk=49)
    assert "drop_tie" in refusal(TonkRules().replace, drop_tie="win")
    assert "drop_tie" in refusal(TonkRules().replace, drop_ties="no_win")


# Unknown names


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("drop_tye", "drop_tie"),
        ("lowtonk", "low_tonk"),
        ("severaltonks", "several_tonks"),
        ("dekcs", "decks"),
    ],
)
def test_unknown_field_is_refused_with_the_nearest_known_one(wrong, nearest, toml):
    for message in (
        refusal(TonkRules.from_options, {wrong: "1"}),
        refusal(TonkRules.load, "source", [f"{wrong}=1"]),
        refusal(TonkRules.load, toml(f"{wrong} = 1")),
    ):
        assert wrong in message
        assert nearest in message.replace(wrong, "")


@pytest.mark.parametrize(
    ("name", "wrong", "nearest"),
    [
        ("drop_settlement", "pairwize", "pairwise"),
        ("drop_tie", "droper_wins", "dropper_wins"),
        ("several_tonks", "spilt", "split"),
        ("stock_out", "reshufle", "reshuffle"),
    ],
)
def test_unknown_value_is_refused_with_the_nearest_known_one(name, wrong, nearest, toml):
    for message in (
        refusal(TonkRules, **{name: wrong}),
        refusal(TonkRules.load, "source", [f"{name}={wrong}"]),
        refusal(TonkRules.load, toml(f'{name} = "{wrong}"')),
    ):
        assert name in message
        assert wrong in message
        assert nearest in message.replace(wrong, "")


@pytest.mark.parametrize(("wrong", "nearest"), [("amercan", "american"), ("sorce", "source")])
def test_unknown_preset_is_refused_with_the_nearest_known_one(wrong, nearest):
    message = refusal(TonkRules.load, wrong)
    assert wrong in message
    assert nearest in message


@pytest.mark.parametrize("text", ["", "decks", "decks:2", "=", "=2", "decks=", "decks=two", "decks=1.5", "decks=2=2"])
def test_override_that_is_no_field_and_value_is_refused(text):
    refusal(TonkRules.load, "source", [text])


# Files


def test_file_sets_fields_and_overrides_come_after_it(toml):
    path = toml('# house rules\nlow_tonk = 13\ndrop_tie = "dropper_loses"\ndecks = 2\n')
    expected = DEFAULTS | {"low_tonk": 13, "drop_tie": "dropper_loses", "decks": 2}
    assert TonkRules.load(path).as_dict() == expected
    assert TonkRules.load(path, ["low_tonk=none"]).as_dict() == expected | {"low_tonk": None}


def test_override_may_mend_a_limit_that_the_file_leaves_impossible(toml):
    assert TonkRules.load(toml("hand_size = 4"), ["high_tonk=39"]).high_tonk == 39


def test_empty_file_is_the_source(toml):
    assert TonkRules.load(toml("")) == TonkRules()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("low_tonk = true", "low_tonk"),
        ("decks = true", "decks"),
        ("low_tonk = 15.0", "low_tonk"),
        ("high_tonk = 49.0", "high_tonk"),
        ("tonk_pay = nan", "tonk_pay"),
        ("hit_hold = true", "hit_hold"),
        ("equal_pays = 1", "equal_pays"),
        ("decks = [1]", "decks"),
        ("drop_tie = ['no_win']", "drop_tie"),
        ("low_tonk = 1979-05-27", "low_tonk"),
        ("[decks]\nnumber = 2", "decks"),
        ('decks = "two"', "decks"),
        ("decks = 0", "decks"),
        ("hand_size = 0", "hand_size"),
        ("hand_size = 53", "hand_size"),
        ("drop_penalty = -1", "drop_penalty"),
        ("tonk_pay = -2", "tonk_pay"),
    ],
)
def test_value_of_the_wrong_kind_or_range_in_a_file_is_refused_by_field(line, name, toml):
    assert name in refusal(TonkRules.load, toml(line))


@pytest.mark.parametrize(
    "content",
    [
        "low_tonk 15",
        "low_tonk = ",
        "= 3",
        "[tonk",
        "decks = 1\ndecks = 2",
        'drop_tie = "no_win',
        "low_tonk = none",
    ],
)
def test_malformed_file_is_refused_by_name(content, toml):
    path = toml(content)
    assert path in refusal(TonkRules.load, path)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x7fELF\x02\x01\x01\x00\xde\xad\xbe\xef", b"decks = 1\x00"])
def test_binary_file_is_refused_by_name(content, toml):
    path = toml(content)
    assert path in refusal(TonkRules.load, path)


def test_number_too_long_to_read_is_refused_by_file_name(toml):
    path = toml("decks = " + "9" * 5000)
    assert path in refusal(TonkRules.load, path)


@pytest.mark.parametrize("name", ["decks", "low_tonk", "drop_tie"])
def test_number_too_long_to_print_is_refused_by_field(name, toml):
    assert name in refusal(TonkRules.load, toml(f"{name} = 0x" + "f" * 5000))


def test_file_nested_too_deep_to_read_is_refused_by_name(toml):
    path = toml("decks = " + "[" * 100_000)
    assert path in refusal(TonkRules.load, path)


def test_missing_file_and_directory_are_refused_by_name(tmp_path):
    missing = str(tmp_path / "missing.toml")
    assert missing in refusal(TonkRules.load, missing)
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    assert str(folder) in refusal(TonkRules.load, str(folder))
    assert str(tmp_path) in refusal(TonkRules.load, str(tmp_path))


@pytest.mark.parametrize(
    "base", ["a\0b.toml", "two\nlines.toml", "two\nlines", "x" * 5000 + ".toml", "", "\udcff.toml"]
)
def test_impossible_file_name_is_refused_in_one_line(base):
    refusal(TonkRules.load, base)


# Players (K1, K2)


@pytest.mark.parametrize("players", range(2, 11))
def test_two_to_ten_players_may_play(players):
    TonkRules().check_players(players)


@pytest.mark.parametrize("players", [-1, 0, 1])
def test_fewer_than_two_players_are_refused(players):
    assert str(players) in refusal(TonkRules().check_players, players)


def test_eleven_players_need_a_second_deck():
    assert "11" in refusal(TonkRules().check_players, 11)
    assert "11" in refusal(TonkRules(up_card="no").check_players, 11)  # 55 cards
    TonkRules(decks=2).check_players(11)


def test_up_card_needs_a_card_of_the_deck():
    # Four hands of thirteen are the whole deck.
    limits = {"hand_size": 13, "low_tonk": None, "high_tonk": None}
    assert "4" in refusal(TonkRules(**limits).check_players, 4)
    TonkRules(**limits, up_card="no").check_players(4)
    TonkRules(**limits).check_players(3)


# Fuzz

FIELDS = [*WORDS, *NUMBERS]
FIELD_TEXTS = st.sampled_from([*FIELDS, "low-tonk", "Decks", "rules"]) | st.text(max_size=12)
VALUE_TEXTS = (
    st.sampled_from([word for _, word in ALL_WORDS] + ["none", "None", "", " 15", "+5", "1_5", "٣", "²", "1e3", "-0"])
    | st.integers(-5, 60).map(str)
    | st.integers().map(str)
    | st.text(max_size=12)
)
VALUES = (
    VALUE_TEXTS
    | st.integers(-5, 60)
    | st.integers()
    | st.sampled_from([10**9, -(10**30)])
    | st.none()
    | st.booleans()
    | st.floats()
    | st.lists(st.integers(), max_size=2)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
)


def rules_or_refused_in_one_line(call) -> None:
    try:
        rules = call()
    except InputError as error:
        assert_one_line(error)
        return
    # Whatever is accepted is a rule set by the table.
    for name, value in rules.as_dict().items():
        if name in WORDS:
            assert value in WORDS[name]
        elif value is None:
            assert name in ("low_tonk", "high_tonk")
        else:
            assert type(value) is int
    rules_again = TonkRules.from_options(rules.as_dict())
    assert rules_again == rules


@settings(deadline=None)
@given(options=st.dictionaries(FIELD_TEXTS, VALUES, max_size=4))
def test_any_options_are_rules_or_refused_in_one_line(options):
    rules_or_refused_in_one_line(lambda: TonkRules.from_options(options))


@settings(deadline=None)
@given(
    overrides=st.lists(
        st.builds("{}={}".format, FIELD_TEXTS, VALUE_TEXTS) | st.text(max_size=20), min_size=1, max_size=4
    ),
    base=st.sampled_from([None, "source", "american"]),
)
def test_any_overrides_are_rules_or_refused_in_one_line(overrides, base):
    rules_or_refused_in_one_line(lambda: TonkRules.load(base, overrides))


TOML_LINES = st.builds(
    "{} = {}".format,
    FIELD_TEXTS,
    VALUE_TEXTS | st.builds('"{}"'.format, VALUE_TEXTS) | st.sampled_from(["true", "1.0", "[]", "{}", "0x10", "inf"]),
)


@pytest.fixture(scope="module")
def fuzzed_file(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz") / "fuzz.toml"


@settings(deadline=None)
@given(content=st.lists(TOML_LINES | st.text(), max_size=4).map("\n".join).map(str.encode) | st.binary(max_size=40))
def test_any_file_is_rules_or_refused_in_one_line(content, fuzzed_file):
    fuzzed_file.write_bytes(content)
    rules_or_refused_in_one_line(lambda: TonkRules.load(str(fuzzed_file)))


def test_changes_are_the_fields_that_differ_from_the_default():
    assert TonkRules().changes() == TonkRules.load("source").changes() == {}
    rules = TonkRules(low_tonk=None, high_tonk=49, drop_tie="dropper_wins", decks=2)
    assert rules.changes() == {"drop_tie": "dropper_wins", "low_tonk": None, "decks": 2}
    assert TonkRules.load("american").changes().keys() < TonkRules.presets["american"].keys()
