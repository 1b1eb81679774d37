"""Batches of records: rows in order, columns, arrays, Arrow, files that appear whole or not at all."""

import csv
import json
import os
import sys

import numpy as np
import pytest
from samples.batch_texts import BAD, GOOD, move, text

import wei7core
from wei7core.batch.options import Options
from wei7core.batch.results import PositionRow, ReplayRow
from wei7core.batch.single_records import replay_raw_record
from wei7core.limits import Limits
from wei7core.sources.sources import Sources
from wei7core.tables.columns import Column
from wei7core.tables.writers import TEXT_FORMATS, TableWriter, UnknownTableFormatError, write_table

COLUMNS = [
    "source",
    "record",
    "id",
    "format",
    "width",
    "height",
    "moves",
    "passes",
    "takebacks",
    "suicides",
    "ko_recaptures",
    "black_captured",
    "white_captured",
    "hash",
    "canonical_hash",
    "board",
    "problems",
    "error",
    "error_offset",
    "error_path",
    "error_message",
]


def test_progress_counts_the_records_so_far():
    for jobs in (1, 2):
        seen = []
        results = wei7core.replay([GOOD, BAD] * 50, jobs=jobs, progress=seen.append)
        assert seen == sorted(seen) and seen[-1] == len(results) == 100


def test_what_progress_raises_ends_the_replay():
    def stop(count):
        raise RuntimeError(f"enough after {count}")

    for jobs in (1, 2):
        with pytest.raises(RuntimeError, match="enough after"):
            wei7core.replay([GOOD] * 1000, jobs=jobs, progress=stop)


def test_one_row_a_record_in_order():
    results = wei7core.replay([GOOD, b"{nonsense", BAD])
    assert [(row.record, row.id, row.moves, row.error) for row in results] == [
        (0, "围-1", 2, None),
        (1, None, 0, "json-syntax"),
        (2, None, 1, "move-occupied"),
    ]
    assert len(results) == 3
    assert results.errors == [results[1], results[2]]
    row = results[2]
    point = BAD.rindex(b'{"x"')
    assert (row.problems, row.error_offset, row.error_path) == (1, point, "$.tree.steps[1].action.value.point")


def test_the_hash_is_that_of_the_board():
    board = wei7core.Board(3)
    board.play(1, (0, 0))
    board.play(2, (1, 1))
    row = wei7core.replay(GOOD)[0]
    assert (row.hash, row.canonical_hash) == (board.hash, board.canonical_hash)


def test_threads_change_nothing(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join([GOOD, BAD, b"{}", b"[", GOOD] * 100))
    one, many = (list(wei7core.replay(path, jobs=jobs, board=True)) for jobs in (1, 3))
    assert one == many
    assert [row.record for row in one] == list(range(500))


def test_strict_makes_any_breach_the_error():
    data = GOOD.replace(b'"version"', b'"x": 1, "version"')
    assert wei7core.replay(data)[0].error is None
    row = wei7core.replay(data, strict=True)[0]
    assert (row.error, row.error_path, row.moves, row.problems) == ("unknown-member", "$.x", 2, 1)


def test_revision_2_is_a_choice():
    mark = {"point": {"x": 0, "y": 0}, "symbol": "*"}
    data = text({**move(1, 0, 0), "marks": [mark]})
    assert [wei7core.replay(data, revision=revision)[0].problems for revision in (7, 2)] == [1, 0]


@pytest.mark.parametrize("wrong", [{"jobs": 0}, {"revision": 3}])
def test_wrong_arguments_are_refused_before_anything_is_read(wrong):
    with pytest.raises(ValueError):
        wei7core.replay(iter(()), **wrong)


def test_a_size_that_cannot_be_read_leaves_the_figures_empty():
    row = wei7core.replay(text(size=0))[0]
    assert (row.hash, row.canonical_hash, row.error, row.error_path) == (None, None, "number-out-of-range", "$.size")


def test_limits_reach_every_step():
    assert wei7core.replay(GOOD, limits=Limits(max_bytes=10))[0].error == "limit-bytes"
    assert wei7core.replay(GOOD, limits=Limits(max_moves=1))[0].error == "limit-replay"
    assert wei7core.replay(GOOD, limits=Limits(max_points=8))[0].error == "board-size-unsupported"


def test_an_id_that_is_no_text_is_none():
    assert wei7core.replay(text(id=7))[0].id is None
    assert wei7core.replay(GOOD.replace(b'"id"', b'"\\u0069d"'))[0].id == "围-1"


def test_positions_have_a_row_each():
    results = wei7core.replay([GOOD, BAD], positions=True)
    assert [(row.record, row.step, row.move_number, row.board) for row in results.positions] == [
        (0, 0, 1, "X........"),
        (0, 1, 2, "X...O...."),
        (1, 0, 1, "X........"),
    ]
    assert results.positions[1] == PositionRow("<bytes>", 0, "-", 1, 2, 2, 1, 1, results[0].hash, "X...O....")
    assert wei7core.replay(GOOD).positions is None


def test_numpy_columns():
    arrays = wei7core.replay([GOOD, b"{"], board=True).to_numpy()
    assert list(arrays) == COLUMNS
    assert arrays["moves"].dtype == np.int64
    assert arrays["hash"].dtype == np.uint64
    assert arrays["moves"].tolist() == [2, 0]
    assert arrays["error_offset"].tolist() == [-1, 1]
    assert arrays["board"].tolist()[0] == "X...O...."
    assert arrays["id"].tolist() == ["围-1", None]


def test_records_one_by_one_have_their_boards():
    texts = Sources([GOOD, BAD, GOOD])
    boards = [replay_raw_record(text, Options(board=True)).row.board for text in texts]
    assert boards == [row.board for row in wei7core.replay([GOOD, BAD, GOOD], board=True)]
    assert boards[0] == boards[2] == "X...O...."


def test_an_empty_batch_has_all_columns(tmp_path):
    results = wei7core.replay([])
    assert {name: len(array) for name, array in results.to_numpy().items()} == dict.fromkeys(
        [name for name in COLUMNS if name != "board"], 0
    )
    results.to_csv(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text().count("\n") == 1


def test_arrow_table():
    pyarrow = pytest.importorskip("pyarrow")
    table = wei7core.replay([GOOD, b"{"], positions=True)
    arrow = table.to_arrow()
    assert arrow.column_names == [name for name in COLUMNS if name != "board"]
    assert arrow.schema.field("hash").type == pyarrow.uint64()
    assert arrow.column("hash").to_pylist()[0] == table[0].hash
    assert arrow.column("error").to_pylist() == [None, "json-syntax"]
    assert table.positions.to_arrow().num_rows == 2


def test_arrow_names_the_extra_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"wei7core\[arrow\]"):
        wei7core.replay(GOOD).to_arrow()


def test_csv_and_jsonl_hold_the_same(tmp_path):
    results = wei7core.replay([GOOD, BAD], board=True)
    results.to_csv(tmp_path / "a.csv")
    results.to_jsonl(tmp_path / "a.txt")
    assert b"\r" not in (tmp_path / "a.csv").read_bytes()
    with open(tmp_path / "a.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    lines = [json.loads(line) for line in (tmp_path / "a.txt").read_text(encoding="utf-8").splitlines()]
    assert list(rows[0]) == list(lines[0]) == COLUMNS
    assert [{name: "" if value is None else str(value) for name, value in line.items()} for line in lines] == rows
    assert rows[0]["hash"] == f"{results[0].hash:016x}"
    assert (rows[0]["id"], lines[0]["error"]) == ("围-1", None)


def test_a_name_that_is_no_utf8_can_be_written(tmp_path):
    row = ReplayRow("a\udcff.wei7", *wei7core.replay(GOOD)[0][1:])
    for kind in TEXT_FORMATS:
        with write_table(tmp_path / f"a.{kind}", tables_columns(), kind) as writer:
            writer.write([row])
        assert rb"a\udcff.wei7" in (tmp_path / f"a.{kind}").read_bytes()


def tables_columns():
    return [Column("source", "text"), Column("hash", "hash", optional=True)]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_a_table_that_is_not_finished_leaves_nothing(tmp_path, error):
    target = tmp_path / "a.csv"
    target.write_text("before")
    with pytest.raises(error), write_table(target, tables_columns()) as writer:
        writer.write([wei7core.replay(GOOD)[0]])
        raise error
    assert os.listdir(tmp_path) == ["a.csv"]
    assert target.read_text() == "before"


def test_a_table_appears_only_when_it_is_finished(tmp_path):
    target = tmp_path / "a.JSONL"
    with write_table(target, tables_columns()) as writer:
        writer.write([wei7core.replay(GOOD)[0]])
        assert not target.exists()
    assert json.loads(target.read_text())["source"] == "<bytes>"
    assert os.listdir(tmp_path) == ["a.JSONL"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    wei7core.replay(GOOD).to_csv(tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text().startswith("source,")


def test_a_table_in_no_folder_or_over_a_folder_is_refused(tmp_path):
    (tmp_path / "a.csv").mkdir()
    for target in (tmp_path / "a.csv", tmp_path / "gone" / "a.csv"):
        with pytest.raises(OSError):
            wei7core.replay(GOOD).to_csv(target)
    assert os.listdir(tmp_path) == ["a.csv"]


def test_an_unknown_suffix_is_refused(tmp_path):
    with (
        pytest.raises(UnknownTableFormatError, match=r"\.csv, \.jsonl, \.parquet or \.npz"),
        write_table(tmp_path / "a.xlsx", tables_columns()),
    ):
        pass
    assert os.listdir(tmp_path) == []


def test_the_columns_of_a_writer_are_those_it_was_given(capsys):
    TableWriter(sys.stdout, tables_columns(), "csv").write([wei7core.replay(text())[0]])
    assert capsys.readouterr().out == f"source,hash\n<bytes>,{wei7core.Board(3).hash:016x}\n"


@pytest.mark.parametrize("data", [b"garbage", b"", b"[]", b'{"format":"wei7","version":"3.0"}', b"\xff\xfe{\x00}\x00"])
def test_what_holds_no_game_has_no_board(data: bytes) -> None:
    (row,) = wei7core.replay(data, board=True)
    assert (row.width, row.height, row.hash, row.canonical_hash, row.board) == (None,) * 5
    assert row.error is not None and row.problems >= 1
