"""Formats are recognised by their content; the name decides only what the content leaves open."""

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.formats.registry import FORMATS, decode, describe_unknown, detect_format, is_encoding
from wei7core.sources.sources import Sources

GAME = "(;GM[1]FF[4]SZ[9];B[aa])"


@in_groups(
    ("data", "expected"),
    [
        (b'{"format":"wei7"}', "wei7"),
        (b'\xef\xbb\xbf \r\n\t{ "tree": {}}', "wei7"),
        (b"{}", "wei7"),
        (b"{", "wei7"),
        (b"{wrong: 1}", "wei7"),
        (b'{"comment": "(;B[aa])"}', "wei7"),
        (b"<wei7/>", "wei7-2.2"),
        (b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- a game -->\n<wei7 version="2.2">', "wei7-2.2"),
        (b"<html><pre>(;B[aa])</pre>", "sgf"),
        (b"<svg/>", None),
        (b"(;)", "sgf"),
        (b" \n( ;\nB[aa])", "sgf"),
        (b"From: me\nSubject: our game (won!)\n\n(;\nGM [1]FF[4]", "sgf"),
        (b"{\\rtf1 (;FF[4]B[aa])}", "sgf"),
        (b"[]", None),
        (b"", None),
        (b"\0\0\0\0", None),
        (b";B[aa]", None),
        (b"void f(void) { for (;;) g(); }", None),
        (b"\xff\xd8\xff\xe0 a picture", None),
        (b"x" * (1 << 16) + b"(;B[aa])", None),
    ],
)
def test_content(data, expected):
    assert detect_format(data) == expected


@in_groups("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("before", ["", "\n ", "围棋 "])
def test_sgf_in_every_unicode(encoding, mark, before):
    data = (mark + before + GAME).encode(encoding)
    if mark or before.isascii():
        assert detect_format(data) == "sgf"


@in_groups(
    ("data", "name", "expected"),
    [
        (b"nonsense", "a.wei7", "wei7"),
        (b"", "a.WEI7", "wei7"),
        (b"nonsense\n{}", "a.jsonl", "wei7"),
        (b'"(;B[aa]"', "a.jsonl", "wei7"),
        (b";B[aa];W[bb]", "a.sgf", "sgf"),
        (b"(B[aa]", "a.SGF", "sgf"),
        (b"", "a.sgf", None),
        (b"a letter", "a.sgf", None),
        (b"{}", "a.sgf", "wei7"),
        (b"(;B[aa])", "a.wei7", "sgf"),
        (b"<wei7/>", "a.wei7", "wei7-2.2"),
        (b"\r\n&[1w\r\n&[10@\r\n", "a.wei7", "giseong"),
        (b'{"tree":"&[1w"', "a.wei7", "wei7"),
        (b"nonsense", "a.txt", None),
    ],
)
def test_names_decide_what_content_leaves_open(data, name, expected):
    assert detect_format(data, name) == expected


def test_records_of_each_format_decode():
    assert decode(b'{"format":"wei7","version":"3.0","tree":{}}', "wei7").format == "wei7"
    assert decode(GAME.encode(), "sgf").format == "sgf"
    assert decode(b'{"pre": 1}', "wei7", revision=2).revision == 2
    assert decode("(;GN[го])".encode("koi8-r"), "sgf", encoding="KOI8_R").encoding == "koi8-r"
    assert decode(b"<wei7/>", "wei7-2.2").format == "wei7-2.2"
    for unknown in ("gtp", ""):
        with pytest.raises(ValueError, match="cannot be read"):
            decode(b"", unknown)


def test_what_cannot_be_read_is_described():
    assert "the data is empty" in describe_unknown(b"")
    assert all(describe_unknown(b"x").count(row.title) == 1 for row in FORMATS.values())


@pytest.mark.parametrize(
    ("suffix", "title"), [(".bdx", "BDX"), (".GOS", "GOS"), (".go", "GO of the China Game Center or of Ishi")]
)
def test_formats_that_are_documented_nowhere_are_refused_by_name(tmp_path, suffix, title):
    path = tmp_path / f"game{suffix}"
    path.write_bytes(b"\x01\x02 a game")
    (text,) = Sources(path)
    assert [problem.code for problem in text.problems] == ["format-unknown"]
    assert f"this may be {title}, which is not documented" in text.problems[0].message
    path.write_bytes(GAME.encode())
    (text,) = Sources(path)
    assert (text.format, text.problems) == ("sgf", ())


@pytest.mark.parametrize("data", [b"", b"()", b"a letter"])
def test_strict_reading_of_what_is_no_record_says_what_can_be_read(data):
    with pytest.raises(w7.RecordSyntaxError, match="Giseong, GIB"):
        w7.loads(data)


@in_groups(
    ("name", "expected"),
    [("utf-8", True), ("GB18030", True), ("klingon", False), ("base64", False), ("", False), ("a\0", False)],
)
def test_encodings(name, expected):
    assert is_encoding(name) == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"game_id":1,"width":19,"height":19,"moves":[[15,3,1234],[3,15,88.5]]}',
        ' { "moves" : [ [ -1, -1, 5 ] ] }',
        '{"id":7,"gamedata": {"width":9}}',
    ],
)
def test_games_of_ogs_in_json_are_recognised(text):
    for data in (text.encode(), b"\xef\xbb\xbf" + text.encode()):
        assert detect_format(data) == "ogs"
        (row,) = Sources(data)
        assert (row.format, row.data, row.problems) == ("ogs", data, ())


def test_wei7_that_speaks_of_ogs_is_wei7():
    for text in (
        b'{"size":9,"steps":[],"moves":[[1,2]]}',
        b'{"format":"wei7","gamedata":{}}',
        b'{"size":9,"info":{"name":"\\"moves\\":[[1,2,3]]"}}',
        b'{"moves":[]}',
        b'{"moves":[[0,0,1]]}\n{"size":9,"steps":[]}',
    ):
        assert detect_format(text) == "wei7"


@pytest.mark.parametrize("start", [b"PP%D-lh5-", b"\x1c\x8d-lh1-", b"\x1c\x8d-lhd-"])
def test_data_packed_by_lha_is_refused_by_name(start):
    data = start + bytes(30)
    assert detect_format(data) is None
    assert "LHA" in describe_unknown(data)
