"""Model-based test: rules act on a board and on the oracle, in an order that Hypothesis chooses."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule
from oracles.board import EditedBoard, OracleBoard

from wei7core.board.board import Board
from wei7core.errors import IllegalMoveError, IllegalPositionError

COLORS = st.integers(1, 2)
PLACES = st.integers(0, 10**6)


class BoardMachine(RuleBasedStateMachine):
    """A board that is played on, and others that were copied from each other and must not notice."""

    copies = Bundle("copies")
    model: type[OracleBoard] = OracleBoard

    @initialize(size=st.tuples(st.integers(1, 6), st.integers(1, 6)) | st.sampled_from([(28, 2), (54, 1), (2, 20)]))
    def start(self, size: tuple[int, int]) -> None:
        self.board = Board(*size)
        self.oracle = self.model(*size)

    def point(self, place: int) -> tuple[int, int]:
        return place % self.oracle.width, place // self.oracle.width % self.oracle.height

    @rule(color=COLORS, place=PLACES)
    def play(self, color: int, place: int) -> None:
        point = self.point(place)
        if point in self.oracle.stones:
            with pytest.raises(IllegalMoveError):
                self.board.play(color, point)
        else:
            assert self.board.play(color, point) == self.oracle.play(color, point)

    @rule(color=COLORS, place=PLACES)
    def fill(self, color: int, place: int) -> None:
        """Play everywhere but at one point, so that the next move there captures much."""
        spared = self.point(place)
        for x in range(self.oracle.width):
            for y in range(self.oracle.height):
                if (x, y) != spared and (x, y) not in self.oracle.stones:
                    assert self.board.play(color, (x, y)) == self.oracle.play(color, (x, y))

    @rule(color=COLORS)
    def pass_(self, color: int) -> None:
        assert self.board.play(color, None) == self.oracle.play(color, None)

    @rule(n=st.integers(0, 12))
    def undo(self, n: int) -> None:
        if n > len(self.oracle.moves):
            with pytest.raises(IllegalMoveError):
                self.board.undo(n)
        else:
            self.board.undo(n)
            self.oracle.undo(n)

    @rule(stones=st.lists(st.tuples(COLORS, PLACES), max_size=6))
    def setup(self, stones: list[tuple[int, int]]) -> None:
        if not all(map(self.oracle.liberties, self.oracle.stones)):
            return  # left by edits: the clause speaks of positions without such blocks
        placements = [(color, self.point(place)) for color, place in stones]
        if self.oracle.can_setup(placements):
            self.board.setup(placements)
            self.oracle.stones |= {point: color for color, point in placements}
        else:
            with pytest.raises(IllegalPositionError):
                self.board.setup(placements)

    @rule(target=copies, history=st.booleans())
    def copy(self, history: bool) -> tuple[Board, OracleBoard]:
        copy = self.board.copy(history=history)
        assert copy == self.board
        return copy, self.oracle.copy(history)

    @rule(target=copies, kept=consumes(copies))
    def go_on_with_a_copy(self, kept: tuple[Board, OracleBoard]) -> tuple[Board, OracleBoard]:
        left = self.board, self.oracle
        self.board, self.oracle = kept
        return left

    @rule(kept=consumes(copies))
    def copies_are_independent(self, kept: tuple[Board, OracleBoard]) -> None:
        self.compare(*kept)

    @invariant()
    def agrees(self) -> None:
        self.compare(self.board, self.oracle)

    @staticmethod
    def compare(board: Board, oracle: OracleBoard) -> None:
        board._check()
        assert board.to_array().tolist() == oracle.rows
        assert board.moves() == oracle.moves
        assert board.hash == oracle.hash
        assert {1: board.black_captured, 2: board.white_captured} == oracle.captured


class EditingMachine(BoardMachine):
    """The same with stones that come and go between the moves."""

    model = EditedBoard

    @rule(stones=st.lists(st.tuples(st.integers(0, 2), PLACES), max_size=8))
    def edit(self, stones: list[tuple[int, int]]) -> None:
        points = [(color, self.point(place)) for color, place in stones]
        self.board.edit(points)
        self.edited.edit(points)

    @rule(color=st.integers(0, 2), spared=PLACES)
    def fill_by_edit(self, color: int, spared: int) -> None:
        """Change every point but one, so that there are blocks without liberties."""
        points = [(x, y) for x in range(self.oracle.width) for y in range(self.oracle.height)]
        stones = [(color, point) for point in points if point != self.point(spared)]
        self.board.edit(stones)
        self.edited.edit(stones)

    @rule()
    def pickle(self) -> None:
        self.board = pickle.loads(pickle.dumps(self.board))

    @property
    def edited(self) -> EditedBoard:
        assert isinstance(self.oracle, EditedBoard)
        return self.oracle

    @invariant()
    def knows_its_edits(self) -> None:
        assert self.board._edits == (len(self.edited.edited), max(self.edited.edited, default=0))


TestBoardMachine = BoardMachine.TestCase
TestEditingMachine = EditingMachine.TestCase
