"""`replay(metadata=True)`: the values of headers as columns, of every format, against the document of each record."""

import csv
import gzip
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from helpers.cases import in_groups
from helpers.effort import every, is_quick
from oracles.metadata import metadata_of
from samples import corpus
from samples.generated_headers import SGF_HEADERS, WEI7_INFOS, sgf_game, wei7_game

import wei7core
from wei7core.batch._engine import TextList
from wei7core.batch.options import Options
from wei7core.batch.results import METADATA_COLUMNS, REPLAY_COLUMNS, MetadataRow, ReplayRow
from wei7core.batch.single_records import replay_raw_record
from wei7core.cli import main as cli
from wei7core.record.dates import iso_date
from wei7core.sources.sources import Sources

DATA = Path(__file__).resolve().parent.parent / "data"
NAMES = [column.name for column in METADATA_COLUMNS]
FOLDER = corpus.folder()


def metadata_in(row):
    return {name: getattr(row, name) for name in NAMES}


def compare(data, **options):
    """Compare all rows of `data` with the documents of `loads_all`; return how many there are."""
    return compare_rows(list(wei7core.replay(data, metadata=True, **options)), data, **options)


def compare_each(texts):
    """The same of texts of one record each, which are replayed at once."""
    for row, text in zip(wei7core.replay(texts, metadata=True), texts, strict=True):
        compare_rows([row], text)


def compare_rows(rows, data, **options):
    games = wei7core.loads_all(data, strict=False, **options)
    for row in rows:
        try:
            game = next(games)
        except wei7core.RecordError:  # nothing of it was read, nor what follows
            assert metadata_in(row) == dict.fromkeys(NAMES)
            return len(rows)
        assert metadata_in(row) == metadata_of(game), row
    return len(rows)


def examples():
    folders = [path for path in sorted(DATA.iterdir()) if path.is_dir()]
    return [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]


@pytest.mark.parametrize("charset", every(2, ["GBK", "Big5", "Shift_JIS", "Johab", "GB2312", "EUC-KR"]))
def test_values_that_end_with_half_a_character(charset):
    values = (b"Ren\xe9", b"\xe9", b"a\\\xe9", b"Ren\xe9][b", b"\xe9\xe9 \xe9", b"x\\]\xe9")
    names = (b"PB", b"PW", b"EV", b"PC", b"GN", b"RE", b"BR")
    cases = [(name, b"(;GM[1]CA[%s]%s[%s]WT[x];B[pd])" % (charset.encode(), name, v)) for v in values for name in names]
    texts = [text for _, text in cases]
    compare_each(texts)
    for (name, text), row in zip(cases, wei7core.replay(texts), strict=True):
        assert compare(text + text) == 2
        (game,) = wei7core.loads_all(text, strict=False)
        assert row.id == (None if name != b"GN" else game.get("GN"))


def test_every_record_of_the_test_data():
    compared = 0
    for path in examples():
        data = path.read_bytes()
        if data[:2] not in (b"PK", b"\x1f\x8b") and len(data) < 1 << 20:
            compared += compare(data)
    assert compared > 150


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "big5", "cp932", "cp949"])
def test_headers_of_sgf(encoding):
    texts = []
    for header in SGF_HEADERS:
        try:
            texts.append(sgf_game(header, encoding).encode(encoding))
        except UnicodeEncodeError:
            continue
    assert compare(b"\n".join(texts)) == len(texts) > len(SGF_HEADERS) // 2


def test_headers_of_wei7():
    lines = [json.dumps(wei7_game(info), ensure_ascii=bool(number % 2)) for number, info in enumerate(WEI7_INFOS)]
    compared = sum(compare(line.encode()) for line in lines)
    assert compared == len(lines)
    rows = list(wei7core.replay("\n".join(lines).encode(), metadata=True))
    alone = [next(iter(wei7core.replay(line.encode(), metadata=True))) for line in lines]
    assert [metadata_in(row) for row in rows] == [metadata_in(row) for row in alone]


def test_white_space_is_that_of_the_encoding():
    text = "(;GM[1]CA[%s]PB[{}]PW[{}];B[ee])"
    for charset, name, other, expected in (
        ("utf-8", "\u3000", "x", None),
        ("gb18030", "\u3000", "古力", None),
        ("cp1251", "гЂЂ", "Шикшин Илья", "гЂЂ"),  # the bytes of U+3000 in UTF-8
    ):
        data = (text % charset).format(name, other).encode(charset)
        (row,) = wei7core.replay(data, metadata=True)
        assert row.black == expected
        assert compare(data) == 1


def test_generated_games():
    games = list(corpus.generated_games(60))
    texts = []
    for number, game in enumerate(games):
        moves = [";" + "?BW"[color] + f"[{point_of(point)}]" for color, point in game.moves]
        texts.append(sgf_game(SGF_HEADERS[number % len(SGF_HEADERS)], "utf-8", "".join(moves)).encode())
    assert compare(b"".join(texts)) == 60


def point_of(point):
    return "" if point is None else "".join("abcdefghijklmnopqrs"[place] for place in point)


@pytest.mark.skipif(FOLDER is None, reason="the corpus is not here")
@pytest.mark.exhaustive
def test_the_corpus():
    compared = 0
    for name, limit in (("tygem-dev.sgf.gz", 400_000), ("tygem-tom-irregular.sgf.gz", None)):
        with gzip.open(FOLDER / name) as file:
            compared += compare(file.read(limit) if limit else file.read())
    for path in sorted((FOLDER / "ai-sgf").iterdir()):
        compared += compare(path.read_bytes())
    assert compared > 400


def test_games_of_servers():
    gib = (
        "\\HS\n\\[GAMENAME=t\\]\n\\[GAMEBLACKNAME=wei (5D)\\]\n\\[GAMEWHITENAME=qi (9D)\\]\n"
        "\\[GAMETAG=S1,R1,D5,G65,W0,Z0,T30-3-1200,C2016:03:09:12:00\\]\n"
        "\\HE\n\\GS\n2 1 0\n119 0 &4\nINI 0 1 0 &4\nSTO 0 2 1 3 15\nSTO 0 3 2 15 3\n\\GE\n"
    )
    (row,) = wei7core.replay(gib.encode(), metadata=True)
    assert row.format == "gib"
    assert (row.black, row.black_rank, row.white, row.white_rank) == ("wei", "5D", "qi", "9D")
    assert (row.date, row.komi, row.first_moves) == ("2016-03-09", 6.5, "D4 Q16")
    assert metadata_in(row) == metadata_of(wei7core.loads(gib.encode()))


@pytest.mark.parametrize(("text", "stones"), [("+3", 3), (" 3 ", 3), ("-3", 0), ("++3", 0), ("+", 0), ("３", 0)])
def test_a_handicap_may_have_a_plus_sign(text, stones):
    data = f"(;SZ[+9]HA[{text}];W[aa])".encode()
    (row,) = wei7core.replay(data, metadata=True)
    assert (row.handicap, row.width, wei7core.loads(data, strict=False).handicap) == (stones, 9, stones)


def test_names_with_bytes_that_are_no_characters_when_the_list_of_problems_is_full():
    names = MetadataRow._fields.index("black")
    for text, most in (
        (b"(;SZ[9]PB[a];B[aa])(;CA[UTF-8]PB[\xe6\x9d\xb8]PW[\xe6\x9d\xb8\x96]" + b";x" * 20 + b")", 10),
        (b"(;]PB[\x90]B[", 1),
    ):
        short, whole = (
            [row[names:] for row in wei7core.replay(text, metadata=True, limits=wei7core.Limits(max_problems=count))]
            for count in (most, 10_000)
        )
        assert short == whole


@in_groups(
    ("rules", "komi"),
    [
        ("", None),
        ("<rules />", 0.0),
        ('<rules type="Japanese" />', 0.0),
        ('<rules komi="6.5" />', 6.5),
    ],
)
def test_rules_of_wei7_2_without_a_komi_have_none(rules, komi):
    text = f'<wei7 version="2.2"><size>9</size><game>{rules}</game><moves><black x="0" y="0" /></moves></wei7>'.encode()
    # The second game ends with an error, so that it is replayed by itself.
    for data in (text, text.replace(b"</moves>", b'<black x="0" y="0" /></moves>')):
        assert [row.komi for row in wei7core.replay(data, metadata=True)] == [komi]
    for format in ("wei7", "sgf"):
        converted = wei7core.dumps(wei7core.loads(text), format=format, losses=[])
        assert [row.komi for row in wei7core.replay(converted, metadata=True)] == [komi], format


@in_groups(
    ("text", "date"),
    [
        ("2016-03-15", "2016-03-15"),
        ("2016-03-15,16,2016-04-01", "2016-03-15"),
        ("1996-05", "1996-05"),
        ("1996-05,06", "1996-05"),
        ("1996", "1996"),
        ("1996,1998", "1996"),
        (" 2016/3/5 10:00", "2016-03-05"),
        ("2018.04.27", "2018-04-27"),
        ("2016年3月15日", "2016-03-15"),
        ("２０１６年３月", "2016-03"),
        ("2016년 3월 5일", "2016-03-05"),
        ("20160315", "2016-03-15"),
        ("15 March 2016", "2016-03-15"),
        ("Mar. 5th, 2016", "2016-03-05"),
        ("March 2016", "2016-03"),
        ("2009-02-23T00:30Z", "2009-02-23"),
        ("2009-02-23T24:00Z", "2009-02-24"),
        ("2009-12-31T24:00:00.00+08:00", "2010-01-01"),
        ("2009-02-28T24:00", "2009-03-01"),
        ("9999-12-31T24:00Z", None),
        ("2009-02-23T24:01Z", "2009-02-23"),
        ("15/03/2016", None),
        ("2016-13-01", None),
        ("2015-02-29", None),
        ("0000-01-01", None),
        ("16-03-15", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates(text, date):
    assert iso_date(text) == date


@in_groups(
    ("text", "expected"),
    [
        ("B+3.5", (1, 3.5, "score")),
        ("W+R", (2, None, "resign")),
        ("W+Resign", (2, None, "resign")),
        ("B+T", (1, None, "time")),
        ("B+F", (1, None, "forfeit")),
        ("B+", (1, None, "unknown")),
        ("0", (None, None, "draw")),
        ("Void", (None, None, "void")),
        ("?", (None, None, "unknown")),
        ("黑胜1又3/4子", (1, 3.5, "score")),
        ("who knows", (None, None, None)),
        (" ", (None, None, None)),
    ],
)
def test_results(text, expected):
    (row,) = wei7core.replay(f"(;GM[1]SZ[9]CA[UTF-8]RE[{text}];B[ee])".encode(), metadata=True)
    assert (row.winner, row.margin, row.ending) == expected
    assert row.result_raw == (text if text.strip() else None)


@in_groups(
    ("root", "column", "value"),
    [
        ("KM[6.5]", "komi", 6.5),
        ("KM[375]RU[Chinese]", "komi", 7.5),
        ("KM[3.75]RU[Japanese]", "komi", 3.75),
        ("KM[x]", "komi", None),
        ("KM[3.75]RU[Chinese]RE[W+0.75]", "margin", 1.5),
        ("RU[Chinese]RE[W+0.5]", "margin", 0.5),
        ("RU[Japanese]RE[W+0.75]", "margin", 0.75),
        ("RU[Chinese]CA[UTF-8]RE[黑胜1又3/4子]", "margin", 3.5),
        ("RU[GOE]", "rules", "ing"),
        ("RU[house rules]", "rules", None),
        ("RU[house rules]", "rules_raw", "house rules"),
        ("HA[3]", "handicap", 3),
        ("", "handicap", 0),
        ("AB[aa][bb]", "handicap", 2),
        ("AB[aa][bb]AW[cc]", "handicap", 0),
        ("HA[x]AB[aa][bb]", "handicap", 0),
        ("HA[]AB[aa][bb]", "handicap", 2),
        ("TM[1800]", "time_limit", 1800.0),
        ("FF[1]TM[30]", "time_limit", 1800.0),
        ("TM[2 hours]", "time_limit", 7200.0),
        ("TM[soon]", "time_limit", None),
        ("OT[5x30 byo-yomi]", "overtime", "5x30 byo-yomi"),
        ("AP[CGoban:3]", "source_program", "CGoban:3"),
        ("BT[a\\]b]", "black_team", "a]b"),
        ("PB[ Lee  Sedol ]", "black", " Lee  Sedol "),
    ],
)
def test_properties(root, column, value):
    text = f"(;GM[1]SZ[9]{root};B[ee])"
    for data in (text.encode(), text.encode("utf-16")):
        (row,) = wei7core.replay(data, metadata=True)
        assert getattr(row, column) == value
    if column == "handicap":
        assert wei7core.loads(text, strict=False).handicap == value


def test_keys_of_openings_are_the_same_under_symmetry_and_color():
    game = wei7core.loads(b"(;GM[1]SZ[9]AB[aa];W[dc];B[fg];W[];B[cc];W[gg])")
    images = [wei7core.dumps(game.transformed(symmetry), format="sgf") for symmetry in range(8)]
    exchanged = b"(;GM[1]SZ[9]AW[aa];B[dc];W[fg];B[];W[cc];B[gg])"
    other = b"(;GM[1]SZ[9]AB[aa];W[dc];B[fg];W[];B[cc];W[gh])"
    rows = list(wei7core.replay([*images, exchanged, other], metadata=True))
    assert len({row.opening_key for row in rows[:9]}) == 1
    assert rows[9].opening_key != rows[0].opening_key


def test_the_opening_ends_after_12_moves():
    points = [x + y for x in "abc" for y in "abcdef"]
    texts = []
    for count in (0, 1, 12, 13, 18):
        moves = "".join(f";{'BW'[k % 2]}[{points[k]}]" for k in range(count))
        texts.append(f"(;GM[1]SZ[9]{moves})".encode())
    none, one, *others = wei7core.replay(texts, metadata=True)
    assert (none.first_moves, none.opening_key, one.first_moves) == (None, None, "A9")
    assert len({(row.first_moves, row.opening_key) for row in others}) == 1
    assert len(others[0].first_moves.split()) == 12


def test_moves_that_were_taken_back_are_no_opening():
    steps = [
        {"action": {"type": "move", "value": {"color": 1, "point": {"x": 0, "y": 0}}}},
        {"action": {"type": "takeback", "value": 1}},
        {"action": {"type": "move", "value": {"color": 1, "point": {"x": 26, "y": 29}}}},
    ]
    text = json.dumps({"format": "wei7", "version": "3.0", "size": 30, "tree": {"steps": steps}})
    (row,) = wei7core.replay(text.encode(), metadata=True)
    assert row.first_moves == "AB1"


def test_errors_keep_the_header():
    texts = [
        b"(;GM[1]SZ[9]PB[one]RE[W+R];B[ee];W[!!])",
        b"(;GM[1]SZ[9]PB[two]RE[W+R];B[ee]",
        b"{nonsense",
        b"",
        b'{"format":"wei7","version":"3.0","info":{"place":"here"},"tree":{"steps":[{}]}}',
    ]
    rows = list(wei7core.replay(texts, metadata=True))
    assert [row.error is None for row in rows] == [False, True, False, False, False]
    assert [(row.black, row.ending) for row in rows[:2]] == [("one", "resign"), ("two", "resign")]
    assert rows[0].first_moves == "E5"
    assert metadata_in(rows[2]) == metadata_in(rows[3]) == dict.fromkeys(NAMES)
    assert rows[4].place == "here"


def test_the_columns_of_others_stay_as_they_are():
    inputs = [b"(;GM[1]SZ[9]PB[one];B[ee])", b"{", b"(;GM[1]SZ[9];B[aa];W[bb])"]
    plain = wei7core.replay(inputs, board=True)
    more = wei7core.replay(inputs, board=True, metadata=True)
    assert [column.name for column in plain.columns] == [column.name for column in REPLAY_COLUMNS]
    assert list(ReplayRow._fields) == [column.name for column in REPLAY_COLUMNS]
    assert list(MetadataRow._fields) == [*ReplayRow._fields, *NAMES]
    assert [row[: len(ReplayRow._fields)] for row in more] == [tuple(row) for row in plain]
    assert isinstance(plain[0], ReplayRow)
    assert more.problems == plain.problems


@pytest.mark.parametrize("jobs", [1, 2])
def test_pieces_and_threads_give_the_same(tmp_path, jobs):
    sgf = b"".join(sgf_game(header, "utf-8", ";B[aa];W[bb]").encode() for header in SGF_HEADERS) * 20
    lines = "\n".join(json.dumps(wei7_game(info)) for info in WEI7_INFOS * 20).encode()
    (tmp_path / "a.sgf").write_bytes(sgf)
    (tmp_path / "b.jsonl").write_bytes(lines)
    paths = [str(tmp_path / name) for name in ("a.sgf", "b.jsonl")]
    whole = list(wei7core.replay(paths, metadata=True))
    pieces = wei7core.replay_batches(paths, metadata=True, batch_size=37, jobs=jobs)
    assert [row for piece in pieces for row in piece] == whole
    assert [row for path in paths for row in wei7core.replay(path, metadata=True, jobs=jobs)] == whole


def test_batches_of_nothing():
    results = wei7core.replay([], metadata=True)
    assert len(results) == 0
    assert set(NAMES) <= set(results.to_numpy())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = [sgf_game(header, "utf-8", ";B[aa];W[bb]") for header in SGF_HEADERS]
    Path("games.sgf").write_text("\n".join(texts), encoding="utf-8")
    return tmp_path


def test_files(folder):
    rows = list(wei7core.replay("games.sgf", metadata=True))
    for kind in ("csv", "jsonl", "npz"):
        assert cli.main(["replay", "games.sgf", "-q", "--metadata", "-o", f"rows.{kind}"]) == 0
    lines = [json.loads(line) for line in Path("rows.jsonl").read_text(encoding="utf-8").splitlines()]
    hashed = [{**metadata_in(row), "opening_key": f"{row.opening_key:016x}"} for row in rows]
    assert [{name: line[name] for name in NAMES} for line in lines] == hashed
    with open("rows.csv", encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    assert [cell["komi"] for cell in cells] == [text_of(row.komi) for row in rows]
    assert [cell["winner"] for cell in cells] == [text_of(row.winner) for row in rows]
    with np.load("rows.npz") as arrays:
        assert np.array_equal(
            arrays["komi"], [np.nan if row.komi is None else row.komi for row in rows], equal_nan=True
        )
        assert arrays["black_valid"].tolist() == [row.black is not None for row in rows]


def text_of(number):
    return "" if number is None else repr(number).removesuffix(".0")


def test_parquet_has_dictionaries(folder):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert cli.main(["replay", "games.sgf", "-q", "--metadata", "-o", "rows.parquet"]) == 0
    table = parquet.read_table("rows.parquet")
    assert [{name: row[name] for name in NAMES} for row in table.to_pylist()] == [
        metadata_in(row) for row in wei7core.replay("games.sgf", metadata=True)
    ]
    group = parquet.ParquetFile("rows.parquet").metadata.row_group(0)
    encodings = {group.column(k).path_in_schema: set(group.column(k).encodings) for k in range(group.num_columns)}
    for name in NAMES:
        has_dictionary = not {"PLAIN_DICTIONARY", "RLE_DICTIONARY"}.isdisjoint(encodings[name])
        assert has_dictionary == (name not in ("first_moves", "opening_key")), name
    assert wei7core.replay("games.sgf", metadata=True).to_arrow().schema.equals(table.schema)


def test_resumed_runs(folder):
    assert cli.main(["replay", "games.sgf", "-q", "--metadata", "-o", "one.csv"]) == 0
    assert cli.main(["replay", "games.sgf", "-q", "--metadata", "-o", "two.csv", "--resume", "--jobs", "2"]) == 0
    assert Path("one.csv").read_bytes() == Path("two.csv").read_bytes()


def test_batches_of_arrow(folder):
    pyarrow = pytest.importorskip("pyarrow")
    from wei7core.arrow import Options, replay_batch, replay_schema

    texts = [sgf_game(header, "utf-8", ";B[aa]").encode() for header in SGF_HEADERS]
    batch = pyarrow.record_batch({"data": pyarrow.array([*texts, None], pyarrow.binary())})
    options = Options(metadata=True)
    found = replay_batch(batch, options=options)
    assert found.schema.equals(replay_schema(options))
    rows = [metadata_in(row) for row in wei7core.replay(texts, metadata=True)]
    assert [{name: row[name] for name in NAMES} for row in found.to_pylist()] == [*rows, dict.fromkeys(NAMES)]


def test_the_table_has_no_metadata(folder, capsys):
    assert cli.main(["replay", "games.sgf", "--metadata"]) == 2
    assert "--metadata requires" in capsys.readouterr().err
    assert cli.main(["replay", "games.sgf", "-q", "--metadata", "--format", "csv"]) == 0
    assert ",black,white," in capsys.readouterr().out


PEOPLE = [{"name": f"p{number}", "rank": f"{number}k"} for number in range(10)]
LISTS = [
    *({"participants": PEOPLE[:count]} for count in range(7, 11)),
    *({"participants": [*PEOPLE[:2], wrong]} for wrong in (None, 1, [], "p", {"name": 1}, {"x": {"name": "y"}}, {})),
    *({"participants": wrong} for wrong in (None, 1, {"name": "x"}, "[")),
    {"participants": [{"rank": "9p", "name": '\u9ed2"\\\n'}, {"name": "", "x": "]}"}, {"name": " "}]},
]
SIDES = [
    *([{"participant": number % 3, "color": 1 + number % 2} for number in range(count)] for count in range(10)),
    *([{"participant": 0, "color": 1}, wrong] for wrong in (None, 0, [], {}, {"color": 2}, {"participant": 2})),
    *([{"participant": number, "color": 2}] for number in (1.0, 1e0, "0", None, 99999, -1, 10000)),
    *(None, 1, {"participant": 0}),
]


@pytest.mark.parametrize("info", LISTS, ids=str)
def test_lists_of_people(info):
    texts = []
    for sides in SIDES[LISTS.index(info) % 3 :: 3] if is_quick() else SIDES:
        text = json.dumps(wei7_game({**info, "players": sides})).encode()
        texts += [
            text,
            text.replace(b'"players"', b'"pl\\u0061yers"'),
            text.replace(b'"name"', b'"name":"twice","name"', 1),
        ]
    compare_each(texts)
    compare(text[: text.index(b"players") + 30])


def distinct(texts, kinds, codes):
    """The slow twin of `TextList.distinct`."""
    found = {}
    for code in codes:
        if code >= 0:
            found.setdefault((texts[code], kinds[code]), (len(found), code))
    places = [-1 if code < 0 else found[texts[code], kinds[code]][0] for code in codes]
    return places, [code for _, code in found.values()]


@pytest.mark.parametrize("count", [0, 1, 5, 300])
def test_lists_of_texts(count):
    chance = np.random.default_rng(count)
    values = [
        b"",
        b"a",
        b"2024-02-29",
        b"2023-02-29",
        b"2024-02-29T10:00Z",
        b"2024-02-29 ",
        b"0000-01-01",
        b"0001-12-31",
    ]
    values += [
        b"2009-02-23T24:00Z",
        b"2009-02-23T24",
        b"2009-02-23T2",
        b"1900-02-29",
        b"2000-02-29",
        b"2000-00-10",
        b"2000-13-10",
        b"2000-01-00",
        b"2000-04-31",
        b"200\xb2-01-01",
    ]
    texts = [values[number] for number in chance.integers(0, len(values), count)]
    data, ends = b"".join(texts), np.cumsum([len(text) for text in texts], dtype=np.int64)
    kinds, codes = chance.integers(0, 2, count).astype(bool), chance.integers(-1, count, 2 * count).astype(np.int32)
    listed = TextList(data, ends, kinds)
    offsets, taken, valid = listed.taken(codes)
    assert [taken[a:b].tobytes() for a, b in pairwise(offsets)] == [texts[code] if code >= 0 else b"" for code in codes]
    assert valid.tolist() == (codes >= 0).tolist()
    places, firsts = listed.distinct(codes)
    assert (places.tolist(), firsts.tolist()) == distinct(texts, kinds, codes.tolist())
    is_day, days = listed.days(firsts)
    dates = [iso_date(texts[code].decode("latin-1")) for code in firsts]
    plain = [date == texts[code][:10].decode("latin-1") for date, code in zip(dates, firsts, strict=True)]
    plain = [
        one and texts[code][10:13] != b"T24" and texts[code][10:11] in (b"", b"T")
        for one, code in zip(plain, firsts, strict=True)
    ]
    assert is_day.tolist() == plain
    assert days.tobytes().decode() == "".join(date for date, one in zip(dates, plain, strict=True) if one)


@pytest.mark.parametrize("name", ["taken", "distinct", "days"])
def test_texts_outside_a_list_are_refused(name):
    for ends, code in (([2, 3], 2), ([2, 3], -2), ([2, 4], 1), ([2, 1], 1), ([-1, 2], 1), ([], 0)):
        listed = TextList(b"abc", np.array(ends, np.int64), bytes(len(ends)))
        with pytest.raises(ValueError, match="out of range"):
            getattr(listed, name)(np.array([code], np.int32))
    with pytest.raises(ValueError, match="kind"):
        TextList(b"abc", np.array([1], np.int64), b"")


@pytest.mark.parametrize("players", [None, [], [{"participant": 0, "color": 1}]])
@pytest.mark.parametrize("participants", [None, [], [{"name": "Lee", "rank": "9p"}]])
def test_players_and_participants_may_each_be_absent(players, participants):
    info = {name: value for name, value in (("players", players), ("participants", participants)) if value is not None}
    record = {"format": "wei7", "version": "3.0", "size": 9, "info": info, "tree": {"steps": []}}
    (row,) = wei7core.replay(json.dumps(record).encode(), metadata=True)
    player = ("Lee", "9p") if players and participants else (None, None)
    assert (row.black, row.black_rank, row.white) == (*player, None)


def placed(*stones):
    return {"stones": [{"color": color, "point": {"x": x, "y": y}} for color, x, y in stones]}


def moved(color, x, y):
    return {"action": {"type": "move", "value": {"color": color, "point": {"x": x, "y": y}}}}


MOVED = [moved(1, 0, 0), moved(2, 1, 1)]
LATER = [{"pre": placed((1, 3, 3), (1, 2, 2))}]


@in_groups(
    "tree",
    [
        {"pre": placed((1, 9, 0), (1, 2, 2)), "steps": MOVED},
        {"steps": MOVED, "branches": [{"pre": placed((1, 9, 0), (1, 2, 2))}]},
        {"steps": MOVED, "branches": LATER},
        {"pre": placed((1, 4, 4)), "steps": [*MOVED, {"x": 1}], "branches": LATER},
        {"pre": placed((1, 4, 4)), "steps": [*MOVED, moved(1, 0, 0)], "branches": LATER},
        {"branches": [{**LATER[0], "steps": MOVED}]},
        {"branches": [{"pre": placed((1, 3, 3), (1, 9, 2)), "steps": MOVED}]},
    ],
)
def test_stones_that_the_main_line_does_not_reach_do_not_count(tree):
    text = json.dumps({"format": "wei7", "version": "3.0", "size": 5, "tree": tree}).encode()
    (row,) = wei7core.replay([text], metadata=True)
    (raw,) = Sources([text])
    wanted = replay_raw_record(raw, Options(metadata=True)).metadata
    assert list(metadata_in(row).values()) == list(wanted)


@in_groups("number", ["1e306", "1e308", "1e400", "1e5000", "9" * 400, "-" + "9" * 5000])
def test_numbers_of_points_that_no_float_holds(number):
    komi = 1e306 if number == "1e306" else None
    info = f'{{"rules":{{"komi":{number}}},"result":{{"winner":1,"margin":{number}}}}}'
    text = f'{{"format":"wei7","version":"3.0","size":9,"info":{info},"tree":{{"steps":[]}}}}'.encode()
    (row,) = wei7core.replay([text], metadata=True)
    assert (row.komi, row.margin) == (komi, komi)
    assert {finding.record for finding in wei7core.check(text)} == {0}
