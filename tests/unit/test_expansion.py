"""Many positions expanded at once: what may come in, what comes out, what is refused."""

from __future__ import annotations

import csv
import json
from typing import Any

import numpy as np
import pytest
from helpers.cases import in_groups
from helpers.effort import examples, first
from oracles import expansion as expansion_oracle
from oracles.board import EditedBoard

import wei7core as w7
from wei7core import BLACK, WHITE, Board, Position
from wei7core.batch._expand import ChildBatch
from wei7core.batch.expansion import CHILD_COLUMNS, ChildRow
from wei7core.rules import Ko, Rules, Verdict
from wei7core.tables.columns import Boards

GAME = "tests/data/examples/rev7/lg-cup-with-format.wei7"
POSITIONAL = Rules(name="positional", ko=Ko.POSITIONAL, suicide=True)


def ko_board() -> Board:
    """Return a board on which White may not retake at (1, 1) at once, and where a white stone at (0, 0) is suicide."""
    board = Board(5, 4)
    for color, point in [(1, (1, 0)), (1, (0, 1)), (1, (1, 2)), (2, (2, 0)), (2, (3, 1)), (2, (2, 2)), (2, (1, 1))]:
        board.play(color, point)
    board.play(BLACK, (2, 1))
    return board


def small_positions() -> np.ndarray[Any, Any]:
    return np.array([[[0, 1, 2], [1, 0, 0]], [[0, 0, 0], [0, 2, 0]]], np.uint8)


def test_rows_columns_and_types() -> None:
    table = w7.expand(small_positions(), WHITE)
    assert len(table) == 3 + 5
    arrays = table.to_numpy()
    assert list(arrays) == list(ChildRow._fields) == [column.name for column in CHILD_COLUMNS]
    assert arrays["parent"].tolist() == [0] * 3 + [1] * 5
    assert list(zip(arrays["x"].tolist(), arrays["y"].tolist(), strict=True))[:3] == [(0, 0), (1, 1), (2, 1)]
    for column in CHILD_COLUMNS:
        array = arrays[column.name]
        assert array.dtype == ("uint64" if column.kind == "hash" else column.type)
        assert array.flags.c_contiguous
        assert not array.flags.writeable
    row = table[0]
    assert (row.legal, row.reason, row.captured, row.lost, row.self_atari) == (True, 0, 0, 1, False)
    assert w7.expand(small_positions(), WHITE, "japanese")[0].reason == Verdict.SUICIDE.value


@pytest.mark.parametrize("rules", ["permissive", "japanese", "aga", "tromp-taylor"])
def test_boards_as_their_children(rules: str) -> None:
    boards = [ko_board(), Board(3), Board(1), Board(30, 20), ko_board()]
    boards[3].play(BLACK, (29, 19))
    boards[3].play(WHITE, (28, 19))
    table = w7.expand(boards, [2, 1, 1, 2, 1], rules)
    rows = list(table)
    for parent, (board, color) in enumerate(zip(boards, [2, 1, 1, 2, 1], strict=True)):
        children = board.children(color, rules)
        mine = [row for row in rows if row.parent == parent]
        assert [(row.x, row.y) for row in mine] == [(x, y) for y, x in np.argwhere(board.to_array() == 0).tolist()]
        for row in mine:
            at = row.y, row.x
            assert row.legal == children.legal[at]
            assert row.reason == children.reason[at]
            assert (row.captured, row.lost) == (children.captured[at], children.lost[at])
            assert (row.hash, row.self_atari) == (children.hash[at], children.self_atari[at])


def test_every_way_in_gives_the_same() -> None:
    moves = [node.move for node in w7.load(GAME).main_line() if node.move]
    game = w7.Game(19)
    for color, point in moves[: examples(len(moves))]:
        game.tree.play(color, point)
    results = w7.replay(w7.dumps(game), positions=True).positions
    assert len(results) > 20
    packed = results.data["board"]
    assert isinstance(packed, Boards)
    arrays = w7.unpack_boards(results.to_numpy()["board"], 19, 19)
    colors = [1 + k % 2 for k in range(len(results))]
    positions = [
        Position(19, 19, data, color) for data, color in zip(packed.packed(0, len(packed)), colors, strict=True)
    ]
    expected = list(w7.expand(arrays, colors, "chinese"))
    for other in (
        w7.expand(packed, colors, "chinese"),
        w7.expand(positions, rules="chinese"),
        w7.expand(iter(positions), np.array(colors), "chinese"),
        w7.expand([Board.from_position(position) for position in positions], colors, "chinese"),
        w7.expand(np.asfortranarray(arrays), colors, "chinese", jobs=3),
        w7.expand(np.repeat(arrays, 2, axis=2)[:, :, ::2], colors, "chinese"),
    ):
        assert list(other) == expected
    assert [row[1:] for row in w7.expand(arrays[5], colors[5], "chinese")] == [
        row[1:] for row in expected if row.parent == 5
    ]
    assert [row[1:] for row in w7.expand(positions[5], rules="chinese")] == [
        row[1:] for row in expected if row.parent == 5
    ]


@pytest.mark.parametrize("jobs", first(2, [2, 5, 1]))
def test_many_threads_write_the_same(jobs: int) -> None:
    chance = np.random.default_rng(5)
    positions = chance.integers(0, 3, (9000, 3, 4), np.uint8)
    colors = chance.integers(1, 3, 9000)
    table = w7.expand(positions, colors, "korean", jobs=jobs)
    alone = w7.expand(positions, colors, "korean")
    for name, array in table.to_numpy().items():
        assert (array == alone.to_numpy()[name]).all()
    assert len(table) == int((positions == 0).sum())
    for parent in range(0, 9000, 1000):
        oracle = EditedBoard(4, 3)
        oracle.edit(
            [(int(positions[parent, y, x]), (x, y)) for y in range(3) for x in range(4) if positions[parent, y, x]]
        )
        first = int(np.searchsorted(table.to_numpy()["parent"], parent))
        last = int(np.searchsorted(table.to_numpy()["parent"], parent + 1))
        assert [tuple(row) for row in table[first:last]] == expansion_oracle.rows(
            parent, oracle, int(colors[parent]), w7.rules.KOREAN
        )


def test_ko_of_boards_positions_and_arrays() -> None:
    board = ko_board()
    for positions, color, ko in (
        (board, WHITE, None),
        (board.position(WHITE, ko=True), None, None),
        (board.to_array(), WHITE, [(1, 1)]),
        (board.to_array()[None], [WHITE], np.array([[1, 1]], np.int8)),
    ):
        forbidden = [row for row in w7.expand(positions, color, "japanese", ko=ko) if not row.legal]
        assert [(row.x, row.y, row.reason) for row in forbidden] == [
            (0, 0, Verdict.SUICIDE.value),
            (1, 1, Verdict.KO_RECAPTURE.value),
        ]
        assert all(row.legal for row in w7.expand(positions, color, ko=ko))
    for positions, color, ko in (
        (board, BLACK, None),
        (board.position(WHITE, ko=True), BLACK, None),
        (board.position(WHITE), None, None),
        (board.to_array(), WHITE, None),
        (board.to_array(), WHITE, [(-1, -1)]),
    ):
        reasons = [row.reason for row in w7.expand(positions, color, "japanese", ko=ko)]
        assert Verdict.KO_RECAPTURE.value not in reasons


def test_large_boards_have_wider_numbers() -> None:
    """Boards of all kinds, in one table whose numbers hold the largest of all."""
    large = Board(32_767, 2)
    large.edit([(WHITE, (32_766, 0)), *[(BLACK, (x, 1)) for x in range(32_767)]])
    long, small = Board(32_767, 1), Board(19)
    wide = w7.expand([small, large], BLACK)
    narrow = w7.expand([small, long], BLACK)
    for column in ("x", "y", "captured", "lost"):
        assert wide.to_numpy()[column].dtype == np.int32
        assert narrow.to_numpy()[column].dtype == np.int16
        assert (wide.to_numpy()[column][:361] == narrow.to_numpy()[column][:361]).all()
    assert (narrow[-1].x, wide[-1].x, wide[-1].captured) == (32_766, 32_765, 1)
    large.edit([(BLACK, (x, 0)) for x in range(32_766)] + [(0, (32_766, 0))])
    (row,) = w7.expand(large, WHITE)
    assert (row.x, row.captured, row.lost) == (32_766, 65_533, 0)
    assert [column.type for column in w7.expand(large, WHITE).columns[1:3]] == ["int32", "int32"]


def test_superko_needs_boards() -> None:
    board = ko_board()
    table = w7.expand([board, Board(2)], [WHITE, BLACK], POSITIONAL)
    assert [(row.parent, row.x, row.y, row.reason) for row in table if not row.legal] == [
        (0, 0, 0, Verdict.POSITIONAL_REPEAT.value),  # the suicide of one stone
        (0, 1, 1, Verdict.POSITIONAL_REPEAT.value),
    ]
    board.play(WHITE, (4, 3))  # the table is what it was
    assert table[0].parent == 0
    with pytest.raises(ValueError, match="positional: superko needs moves, which arrays"):
        w7.expand(board.to_array(), WHITE, POSITIONAL)
    with pytest.raises(ValueError, match="and position 1 is a Position, which has none"):
        w7.expand([board, board.position(WHITE)], WHITE, POSITIONAL)


def test_threads_may_judge_boards_that_share_their_moves() -> None:
    board = ko_board()
    boards = [board, board.copy(), board.copy(history=False)] * 2000
    arrays = w7.expand(boards, WHITE, POSITIONAL, jobs=4).to_numpy()
    rows = len(arrays["parent"]) // 2000
    for name, array in arrays.items():
        if name != "parent":
            assert (array.reshape(2000, rows) == array[:rows]).all()
    assert (
        ~arrays["legal"][:rows]
    ).sum() == 2 * 2 + 1  # without moves only the suicide of one stone repeats a position
    board.play(WHITE, (4, 3))
    board.undo()
    assert board.children(WHITE, POSITIONAL).points == boards[1].children(WHITE, POSITIONAL).points


def test_blocks_without_liberties_stay() -> None:
    positions = np.array([[[1, 2, 0]], [[1, 1, 1]]], np.uint8)
    (row,) = w7.expand(positions, WHITE)
    oracle = EditedBoard(3, 1)
    oracle.edit([(1, (0, 0)), (2, (1, 0))])
    assert [tuple(row)] == expansion_oracle.rows(0, oracle, WHITE, w7.rules.PERMISSIVE)


def test_nothing_comes_of_nothing() -> None:
    full = np.ones((2, 2, 2), np.uint8)
    for positions in ([], np.zeros((0, 19, 19), np.uint8), full):
        table = w7.expand(positions, BLACK)
        assert len(table) == 0
        assert list(table) == []
        assert set(table.to_numpy()) == set(ChildRow._fields)


@in_groups(
    ("arguments", "kind", "message"),
    [
        ((np.full((2, 3, 3), 3, np.uint8), 1), ValueError, "position 0 has values other than 0"),
        ((np.array([[[0, 0]], [[1, 128]]], np.uint8), 1), ValueError, "position 1 has values"),
        ((np.zeros((2, 3, 3), np.int64), 1), ValueError, "uint8 arrays of shape"),
        ((np.zeros((3,), np.uint8), 1), ValueError, "uint8 arrays of shape"),
        ((np.zeros((2, 3, 0), np.uint8), 1), ValueError, "no points"),
        ((np.zeros((2, 3, 3), np.uint8),), ValueError, "color is required"),
        ((np.zeros((2, 3, 3), np.uint8), 3), ValueError, "1 .black. or 2"),
        ((np.zeros((2, 3, 3), np.uint8), 1.0), ValueError, "1 .black. or 2"),
        ((np.zeros((2, 3, 3), np.uint8), [1]), ValueError, "expected 2 colors"),
        ((np.zeros((2, 3, 3), np.uint8), [1, 0]), ValueError, "1 .black. or 2"),
        ((np.zeros((2, 3, 3), np.uint8), 1, "no such rules"), ValueError, "unknown rule set"),
        ((np.zeros((2, 3, 3), np.uint8), 1, 7), TypeError, "rules"),
        (([Board(3), Position(1, 1, b"\0")],), ValueError, "position 0 has no color"),
        (([Position(1, 1, b"\0", 1), Board(3)],), ValueError, "position 1 has no color"),
        (([Board(3), 7], 1), TypeError, "position 1: expected Board or Position, got int"),
        ((7, 1), TypeError, "not iterable"),
        ((Boards(np.array([2]), np.array([2]), np.array([7], np.uint8)), 1), ValueError, "a packed board of 2 x 2"),
        ((Boards(np.array([3]), np.array([1]), np.array([64], np.uint8)), 1), ValueError, "a packed board of 3 x 1"),
        ((Boards(np.array([3]), np.array([3]), np.zeros(2, np.uint8)), 1), ValueError, "a packed board of 3 x 3"),
        ((Boards(np.array([0]), np.array([3]), np.zeros(0, np.uint8)), 1), ValueError, "not possible"),
        ((Boards(np.array([1 << 16]), np.array([1 << 16]), np.zeros(0, np.uint8)), 1), ValueError, "not possible"),
    ],
)  # fmt: skip
def test_what_makes_no_sense(arguments: tuple[Any, ...], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        w7.expand(*arguments)


@pytest.mark.parametrize(
    ("ko", "message"),
    [
        ([(0, 0), (1, 1)], "position 1 is not an empty point"),
        ([(0, 0), (3, 0)], "position 1 is not an empty point"),
        ([(0, -1), (0, 0)], "position 0 is not an empty point"),
        ([(0, 0)], r"integers of shape \(2, 2\)"),
        ([(0.5, 0), (0, 0)], r"integers of shape \(2, 2\)"),
    ],
)
def test_ko_points_that_make_no_sense(ko: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        w7.expand(small_positions(), WHITE, "japanese", ko=ko)


def test_other_arguments_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match="ko applies to arrays"):
        w7.expand([Board(3)], 1, ko=[(0, 0)])
    with pytest.raises(ValueError, match="jobs must be at least 1"):
        w7.expand([Board(3)], 1, jobs=0)


def test_a_batch_keeps_its_order() -> None:
    """Nothing is read or written that has no place yet."""
    which, colors, kos = np.zeros(2, np.int32), np.ones(2, np.uint8), np.full(2, -1, np.int64)
    offsets = np.array([0, 2, 4], np.int64)
    data = np.zeros(4, np.uint8)
    batch = ChildBatch([(2, 1)], which, colors, kos, "permissive")
    with pytest.raises(ValueError, match="when there is room"):
        batch.read(data, offsets, False, 0, 2)
    with pytest.raises(ValueError, match="was not read"):
        batch.lay_out()
    columns = {name: np.zeros(3, np.int16) for name in ("x", "y", "captured", "lost")}
    columns["parent"] = np.zeros(3, np.int32)
    columns |= {name: np.zeros(3, np.uint8) for name in ("legal", "reason", "self_atari")}
    columns["hash"] = np.zeros(3, np.uint64)
    with pytest.raises(ValueError, match="no such positions"):
        batch.write(begin=0, end=2, is_zero=True, **columns)
    batch.make_room()
    for begin, end in ((-1, 1), (0, 3), (2, 1)):
        with pytest.raises(ValueError, match="no such positions"):
            batch.read(data, offsets, False, begin, end)
    assert batch.read(data[:3], offsets, False, 0, 2) == 1
    assert batch.read(data, offsets + 1, False, 0, 2) == 1
    assert batch.read(data, offsets, True, 0, 2) == 0
    assert batch.read(data, offsets, False, 0, 2) == -1
    assert batch.lay_out() == 4
    with pytest.raises(ValueError, match="before they are laid out"):
        batch.read(data, offsets, False, 0, 2)
    with pytest.raises(ValueError, match="laid out already"):
        batch.lay_out()
    with pytest.raises(ValueError, match="an element for each row"):
        batch.write(begin=0, end=2, is_zero=True, **columns)
    with pytest.raises(ValueError, match="items have 1 bytes, not 2"):
        batch.write(begin=0, end=2, is_zero=True, **(columns | {"x": np.zeros(4, np.uint8)}))
    with pytest.raises(ValueError, match="not C-contiguous"):
        batch.write(begin=0, end=2, is_zero=True, **(columns | {"x": np.zeros(8, np.int16)[::2]}))
    frozen = np.zeros(4, np.int16)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        batch.write(begin=0, end=2, is_zero=True, **(columns | {"x": frozen}))
    for wrong in (np.float16, np.dtype(np.int16).newbyteorder("S")):
        with pytest.raises(ValueError, match="native integers, got format '"):
            batch.write(begin=0, end=2, is_zero=True, **(columns | {"x": np.zeros(4, wrong)}))
    with pytest.raises(TypeError, match="bytes-like"):
        batch.write(begin=0, end=2, is_zero=True, **(columns | {"x": [0, 0, 0, 0]}))
    with pytest.raises(ValueError, match="items have 8 bytes, not 4"):
        ChildBatch([(2, 1)], which.astype(np.int64), colors, kos, "permissive")
    with pytest.raises(ValueError, match="has a size, a color and a ko"):
        ChildBatch([(2, 1)], which, colors[:1], kos, "permissive")
    with pytest.raises(ValueError, match="position 0 has no size"):
        ChildBatch([], which, colors, kos, "permissive")


def test_files(tmp_path: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = w7.expand(ko_board(), WHITE, "japanese")
    rows = [tuple(row) for row in table]
    for suffix in ("csv", "jsonl", "parquet", "npz"):
        getattr(table, f"to_{suffix}")(tmp_path / f"a.{suffix}")
    arrow = table.to_arrow()
    assert arrow.schema.field("legal").type == pyarrow.bool_()
    assert [tuple(row.values()) for row in arrow.to_pylist()] == rows
    assert [tuple(row.values()) for row in parquet.read_table(tmp_path / "a.parquet").to_pylist()] == rows
    with np.load(tmp_path / "a.npz") as arrays:
        for name, array in table.to_numpy().items():
            assert arrays[name].dtype == array.dtype
            assert (arrays[name] == array).all()
    with open(tmp_path / "a.csv", newline="") as file:
        lines = list(csv.DictReader(file))
    objects = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    for row, line, found in zip(table, lines, objects, strict=True):
        assert found == {**row._asdict(), "hash": f"{row.hash:016x}"}
        assert int(line["legal"]) == row.legal
        assert line["hash"] == f"{row.hash:016x}"
