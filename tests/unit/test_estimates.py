"""`w7.estimate`: the margin, and which stones are dead, by playouts."""

from __future__ import annotations

import numpy as np
import pytest

import wei7core as w7

SETTLED = """
. . . X O . . . .
. . . X O . . . .
. X . X O . O . .
. . . X O . . . .
. . . X O . . . .
. . X X O . . . .
. X . X O O . . .
. . O X O . X . .
. . . X O . . . .
"""


def settled() -> w7.Board:
    values = {".": 0, "X": 1, "O": 2}
    return w7.Board.from_array(np.array([[values[c] for c in line.split()] for line in SETTLED.split("\n") if line]))


def test_a_settled_board() -> None:
    board = settled()
    found = w7.estimate(board, playouts=400, to_play=w7.BLACK, komi=0.5, seed=4)
    assert set(found.dead) == {(2, 7), (6, 7)}
    assert found.ownership.shape == (9, 9)
    assert found.ownership.dtype == np.float32
    assert found.ownership[0, 0] > 0.5 > -0.5 > found.ownership[0, 8]
    assert found.playouts == 400
    assert -30 < found.margin < 10  # 9.5 points behind: random play is far from it
    assert found.deviation > 0
    assert 0 < found.black_wins < 1


def test_the_seed_decides_and_playouts_are_those_of_a_batch() -> None:
    board = w7.Board(7)
    board.play(w7.BLACK, (3, 3))
    first, second = (w7.estimate(board, playouts=50, komi=7, seed=9) for _ in range(2))
    assert (first.ownership == second.ownership).all()
    batch = w7.BoardBatch(1, 7, rules="tromp-taylor", komi=7)
    batch.step([24])
    played = w7.playout(batch, 50, seed=9)
    assert (first.ownership == played.ownership[0]).all()
    assert first.margin == pytest.approx(float(played.margins.mean()))
    assert first.black_wins == pytest.approx(float((played.margins > 0).mean() + (played.margins == 0).mean() / 2))


def test_white_may_begin() -> None:
    board = w7.Board(5)
    ahead = [w7.estimate(board, playouts=3000, to_play=color, seed=1).margin for color in (w7.BLACK, w7.WHITE)]
    assert ahead[0] > 0 > ahead[1]
    assert ahead[0] == pytest.approx(-ahead[1], abs=1.5)


def test_what_does_not_fit_is_refused() -> None:
    board = w7.Board(9)
    with pytest.raises(w7.BoardSizeError):
        w7.estimate(w7.Board(40))
    with pytest.raises(ValueError, match="playouts are from 1"):
        w7.estimate(board, playouts=0)
    for komi in ("7.5", True):
        with pytest.raises(TypeError, match="komi is a number"):
            w7.estimate(w7.Board(5), komi=komi)  # type: ignore[arg-type]  # the test passes a wrong type
    for number in ("nan", "inf"):
        with pytest.raises(ValueError, match="komi is a number"):
            w7.estimate(w7.Board(5), komi=float(number))
    with pytest.raises(ValueError, match="not True"):
        w7.estimate(w7.Board(5), to_play=True)
    with pytest.raises(TypeError, match="not of NoneType"):
        w7.estimate(None)  # type: ignore[arg-type]  # the test passes a wrong type
    dead = w7.Board(2)
    dead.edit([(1, (x, y)) for x in range(2) for y in range(2)])
    with pytest.raises(ValueError, match="no liberties"):
        w7.estimate(dead)
    with pytest.raises(ValueError, match="a color is 1 or 2"):
        w7.estimate(board, to_play=3)
