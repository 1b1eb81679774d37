"""Where records come from: files, folders, lines, standard input, bytes; and what cannot be read."""

import gzip
import io
import os
import sys
from itertools import product

import numpy as np
import pytest
from helpers.cases import in_groups

from wei7core import replay
from wei7core.batch.options import Options
from wei7core.batch.single_records import replay_raw_record
from wei7core.formats._native import split_usual_games
from wei7core.formats.registry import detect_format
from wei7core.formats.sgf.games import split
from wei7core.limits import Limits
from wei7core.sources.archives import is_packed
from wei7core.sources.sources import Sources

ONE = b'{"format":"wei7","version":"3.0","tree":{}}'
TWO = b'{"format":"wei7","version":"3.0","size":9,"tree":{}}'


def texts(inputs, **limits):
    return list(Sources(inputs, limits=Limits(**limits)))


def read(inputs, **limits):
    return [(os.path.basename(text.source), text.record, text.data) for text in texts(inputs, **limits)]


def codes(text):
    return [problem.code for problem in text.problems]


@pytest.fixture
def file(tmp_path):
    def write(name, data):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    return write


def test_bytes_are_one_record_each():
    assert read(ONE) == [("<bytes>", 0, ONE)]
    assert read([bytearray(ONE), memoryview(TWO)]) == [("<bytes>", 0, ONE), ("<bytes>", 1, TWO)]


def test_a_file_is_one_record(file):
    path = file("a.wei7", ONE + b"\n")
    assert read(path) == read(str(path)) == [("a.wei7", 0, ONE + b"\n")]
    assert not texts(path)[0].one_of_many


def test_a_file_of_lines_skips_blank_ones(file):
    path = file("a.jsonl", b"\n" + ONE + b"\r\n \n" + TWO + b"\nnonsense")
    assert read(path) == [("a.jsonl", 0, ONE), ("a.jsonl", 1, TWO), ("a.jsonl", 2, b"nonsense")]
    assert all(text.one_of_many for text in texts(path))


def test_lines_are_recognised_without_their_suffix(file):
    for number, data in enumerate([ONE + b"\n" + TWO, b"\xef\xbb\xbf" + ONE + b"\n\n\r\n" + TWO + b"\n"]):
        assert [record for _, record, _ in read(file(f"{number}.wei7", data))] == [0, 1]


@pytest.mark.parametrize("rest", [b"", b"\n", b"\n\n\n", b"\nnonsense", b"\n[]"])
def test_one_line_alone_is_one_record_with_all_that_follows(file, rest):
    assert read(file("a.wei7", ONE + rest)) == [("a.wei7", 0, ONE + rest)]


def test_a_printed_record_is_one_record(file):
    data = b'{\n  "format": "wei7",\n  "tree": {}\n}\n'
    assert read(file("a.wei7", data)) == [("a.wei7", 0, data)]


def test_an_empty_file_is_a_record_without_text_and_an_empty_file_of_lines_holds_none(file):
    assert read(file("a.wei7", b"")) == [("a.wei7", 0, b"")]
    assert read(file("a.jsonl", b"")) == []


def test_folders_are_searched_in_order(file, tmp_path):
    for name in ("b.wei7", "a.WEI7", "z/c.jsonl", "y/d.wei7", "y/note.txt", "readme"):
        file(name, ONE if "wei7" in name.lower() or name.endswith("c.jsonl") else b"a text")
    sources = Sources(tmp_path)
    found = [os.path.relpath(text.source, tmp_path).replace(os.sep, "/") for text in sources]
    assert found == ["a.WEI7", "b.wei7", "y/d.wei7", "z/c.jsonl"]
    assert sources.passed_over == 2


def test_files_are_counted_before_and_while_they_are_read(file, tmp_path):
    (tmp_path / "inner").mkdir()
    for name in ("b.wei7", "c.sgf", "d.txt", "inner/e.sgf.gz", "inner/f.zip"):
        file(name, b"{}")
    (tmp_path / "gone.sgf").symlink_to("nowhere")
    sources = Sources([tmp_path, tmp_path / "d.txt"])
    assert (sources.files_read, sources.files_in_all, sources.bytes_in_all) == (0, 6, None)
    seen = []
    for text in sources:
        assert sources.files_read <= len(seen) + 1
        seen.append(text.source)
    assert len(seen) == sources.files_read == 6
    for other in ("-", b"{}"):
        assert Sources([tmp_path, other]).files_in_all is None
    assert Sources(iter([tmp_path])).files_in_all is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_in_folders_are_passed_over(file, tmp_path):
    file("a.wei7", ONE)
    os.mkfifo(tmp_path / "b.wei7")
    sources = Sources(tmp_path)
    assert (len(list(sources)), sources.passed_over) == (1, 1)


def test_standard_input_may_be_one_record_or_lines(monkeypatch):
    for data, count in [(ONE, 1), (ONE + b"\n" + TWO + b"\n", 2)]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        found = texts("-")
        assert [(text.source, codes(text)) for text in found] == [("-", [])] * count
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert [codes(text) for text in texts("-")] == [["format-unknown"]]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.wei7", []), ("a.WEI7", ["file-suffix-case"]), ("a.json", ["file-suffix"]), ("wei7", ["file-suffix"])],
)
def test_the_suffix_of_a_file_of_one_record_is_checked(file, name, expected):
    assert codes(texts(file(name, ONE))[0]) == expected
    assert codes(texts(file(name, ONE + b"\n" + TWO))[0]) == []


def test_what_cannot_be_read_is_reported_and_the_rest_is_read(file, tmp_path):
    path = file("a.wei7", ONE)
    missing, good = texts([tmp_path / "gone.wei7", path])
    assert (missing.data, codes(missing)) == (None, ["file-unreadable"])
    assert missing.source == str(tmp_path / "gone.wei7")
    assert good.data == ONE


def test_a_link_to_nowhere_is_reported(tmp_path):
    (tmp_path / "a.wei7").symlink_to(tmp_path / "gone")
    assert [codes(text) for text in texts(tmp_path)] == [["file-unreadable"]]


def test_records_up_to_the_limit_are_read(file):
    limit = len(TWO)
    assert read(file("a.wei7", TWO), max_bytes=limit) == [("a.wei7", 0, TWO)]
    long = texts(file("b.wei7", TWO + b" "), max_bytes=limit)
    assert [(text.data, codes(text)) for text in long] == [(None, ["limit-bytes"])]


def test_a_line_beyond_the_limit_is_left_out_and_the_next_one_read(file):
    limit = len(TWO)
    path = file("a.jsonl", TWO + b"\r\n" + b" " * (3 << 20) + b"x\n" + ONE + b"\n" + b"y" * (limit + 1))
    found = texts(path, max_bytes=limit)
    assert [(text.record, text.data, codes(text)) for text in found] == [
        (0, TWO, []),
        (1, None, ["limit-bytes"]),
        (2, ONE, []),
        (3, None, ["limit-bytes"]),
    ]


def test_a_folder_given_as_bytes_is_no_path(tmp_path):
    assert read(os.fsencode(tmp_path))[0][0] == "<bytes>"


# --- SGF


GAME = b"(;GM[1]FF[4]SZ[9];B[aa];W[zz])"


def test_a_collection_has_a_text_for_each_game(file):
    data = GAME + b"\n" + GAME + b"\nthe end\n"
    for name in ("a.sgf", "a.txt", "a"):
        found = texts(file(name, data))
        assert [(text.record, text.data, text.format) for text in found] == [
            (0, GAME, "sgf"),
            (1, b"\n" + GAME + b"\nthe end\n", "sgf"),
        ]
        assert [text.one_of_many for text in found] == [True, True]
        assert [(text.offset, text.line, text.column) for text in found] == [(0, 1, 1), (len(GAME), 1, len(GAME) + 1)]
        assert [codes(text) for text in found] == [[], []]
    (alone,) = texts(file("a.sgf", GAME))
    assert not alone.one_of_many


def test_bytes_are_recognised_as_files_are():
    assert [text.format for text in texts([ONE, GAME + GAME, gzip.compress(ONE + b"\n" + TWO), b"\xff\0nonsense"])] == [
        "wei7", "sgf", "sgf", "wei7", "wei7", "wei7",
    ]  # fmt: skip
    found = texts([GAME + GAME, ONE])
    assert [(text.source, text.record) for text in found] == [("<bytes>", number) for number in range(3)]
    assert codes(texts(b"\xff\0nonsense")[0]) == ["format-unknown"]


def replayed(path):
    return [replay_raw_record(text, Options()) for text in Sources(path)]


def test_problems_of_a_collection_count_from_the_start_of_the_file(file):
    path = file("a.sgf", GAME + b"\r\n\r\n" + GAME + b" " + GAME)
    whole = GAME + b"\r\n\r\n" + GAME + b" " + GAME
    rows = [outcome.problems[0] for outcome in replayed(path)]
    assert [problem.code for problem in rows] == ["point-off-board"] * 3
    assert [whole[problem.offset :][:2] for problem in rows] == [b"zz"] * 3
    assert [problem.offset for problem in rows] == sorted({problem.offset for problem in rows})
    columns = [GAME.rindex(b"zz") + 1] * 2 + [len(GAME) + 1 + GAME.rindex(b"zz") + 1]
    assert [(problem.line, problem.column) for problem in rows] == list(zip([1, 3, 3], columns, strict=True))
    for outcome in replayed(path):
        assert outcome.row.error_offset == outcome.problems[0].offset


def test_problems_of_wide_collections_count_bytes_of_the_file(file):
    whole = ("\ufeff" + GAME.decode() + "\n" + GAME.decode()).encode("utf-16-le")
    found = [outcome.problems[-1] for outcome in replayed(file("a.sgf", whole))]
    assert [problem.code for problem in found] == ["point-off-board"] * 2
    assert [whole[problem.offset :][:4] for problem in found] == ["zz".encode("utf-16-le")] * 2
    assert [(problem.line, problem.column) for problem in found] == [(1, 27), (2, 27)]


def test_problems_of_lines_count_from_their_line(file):
    path = file("a.jsonl", ONE + b"\n{\n")
    problem = replayed(path)[1].problems[0]
    assert (problem.line, problem.offset) == (1, 1)


def test_what_is_of_no_format_is_reported(file):
    for name, data, words in (
        ("a.sgf", b"<?xml version='1.0'?><svg/>", "unknown format"),
        ("a.txt", b"nonsense", "unknown format"),
        ("a.sgf", b"", "the data is empty"),
        ("a.sgf", b"\x89PNG\r\n", "unknown format"),
    ):
        (text,) = texts(file(name, data))
        assert (text.data, codes(text)) == (None, ["format-unknown"])
        assert words in text.problems[0].message


def test_a_text_of_xml_is_one_record(file):
    data = b"<?xml version='1.0'?><wei7 version='2.2'/>"
    for name, found in (("a.wei7", []), ("a.xml", ["file-suffix"]), ("a.Wei7", ["file-suffix-case"])):
        (text,) = texts(file(name, data))
        assert (text.data, text.format, codes(text)) == (data, "wei7-2.2", found)
    (text,) = texts(file("a.wei7", data), max_bytes=10)
    assert (text.data, text.format, codes(text)) == (None, "wei7-2.2", ["limit-bytes"])


def test_a_game_beyond_the_limit_is_left_out_and_the_next_one_read(file):
    long = b"(;FF[4]C[" + b"x" * 1000 + b"])"
    found = texts(file("a.sgf", GAME + long + GAME), max_bytes=100)
    assert [(text.record, text.data, codes(text)) for text in found] == [
        (0, GAME, []),
        (1, None, ["limit-bytes"]),
        (2, GAME, []),
    ]


def test_suffixes_are_those_of_wei7_alone(file):
    assert codes(texts(file("game.txt", GAME))[0]) == []
    assert codes(texts(file("game.json", ONE))[0]) == ["file-suffix"]


TAR_OF_A_GAME_NAME = b"(;B[aa])".ljust(148, b"x") + b"0001234 " + b"y" * 400


@in_groups("start", [b"", b"\n ", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n", b"\x0b", b"\xa0", b"text "])
@pytest.mark.parametrize(
    "game", [b"(;B[aa])", b"(\n;GaMe[1])", b"(B[aa])", b"(;B[aa](;W[bb])", b"(;\0[aa])", b"(;C[\x81])];B[aa])"]
)
def test_usual_games_are_cut_as_all_others_are(start, game):
    for text in (start + game, start + game + b"\n", start + game * 2, (start + game)[:-1], TAR_OF_A_GAME_NAME, start):
        ends = split_usual_games(text)
        if ends is not None:
            assert detect_format(text) == "sgf"
            assert not is_packed(text)
            assert np.frombuffer(ends, np.int64).tolist() == [end for _, end in split(text)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_usual_games_in_wide_encodings_are_read_as_all_others_are(encoding, monkeypatch):
    texts = [
        *("(;C[\u4e00\U0001f600])", "(;B[aa])\n ", "(;B[aa])(;W[bb])", "(;B[aa])x", "(;B[aa", "\n(;B[aa])", "(;C[)])"),
        *("(;CA[GBK]C[\u4e5d\\]])", "{}", "(;C[\ud800])", " " * 32_766 + "(;)", f"({';B[ab]' * 999})", "(;B[aa]);"),
    ]
    data = [("\ufeff" * mark + text).encode(encoding, "surrogatepass") for text in texts for mark in (0, 1)]
    data += [one[:-1] for one in data]
    found = [(one, split_usual_games(one)) for one in data]
    wide = [(len(one), ends) for one, ends in found if one[:1] in b"\xff\xfe\0" or one[1:2] == b"\0"]
    assert {np.frombuffer(ends, np.int64).tolist() == [size] for size, ends in wide if ends} == {True}
    assert split_usual_games("(;B[aa])".encode(encoding)) is not None
    quick = [list(Sources(one)) for one in data], list(Sources(data))
    monkeypatch.setattr("wei7core.formats._native.split_usual_games", lambda _: None)
    assert quick == ([list(Sources(one)) for one in data], list(Sources(data)))


def test_zeros_that_show_an_encoding_of_usual_games():
    """Of all heads of a few bytes, those of UTF-16 and UTF-32 are read as the reader in Python reads them."""
    for head in map(bytes, product(b"\0(;\xff", repeat=5)):
        for text in (head, head + b"\0\0\0", head + b"\0\0[\0", head + b"(\0;\0B\0", head + b"\0(\0;\0B"):
            ends = split_usual_games(text)
            if ends is not None:
                assert detect_format(text) == "sgf"
                assert np.frombuffer(ends, np.int64).tolist() == [end for _, end in split(text)], text
                assert replay([text])[0] == replay_raw_record(next(iter(Sources(text))), Options()).row, text


def test_what_usual_games_are():
    ends = split_usual_games(b"(;B[aa])\n(;B[bb]) ")
    assert ends is not None and np.frombuffer(ends, np.int64).tolist() == [8, 18]
    for text in (b"", b"text", TAR_OF_A_GAME_NAME, b"(;C[\x81])];B[aa])", "(;B[aa])(;)".encode("utf-16")):
        assert split_usual_games(text) is None


@pytest.mark.parametrize("start", [b"\n" * 65534, b"\n" * 65535, b"(" + b" " * 65534, b"(" + b" " * 65535])
def test_formats_are_recognised_by_64_kib_whatever_the_size(tmp_path, start):
    game = (b";B[aa])" if start[0] == 40 else b"(;B[aa])") + b"(;B[bb])"
    expected = detect_format(start + game)
    assert (expected == "sgf") == ((start + game).index(b";") < 1 << 16)
    for text in (start + game, start + game + b"\n" * 300_000):
        path = tmp_path / "games.sgf"
        path.write_bytes(text)
        for given in (text, path):
            assert replay(given).to_numpy()["format"].tolist() == ([expected] * 2 if expected else [None])
