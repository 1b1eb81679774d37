"""Any records in any blocks: the columns of a batch say what records replayed one by one say, positions included."""

import csv
import io
import json
from collections import Counter

import numpy as np
import pytest
from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.one_path import positions_of
from samples.mixed_texts import texts

from wei7core.batch.options import Options
from wei7core.batch.results import POSITION_COLUMNS, replay_columns
from wei7core.batch.run import batches
from wei7core.batch.single_records import replay_raw_record
from wei7core.errors import whole_problem
from wei7core.limits import Limits
from wei7core.sources.chunks import Chunk, RawRecord, Run
from wei7core.tables.writers import TableWriter

JUNK = b"\xff[}\\"
FORMATS = {"wei7": "wei7", "wei7-rev2": "wei7", "sgf": "sgf"}


class Blocks:
    """A stub of sources with given chunks."""

    def __init__(self, blocks):
        self._blocks = blocks

    def blocks(self):
        return iter(self._blocks)

    pieces = blocks

    def texts(self):
        for block in self._blocks:
            if isinstance(block, RawRecord):
                yield block
            else:
                yield from (block.text(k) for k in range(len(block)))


@st.composite
def blocks(draw):
    """A few blocks, of one source or of many, of records with other bytes between them, and records by themselves."""
    found = []
    for number in range(draw(st.integers(0, 4))):
        chosen = draw(st.lists(texts(), min_size=1, max_size=4))
        format = FORMATS[chosen[0][1]]
        if draw(st.integers(0, 5)) == 0:
            problem = whole_problem("file-suffix")
            found.append(RawRecord(f"{number}.txt", 0, draw(st.sampled_from([chosen[0][0], None])), (problem,)))
            continue
        data, begins, ends = JUNK, [], []
        for text, name in chosen:
            if FORMATS[name] != format:
                continue
            begins.append(len(data))
            data += text
            ends.append(len(data))
            data += JUNK
        name = draw(st.sampled_from(["games.jsonl", "围棋.sgf", 'odd\udcff,"\n.sgf']))
        many = draw(st.booleans())
        starts = [0, *(k for k in range(1, len(begins)) if not many and draw(st.booleans()))]
        counts = np.diff([*starts, len(begins)]).tolist()
        runs = tuple(
            Run(f"{name}-{k}" if k else name, count, 0 if k else 7, many or count > 1) for k, count in enumerate(counts)
        )
        keep = draw(st.sampled_from([bytes, memoryview, bytearray]))
        found.append(
            Chunk(
                keep(data),
                np.array(begins, np.int64),
                np.array(ends, np.int64),
                format,
                runs,
                np.array(starts),
                *((11, 3, 2) if format == "sgf" and many else ()),
            )
        )
    return Blocks(found)


def one_by_one(sources, options):
    """The rows and positions of the records, each made by itself; and what is wrong with them."""
    outcomes = [replay_raw_record(text, options) for text in sources.texts()]
    rows = [outcome.row for outcome in outcomes]
    problems = [(problem.severity, problem.code) for outcome in outcomes for problem in outcome.problems]
    positions = [row for outcome in outcomes for row in positions_of(outcome, options)] if options.positions else []
    return rows, positions, sorted(problems)


OPTIONS = st.builds(
    Options,
    board=st.booleans(),
    positions=st.booleans(),
    strict=st.booleans(),
    revision=st.sampled_from([7, 2]),
    limits=st.sampled_from([Limits(), Limits(max_moves=12, max_points=16, max_positions=300)]),
)


@pytest.mark.exhaustive
@settings(max_examples=examples(200))
@given(blocks(), OPTIONS, st.sampled_from([1, 2, 3]), st.sampled_from([None, 1, 2, 5]))
def test_pieces_are_those_of_single_records(sources, options, jobs, size):
    rows, positions, problems = one_by_one(sources, options)
    pieces = list(batches(sources, options, jobs, size))
    assert [row for piece in pieces for row in piece] == rows
    assert sorted(pair for piece in pieces for pair in piece.problems.elements()) == problems
    if options.positions:
        assert [row for piece in pieces for row in piece.positions] == positions
    if size is not None:
        assert [len(piece) for piece in pieces] == [size] * (len(rows) // size) + [len(rows) % size] * (
            len(rows) % size > 0
        )
    for piece in pieces:
        assert [piece[k] for k in range(-len(piece), len(piece))] == 2 * list(piece)
        assert piece.errors == [row for row in piece if row.error is not None]
        assert (piece.error_count, piece.move_count) == (len(piece.errors), sum(row.moves for row in piece))
        assert piece.error_codes == Counter(row.error for row in piece.errors)


def csv_twin(columns, rows):
    """The text by the csv module; a carriage return in a cell is quoted, which not every version of Python does."""
    lines = [",".join(column.name for column in columns) + "\n"]
    for row in rows:
        file = io.StringIO()
        csv.writer(file, lineterminator="\r\n").writerow(cells(columns, row))
        lines.append(file.getvalue()[:-2] + "\n")
    return "".join(lines).encode("utf-8", "backslashreplace")


def jsonl_twin(columns, rows):
    """The text by the json module."""
    lines = []
    for row in rows:
        values = dict(zip([column.name for column in columns], cells(columns, row), strict=True))
        lines.append(json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n")
    return "".join(lines).encode("utf-8", "backslashreplace")


def cells(columns, row):
    values = [(column, getattr(row, column.name)) for column in columns]
    return [f"{value:016x}" if column.kind == "hash" and value is not None else value for column, value in values]


@settings(max_examples=examples(100))
@given(blocks(), st.booleans(), st.sampled_from([("csv", csv_twin), ("jsonl", jsonl_twin)]))
def test_text_is_that_of_the_standard_library(sources, board, form):
    kind, twin = form
    options = Options(board=board, positions=True)
    rows, positions, _ = one_by_one(sources, options)
    pieces = list(batches(sources, options, 1, 2))
    for columns, expected, found in (
        (replay_columns(board), rows, pieces),
        (POSITION_COLUMNS, positions, [piece.positions for piece in pieces]),
    ):
        file = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", newline="")
        writer = TableWriter(file, columns, kind)
        for table in found:
            writer.write_columns(table.data)
        writer.close()
        file.flush()
        assert file.buffer.getvalue() == (b"" if kind == "jsonl" and not expected else twin(columns, expected))


@settings(max_examples=examples(50))
@given(blocks(), st.booleans())
def test_arrow_has_the_same_values(sources, board):
    pytest.importorskip("pyarrow")
    options = Options(board=board, positions=True)
    rows, positions, _ = one_by_one(sources, options)
    (results,) = batches(sources, options, 1, None)
    names = [column.name for column in replay_columns(board)]
    assert [tuple(row.values()) for row in results.to_arrow().to_pylist()] == [
        tuple(printable(getattr(row, name)) for name in names) for row in rows
    ]
    arrow = results.positions.to_arrow()
    assert arrow.column_names == [*(column.name for column in POSITION_COLUMNS[:-1]), "width", "height", "board"]
    assert [tuple(row.values())[:-3] for row in arrow.to_pylist()] == [
        tuple(map(printable, row[:-1])) for row in positions
    ]
    assert [letters(row) for row in arrow.to_pylist()] == [row.board for row in positions]


def printable(value):
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def letters(row):
    """The packed board of a row, bit by bit."""
    return "".join(".XO"[row["board"][k // 4] >> k % 4 * 2 & 3] for k in range(row["width"] * row["height"]))
