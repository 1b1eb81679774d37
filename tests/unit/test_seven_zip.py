"""7-Zip archives: what they hold, the limits of unpacking, and damage."""

import io
import random
import struct
import sys
import zlib

import pytest

from wei7core.limits import Limits
from wei7core.sources import seven_zip
from wei7core.sources.archives import is_archive_name, is_packed
from wei7core.sources.sources import Sources

py7zr = pytest.importorskip("py7zr", reason="needs the extra 7z")

ONE = b"(;GM[1]FF[4]SZ[9];B[aa])"
TWO = b"(;GM[1]FF[4]SZ[9];B[bb];W[])"
LZMA2 = {"id": py7zr.FILTER_LZMA2, "preset": 1}
METHODS = {
    "lzma2": [LZMA2],
    "lzma": [{"id": py7zr.FILTER_LZMA, "preset": 1}],
    "x86": [{"id": py7zr.FILTER_X86}, LZMA2],
    "delta": [{"id": py7zr.FILTER_DELTA}, LZMA2],
    "bzip2": [{"id": py7zr.FILTER_BZIP2}],
    "deflate": [{"id": py7zr.FILTER_DEFLATE}],
    "stored": [{"id": py7zr.FILTER_COPY}],
}


def packed(members, method="lzma2"):
    file = io.BytesIO()
    with py7zr.SevenZipFile(file, "w", filters=METHODS[method] if isinstance(method, str) else method) as archive:
        for name, data in members.items():
            archive.writestr(data, name)
    return file.getvalue()


def read(data, **limits):
    """(source, record, data or code of the problem) of all that an archive holds."""
    return [
        (text.source.partition("!/")[2], text.record, text.problems[-1].code if text.data is None else text.data)
        for text in Sources(data, limits=Limits(**limits))
    ]


def message(data):
    (*_, last) = Sources(data)
    return last.problems[-1].message


@pytest.mark.parametrize("method", METHODS)
def test_members_of_every_method(method):
    noise = random.Random(1).randbytes(100_000)
    many = {f"{number}.sgf": b"(;C[%d];B[aa])" % number for number in range(100)}
    data = packed({"a/b.sgf": ONE + TWO, "noise.bin": noise, "e.sgf": b"", **many}, method)
    expected = [("a/b.sgf", 0, ONE), ("a/b.sgf", 1, TWO), ("e.sgf", 0, b"")]
    assert read(data)[:2] == expected[:2]
    assert [row for row in read(data)[2:] if row[0] != "e.sgf"] == [(name, 0, text) for name, text in many.items()]


def test_names_are_no_paths_and_what_is_no_record_is_passed_over(tmp_path):
    path = tmp_path / "games.7z"
    path.write_bytes(
        packed({"x.sgf": ONE, "a.txt": ONE, "in.7z": packed({"x.sgf": ONE}), "in.sgf": packed({"x": ONE})})
    )
    sources = Sources(str(path))
    assert [text.source for text in sources] == [f"{path}!/x.sgf"]
    assert sources.passed_over == 3
    assert [text.data for text in Sources(str(tmp_path))] == [ONE]
    header = "zz/zz.sgf".encode("utf-16-le")
    with py7zr.SevenZipFile(file := io.BytesIO(), "w", filters=METHODS["stored"]) as archive:
        archive.set_encoded_header_mode(False)
        archive.writestr(ONE, "zz/zz.sgf")
    hostile = resigned(file.getvalue().replace(header, "../zz.sgf".encode("utf-16-le")))
    assert read(hostile) == [("../zz.sgf", 0, ONE)]


def resigned(data):
    """An archive with right checksums of a changed header."""
    start, size = struct.unpack_from("<QQ", data, 12)
    start_header = struct.pack("<QQL", start, size, zlib.crc32(data[32 + start : 32 + start + size]))
    return data[:8] + struct.pack("<L", zlib.crc32(start_header)) + start_header + data[32:]


def test_names_of_archives():
    assert is_archive_name("A.7Z") and is_packed(packed({"a.sgf": ONE}))


def test_a_pipe(monkeypatch):
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Pipe(packed({"a.sgf": ONE}))))
    assert [(text.source, text.data) for text in Sources("-")] == [("-!/a.sgf", ONE)]


@pytest.mark.parametrize("name", ["a.sgf", "a.bin"])
def test_what_is_unpacked_has_a_limit_also_where_nobody_reads_it(monkeypatch, name):
    monkeypatch.setattr("wei7core.sources.archives._FREE_OUTPUT", 1 << 20)
    data = packed({name: b"(;C[" + bytes(5 << 20), "b.sgf": ONE})
    assert read(data, max_expansion=10)[-1][2] == "limit-archive"
    assert "b.sgf" not in [row[0] for row in read(data, max_expansion=10)]
    assert ("b.sgf", 0, ONE) in read(data, max_expansion=100_000)


def test_the_memory_of_a_method_has_a_limit():
    for method, properties in ((b"\x21", b"\x28"), (b"\3\1\1", b"\x5d\0\0\0\x40")):
        with pytest.raises(seven_zip.UnpackingError, match="bytes of memory") as found:
            seven_zip._check_coders([{"method": method, "properties": properties}])
        assert found.value.code == "limit-archive"


def test_the_header_has_a_limit(monkeypatch):
    data = packed({f"{number}.sgf": ONE for number in range(400)})
    monkeypatch.setattr(seven_zip, "_MAX_HEADER", 1000)
    assert read(data) == [("", 0, "limit-archive")]
    assert "the header of the 7-Zip archive" in message(data)


def test_encrypted_archives_and_other_methods_are_refused_by_name():
    with pytest.raises(seven_zip.UnpackingError, match="is encrypted"):
        seven_zip._check_coders([{"method": b"\x06\xf1\x07\1", "properties": b""}])
    others = {"04f71102": {"id": py7zr.FILTER_BROTLI, "level": 1}, "030401": {"id": py7zr.FILTER_PPMD}}
    for number, row in others.items():
        assert f"7-Zip method {number} is not supported" in message(packed({"a.sgf": ONE}, [row]))


def test_damage_is_a_row_and_what_comes_before_it_is_kept():
    data = packed({"a.sgf": ONE, "b.sgf": TWO}, "stored")
    at = data.index(TWO) + 5
    rows = read(data[:at] + b"~" + data[at + 1 :])
    assert rows[0] == ("a.sgf", 0, ONE)
    assert rows[-1] == ("b.sgf", 1, "archive-invalid")
    assert read(data[:-1])[-1][2] == "archive-invalid"


def test_mutations_raise_nothing():
    chance = random.Random(7)
    bases = [packed({"a.sgf": ONE, "b.sgf": TWO * 20, "c": b"x"}, method) for method in ("lzma2", "stored", "bzip2")]
    for _ in range(400):
        data = bytearray(chance.choice(bases))
        for _ in range(chance.randint(1, 4)):
            data[chance.choice((chance.randrange(len(data)), chance.randrange(len(data) - 120, len(data))))] = (
                chance.choice((0, 1, 2, 127, 128, 255, chance.randrange(256)))
            )
        cut = len(data) if chance.random() < 0.9 else chance.randrange(len(data))
        for text in Sources(resigned(bytes(data[:cut]).ljust(40, b"\0")) if chance.random() < 0.8 else bytes(data)):
            assert text.data is not None or text.problems
