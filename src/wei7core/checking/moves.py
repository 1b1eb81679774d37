"""Every move of every branch, judged before it is played.

This is the exact and slow way: one record at a time, in Python. `wei7core.checking.prescreen` clears most records at
once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from ..board.board import BLACK, EMPTY, WHITE, Board
from ..errors import LimitError
from ..limits import Limits
from ..record.document import Branch, Document, Edit, Move, Point, Step, Takeback
from ..replaying.cursor import Cursor, Place
from ..rules import Dead, Ko, Rules, Verdict
from .finding import FindingSeverity
from .header import UNNAMED, Header

__all__ = ["Judged", "LineEnd", "MoveTold", "judge_moves", "latest_early_pass", "name_of_color", "path_text"]

_REPEATS: Final = {
    Verdict.POSITIONAL_REPEAT: "superko-positional",
    Verdict.SITUATIONAL_REPEAT: "superko-situational",
    Verdict.NATURAL_REPEAT: "superko-natural",
}


class MoveTold(NamedTuple):
    """Something to be told of one step. `branch` and `step` are the number of the branch, in the order of a walk, and
    of the step in it, -1 for its start."""

    code: str
    branch: int
    step: int
    path: str
    move_number: int | None
    color: int | None
    point: Point | None
    message: str
    evidence: Mapping[str, Any] = {}
    severity: FindingSeverity | None = None
    member: str | None = None
    """The member of the header that it stands at, where it is none of a step."""


class LineEnd(NamedTuple):
    """The main line at its end, or as far as it could be played: its board, and whether that is its end."""

    board: Board
    is_whole: bool


class Judged(NamedTuple):
    """What `judge_moves` found. `stops` are the steps at which branches had to be given up: (branch, step) -> (path,
    number the move would have, color, point)."""

    told: list[MoveTold]
    stops: dict[tuple[int, int], tuple[str, int, int | None, Point | None]]
    end: LineEnd | None


def latest_early_pass(points: Any) -> Any:
    """Return the number of the last move that is early for a pass, on a board of so many points (or an array of them):
    a quarter of them."""
    return points // 4


def path_text(place: Place) -> str:
    """Return the path of a branch as text: `0.1`, `-` for the root."""
    return ".".join(map(str, place.path)) or "-"


def judge_moves(document: Document, header: Header, limits: Limits) -> Judged:
    """Judge all branches of a document by the rules of its header.

    Raises `BoardSizeError` for a board beyond the limits. Where the branches take more moves than the limit, those that
    are left are not judged: replaying the record says so. Thread safety: no other thread may change the document.
    """
    return _Judge(document, header, limits).run()


class _Judge:
    """Walks the branches, and keeps what a line remembers beside its board."""

    def __init__(self, document: Document, header: Header, limits: Limits) -> None:
        self._document = document
        self._header = header
        self._rules = header.rules
        self._alternates = header.rules.name != "permissive"
        self._cursor = Cursor(document, limits)
        self._told: list[MoveTold] = []
        self._stops: dict[tuple[int, int], tuple[str, int, int | None, Point | None]] = {}
        self._end: LineEnd | None = None
        self._free = self._free_stones()
        # Set by hand since the last move: who is to play then is nobody's guess.
        self._edited = False
        self._place: Place = Place(document.tree)
        self._branch = 0
        self._step = -1

    def _free_stones(self) -> int:
        """How many stones of a handicap Black may put one after the other at the start of the game."""
        handicap = self._header.handicap or 0
        pre = self._document.tree.pre
        return handicap if handicap > 1 and (pre is None or not pre.stones) else 0

    def run(self) -> Judged:
        document, cursor = self._document, self._cursor
        numbers = {id(branch): number for number, branch in enumerate(document.tree.walk())}
        waiting: list[Place | None] = [self._place]
        on_main = True
        try:
            while waiting:
                place = waiting.pop()
                if place is None:
                    cursor.leave()
                    self._edited = False
                    continue
                waiting.append(None)
                self._place, self._branch = place, numbers[id(place.branch)]
                below = self._judge_branch(place)
                if on_main and not below:
                    self._end = LineEnd(cursor.board.copy(), not self._stops)
                    on_main = False
                waiting.extend(reversed(below))
        except LimitError:
            pass
        return Judged(self._told, self._stops, self._end)

    def _judge_branch(self, place: Place) -> list[Place]:
        cursor, branch = self._cursor, place.branch
        self._step = -1
        if not cursor.enter(place):
            self._stop(None)
            return []
        if place.parent is None:
            self._look_at_start(branch)
        for index, step in enumerate(branch.steps):
            self._step = index
            action = step.action
            if isinstance(action, Move):
                if not self._judge_move(step, action):
                    return []
            elif not cursor.apply(step):
                self._stop(None)
                return []
            elif isinstance(action, Edit):
                self._look_at_edit(action)
            elif isinstance(action, Takeback):
                self._edited = False
        return place.below()

    # --- the start -------------------------------------------------------------------------------

    def _look_at_start(self, branch: Branch) -> None:
        pre = branch.pre
        stones = [] if pre is None else pre.stones
        if stones:
            self._look_for_liberties("set up at the start")
        if pre is not None and pre.problem is not None:
            return
        colors = [stone.color for stone in stones]
        handicap = self._header.handicap
        black, white = colors.count(BLACK), colors.count(WHITE)
        if handicap is not None:
            self._look_at_handicap(handicap, black, white, branch)
        if stones and (white or (handicap is not None and handicap < 2)):
            message = f"the game starts with {black} black and {white} white stones on the board"
            self._tell("start-position-mismatch", None, None, None, message, {"black": black, "white": white})

    def _look_at_handicap(self, handicap: int, black: int, white: int, branch: Branch) -> None:
        if white:
            return
        put = black or _leading_stones(branch, handicap)
        if put != handicap and (handicap > 1 or black):
            message = f"the record says a handicap of {handicap}, but Black gets {put} stones" + (
                "" if black else " before White's first move"
            )
            evidence = {"handicap": handicap, "stones": put}
            self._tell("handicap-count-mismatch", None, None, None, message, evidence, None, "handicap")

    def _look_for_liberties(self, how: str) -> None:
        board = self._cursor.board
        for block in board.blocks():
            if not block.liberties:
                point = min(block, key=lambda point: (point[1], point[0]))
                name = f"{name_of_color(board[point])} ({point[0]}, {point[1]})"
                message = f"the block of {name}, which was {how}, has no liberty"
                self._tell("setup-no-liberties", None, board[point], point, message, {"stones": len(block)})

    def _look_at_edit(self, action: Edit) -> None:
        board = self._cursor.board
        played = board.move_count
        if played and action.stones:
            first = action.stones[0]
            put = sum(stone.color != EMPTY for stone in action.stones)
            message = f"after move {played} by hand: stones put {put}, points emptied {len(action.stones) - put}"
            evidence = {"put": put, "emptied": len(action.stones) - put}
            self._tell("setup-mid-game", played, None, first.point, message, evidence)
        if action.stones:
            self._look_for_liberties("set up by hand")
            self._edited = True

    # --- one move --------------------------------------------------------------------------------

    def _judge_move(self, step: Step, action: Move) -> bool:
        cursor, rules = self._cursor, self._rules
        board: Board = cursor.board
        color, point, number = action.color, action.point, board.move_count + 1
        if self._alternates:
            self._judge_turn(board, color, point, number)
        if point is None:
            if number <= latest_early_pass(board.width * board.height) and number > self._free:
                message = f"move {number}, {name_of_color(color)}, is a pass so early in the game"
                self._tell("pass-early", number, color, None, message)
        else:
            if rules.passes and _passes_at_end(board, rules.passes) >= rules.passes:
                self._judge_resumption(color, point, number)
            try:
                verdict = board.is_legal(color, point, rules)
            except ValueError:
                verdict = Verdict.OFF_BOARD
            if verdict in (Verdict.OCCUPIED, Verdict.OFF_BOARD):
                self._stop((color, point))
                return False
            if not verdict:
                self._judge_verdict(board, verdict, color, point, number)
        if not cursor.apply(step):
            self._stop((color, point))
            return False
        self._edited = False
        return True

    def _judge_turn(self, board: Board, color: int, point: Point | None, number: int) -> None:
        if self._edited or number <= self._free:
            return
        last = board.last_move
        if last is None:
            expected = self._first_player()
            if expected is not None and color != expected:
                message = f"{name_of_color(color)} makes the first move, where {name_of_color(expected)} should"
                self._tell("first-player-mismatch", number, color, point, message, {"expected": expected})
        elif last[0] == color:
            message = f"move {number}, {_named(color, point)}, is by the color of the move before it"
            self._tell("turn-order", number, color, point, message)

    def _first_player(self) -> int | None:
        header, pre = self._header, self._document.tree.pre
        if header.first is not None:
            return header.first
        if pre is not None and pre.problem is not None:
            return None  # the decoder has looked
        stones = 0 if pre is None else len(pre.stones)
        if stones:
            return WHITE if stones > 1 and all(stone.color == BLACK for stone in (pre.stones if pre else ())) else None
        return BLACK

    def _judge_resumption(self, color: int, point: Point, number: int) -> None:
        rules = self._rules
        message = f"move {number}, {_named(color, point)}, follows {rules.passes} passes in a row, which end the game"
        severity: FindingSeverity | None = (
            None if rules.dead is Dead.NONE else "info"
        )  # where players disagree about dead stones, they play on
        self._tell("move-after-end", number, color, point, message, {}, severity)

    def _judge_verdict(self, board: Board, verdict: Verdict, color: int, point: Point, number: int) -> None:
        name, rules = f"move {number}, {_named(color, point)},", self._rules
        if verdict is Verdict.SUICIDE:
            size = _own_block_size(board, color, point)
            code = "suicide-single" if size == 1 else "suicide-multi"
            message = f"{name} is suicide of {'one stone' if size == 1 else f'{size} stones'}"
            self._tell(code, number, color, point, message, {"stones": size})
            return
        is_retake = verdict is Verdict.KO_RECAPTURE
        if rules.ko > Ko.SIMPLE and board.move_count > 1:
            is_retake = board.is_legal(color, point, _SIMPLE_KO) is Verdict.KO_RECAPTURE
        if is_retake:
            message = f"{name} takes back at once in a ko: the position is that after move {number - 2}"
            self._tell("ko-recapture", number, color, point, message, {"repeats_move": number - 2})
        if verdict in _REPEATS:
            earlier = _earlier(board, color, point)
            message = f"{name} repeats the position after move {earlier}" if earlier else f"{name} repeats the start"
            self._tell(_REPEATS[verdict], number, color, point, message, {"repeats_move": earlier})

    # --- what is found ---------------------------------------------------------------------------

    def _tell(
        self,
        code: str,
        number: int | None,
        color: int | None,
        point: Point | None,
        message: str,
        evidence: Mapping[str, Any] | None = None,
        severity: FindingSeverity | None = None,
        member: str | None = None,
    ) -> None:
        place = (self._branch, self._step, path_text(self._place))
        self._told.append(MoveTold(code, *place, number, color, point, message, evidence or {}, severity, member))

    def _stop(self, move: tuple[int, Point | None] | None) -> None:
        color, point = move or (None, None)
        number = self._cursor.board.move_count + 1
        self._stops[self._branch, self._step] = (path_text(self._place), number, color, point)


_SIMPLE_KO: Final[Rules] = replace(UNNAMED, name="simple ko", ko=Ko.SIMPLE)


def name_of_color(color: int) -> str:
    """Return `black` or `white`."""
    return "black" if color == BLACK else "white"


def _named(color: int, point: Point | None) -> str:
    return f"{name_of_color(color)} " + ("pass" if point is None else f"({point[0]}, {point[1]})")


def _leading_stones(branch: Branch, wanted: int) -> int:
    """Black's stones before White's first one, passes of White aside, on the main line; no more than are wanted."""
    count = 0
    for action in _main_actions(branch):
        if isinstance(action, Move):
            if action.color == BLACK and action.point is not None:
                count += 1
            elif action.point is not None:
                break
        if count == wanted:
            break
    return count


def _main_actions(branch: Branch) -> Iterator[Any]:
    while True:
        yield from (step.action for step in branch.steps)
        if not branch.branches:
            return
        branch = branch.branches[0]


def _passes_at_end(board: Board, enough: int) -> int:
    """Passes among the last moves, counted up to `enough`."""
    last = board.last_move
    if last is None or last[1] is not None:
        return 0
    moves = board.moves()
    count = 0
    while count < enough and count < len(moves) and moves[-1 - count][1] is None:
        count += 1
    return count


def _own_block_size(board: Board, color: int, point: Point) -> int:
    after = board.copy()
    removed: int = after.play(color, point)
    return removed


def _earlier(board: Board, color: int, point: Point) -> int:
    """The number of the last move after which the position was the one that this move makes."""
    after = board.copy(history=False)
    after.play(color, point)
    before = board.copy()
    while before.hash != after.hash and before.move_count:
        before.undo()
    return before.move_count
