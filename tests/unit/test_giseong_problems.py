"""Every requirement of Giseong, and every reading of an open point: a text that breaks it and one that keeps it."""

from typing import NamedTuple

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.errors import PROBLEM_CODES
from wei7core.formats.giseong import decode as giseong
from wei7core.limits import Limits


class Row(NamedTuple):
    """A breach: its code and clause, a text with `^` at its place, its path, a text that is right."""

    code: str
    clause: str
    text: str
    path: str
    right: str


ROWS = [
    # Codes
    Row("no-codes", "section 1", "^해설", "-", "&[1w해설&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[w&[2w", "-;0", "&[1w&[3w&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[;3w&[2w", "-;0", "&[1w&[3w&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[2; 1;1@&[2w", "-;0", "&[1w&[2;1;1@&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[-2;1;1@&[2w", "-;0", "&[1w&[2;1;1@&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[6;1;1;1;1@&[2w", "-;0", "&[1w&[6;1;1;1@&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[6;1;1;1;1;1@&[2w", "-;0", "&[1w&[6;1;1;1@&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[2;1;1;0@&[2w", "-;0", "&[1w&[2;01;001@&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[2;1@&[2w", "-;0", "&[1w&[2;1;1@&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[8;1@&[2w", "-;0", "&[1w&[8@&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[0;1;1;1@&[2w", "-;0", "&[1w&[0;1;1@&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[3;1w&[2w", "-;0", "&[1w&[3w&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[9;1;2w&[2w", "-;0", "&[1w&[9;1w&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[10;67w&[2w", "-;0", "&[1w&[10;67;15w&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[20w&[2w", "-;0", "&[1w&[20;1w&[2;1;1@&[2w"),
    Row("code-malformed", "section 2, G18", "&[1w^&[23w&[2w", "-;0", "&[1w&[23;7w&[2w"),
    # Placements
    Row("placement-unknown", "section 6, G2", "&[1w^&[13;1;1@&[2w", "-;0", "&[1w&[12;1;1;7@&[2w"),
    Row("placement-unknown", "section 6, G2", "&[1w^&[999@&[2w", "-;0", "&[1w&[0;1;1@&[2w"),
    Row("point-off-board", "section 6", "&[1w&[2;1;1@^&[3;20;1@&[2w", "-;1", "&[1w&[3;19;19@&[2w"),
    Row("point-off-board", "section 6", "&[1w^&[3;1;0@&[2w", "-;0", "&[1w&[3;1;1@&[2w"),
    Row("point-off-board", "section 6", "&[1w^&[1;0;1;0@&[2w", "-;0", "&[1w&[1;1;1;0@&[2w"),
    Row("label-unknown", "section 6, G3", "&[1w^&[1;1;1;14@&[2w", "-;0", "&[1w&[1;1;1;13@&[2w"),
    Row("label-unknown", "section 6, G3", "&[1w^&[4;1;1;26@&[2w", "-;0", "&[1w&[4;1;1;25@&[2w"),
    Row("label-unknown", "section 6, G3", "&[1w^&[7;1;1;100@&[2w", "-;0", "&[1w&[7;1;1;99@&[2w"),
    Row("label-unknown", "section 6, G3", "&[1w^&[12;1;1;8@&[2w", "-;0", "&[1w&[12;1;1;7@&[2w"),
    Row("move-occupied", "section 6, G8", "&[1w&[2;1;1@^&[5;1;1;0@&[2w", "-;1", "&[1w&[2;1;1@&[4;1;1;0@&[2w"),
    Row("move-occupied", "section 6, G8", "&[1w&[2;1;1@^&[2;1;1@&[2w", "-;1", "&[1w&[2;1;1@&[2;1;2@&[2w"),
    Row("neutral-on-stone", "section 6, G6", "&[1w&[2;1;1@^&[0;1;1@&[2w", "-;0", "&[1w&[2;1;1@&[0;1;2@&[2w"),
    Row("restore-unsaved", "section 6, G10", "&[1w&[2;1;1@^&[9@&[2w", "-;0", "&[1w&[2;1;1@&[8@&[9@&[2w"),
    # Controls
    Row("control-unknown", "section 8", "&[1w^&[14w&[2w", "-;0", "&[1w&[13w&[2w"),
    Row("control-unknown", "section 8", "&[1w^&[0w&[2w", "-;0", "&[1w&[3w&[2w"),
    Row("number-out-of-range", "section 8, G3", "&[1w^&[9;0w&[2w", "-;0", "&[1w&[9;999w&[2w"),
    Row("number-out-of-range", "section 8, G3", "&[1w^&[10;1000;1w&[2w", "-;0", "&[1w&[10;999;1w&[2w"),
    Row("name-form", "section 8", "&[1w^&[5w&[2w", "-;0", "&[1w&[4w홍&[5w&[2w"),
    Row("name-form", "section 8", "&[1w^&[4w홍&[2;1;1@&[2w", "-;0", "&[1w&[4w홍&[6w&[2;1;1@&[2w"),
    Row("name-form", "section 8", "&[1w^&[4w홍&[2w", "-;0", "&[1w&[4w홍&[12w&[2w"),
    Row("name-repeated", "section 8", "&[1w&[4wA&[5w^&[4wB&[5w&[2w", "-;0", "&[1w&[4wA&[5w&[4wA&[5w&[2w"),
    Row("move-count", "section 8", "&[1w^&[20;2w&[2;1;1@&[2w", "-;0", "&[1w&[20;1w&[2;1;1@&[2w"),
    Row("record-unframed", "section 8", "^&[2;1;1@&[2w", "-;0", "&[1w&[2;1;1@&[2w"),
    Row("record-unframed", "section 8", "&[1w&[2;1;1@^", "-;0", "&[1w&[2;1;1@&[2w"),
    Row("more-games", "section 8", "&[1w&[2;1;1@&[2w^&[1w&[2;1;1@&[2w", "-;0", "&[1w&[2;1;1@&[2w"),
    Row("more-games", "section 8", "&[1w&[2;1;1@^&[1w", "-;0", "&[1w&[2;1;1@&[2w"),
    Row("text-outside-record", "section 8, G14", " ^From&[1w&[2w", "-;0", " &[1wFrom&[2w "),
    Row("text-outside-record", "section 8, G14", "&[1w&[2w^&[7w", "-;0", "&[21w&[1w&[7w&[2w&[22w"),
    Row("placement-outside-record", "section 8, G14", "^&[2;1;1@&[1w&[2w", "-;0", "&[1w&[2;1;1@&[2w"),
    Row("placement-outside-record", "section 8, G14", "&[1w&[2w^{{", "-;0", "&[1w{{}}&[2w"),
    # Commentary
    *(
        Row("text-character", "section 4", f"&[1w가^{character}나&[2w", "-;0", "&[1w가.,([;]) w나&[2w")
        for character in "&@~`#$%^*-+_=|\\/}{"
        if character != "^"
    ),
    Row("text-undecodable", "section 4", "&[1w가^\udcff나&[2w", "-;0", "&[1w가나&[2w"),
    # Blocks
    Row("block-nested", "section 9", "&[1w&[2;1;1@{{&[3;1;2@^{{}}}}&[2w", "1;0", "&[1w&[2;1;1@{{&[3;1;2@}}{{}}&[2w"),
    Row("block-unclosed", "section 9", "&[1w&[2;1;1@^{{&[3;1;2@&[2w", "1;0", "&[1w&[2;1;1@{{&[3;1;2@}}&[2w"),
    Row("block-unclosed", "section 9", "&[1w&[2;1;1@^{{&[3;1;2@&[1w", "1;0", "&[1w&[2;1;1@{{&[3;1;2@}}&[2w"),
    Row("block-unopened", "section 9", "&[1w&[2;1;1@^}}&[2w", "-;0", "&[1w&[2;1;1@&[2w"),
]

# Further problems that may be found, because the texts are minimal.
BESIDES = {"record-unframed", "more-games"}


def bytes_of(text, encoding="utf-8"):
    return text.encode(encoding, "surrogateescape")


@in_groups("row", ROWS, ids=lambda row: f"{row.code} {row.text}")
@pytest.mark.parametrize("encoding", ["utf-8", "cp949"])
def test_a_breach_is_found_in_its_place(row, encoding):
    before, _, after = row.text.partition("^")
    data = bytes_of(before + after, encoding)
    game = w7.loads(data, strict=False, format="giseong", encoding=encoding)
    found = [problem for problem in game.problems if problem.code == row.code]
    assert found, game.problems
    assert {problem.code for problem in game.problems} <= {row.code, *BESIDES}
    (problem, *_) = found
    assert (problem.clause, problem.offset) == (row.clause, len(bytes_of(before, encoding)))
    assert (problem.line, problem.column) == (1, len(before) + 1)
    assert problem.path == row.path
    assert "\n" not in problem.message
    severity = next(code.severity for code in PROBLEM_CODES if code.name == row.code)
    assert problem.severity == severity
    if severity == "error":
        with pytest.raises(w7.RecordError) as raised:
            w7.loads(data, format="giseong", encoding=encoding)
        assert raised.value.code in {row.code, *BESIDES}


@in_groups("row", ROWS, ids=lambda row: f"{row.code} {row.right}")
def test_what_is_right_has_no_problem(row):
    assert w7.loads(row.right).problems == ()


@in_groups("row", ROWS, ids=lambda row: f"{row.code} {row.text}")
def test_places_count_lines(row):
    before, _, after = row.text.partition("^")
    if row.code in ("no-codes", "record-unframed") and not before:
        return  # the whole text is where it is
    data = bytes_of("\r\n\n" + before + "\n" + after)
    game = w7.loads(data, strict=False, format="giseong", encoding="utf-8")
    problem = next(problem for problem in game.problems if problem.code == row.code)
    if row.code == "record-unframed":
        assert problem.offset == len(data)
        return
    assert (problem.line, problem.column, problem.offset) == (4, 1, 4 + len(bytes_of(before)))


def test_every_code_of_giseong_is_in_the_table():
    of_giseong = {code.name for code in PROBLEM_CODES if code.clause.startswith("section ")}
    assert of_giseong <= {row.code for row in ROWS}
    for row in ROWS:
        code = next(code for code in PROBLEM_CODES if code.name == row.code)
        assert not code.clause.startswith("section ") or code.clause == row.clause


def test_a_stone_off_the_board_ends_its_branch():
    game = w7.loads("&[1w&[2;1;1@{{&[3;1;2@}}&[3;0;1@&[2;5;5@&[2w", strict=False)
    (row,) = w7.replay(b"&[1w&[2;1;1@{{&[3;1;2@}}&[3;0;1@&[2;5;5@&[2w")
    assert (row.moves, row.error) == (1, "point-off-board")
    assert [node.move_number for node in game.leaves()] == [1, 2]
    assert b"&[3;0;1@" in w7.dumps(game, format="giseong", losses=[])


def test_codes_that_are_skipped_are_written_back():
    codes = ["&[2;1@", "&[14w", "&[99;1@", "&[3;", "&[0;0;1@"]
    game = w7.loads("&[1w" + "x".join(codes) + "x&[2w", strict=False)
    data = w7.dumps(game, format="giseong", losses=[]).decode()
    assert all(code in data for code in codes)
    assert w7.loads(data, strict=False) == game


@in_groups(
    ("text", "limits", "code"),
    [
        ("&[1w&[2w", Limits(max_bytes=7), "limit-bytes"),
        ("&[1w&[2;1;1@&[2;1;2@&[2w", Limits(max_steps=1), "limit-steps"),
        ("&[1w&[9;999w&[2w", Limits(max_steps=998), "limit-steps"),
        ("&[1w{{{{}}}}&[2w", Limits(max_depth=1), "limit-depth"),
        ("&[1w&[2;1;1@&[2;1;2@&[4;1;2;1@&[2w", Limits(max_moves=1), "limit-replay"),
        ("&[1w}}}}}}&[2w", Limits(max_problems=2), "limit-problems"),
        ("&[1w&[2;1;1@&[2w", Limits(max_points=360), "board-size-unsupported"),
    ],
)
def test_limits(text, limits, code):
    record = giseong.decode(text.encode(), limits=limits)
    game = w7.loads(text, strict=False, format="giseong", limits=limits)
    found = [problem.code for problem in game.problems]
    assert code in found
    assert len(record.problems) <= limits.max_problems + 1
    with pytest.raises(w7.RecordError):
        w7.loads(text, format="giseong", limits=limits)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "code", ["{{", "}}", "&[8@&[2;1;1@&[9@", "&[2;1;1@&[10@", "&[4w", "&[4;1;1;1@", "&[9;999w", "&["]
)
def test_no_code_is_too_much(code):
    data = b"&[1w" + code.encode() * 4_000
    game = w7.loads(data, strict=False, format="giseong")
    assert w7.loads(data, strict=False, format="giseong") == game
    del game
