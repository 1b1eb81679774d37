"""Inputs and tables that seldom come: files that go away, archives in archives, tables that have to be cut."""

import csv
import errno
import io
import os
import sys
import threading
import types
import zipfile
from itertools import count

import numpy as np
import pytest

import wei7core as w7
from wei7core._util import atomic_write as temporaries
from wei7core._util import files, lazy_import
from wei7core._util import scan_dir as folders
from wei7core._util.prefetch import Prefetcher
from wei7core.batch import expansion
from wei7core.cli import main as cli
from wei7core.cli import show
from wei7core.record.document import Branch, Result
from wei7core.sources import archives, sources
from wei7core.sources.codecs import Compression, Decompressed, UnpackingError
from wei7core.sources.sources import Sources
from wei7core.sources.splits import FilePart
from wei7core.tables import writers as table_files
from wei7core.tables.columns import Column, Numbers
from wei7core.tables.table import Table

SGF = b"(;SZ[9];B[aa])"


class NoReadinto:
    """A file that can be read and nothing else."""

    def __init__(self, data):
        self.read = io.BytesIO(data).read


def test_modules_that_lack_a_library_name_it(monkeypatch):
    def import_module(name):
        raise ModuleNotFoundError("no library", name="library" if name == "wei7core.arrow" else name)

    monkeypatch.setattr(lazy_import.importlib, "import_module", import_module)
    with pytest.raises(AttributeError, match="nonsense"):
        w7.__getattr__("nonsense")
    with pytest.raises(ModuleNotFoundError, match="no library"):
        w7.__getattr__("arrow")


def test_what_is_raised_when_an_iterator_is_given_up():
    ended = threading.Event()

    def items():
        try:
            yield from count()
        finally:
            ended.set()
            raise OSError("closed")

    ahead = Prefetcher(items(), 2)
    assert next(ahead) == 0
    ahead.close()
    assert ended.is_set()


def test_a_zip_archive_that_is_compressed_once_more(tmp_path):
    import gzip

    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("a.sgf", SGF)
    (tmp_path / "a.zip.gz").write_bytes(gzip.compress(inner.getvalue()))
    (row,) = w7.replay(str(tmp_path / "a.zip.gz"))
    assert row.error == "archive-invalid"


@pytest.mark.parametrize("error", [MemoryError, UnpackingError])
def test_memory_that_runs_out_is_no_damage(error):
    class Decoder:
        eof, needs_input, unused_data = False, True, b""

        def decompress(self, data, size):
            raise error() if error is MemoryError else error("archive-invalid", "")

    with pytest.raises(error):
        Decompressed(io.BytesIO(b"x"), Compression("gzip", Decoder)).read(1)


def test_equal_parts_of_games_are_looked_at_once():
    branch = Branch(branches=[Branch()])
    assert Branch(branches=branch.branches) == Branch(branches=branch.branches)
    assert Result(1) != 1
    assert w7.Move(1, None) != w7.Result(1)


def test_a_file_that_cannot_get_its_name(tmp_path, monkeypatch):
    def replace(temporary, target):
        raise OSError(errno.EACCES, "no", temporary)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(OSError) as caught, files.write_whole(str(tmp_path / "a.txt")) as file:
        file.write("a")
    assert caught.value.filename == str(tmp_path / "a.txt")
    assert os.listdir(tmp_path) == []


def test_a_file_that_cannot_be_written_names_the_one_that_was_asked_for(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"")
    with files._NamedFile(str(path), "r", "shown") as file, pytest.raises(io.UnsupportedOperation):
        file.write(b"a")


def test_folders_that_go_away(tmp_path, monkeypatch):
    (tmp_path / "in").mkdir()
    (tmp_path / "a.sgf").write_bytes(SGF)
    (tmp_path / "in" / "b.sgf").write_bytes(SGF)
    entries = folders._entries

    def gone(folder):
        if folder.endswith("in"):
            raise FileNotFoundError(2, "gone", folder)
        return entries(folder)

    monkeypatch.setattr(folders, "_entries", gone)
    rows = list(w7.replay(str(tmp_path)))
    assert rows[0].moves == 1 and rows[1].error == "file-unreadable"


def test_entries_that_cannot_be_looked_at():
    class Entry:
        def is_dir(self):
            raise OSError

    assert folders._is_folder(Entry()) is False


@pytest.mark.parametrize(
    ("inputs", "size"),
    [
        ([SGF, SGF], 2 * len(SGF)),
        (["/nonsense"], None),
        ([os.devnull], None),
        (iter([SGF]), None),
        ([FilePart("a", io.BytesIO, "sgf", 0, 1, 0)], None),
    ],
    ids=["bytes", "gone", "no-file", "iterator", "part"],
)
def test_how_much_there_is_to_read(inputs, size):
    assert Sources(inputs).bytes_in_all == size


def test_records_of_servers_in_memory():
    gib = b"\\HS\n\\[GAMENAME=a\\]\n\\HE\n\\GS\nSTO 0 2 1 3 3\n\\GE\n" + b" " * 100_000
    (row,) = w7.replay(gib)
    assert row.moves == 1


def test_tables_of_text_for_files_in_another_encoding(tmp_path):
    column = Column("a", "number")
    file = io.StringIO()
    writer = table_files._Text(file, [column], "csv")
    writer.write({"a": Numbers.of([1, 2], np.int64)})
    assert file.getvalue() == "a\n1\n2\n"


def test_libraries_of_which_python_knows_no_more(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert table_files.has_pyarrow() is False


def test_lengths_of_tables():
    assert repr(w7.expand(w7.Board(2), 1)) == "<Table of 4 rows: parent, x, y, legal, reason, captured, ..>"
    assert isinstance(w7.expand(w7.Board(2), 1), Table)


def test_locks_that_a_file_system_does_not_have(tmp_path, monkeypatch):
    def flock(descriptor, how):
        raise OSError(errno.ENOLCK, "no locks")

    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(fcntl, "flock", flock)
    with open(tmp_path / "a", "w") as file:
        assert temporaries.lock_file("a", file.fileno()) is True


def test_a_folder_that_another_run_clears_away(tmp_path, monkeypatch):
    opened, real = [], os.open

    def open_(path, *arguments, **options):
        opened.append(path)
        if len(opened) == 1:
            raise FileNotFoundError(2, "gone", path)
        return real(path, *arguments, **options)

    monkeypatch.setattr(temporaries.os, "open", open_)
    path, descriptor = temporaries.new_folder(str(tmp_path / "target"), str(tmp_path))
    assert path != opened[0] and os.path.isdir(path)
    os.close(descriptor)


def test_results_in_words():
    assert show.result_text(Result(None)) == "draw"
    assert show.result_text(Result(1)) == "Black wins"


def test_a_printed_table_of_many_records_and_positions(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sgf").write_bytes(SGF * 300 + b"(;SZ[9]" + b";B[]" * 4_200 + b")")
    assert cli.main(["replay", "a.sgf", "--positions", "b.csv"]) == 0
    assert len((tmp_path / "b.csv").read_text().splitlines()) == 1 + 300 + 4_200
    assert len(capsys.readouterr().out.splitlines()) == 1 + 301


def test_libraries_that_somebody_has_put_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", types.ModuleType("pyarrow"))
    assert table_files.has_pyarrow() is False


def test_more_positions_than_a_table_holds(monkeypatch):
    monkeypatch.setattr(expansion, "_MOST_POSITIONS", 1)
    with pytest.raises(ValueError, match="2 positions are more than one table holds"):
        w7.expand([w7.Board(2)] * 2, 1)


@pytest.mark.parametrize("kind", [io.BytesIO, NoReadinto])
def test_a_start_that_was_read_already(kind):
    limit = archives.OutputLimit(10)
    file = archives._Restarted(b"ab", kind(b"cd"), limit)
    assert [file.read(1), file.read(5), file.read(5), file.read(5)] == [b"a", b"b", b"cd", b""]
    assert limit.taken == 2


def test_files_that_are_no_regular_ones():
    assert [row.error for row in w7.replay(os.devnull)] in ([], ["format-unknown"])


def test_disks_that_fail_are_no_damage():
    with pytest.raises(OSError, match="disk"):
        archives._damage("zip archive", OSError(errno.EIO, "disk"))
    failure = archives._damage("zip archive", OSError(errno.EINVAL, "negative seek position"))
    assert failure.code == "archive-invalid" and "zip archive is damaged" in failure.message


def test_arrow_arrays_of_short_buffers():
    pyarrow = pytest.importorskip("pyarrow")
    from wei7core.arrow import values as arrow_values

    with pytest.raises(ValueError, match="fewer values than its length"):
        arrow_values._numbers(pyarrow.py_buffer(b"\0" * 4), np.dtype("i4"), 1, 1)


def test_arrow_values_that_hold_nothing():
    pyarrow = pytest.importorskip("pyarrow")
    from wei7core.arrow import functions as arrow

    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("a.txt", "nothing")
    batch = pyarrow.RecordBatch.from_pydict({"text": [inner.getvalue(), SGF]})
    rows = arrow.replay_batch(batch, column="text").to_pylist()
    assert [row["moves"] for row in rows][1] == 1
    assert rows[0]["error"] == "format-unknown"


def test_bytes_are_a_file_that_can_be_read():
    assert sources._MemoryFile(memoryview(SGF)).readable()


def test_pictures_of_boards_that_are_too_large(tmp_path, capsys):
    (tmp_path / "a.wei7").write_bytes(b'{"format":"wei7","version":"3.0","size":400,"tree":{"steps":[]}}')
    assert cli.main(["show", str(tmp_path / "a.wei7"), "--svg", str(tmp_path / "b.svg")]) == 2
    assert "is too large" in capsys.readouterr().err


@pytest.mark.parametrize("others", [[5], ["a"], [(1,)], [("a", "b")], [(40, 40)]])
def test_points_that_are_none_are_in_no_set(others):
    points = w7.PointSet([(1, 1)], 9)
    assert points.isdisjoint(others) and not points.issuperset(others)
    assert len(points.intersection(others)) == 0 and points.difference(others) == points


def test_branches_of_two_digits(tmp_path):
    """As the compiled replay names them, and as the walk over the record does."""
    text = b"(;SZ[9];B[aa]" + b"".join(f"(;W[{letter}b];B[cc])".encode() for letter in "abcdefghi") * 12 + b")"
    (tmp_path / "a.sgf").write_bytes(text * 2)
    outputs = ["-o", str(tmp_path / "c.csv"), "--positions", str(tmp_path / "b.csv")]
    assert cli.main(["replay", str(tmp_path / "a.sgf"), *outputs]) == 0
    with open(tmp_path / "b.csv") as file:
        branches = {row["branch"] for row in csv.DictReader(file)}
    assert branches == {".".join(map(str, node.path)) or "-" for node in w7.loads(text).walk() if node.step is not None}
    assert "107" in branches


@pytest.mark.parametrize("mode", ["rb", "r"])
def test_an_open_file_is_not_read_as_a_list_of_its_lines(tmp_path, mode):
    path = tmp_path / "a.sgf"
    path.write_bytes(b"(;SZ[9];B[aa]\n;W[bb])")
    for use in (w7.replay, w7.replay_batches, w7.check, w7.samples, lambda file: w7.Index.create(tmp_path / "i", file)):
        with open(path, mode) as file, pytest.raises(TypeError, match="an open file is no input, only its path"):
            use(file)
    assert [row.moves for row in w7.replay(line for line in [b"(;B[aa])\n", b"(;B[aa];W[bb])\n"])] == [1, 2]
