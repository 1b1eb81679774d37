"""Reference positions that training rows are compared with, taken from boards, packed positions or games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from .._util.lazy_numpy import Array
from ..board.board import Board
from ..board.planes import PLANES, to_planes
from ..board.position import Position
from ..game.game import Game
from ..record.result import Ending
from ..tables.columns import Boards
from ..tables.packed_boards import unpack_boards
from .rows import TrainingRows

if TYPE_CHECKING:
    from typing import TypeAlias

NO_KO: Final = -1
KO_UNKNOWN: Final = -2
WINNER_UNKNOWN: Final = -1

GivenPositions: TypeAlias = "Boards | Array | Iterable[Board | Position]"


@dataclass
class ReferencePositions:
    """The positions of some rows, one each.

    `there` is True for the rows of which anything is known. `stones`, (n, height, width), holds 0, 1 (black) and 2;
    `widths` and `heights` are the sizes of the boards. `to_play` is 0 where it is not known. `ko` is the point that
    `ko_color` may not play now, as a number row by row on the board, `NO_KO` or `KO_UNKNOWN`. `winner` is 1, 2, 0 for a
    draw, -1 where it is not known. `boards` have the moves before, where they were requested and there are any.
    `earlier`, (n, moves, height, width), holds the stones one move before and more, 0 before the start, in the rows of
    `has_earlier`; `moves` is 0 for rows without a history. `missing` has the reason why a row has no position.
    """

    there: Array
    stones: Array
    widths: Array
    heights: Array
    to_play: Array
    ko: Array
    ko_color: Array
    winner: Array
    boards: list[Board | None]
    earlier: Array
    has_earlier: Array
    missing: dict[int, str] = field(default_factory=dict)

    @classmethod
    def nothing(cls, part: TrainingRows) -> ReferencePositions:
        """Return empty reference positions for some rows."""
        count, height, width = part.own.shape
        length = 0 if part.history is None else part.history.shape[1]
        return cls(
            np.zeros(count, bool),
            np.zeros((count, height, width), np.uint8),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64),
            np.zeros(count, np.uint8),
            np.full(count, KO_UNKNOWN, np.int64),
            np.zeros(count, np.uint8),
            np.full(count, WINNER_UNKNOWN, np.int64),
            [None] * count,
            np.zeros((count, length, height, width), np.uint8),
            np.zeros(count, bool),
        )

    def fits(self, width: int, height: int) -> bool:
        """Return whether the arrays hold boards of a size."""
        return bool(height <= self.stones.shape[1] and width <= self.stones.shape[2])

    def put(self, index: int, stones: Array) -> None:
        """Set the position of one row; of one that is larger than the arrays only the size."""
        height, width = stones.shape
        self.there[index] = True
        self.widths[index], self.heights[index] = width, height
        if self.fits(width, height):
            self.stones[index, :height, :width] = stones

    def put_ko(self, index: int, position: Position) -> None:
        """Set the ko of one row, or its absence."""
        self.ko[index] = NO_KO if position.ko is None else position.ko[1] * position.width + position.ko[0]
        self.ko_color[index] = position.to_play or 0


class KnownPositions(Protocol):
    """Where positions come from, row after row."""

    def of(self, part: TrainingRows) -> ReferencePositions:
        """Return the positions of the next rows."""

    def end(self) -> None:
        """Raise `ValueError` where positions remain unused."""


def known_positions(
    positions: GivenPositions | None, games: Sequence[Game] | None, needs_moves: str | None
) -> KnownPositions | None:
    """Return the source of positions, None where nothing is given.

    `needs_moves` names what looks at the moves before, if anything does. Raises `ValueError` where those cannot be
    known, `TypeError` for other objects.
    """
    if positions is not None and games is not None:
        raise ValueError("rows are compared with positions or with games, not with both")
    if needs_moves is not None and (
        isinstance(positions, (Boards, np.ndarray)) or (positions is None and games is None)
    ):
        raise ValueError(f"{needs_moves}: superko needs moves: give games, or boards as positions")
    if games is not None:
        return _OfGames(games, needs_moves is not None)
    if positions is None:
        return None
    if isinstance(positions, Boards):
        return _OfPacked(positions)
    if isinstance(positions, np.ndarray):
        return _OfArray(positions)
    return _OfObjects(positions, needs_moves)


class _OfArray:
    """Stones as `Board.to_array` has them."""

    def __init__(self, positions: Array) -> None:
        if positions.dtype != np.uint8 or positions.ndim != 3:
            raise ValueError(
                f"positions are uint8 arrays of shape (n, height, width), not {positions.dtype} of {positions.shape}"
            )
        if positions.size and positions.max() > 2:
            raise ValueError("positions hold 0 (empty), 1 (black) and 2 (white)")
        self._positions = positions
        self._at = 0

    def of(self, part: TrainingRows) -> ReferencePositions:
        known = ReferencePositions.nothing(part)
        stones = self._positions[self._at : self._at + len(part)]
        self._at += len(part)
        _enough(len(stones), len(part), len(self._positions))
        height, width = stones.shape[1:]
        known.there[:] = True
        known.widths[:], known.heights[:] = width, height
        if known.fits(width, height):
            known.stones[:, :height, :width] = stones
        return known

    def end(self) -> None:
        _none_left(len(self._positions), self._at)


class _OfPacked:
    """Positions as the table of positions of `replay` has them."""

    def __init__(self, positions: Boards) -> None:
        self._positions = positions
        self._at = 0

    def of(self, part: TrainingRows) -> ReferencePositions:
        known = ReferencePositions.nothing(part)
        here = slice(self._at, self._at + len(part))
        self._at += len(part)
        known.widths = self._positions.widths[here].astype(np.int64)
        known.heights = self._positions.heights[here].astype(np.int64)
        _enough(len(known.widths), len(part), len(self._positions))
        packed = list(self._positions.packed(here.start, here.stop))
        known.there[:] = True
        sizes = np.stack([known.widths, known.heights], axis=1)
        for width, height in np.unique(sizes, axis=0).tolist():
            if known.fits(width, height):
                rows = np.flatnonzero((sizes == (width, height)).all(axis=1))
                stones = unpack_boards([packed[row] for row in rows.tolist()], width, height)
                known.stones[rows, :height, :width] = stones
        return known

    def end(self) -> None:
        _none_left(len(self._positions), self._at)


class _OfObjects:
    """Boards and positions."""

    def __init__(self, positions: Iterable[Board | Position], needs_moves: str | None) -> None:
        self._positions: Iterator[Board | Position] = iter(positions)
        self._needs_moves = needs_moves
        self._count = 0

    def of(self, part: TrainingRows) -> ReferencePositions:
        known = ReferencePositions.nothing(part)
        items = list(islice(self._positions, len(part)))
        _enough(len(items), len(part), self._count + len(items))
        for index, item in enumerate(items):
            if isinstance(item, Board):
                known.boards[index] = item
                position = _with_ko(item)
                known.put_ko(index, position)
            elif not isinstance(item, Position):
                raise TypeError(
                    f"position {self._count + index}: expected Board or Position, got {type(item).__name__}"
                )
            elif self._needs_moves is not None:
                raise ValueError(
                    f"{self._needs_moves}: superko needs moves, and position {self._count + index} is "
                    "a Position, which has none"
                )
            elif item.to_play is not None:
                known.to_play[index] = item.to_play
                if item.ko is not None:  # else it is unknown whether there is one
                    known.put_ko(index, item)
            known.put(index, item.to_array())
        if known.earlier.shape[1]:
            _put_histories(known)
        self._count += len(items)
        return known

    def end(self) -> None:
        if next(self._positions, None) is not None:
            raise ValueError(f"there are {self._count} rows and more positions")


class _OfGames:
    """The position of `move_number` moves on the main line of game `game`."""

    def __init__(self, games: Sequence[Game], with_moves: bool) -> None:
        if isinstance(games, Game):
            games = [games]
        for index, game in enumerate(games):
            if not isinstance(game, Game):
                raise TypeError(f"game {index}: expected Game, got {type(game).__name__}")
        self._games = games
        self._with_moves = with_moves

    def of(self, part: TrainingRows) -> ReferencePositions:
        assert part.game is not None and part.move_number is not None
        known = ReferencePositions.nothing(part)
        for number in np.unique(part.game).tolist():
            rows = np.flatnonzero(part.game == number)
            if 0 <= number < len(self._games):
                self._read(known, self._games[number], rows, part.move_number[rows])
            else:
                known.missing |= dict.fromkeys(rows.tolist(), f"game {number} out of range (of {len(self._games)})")
        return known

    def end(self) -> None:
        """Unused games are no error."""

    def _read(self, known: ReferencePositions, game: Game, rows: Array, numbers: Array) -> None:
        known.winner[rows] = _winner(game)
        length = known.earlier.shape[1]
        wanted = set(numbers.tolist())
        positions: dict[int, tuple[Position, Board | None, list[Array]]] = {}
        movers: dict[int, int] = {}
        stones: dict[int, Array] = {}  # before the next move
        last = 0
        for node in game.main_line():
            if node.move is not None:
                movers[node.move_number] = node.move[0]
            last = node.move_number
            if length:
                stones[last] = node.board.to_array()
            if last in wanted:  # a takeback comes to a number again; the later one counts
                board = node.board
                earlier = [stones[number] for number in range(last - 1, max(last - length, 0) - 1, -1)]
                positions[last] = _with_ko(board), board.copy() if self._with_moves else None, earlier
        for row, number in zip(rows.tolist(), numbers.tolist(), strict=True):
            if number not in positions:
                known.missing[row] = f"the game has {last} moves, so no position after move {number}"
                continue
            position, known.boards[row], earlier = positions[number]
            known.has_earlier[row] = length > 0
            if earlier and known.fits(position.width, position.height):
                known.earlier[row, : len(earlier), : position.height, : position.width] = earlier
            known.put(row, position.to_array())
            to_play = movers.get(number + 1) if number < last else position.to_play
            known.to_play[row] = to_play or 0
            known.put_ko(row, position)


def _put_histories(known: ReferencePositions) -> None:
    """Set the earlier stones of all rows with a board, by taking its moves back."""
    sizes: dict[tuple[int, int], list[int]] = {}
    for row, board in enumerate(known.boards):
        if board is not None and known.fits(*board.size):
            sizes.setdefault(board.size, []).append(row)
    length = known.earlier.shape[1]
    for (width, height), rows in sizes.items():
        boards = [board for row in rows if (board := known.boards[row]) is not None]
        planes = to_planes(boards, [1] * len(rows), history=length)[:, len(PLANES) :].reshape(
            -1, length, 2, height, width
        )
        known.earlier[rows, :, :height, :width] = planes[:, :, 0] | planes[:, :, 1] << 1
        known.has_earlier[rows] = True


def _with_ko(board: Board) -> Position:
    """The position for the opponent of the last player, to whom alone a ko can apply."""
    last = board.last_move
    return board.position() if last is None else board.position(3 - last[0], ko=True)


def _winner(game: Game) -> int:
    result = game.result
    if result is None:
        return WINNER_UNKNOWN
    return 0 if result.ending is Ending.DRAW else result.winner or WINNER_UNKNOWN


def _enough(given: int, needed: int, all_given: Any) -> None:
    if given < needed:
        raise ValueError(f"there are more rows than the {all_given} positions")


def _none_left(given: int, used: int) -> None:
    if used < given:
        raise ValueError(f"there are {used} rows and {given} positions")
