"""Small files of folders and lists of paths: read in C where they are usual, with the records that they have alone."""

import os
import sys
from pathlib import Path

import pytest
from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from wei7core import replay
from wei7core.formats import _native
from wei7core.limits import Limits
from wei7core.sources.chunks import Chunk
from wei7core.sources.sources import Sources

SGF = b"(;GM[1]SZ[9];B[aa];W[bb])"
WEI7 = b'{"format":"wei7","version":"3.0","tree":{}}'
FILES = [
    ("a.sgf", SGF),
    ("a.sgf", SGF + b"\n(;B[cc])\n"),
    ("a.SGF", b"\xef\xbb\xbf (;B[aa])"),
    ("a.sgf", b"(;B[aa])" * 70),
    ("a.sgf", b"(;)" * 5_000),
    ("a.sgf", b"(;B[aa]"),
    ("a.sgf", b"(;B[aa])x"),
    ("a.sgf", b"(;CA[GBK]C[\x81]])"),
    ("a.sgf", b"(;C[\x81])];B[aa])"),
    ("a.sgf", "(;C[\u4e00])(;B[aa])".encode("utf-16")),
    ("a.sgf", WEI7),
    ("a.sgf", b""),
    ("a.sgf", b"text"),
    ("a.sgf", SGF.ljust(148, b" ") + b"0001234 " + b" " * 400),
    ("a.sgf", b"(;C[" + b"c" * 65_600 + b"])"),
    ("a.sgf", b"(;C[" + b"c" * (1 << 18) + b"])"),
    ("a.sgfs", SGF * 3),
    ("a.Sgf", SGF),
    ("._a.sgf", SGF),
    ("a.wei7", WEI7),
    ("a.wei7", b"{\n " + WEI7[1:]),
    ("a.wei7", WEI7 + b"\n" + WEI7),
    ("a.wei7", SGF),
    ("a.WEI7", WEI7),
    ("a.jsonl", WEI7 + b"\n" + WEI7),
    ("a.txt", SGF),
]


def written(folder, runs):
    """Files of a folder, numbered so that their order is that of `runs`."""
    number = 0
    for (name, text), count in runs:
        for _ in range(count if len(text) < 2_000 else 1):
            start = "._" if name.startswith("._") else ""
            (folder / f"{start}{number:04}{name.removeprefix('._')}").write_bytes(text)
            number += 1


def facts(inputs, **limits):
    """All records, and what was read."""
    sources = Sources(inputs, limits=Limits(**limits))
    return list(sources), sources.bytes_read, sources.files_read, sources.passed_over


def one_by_one(folder, monkeypatch, **limits):
    with monkeypatch.context() as patch:
        patch.setattr(_native, "CAN_READ_SMALL_FILES", False)
        return facts(str(folder), **limits)


@given(runs=st.lists(st.tuples(st.sampled_from(FILES), st.sampled_from([1, 1, 2, 20, 90])), max_size=8))
@settings(max_examples=examples(30), deadline=None)
def test_folders_have_the_records_of_their_files_one_by_one(tmp_path_factory, runs):
    folder = tmp_path_factory.mktemp("files")
    written(folder, runs)
    with pytest.MonkeyPatch.context() as patch:
        assert facts(str(folder)) == one_by_one(folder, patch)
        assert facts(str(folder), max_bytes=60) == one_by_one(folder, patch, max_bytes=60)
    paths = sorted(map(str, folder.iterdir()))
    assert facts(paths) == facts(iter(paths)) == facts(list(map(Path, paths)))


def test_usual_files_are_read_together(tmp_path):
    written(tmp_path, [(("a.sgf", SGF), 300), (("b.wei7", WEI7), 100)])
    for inputs in (tmp_path, sorted(map(str, tmp_path.iterdir())), sorted(tmp_path.iterdir())):
        blocks = list(Sources(inputs).blocks())
        assert all(isinstance(block, Chunk) for block in blocks)
        if _native.CAN_READ_SMALL_FILES:
            assert [len(block) for block in blocks] == [64, 128, 108, 64, 36]
    rows = list(replay(tmp_path))
    assert [row.source for row in rows] == sorted(map(str, tmp_path.iterdir()))
    assert rows == list(replay(iter(sorted(tmp_path.iterdir()))))


def test_files_next_to_an_unusual_one_share_blocks(tmp_path):
    unusual = ("a.sgf", "(;C[\u4e00])".encode("utf-16"))
    written(tmp_path, [run for _ in range(200) for run in [(("a.sgf", SGF), 2), (unusual, 1)]])
    assert len(list(Sources(tmp_path).blocks())) < 12


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_files_of_other_kinds_in_lists_of_paths(tmp_path):
    written(tmp_path, [(("a.sgf", SGF), 40)])
    (tmp_path / "folder.sgf").mkdir()
    (tmp_path / "folder.sgf" / "inner.sgf").write_bytes(SGF)
    (tmp_path / "link.sgf").symlink_to(tmp_path / "0000a.sgf")
    (tmp_path / "lost.sgf").symlink_to(tmp_path / "nothing")
    paths = sorted(map(str, tmp_path.iterdir()))
    found = facts(paths)
    assert found == facts(iter(paths))
    assert [record.source for record in found[0] if record.data is None] == [str(tmp_path / "lost.sgf")]
    assert str(tmp_path / "folder.sgf" / "inner.sgf") in [record.source for record in found[0]]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_names_that_are_no_text(tmp_path):
    for number in range(20):
        path = os.fsencode(tmp_path) + b"/%02d\xff.sgf" % number
        try:
            with open(path, "wb") as file:
                file.write(SGF)
        except OSError:
            pytest.skip("the file system has no such names")
    assert len(facts(str(tmp_path))[0]) == 20
    with pytest.raises(UnicodeEncodeError):
        facts(["\ud800.sgf"] * 20)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes in folders")
def test_pipes_are_not_opened(tmp_path):
    written(tmp_path, [(("a.sgf", SGF), 40)])
    os.mkfifo(tmp_path / "0010z.sgf")
    assert len(facts(str(tmp_path))[0]) == 40


def test_a_file_removed_in_the_meantime_is_a_row(tmp_path):
    written(tmp_path, [(("a.sgf", SGF), 200)])
    records = iter(Sources(str(tmp_path)))
    found = [next(records)]
    (tmp_path / "0100a.sgf").unlink()
    found += records
    assert len(found) == 200
    assert [number for number, record in enumerate(found) if record.data is None] == [100]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="descriptors are listed on Linux only")
def test_descriptors_are_closed(tmp_path):
    written(tmp_path, [(("a.sgf", SGF), 200)])
    before = len(os.listdir("/proc/self/fd"))
    blocks = Sources(str(tmp_path)).blocks()
    next(blocks)
    blocks.close()
    facts(str(tmp_path))
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.skipif(not _native.CAN_READ_SMALL_FILES, reason="files are not read in C on this system")
def test_read_texts(tmp_path):
    written(tmp_path, [(("a.sgf", SGF), 2), (("b.sgf", SGF * 2), 1), (("c.wei7", WEI7), 1)])
    names = b"".join(name.encode() + b"\0" for name in sorted(os.listdir(tmp_path)))
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:

        def read(names=names, is_sgf=True, size=200, longest=80, most=9, most_of_text=9, limit=80):
            return _native.read_texts(descriptor, names, is_sgf, bytearray(size), longest, most, most_of_text, limit)

        format, files, begins, ends, starts = read()
        assert (format, files, starts.tolist()) == ("sgf", 3, [0, 1, 2])
        assert (begins.tolist(), ends.tolist()) == ([0, 25, 50, 75], [25, 50, 75, 100])
        assert read(names[30:], is_sgf=False)[:2] == ("wei7", 1)
        assert read(is_sgf=False)[1] == 0
        assert read(longest=25)[1] == 2
        assert read(longest=24)[1] == 0
        assert read(size=51)[1] == 2
        assert read(size=50)[1] == 1  # one byte more shows that a file has ended
        assert read(most=3)[1] == 2
        assert read(most=1)[1] == 1  # but at least one file
        assert read(most_of_text=1)[1] == 2
        assert read(b"none.sgf\0")[1] == 0
        for wrong in (b"", b"a.sgf"):
            with pytest.raises(ValueError, match="zero byte"):
                read(wrong)
        with pytest.raises(ValueError, match="limit"):
            read(limit=-1)
    finally:
        os.close(descriptor)
