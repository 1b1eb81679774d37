"""A slow, obvious board, written from the definition of Go: what the kernel is compared with."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator

Point = tuple[int, int]
Stones = dict[Point, int]

MASK = 2**64 - 1


@functools.lru_cache(maxsize=1 << 16)
def splitmix64(number: int) -> int:
    """Return output `number` (counted from 1) of SplitMix64 from seed 0."""
    z = number * 0x9E3779B97F4A7C15 & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


@functools.cache
def key(first: int, second: int, third: int) -> int:
    """Return the part that a colour and a point, or 0 and the size of a board, have in `Board.hash`."""
    return splitmix64(first * 2**62 + second * 2**31 + third)


class Neighbours(dict[Point, tuple[Point, ...]]):
    """The points of a board next to each point, found when they are first asked for."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self.width = width
        self.height = height

    def __missing__(self, point: Point) -> tuple[Point, ...]:
        x, y = point
        around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        found = tuple((x, y) for x, y in around if 0 <= x < self.width and 0 <= y < self.height)
        self[point] = found
        return found


neighbours_of = functools.cache(Neighbours)
"""The neighbours of the points of a board of that width and height."""


def position_hash(width: int, height: int, stones: Stones) -> int:
    """Return what the docstring of `Board.hash` promises."""
    value = key(0, height, width)
    for (x, y), color in stones.items():
        value ^= key(color, y, x)
    return value


class OracleBoard:
    """Stones in a dict, whole positions in the history, blocks found anew every time."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.stones: Stones = {}
        self.captured = {1: 0, 2: 0}
        self.moves: list[tuple[int, Point | None]] = []
        self.before: list[tuple[Stones, dict[int, int]]] = []

    def has_point(self, point: Point) -> bool:
        return 0 <= point[0] < self.width and 0 <= point[1] < self.height

    @property
    def around(self) -> Neighbours:
        return neighbours_of(self.width, self.height)

    def neighbours(self, point: Point) -> tuple[Point, ...]:
        return self.around[point]

    def block(self, point: Point) -> set[Point]:
        stones, around = self.stones, self.around
        color = stones.get(point)
        if color is None:
            return set()
        block, todo = {point}, [point]
        while todo:
            for other in around[todo.pop()]:
                if stones.get(other) == color and other not in block:
                    block.add(other)
                    todo.append(other)
        return block

    def blocks(self, *colors: int) -> Iterator[set[Point]]:
        """Yield each block of some colours once."""
        seen: set[Point] = set()
        for point, color in self.stones.items():
            if color in colors and point not in seen:
                block = self.block(point)
                seen |= block
                yield block

    def liberties(self, point: Point) -> set[Point]:
        return self.liberties_of(self.block(point))

    def liberties_of(self, block: set[Point]) -> set[Point]:
        stones, around = self.stones, self.around
        return {other for stone in block for other in around[stone] if other not in stones}

    def has_liberty(self, block: set[Point]) -> bool:
        stones, around = self.stones, self.around
        for stone in block:
            for other in around[stone]:
                if other not in stones:
                    return True
        return False

    def remove_dead(self, color: int) -> int:
        """Remove every block of a colour that has no liberty, all at once."""
        dead = {point for block in self.blocks(color) if not self.has_liberty(block) for point in block}
        for point in dead:
            del self.stones[point]
        self.captured[color] += len(dead)
        return len(dead)

    def play(self, color: int, point: Point | None) -> int:
        self.before.append((dict(self.stones), dict(self.captured)))
        self.moves.append((color, point))
        if point is None:
            return 0
        assert self.has_point(point) and point not in self.stones
        self.stones[point] = color
        return self.remove_dead(3 - color) + self.remove_dead(color)

    def undo(self, n: int) -> None:
        if n:
            self.stones, self.captured = map(dict, self.before[-n])  # which a twin may have in common
            del self.before[-n:], self.moves[-n:]

    def copy(self, history: bool) -> OracleBoard:
        board = copy.copy(self)
        for name, value in vars(self).items():
            setattr(board, name, copy.copy(value))  # what the lists hold does not change
        if not history:
            board.forget()
        return board

    def forget(self) -> None:
        """Make the position one that nothing led to."""
        self.moves, self.before = [], []

    def can_setup(self, stones: list[tuple[int, Point]]) -> bool:
        """Return whether clause P-8 allows the stones."""
        if self.moves or not all(self.has_point(point) for _, point in stones):
            return False
        together = OracleBoard(self.width, self.height)
        together.stones = {**self.stones, **{point: color for color, point in stones}}
        if len(together.stones) < len(self.stones) + len(stones):
            return False
        return all(map(together.has_liberty, together.blocks(1, 2)))

    def transformed(self, symmetry: int) -> OracleBoard:
        """Return the stones as symmetry 0 .. 7 shows them: 4 transposes, then 1 mirrors columns and 2 rows."""
        width, height, stones = self.width, self.height, dict(self.stones)
        if symmetry & 4:
            width, height, stones = height, width, {(y, x): color for (x, y), color in stones.items()}
        if symmetry & 1:
            stones = {(width - 1 - x, y): color for (x, y), color in stones.items()}
        if symmetry & 2:
            stones = {(x, height - 1 - y): color for (x, y), color in stones.items()}
        board = OracleBoard(width, height)
        board.stones = stones
        return board

    @property
    def hash(self) -> int:
        return position_hash(self.width, self.height, self.stones)

    @property
    def canonical_hash(self) -> int:
        boards = map(self.transformed, range(8))
        return min(board.hash for board in boards if (board.width, board.height) == (self.width, self.height))

    @property
    def rows(self) -> list[list[int]]:
        return [[self.stones.get((x, y), 0) for x in range(self.width)] for y in range(self.height)]


class EditedBoard(OracleBoard):
    """A board whose stones SGF may change at any time, and moves as SGF defines them for whatever is then there.

    FF[4]: "a stone of that color is placed on the given position"; then "any groups [of the opponent] that are
    adjacent to the stone just played" are removed "if they have no liberties", and finally the group "that the
    newly-played stone belongs to".
    """

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.edited: list[int] = []
        """The moves in force when a point was changed, for each such edit in force."""
        self.after: list[Stones] = []
        """The position right after each move in force."""

    def twin(self) -> EditedBoard:
        """Return a board that is the same and goes its own way."""
        twin = EditedBoard(self.width, self.height)
        twin.stones, twin.captured = dict(self.stones), dict(self.captured)
        twin.moves, twin.before = list(self.moves), list(self.before)
        twin.edited, twin.after = list(self.edited), list(self.after)
        return twin

    def edit(self, stones: list[tuple[int, Point]]) -> None:
        for color, point in stones:
            if color != self.stones.get(point, 0):
                self.edited.append(len(self.moves))
            self.stones.pop(point, None)
            if color:
                self.stones[point] = color

    def remove_block(self, point: Point) -> int:
        """Remove a block without liberties; the first liberty that is met ends the search."""
        stones, around = self.stones, self.around
        color = stones[point]
        block, todo = {point}, [point]
        while todo:
            for other in around[todo.pop()]:
                found = stones.get(other)
                if found is None:
                    return 0
                if found == color and other not in block:
                    block.add(other)
                    todo.append(other)
        for stone in block:
            self.captured[self.stones.pop(stone)] += 1
        return len(block)

    def put(self, color: int, point: Point) -> int:
        """Put a stone and remove what it takes, without a place in the history."""
        assert self.has_point(point) and point not in self.stones
        self.stones[point] = color
        removed, opponent = 0, 3 - color
        for other in self.around[point]:
            if self.stones.get(other) == opponent:
                removed += self.remove_block(other)
        return removed + self.remove_block(point)

    def play(self, color: int, point: Point | None) -> int:
        self.before.append((dict(self.stones), dict(self.captured)))
        self.moves.append((color, point))
        removed = 0 if point is None else self.put(color, point)
        self.after.append(dict(self.stones))
        return removed

    def child(self, color: int, point: Point) -> EditedBoard:
        """Return the board after a move, without its history."""
        child = EditedBoard(self.width, self.height)
        child.stones, child.captured = dict(self.stones), dict(self.captured)
        child.put(color, point)
        return child

    def undo(self, n: int) -> None:
        super().undo(n)
        self.edited = [count for count in self.edited if count <= len(self.moves)]
        del self.after[len(self.moves) :]

    def forget(self) -> None:
        super().forget()
        self.edited, self.after = [], []

    def can_setup(self, stones: list[tuple[int, Point]]) -> bool:
        return not self.edited and super().can_setup(stones)

    def history(self) -> list[tuple[set[Point], bool]]:
        """Return the points that each move removed, and whether it brought the position of two moves before back.

        It does not count where an edit came between, or where a move did not remove one stone of the opponent.
        """
        rows: list[tuple[set[Point], bool]] = []
        takes_one = [False]
        for index, (_, point) in enumerate(self.moves):
            start = self.before[index][0]
            removed = (set(start) | ({point} if point else set())) - set(self.after[index])
            takes_one.append(len(removed) == 1 and point not in removed)
            comes_back = index > 0 and self.before[index - 1][0] == self.after[index]
            quiet = index not in self.edited
            rows.append((removed, comes_back and quiet and takes_one[-1] and takes_one[-2]))
        return rows
