"""The position of a finding as a picture: the stones before the move, and the point of the move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..board import draw
from ..board.board import Board
from ..coordinates import Point, point_name
from ..errors import Wei7Error
from ..game.game import Game
from ..record.document import Edit
from ..replaying.cursor import Node
from .codes import CODES
from .finding import Finding

_COLORS: Final = {1: "Black", 2: "White"}
_MOST_POINTS: Final = 52 * 52
_STOPS: Final = frozenset({"move-off-board", "move-occupied", "takeback-too-deep"})  # steps that cannot be carried out
_BY_HAND: Final = frozenset({"setup-mid-game", "setup-no-liberties"})


@dataclass(frozen=True, slots=True)
class FindingPosition:
    """A position, the point of the finding (None: none), and a caption of one line."""

    board: Board
    point: Point | None
    caption: str

    def text(self) -> str:
        """Return the caption and the board with its coordinates, the point in brackets; no line break at the end."""
        return f"{self.caption}\n{draw.text(self.board.to_array(), last=self.point)}"


def finding_position(game: Game, finding: Finding) -> FindingPosition | None:
    """Return the position of a finding in `game`.

    With a move number it is the position before that move, else the start of the line for a finding about the header,
    and its last position for one about the moves or the result. None if the finding has no position, if it cannot be
    reached, and if the board is too large for a picture of letters.
    """
    group = CODES[finding.code].group
    if group in ("file", "games") or not _is_drawn(game):
        return None
    try:
        line = game.main_line() if finding.branch is None else game.line(finding.branch)
        if finding.move_number is not None:
            return _before(line, finding, finding.move_number, finding.code in _stops(game))
        return _start(line, finding) if group == "header" else _end(line, finding)
    except (IndexError, ValueError, Wei7Error):
        return None


def _is_drawn(game: Game) -> bool:
    width, height = game.size
    return 0 < width * height <= _MOST_POINTS


def _stops(game: Game) -> frozenset[str]:
    return _STOPS - {"move-occupied"} if game.document.replaces else _STOPS


def _before(line: Iterator[Node], finding: Finding, number: int, stops: bool) -> FindingPosition | None:
    """The position before the step of a finding; before an unplayable step it is the end of the line."""
    previous: Node | None = None
    for node in line:
        if previous is not None and not stops and _is_it(node, finding, number):
            break
        previous = node
    else:
        if not stops:
            return None
    if previous is None:
        return None
    board = previous.board
    caption = f"after move {number}" if finding.code in _BY_HAND else f"before move {number}"
    if finding.color in _COLORS:
        caption += f", {_COLORS[finding.color]} {_named(finding.point, board)}"
    if finding.code not in _BY_HAND and board.last_move is not None:
        color, point = board.last_move
        caption += f"; move {board.move_count} was {_COLORS[color]} {_named(point, board)}"
    return FindingPosition(board, _on_board(finding, board), caption + ":")


def _is_it(node: Node, finding: Finding, number: int) -> bool:
    """Whether a node is the place of the finding; after takebacks several moves may have its number."""
    if node.move_number != number or node.step is None:
        return False
    if finding.code in _BY_HAND:
        return isinstance(node.step.action, Edit)
    return node.move is not None and (finding.color is None or node.move == (finding.color, finding.point))


def _start(line: Iterator[Node], finding: Finding) -> FindingPosition | None:
    """The start of the branch of the finding, by default of the root."""
    name = finding.branch or "-"
    for node in line:
        if node.step is None and (".".join(map(str, node.path)) or "-") == name:
            where = "at the start" if name == "-" else f"at the start of branch {name}"
            return FindingPosition(node.board, _on_board(finding, node.board), f"{where}:")
    return None


def _end(line: Iterator[Node], finding: Finding) -> FindingPosition | None:
    last: Node | None = None
    for node in line:
        last = node
    if last is None:
        return None
    return FindingPosition(last.board, _on_board(finding, last.board), f"after move {last.move_number}:")


def _on_board(finding: Finding, board: Board) -> Point | None:
    point = finding.point
    if point is None or not (0 <= point[0] < board.width and 0 <= point[1] < board.height):
        return None
    return point


def _named(point: Point | None, board: Board) -> str:
    if point is None:
        return "pass"
    x, y = point
    if 0 <= x < board.width and 0 <= y < board.height:
        return point_name(point, board.height)
    return f"at ({x}, {y})"
