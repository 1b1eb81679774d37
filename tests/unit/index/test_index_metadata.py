"""Filters by metadata choose the games that a look at every row of a replay chooses."""

from __future__ import annotations

import datetime
import random
import re
import shutil
import sys
from pathlib import Path

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.batch.index import filters, segment
from wei7core.batch.index.filters import strength
from wei7core.batch.results import METADATA_COLUMNS
from wei7core.cli.main import main

NAMES = ("Shin Jinseo", "SHIN  JINSEO", "Ｓｈｉｎ Jinseo", "Ke Jie", "柯洁", "[9d] x*y", "")
RANKS = ("9p", "1p", "5d", "3k", "九段", "strong", "")
DATES = ("2016-03-15", "2016-03", "2016", "1999-12-31,2000-01-01", "yesterday", "")
RESULTS = ("B+R", "W+3.5", "W+T", "0", "Void", "?", "")
EVENTS = ("LG Cup", "lg cup final", "Ing", "")


def record(chance: random.Random) -> bytes:
    header_values = {
        "PB": chance.choice(NAMES),
        "PW": chance.choice(NAMES),
        "BR": chance.choice(RANKS),
        "WR": chance.choice(RANKS),
        "DT": chance.choice(DATES),
        "RE": chance.choice(RESULTS),
        "EV": chance.choice(EVENTS),
        "KM": chance.choice(("6.5", "7.5", "0", "")),
    }
    header = "".join(f"{name}[{value.replace(']', chr(92) + ']')}]" for name, value in header_values.items() if value)
    return f"(;GM[1]FF[4]CA[UTF-8]SZ[5]{header};B[{chance.choice('abc')}a];W[cc])".encode()


@pytest.fixture(scope="module")
def texts() -> list[bytes]:
    chance = random.Random(5)
    texts = [record(chance) for _ in range(150)]
    texts[20] = b"no record"
    texts[21] = b'{"format":"wei7","version":"3.0","size":5,"info":{"players":[{"participant":0,"color":2}],' + (
        b'"participants":[{"name":"Ke Jie","rank":"9p"}],"time":"2016-03-15"},"tree":{"steps":[]}}'
    )
    texts[22] = "(;GM[1]SZ[5]CA[GB18030]PB[柯洁];B[aa])".encode("gb18030")
    texts[23] = b'{"format":"wei7","version":"3.0","size":5,"info":{"participants":[{"name":"x"}]},"tree":{"steps":[]}}'
    texts[24] = b'{"format":"wei7","version":"3.0","size":5,"info":{"players":[]},"tree":{"steps":[]}}'
    return texts


@pytest.fixture(scope="module")
def index(texts, tmp_path_factory) -> w7.Index:
    """An index of three segments."""
    pytest.importorskip("pyarrow")
    index = w7.Index.create(tmp_path_factory.mktemp("index"), texts[:50], jobs=2)
    index.add(texts[50:51])
    index.add(texts[51:])
    return w7.Index.open(index.folder)


@pytest.fixture(scope="module")
def rows(texts) -> list:
    return list(w7.replay(texts, metadata=True))


def plain(text):
    width = {chr(0xFEE0 + code): chr(code) for code in range(0x21, 0x7F)}
    return " ".join("".join(width.get(letter, letter) for letter in text).lower().split())


def is_name(wanted):
    return lambda row: any(name is not None and plain(name) == wanted for name in (row.black, row.white))


CASES = [
    ({"player": "shin jinseo"}, is_name("shin jinseo")),
    ({"player": "柯洁"}, is_name("柯洁")),
    ({"player": ["Ke Jie", "柯洁"]}, lambda row: is_name("ke jie")(row) or is_name("柯洁")(row)),
    ({"player": "Shin*"}, lambda row: any(name and plain(name).startswith("shin") for name in (row.black, row.white))),
    ({"black": "[9D] X*"}, lambda row: row.black == "[9d] x*y"),
    ({"black": "Ke Jie", "winner": 1}, lambda row: row.black == "Ke Jie" and row.winner == 1),
    ({"white": None}, lambda row: row.white is None),
    ({"white": [None, "Ke Jie"]}, lambda row: row.white in (None, "Ke Jie")),
    ({"date": "2016"}, lambda row: row.date is not None and row.date[:4] == "2016"),
    ({"date": "2016-03"}, lambda row: row.date is not None and row.date[:7] == "2016-03"),
    ({"date": datetime.date(2016, 3, 15)}, lambda row: row.date == "2016-03-15"),
    ({"date": ("1999", "2015")}, lambda row: row.date == "1999-12-31"),
    ({"date": ("2016-02", None)}, lambda row: row.date in ("2016-03-15", "2016-03", "2016")),
    ({"date": ("2016-04", "2017")}, lambda row: row.date == "2016"),
    ({"date": None}, lambda row: row.date is None),
    ({"date": "2016*"}, lambda row: row.date is not None and row.date.startswith("2016")),
    ({"date": "*-0*"}, lambda row: row.date is not None and "-0" in row.date),
    ({"event": "*cup*"}, lambda row: row.event is not None and "cup" in row.event.lower()),
    ({"result": "b+*"}, lambda row: row.result_raw is not None and row.result_raw.startswith("B+")),
    ({"ending": ["resign", "time"]}, lambda row: row.ending in ("resign", "time")),
    ({"margin": (3, None)}, lambda row: row.margin is not None and row.margin >= 3),
    ({"margin": (None, 4)}, lambda row: row.margin is not None and row.margin <= 4),
    ({"komi": 6.5}, lambda row: row.komi == 6.5),
    ({"komi": [None, 7.5]}, lambda row: row.komi in (None, 7.5)),
    ({"komi": lambda komi: komi > 7}, lambda row: row.komi is not None and row.komi > 7),
    ({"winner": 2, "moves": (1, 2)}, lambda row: row.winner == 2),
    ({"winner": None}, lambda row: row.winner is None),
    ({"rank": ("5d", None)}, lambda row: not {row.black_rank, row.white_rank}.isdisjoint(("9p", "1p", "5d", "九段"))),
    ({"black_rank": (None, "5d")}, lambda row: row.black_rank in ("5d", "3k")),
    ({"black_rank": "5D"}, lambda row: row.black_rank == "5d"),
    ({"event": lambda events: events == "Ing"}, lambda row: row.event == "Ing"),
    ({"first_moves": "A5*"}, lambda row: row.first_moves is not None and row.first_moves.startswith("A5")),
    ({"opening_key": None}, lambda row: row.opening_key is None),
]  # fmt: skip


@pytest.mark.parametrize(("where", "wanted"), CASES, ids=lambda case: "".join(case) if isinstance(case, dict) else "")
def test_filters_by_metadata(index, rows, where, wanted):
    chosen = [number for number, row in enumerate(rows) if wanted(row)]
    assert chosen, "no game is of this kind"
    assert index.matching(where).nonzero()[0].tolist() == chosen
    everything = index.find("...", "anywhere").games.tolist()
    assert index.find("...", "anywhere", where=where).games.tolist() == sorted({*chosen} & {*everything})


def test_wildcards_are_those_of_regular_expressions():
    """In linear time, which regular expressions with so many of them would not end in."""
    random_ = random.Random(5)
    for _ in range(3000):
        pattern, text = ("".join(random_.choices("ab*", k=random_.randrange(7))) for _ in range(2))
        text = text.replace("*", "")
        wanted = re.fullmatch(pattern.replace("*", ".*"), text) is not None
        assert filters._has_parts(text, pattern.split("*")) == wanted, (pattern, text)
    assert not filters._has_parts("a" * 10_000 + "b", ("*a" * 100 + "*c").split("*"))


def test_metadata_is_that_of_a_replay(index, rows, texts):
    table = index.metadata()
    assert table["game"].to_pylist() == list(range(len(rows)))
    assert table["source"].to_pylist() == [row.source for row in index.games()]
    for column in METADATA_COLUMNS:
        assert table[column.name].to_pylist() == [getattr(row, column.name) for row in rows], column.name
    assert [row.winner for row in index.games()] == [row.winner for row in rows]
    assert index.metadata(["black"]).column_names == ["black"]
    assert w7.Index.create(Path(index.folder) / ".." / "none", []).metadata(["black"]).num_rows == 0


def test_filters_of_arrow(index, rows):
    import pyarrow.compute as pc

    wanted = [number for number, row in enumerate(rows) if row.black == "Ke Jie" and row.winner == 1]
    expression = (pc.field("black") == "Ke Jie") & (pc.field("winner") == 1)
    assert index.matching(expression).nonzero()[0].tolist() == wanted
    mask = pc.equal(index.metadata()["black"], "Ke Jie").fill_null(False)
    assert index.matching(mask).sum() == sum(row.black == "Ke Jie" for row in rows)
    both = index.matching({"player": "Ke Jie"}) & ~index.matching({"winner": 1})
    assert both.any()


def test_other_programs_join_the_files(index, rows):
    polars = pytest.importorskip("polars")
    table = polars.read_parquet(f"{index.folder}/*.parquet")
    games = polars.DataFrame({"game": index.find("X", "corner").games})
    joined = games.join(table, on="game").sort("game")
    assert joined["black"].to_list() == [rows[game].black for game in games["game"].to_list()]


@pytest.mark.parametrize(
    ("where", "problem"),
    [
        ({"title": "x"}, "no column 'title'; there are game, .*player"),
        ({"black": lambda names: 1}, "a boolean for each game"),
        ({"rank": ("strong", None)}, "two of them, such as"),
        ({"date": ("2010", "x")}, "date: 'x' is no day, month or year"),
        ({"date": "2016/03/15"}, "date: '2016/03/15' is no day, month or year"),
        ({"date": "2016-13"}, "date: '2016-13' is no day, month or year"),
        ({"date": ("2016-03-32", None)}, "date: '2016-03-32' is no day, month or year"),
    ],
)
def test_filters_that_make_no_sense_are_refused(index, where, problem):
    with pytest.raises(ValueError, match=problem):
        index.find("X", "corner", where=where)
    with pytest.raises(TypeError, match="a filter of texts is a text"):
        index.find("X", "corner", where={"player": 7})
    for wrong in ({"komi": "x"}, {"winner": "x"}, {"moves": object()}, {"komi": (1, "x")}, {"source": 7}):
        with pytest.raises(TypeError, match=f"{next(iter(wrong))}: a filter is a "):
            index.find("X", "corner", where=wrong)


def test_without_pyarrow_all_else_works(texts, index, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        for name in ("pyarrow", "pyarrow.parquet"):
            patch.setitem(sys.modules, name, None)
        other = w7.Index.open(index.folder)
        other.verify()
        assert len(other.find("X", "corner")) > 0
        with pytest.raises(ImportError, match=r"wei7core\[arrow\]"):
            other.find("X", "corner", where={"player": "x"})
        bare = w7.Index.create(tmp_path / "bare", texts[:30])
        assert len(bare.find("X", "corner", where={"winner": 1})) > 0
        with pytest.raises(ValueError, match=r"games 0 to 29 have no metadata.*wei7core\[arrow\]"):
            bare.metadata()
    assert not list((tmp_path / "bare").glob("*.parquet"))
    bare = w7.Index.open(tmp_path / "bare")
    bare.add(texts[30:])
    with pytest.raises(ValueError, match="games 0 to 29 have no metadata"):
        bare.matching({"player": "Ke Jie"})


def test_metadata_is_merged_with_the_segments(texts, rows, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    index = w7.Index.create(tmp_path, texts[:10])
    for begin in range(10, 80, 10):
        index.add(texts[begin : begin + 10])
    with monkeypatch.context() as patch:
        patch.setattr(segment, "has_pyarrow", lambda: False)
        index.add(texts[80:81])
        assert index.stats()["segments"] == 9
    index.add(texts[81:])
    assert index.stats()["segments"] == 2
    assert sorted(path.name for path in tmp_path.glob("*.parquet")) == [
        "segment-000009.parquet",
        "segment-000010.parquet",
    ]
    table = w7.Index.open(tmp_path).metadata()
    for column in METADATA_COLUMNS:
        assert table[column.name].to_pylist() == [getattr(row, column.name) for row in rows], column.name


def test_wrong_metadata_is_found_by_name(texts, tmp_path):
    pytest.importorskip("pyarrow")
    index = w7.Index.create(tmp_path, texts[:9])
    path = tmp_path / "segment-000000.parquet"
    good = path.read_bytes()
    for wrong, problem in ((good[:-1], "truncated"), (b"", "truncated"), (good[:-9] + b"x" + good[-8:], "checksum")):
        path.write_bytes(wrong)
        for look in (index.verify, lambda: w7.Index.open(tmp_path)):
            with pytest.raises(w7.IndexFileError, match=rf"segment-000000\.parquet: .*{problem}"):
                look()
    with pytest.raises(w7.IndexFileError, match=r"segment-000000\.parquet: the metadata cannot be read"):
        index.matching({"player": "x"})
    path.unlink()
    with pytest.raises(w7.IndexFileError, match=r"segment-000000\.parquet: the metadata of the segment is missing"):
        w7.Index.open(tmp_path)


@in_groups(
    ("rank", "number"),
    [("9p", 9.4), ("1 dan pro", 7), ("1P", 7), ("6d", 6), ("6 DAN", 6), ("九段", 9), ("1k", 0), ("10 kyu", -9),
     ("30級", -29), ("4d?", 4), ("12", None), ("", None), (None, None), ("9 pd", None), ("9단", 9), ("초단", 1),
     ("5급", -4), ("プロ九段", 9.4), ("职业 初段", 7), ("アマ5段", 5), ("아마 6단", 6), ("7段p", 8.8), ("0d", None)],
)  # fmt: skip
def test_the_strength_of_a_rank(rank, number):
    assert strength(rank) == (None if number is None else pytest.approx(number))


def test_find_where_from_the_command_line(index, rows, capsys):
    def found(*where: str) -> tuple[int, str]:
        options = [word for one in where for word in ("--where", one)]
        status = main(["find", index.folder, "--position", "X", "--region", "anywhere", *options])
        out = capsys.readouterr()
        count = re.search(r"in ([\d,]+) games?", out.err)
        return int(count.group(1)) if count else status, out.err

    games = set(index.find("X", "anywhere").games.tolist())
    both = {number for number, row in enumerate(rows) if is_name("ke jie")(row) and row.winner == 1}
    assert found("player=ke jie", "winner=1")[0] == len(games & both)
    days = {number for number, row in enumerate(rows) if row.date in ("2016-03-15", "2016-03", "2016")}
    assert found("date=2016..2020")[0] == len(games & days)
    komi = {number for number, row in enumerate(rows) if row.komi in (None, 0)}
    assert found("komi=|0")[0] == len(games & komi)
    strong = {
        number
        for number, row in enumerate(rows)
        if strength(row.black_rank) is not None and strength(row.black_rank) >= 7
    }
    assert found("black_rank=1p..")[0] == len(games & strong)
    for wrong, problem in (
        (["title=x"], "use NAME=VALUE"),
        (["player"], "use NAME=VALUE"),
        (["komi=much"], "much is not a number"),
        (["komi=1", "komi=2"], "named twice"),
        (["rank=a..b"], "range of ranks"),
    ):
        status, output = found(*wrong)
        assert status == 2
        assert problem in output


def test_the_folder_can_be_moved(index, tmp_path):
    shutil.copytree(index.folder, tmp_path / "moved")
    moved = w7.Index.open(tmp_path / "moved")
    assert (moved.matching({"player": "Ke Jie"}) == index.matching({"player": "Ke Jie"})).all()


def test_continuations_with_dates_and_strengths(tmp_path):
    """Each figure against the games that played the move, found one by one."""
    pytest.importorskip("pyarrow")
    chance = random.Random(11)
    days = ["2001-02-03", "1999", "2010-05", None, "2020-12-31"]
    ranks = ["9p", "1d", "3k", None, "somebody"]
    games_made, texts = [], []
    for _ in range(60):
        day, *both = chance.choice(days), chance.choice(ranks), chance.choice(ranks)
        winner = chance.choice("BW0")
        points = [chance.choice(("aa", "ea", "ee", "cc")), chance.choice(("bb", "dd"))]
        header = f"(;GM[1]SZ[5]RE[{winner if winner == '0' else winner + '+R'}]" + (f"DT[{day}]" if day else "")
        header += "".join(f"{name}[{rank}]" for name, rank in zip(("BR", "WR"), both, strict=True) if rank)
        texts.append(f"{header};B[{points[0]}];W[{points[1]}])".encode())
        games_made.append((day, both, winner, points))
    index = w7.Index.create(tmp_path / "index", texts[:30])
    index.add(texts[30:])
    board = w7.Board(5)
    plain = {(row.point, row.color): row for row in index.find(board).continuations()}
    rows = list(index.find(board).continuations(details=True))
    assert [tuple(row)[:6] for row in rows] == [tuple(row) for row in index.find(board).continuations()]
    assert len(plain) == len(rows) == 4
    day_of = {"2001-02-03": (2001, 2, 3), "1999": (1999, 7, 2), "2010-05": (2010, 5, 15), "2020-12-31": (2020, 12, 31)}
    number_of = {"9p": 9.4, "1d": 1.0, "3k": -2.0}
    for row in rows:
        games = [
            one
            for one in games_made
            if w7.coordinates.to_gtp(("abcde".index(one[3][0][0]), "abcde".index(one[3][0][1])), 5, 5) == row.point
        ]
        assert len(games) == row.games
        won = [sum(one[2] == color for one in games) for color in "BW"]
        assert row.black_rate == (pytest.approx(won[0] / sum(won)) if sum(won) else None)
        assert row.white_rate == (pytest.approx(won[1] / sum(won)) if sum(won) else None)
        dates = [datetime.date(*day_of[one[0]]).toordinal() for one in games if one[0]]
        assert row.average_date == datetime.date.fromordinal(round(sum(dates) / len(dates))).isoformat()
        strengths = [[number_of[rank] for rank in one[1] if rank in number_of] for one in games]
        means = [sum(some) / len(some) for some in strengths if some]
        assert row.average_strength == pytest.approx(sum(means) / len(means))
    nothing = index.find(board, where={"date": "1950"}).continuations(details=True)
    assert list(nothing) == []
