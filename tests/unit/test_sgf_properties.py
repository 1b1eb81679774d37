"""The meaning of the properties of an SGF node, and values with their escapes."""

import pytest
from helpers.cases import in_groups

from wei7core.coordinates import sgf_name, sgf_point
from wei7core.formats.sgf.properties import (
    PROPERTIES,
    comment,
    escape,
    evaluation,
    is_value,
    marks,
    points,
    short_name,
)
from wei7core.formats.sgf.text_values import simple_text, unescape
from wei7core.record.document import Mark

# The list of properties in the FF[4] specification.
FF4 = (
    "AB AE AN AP AR AW B BL BM BR BT C CA CP CR DD DM DO DT EV FF FG GB GC GM GN GW HA HO IT KM KO LB LN MA MN N "
    "OB ON OT OW PB PC PL PM PW RE RO RU SL SO SQ ST SZ TB TE TM TR TW UC US V VW W WL WR WT"
)


def test_the_table_has_the_properties_of_ff4_and_marks_the_older_ones():
    assert sorted(name for name, row in PROPERTIES.items() if not row.obsolete) == FF4.split()
    assert {"L", "M", "BS", "WS", "EL", "EX"} <= {name for name, row in PROPERTIES.items() if row.obsolete}
    assert [row.rank for row in PROPERTIES.values()] == list(range(len(PROPERTIES)))
    assert {name for name, row in PROPERTIES.items() if row.is_list} >= {"AB", "AW", "AE", "TR", "CR", "LB", "L", "M"}
    assert not any(PROPERTIES[name].is_list for name in ("B", "W", "C", "KM", "RE", "PB"))


@in_groups(
    ("long", "short"),
    [
        ("Black", "B"),
        ("AddWhite", "AW"),
        ("PLayer", "PL"),
        ("C", "C"),
        ("T2", "T2"),
        ("T_x2", "T_x2"),
        ("B_", "B_"),
        ("a1B", "a1B"),
        ("noise", ""),
    ],
)
def test_small_letters_of_names_do_not_count(long, short):
    assert short_name(long) == short


@in_groups(
    ("value", "meaning"),
    [
        ("plain", "plain"),
        ("", ""),
        (r"a\]b\\c\:d\e", r"a]b\c:de"),
        ("soft\\\nbreak", "softbreak"),
        ("soft\\\r\nbreak", "softbreak"),
        ("hard\r\nbreak\rand\n\rmore\nlines", "hard\nbreak\nand\nmore\nlines"),
        ("two\r\n\r\nbreaks", "two\n\nbreaks"),
        ("a\tb\vc\fd\\\te", "a b c d e"),
        ("broken off\\", "broken off"),
        (r"\\]", r"\]"),
        ("a\\\nb\\\r\nc\\\\d\\]e\\:f\r\ng\n\rh\ri\tj\vk\\\tl\\", "abc\\d]e:f\ng\nh\ni j k l"),
        ("围棋\\]𠀀", "围棋]𠀀"),
    ],
)
def test_text_values(value, meaning):
    assert unescape(value) == meaning
    assert simple_text(value) == meaning.replace("\n", " ")


@in_groups("plain", ["", "a]b", "\\", "\\]", "a:b", "line\nline", "围]棋"])
def test_escaping_is_undone_by_reading(plain):
    assert unescape(escape(plain)) == plain
    assert unescape(escape(plain, composed=True)) == plain
    assert is_value(escape(plain))
    assert ":" not in escape(plain, composed=True).replace("\\:", "")


@pytest.mark.parametrize("value", ["a]b", "a\\", "\\\\]", "\\]\\"])
def test_values_that_would_break_the_text(value):
    assert not is_value(value)


@in_groups(
    ("value", "size", "found"),
    [
        ("aa", (19, 19), (0, 0)),
        ("sc", (19, 19), (18, 2)),
        (" pd\n", (19, 19), (15, 3)),
        ("tt", (19, 19), None),
        ("tt", (20, 20), (19, 19)),
        ("Aa", (52, 1), (26, 0)),
        ("ZZ", (52, 52), (51, 51)),
        ("PD", (19, 19), (15, 3)),
        ("TT", (19, 19), None),
        ("ab", (2, 1), None),
        ("", (19, 19), None),
        ("a", (19, 19), None),
        ("abc", (19, 19), None),
        ("a1", (19, 19), None),
        ("aé", (19, 19), None),
        ("p d", (19, 19), None),
        ("\u3000pd", (19, 19), None),
    ],
)
def test_points(value, size, found):
    assert sgf_point(value, *size) == found


def test_every_point_is_written_as_it_is_read():
    for x in range(52):
        assert sgf_point(sgf_name((x, 51 - x)), 52, 52) == (x, 51 - x)
    with pytest.raises(IndexError):
        sgf_name((52, 0))


def test_rectangles_are_all_their_points_and_no_point_comes_twice():
    assert points(["bb:cd"], 19, 19) == [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3), (2, 3)]
    assert points(["cd:bb"], 19, 19) == points(["bb:cd"], 19, 19)
    assert points(["cc", "bb:cd", "cc"], 19, 19) == [(2, 2), (1, 1), (2, 1), (1, 2), (1, 3), (2, 3)]
    assert points(["aa:ss"], 19, 19) == [(x, y) for y in range(19) for x in range(19)]
    assert points(["aa:tt", "zz", "x", "a:b"], 19, 19) == []


@pytest.mark.exhaustive
def test_overlapping_rectangles_cost_little():
    # One point at a time this takes minutes.
    assert len(points(["aa:ZZ"] * 100_000, 52, 52)) == 52 * 52


@in_groups(
    ("properties", "worth"),
    [
        ({}, None),
        ({"TE": ("1",)}, "good"),
        ({"TE": ("2",)}, "good"),
        ({"BM": ("1",)}, "bad"),
        ({"BM": ("2",)}, "bad"),
        ({"BM": ("x",)}, None),
        ({"TE": ("1",), "BM": ("1",)}, None),
        ({"DO": ("",)}, None),
        ({"IT": ("",)}, None),
    ],
)
def test_evaluation(properties, worth):
    assert evaluation(properties) == worth


def test_comment():
    assert comment({}) is None
    assert comment({"C": ("",)}) == ""
    assert comment({"C": ("one\\]", "two")}) == "one]"


def test_marks():
    found = marks(
        {
            "TR": ("aa",),
            "CR": ("ba",),
            "SQ": ("ca",),
            "MA": ("da",),
            "M": ("ea",),
            "SL": ("fa:fb",),
            "LB": (r"ga:a\:b\]", "ha:long text", "zz:off", "none", "ia:x:y", "ga", "ha: "),
            "L": ("ja", "ka"),
            "DD": ("aa",),
        },
        19,
        19,
    )
    assert found == [
        Mark((0, 0), "%", shape="TR"),
        Mark((1, 0), "@", shape="CR"),
        Mark((2, 0), "#", shape="SQ"),
        Mark((3, 0), "&", shape="MA"),
        Mark((4, 0), "&", shape="MA"),
        Mark((5, 0), "$", shape="SL"),
        Mark((5, 1), "$", shape="SL"),
        Mark((6, 0), "a:b]"),
        Mark((7, 0), "long text"),
        Mark((8, 0), "x:y"),
        Mark((6, 0), "?"),
        Mark((7, 0), " "),
        Mark((9, 0), "A"),
        Mark((10, 0), "B"),
    ]
    assert [mark.symbol for mark in marks({"L": ("aa:ba", "ca")}, 19, 19)] == ["A", "A", "B"]
    letters = [mark.symbol for mark in marks({"L": [f"{letter}{letter}" for letter in "ab" * 27]}, 19, 19)]
    assert letters[25:28] + letters[51:] == ["Z", "a", "b", "z", "?", "?"]
