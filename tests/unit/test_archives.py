"""Compressed files and archives: each kind, damaged, hostile, from a pipe; what is passed over, what is kept."""

import bz2
import gzip
import importlib
import io
import lzma
import os
import random
import stat
import struct
import subprocess
import sys
import tarfile
import tracemalloc
import zipfile
import zlib

import pytest
from helpers.cases import in_groups
from helpers.effort import is_quick

from wei7core.limits import Limits
from wei7core.sources import archives as module
from wei7core.sources import codecs
from wei7core.sources.archives import Archives, is_archive_name
from wei7core.sources.codecs import Decompressed, compression
from wei7core.sources.sources import Sources

try:
    zstd = importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
except ImportError:
    zstd = None
needs_zstd = pytest.mark.skipif(zstd is None, reason="needs the extra zstd")

ONE = b"(;GM[1]FF[4]SZ[9];B[aa])"
TWO = b"(;GM[1]FF[4]SZ[9];B[bb];W[])"
COMPRESSORS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
if zstd is not None:
    COMPRESSORS["zst"] = zstd.compress
ZIP_METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
MANY = b"\n".join(b"(;GM[1]FF[4]C[%d];B[aa])" % (number * 7919) for number in range(5000))


def zipped(members, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def tarred(members, format=tarfile.DEFAULT_FORMAT):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=format) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(name, data):
        with open(name, "wb") as out:
            out.write(data)
        return name

    return write


def read(path, **limits):
    """(source, record, data or code of the problem) of all that a path holds."""
    return [
        (text.source, text.record, text.problems[-1].code if text.data is None else text.data)
        for text in Sources(path, limits=Limits(**limits))
    ]


def message(path):
    (*_, last) = Sources(path)
    return last.problems[-1].message


class Pipe(io.RawIOBase):
    """Bytes that come in pieces and cannot be sought in."""

    def __init__(self, data, piece=1000):
        self.data, self.piece = data, piece

    def readable(self):
        return True

    def readinto(self, buffer):
        size = min(len(buffer), self.piece, len(self.data))
        buffer[:size], self.data = self.data[:size], self.data[size:]
        return size


def piped(data, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Pipe(data))))
    return "-"


# --- every kind


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_compressed_files(file, monkeypatch, kind):
    packed = COMPRESSORS[kind](ONE + b"\n" + TWO)
    expected = [ONE, b"\n" + TWO]
    for name in (f"a.sgf.{kind}", f"A.SGF.{kind.upper()}", "a.sgf", "a", f"a.{kind}"):
        assert read(file(name, packed)) == [(name, 0, expected[0]), (name, 1, expected[1])]
    assert read(piped(packed, monkeypatch)) == [("-", 0, expected[0]), ("-", 1, expected[1])]
    assert read(packed) == [("<bytes>", 0, expected[0]), ("<bytes>", 1, expected[1])]


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_several_compressed_streams_are_one_file(file, kind):
    compress = COMPRESSORS[kind]
    assert read(file("a", compress(ONE) + compress(b"") + compress(TWO) + b"\0" * 20)) == [("a", 0, ONE), ("a", 1, TWO)]


@needs_zstd
def test_frames_to_be_skipped_are_no_data(file):
    skipped = b"\x53\x2a\x4d\x18\x04\0\0\0abcd"
    assert read(file("a.zst", skipped + COMPRESSORS["zst"](ONE) + skipped)) == [("a.zst", 0, ONE)]


@pytest.mark.parametrize("method", ZIP_METHODS)
def test_zip_archives(file, monkeypatch, method):
    data = zipped({"b/one.sgf": ONE, "a.sgf": TWO, "big.sgf": MANY, "notes.txt": b"(;B[aa])"}, method)
    found = read(file("a.zip", data))
    assert found[:3] == [
        ("a.zip!/b/one.sgf", 0, ONE),
        ("a.zip!/a.sgf", 0, TWO),
        ("a.zip!/big.sgf", 0, b"(;GM[1]FF[4]C[0];B[aa])"),
    ]
    assert b"".join(data for _, _, data in found[2:]) == MANY
    assert [row[1:] for row in read(piped(data, monkeypatch))] == [row[1:] for row in found]
    assert read(file("zip", data))[0] == ("zip!/b/one.sgf", 0, ONE)


@pytest.mark.exhaustive
@pytest.mark.parametrize("format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("kind", ["", *COMPRESSORS])
def test_tar_archives(file, monkeypatch, format, kind):
    long = "x" * 90 + "/" + "y" * 90 + ".sgf"
    data = tarred({"b/one.sgf": ONE, long: TWO, "big.sgf": MANY, "notes.txt": b"(;B[aa])"}, format)
    data = COMPRESSORS[kind](data) if kind else data
    found = read(file("a.tar", data))
    assert found[:2] == [("a.tar!/b/one.sgf", 0, ONE), (f"a.tar!/{long}", 0, TWO)]
    assert b"".join(data for _, _, data in found[2:]) == MANY
    assert [row[1:] for row in read(piped(data, monkeypatch))] == [row[1:] for row in found]


def test_compressed_files_in_archives(file):
    members = {f"a.sgf.{kind}": compress(ONE) for kind, compress in COMPRESSORS.items()}
    members["b.jsonl.gz"] = gzip.compress(b"{}\n[]\n")
    for name, data in (("a.zip", zipped(members)), ("a.tar", tarred(members))):
        assert read(file(name, data)) == [
            *((f"{name}!/a.sgf.{kind}", 0, ONE) for kind in COMPRESSORS),
            (f"{name}!/b.jsonl.gz", 0, b"{}"),
            (f"{name}!/b.jsonl.gz", 1, b"[]"),
        ]


def test_an_archive_in_an_archive_is_passed_over(file):
    inner = {"zip.sgf": zipped({"a.sgf": ONE}), "tar.sgf": gzip.compress(tarred({"a.sgf": ONE})), "b.sgf": TWO}
    for name, data in (("a.zip", zipped(inner)), ("a.tar", tarred(inner))):
        sources = Sources(file(name, data))
        assert [text.source for text in sources] == [f"{name}!/b.sgf"]
        assert sources.passed_over == 2


def test_empty_archives_hold_nothing(file):
    for name, data in (("a.zip", zipped({})), ("a.tar", tarred({})), ("a.tgz", gzip.compress(tarred({})))):
        assert read(file(name, data)) == []


def test_a_folder_of_everything(file, tmp_path):
    file("a.sgf", ONE)
    file("b.sgf.xz", lzma.compress(TWO))
    file("c.ZIP", zipped({"x.sgf": ONE, "y.txt": ONE}))
    file("d.tar.bz2", bz2.compress(tarred({"z.wei7": b"{}"})))
    file("e.txt", b"a text")
    file("f.gz", gzip.compress(ONE))
    sources = Sources(os.curdir)
    found = [os.path.relpath(text.source) for text in sources]
    assert found == ["a.sgf", "b.sgf.xz", os.path.join("c.ZIP!", "x.sgf"), os.path.join("d.tar.bz2!", "z.wei7")]
    assert sources.passed_over == 3


@in_groups(
    ("name", "expected"),
    [("a.tar", True), ("a.TAR.gz", True), ("a.tzst", True), ("a.zip", True), ("a.gz", False), ("tar", False)],
)
def test_names_of_archives(name, expected):
    assert is_archive_name(name) == expected


def test_the_suffix_of_the_file_inside_is_checked(file):
    assert [text.problems for text in Sources(file("a.wei7.gz", gzip.compress(b"{}")))] == [()]
    (text,) = Sources(file("b.WEI7.gz", gzip.compress(b"{}")))
    assert [problem.code for problem in text.problems] == ["file-suffix-case"]
    (text,) = Sources(file("c.zip", zipped({"a.wei7": b"{}"})))
    assert text.problems == ()


# --- what must not be touched


def test_links_devices_and_folders_in_tar_archives_are_passed_over(file, tmp_path):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for number, kind in enumerate(
            [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE]
        ):
            info = tarfile.TarInfo(f"{number}.sgf")
            info.type = kind
            info.linkname = "/etc/passwd"
            archive.addfile(info)
        info = tarfile.TarInfo("last.sgf")
        info.size = len(ONE)
        archive.addfile(info, io.BytesIO(ONE))
    sources = Sources(file("a.tar", content.getvalue()))
    assert [(text.source, text.data) for text in sources] == [("a.tar!/last.sgf", ONE)]
    assert sources.passed_over == 5


def test_attributes_of_macos_are_passed_over(file):
    attributes = b"\0\5\26\7\0\2\0\0Mac OS X"
    members = {"d/a.sgf": ONE, "d/._a.sgf": attributes, "__MACOSX/d/._a.sgf.gz": attributes, "._d/b.sgf": TWO}
    for pack, name in ((zipped, "a.zip"), (tarred, "a.tar")):
        sources = Sources(file(name, pack(members)))
        assert [text.source for text in sources] == [f"{name}!/d/a.sgf", f"{name}!/._d/b.sgf"]
        assert sources.passed_over == 2
    os.mkdir("in")
    for name, data in (("a.sgf", ONE), ("._a.sgf", attributes), ("._b.zip", attributes), ("._c.sgf", TWO)):
        file(f"in/{name}", data)
    assert read("in") == [("in/._c.sgf", 0, TWO), ("in/a.sgf", 0, ONE)]  # a record is one under any name
    assert read("in/._a.sgf")[0][2] == "format-unknown"


@pytest.mark.parametrize(
    ("encoding", "names", "is_clear"),
    [
        ("utf-8", ["棋谱/柯洁.sgf", "기보.sgf", "Müller.sgf"], True),
        ("cp932", ["棋譜/表/名人戦.sgf", "対局.sgf"], True),  # second bytes are backslashes
        ("cp949", ["기보/이창호.sgf"], True),
        ("gb18030", ["第1局.sgf", "李昌镐-常昊.sgf"], True),
        ("big5hkscs", ["棋譜/周俊勳.sgf"], True),
        ("cp437", ["Müller.sgf", "Ångström vs. François.sgf", "Süß.sgf", "niño.sgf"], True),
        ("gb18030", ["棋谱/古力.sgf"], False),  # Korean is nearly as likely
    ],
)
def test_names_of_zip_members_without_the_flag_of_utf8(file, encoding, names, is_clear):
    raw = [name.encode(encoding) for name in names]
    plain = [f"{number}".rjust(len(name), "_") for number, name in enumerate(raw)]
    data = zipped(dict.fromkeys([*plain, "x.sgf"], ONE))
    for one, other in zip(plain, raw, strict=True):
        assert data.count(one.encode()) == 2
        data = data.replace(one.encode(), other)
    found = [text.source for text in Sources(file("a.zip", data))]
    shown = names if is_clear else [name.decode("cp437") for name in raw]
    assert found == [f"a.zip!/{name}" for name in [*shown, "x.sgf"]]


@pytest.mark.parametrize("format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT])
@pytest.mark.parametrize(
    ("encoding", "names", "unclear"),
    [
        ("utf-8", ["棋谱/柯洁.sgf", "Müller.sgf"], 0),
        ("cp932", ["棋譜/表/名人戦.sgf", "対局.sgf"], 0),
        ("cp949", ["a.sgf", "기보/이창호.sgf"], 0),
        ("gb18030", ["棋谱/古力.sgf", "第1局.sgf", "李昌镐-常昊.sgf", "棋谱/古力.sgf"], 1),
        ("latin-1", ["Müller.sgf", "Süß.sgf"], 2),
    ],
)
def test_names_of_tar_members_in_legacy_encodings(file, format, encoding, names, unclear):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=format, encoding=encoding) as archive:
        for name in [*names, "x.sgf"]:
            info = tarfile.TarInfo(name)
            info.size = len(ONE)
            archive.addfile(info, io.BytesIO(ONE))
    found = [text.source for text in Sources(file("a.tar", content.getvalue()))]
    kept = [name.encode(encoding).decode("utf-8", "surrogateescape") for name in names[:unclear]]
    assert found == [f"a.tar!/{name}" for name in [*kept, *names[unclear:], "x.sgf"]]


def test_names_of_zip_members_may_differ_in_encoding(file):
    data = zipped(dict.fromkeys(["_____1", "______2", "é.sgf"], ONE))
    data = data.replace(b"_____1", "é1.sgf".encode("cp437")).replace(b"______2", "é2.sgf".encode())
    assert [text.source for text in Sources(file("a.zip", data))] == ["a.zip!/é1.sgf", "a.zip!/é2.sgf", "a.zip!/é.sgf"]


def test_links_in_zip_archives_are_passed_over(file):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        link = zipfile.ZipInfo("link.sgf")
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.mkdir("folder.sgf") if hasattr(archive, "mkdir") else archive.writestr("folder.sgf/", b"")
        archive.writestr("a.sgf", ONE)
    sources = Sources(file("a.zip", content.getvalue()))
    assert [text.source for text in sources] == ["a.zip!/a.sgf"]
    assert sources.passed_over == 2


@pytest.mark.parametrize("name", ["../out.sgf", "/out.sgf", "a/../../out.sgf", "C:\\out.sgf"])
def test_names_are_never_paths(file, tmp_path, name):
    for pack in (zipped, tarred):
        found = read(file("a", pack({name: ONE})))
        assert [data for _, _, data in found] == [ONE]
        assert found[0][0].startswith("a!/")
    assert os.listdir(tmp_path) == ["a"]
    assert "out.sgf" not in os.listdir(tmp_path.parent)


def test_a_member_that_is_encrypted_is_reported(file):
    data = bytearray(zipped({"a.sgf": ONE, "b.sgf": TWO}))
    data[6] |= 1  # the flag in front of the member, and the one in the directory
    data[data.index(b"PK\1\2") + 8] |= 1
    path = file("a.zip", bytes(data))
    assert read(path) == [("a.zip!/a.sgf", 0, "archive-invalid"), ("a.zip!/b.sgf", 0, TWO)]
    assert "encrypted" in next(iter(Sources(path))).problems[0].message


# --- damage


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_a_file_that_breaks_off_gives_what_was_read(file, kind):
    packed = COMPRESSORS[kind](MANY)
    for share in (0.3, 0.7, 0.999):
        *found, last = read(file("a", packed[: int(len(packed) * share)]))
        assert last == ("a", len(found), "archive-invalid")
        data = b"".join(data for _, _, data in found)
        assert MANY.startswith(data)
        assert len(data) > len(MANY) // 5 or kind in ("bz2", "zst")  # which have large blocks
    assert "ends too early" in message("a")


def test_a_wrong_checksum_loses_nothing(file):
    noise = random.Random(1)
    for text in (MANY, *(b"(;C[%b])" % noise.randbytes(size).hex().encode() for size in range(100, 140))):
        packed = bytearray(gzip.compress(text))
        packed[-6] ^= 1
        *found, last = read(file("a.sgf.gz", bytes(packed)))
        assert b"".join(data for _, _, data in found) == text
        assert last[2] == "archive-invalid"


def test_a_damaged_place_loses_only_what_follows(file):
    packed = bytearray(gzip.compress(MANY))
    packed[len(packed) // 2 : len(packed) // 2 + 50] = b"\xff" * 50
    *found, last = read(file("a.sgf.gz", bytes(packed)))
    assert last[2] == "archive-invalid"
    assert len(found) > 1500
    assert found[1500][2] == b"\n(;GM[1]FF[4]C[%d];B[aa])" % (1500 * 7919)


def games_of(size):
    """A collection of games that compress badly, `size` bytes of it."""
    noise = random.Random(1)
    return b"".join(b"(;GM[1]FF[4]C[%b];B[aa])\n" % noise.randbytes(100).hex().encode() for _ in range(size // 226))


def test_a_damaged_bzip2_block_leaves_the_blocks_before_it(file):
    text = games_of(400_000)  # at level 1 a block is 100,000 bytes
    packed = bz2.compress(text, 1)
    for share in (0.3, 0.6, 0.9):
        place = int(len(packed) * share)
        damaged = packed[:place] + b"\0" * 8 + packed[place + 8 :]
        *found, last = read(file("a.sgf.bz2", damaged))
        data = b"".join(data for _, _, data in found)
        assert last[2] == "archive-invalid"
        whole_blocks = int(share * len(text)) // 100_000 * 100_000
        assert data.startswith(text[: whole_blocks - 8192 - 226])


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", COMPRESSORS)
def test_games_before_a_damaged_place_are_read(file, kind):
    """However the damage shows: cut at a place, all that a decompressor makes of what is before it; changed, nearly."""
    text = games_of(600_000)
    packed = bz2.compress(text, 1) if kind == "bz2" else COMPRESSORS[kind](text)
    for share in (0.2, 0.5, 0.8):
        place = int(len(packed) * share)
        *cut, _ = read(file("a", packed[:place]))
        expected = b"".join(data for _, _, data in cut)
        for change in (b"\0" * 64, b"\xff" * 64, bytes(range(64))):
            rows = read(file("a", packed[:place] + change + packed[place + 64 :]))
            found = b"".join(data for _, _, data in rows if isinstance(data, bytes))
            assert rows[-1][2] == "archive-invalid" or kind == "zst"  # which has no checksum here
            assert found.startswith(expected[: len(expected) - 8192 - 226])


@pytest.mark.exhaustive
def test_gzip_and_deflate_lose_nothing_before_a_damaged_place(file):
    text = games_of(200_000)
    packed = gzip.compress(text, 6)
    for share in (0.2, 0.5, 0.8):
        place = int(len(packed) * share)
        damaged = packed[:place] + b"\xff" * 64 + packed[place + 64 :]
        decoder = zlib.decompressobj(31)
        expected = b""
        with pytest.raises(zlib.error):
            for byte in damaged:
                expected += decoder.decompress(bytes([byte]))
        rows = read(file("a", damaged))
        assert rows[-1][2] == "archive-invalid"
        found = b"".join(data for _, _, data in rows[:-1])
        assert expected.startswith(found) and len(expected) - len(found) < 2 * 226
        archive = zipped({"a.sgf": text})
        begin = archive.index(packed[10:40]) + place - 10  # in the same deflated data
        archive = archive[:begin] + b"\xff" * 64 + archive[begin + 64 :]
        assert [row[2] for row in read(file("a.zip", archive))] == [row[2] for row in rows]


def test_xz_that_asks_for_gigabytes_is_refused(file):
    packer = lzma.LZMACompressor(filters=[{"id": lzma.FILTER_LZMA2, "preset": 0}])
    small = packer.compress(ONE) + packer.flush()
    assert read(file("a.xz", small)) == [("a.xz", 0, ONE)]
    head = bytearray(small)
    head[15] = 37  # 1.5 GiB in the filter's properties
    head[20:24] = zlib.crc32(head[12:20]).to_bytes(4, "little")
    assert read(file("a.xz", bytes(head))) == [("a.xz", 0, "archive-invalid")]


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_something_else_after_compressed_data_is_reported(file, kind):
    assert read(file("a", COMPRESSORS[kind](ONE) + b"garbage!!")) == [("a", 0, ONE), ("a", 1, "archive-invalid")]


def test_a_tar_archive_that_breaks_off(file):
    data = tarred({"a.sgf": ONE, "b.sgf": MANY, "c.sgf": TWO})
    for end in (1024 + 100, 1024 + 512, 1024 + 512 + 1000, len(data) - 10240 + 100):
        found = read(file("a.tar", data[:end]))
        assert found[0] == ("a.tar!/a.sgf", 0, ONE)
        assert [row[2] for row in found].count("archive-invalid") == 1
        assert found[-1][2] == "archive-invalid"
    packed = gzip.compress(data)
    found = read(file("a.tgz", packed[: len(packed) // 2]))
    assert found[0][2] == ONE and len(found) > 1000
    assert [row[2] for row in found].count("archive-invalid") == 1


@pytest.mark.parametrize("kind", COMPRESSORS)
@pytest.mark.parametrize("count", [3, 300])  # as few as are read at once, and more
def test_a_tar_archive_whose_compressed_end_is_damaged(file, kind, count):
    """No member is lost, and the checksum is compared although all of them come before it."""
    members = {f"{number}.sgf": ONE for number in range(count)}
    packed = COMPRESSORS[kind](tarred(members))
    damaged = bytearray(packed)
    damaged[{"gz": -6, "bz2": -3, "xz": -1, "zst": 0}[kind]] ^= 1
    expected = [(f"a.tar!/{name}", 0, ONE) for name in members]
    reports = {packed + b"garbage!!": "other data follows"}
    if kind != "zst":  # whose checksum is optional, so that its end is part of the data
        reports |= {packed[:-1]: "ends too early", bytes(damaged): "is damaged"}
    for data, report in reports.items():
        assert read(file("a.tar", data)) == [*expected, ("a.tar", 0, "archive-invalid")]
        assert report in message("a.tar")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_records_of_a_member_at_which_a_tar_archive_breaks_off(file, pack):
    data = pack(tarred({"a.sgf": ONE, "b.sgf": MANY}))
    whole = [row[2] for row in read(file("a.tar", data))]
    found = read(file("a.tar", data[: len(data) * 2 // 3]))
    assert 2000 < len(found) < 4500
    assert [row[2] for row in found[:-2]] == whole[: len(found) - 2]  # one record is cut
    assert found[-1][::2] == ("a.tar!/b.sgf", "archive-invalid")


def test_a_damaged_header_ends_a_tar_archive(file):
    data = bytearray(tarred({"a.sgf": ONE, "b.sgf": ONE}))
    data[1024 + 5] ^= 1
    assert read(file("a.tar", bytes(data))) == [("a.tar!/a.sgf", 0, ONE), ("a.tar", 0, "archive-invalid")]
    assert "damaged" in message("a.tar")


def test_tar_archives_one_after_the_other_are_one(file):
    one, two = tarred({"a.sgf": ONE}), tarred({"b.sgf": TWO, "c.sgf": ONE})
    expected = [("a.tar!/a.sgf", 0, ONE), ("a.tar!/b.sgf", 0, TWO), ("a.tar!/c.sgf", 0, ONE)]
    assert read(file("a.tar", one + two)) == expected
    assert read(file("a.tar", one + bytes(2 << 20) + two + bytes(700))) == expected  # with more zeros than a header has
    assert read(file("a.tar", gzip.compress(one) + gzip.compress(two))) == expected


def test_other_data_after_the_end_of_a_tar_archive_is_reported(file):
    data = tarred({"a.sgf": ONE})
    assert read(file("a.tar", data + b"(;B[aa])" * 100)) == [("a.tar!/a.sgf", 0, ONE), ("a.tar", 0, "archive-invalid")]
    assert "other data follows the end of the tar archive" in message("a.tar")


def test_sparse_members_of_tar_archives_are_read(file, tmp_path):
    if subprocess.run(["tar", "--version"], capture_output=True, check=False).stdout[:7] != b"tar (GN":
        pytest.skip("needs GNU tar")
    with open(tmp_path / "a.sgf", "wb") as sparse:
        sparse.write(ONE)
        sparse.seek(1 << 20)
        sparse.write(TWO)
    for format in ("gnu", "posix"):
        subprocess.run(["tar", "-S", f"--format={format}", "-cf", "a.tar", "a.sgf"], cwd=tmp_path, check=True)
        found = b"".join(data for _, _, data in read("a.tar"))
        assert found.replace(b"\0", b"") == ONE + TWO


def test_damaged_zip_archives(file):
    data = zipped({"a.sgf": ONE, "b.sgf": TWO}, zipfile.ZIP_STORED)
    assert read(file("a.zip", data[:-30])) == [("a.zip", 0, "archive-invalid")]
    assert read(file("a.zip", b"PK\3\4nothing")) == [("a.zip", 0, "archive-invalid")]
    assert read(file("a.zip", data.replace(b"B[aa]", b"B[ab]"))) == [
        ("a.zip!/a.sgf", 0, ONE.replace(b"B[aa]", b"B[ab]")),
        ("a.zip!/a.sgf", 1, "archive-invalid"),
        ("a.zip!/b.sgf", 0, TWO),
    ]
    unknown = bytearray(data)
    unknown[unknown.index(b"PK\1\2") + 10] = 97
    assert read(file("a.zip", bytes(unknown)))[0] == ("a.zip!/a.sgf", 0, "archive-invalid")


def test_no_damage_escapes(file):
    """Every byte of small archives changed, and cut everywhere: rows, no exceptions."""
    originals = [pack({"a.sgf": ONE, "b.sgf.gz": gzip.compress(TWO)}) for pack in (zipped, tarred)]
    originals += [compress(ONE) for compress in COMPRESSORS.values()]
    for original in originals:
        step = max(1, len(original) // (40 if is_quick() else 250))
        for place in range(0, len(original), step):
            changed = bytearray(original)
            changed[place] ^= 0xA5
            for data in (bytes(changed), original[:place]):
                for text in Sources(data):
                    assert text.data is not None or text.problems


def test_a_member_without_a_name_is_passed_over(file):
    data = zipped({"x": ONE, "a.sgf": TWO}, zipfile.ZIP_STORED)
    assert read(file("a.zip", data.replace(b"x", b"\0"))) == [("a.zip!/a.sgf", 0, TWO)]


def test_a_length_below_zero_is_damage(file):
    block = bytearray(tarred({"a.sgf": ONE}))
    block[124:136] = b"\xff" * 12  # minus one, in the binary form of GNU tar
    block[148:156] = b"        "
    block[148:156] = b"%06o\0 " % sum(block[:512])
    assert read(file("a.tar", bytes(block)))[-1][2] == "archive-invalid"


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [1, 1000, 1 << 12, 1 << 16, 1 << 20])
def test_output_that_just_fits_is_no_end(size):
    """Decoders report only on the next call that their input is used up."""
    # More than is unpacked at once, of a length that the blocks of the compressors come to.
    data = random.Random(1).randbytes(1 << (11 if size == 1 else 17)).hex().encode()
    for compress in COMPRESSORS.values():
        packed = compress(data) * 2
        content = Decompressed(io.BytesIO(packed), compression(packed))
        assert b"".join(iter(lambda content=content: content.read(size), b"")) == data * 2
    for method in ZIP_METHODS:
        with zipfile.ZipFile(io.BytesIO(zipped({"a": data}, method))) as archive:
            content = module._ZipContent(archive, archive.getinfo("a"))
            assert b"".join(iter(lambda content=content: content.read(size), b"")) == data
            content.close()


# --- bombs


def gzipped(*parts: tuple[bytes, int]) -> bytes:
    """A gzip file of texts, each so many times, which is packed once."""
    packed, check, size = [b"\x1f\x8b\x08\0\0\0\0\0\2\xff"], 0, 0
    for data, times in parts:
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed.append((packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)) * times)
        size += len(data) * times
        for _ in range(times):
            check = zlib.crc32(data, check)
    return b"".join([*packed, b"\3\0", struct.pack("<LL", check, size & 0xFFFFFFFF)])


def test_what_is_packed_once_is_unpacked_as_often_as_stated():
    assert gzip.decompress(gzipped((b"one ", 1), (b"two ", 3))) == b"one two two two "


@pytest.fixture
def small_free(monkeypatch):
    """1 MiB may be unpacked from anything, so that small bombs show what large ones do."""
    monkeypatch.setattr(module, "_FREE_OUTPUT", 1 << 20)


@pytest.fixture
def peak():
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", COMPRESSORS)
def test_bombs_are_stopped(file, small_free, peak, kind):
    path = file("a.sgf", COMPRESSORS[kind](b"(;C[" + bytes(32 << 20)))
    before = peak()
    found = read(path, max_expansion=10, max_bytes=1 << 18)
    assert [row[:2] for row in found] == [("a.sgf", 0), ("a.sgf", 1)]
    assert found[1][2] == "limit-archive"
    assert peak() - before < 8 << 20


@pytest.mark.exhaustive
def test_a_gibibyte_of_zeros_is_not_unpacked(file, peak):
    packed = gzipped((bytes(1 << 20), 1024))
    before = peak()
    assert read(file("a", packed)) == [("a", 0, "format-unknown")]
    for pack in (zipped, tarred):
        assert read(file("a", pack({"a.sgf": packed, "b.txt": packed}))) == [("a!/a.sgf", 0, "format-unknown")]
    assert peak() - before < 16 << 20


@pytest.mark.exhaustive
@pytest.mark.parametrize("method", ZIP_METHODS[1:])
def test_bombs_in_zip_archives_are_stopped(file, small_free, peak, method):
    path = file("a.zip", zipped({f"{number}.sgf": b"(;C[" + bytes(20 << 20) for number in range(2)}, method))
    before = peak()
    found = read(path, max_expansion=1, max_bytes=1 << 18)
    assert [row[:2] for row in found] == [("a.zip!/0.sgf", 0), ("a.zip!/0.sgf", 1)]
    assert found[1][2] == "limit-archive"
    assert peak() - before < 8 << 20


@pytest.mark.exhaustive
def test_all_members_together_are_measured(file, small_free):
    small = {f"{number}.sgf.gz": gzip.compress(MANY) for number in range(20)}
    for pack in (zipped, tarred):
        found = read(file("a", pack(small)), max_expansion=0)
        assert found[-1][2] == "limit-archive"
        assert 10_000 < len(found) < 50_000
        assert len(read(file("a", pack(small)), max_expansion=100)) == 100_000


def test_a_bomb_that_is_passed_over_is_stopped(file, small_free):
    packed = gzip.compress(tarred({"a.sgf": ONE, "zeros": bytes(9 << 20), "b.sgf": TWO}))
    assert read(file("a.tgz", packed), max_expansion=10) == [("a.tgz!/a.sgf", 0, ONE), ("a.tgz", 0, "limit-archive")]


def test_what_zip_members_share_counts_each_time(file, small_free):
    """One compressed text under many names, as in the bombs of a few kilobytes that hold petabytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.sgf", b"(;C[" + bytes(900_000))
        (info,) = archive.infolist()
        archive.filelist.extend([info] * 50)
    found = read(file("a.zip", content.getvalue()), max_expansion=100, max_bytes=1 << 16)
    assert found[-1][2] == "limit-archive"  # by every zipfile: newer ones refuse or warn of members that share bytes
    assert len(found) < 52


def test_an_ordinary_file_is_within_the_limit(file):
    assert len(read(file("a.sgf.gz", gzip.compress(MANY)), max_expansion=0)) == 5000


@pytest.mark.exhaustive
def test_a_header_without_end_is_refused(file, peak):
    info = tarfile.TarInfo("x")
    info.type = tarfile.XHDTYPE
    info.size = 200 << 20
    data = gzipped((info.tobuf(), 1), (b"0" * (1 << 20), 200))
    before = peak()
    assert read(file("a.tgz", data)) == [("a.tgz", 0, "archive-invalid")]
    assert peak() - before < 16 << 20


def test_a_directory_of_millions_is_refused(file, monkeypatch):
    monkeypatch.setattr(module, "_MAX_ZIP_DIRECTORY", 1 << 16)
    data = zipped({f"{number:020}.sgf": ONE for number in range(1000)}, zipfile.ZIP_STORED)
    assert read(file("a.zip", data)) == [("a.zip", 0, "limit-archive")]


def test_games_that_show_in_packed_bytes_are_unpacked_all_the_same():
    assert read(gzip.compress(ONE + TWO, 0)) == [("<bytes>", 0, ONE), ("<bytes>", 1, TWO)]
    for pack in (tarred, lambda members: zipped(members, zipfile.ZIP_STORED)):
        assert read(pack({"a.sgf": ONE})) == [("<bytes>!/a.sgf", 0, ONE)]


def test_files_compressed_again_and_again(file):
    data = ONE
    for layers in range(1, 5):
        data = gzip.compress(data)
        assert read(file("a.sgf", data))[0][2] == (ONE if layers <= 2 else "archive-invalid")


# --- missing members, and leftovers


@pytest.mark.parametrize(
    ("module", "start", "advice"),
    [
        ("zstd", b"\x28\xb5\x2f\xfd", "pip install 'wei7core[zstd]'"),
        ("bz2", b"BZh91AY&SY", "without its module bz2"),
        ("lzma", b"\xfd7zXZ\0", "without its module lzma"),
    ],
)
def test_without_the_module_the_row_names_what_is_missing(file, monkeypatch, module, start, advice):
    find = codecs.importlib.import_module

    def gone(name):
        if name.endswith(module):
            raise ImportError(name)
        return find(name)

    monkeypatch.setattr(codecs.importlib, "import_module", gone)
    assert read(file("a.sgf", start + bytes(10))) == [("a.sgf", 0, "file-unreadable")]
    assert advice in message("a.sgf")


def test_without_py7zr_the_row_names_the_extra(file, monkeypatch):
    monkeypatch.setitem(sys.modules, "py7zr", None)
    assert read(file("a.7z", b"7z\xbc\xaf\x27\x1c" + bytes(60))) == [("a.7z", 0, "file-unreadable")]
    assert "pip install 'wei7core[7z]'" in message("a.7z")
    packed = gzip.compress(b"7z\xbc\xaf\x27\x1c" + bytes(60))
    assert read(file("a.7z.gz", packed)) == [("a.7z.gz", 0, "archive-invalid")]


def test_a_reader_that_stops_early_leaves_no_file_open(file, monkeypatch, recwarn):
    data = zipped({"a.sgf": ONE, "b.sgf": TWO})
    for inputs in (
        file("a.zip", data),
        piped(data, monkeypatch),
        file("a.tgz", gzip.compress(tarred({"a.sgf": MANY}))),
    ):
        texts = iter(Sources(inputs))
        next(texts)
        texts.close()
    assert not [warning for warning in recwarn if warning.category is ResourceWarning]


def test_members_come_as_streams():
    archives = Archives(lambda name: name.endswith(".sgf"))
    members = archives.members("a.zip", "a.zip", io.BytesIO(zipped({"a.sgf": ONE, "b": TWO})))
    assert [(member.source, member.name, member.file.read(), member.failure) for member in members] == [
        ("a.zip!/a.sgf", "a.sgf", ONE, None)
    ]
    assert archives.passed_over == 1


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_a_pipe_of_a_zip_archive(file):
    file("a.zip", zipped({"a.sgf": ONE}))
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    command = f'cat a.zip | "{sys.executable}" -m wei7core replay - --format csv'
    done = subprocess.run(command, shell=True, capture_output=True, check=True, env=environment, timeout=600)
    assert done.stdout.splitlines()[1].startswith(b"-!/a.sgf,0,")
