"""Columns and what is made of them: packed boards, NumPy and Arrow without copies, Parquet, NPZ, pieces of a batch."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from array import array
from typing import Literal, NamedTuple

import numpy as np
import pytest
from samples.batch_texts import BAD, GOOD, move, text

import wei7core
from wei7core.cli.main import main
from wei7core.tables.columns import Boards, Column, Numbers, Texts, columns_for, joined_columns
from wei7core.tables.packed_boards import letters_of, pack_letters
from wei7core.tables.row_text import text_of_rows
from wei7core.tables.table import Table
from wei7core.tables.writers import UnknownTableFormatError, table_kind, write_table

RECT = text(move(1, 0, 0), move(2, 4, 1), size={"width": 5, "height": 2})


def test_boards_are_unpacked():
    letters = ["X..O.XX.O.", "..........", "OOOOOXXXXX"]
    packed = b"".join(map(pack_letters, letters))
    expected = [[".XO".index(letter) for letter in board] for board in letters]
    for isa in (packed, np.frombuffer(packed, np.uint8), np.frombuffer(packed, np.uint8).reshape(3, 3)):
        boards = wei7core.unpack_boards(isa, 5, 2)
        assert (boards.shape, boards.dtype) == ((3, 2, 5), np.uint8)
        assert boards.reshape(3, 10).tolist() == expected
    assert wei7core.unpack_boards([packed[:3], packed[3:6]], 5, 2).shape == (2, 2, 5)
    assert wei7core.unpack_boards(b"", 19, 19).shape == (0, 19, 19)
    assert [letters_of(packed[3 * k : 3 * k + 3], 10) for k in range(3)] == letters
    # The documented order: four points a byte, the first in the lowest bits.
    assert pack_letters("XO.X.") == bytes([0b01_00_10_01, 0])


@pytest.mark.parametrize(
    ("packed", "width", "height"),
    [(b"\0\0", 5, 2), (b"\3\0\0", 5, 2), (b"", 0, 2), (np.zeros((2, 6), np.uint8), 5, 2), (np.zeros(3), 5, 2)],
)
def test_what_is_no_packed_board_is_refused(packed, width, height):
    with pytest.raises(ValueError):
        wei7core.unpack_boards(packed, width, height)


def test_positions_are_packed_in_arrays():
    results = wei7core.replay([GOOD, BAD], positions=True)
    arrays = results.positions.to_numpy()
    boards = wei7core.unpack_boards(arrays["board"], 3, 3)
    assert boards[1].tolist() == [[1, 0, 0], [0, 2, 0], [0, 0, 0]]
    assert [arrays[name].tolist() for name in ("width", "height", "color")] == [[3] * 3, [3] * 3, [1, 2, 1]]
    mixed = wei7core.replay([GOOD, RECT], positions=True).positions.to_numpy()
    assert [len(board) for board in mixed["board"]] == [3] * 4
    assert [
        len(board)
        for board in wei7core.replay([GOOD, text(move(1, 0, 0), size=9)], positions=True).positions.to_numpy()["board"]
    ] == [3, 3, 21]


def test_numbers_are_the_columns_themselves():
    results = wei7core.replay([GOOD, b"{"])
    assert results.to_numpy()["moves"] is results.data["moves"].values
    assert not results.to_numpy()["moves"].flags.writeable


def test_arrow_shares_the_buffers():
    pytest.importorskip("pyarrow")
    results = wei7core.replay([GOOD, BAD, b"{"], positions=True)
    table = results.to_arrow()
    for name in ("moves", "hash", "error_offset"):
        assert table.column(name).chunk(0).buffers()[1].address == results.data[name].values.ctypes.data
    for name in ("id", "source", "error_message"):
        _, offsets, data = table.column(name).chunk(0).buffers()
        assert offsets.address == results.data[name].offsets.ctypes.data
        assert data.address == results.data[name].data.ctypes.data
    board = results.positions.to_arrow().column("board").chunk(0).buffers()[2]
    assert board.address == results.positions.data["board"].data.ctypes.data


def test_large_texts_become_large_strings():
    pyarrow = pytest.importorskip("pyarrow")
    offsets = np.array([0, 2, 3], np.int64)
    texts = Texts(offsets, np.frombuffer("aéb".encode()[:3], np.uint8))
    assert texts.offsets.dtype == np.int32
    texts.offsets = offsets  # as it is where the bytes are more than int32 can count
    table = Table([Column("a", "text"), Column("b", "integer")], {"a": texts, "b": Numbers.of([1, 2], "int64")}, tuple)
    assert table.to_arrow().schema.field("a").type == pyarrow.large_string()


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_columns_of_different_lengths_are_refused(kind):
    columns = [Texts.of(["a"]), Numbers.of([1, 2], "int64")]
    with pytest.raises(ValueError, match="equal lengths"):
        text_of_rows(["a", "b"], columns, kind)
    with pytest.raises(ValueError, match="equal lengths"):
        Table([Column("a", "text"), Column("b", "integer")], dict(zip("ab", columns, strict=True)), tuple)


def test_rows_that_are_not_there_and_other_kinds_are_refused():
    columns = [Texts.of(["a", "b"]), Numbers.of([1, None], "int64")]
    assert text_of_rows(["a", "b"], columns, "csv", 1) == b"b,\n"
    assert text_of_rows(["a", "b"], columns, "jsonl", 0, 1) == b'{"a":"a","b":1}\n'
    for begin, end in ((-1, 1), (1, 0), (0, 3)):
        with pytest.raises(ValueError, match="out of range"):
            text_of_rows(["a", "b"], columns, "csv", begin, end)
    with pytest.raises(ValueError, match="xml"):
        text_of_rows(["a", "b"], columns, "xml")


def test_the_extremes_of_numbers():
    columns = [
        Numbers(np.array([-(1 << 63), (1 << 63) - 1, 0])),
        Numbers(np.array([0, (1 << 64) - 1, 255], np.uint64)),
        Numbers(np.array([-128, 127, 0], np.int8)),
    ]
    assert text_of_rows("abc", columns, "csv") == (
        b"-9223372036854775808,0000000000000000,-128\n9223372036854775807,ffffffffffffffff,127\n0,00000000000000ff,0\n"
    )


def test_columns_are_joined():
    one = {"a": Texts.of(["é", None]), "b": Numbers.of([1, 2], "int64"), "c": Boards.of([".X", "O"], [2, 1], [1, 1])}
    two = {"a": Texts.of([]), "b": Numbers.of([], "int64"), "c": Boards.of([], [], [])}
    both = joined_columns([one, two, one, one])
    assert both["a"].to_list(0, 6) == ["é", None] * 3
    assert both["b"].to_list(0, 6) == [1, 2] * 3
    assert both["c"].to_list(0, 6) == [".X", "O"] * 3


def test_texts_are_replaced():
    texts = Texts.of(["a", None, "ccc", ""])
    assert texts.replaced(np.array([1, 2]), ["\udcff围", None]).to_list(0, 4) == ["a", "\udcff围", None, ""]
    assert texts.replaced(np.array([1]), ["b"]).valid is None
    assert texts.replaced(np.array([0, 3]), ["", "d"]).to_list(1, 4) == [None, "ccc", "d"]


# --- files


def records(count):
    return [(GOOD, BAD, RECT, b"{")[k % 4] for k in range(count)]


def test_parquet_holds_the_rows(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    results = wei7core.replay(records(9), board=True, positions=True)
    for table, name in ((results, "rows"), (results.positions, "positions")):
        table.to_parquet(tmp_path / f"{name}.parquet")
        read = parquet.read_table(tmp_path / f"{name}.parquet")
        assert read.equals(table.to_arrow())
        column = parquet.ParquetFile(tmp_path / f"{name}.parquet").metadata.row_group(0).column(0)
        assert (column.compression, "RLE_DICTIONARY" in column.encodings) == ("ZSTD", True)


def test_parquet_is_written_in_groups(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("wei7core.tables.writers._LEAST_GROUP", 5)
    pieces = list(wei7core.replay_batches(records(13), batch_size=2))
    with write_table(tmp_path / "a.parquet", pieces[0].columns) as writer:
        for piece in pieces:
            writer.write_columns(piece.data)
    data = parquet.ParquetFile(tmp_path / "a.parquet").metadata
    assert [data.row_group(k).num_rows for k in range(data.num_row_groups)] == [6, 6, 1]
    assert parquet.read_table(tmp_path / "a.parquet").equals(wei7core.replay(records(13)).to_arrow())


def test_npz_holds_the_arrays(tmp_path):
    pieces = list(wei7core.replay_batches(records(9), batch_size=4, board=True, positions=True))
    whole = wei7core.replay(records(9), board=True, positions=True)
    for name, tables, table in (
        ("rows", pieces, whole),
        ("positions", [piece.positions for piece in pieces], whole.positions),
    ):
        with write_table(tmp_path / f"{name}.npz", table.columns) as writer:
            for piece in tables:
                writer.write_columns(piece.data)
        arrays = np.load(tmp_path / f"{name}.npz", allow_pickle=False)
        for column in table.columns:
            values = table.data[column.name]
            if column.kind in ("text", "board"):
                assert bytes(arrays[f"{column.name}_bytes"]) == bytes(values.data)
                assert arrays[f"{column.name}_offsets"].tolist() == values.offsets.tolist()
                assert arrays[f"{column.name}_offsets"].dtype == np.dtype("<i8")
            else:
                assert np.array_equal(arrays[column.name], values.values)
                assert arrays[column.name].dtype == values.values.dtype.newbyteorder("<")
            if column.optional:
                valid = np.ones(len(table), bool) if values.valid is None else values.valid
                assert arrays[f"{column.name}_valid"].tolist() == valid.tolist()
    assert arrays["width"].tolist() == whole.positions.data["board"].widths.tolist()
    assert sorted(os.listdir(tmp_path)) == ["positions.npz", "rows.npz"]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet", "npz"])
def test_tables_of_no_row_can_be_written(tmp_path, kind):
    if kind == "parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
    results = wei7core.replay([], positions=True)
    for table in (results, results.positions):
        table._write(tmp_path / f"a.{kind}", kind)
        if kind == "parquet":
            assert parquet.read_table(tmp_path / "a.parquet").equals(table.to_arrow())
        elif kind == "npz":
            assert np.load(tmp_path / "a.npz")["source_offsets"].tolist() == [0]


@pytest.mark.parametrize("kind", ["parquet", "npz"])
def test_a_file_that_is_not_finished_leaves_nothing(tmp_path, kind, capfd):
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    piece = wei7core.replay(records(4))
    with pytest.raises(KeyboardInterrupt), write_table(tmp_path / f"a.{kind}", piece.columns) as writer:
        writer.write_columns(piece.data)
        raise KeyboardInterrupt
    assert os.listdir(tmp_path) == []
    assert capfd.readouterr() == ("", "")


def test_parquet_without_pyarrow_names_the_extra(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UnknownTableFormatError, match=r"wei7core\[arrow\]"):
        table_kind("a.parquet")
    with pytest.raises(ImportError, match=r"wei7core\[arrow\]"):
        wei7core.replay(GOOD).to_parquet(tmp_path / "a.parquet")
    (tmp_path / "good.wei7").write_bytes(GOOD)
    assert main(["replay", str(tmp_path / "good.wei7"), "-o", str(tmp_path / "a.parquet")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert os.listdir(tmp_path) == ["good.wei7"]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet", "npz"])
def test_the_command_writes_what_python_writes(tmp_path, kind, jobs):
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    source = tmp_path / "games.jsonl"
    source.write_bytes(b"\n".join(records(20)) + b"\n")
    rows, positions = tmp_path / f"rows.{kind}", tmp_path / f"positions.{kind}"
    args = ["replay", source, "-o", rows, "--positions", positions, "--board", "--jobs", jobs]
    assert main(list(map(str, args))) == 1
    is_parquet = kind == "parquet"  # which has the columns of metadata unless they are not wanted
    results = wei7core.replay(source, board=True, positions=True, metadata=is_parquet, canonical=is_parquet)
    for table, path in ((results, rows), (results.positions, positions)):
        table._write(tmp_path / "twin", kind)
        if kind == "npz":
            ours, theirs = np.load(path), np.load(tmp_path / "twin")
            assert ours.files == theirs.files
            assert all(np.array_equal(ours[name], theirs[name]) for name in ours.files)
        else:
            assert path.read_bytes() == (tmp_path / "twin").read_bytes()


# --- pieces


def test_pieces_have_the_size_that_is_asked_for():
    pieces = list(wei7core.replay_batches(iter(records(10)), batch_size=4, jobs=2))
    assert [len(piece) for piece in pieces] == [4, 4, 2]
    assert [row for piece in pieces for row in piece] == list(wei7core.replay(records(10)))
    assert list(wei7core.replay_batches([])) == []


def test_wrong_arguments_are_refused_at_once():
    for wrong in ({"batch_size": 0}, {"jobs": 0}, {"revision": 3}, {"encoding": "none"}):
        with pytest.raises(ValueError):
            wei7core.replay_batches([], **wrong)


def test_anything_that_holds_bytes_can_be_replayed(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(GOOD + b"\n" + BAD)
    expected = list(wei7core.replay([GOOD]))
    with open(tmp_path / "a.jsonl", "rb") as file, mmap.mmap(file.fileno(), len(GOOD), access=mmap.ACCESS_READ) as data:
        assert list(wei7core.replay(data)) == expected
        assert [row.hash for row in wei7core.replay([data, bytearray(GOOD)])] == [expected[0].hash] * 2
    assert list(wei7core.replay(memoryview(GOOD))) == expected
    for data in (
        np.frombuffer(GOOD, np.uint8),
        np.frombuffer(GOOD, np.int8),
        array("B", GOOD),
        (ctypes.c_ubyte * len(GOOD))(*GOOD),
    ):
        assert list(wei7core.replay(data)) == expected
        assert [row.hash for row in wei7core.replay([data, GOOD])] == [expected[0].hash] * 2
    paths = np.array([str(tmp_path / "a.jsonl")] * 2, object)
    assert len(wei7core.replay(paths)) == len(wei7core.replay(paths.astype(str))) == 4
    if hasattr(np.dtypes, "StringDType"):  # whose memory is NumPy's alone
        paths = paths.astype(np.dtypes.StringDType())
        assert len(wei7core.replay(paths)) == 4


def test_problems_are_counted():
    results = wei7core.replay([GOOD, BAD, b"{", BAD])
    assert results.problems == {("error", "move-occupied"): 2, ("error", "json-syntax"): 1}
    assert (results.error_count, results.move_count) == (3, 4)


def test_slices_are_lists_of_rows():
    results = wei7core.replay(records(5))
    rows = list(results)
    assert results[1:4] == rows[1:4]
    assert results[::-2] == rows[::-2]
    with pytest.raises(IndexError):
        results[5]


@pytest.mark.parametrize(
    "values", [["é", "", None, "ab"], ["a", "b"], [None, "\udc80x"], [None, None], ["中"] * 3 + ["b"]]
)
def test_sizes_of_texts_are_those_of_their_bytes(values):
    column = Texts.of(values)
    assert column.to_list(0, len(values)) == values
    assert (
        column.offsets[-1]
        == len(column.data)
        == sum(len((value or "").encode("utf-8", "surrogatepass")) for value in values)
    )


@pytest.mark.parametrize("type", ["int32", "uint64", "float64"])
def test_numbers_that_are_all_absent(type):
    column = Numbers.of([None] * 3, type)
    assert column.to_list(0, 3) == [None] * 3
    assert column.values.dtype == type and not column.valid.any()


class Row(NamedTuple):
    text: str
    kind: Literal["a", "b"] | None
    count: int
    small: int | None
    share: float
    board: str
    key: int | None
    is_new: bool


def test_columns_for_a_row_type():
    assert columns_for(Row, distinct=("text",), small="int8", board="board", key="hash") == (
        Column("text", "text", distinct=True),
        Column("kind", "text", optional=True),
        Column("count", "integer"),
        Column("small", "integer", optional=True, type="int8"),
        Column("share", "number"),
        Column("board", "board"),
        Column("key", "hash", optional=True),
        Column("is_new", "integer", type="bool"),
    )
