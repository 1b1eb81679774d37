"""Ladders read slowly, straight from the docstring of `Board.ladder`."""

from __future__ import annotations

from oracles.board import EditedBoard, Point

Position = frozenset[tuple[Point, int]]


class TooLongError(Exception):
    """More positions than the reader was allowed."""


def position(board: EditedBoard) -> Position:
    return frozenset(board.stones.items())


class Reader:
    """Reads the block of the stone at a point."""

    def __init__(self, board: EditedBoard, block: Point, most: int = 200) -> None:
        self.board = board
        self.block = block
        self.owner = board.stones[block]
        self.remaining = most
        self.past = [position(board)]
        if board.moves:
            self.past.insert(0, frozenset(board.before[-1][0].items()))

    def first(self) -> int:
        """Return the color that moves first by default."""
        return self.owner if len(self.board.liberties(self.block)) == 1 else 3 - self.owner

    def points(self, color: int) -> set[Point]:
        """Return where a colour may think of playing."""
        points = self.board.liberties(self.block)
        if color == self.owner:
            adjacent = {other for stone in self.board.block(self.block) for other in self.board.neighbours(stone)}
            for stone in adjacent & set(self.board.stones):
                if len(self.board.liberties(stone)) == 1:
                    points |= self.board.liberties(stone)
        return points

    def play(self, color: int, point: Point) -> bool:
        """Play a move, or report that it is none of a ladder."""
        own = {stone for stone, other in self.board.stones.items() if other == color}
        self.board.play(color, point)
        allowed = own | {point} <= set(self.board.stones) and position(self.board) not in self.past
        if allowed and color != self.owner and self.block in self.board.stones:
            allowed = len(self.board.liberties(self.block)) == 1
        if allowed:
            self.past.append(position(self.board))
        else:
            self.board.undo(1)
        return allowed

    def undo(self) -> None:
        self.board.undo(1)
        self.past.pop()

    def is_captured(self, color: int) -> bool:
        """Return how it ends when a colour is to move."""
        self.remaining -= 1
        if self.remaining < 0:
            raise TooLongError
        if self.block not in self.board.stones:
            return True
        if len(self.board.liberties(self.block)) >= 3:
            return False
        for point in self.points(color):
            if self.play(color, point):
                try:
                    captured = self.is_captured(3 - color)
                finally:
                    self.undo()
                if captured == (color != self.owner):
                    return captured
        return color == self.owner

    def check_line(self, color: int, captured: bool, line: tuple[tuple[int, Point], ...]) -> None:
        """Check that moves are those of a ladder, each keeps the end as it is, and after the last one it is clear."""
        for played, point in line:
            assert played == color
            assert point in self.points(color)
            assert self.play(color, point)
            color = 3 - color
            assert self.is_captured(color) == captured
        if captured:
            assert self.block not in self.board.stones or (color == self.owner and not self.can_move(color))
        elif len(self.board.liberties(self.block)) < 3:
            assert color != self.owner
            assert not self.can_move(color)

    def can_move(self, color: int) -> bool:
        for point in self.points(color):
            if self.play(color, point):
                self.undo()
                return True
        return False
