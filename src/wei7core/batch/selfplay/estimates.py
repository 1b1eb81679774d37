"""An estimate of the score and of dead stones from random playouts of one position.

estimate = w7.estimate(board, playouts=1000)
estimate.margin, estimate.dead
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from ...board.board import Board
from ...board.point_set import PointSet
from ...errors import BoardSizeError
from ...rules import komi_of
from .._expand import Boards, boards_fit

_PASSES = 2


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """The result of random playouts of a position: an estimate, which may be wrong.

    `margin`: the mean margin of Black in points, komi included, by area; `deviation`: its standard deviation.
    `black_wins`: the share of the playouts that Black won, a draw as half. `ownership`: float32 (height, width), the
    mean of 1 where a point was Black's in the end, -1 where it was White's. `dead`: stones whose points were the
    opponent's in most playouts, whole blocks at a time: a proposal for the players' agreement. `playouts`: their
    number.
    """

    margin: float
    deviation: float
    black_wins: float
    ownership: npt.NDArray[np.float32]
    dead: PointSet
    playouts: int


def estimate(
    board: Board,
    *,
    playouts: SupportsIndex = 1000,
    to_play: int | None = None,
    komi: float = 0.0,
    seed: SupportsIndex = 0,
) -> Estimate:
    """Estimate the owner of each point and the score by light random playouts (`wei7core.playout`) from a position.

    `to_play`: the color that moves first; None is `board.to_play`. `komi`: in points. The same `seed` gives the same
    estimate. A ko of the last move does not count. Playouts know no life and death but that of eyes: stones that need
    an answer at the right point are judged wrong more often than others, and seki is not seen.

    Raises `BoardSizeError` for boards that a `BoardBatch` cannot have, `ValueError` for other colors and numbers and
    for a block without liberties, `TypeError` for other types. Thread safety: the board is read at once; any number of
    threads may call it.
    """
    if not isinstance(board, Board):
        raise TypeError(f"an estimate is of a wei7core.Board, not of {type(board).__name__}")
    width, height = board.size
    count = operator.index(playouts)
    color = board.to_play if to_play is None else to_play
    if not boards_fit(width, height):
        raise BoardSizeError(f"playouts need boards of (width + 1) * (height + 2) up to 1,023, not {width} x {height}")
    if not 1 <= count < 2**31:
        raise ValueError(f"playouts are from 1 to 2^31 - 1, not {count}")
    if isinstance(color, bool) or color not in (1, 2):
        raise ValueError(f"a color is 1 or 2, not {color!r}")
    stones = board.to_array()
    boards = Boards(
        1,
        width,
        height,
        "tromp-taylor",
        komi=komi_of(komi),
        passes=_PASSES,
        last_pass=0,
        is_territory=False,
        tie=0,
        move_limit=1,
    )
    boards.begin_at(stones.reshape(-1), color)
    margins = np.zeros((1, count), np.float32)
    owned = np.zeros((1, height, width), np.int32)
    boards.playouts(margins, owned, count, operator.index(seed) % 2**64, 3 * width * height, 0, 1)
    ownership = (owned[0] / count).astype(np.float32)
    exact = margins.astype(np.float64)
    return Estimate(
        margin=float(exact.mean()),
        deviation=float(exact.std()),
        black_wins=float((exact > 0).mean() + (exact == 0).mean() / 2),
        ownership=ownership,
        dead=_dead(board, stones, ownership),
        playouts=count,
    )


def _dead(board: Board, stones: npt.NDArray[np.uint8], ownership: npt.NDArray[np.float32]) -> PointSet:
    """The stones of blocks whose points were the opponent's in the mean."""
    of_color = np.where(stones == 1, ownership, -ownership)
    found: list[tuple[int, int]] = []
    for block in board.blocks():
        points = list(block.stones)
        if np.mean([of_color[y, x] for x, y in points]) < 0:
            found.extend(points)
    return PointSet(found, *board.size)
