"""GIB, the records of Tygem: small ones in the documented shape."""

import random
from contextlib import suppress

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.formats.registry import detect_format
from wei7core.formats.servers.server_games import handicap_stones
from wei7core.game.conversion.report import count_by_code
from wei7core.limits import Limits
from wei7core.record.document import Move, Stone

HEAD = r"""\HS
\[GIBOKIND=Korea\]
\[GAMENAME=제1국\]
\[GAMEPLACE=Tygem\]
\[GAMEBLACKNAME=흑 (9D)\]
\[GAMEWHITENAME=white (1급)\]
\[GAMEINFOMAIN=GBKIND:2,GRLT:{result},ZIPSU:{margin},DUM:0,GONGJE:65,TCNT:3\]
\[GAMETAG=S1,R3,D5,G0,W255,Z0,T30-3-1200,C2016:03:26:17:29,I:x\]
\HE
"""
GAME = r"""\GS
2 1 0
4 0 &4
INI 0 1 {handicap} &4
STO 0 2 {first} 14 2
STO 0 3 2 2 13
SKI 0 4
STO 0 5 2 5 5
\GE
"""


def text(result=3, margin=0, handicap=0, first=1):
    head = HEAD.replace("{result}", str(result)).replace("{margin}", str(margin))
    return head + GAME.replace("{handicap}", str(handicap)).replace("{first}", str(first))


def codes(game):
    return [problem.code for problem in game.problems]


@pytest.mark.parametrize("encoding", ["utf-8", "cp949"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_game(encoding, end):
    data = text().replace("\n", end).encode(encoding)
    assert detect_format(data) == "gib"
    game = w7.loads(data)
    assert (game.format, game.size, game.problems) == ("gib", (19, 19), ())
    assert [step.action for step in game.tree.steps] == [
        Move(1, (14, 2)),
        Move(2, (2, 13)),
        Move(1, None),
        Move(2, (5, 5)),
    ]
    info = game.info
    assert (info.name, info.place, info.rules.komi) == ("제1국", "Tygem", 6.5)
    assert [(one.name, one.rank) for one in info.participants] == [("흑", "9D"), ("white", "1급")]
    assert (info.result.winner, info.result.margin) == (1, None)
    assert game.properties["DT"] == ("2016-03-26",)
    assert game.tree.pre is None


@in_groups(
    ("result", "margin", "expected"),
    [
        (0, 25, (1, 2.5)),
        (1, 130, (2, 13)),
        (3, 0, (1, None)),
        (4, 0, (2, None)),
        (7, 0, (1, None)),
        (8, 60, (2, None)),
        (0, 0, None),
        (255, 0, None),
    ],
)
def test_results(result, margin, expected):
    found = w7.loads(text(result, margin)).info.result
    assert (found and (found.winner, found.margin)) == expected


def test_komi_below_zero():
    game = w7.loads(text().replace("GONGJE:65", "GONGJE:-65"))
    assert game.info.rules.komi == -6.5


def test_the_tag_tells_what_the_head_does_not():
    data = "\\[GAMETAG=S0,W1,Z35,G75,C2020:01:02\\]\n\\GS\nSTO 0 2 1 0 0\n\\GE\n"
    game = w7.loads(data)
    assert (game.info.rules.komi, game.info.result.winner, game.info.result.margin) == (7.5, 2, 3.5)


@in_groups("count", range(10))
def test_handicap_stones(count):
    game = w7.loads(text(handicap=count, first=2))
    stones = game.tree.pre.stones if game.tree.pre else []
    assert len(stones) == (count if count >= 2 else 0)
    assert [stone.point for stone in stones] == handicap_stones(count)
    assert {stone.color for stone in stones} <= {1}
    assert ("HA" in game.properties) == (count >= 2)
    # With three stones the corner at the lower right stays empty: in real records White plays there first.
    assert (Stone(1, (15, 15)) in stones) == (count >= 4)
    assert (Stone(1, (9, 9)) in stones) == (count in (5, 7, 9))


@in_groups(
    ("change", "code", "line", "path"),
    [
        (("STO 0 3 2 2 13", "STO 0 3 2 x 3"), "move-invalid", 15, "move 2"),
        (("STO 0 3 2 2 13", "STO 0 3 3 3 3"), "move-invalid", 15, "move 2"),
        (("STO 0 3 2 2 13", "STO 0 3 2 3"), "move-invalid", 15, "move 2"),
        (("STO 0 3 2 2 13", "STO 0 3 2 19 3"), "point-off-board", 15, "move 2"),
        (("STO 0 3 2 2 13", "STO 0 3 2 14 2"), "move-occupied", 15, "move 2"),
        (("INI 0 1 0 &4", "INI 0 1 10 &4"), "value-invalid", 13, "start"),
        (("INI 0 1 0 &4", "INI"), "value-invalid", 13, "start"),
        (("SKI 0 4", "SKI 0 4\nREM x"), "text-outside-record", 17, "move 3"),
        (("\\GE", ""), "record-unframed", 19, "game"),
    ],
)
def test_problems_have_places(change, code, line, path):
    data = text().replace(*change)
    game = w7.loads(data, strict=False)
    (problem,) = game.problems
    assert (problem.code, problem.line, problem.column, problem.path) == (code, line, 1, path)
    assert data.encode()[problem.offset :][:3] in (b"STO", b"INI", b"REM", b"")
    if code.startswith(("move", "point")):
        (row,) = w7.replay(data.encode())
        # FF[4] continues after a move on an occupied point, and these games become SGF.
        assert (row.moves, row.error) == ((4, None) if code == "move-occupied" else (1, code))
        losses = []
        assert w7.convert(game, "sgf", losses=losses).tree.steps[0].action == Move(1, (14, 2))


def test_a_text_without_a_game():
    game = w7.loads("\\[GAMENAME=x\\]\n", strict=False)
    assert codes(game) == ["no-game-tree"]


def test_the_size_may_be_given():
    game = w7.loads(text().replace("GBKIND:2", "GBKIND:2,LINE:13"), strict=False)
    assert game.size == (13, 13)
    assert codes(game) == ["point-off-board"] * 2


def test_limits():
    for limits, code in (
        (Limits(max_bytes=10), "limit-bytes"),
        (Limits(max_steps=2), "limit-steps"),
    ):
        assert code in codes(w7.loads(text(), strict=False, limits=limits))
    many = text().replace("STO 0 3 2 2 13", "STO x\n" * 20)
    assert codes(w7.loads(many, strict=False, limits=Limits(max_problems=3)))[-1] == "limit-problems"


@pytest.mark.parametrize("format", ["sgf", "wei7", "wei7-2.2", "giseong"])
def test_it_becomes_every_other_format(format):
    game = w7.loads(text(0, 25, handicap=2, first=2))
    losses = []
    other = w7.convert(game, format, losses=losses)
    assert other.info.name == "제1국"
    assert other.info.black_name == "흑"
    *_, end = game.main_line()
    *_, other_end = other.main_line()
    assert other_end.board.hash == end.board.hash
    assert not {"step-unreadable", "move-occupied"} & set(count_by_code(losses))
    with pytest.raises(ValueError, match="unknown output format"):
        w7.dumps(game, format="gib")


def test_a_file_and_its_row(tmp_path):
    path = tmp_path / "a.gib"
    path.write_bytes(text().encode("cp949"))
    assert w7.load(path).info.name == "제1국"
    (row,) = w7.replay(tmp_path)
    assert (row.format, row.id, row.moves, row.passes, row.error) == ("gib", "제1국", 4, 1, None)


@pytest.mark.exhaustive
def test_damaged_texts_raise_only_errors_of_the_package():
    chance = random.Random(5)
    whole = text(handicap=3).encode("cp949")
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            begin = chance.randrange(len(data))
            end = begin + chance.randint(0, 6)
            data[begin:end] = bytes(
                chance.choice(b"0123456789 \\[]=STOKI\n\xff\xb0&") for _ in range(chance.randint(0, 5))
            )
        with suppress(w7.RecordError):
            w7.loads(bytes(data), format="gib")
        game = w7.loads(bytes(data), strict=False, format="gib")
        assert all(0 <= problem.offset <= len(data) for problem in game.problems)
        for format in ("sgf", "wei7", "giseong"):
            with suppress(w7.RecordError, w7.ConversionError):
                w7.dumps(game, format=format, losses=[])


def test_a_result_that_is_not_known_is_a_warning():
    data = "\\[GAMEINFOMAIN=GRLT:2,ZIPSU:0,GONGJE:65\\]\n\\GS\nSTO 0 2 1 0 0\n\\GE\n"
    game = w7.loads(data)
    assert [(problem.code, problem.line) for problem in game.problems] == [("value-invalid", 1)]
    assert "GRLT:2" in game.problems[0].message
    assert game.info.result is None


@in_groups(
    ("main", "tag", "main_time", "overtime"),
    [
        ("GTIME:1200-30-3,", "", 1200, "3x30 byo-yomi"),
        ("", "T30-3-1200,", 1200, "3x30 byo-yomi"),
        ("GTIME:600-0-0,", "T30-3-1200,", 600, None),
        ("GTIME:x,", "T1-2,", None, None),
        ("", "", None, None),
    ],
)
def test_times(main, tag, main_time, overtime):
    record = text().replace("DUM:0,", main).replace("T30-3-1200,", tag)
    (row,) = w7.replay(record.encode(), metadata=True)
    assert (row.time_limit, row.overtime) == (main_time, overtime)


@in_groups(
    ("tag", "head", "date"),
    [
        ("C2016:03:26:17:29,", "2017- 1- 4-14-25-33", "2016-03-26"),
        ("", "2017- 1- 4-14-25-33", "2017-01-04"),
        ("", "2017-11-14", "2017-11-14"),
        ("", "2017-13- 4-14-25-33", None),
        ("", "soon", None),
    ],
)
def test_dates(tag, head, date):
    record = text().replace("C2016:03:26:17:29,", tag).replace("\\HE", f"\\[GAMEDATE={head}\\]\n\\HE")
    (row,) = w7.replay(record.encode(), metadata=True)
    assert row.date == date
