"""The positions of a line, in which a check finds the earlier move of a repeated position."""

from __future__ import annotations

from ..board.board import Board


class History:
    """The positions of a line by the number of moves in force. It follows a walk; `board` is that of the walk.

    Takebacks and branches cost as much here as on the board. For one thread at a time.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._hashes: list[int] = []
        self._numbers: dict[int, list[int]] = {}  # by hash: the moves after which the position occurred
        self._levels: list[tuple[int, list[int]]] = []  # of each branch: fewest positions, withdrawn positions

    def enter(self) -> None:
        """Enter a branch, whose preset stones are on the board."""
        self._levels.append((len(self._hashes), []))
        if self._hashes:
            self._withdraw()
        self._push(self._board.hash)

    def leave(self) -> None:
        """Return to the start of the current branch."""
        floor, withdrawn = self._levels.pop()
        while len(self._hashes) > floor:
            self._pop()
        for key in reversed(withdrawn):
            self._push(key)

    def played(self) -> None:
        """Add the position after a move."""
        self._push(self._board.hash)

    def edited(self, key: int) -> None:
        """Replace the position after the last move with one of another hash."""
        self._withdraw()
        self._push(key)

    def took_back(self) -> None:
        """Remove the positions of moves that were taken back."""
        while len(self._hashes) > self._board.move_count + 1:
            self._withdraw()

    def last_like_now(self) -> int:
        """Return the number of the last move after which the board had its current position, 0 for the start.

        The move that led to it has not been added yet.
        """
        numbers = self._numbers.get(self._board.hash)
        return numbers[-1] if numbers else 0

    def _push(self, key: int) -> None:
        self._numbers.setdefault(key, []).append(len(self._hashes))
        self._hashes.append(key)

    def _pop(self) -> int:
        key = self._hashes.pop()
        numbers = self._numbers[key]
        numbers.pop()
        if not numbers:
            del self._numbers[key]
        return key

    def _withdraw(self) -> None:
        """Remove the last position; one from before the branch is restored at the end of the branch."""
        floor, withdrawn = self._levels[-1]
        key = self._pop()
        if len(self._hashes) < floor:
            withdrawn.append(key)
            self._levels[-1] = len(self._hashes), withdrawn
