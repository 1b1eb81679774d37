"""Random SGF with stones set up in all places: replay against boards that are played anew for every variation."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from helpers.effort import chances, examples
from hypothesis import given, settings
from oracles.board import EditedBoard, Point

from wei7core.formats.sgf.decode import decode
from wei7core.replaying.replay import pause_points, pause_points_size, replay_record

Move = tuple[int, Point | None]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
COLORS = {0: "AE", 1: "AB", 2: "AW"}


@dataclass
class Node:
    """What a node does: stones first, whatever is first in its text, then moves; a move None cannot be read."""

    is_root: bool = False
    text: str = ";"
    stones: list[tuple[int, Point]] | None = None
    moves: list[Move | None] = field(default_factory=list)
    has_comment: bool = False

    def steps(self, board: EditedBoard, replaced: list[Move]) -> Iterator[tuple[int, Move | None]]:
        """Carry the node out; yields the place among its steps, -1 for the root, and the move of each pause point.

        Ends early where a move cannot be played. Moves on occupied points are added to `replaced`.
        """
        step = -1
        if self.stones is not None and self.is_root:
            board.stones = {point: color for color, point in self.stones}
            board.stones = {point: color for point, color in board.stones.items() if color}
        elif self.stones is not None:
            step += 1
            board.edit(list({point: (color, point) for color, point in self.stones}.values()))
            yield step, None
        if self.is_root and (self.stones is not None or self.has_comment):
            yield -1, None
        for move in self.moves:
            step += 1
            if move is None:
                return
            if move[1] in board.stones:
                # FF[4]: the stone is put down whatever was there before.
                board.edit([(0, move[1])])
                replaced.append(move)
            board.play(*move)
            yield step, move


@dataclass
class Variation:
    nodes: list[Node]
    variations: list[Variation]

    def text(self) -> str:
        return f"({''.join(node.text for node in self.nodes)}{''.join(below.text() for below in self.variations)})"


class Maker:
    """Makes records on one board."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        most = chance.choice([3, 5, 25])
        self.width = chance.randint(1, most)
        self.height = self.width if chance.random() < 0.3 else chance.randint(1, most)

    def point(self) -> Point:
        return self.chance.randrange(min(self.width, 6)), self.chance.randrange(min(self.height, 6))

    def setup(self) -> tuple[list[str], list[tuple[int, Point]]]:
        """Return properties and what they do, in their order."""
        properties = []
        stones = []
        for color in self.chance.sample([0, 1, 2], self.chance.randint(1, 3)):
            values = ""
            for _ in range(self.chance.choice([1, 1, 2, 6])):
                (x, y), (right, bottom) = self.point(), self.point()
                if x <= right and y <= bottom and self.chance.random() < 0.3:
                    values += f"[{LETTERS[x]}{LETTERS[y]}:{LETTERS[right]}{LETTERS[bottom]}]"
                    points = [(column, row) for row in range(y, bottom + 1) for column in range(x, right + 1)]
                else:
                    values += f"[{LETTERS[x]}{LETTERS[y]}]"
                    points = [(x, y)]
                stones += [(color, point) for point in points]
            properties.append(COLORS[color] + values)
        return properties, stones

    def empty_point(self, board: EditedBoard) -> Point:
        """Return a point, which is empty after a few tries if any is."""
        point = self.point()
        for _ in range(self.chance.choice([0, 20, 20, 20, 20, 20, 20])):
            if point not in board.stones:
                break
            point = self.point()
        return point

    def move(self, board: EditedBoard) -> tuple[str, Move | None]:
        color = self.chance.randint(1, 2)
        kind = self.chance.random()
        if kind < 0.05:
            may_be_tt = self.width <= 19 and self.height <= 19
            return f"{' BW'[color]}[{self.chance.choice(['', 'tt']) if may_be_tt else ''}]", (color, None)
        if kind < 0.06:
            # On 25x25, zz is one past the last point, which is read as a pass.
            beyond = "zz" if (self.width, self.height) != (25, 25) else "z!"
            return f"{' BW'[color]}[{self.chance.choice(['!', beyond, 'aaa'])}]", None
        x, y = self.empty_point(board)
        return f"{' BW'[color]}[{LETTERS[x]}{LETTERS[y]}]", (color, (x, y))

    def node(self, kind: float, board: EditedBoard, is_root: bool = False) -> Node:
        node = Node(is_root)
        properties: list[str] = []
        if kind < 0.25:
            properties, node.stones = self.setup()
        if kind < 0.05 or 0.25 <= kind < 0.9:
            for _ in range(1 if self.chance.random() < 0.95 else 2):
                text, move = self.move(board)
                # A second property of the same name would be no second move.
                if not any(text[0] == other[0] and other[1] == "[" for other in properties):
                    properties.insert(self.chance.randint(0, len(properties)), text)
                    # They are played in the order of the text.
                    node.moves.insert(sum(other[0] in "BW" for other in properties[: properties.index(text)]), move)
        if self.chance.random() < 0.1:
            node.has_comment = True
            properties.append("C[a \\] b]")
        node.text += "\n".join(properties)
        for _ in node.steps(board, []):
            pass
        return node

    def game(self) -> Variation:
        board = EditedBoard(self.width, self.height)
        root = self.node(self.chance.choice([0.0, 0.1, 0.5, 1.0, 1.0]), board, is_root=True)
        size = f"{self.width}" if self.width == self.height else f"{self.width}:{self.height}"
        root.text = f";FF[4]GM[1]SZ[{size}]{root.text[1:]}"
        tree = self.variation(board, 0)
        tree.nodes.insert(0, root)
        return tree

    def variation(self, board: EditedBoard, depth: int) -> Variation:
        nodes = [self.node(self.chance.random(), board) for _ in range(self.chance.randint(1, 12))]
        count = self.chance.choice([0, 1, 2, 3]) if depth < 4 else 0
        return Variation(nodes, [self.variation(board.twin(), depth + 1) for _ in range(count)])


class Slow:
    """The outcome of the replay of a record, found with a board of its own for each variation."""

    def __init__(self, width: int, height: int, tree: Variation) -> None:
        self.pauses: list[tuple[object, ...]] = []
        self.replaced: list[str] = []
        self.unreadable: list[str] = []
        self.end = self.walk(tree, EditedBoard(width, height), "-")

    def nodes(self, tree: Variation, board: EditedBoard, path: str) -> bool:
        """Carry out the nodes of a variation; returns whether all can be."""
        first = 0
        for node in tree.nodes:
            moves = list(node.moves)
            replaced: list[Move] = []
            for step, move in node.steps(board, replaced):
                moves = moves[move is not None :]
                letters = "".join(".XO"[color] for row in board.rows for color in row)
                place = None if step < 0 else first + step
                self.pauses.append((path, place, len(board.moves), *(move or (None, None)), letters))
            self.replaced += [path] * len(replaced)
            if moves:
                self.unreadable.append(path)
                return False
            # A node that does nothing is a step too, but for the root.
            first += len(node.moves) + (not node.is_root and (node.stones is not None or not node.moves))
        return True

    def walk(self, tree: Variation, board: EditedBoard, path: str) -> EditedBoard:
        """Carry out a variation and those below it; returns the board at the end of its main line."""
        end = board
        if self.nodes(tree, board, path):
            for ordinal, below in enumerate(tree.variations):
                last = self.walk(below, board.twin(), f"{path}.{ordinal}" if path != "-" else str(ordinal))
                end = last if ordinal == 0 else end
        return end


@settings(max_examples=examples(200))
@given(chances())
def test_sgf_with_stones_set_up_anywhere(chance: random.Random) -> None:
    maker = Maker(chance)
    tree = maker.game()
    text = tree.text().encode()
    record = decode(text)
    slow = Slow(maker.width, maker.height, tree)
    replayed = replay_record(record)
    reported = [(p.branch, p.step, p.move_number, p.color, p.point, p.position) for p in pause_points(record)]
    assert reported == slow.pauses, text
    assert sum(len(point[-1]) + len(point[0].strip("-")) for point in reported) <= pause_points_size(record)
    end = slow.end
    assert replayed.board is not None
    replayed.board._check()
    assert replayed.board.to_array().tolist() == end.rows
    assert (replayed.hash, replayed.canonical_hash) == (end.hash, end.canonical_hash)
    assert (replayed.black_captured, replayed.white_captured) == (end.captured[1], end.captured[2])
    assert (replayed.moves, replayed.passes) == (len(end.moves), sum(point is None for _, point in end.moves))
    history = end.history()
    assert replayed.ko_recaptures == sum(recapture for _, recapture in history)
    assert replayed.suicides == sum(move[1] in removed for move, (removed, _) in zip(end.moves, history, strict=True))
    assert replayed.board.moves() == end.moves
    assert replayed.board._edits == (len(end.edited), max(end.edited, default=0))
    occupied = [problem.path.partition(";")[0] for problem in replayed.problems if problem.code == "move-occupied"]
    assert sorted(occupied) == sorted(slow.replaced)
    assert (replayed.error is None) == (not slow.unreadable)
    if replayed.error is not None:
        assert replayed.error.code in {"move-invalid", "point-off-board"}
        assert replayed.error.path.partition(";")[0] in slow.unreadable
    board = replayed.board
    while end.moves:
        n = chance.randint(1, len(end.moves))
        board.undo(n)
        end.undo(n)
        assert board.to_array().tolist() == end.rows
        assert (board.black_captured, board.white_captured) == (end.captured[1], end.captured[2])
