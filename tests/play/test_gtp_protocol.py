"""The text of GTP: commands, responses, reports of analysis, rules in KataGo's words."""

import json

import pytest
from helpers.cases import in_groups
from helpers.effort import chances
from hypothesis import given
from hypothesis import strategies as st
from samples.characters import UNICODE

import wei7core as w7
from wei7core.play import katago_rules
from wei7core.play.evaluation import MoveInfo, Report
from wei7core.play.gtp.protocol import (
    Command,
    Response,
    ResponseReader,
    color_of,
    format_response,
    parse_command,
    vertex_of,
    vertex_text,
)
from wei7core.play.gtp.reports import format_report, parse_report


@in_groups(
    ("line", "expected"),
    [
        ("play black D5\n", Command("", "play", ("black", "D5"))),
        ("17 play\tW  a1 # comment", Command("17", "play", ("W", "a1"))),
        ("007 name\r\n", Command("007", "name", ())),
        ("12\n", Command("12", "", ())),
        ("\x07na\x01me\x7f", Command("", "name", ())),
        ("  # nothing\n", None),
        ("\n", None),
        ("\t \r\n", None),
        ("٣ name", Command("", "٣", ("name",))),
    ],
)
def test_commands(line, expected):
    assert parse_command(line) == expected


@in_groups(
    ("ok", "identity", "text", "expected"),
    [
        (True, "", "", "=\n\n"),
        (True, "3", "D4", "=3 D4\n\n"),
        (False, "", "illegal move", "? illegal move\n\n"),
        (True, "1", "a\n\nb\n", "=1 a\nb\n\n"),
        (True, "", "\n  A B\n\t2 .", "=\n  A B\n 2 .\n\n"),
        (True, "", "a\r\n\x07b", "= a\nb\n\n"),
    ],
)
def test_responses_written(ok, identity, text, expected):
    assert format_response(ok, identity, text) == expected


def read(lines):
    reader = ResponseReader()
    return [found for line in lines if (found := reader.feed(line)) is not None]


@in_groups(
    ("lines", "expected"),
    [
        (["=1 D4", ""], [Response(True, 1, "D4")]),
        (["= D4\r", "\r"], [Response(True, None, "D4")]),
        (["=D4", ""], [Response(True, None, "D4")]),
        (["?12 unknown command", "  "], [Response(False, 12, "unknown command")]),
        (["=", "a", " b", ""], [Response(True, None, "a\n b")]),
        (["=3", ""], [Response(True, 3, "")]),
        (["", "hello", "=1", ""], ["hello", Response(True, 1, "")]),
        (["=== banner ===", "=1 x", "=2 y", ""], ["=== banner ===", Response(True, 1, "x\n=2 y")]),
        (["=" + "9" * 30 + " x", ""], ["=" + "9" * 30 + " x"]),
    ],
)
def test_responses_read(lines, expected):
    assert read(lines) == expected


def test_a_response_has_a_bound():
    reader = ResponseReader(max_size=1000)
    reader.feed("= start")
    with pytest.raises(ValueError, match="more than 1000 characters"):
        for _ in range(1000):
            reader.feed("x" * 10)


words_of_text = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=9)
texts = st.lists(st.lists(words_of_text, min_size=1, max_size=5).map(" ".join), min_size=1, max_size=5)


@given(st.booleans(), st.integers(0, 10**9), texts)
def test_what_is_written_is_read(ok, identity, lines):
    written = format_response(ok, str(identity), "\n".join(lines))
    assert written.endswith("\n\n")
    assert read(written.split("\n")[:-1]) == [Response(ok, identity, "\n".join(lines))]


@given(st.text(UNICODE, max_size=300))
def test_no_text_breaks_a_response(text):
    written = format_response(True, "1", text)
    assert written.index("\n\n") == len(written) - 2
    assert len(read(written.split("\n")[:-1])) == 1


def test_colors_and_vertices():
    assert [color_of(word) for word in ("b", "BLACK", "w", "White")] == [1, 1, 2, 2]
    with pytest.raises(ValueError, match="a color is"):
        color_of("green")
    assert vertex_of("RESIGN ", 19, 19) == "resign"
    assert vertex_of("pass", 19, 19) is None
    assert vertex_of("a19", 19, 19) == (0, 0)
    assert [vertex_text(move, 9, 9) for move in ((0, 0), None, "resign", "d4")] == ["A9", "pass", "resign", "D4"]
    with pytest.raises(ValueError, match="off the"):
        vertex_text((9, 9), 9, 9)
    with pytest.raises(ValueError, match="a vertex is"):
        vertex_text("castle", 9, 9)


# --- analysis -------------------------------------------------------------------------------------------

KATA = (
    "info move E4 visits 487 utility -0.0408357 winrate 0.480018 scoreMean -0.611848 scoreStdev 24.7058 "
    "scoreLead -0.611848 scoreSelfplay -0.515178 prior 0.221121 lcb 0.477221 utilityLcb -0.0486664 order 0 "
    "pv E4 E3 pass F3 pvVisits 487 100 3 1 info move P16 visits 2 winrate 0.4 isSymmetryOf Q16 order 1 pv P16 "
    "rootInfo visits 489 winrate 0.47 scoreLead -0.7 rawVarTimeLeft 12 ownership " + " ".join(["-0.5"] * 25)
)


def test_a_line_of_kata_analyze():
    report = parse_report(KATA, 19, 19)
    first, second = report.moves
    assert (first.move, first.visits, first.order) == ((4, 15), 487, 0)
    assert (first.winrate, first.score_lead, first.prior, first.lcb) == (0.480018, -0.611848, 0.221121, 0.477221)
    assert first.pv == ((4, 15), (4, 16), None, (5, 16))
    assert first.pv_visits == (487, 100, 3, 1)
    assert first.extra == {"scoreMean": -0.611848, "scoreSelfplay": -0.515178, "utilityLcb": -0.0486664}
    assert second.extra == {"isSymmetryOf": "Q16"}
    assert (report.visits, report.winrate, report.score_lead) == (489, 0.47, -0.7)
    assert report.extra == {"rawVarTimeLeft": 12}
    assert report.ownership == [-0.5] * 25
    assert report.best is first


def test_a_line_of_lz_analyze():
    first = "info move E4 visits 1178 winrate 4802 prior 2211 lcb 4781 order 0 pv E4 E3"
    report = parse_report(f"{first} info move pass visits 1 winrate 1 order 1 pv", 19, 19, is_lz=True)
    assert [(info.move, info.winrate) for info in report.moves] == [((4, 15), 0.4802), (None, 0.0001)]
    assert report.moves[0].lcb == 0.4781
    assert format_report(Report([report.moves[0]]), 19, 19, is_lz=True) == first


@in_groups(
    "line",
    [
        "hello",
        "info visits 3",
        "info move E4 visits",
        "info move I4 visits 3",
        "info move E4 visits many",
        "info move Z99 visits 1",
        "info move E4 order first",
    ],
)
def test_what_is_no_analysis(line):
    with pytest.raises(ValueError, match=r"."):
        parse_report(line, 19, 19)


numbers = st.floats(-1000, 1000).map(lambda number: float(format(number, ".6g")))
shares = st.integers(0, 10_000).map(lambda number: number / 10_000)
points = st.one_of(st.none(), st.tuples(st.integers(0, 18), st.integers(0, 12)))
infos = st.builds(
    lambda move, pv, **rest: MoveInfo(move, pv=(move, *pv), **rest),
    points,
    pv=st.lists(points, max_size=5),
    visits=st.integers(0, 10**7),
    winrate=st.none() | shares,
    prior=st.none() | shares,
    lcb=st.none() | shares,
    score_lead=st.none() | numbers,
    score_stdev=st.none() | numbers,
    utility=st.none() | numbers,
    order=st.integers(0, 300),
)
reports = st.builds(
    Report,
    st.lists(infos, min_size=1, max_size=5),
    visits=st.integers(0, 10**7),
    winrate=st.none() | numbers,
    score_lead=st.none() | numbers,
    ownership=st.none() | st.lists(numbers, min_size=1, max_size=9),
)


@given(reports)
def test_reports_round_trip(report):
    assert parse_report(format_report(report, 19, 13, root=True), 19, 13) == report


@given(reports, chances())
def test_damaged_reports_are_refused_or_read(report, rng):
    words = format_report(report, 19, 13, root=True).split()
    for _ in range(3):
        words[rng.randrange(len(words))] = rng.choice([*words, "nonsense", "-", "1e999", "info"])
    try:
        parse_report(" ".join(words), 19, 13)
    except ValueError as error:
        assert str(error)


# --- rules ----------------------------------------------------------------------------------------------


@in_groups("name", ["tromp-taylor", "chinese", "japanese", "korean", "aga", "new-zealand"])
def test_rules_that_katago_has(name):
    rules = w7.rules.NAMED[name]
    assert katago_rules.rules_of(rules) == name
    members = json.loads(katago_rules.to_json(rules))
    found = katago_rules.from_text(json.dumps(members))
    assert (found.ko, found.suicide, found.scoring, found.seki, found.compensation) == (
        rules.ko,
        rules.suicide,
        rules.scoring,
        rules.seki,
        rules.compensation,
    )
    assert katago_rules.from_text(f" {name} ") == rules


def test_other_rules_are_written_as_members():
    assert katago_rules.rules_of(w7.rules.ING) == {
        "ko": "SIMPLE",
        "scoring": "AREA",
        "tax": "NONE",
        "suicide": True,
        "hasButton": False,
        "whiteHandicapBonus": "0",
        "friendlyPassOk": True,
    }


@in_groups(
    "text", ["", "nonsense", "{", '{"ko":"NONE"}', '{"hasButton":true}', '{"tax":"ALL"}', '{"ko":[]}', '{"x":1}']
)
def test_rules_that_are_not_known(text):
    with pytest.raises(ValueError, match=r"."):
        katago_rules.from_text(text)
