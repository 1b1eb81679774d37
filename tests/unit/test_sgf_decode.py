"""The SGF decoder: what each oddity is called and where it is, what is read all the same, and the limits."""

from __future__ import annotations

import pickle
import re

import pytest
from helpers.cases import in_groups
from helpers.effort import is_quick

from wei7core.errors import PROBLEM_CODES
from wei7core.formats._native import PROPERTIES
from wei7core.formats.sgf import decode as sgf
from wei7core.formats.sgf import games as sgf_games
from wei7core.limits import Limits
from wei7core.record.record import Record

Found = list[tuple[str, int, str]]

# Name, text, problems as (code, offset, path).
CASES: list[tuple[str, bytes, Found]] = [
    ("whole", b"(;FF[4]GM[1]SZ[19];B[pd];W[])", []),
    ("nothing", b"", [("no-game-tree", 0, "$")]),
    ("no tree", b"hello (world)", [("no-game-tree", 0, "$")]),
    ("no parenthesis", b"\n;SZ[9];B[aa]", [("no-game-tree", 1, "-;0")]),
    ("other game", b"(;GM[2];B[aa])", [("game-not-go", 5, "-;0.GM")]),
    (
        "other game, what it holds",
        b"(;AB[xx]GM[5])(;B[aa])",
        [("point-invalid", 5, "-;0.AB"), ("game-not-go", 11, "-;0.GM"), ("more-games", 14, "$")],
    ),
    ("collection", b"(;B[aa])\n(;W[bb])", [("more-games", 9, "$")]),
    ("text before", b" a letter (;B[aa])", [("text-outside-tree", 1, "$")]),
    ("text after", b"(;B[aa])  end", [("text-outside-tree", 10, "$")]),
    ("text between", b"(;B[aa]) x (;B[bb])", [("text-outside-tree", 9, "$"), ("more-games", 11, "$")]),
    ("byte order mark", b"\xef\xbb\xbf(;B[aa])", []),
    ("parentheses around", b"((;B[aa]))", [("text-outside-tree", 0, "$"), ("text-outside-tree", 9, "$")]),
    ("unclosed", b"(;B[aa](;W[bb]", [("tree-unclosed", 14, "0;0")]),
    ("game in a game", b"(;B[aa](;FF[4]B[bb])", [("tree-unclosed", 7, "-;0"), ("more-games", 7, "-;0")]),
    ("variation without node", b"(;B[aa]()(;W[bb]))", [("tree-empty", 7, "0")]),
    ("variations in a variation", b"(;B[aa]((;W[bb])(;W[cc])))", [("tree-empty", 7, "0")]),
    ("no semicolon", b"(FF[4]SZ[9];B[aa])", [("node-unmarked", 1, "-;0.FF")]),
    ("no semicolon in variation", b"(;B[aa](W[bb]))", [("node-unmarked", 8, "0;0.W")]),
    ("node after variation", b"(;B[aa](;W[bb]);W[cc])", [("node-after-variation", 15, "1;0")]),
    ("property after variation", b"(;B[aa](;W[bb])C[x])", [("node-after-variation", 15, "1;0.C")]),
    ("stray", b"(;B[aa] ab ] 12;W[bb])", [("stray-text", 8, "-;0")]),
    ("stray value", b"(;[x;y(z]B[aa])", [("stray-text", 2, "-;0")]),
    ("lower case", b"(;b[aa])", [("stray-text", 2, "-;0.b")]),
    ("no value", b"(;B;W[aa])", [("property-without-value", 2, "-;0")]),
    ("no value, unknown", b"(;XY;W[aa])", [("stray-text", 2, "-;0")]),
    ("twice", b"(;PB[a]PB[b]PB[c])", [("property-duplicate", 7, "-;0.PB")]),
    ("programs", b"(;AP[GNU Go:3.8]KM[375]HA[0]AP[foxwq])", []),
    ("points twice", b"(;AB[aa]AW[cc]AB[bb])", [("property-duplicate", 14, "-;0.AB")]),
    ("private twice", b"(;XX[a]XX[b])", []),
    ("long name", b"(;FF[4]AddBlack[aa]PlayerBlack[x])", [("property-name-long", 7, "-;0.AB")]),
    ("long name of old", b"(;FF[3]AddBlack[aa])(", [("text-outside-tree", 20, "$")]),
    (
        "root property elsewhere",
        b"(;SZ[9];SZ[13]B[mm])",
        [("property-misplaced", 8, "-;1.SZ"), ("point-off-board", 16, "-;1.B")],
    ),
    ("value unclosed", b"(;C[ab", [("value-unclosed", 3, "-;0.C"), ("tree-unclosed", 6, "-;0")]),
    ("move unclosed", b"(;B[aa];W[b", [("value-unclosed", 9, "-;1.W"), ("tree-unclosed", 11, "-;1")]),
    ("escape at the end", b"(;C[ab\\", [("value-unclosed", 3, "-;0.C"), ("tree-unclosed", 7, "-;0")]),
    ("values", b"(;GN[a][b];B[aa][bb])", [("values-too-many", 2, "-;0.GN"), ("values-too-many", 11, "-;1.B")]),
    ("values later", b"(;SZ[9];B[aa];W[cc][bb])", [("values-too-many", 14, "-;2.W")]),
    ("values, no point", b"(;SZ[9];B[aa][zz])", [("values-too-many", 8, "-;1.B"), ("point-invalid", 14, "-;1.B")]),
    ("kinds", b"(;KM[6,5]HA[x])", [("value-invalid", 5, "-;0.KM"), ("value-invalid", 12, "-;0.HA")]),
    ("more kinds", b"(;PL[z]MN[1.5])", [("value-invalid", 5, "-;0.PL"), ("value-invalid", 10, "-;0.MN")]),
    ("kinds that are right", b"(;KM[-6.5]HA[+2]PL[Black]MN[ 3 ]BL[-1.5]OB[4]WL[.5]OW[])", []),
    ("clocks", b"(;FF[3];BL[1:30]OB[x])", [("value-invalid", 11, "-;1.BL"), ("value-invalid", 19, "-;1.OB")]),
    ("clocks of old", b"(;FF[1];BL[1:30]OB[x])", []),
    ("numbers of the root", b"(;FF[x]GM[Go])", [("value-invalid", 5, "-;0.FF"), ("value-invalid", 10, "-;0.GM")]),
    ("dialects", b"(;RE[W+Time]KM[375]TM[1 hour]KGSDE[x]RU[jp]DT[now]KO[7.5]TE[9]HO[]DM[x]GB[5])", []),
    ("no point", b"(;B[p0])", [("move-invalid", 4, "-;0.B")]),
    ("point as people name it", b"(;B[p4];W[R16])", [("value-invalid", 4, "-;0.B"), ("value-invalid", 10, "-;1.W")]),
    ("move over points", b"(;B[aa:bb])", [("move-invalid", 4, "-;0.B")]),
    ("off board, size after", b"(;B[jk]SZ[9])", [("point-off-board", 4, "-;0.B")]),
    ("off board", b"(;SZ[9];B[kj])", [("point-off-board", 10, "-;1.B")]),
    ("pass after the last point", b"(;SZ[18];B[ss])", [("value-invalid", 11, "-;1.B")]),
    ("pass off board", b"(;SZ[21];B[tt];W[])", []),
    ("stone off board", b"(;SZ[9]AB[aa][jj][aa:jj][x])", [("point-invalid", k, "-;0.AB") for k in (14, 18, 25)]),
    ("empty stone", b"(;AB[])", []),
    ("empty stone in a list", b"(;AB[aa][])", [("value-invalid", 9, "-;0.AB")]),
    ("empty stone in a node", b"(;;AB[])", [("value-invalid", 6, "-;1.AB")]),
    ("corners turned", b"(;AB[bb:aa];AW[bd:cc])", [("value-invalid", 5, "-;0.AB"), ("value-invalid", 15, "-;1.AW")]),
    ("no double", b"(;;B[aa]DM[3]BM[x]TE[]GB[2])", [("value-invalid", 11, "-;1.DM"), ("value-invalid", 16, "-;1.BM")]),
    ("a value where none belongs", b"(;;B[aa]KO[x]DO[])", [("value-invalid", 11, "-;1.KO")]),
    ("handicap of one", b"(;HA[1])", [("value-invalid", 5, "-;0.HA")]),
    ("handicap below zero", b"(;HA[-1])", [("value-invalid", 5, "-;0.HA")]),
    ("color by number", b"(;PL[1])", [("value-invalid", 5, "-;0.PL")]),
    ("komi of Fox", b"(;KM[50])", [("value-invalid", 5, "-;0.KM")]),
    ("komi of points", b"(;KM[50.0]HA[2])", []),
    ("mark off board", b"(;SZ[9]TR[jj]LB[x:A]L[])", [("mark-invalid", 10, "-;0.TR"), ("mark-invalid", 16, "-;0.LB")]),
    ("territory unread", b"(;SZ[9]TB[jj]AR[aa:zz]LN[x]DD[]VW[zz])", []),
    ("capitals", b"(;B[PD];W[DP])", [("point-upper-case", 4, "-;0.B")]),
    ("capitals of a large board", b"(;SZ[40];B[aN];W[An])", []),
    ("set up twice", b"(;AB[aa][aa]AW[aa])", [("setup-repeated", 9, "-;0.AB")]),
    ("set up twice by rectangle", b"(;AB[bb:cc]AW[aa:ca][ac:cc])", [("setup-repeated", 21, "-;0.AW")]),
    ("move and setup", b"(;SZ[9];B[aa]AW[bb])", [("move-with-setup", 8, "-;1.B")]),
    ("both move", b"(;SZ[9];B[aa]W[bb]B[cc])", [("moves-in-one-node", 13, "-;1.W")]),
    ("size", b"(;SZ[53])", [("size-invalid", 5, "-;0.SZ")]),
    ("size with a sign", b"(;SZ[+9:+9]GM[+1]FF[+4]HA[+3]AB[ii][aa][ai])", []),
    ("size below nothing", b"(;SZ[-9])", [("size-invalid", 5, "-;0.SZ")]),
    ("size with two signs", b"(;SZ[++9])", [("size-invalid", 5, "-;0.SZ")]),
    ("size of a sign", b"(;SZ[+])", [("size-invalid", 5, "-;0.SZ")]),
    ("size of nothing", b"(;SZ[])", [("size-invalid", 5, "-;0.SZ")]),
    ("size of three", b"(;SZ[9:9:9])", [("size-invalid", 5, "-;0.SZ")]),
    ("size late", b"(;AB[jj]SZ[9])", [("point-invalid", 5, "-;0.AB")]),
    ("no charset", "(;PB[柯洁])".encode(), [("charset-assumed", 5, "-;0.PB")]),
    ("wrong charset", "(;CA[GBK]PB[柯洁])".encode(), [("charset-contradicted", 5, "-;0.CA")]),
    ("unknown charset", "(;CA[Klingon]PB[柯洁])".encode(), [("charset-unknown", 5, "-;0.CA")]),
    ("unknown charset of nothing", b"(;CA[Klingon]PB[x])", []),
    ("damaged text", b"(;CA[UTF-8]C[" + "柯洁".encode() * 20 + b"\xe6\x9f])", [("text-undecodable", 133, "-;0.C")]),
    (
        "lines",
        b"(;B[aa]\r\n;W[bb]\n\r;B[zz]\r;W[zz])",
        [("point-off-board", 20, "-;2.B"), ("point-off-board", 27, "-;3.W")],
    ),
]  # fmt: skip


def found(record: Record) -> Found:
    return [(problem.code, problem.offset, problem.path) for problem in record.problems]


@in_groups(("text", "problems"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_oddities(text: bytes, problems: Found) -> None:
    assert found(sgf.decode(text)) == problems


def test_every_code_of_sgf_has_a_case() -> None:
    reported = {code for _, _, problems in CASES for code, _, _ in problems}
    of_sgf = {code.name for code in PROBLEM_CODES if code.clause.startswith("FF[4]")}
    assert of_sgf and of_sgf <= reported


@in_groups(("text", "problems"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_messages_and_clauses(text: bytes, problems: Found) -> None:
    for problem in sgf.decode(text).problems:
        assert re.fullmatch(r"FF\[4\], [\w ]+", problem.clause)
        assert "{" not in problem.message and problem.message[0] not in " .,;"


def moves(text: bytes) -> list[tuple[int, int, int, int]]:
    rows: list[tuple[int, int, int, int]] = sgf.decode(text).steps[["kind", "color", "x", "y"]].tolist()
    return rows


def test_messages_name_property_and_value() -> None:
    messages = [
        (b"(;B[zz])", "B[zz] is neither a point of the 19x19 board nor a pass"),
        (b"(;Black[zz])", "B[zz] is neither a point of the 19x19 board nor a pass"),
        (b"(;SZ[9:13];AW[jj])", "AW[jj] is not a point of the 9x13 board; it is ignored"),
        (b"(;GM[2])", "GM[2] is Othello: only Go (GM[1]) is read"),
        (b"(;GM[77])", "GM[77] is another game: only Go (GM[1]) is read"),
        (b"(;PL[x])", "PL[x] is not B or W"),
        (b"(;KM[6.5]KM[7.5])", "this node has KM more than once; the first one counts"),
        (b"(;XY[1]TR[aa]TR[bb])", "this node has TR more than once; all of them count"),
        (b"(;KM[" + b"x" * 99 + b"])", "KM[" + "x" * 36 + " ...] is not a number"),
        ("(;CA[big5]C[柯洁])".encode(), "CA[big5] is not the encoding of the text; read as utf-8: its bytes are UTF-8"),
    ]
    for text, message in messages:
        assert [problem.message for problem in sgf.decode(text).problems] == [message]


def test_lines_and_columns_count_characters() -> None:
    for encoding in ("utf-8", "gb18030", "utf-16", "cp932"):
        text = f"(;CA[{encoding}]SZ[9]\r\n;C[黒白]B[zz]\n\n;W[zz])".encode(encoding)
        assert [(problem.line, problem.column) for problem in sgf.decode(text).problems] == [(2, 9), (4, 4)]


def test_offsets_of_wide_text_are_of_its_own_bytes() -> None:
    text = "(;C[柯洁];B[zz];W[yy])"
    for encoding, mark in (("utf-16", 2), ("utf-16-be", 0), ("utf-32", 4), ("utf-32-le", 0)):
        data = text.encode(encoding)
        at = [problem.offset for problem in sgf.decode(data).problems if problem.code == "point-off-board"]
        assert at == [mark + len(text[: text.index(move)].encode(f"{encoding[:6]}-le")) for move in ("zz", "yy")]


def test_passes() -> None:
    assert moves(b"(;;B[];W[tt];B[ ])") == [(1, 1, -1, -1), (1, 2, -1, -1), (1, 1, -1, -1)]
    assert moves(b"(;SZ[20];W[tt])") == [(1, 2, 19, 19)]
    assert moves(b"(;SZ[19:20];W[tt])") == [(0, 0, -1, -1)]
    assert moves(b"(;SZ[13:9];W[tt])") == [(1, 2, -1, -1)]


def test_a_node_may_have_setup_and_moves() -> None:
    record = sgf.decode(b"(;SZ[9];W[aa]AE[bb]B[cc]AB[dd];)")
    assert record.steps["kind"].tolist() == [7, 1, 1, 8]
    assert record.steps["joined"].tolist() == [0, 1, 1, 0]
    assert record.steps["offset"].tolist() == [13, 8, 19, 30]
    assert [(int(s["x"]), int(s["y"]), int(s["color"])) for s in record.stones] == [(1, 1, 0), (3, 3, 1)]


def test_the_root_node_is_no_step() -> None:
    record = sgf.decode(b"(;SZ[9]AB[aa:bb]AE[ab]C[hello]TR[cc]GN[x]W[dd];B[ee])")
    assert record.steps["joined"].tolist() == [1, 0]
    pre = record.pres[0]
    assert (pre["stone_count"], pre["mark_count"], pre["unchecked"], pre["unreadable"]) == (3, 1, 1, 0)
    assert record.text(*pre["comment"].tolist()) == "hello"
    kept = [(record.source[row["key"]["begin"] : row["key"]["end"]], int(row["owner"])) for row in record.kept]
    assert kept == [(b"SZ", 0), (b"TR", 0), (b"GN", 0)]


def test_what_steps_own() -> None:
    record = sgf.decode(b"(;SZ[9];B[aa]C[a\\]b]TR[aa:ab]LB[cc:1]XX[1][2];W[zz]N[y])")
    first, second = (record.details[step["detail"]] for step in record.steps)
    assert record.text(*first["comment"].tolist()) == "a]b"
    assert first["mark_count"] == 3
    assert bytes(record.marks["symbol"].tolist()) == b"%%1"
    assert record.source[second["value"]["begin"] : second["value"]["end"]] == b"W[zz]"
    kept = [
        (record.source[row["value"]["begin"] : row["value"]["end"]], int(row["owner"]), int(row["index"]))
        for row in record.kept
    ]
    assert kept == [(b"[9]", 0, 0), (b"[aa:ab]", 3, 0), (b"[cc:1]", 3, 0), (b"[1][2]", 3, 0), (b"[y]", 3, 1)]


def test_letters_and_marks() -> None:
    record = sgf.decode(b"(;L[aa][bb]CR[cc]SQ[dd]MA[ee]M[ff]SL[gg]LB[hh:ab][ii:Z][jj:*][kk:\\$][ll])")
    assert bytes(record.marks["symbol"].tolist()) == b"AB@#&&$?Z?$?"


def test_sizes() -> None:
    for value, size in ((b"9", (9, 9, 1)), (b" 19 : 5 ", (19, 5, 2)), (b"52", (52, 52, 1)), (b"1:1", (1, 1, 2))):
        record = sgf.decode(b"(;SZ[" + value + b"])")
        assert (record.width, record.height, record.size_form) == size
    record = sgf.decode(b"(;B[aa])")
    assert (record.width, record.height, record.size_form, record.revision) == (19, 19, 0, 1)


def test_a_record_pickles() -> None:
    record = sgf.decode("(;PB[柯洁];B[zz])".encode("gb18030"), encoding="gbk")
    again = pickle.loads(pickle.dumps(record))
    assert (again.encoding, again.problems, again.source) == (record.encoding, record.problems, record.source)


def test_problems_found_later_name_the_move() -> None:
    record = sgf.decode(b"(;SZ[9];B[aa];W [aa])")
    offset = int(record.steps[1]["offset"])
    (problem,) = record.locate([("move-occupied", offset, 0)])
    assert (problem.offset, problem.path, problem.clause) == (17, "-;2.W", "FF[4], move")
    assert problem.message == "W[aa] is on an occupied point"
    (limit,) = record.locate([("limit-replay", offset, 0)])
    assert (limit.clause, limit.clause_text) == ("", "limit")


LIMITED: list[tuple[bytes, Limits, str]] = [
    (b"(;B[aa])", Limits(max_bytes=7), "limit-bytes"),
    (b"(;" + b";B[aa]" * 9 + b")", Limits(max_steps=5), "limit-steps"),
    (b"(;;AB[aa:ee])", Limits(max_steps=20), "limit-steps"),
    (b"(;TR[aa:ee])", Limits(max_steps=20), "limit-steps"),
    (b"(;" + b"(;)" * 9 + b")", Limits(max_steps=5), "limit-steps"),
    (b"(;" + b"XX[a]" * 9 + b")", Limits(max_steps=5), "limit-steps"),
    (b"(;(;(;B[aa])))", Limits(max_depth=2), "limit-depth"),
    (b";SZ[9]", Limits(max_depth=0), "limit-depth"),
]


@in_groups(("text", "limits", "code"), LIMITED)
def test_limits(text: bytes, limits: Limits, code: str) -> None:
    record = sgf.decode(text, limits=limits)
    assert record.broken_off
    assert code in [problem.code for problem in record.problems]
    assert not sgf.decode(text).broken_off


def test_limits_that_do_not_break_off() -> None:
    record = sgf.decode(b"(;SZ[9];B[aa])", limits=Limits(max_points=80))
    assert found(record) == [("board-size-unsupported", 5, "-;0.SZ")]
    text = b"(;" + b";B[zz]" * 9 + "C[柯]".encode() + b")"
    record = sgf.decode(text, limits=Limits(max_problems=3))
    assert [problem.code for problem in record.problems][-1] == "limit-problems"
    assert len(record.problems) == 4


# By functions: in each process that collects the tests the texts would take a quarter of a second.
HOSTILE = {
    "open": lambda size: b"(;" * size,
    "empty": lambda size: b"(;" + b"()" * size,
    "after": lambda size: b"(;" + b"(;);" * size,
    "escapes": lambda size: b"(;C[" + b"\\]" * size,
    "rectangles": lambda size: b"(;SZ[52];AB" + b"[aa:ZZ]" * size + b")",
    "rectangles in nodes": lambda size: b"(;SZ[52]" + b";AE[aa:ZZ]" * size + b")",
    "marks": lambda size: b"(;SZ[52];TR" + b"[aa:ZZ]" * size + b")",
    "names": lambda size: b"(;" + b"".join(b"X%dY[a]" % k for k in range(size // 2)) + b")",
    "moves": lambda size: b"(;;" + b"B[aa]W[bb]" * size + b"AB[cc])",
    "bytes": lambda size: b"(;C[" + b"\xff" * size + b"])",
    "noise": lambda size: b"(;" + b"\xe9 ] " * size,
    "starts": lambda size: b"( " * size,
    "halves": lambda size: b"(;CA[GBK]C[" + b"\x81]" * size,
    "halves before the end": lambda size: b"(;CA[GBK]C[" + b"\x81] )" * size,
    "halves of many": lambda size: b"(;CA[GBK]" + b"C[\x81];" * size,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_cost_no_more_than_their_size(name: str) -> None:
    text = HOSTILE[name](50_000 if is_quick() else 200_000)
    record = sgf.decode(text)
    assert len(record.problems) <= Limits().max_problems + 1
    assert len(record.marks) + len(record.stones) <= (1 << 19) + 2 * len(text)
    assert sgf_games.split(text)[-1][1] == len(text)


def test_games_of_a_collection() -> None:
    text = b"x(;C[)(;])y(;B[aa](;W[bb])) (;FF[3](;FF[4];B[cc]\n"
    pieces = [text[begin:end] for begin, end in sgf_games.split(text)]
    assert pieces == [b"x(;C[)(;])", b"y(;B[aa](;W[bb]))", b" (;FF[3]", b"(;FF[4];B[cc]\n"]
    assert sgf_games.split(text, final=False) == [], "40 bytes of the next game are waited for"
    longer = text + b";B[dd]" * 10
    assert sgf_games.split(longer, final=False) == sgf_games.split(longer)[:-1]
    assert sgf_games.split(b"") == sgf_games.split(b" \n", 1) == []
    assert sgf_games.split(b"no game") == [(0, 7)]
    with pytest.raises(ValueError, match="start is 9"):
        sgf_games.split(b"(;)", 9)


def test_games_of_a_wide_collection() -> None:
    text = "(;C[柯])\n(;C[洁];B[aa])(;" + ";B[bb]" * 9 + ")"
    for encoding in ("utf-16", "utf-16-le", "utf-32-be"):
        data = text.encode(encoding)
        pieces = sgf_games.split(data)
        assert [begin for begin, _ in pieces] == [0, *(end for _, end in pieces[:-1])]
        assert [len(sgf.decode(data[begin:end]).steps) for begin, end in pieces] == [0, 1, 9]
        assert sgf_games.split(data, pieces[0][1]) == pieces[1:]
        assert sgf_games.split(data, 0, False) == pieces[:-1]


def test_known_properties_are_known_once() -> None:
    assert PROPERTIES[0] == ""
    assert len(set(PROPERTIES)) == len(PROPERTIES) <= 128, "a set of properties is two 64-bit words"


def test_the_encoding_asked_for_must_exist() -> None:
    with pytest.raises(LookupError):
        sgf.decode(b"(;)", encoding="klingon")
