"""Where records come from: files, folders, lines, standard input, bytes; and what cannot be read."""

import io
import os
import sys

import pytest

from wei7core.limits import Limits
from wei7core.sources import Sources

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
        file(name, ONE)
    sources = Sources(tmp_path)
    found = [os.path.relpath(text.source, tmp_path).replace(os.sep, "/") for text in sources]
    assert found == ["a.WEI7", "b.wei7", "y/d.wei7", "z/c.jsonl"]
    assert sources.passed_over == 2


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


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(file, tmp_path):
    path = file("a.wei7", ONE)
    missing, good = texts([tmp_path / "gone.wei7", path])
    assert (missing.data, codes(missing)) == (None, ["file-unreadable"])
    assert missing.source == str(tmp_path / "gone.wei7")
    assert good.data == ONE


def test_a_link_to_nowhere_is_told(tmp_path):
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
