"""Root properties of SGF as `Info`, and back."""

from decimal import Decimal

import pytest
from helpers.cases import in_groups

from wei7core.formats.sgf.info import changed_properties, info_from_properties
from wei7core.record.document import GameRules, Info, Participant, Player, Result


def read(**properties):
    return info_from_properties({name: (value,) for name, value in properties.items()})


def test_all_that_is_typed():
    info = read(
        GN="Name\\]",
        PC="Place",
        PB="Black",
        BR="9p",
        PW="White",
        WR="1d",
        KM="6.5",
        RU="Japanese",
        RE="W+2.5",
        DT="2016",
    )
    assert info == Info(
        name="Name]",
        place="Place",
        participants=[Participant("Black", rank="9p"), Participant("White", rank="1d")],
        players=[Player(0, 1), Player(1, 2)],
        rules=GameRules("territory", 6.5, "Japanese"),
        result=Result(2, 2.5),
    )
    assert info.time is None


def test_blank_values_are_absent():
    assert read().is_empty
    assert read(GN="", PC=" ", PB="", PW="", BR="", WR="", KM="", RU="", RE="", EV="x").is_empty


def test_participants_keep_their_numbers_where_one_name_is_missing():
    info = read(PW="White")
    assert info.participants == [Participant(), Participant("White")]
    assert (info.black_name, info.white_name) == (None, "White")


@in_groups(
    ("text", "komi"),
    [
        ("6.5", 6.5),
        ("0", 0),
        ("0.00", 0),
        ("7.500000", 7.5),
        (" 5.50 ", 5.5),
        ("-17.5", -17.5),
        ("+3", 3),
        ("3.75", 3.75),
        (".5", 0.5),
        ("48.5", 48.5),
        ("0.1000000000000000055", Decimal("0.1000000000000000055")),
        ("101", 101),
        ("650.0", 650),
        ("-10000", -10000),
        ("650", 6.5),
        ("375", 3.75),
        ("700", 7),
        ("-100", -100),
        ("10001", None),
        ("1e3", None),
        ("6,5", None),
        ("six", None),
        ("nan", None),
        ("٦", None),
        ("9" * 5000, None),
    ],
)
def test_komi(text, komi):
    rules = read(KM=text).rules
    found = rules and rules.komi
    assert found == komi
    assert type(found) is type(komi)


@in_groups(
    ("text", "kind", "scoring"),
    [
        ("Chinese", "Chinese", "area"),
        ("chinese", "Chinese", "area"),
        ("Japanese rules", "Japanese", "territory"),
        ("Korean", "Korean", "territory"),
        ("中国规则", "Chinese", "area"),
        ("AGA", None, "area"),
        ("GOE", None, "area"),
        ("New Zealand", None, "area"),
        ("koPOSITIONALscoreAREAtaxNONEsui1", None, "area"),
        ("koSIMPLEscoreTERRITORYtaxSEKIsui0", None, "territory"),
        ("Old Chinese", None, None),
        ("Tang (Japanese + group tax)", None, None),
    ],
)
def test_rules(text, kind, scoring):
    rules = read(RU=text).rules or GameRules()
    assert (rules.type, rules.scoring) == (kind, scoring)


@in_groups(
    ("text", "result"),
    [
        ("B+2.5", (1, 2.5)),
        ("W+64.50", (2, 64.5)),
        ("W+12", (2, 12)),
        ("b+1.5", (1, 1.5)),
        ("B+R", (1, None)),
        ("B+Resign", (1, None)),
        ("W+T", (2, None)),
        ("W+Time", (2, None)),
        ("B+F", (1, None)),
        ("B+Forfeit", (1, None)),
        ("B+", (1, None)),
        ("W+Offline", (2, None)),
        ("W+J", (2, None)),
        ("W+AW", (2, None)),
        ("B+0.0", (1, None)),
        ("0", (None, None)),
        ("Draw", (None, None)),
        ("Jigo", (None, None)),
        ("和棋", (None, None)),
        ("黑中盘胜", (1, None)),
        ("白中盤勝", (2, None)),
        ("白胜", (2, None)),
        ("黑3.5目胜", (1, 3.5)),
        ("黑胜3目半", (1, 3.5)),
        ("백 불계승", (2, None)),
        ("흑 2집반승", (1, 2.5)),
        ("W+中盘胜", (2, None)),
        ("黑胜3/4子", (1, 1.5)),
    ],
)
def test_results(text, result):
    assert read(RE=text).result == Result(*result)


@in_groups(
    "text",
    [
        "?",
        "Void",
        "",
        "? (No further moves known)",
        "Black resigns. W 133.5 B 81.0",
        "+3",
        "B",
        "B+-3",
        "黑胜3/0子",
        "黑胜1/3子",
        "2.5",
    ],
)
def test_other_results_are_not_typed(text):
    assert read(RE=text).result is None


def changed(properties, **new):
    info = info_from_properties(properties)
    for name, value in new.items():
        setattr(info, name, value)
    return changed_properties(info, properties)


def test_what_agrees_is_not_written_again():
    properties = {
        "GN": ("A\\\nname",),
        "PB": ("B\tlack",),
        "KM": ("6.50",),
        "RU": ("jp",),
        "RE": ("B+Resign",),
        "PC": ("", "two"),
    }
    assert changed(properties) == {}
    assert changed({"KM": ("650",), "RE": ("Void",), "RU": ("Old Chinese",), "PB": ("",)}) == {}


def test_what_has_changed_is_written():
    properties = {
        "GN": ("A",),
        "KM": ("6.50",),
        "RE": ("B+Resign",),
        "RU": ("Old Chinese",),
        "PB": ("b",),
        "WR": ("1d",),
    }
    assert changed(properties, name="a]b") == {"GN": ("a\\]b",)}
    assert changed(properties, name=None) == {"GN": None}
    assert changed(properties, place="P") == {"PC": ("P",)}
    assert changed(properties, rules=GameRules(komi=7)) == {"KM": ("7",)}
    assert changed(properties, rules=None) == {"KM": None}
    assert changed(properties, rules=GameRules("territory", 6.5, "Korean")) == {"RU": ("Korean",)}
    assert changed(properties, rules=GameRules("area", 6.5)) == {"RU": ("area",)}
    assert changed(properties, result=Result(2, 0.5)) == {"RE": ("W+0.5",)}
    assert changed(properties, result=Result(None)) == {"RE": ("0",)}
    assert changed(properties, result=None) == {"RE": None}
    assert changed(properties, participants=[Participant("b", rank="2d"), Participant("w")]) == {
        "BR": ("2d",),
        "PW": ("w",),
        "WR": None,
    }


@in_groups("komi", [650, 375, -3.5, 0, 7.5, Decimal("6.4999999999999999999"), 1e-7, 9999.5])
def test_komi_is_read_as_it_was_written(komi):
    properties = changed_properties(Info(rules=GameRules(komi=komi)), {})
    assert info_from_properties(properties).rules == GameRules(komi=komi)


@pytest.mark.parametrize("margin", [float("nan"), float("inf"), Decimal("-Infinity")])
def test_numbers_that_sgf_cannot_hold_are_refused(margin):
    with pytest.raises(ValueError, match="no number"):
        changed_properties(Info(result=Result(1, margin)), {})


def test_several_players_of_a_color_are_one_name():
    info = Info(participants=[Participant("A"), Participant("B"), Participant("C")])
    info.players = [Player(0, 1), Player(2, 1), Player(1, 2), Player(1)]
    assert changed_properties(info, {}) == {"PB": ("A, C",), "PW": ("B",)}
