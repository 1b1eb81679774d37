"""The types that users see: read by mypy --strict (ci/lint), never run."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import assert_type

import wei7core as w7
from wei7core.training import katago, leela_zero


def board() -> None:
    board = w7.Board(19)
    assert_type(w7.Board(width=9, height=13, max_points=200).size, tuple[int, int])
    assert_type(board.play(w7.BLACK, (3, 15)), int)
    assert_type(board.play(w7.WHITE, None), int)
    assert_type(board.is_legal(w7.BLACK, (3, 15), w7.rules.AGA), w7.rules.Verdict)
    assert_type(board.is_legal(w7.BLACK, None, "aga").reason, str)
    assert_type(board.copy(), w7.Board)
    assert_type(board.hash, int)
    assert_type(board.to_array(), npt.NDArray[np.uint8])
    assert_type(board.block((3, 15)), w7.Block)
    assert_type(board.blocks(w7.BLACK), list[w7.Block])
    assert_type(board.ladder((3, 15)), w7.Ladder)
    assert_type(board.is_eye((3, 15), w7.BLACK), bool)
    assert_type(w7.Board.from_array(board.to_array()), w7.Board)


def points(board: w7.Board) -> None:
    block = board.block((3, 15))
    stones: frozenset[tuple[int, int]] = block
    assert_type(block.neighbours, tuple[w7.Block, ...])
    assert_type(block.liberties | stones, w7.PointSet)
    assert_type(board.pass_alive(w7.WHITE).territory.dilate(), w7.PointSet)
    for x, y in ~w7.PointSet([(0, 0)], 19):
        assert_type(x + y, int)


def scores(board: w7.Board, game: w7.Game) -> None:
    score = w7.score(board, "chinese", dead=[(3, 3), board.block((3, 15))], komi=7.5, seki=[(0, 0)])
    assert_type(score, w7.Score)
    assert_type(score.margin, Fraction)
    assert_type(score.winner, int | None)
    assert_type(score.white.total, Fraction)
    assert_type(score.ownership, npt.NDArray[np.uint8])
    assert_type(score.compare("B+3.5"), w7.Agreement)
    assert_type(game.score(w7.rules.AGA, {(3, 3)}, handicap=2).result, w7.GameResult)
    assert_type(game.result, w7.GameResult | None)
    assert_type(game.rules, w7.rules.Rules | None)
    assert_type(w7.GameResult.parse("W+R").to_result(), w7.Result | None)


def self_play() -> None:
    batch = w7.BoardBatch(4, (9, 13), rules=w7.rules.AGA, komi=7, jobs=2)
    assert_type(batch.step([0, 1, 2, 3]), None)
    assert_type(batch.legal, npt.NDArray[np.bool_])
    assert_type(batch.planes("alphago-zero", out=batch.planes()), npt.NDArray[np.uint8])
    assert_type(batch.rewards, npt.NDArray[np.float32])
    assert_type(batch.select([1, 1]).board(0), w7.Board)


def training(board: w7.Board, game: w7.Game) -> None:
    planes = w7.to_planes([board], w7.BLACK)
    rows = w7.TrainingRows(own=planes[:, 0], opponent=planes[:, 1], game=np.array([0]), move_number=np.array([3]))
    found = w7.check_rows(rows, games=[game], rules="aga", ignore=["row-history"])
    assert_type(found.counts, dict[str, int])
    assert_type(found.rows, int)
    w7.check_rows([rows, {"own": planes[:, 0], "opponent": planes[:, 1]}], positions=[board, board.position()])
    w7.check_rows(leela_zero.read("train.txt.0.gz", first_row="top"), positions=np.zeros((1, 19, 19), np.uint8))
    assert_type(next(katago.read("rows.npz")), w7.TrainingRows)


def record(data: bytes) -> None:
    game = w7.loads(data, strict=False)
    assert_type(w7.loads("{}"), w7.Game)
    assert_type(w7.loads(memoryview(data)), w7.Game)
    assert_type(w7.dumps(game), bytes)
    assert_type(game.problems, tuple[w7.Problem, ...])
    assert_type(game.record, w7.Record | None)
    assert_type(game.size, tuple[int, int])
    assert_type(game.main_line(), Iterator[w7.Node])
    assert_type(game.tree, w7.Branch)
    assert_type(game.to_obj(), dict[str, Any])
    assert_type(w7.from_obj({}), w7.Game)


def walk(game: w7.Game) -> None:
    for node in game.walk():
        assert_type(node.board, w7.Board)
        assert_type(node.step, w7.Step | None)
        assert_type(node.comment, str | None)
        assert_type(node.path, tuple[int, ...])
        assert_type(node.move, tuple[int, tuple[int, int] | None] | None)


def edit(branch: w7.Branch) -> None:
    assert_type(branch.play(w7.BLACK, (3, 3), "good", comment="sharp"), w7.Step)
    assert_type(branch.add_branch(), w7.Branch)
    branch.play(w7.BLACK, (3, 3), "splendid")  # type: ignore[arg-type]  # an argument that the stub refuses


def expansions(board: w7.Board) -> None:
    moves = w7.expand([board, board.position(w7.BLACK)], w7.BLACK, "japanese", jobs=2)
    assert_type(moves.to_numpy(), dict[str, np.ndarray[Any, Any]])
    w7.expand(board.to_array(), [w7.WHITE], w7.rules.JAPANESE, ko=[(-1, -1)])


def many(error: w7.RecordError) -> None:
    results = w7.replay(["games", b"{}"], jobs=2, positions=True)
    for row in results:
        assert_type(row, Any)
    assert_type(results.to_numpy(), dict[str, np.ndarray[Any, Any]])
    assert_type(error.problem, w7.Problem)
    assert_type(error.problem.offset, int)
