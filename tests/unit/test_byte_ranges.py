"""Ranges of a file of lines: together they hold what the file holds, however it is cut."""

import errno
import os
import random
from unittest import mock

import games
import numpy as np
import pytest
from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import corpus

import wei7core
from wei7core.batch import _engine as bulk
from wei7core.batch import run as batch
from wei7core.batch.assemble import columns_of
from wei7core.batch.options import Options
from wei7core.errors import whole_problem
from wei7core.sources import byte_ranges as line_ranges
from wei7core.sources import sources
from wei7core.sources.byte_ranges import CAN_READ_RANGES, LineFile
from wei7core.sources.chunks import Chunk
from wei7core.sources.read_buffer import FileReadBuffer
from wei7core.sources.record_lines import line_items

pytestmark = pytest.mark.skipif(not CAN_READ_RANGES, reason="the system cannot read at a place of a file")

TOO_LONG = whole_problem("limit-bytes", "too long")

LINES = st.lists(st.sampled_from([b"", b" ", b"a", b"bc", b"\r", b"d" * 9, b"e" * 40, b"f" * 70_000]), max_size=30)


def records(items):
    """The text of each record, or the code of what replaces it, with its number."""
    found = []
    for item in items:
        texts = item.texts() if isinstance(item, Chunk) else [item]
        found += [(text.record, text.data if text.data is not None else text.problems[-1].code) for text in texts]
    return found


def replayed(part):
    """The rows of a range that C reads."""
    return columns_of(batch.replay_task(batch.Task([], lines=part), Options()), board=False, positions=False)


def in_ranges(path, size, limit, chunk):
    file = LineFile(os.open(path, os.O_RDONLY), str(path), limit, TOO_LONG)
    found = []
    for part in file.ranges(size):
        of_range = records(part.items(chunk))
        assert [number for number, _ in of_range] == list(range(len(of_range)))
        found += [data for _, data in of_range]
    return list(enumerate(found))


@pytest.mark.exhaustive
@settings(max_examples=examples(150), deadline=None)
@given(
    lines=LINES,
    ends_in_line=st.booleans(),
    size=st.integers(1, 60) | st.integers(1, 100_000),
    limit=st.sampled_from([5, 30, 1000, 1 << 20]),
    chunk=st.sampled_from([1, 7, 1 << 10, 1 << 20]),
)
def test_ranges_hold_what_the_file_holds(tmp_path_factory, lines, ends_in_line, size, limit, chunk):
    text = b"\n".join(lines) + b"\n" * ends_in_line
    size = max(size, len(text) // 500)
    path = tmp_path_factory.mktemp("lines") / "records.jsonl"
    path.write_bytes(text)
    with path.open("rb", buffering=0) as file:
        expected = records(line_items(FileReadBuffer(file), str(path), limit, TOO_LONG, max(chunk, 64)))
    assert in_ranges(path, size, limit, max(chunk, 64)) == expected


GAMES = [games.wei7_text(game) for game in corpus.generated_games(12, length=30)]
RECORDS = [
    *GAMES,
    GAMES[0].replace(b'"color":1', b'"color":3', 1),
    b'{"format":"wei7"',
    b"{}",
    b" ",
    b"",
    b"\r",
    b'{"format":"wei7","comment":"' + b"x" * 30_000 + b'"}',
]


@pytest.mark.exhaustive
@settings(max_examples=examples(150), deadline=None)
@given(
    lines=st.lists(st.sampled_from(RECORDS), max_size=30),
    ends_in_line=st.booleans(),
    size=st.integers(1, 3000) | st.integers(1, 100_000),
    limit=st.sampled_from([100, 1500, 20_000, 1 << 20]),
    memory=st.sampled_from([1, 100, 3000, 50_000, bulk.LINES_MEMORY]),
    options=st.builds(Options, board=st.booleans(), positions=st.booleans(), revision=st.sampled_from([2, 7])),
)
def test_what_c_reads_is_what_python_reads(tmp_path_factory, lines, ends_in_line, size, limit, memory, options):
    path = tmp_path_factory.mktemp("lines") / "records.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n" * ends_in_line)
    file = LineFile(os.open(path, os.O_RDONLY), str(path), limit, TOO_LONG)
    with mock.patch.object(batch, "LINES_MEMORY", memory):
        for part in file.ranges(max(size, path.stat().st_size // 50)):
            group = batch.Task([], lines=part)
            found = batch.replay_task(group, options)
            expected = batch.replay_task(batch.Task(list(batch.items_of(group))), options)
            one, other = (
                columns_of(parts, board=options.board, positions=options.positions) for parts in (found, expected)
            )
            assert one.problems == other.problems
            assert list(one) == list(other)
            if options.positions:
                assert list(one.positions) == list(other.positions)


def test_ranges_come_to_the_whole_file(tmp_path):
    path = tmp_path / "records.jsonl"
    for size in (0, 1, 1 << 25, (1 << 25) + 1, (1 << 28) - 1, 1 << 28, (1 << 28) + 5, (1 << 29) - 1, 1 << 29, 5 << 27):
        path.touch()
        os.truncate(path, size)  # which takes no room on the disk
        file = LineFile(os.open(path, os.O_RDONLY), str(path), 100, TOO_LONG)
        parts = list(file.ranges())
        assert parts[0].begin == 0
        assert [part.end for part in parts[:-1]] == [part.begin for part in parts[1:]]
        assert parts[-1].end is None
        assert sum(part.size for part in parts) == size
        assert all(0 < part.size <= 1 << 25 for part in parts) or size == 0


@pytest.mark.parametrize("begin", [0, 5])
def test_a_file_that_cannot_be_read(tmp_path, begin):
    file = os.open(tmp_path / "records.jsonl", os.O_WRONLY | os.O_CREAT)
    try:
        piece, lefts, _, place, error = bulk.replay_lines(file, begin, None, bytearray(100), "wei7", limit=100)
    finally:
        os.close(file)
    assert (piece.records, lefts, place, error) == (0, {}, None, errno.EBADF)


def test_much_text_at_once(tmp_path):
    """Now and then the kernel comes back to see whether there is an interrupt."""
    line = GAMES[0].replace(b'{"action"', b'{"comment":"' + b"x" * (1 << 20) + b'","action"', 1) + b"\n"
    path = tmp_path / "records.jsonl"
    count = 70  # with more than 64 megabytes
    with path.open("wb") as file:
        for _ in range(count):
            file.write(line)
    with path.open("rb", buffering=0) as file:
        piece, lefts, _, place, error = bulk.replay_lines(
            file.fileno(), 0, None, bytearray(1 << 22), "wei7", limit=1 << 21
        )
    assert (piece.records, lefts, place, error) == (count, {}, None, None)
    assert len(set(piece.arrays().rows["hash"].tolist())) == 1


def test_places_in_a_file_are_not_below_0(tmp_path):
    with pytest.raises(ValueError, match="at least 0"):
        bulk.replay_lines(0, -1, None, bytearray(10), "wei7", limit=10)
    with pytest.raises(ValueError, match="at least 0"):
        bulk.replay_lines(0, 0, -2, bytearray(10), "wei7", limit=10)


def test_a_file_that_grew_is_read_to_its_new_end(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"1\n2\n3\n")
    file = LineFile(os.open(path, os.O_RDONLY), str(path), 100, TOO_LONG)
    parts = list(file.ranges(4))
    with path.open("ab") as more:
        more.write(b"4\n5")
    assert [data for part in parts for _, data in records(part.items())] == [b"1", b"2", b"3", b"4", b"5"]
    assert sum(len(replayed(part)) for part in parts) == 5


def test_a_file_that_was_cut_short_ends_there(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"1\n2\n3\n")
    file = LineFile(os.open(path, os.O_RDONLY), str(path), 100, TOO_LONG)
    parts = list(file.ranges(2))
    os.truncate(path, 3)
    assert [data for part in parts for _, data in records(part.items())] == [b"1", b"2"]
    assert sum(len(replayed(part)) for part in parts) == 2


def test_a_read_that_fails_is_a_row(tmp_path):
    file = LineFile(os.open(tmp_path, os.O_RDONLY), "name", 100, TOO_LONG)  # a folder can be opened, but not read
    part = line_ranges.ByteRange(file, 0, None)
    ((_, code),) = records(part.items())
    assert code == "file-unreadable"
    (row,) = replayed(part)
    assert (row.source, row.error) == ("name", "file-unreadable")


@pytest.fixture
def small_ranges(monkeypatch):
    monkeypatch.setattr(sources, "LEAST_BYTES", 0)
    monkeypatch.setattr(line_ranges.LineFile.ranges, "__defaults__", (10_000,))


@pytest.fixture
def mixed_file(tmp_path):
    """Good records, broken ones, blank lines and one that is too long, of several sizes of the board."""
    texts = [games.wei7_text(game) for game in corpus.generated_games(60, length=80)]
    texts[7] = texts[7].replace(b'"color":1', b'"color":3', 1)
    texts[20] = b'{"format":"wei7"'
    texts[21] = b""
    texts[33] = b'{"format":"wei7","version":"3.0","size":9,"tree":{}}'
    texts[40] = b'{"format":"wei7","comment":"' + b"x" * 30_000 + b'"}'
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"\n".join(texts))
    return path


def assert_equal(one, other):
    assert len(one) == len(other)
    assert one.problems == other.problems
    for name, values in one.to_numpy().items():
        np.testing.assert_array_equal(values, other.to_numpy()[name], err_msg=name)


def test_threads_make_the_rows_of_one(mixed_file, small_ranges):
    limits = wei7core.Limits(max_bytes=20_000)
    options = {"board": True, "positions": True, "limits": limits}
    one = wei7core.replay(mixed_file, **options)
    many = wei7core.replay(mixed_file, jobs=3, **options)
    assert_equal(one, many)
    assert "limit-bytes" in {row.error for row in one}
    for name, values in one.positions.to_numpy().items():
        np.testing.assert_array_equal(values, many.positions.to_numpy()[name], err_msg=name)


def test_files_are_numbered_each_for_itself(mixed_file, tmp_path, small_ranges):
    other = tmp_path / "other.jsonl"
    other.write_bytes(mixed_file.read_bytes())
    inputs = [mixed_file, tmp_path, other]
    assert_equal(wei7core.replay(inputs), wei7core.replay(inputs, jobs=2))


def test_pieces_that_need_not_be_exact(mixed_file, small_ranges):
    """What the command line asks for: every record once, in order, in several pieces."""
    found = list(batch.batches(sources.Sources(mixed_file), Options(), 2, 10))
    rows = [row for results in found for row in results]
    assert len(found) > 2
    assert rows == list(wei7core.replay(mixed_file))


def test_pieces_do_not_depend_on_the_threads(mixed_file, small_ranges, tmp_path):
    """Nor do files that are written piece by piece."""
    sizes = [
        [len(piece) for piece in batch.batches(sources.Sources(mixed_file), Options(), jobs, 10)] for jobs in (1, 2, 3)
    ]
    assert len(sizes[0]) > 2
    assert sizes[0] == sizes[1] == sizes[2]


def test_exact_pieces_stay_exact(mixed_file, small_ranges):
    sizes = [len(results) for results in wei7core.replay_batches(mixed_file, batch_size=7, jobs=2)]
    assert sizes[:-1] == [7] * (len(sizes) - 1)
    assert sum(sizes) == len(wei7core.replay(mixed_file))


def test_bytes_are_counted(mixed_file, small_ranges):
    read = sources.Sources(mixed_file)
    list(read.pieces())
    assert read.bytes_read == mixed_file.stat().st_size == read.bytes_in_all


def test_memory_is_taken_up_again(tmp_path):
    """By many ranges one after the other: few buffers serve them all."""
    path = tmp_path / "records.jsonl"
    rng = random.Random(4)
    path.write_bytes(b"".join(b"x" * rng.randrange(5000) + b"\n" for _ in range(1000)))
    file = LineFile(os.open(path, os.O_RDONLY), str(path), 1 << 20, TOO_LONG)
    assert sum(len(records(part.items(1 << 16))) for part in file.ranges(1 << 17)) == path.read_bytes().count(b"x\n")
    assert len(file.buffers._free) <= 4
