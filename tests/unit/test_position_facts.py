"""Columns of positions other than the board, against a walk of each record."""

from __future__ import annotations

import pytest

import wei7core as w7
from wei7core.batch.results import POSITION_COLUMNS, POSITION_METADATA_COLUMNS, PositionMetadataRow

TEXTS = [
    b"(;SZ[5]RE[B+R];B[aa];W[bb];B[](;W[cc];B[dd])(;W[cd](;B[aa])(;B[ab]))(;AB[ee];B[ed]))",
    b"(;SZ[7:5]AB[aa][bb]RE[W+1.5];W[cc];AE[aa];B[dd];B[ed])",
    b"(;SZ[9]RE[Void])",
    b"(;SZ[9](;AB[cc])(;B[dd];W[ee]))",
    b"nothing",
    b'{"format":"wei7","version":"3.0","size":5,"info":{"result":{"winner":1}},"tree":{"steps":[]}}',
    b'{"format":"wei7","version":"3.0","size":5,"tree":{"steps":['
    b'{"action":{"type":"move","value":{"color":1,"point":{"x":0,"y":0}}}},'
    b'{"action":{"type":"move","value":{"color":2,"point":{"x":1,"y":0}}}},'
    b'{"action":{"type":"takeback","value":1}},'
    b'{"action":{"type":"move","value":{"color":2,"point":{"x":0,"y":1}}}}]}}',
]


def following(rows: list[PositionMetadataRow], place: int) -> PositionMetadataRow | None:
    """The move that follows a row at once, found by its branch and number."""
    here = rows[place]
    for row in rows[place + 1 : place + 2]:
        is_child = row.branch == here.branch or row.branch.rpartition(".")[0] == (
            "" if here.branch == "-" else here.branch
        )
        if row.record == here.record and row.source == here.source and is_child and row.color:
            return row if row.move_number == here.move_number + 1 else None
    return None


@pytest.mark.parametrize("jobs", [1, 2])
def test_positions_have_what_follows_them(tmp_path, jobs):
    paths = []
    for number, text in enumerate(TEXTS):
        paths.append(tmp_path / f"{number}.{'wei7' if text[:1] == b'{' else 'sgf'}")
        paths[-1].write_bytes(text)
    results = w7.replay(map(str, paths), positions=True, metadata=True, jobs=jobs)
    plain = w7.replay(map(str, paths), positions=True, jobs=jobs).positions
    rows = list(results.positions)
    places = [PositionMetadataRow._fields.index(column.name) for column in POSITION_COLUMNS]
    assert [tuple(row[place] for place in places) for row in rows] == [tuple(row) for row in plain]
    winners = {row.source: row.winner for row in results}
    met = 0
    for place, row in enumerate(rows):
        size = {(str(paths[1])): (7, 5)}.get(row.source)
        side = 5 if len(row.board) == 25 else 9
        board = w7.Board(*(size or (side, side)))
        board.edit(
            [(" XO".index(sign), divmod(k, board.width)[::-1]) for k, sign in enumerate(row.board) if sign in "XO"]
        )
        assert (row.hash, row.canonical_hash) == (board.hash, board.canonical_hash)
        assert row.winner == winners[row.source]
        after = following(rows, place)
        met += after is not None
        if after is None:
            assert row.next_move is None
            assert row.to_play == (3 - row.color if row.color else None)
        else:
            point = None if after.x is None else (after.x, after.y)
            assert row.next_move == w7.coordinates.to_gtp(point, board.width, board.height)
            assert row.to_play == after.color
    assert met > 8
    table = results.positions
    assert [column.name for column in table.columns][-3:] == [column.name for column in POSITION_METADATA_COLUMNS]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(;SZ[9];B[aa](;C[x])(;W[bb]))", [(2, None), (1, None)]),
        ("(;SZ[9];B[aa](;C[x];W[cc])(;W[bb]))", [(2, "C7"), (1, None), (1, None)]),
        ("(;SZ[9];B[aa](;C[x](;B[cc])(;W[dd]))(;W[bb]))", [(1, "C7"), (2, None), (1, None), (1, None)]),
        ("(;SZ[9];B[aa](;C[x](;C[y])(;B[dd]))(;W[bb]))", [(2, None), (2, None), (1, None)]),
        ("(;SZ[9]AB[cc](;C[x])(;B[bb];W[aa]))", [(None, None), (2, "A9"), (1, None)]),
    ],
)
def test_what_follows_a_first_branch_without_a_move_is_no_next_move(text, expected):
    rows = w7.replay(text.encode(), positions=True, metadata=True).positions
    assert [(row.to_play, row.next_move) for row in rows] == expected


def test_no_positions_have_the_columns():
    positions = w7.replay([], positions=True, metadata=True).positions
    assert list(positions.to_numpy())[-1] == "winner"
    assert w7.replay(b"(;SZ[9])", positions=True, metadata=True).positions.to_numpy()["next_move"].tolist() in (
        [],
        [None],
    )
