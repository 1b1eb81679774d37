"""NGF (wBaduk) and UGF (PandaNet): small records in the shape that real ones have."""

import random
from contextlib import suppress

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.formats.registry import detect_format
from wei7core.limits import Limits
from wei7core.record.document import Move, Stone

NGF = """Rated game
19
백 홍      9D
Black one   5D*
www.example.com
{handicap}
0
7
20170316 [09:37]
5
{result}
4
PMABBREER
PMACWEEEE
PMADBAAAA
PMAEWBBBB
"""
UGF = """[Header]
Ver=UGF3,200
Lang=SJIS
Title=第一局,
Place=東京
Date=2019/03/08,22:09:00,2019/03/09,07:16:59
Rule=JPN
Size=19
Hdcp={handicap},5.50
Winner={winner}
CoordinateType={type}
PlayerB=甲,7d,,x
PlayerW=乙,8d,,y
[Data]
{stones}QP,B1,1,0
DP,W1,2,0
YA,B1,3,0
PC,W1,4,0
"""


def ngf(handicap=0, result="Black wins by 0.5!"):
    return NGF.replace("{handicap}", str(handicap)).replace("{result}", result)


def ugf(handicap=0, winner="B,7.50", type="IGS", stones=""):
    parts = {"handicap": handicap, "winner": winner, "type": type, "stones": stones}
    text = UGF
    for name, value in parts.items():
        text = text.replace("{" + name + "}", str(value))
    return text


def actions(game):
    return [step.action for step in game.tree.steps]


def result_of(game):
    result = game.info.result
    return result and (result.winner, result.margin)


# --- NGF ---------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_ngf_game(encoding, end):
    data = ngf().replace("\n", end).encode(encoding)
    assert detect_format(data) == "ngf"
    game = w7.loads(data)
    assert (game.format, game.size, game.problems) == ("ngf", (19, 19), ())
    assert actions(game) == [Move(1, (16, 3)), Move(2, (3, 3)), Move(1, None), Move(2, (0, 0))]
    assert [(one.name, one.rank) for one in game.info.participants] == [("Black one", "5D*"), ("백 홍", "9D")]
    assert game.info.rules.komi == 7.5
    assert game.properties["DT"] == ("2017-03-16",)
    assert result_of(game) == (1, 0.5)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("White wins by  resign!", (2, None)),
        ("Black wins by 12.5!", (1, 12.5)),
        ("Black wins by 2.5.", (1, 2.5)),
        ("White loses on time!", (1, None)),
        ("White wins by resign after 120 moves", (2, None)),
        ("White wins by 1 3/4", (2, None)),
        ("", None),
        ("Draw", (None, None)),
    ],
)
def test_ngf_results(result, expected):
    assert result_of(w7.loads(ngf(result=result))) == expected


def test_komi_of_ngf_with_a_fraction_is_as_written():
    for text, count, komi in (("6", 0, 6.5), ("6.5", 0, 6.5), ("3.75", 0, 3.75), ("0.5", 2, 0.5), ("0", 0, None)):
        game = w7.loads(
            NGF.replace("{handicap}\n0\n7\n", f"{count}\n0\n{text}\n").replace("{result}", ""), strict=False
        )
        assert (game.info.rules.komi if game.info.rules else None) == komi


def test_ngf_handicaps():
    for count in (2, 4, 5, 6, 7, 8, 9):
        game = w7.loads(ngf(count).replace("PMACWEEEE", "PMACWCCCC"))
        assert len(game.tree.pre.stones) == count
        assert game.info.rules.komi == 7
    game = w7.loads(ngf(3), strict=False)
    assert [problem.code for problem in game.problems] == ["value-invalid"]
    assert game.problems[0].line == 6
    assert game.tree.pre is None


@pytest.mark.parametrize(
    ("change", "code", "line"),
    [
        (("PMACWEEEE", "PMACWE"), "move-invalid", 14),
        (("PMACWEEEE", "PMACWEZZE"), "point-off-board", 14),
        (("PMACWEEEE", "PMACWEAAE"), "point-off-board", 14),
        (("PMACWEEEE", "PMACWREER"), "move-occupied", 14),
        (("\n19\n", "\nx\n"), "size-invalid", 2),
    ],
)
def test_ngf_problems(change, code, line):
    game = w7.loads(ngf().replace(*change), format="ngf", strict=False)
    assert [(problem.code, problem.line, problem.column) for problem in game.problems] == [(code, line, 1)]
    with pytest.raises(w7.RecordError):
        w7.loads(ngf().replace(*change), format="ngf")


def test_older_ngf_has_another_head():
    head = ["결승", "홍 初段", "임 五段", "", "", "2006-9-5", "19", "0", "0", "6", "2"]
    text = "".join(f"GI{line}\n" for line in head) + "PMABBREER\nPMACWEEEE\nGI1\n"
    for data in (text.encode(), text.encode("gb18030")):
        assert detect_format(data) == "ngf"
        game = w7.loads(data)
        assert actions(game) == [Move(1, (16, 3)), Move(2, (3, 3))]
        assert (game.info.name, game.info.rules.komi, game.properties["DT"]) == ("결승", 6.5, ("2006-09-05",))
        assert [(one.name, one.rank) for one in game.info.participants] == [("임", "五段"), ("홍", "初段")]
        assert [(problem.code, problem.line) for problem in game.problems] == [
            ("value-invalid", 2),
            ("text-outside-record", 14),
        ]


@pytest.mark.parametrize(
    ("written", "winner", "codes"), [("Draw", None, []), ("무승부", None, []), ("x", 0, ["value-invalid"])]
)
def test_results_of_ngf_in_other_words(written, winner, codes):
    text = ngf()
    lines = text.split("\n")
    lines[10] = written
    game = w7.loads("\n".join(lines), format="ngf")
    assert (game.info.result.winner if game.info.result else 0) == winner
    assert [problem.code for problem in game.problems] == codes
    assert all("'x'" in problem.message for problem in game.problems)


@pytest.mark.parametrize(("written", "winner"), [("B,R", 1), ("W,?", 2), ("X", None)])
def test_results_of_ugf_that_are_not_known_are_a_warning(written, winner):
    import re

    text = re.sub("(?m)^Winner=.*$", f"Winner={written}", ugf())
    game = w7.loads(text, format="ugf")
    assert (game.info.result.winner if game.info.result else None) == winner
    assert [problem.code for problem in game.problems] == ["value-invalid"]
    assert written in game.problems[0].message


# --- UGF ---------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_ugf_game(encoding, end):
    data = ugf().replace("\n", end).encode(encoding)
    game = w7.loads(data, format="ugf")
    assert end == "\r" or detect_format(data) == "ugf"
    assert (game.format, game.size, game.problems) == ("ugf", (19, 19), ())
    assert actions(game) == [Move(1, (16, 3)), Move(2, (3, 3)), Move(1, None), Move(2, (15, 16))]
    assert (game.info.name, game.info.place, game.info.rules.komi, game.info.rules.type) == (
        "第一局",
        "東京",
        5.5,
        "Japanese",
    )
    assert [(one.name, one.rank) for one in game.info.participants] == [("甲", "7d"), ("乙", "8d")]
    assert game.properties["DT"] == ("2019-03-08",)
    assert result_of(game) == (1, 7.5)


def test_rows_count_from_the_top_unless_they_are_those_of_igs():
    game = w7.loads(ugf(type=""))
    assert actions(game)[0] == Move(1, (16, 15))


@pytest.mark.parametrize(
    ("winner", "expected"), [("W,C", (2, None)), ("B,T", (1, None)), ("W,0.5", (2, 0.5)), ("", None), ("D,0", None)]
)
def test_ugf_results(winner, expected):
    assert result_of(w7.loads(ugf(winner=winner))) == expected


def test_ugf_handicap_stones_are_moves_of_number_0():
    game = w7.loads(ugf(2, stones="DD,B1,0,0\nPP,B1,0,0\n"))
    assert game.tree.pre.stones == [Stone(1, (3, 15)), Stone(1, (15, 3))]
    assert game.properties["HA"] == ("2",)
    assert len(actions(game)) == 4


def test_ugf_sections_that_are_not_read_are_reported():
    game = w7.loads(ugf() + "[Figure]\n.Text,1\n")
    assert [(problem.code, problem.line) for problem in game.problems] == [("text-outside-record", 19)]


@pytest.mark.parametrize("suffix", ["ugf", "UGI", "ugi", "txt"])
def test_ugi_is_another_suffix_of_ugf(tmp_path, suffix):
    (tmp_path / f"game.{suffix}").write_bytes(ugf().encode())
    (row,) = w7.replay(tmp_path)
    assert (row.format, row.error, row.moves) == ("ugf", None, len(w7.loads(ugf()).tree.steps))


def test_texts_in_brackets_are_no_sections_of_ugf():
    text = ugf() + "[Figure]\n.Text,1\n[解説]\n[ReviewNode]\n[ReviewComment]\n"
    for encoding in ("utf-8", "cp932"):
        game = w7.loads(text.encode(encoding))
        assert [problem.message for problem in game.problems] == [
            f"the section [{name}] is not read" for name in ("Figure", "ReviewNode", "ReviewComment")
        ]


def test_messages_show_the_line_in_its_encoding():
    (problem,) = w7.loads((ugf() + "白,番\n").encode("cp932"), strict=False).problems
    assert problem.message == "白,番 is not a move"
    (problem,) = w7.loads((ngf() + "IDB[" + "黑白棋" * 20 + "]\n").encode("gb18030")).problems
    assert problem.message == f"IDB[{'黑白棋' * 12} follows the moves; it is not read"


@in_groups(
    ("change", "code", "line"),
    [
        (("DP,W1,2,0", "DP,X1,2,0"), "move-invalid", 16),
        (("DP,W1,2,0", "D,W1,2,0"), "move-invalid", 16),
        (("DP,W1,2,0", "ZZ,W1,2,0"), "point-off-board", 16),
        (("DP,W1,2,0", "QP,W1,2,0"), "move-occupied", 16),
        (("Size=19", "Size=x"), "size-invalid", 8),
        (("[Data]", ""), "no-game-tree", 1),
    ],
)
def test_ugf_problems(change, code, line):
    game = w7.loads(ugf().replace(*change), strict=False)
    assert [(problem.code, problem.line) for problem in game.problems] == [(code, line)]
    with pytest.raises(w7.RecordError):
        w7.loads(ugf().replace(*change))


# --- both ---------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["sgf", "wei7", "wei7-2.2", "giseong"])
@pytest.mark.parametrize("text", [ngf(), ugf()], ids=["ngf", "ugf"])
def test_they_become_every_other_format(text, format, tmp_path):
    game = w7.loads(text)
    other = w7.convert(game, format, losses=[])
    *_, end = game.main_line()
    *_, other_end = other.main_line()
    assert other_end.board.hash == end.board.hash
    assert other.info.black_name.startswith(game.info.black_name)  # in Giseong an odd rank joins the name
    path = tmp_path / f"a.{game.format}"
    path.write_text(text, encoding="utf-8")
    (row,) = w7.replay(tmp_path)
    assert (row.format, row.moves, row.passes, row.error) == (game.format, 4, 1, None)
    assert "limit-steps" in [one.code for one in w7.loads(text, strict=False, limits=Limits(max_steps=1)).problems]


@pytest.mark.exhaustive
@pytest.mark.parametrize("format", ["ngf", "ugf"])
def test_damaged_texts_raise_only_errors_of_the_package(format):
    chance = random.Random(9)
    whole = (ngf(2) if format == "ngf" else ugf(1, stones="DD,B1,0,0\n")).encode()
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            begin = chance.randrange(len(data))
            data[begin : begin + chance.randint(0, 6)] = bytes(
                chance.choice(b"0123456789 ,=[]PMABW\n\r\xff\xb0") for _ in range(chance.randint(0, 5))
            )
        with suppress(w7.RecordError):
            w7.loads(bytes(data), format=format)
        game = w7.loads(bytes(data), strict=False, format=format)
        assert all(0 <= problem.offset <= len(data) for problem in game.problems)
        for other in ("sgf", "wei7", "giseong"):
            with suppress(w7.RecordError, w7.ConversionError):
                w7.dumps(game, format=other, losses=[])
