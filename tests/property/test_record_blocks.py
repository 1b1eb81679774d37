"""Blocks of records against the same inputs read record by record."""

import bz2
import functools
import gzip
import io
import lzma
import os
import random
import tarfile
import zipfile

import numpy as np
import pytest
from helpers.effort import examples, is_quick
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import sources as sources_oracle

from wei7core.formats import _native
from wei7core.limits import Limits
from wei7core.sources.chunks import MOST_BYTES, MOST_RECORDS, RawRecord
from wei7core.sources.sources import Sources

LONG = b"(;FF[4]C[" + b"x" * 300 + b"])"
GAMES = [
    *(
        b"(;FF[4]GM[1];B[aa])",
        b"(;SZ[9]C[a \\] (;FF[4\\](])",
        b"(;GM[1](;B[aa])(;W[bb]))\r\n",
        b"\n",
        b" ",
        b"\r",
        b"text",
    ),
    *(
        "(;PB[围棋];B[cc])".encode(),
        "(;CA[gb2312]PB[围棋])".encode("gbk"),
        b"(;C[",
        b"(",
        b")",
        b"]",
        b"\xff\xfe",
        b"\x81]",
    ),
    *(LONG, b";B[aa]" * 40, b"\0", b"text", b"\xff\xfe"),
]
LINES = [
    *(
        b'{"size":9}',
        b'{"tree":{}}',
        b"{}",
        b"\n",
        b"\r\n",
        b"\n\n",
        b" ",
        b"\t",
        b"\r",
        b"{",
        b"}",
        b"[]",
        b"nonsense",
    ),
    *(b"nonsense", b'{"a":"' + b"x" * 90 + b'"}', b" " * 120, b"\xef\xbb\xbf", b'{"a":1}\n', b'{"b":2}\r\n'),
]
limits = st.sampled_from([1 << 30, 1 << 30, 100, 20, 0])
chunks = st.sampled_from([1, 7, 64, 1 << 20])


def compare(inputs, limit=1 << 30, chunk=1 << 20):
    """Blocks, records and the oracle say the same, and the blocks are what they have to be."""
    expected = list(sources_oracle.Sources(inputs, limits=Limits(max_bytes=limit), chunk=chunk))
    found = []
    for item in Sources(inputs, limits=Limits(max_bytes=limit), chunk=chunk).blocks():
        if isinstance(item, RawRecord):
            found.append(item)
            continue
        assert 0 < len(item) <= MOST_RECORDS
        assert len(item) == 1 or np.sum(item.ends - item.begins) <= MOST_BYTES
        assert memoryview(item.data).readonly
        found += item.texts()
        for index in {len(item) - 1, len(item) // 2, 0}:
            assert item.text(index) == found[index - len(item)]
    assert found == expected
    assert list(Sources(inputs, limits=Limits(max_bytes=limit), chunk=chunk)) == expected
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("blocks")


@given(st.lists(st.sampled_from(GAMES), max_size=40).map(b"".join), limits, chunks)
@settings(max_examples=examples(200))
@example(GAMES[0] * 3 + LONG + GAMES[0] * 4, 20, 64)
def test_collections(folder, data, limit, chunk):
    path = folder / "a.sgf"
    path.write_bytes(data)
    compare([path], limit, chunk)
    compare([data], limit, chunk)
    compare([b"(;FF[4])", data, b"{}", data], limit, chunk)


@pytest.mark.parametrize("chunk", [7, 64, 1 << 20])
@pytest.mark.parametrize("filler", [b"\r\n", b"ab\r\n", b"\n\r\r\n\n", b"\n"])
def test_places_after_a_game_beyond_the_limit(filler, chunk):
    for size in (4000, 4001):
        compare([b"(;C[x" + filler * size + b"(;FF[4];B[aa])(;FF[4])"], 100, chunk)


@given(st.lists(st.sampled_from(LINES), max_size=40).map(b"".join), limits, chunks)
@settings(max_examples=examples(200))
def test_lines(folder, data, limit, chunk):
    for name in ("a.jsonl", "a.wei7", "a.json"):
        (folder / name).write_bytes(data)
    compare([folder / "a.jsonl", folder / "a.wei7", folder / "a.json", data], limit, chunk)


FILES = {
    "a.sgf": b"(;FF[4];B[aa])",
    "b.wei7": b"{}",
    "c.wei7": b"{}\n{}\n",
    "d.SGF": b"(;FF[4];B[aa])(;FF[4];B[bb])",
    "e.WEI7": b"{}",
    "f.jsonl": b"{}\n\n{}",
    "g.sgf": b"",
    "h.sgf": b"(;C[" + b"x" * 70_000 + b"])",
    "i.wei7": b'{"a":"' + b"x" * 70_000 + b'"}',
    "j.sgf": "(;FF[4]PB[围棋])".encode("utf-16"),
    "k.sgf": "(;FF[4]PB[围棋])(;FF[4])".encode("utf-16-be"),
    "l.sgf": b"(;FF[4];B[aa])\r\n" * 4200,
    "m.jsonl": b'{"tree":{}}\n' * 4200,
    "n.sgf": b"nonsense",
    "o.txt": b"(;FF[4])",
    "p.wei7": b"<wei7 version='2.2'/>",
    "q.jsonl": b'{"a":"' + b"x" * 2_500_000 + b'"}\n{}\n',
    "r.sgf": b"(;FF[4]C[" + b"x" * 2_500_000 + b"])\n(;FF[4])(;FF[4])",
    "s.sgf": "(;CA[gb2312]PB[围棋])\n(;PB[围棋])\n".encode("gbk") * 50,
}


def zipped(files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def tarred(files):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for name, data in files.items():
            header = tarfile.TarInfo(name)
            header.size = len(data)
            archive.addfile(header, io.BytesIO(data))
    return content.getvalue()


@functools.cache
def packed():
    noise = random.Random(1).randbytes(100_000).hex().encode()  # so that files are large enough for a thread
    first = b"(;FF[4]C[" + noise + b"])"
    long = first + FILES["l.sgf"][:4000]
    few = {name: data for name, data in FILES.items() if len(data) < 1000}
    damaged = bytearray(gzip.compress(long))
    damaged[len(damaged) // 2] ^= 0x55
    return {
        "1.zip": zipped(FILES),
        "2.tar": tarred(few),
        "3.tgz": gzip.compress(tarred(few | {"z.sgf": long})),
        "4.sgf.gz": gzip.compress(first + FILES["l.sgf"]),  # more games than a block holds
        "5.sgf.bz2": bz2.compress(long),
        "6.sgf.xz": lzma.compress(long),
        "7.sgf.gz": gzip.compress(long)[:-40_000],
        "8.sgf.gz": bytes(damaged),
        "9.wei7.gz": gzip.compress(FILES["i.wei7"]),
        "91.zip": zipped(few | {"z.sgf": long})[:-200],
        "92.zip": zipped({"z.sgf": long, "a.sgf": FILES["a.sgf"]}).replace(b"PK\1\2", b"PK\1\3", 1),
        "93.tar": tarred({"z.sgf": long, "a.sgf": FILES["a.sgf"]})[:-3000],
        "94.jsonl.gz": gzip.compress(FILES["m.jsonl"]) * 3,
        "95.wei7.gz": gzip.compress(b"{}"),
    }


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A folder with everything in it."""
    top = tmp_path_factory.mktemp("tree")
    for place in (top, top / "inner", top / "inner" / "most"):
        place.mkdir(exist_ok=True)
        for name, data in FILES.items():
            if place == top or len(data) < 1000:
                (place / name).write_bytes(data)
    for name, data in packed().items():
        (top / "inner" / name).write_bytes(data)
    for number in range(300):
        (top / f"x{number:03}.sgf").write_bytes(b"(;FF[4]C[%d])" % number)
    (top / "link.sgf").symlink_to("a.sgf")
    (top / "gone.sgf").symlink_to("nowhere")
    (top / "linked").symlink_to("inner")
    return top


@pytest.mark.exhaustive
@pytest.mark.parametrize("limit", [1 << 30, 100_000, 50])
def test_a_folder_of_everything(tree, limit):
    found = compare(tree, limit)
    assert len({text.source for text in found}) > 380


@pytest.mark.exhaustive
def test_files_that_are_passed_over_are_counted(tree):
    sources, oracle = Sources(tree), sources_oracle.Sources(tree)
    assert [len(list(sources)), sources.passed_over] == [len(list(oracle)), oracle.passed_over]


def test_each_file_by_itself_and_at_hand(tree):
    for name in [*FILES, *packed()][:: 4 if is_quick() else 1]:
        path = tree / name if name in FILES else tree / "inner" / name
        compare(path)
        data = path.read_bytes()
        compare([data, data, b"(;FF[4])"])


def test_many_small_files_stand_in_one_block(tree):
    paths = sorted(tree.glob("x*.sgf"))
    blocks = list(Sources(paths).blocks())
    assert list(map(len, blocks)) == [64, 128, 108]
    assert [run for block in blocks for run in block.runs] == [(os.fspath(path), 1, 0, False) for path in paths]


def test_small_files_of_several_records_share_blocks(tmp_path):
    for number in range(40):
        games = b"".join(b"(;FF[4]C[%d])\n" % (number + k) for k in range(number % 4 + 1))
        (tmp_path / f"a{number:02}.sgf").write_bytes(games)
        (tmp_path / f"b{number:02}.jsonl").write_bytes(b'{"size":9}\n\n' * (number % 4 + 1))
    compare(tmp_path)
    blocks = list(Sources(tmp_path).blocks())
    assert [(block.format, len(block.runs), len(block)) for block in blocks] == [
        ("sgf", 40, 100),
        ("wei7", 27, 66),
        ("wei7", 13, 34),
    ]
    for archive in (zipped, tarred):
        data = archive({path.name: path.read_bytes() for path in sorted(tmp_path.glob("a*"))})
        assert [len(block) for block in Sources(data).blocks()] == [66, 34]
    games = [b"(;FF[4])", b"(;FF[4])(;FF[4])"] * 10
    (block,) = Sources(games).blocks()
    assert block.runs == (("<bytes>", 30, 0, True),)


def test_buffers_of_any_kind_are_read_where_they_are():
    data = b"(;FF[4];B[aa])\n" * 5_000
    compare([data, b"{}"])
    for kind in (bytearray(data), memoryview(data), np.frombuffer(data, np.uint8)):
        texts = list(Sources(kind))
        assert [text.data for text in texts] == [text.data for text in Sources(data)]
        (block, *_) = Sources(kind).blocks()
        assert np.shares_memory(np.frombuffer(block.data, np.uint8), np.frombuffer(kind, np.uint8))
    assert [text.data for text in Sources(memoryview(data)[::-1])] == [None]
    assert [text.data for text in Sources([memoryview(b""), b""])] == [None, None]


@given(st.text("a\r\né", max_size=60), st.lists(st.integers(0, 70), max_size=8))
def test_many_places_are_those_of_each(text, places):
    data = text.encode()
    begins = np.sort(np.array([place for place in places if place <= len(data)], np.int64))
    expected = []
    # What starts between the two bytes of a line end is counted from there, as records one by one are.
    line, column, at = 3, 7, 0
    for place in begins.tolist():
        line, column = _native.pass_text(data, at, place, line, column)
        at = place
        expected.append((line, column))
    lines, columns = _native.places_of(data, begins, np.zeros_like(begins), 3, 7)
    assert list(zip(lines.tolist(), columns.tolist(), strict=True)) == expected


@pytest.mark.parametrize("begins", [[2, 1], [4], [-1]])
def test_places_out_of_order_have_no_lines(begins):
    with pytest.raises(ValueError, match="is not after those before it"):
        _native.places_of(b"abc", np.array(begins, np.int64), np.zeros(len(begins), np.int64), 1, 1)
