"""The check of every move of every branch, before it is played.

This is the exact, slow path: one record at a time, in Python. `wei7core.checking.prescreen` clears most records in
bulk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from .._util.words import counted
from ..board.blocks import Block
from ..board.board import BLACK, EMPTY, WHITE, Board, last_passes
from ..errors import LimitError
from ..formats.sgf.facts import color_of
from ..limits import Limits
from ..record.document import Branch, Document, Edit, Move, Point, Step, Takeback
from ..replaying.cursor import Cursor, Place
from ..rules import Dead, Ko, Rules, Verdict
from .finding import FindingSeverity
from .header import UNNAMED, Header

_REPEATS: Final = {
    Verdict.POSITIONAL_REPEAT: "superko-positional",
    Verdict.SITUATIONAL_REPEAT: "superko-situational",
    Verdict.NATURAL_REPEAT: "superko-natural",
}


_PATH_HEAD: Final = 128
_PATH_TAIL: Final = 64

_MANY: Final = 64
"""Following one block costs about as much as a pass over this number of points: more blocks are found in one pass."""


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


class MoveIssue(NamedTuple):
    """A finding to report for one step. `branch` and `step` are the number of the branch, in the order of a walk, and
    of the step in it, -1 for its start.
    """

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
    """The member of the header, for an issue without a step."""


class LineEnd(NamedTuple):
    """The main line at its end, or as far as it could be played: its board, whether the end was reached, and whether
    stones were set up in the course of it.
    """

    board: Board
    is_whole: bool
    has_edits: bool


class JudgedMoves(NamedTuple):
    """The result of `judge_moves`: up to `Limits.max_findings` in `issues`, and whether there were more (`is_cut`).
    `stops` are the steps at which branches ended early: (branch, step) -> (path, number of the move, color, point); at
    most as many.
    """

    issues: list[MoveIssue]
    is_cut: bool
    stops: dict[tuple[int, int], tuple[str, int, int | None, Point | None]]
    end: LineEnd | None


def latest_early_pass(points: Any) -> Any:
    """Return the last move number at which a pass is early, on a board of `points` points (or an array): a quarter of
    the points.
    """
    return points // 4


def path_text(ordinals: Sequence[int]) -> str:
    """Return the path of a branch as text: `0.1`, `-` for the root.

    The middle of a path of more than 192 ordinals is replaced by "...": the full paths of a million nested levels
    exceed the memory of a machine.
    """
    if len(ordinals) > _PATH_HEAD + _PATH_TAIL:
        head, tail = (".".join(map(str, part)) for part in (ordinals[:_PATH_HEAD], ordinals[-_PATH_TAIL:]))
        return f"{head}....{tail}"
    return ".".join(map(str, ordinals)) or "-"


def judge_moves(document: Document, header: Header, limits: Limits) -> JudgedMoves:
    """Check all branches of a document by the rules of its header.

    Raises `BoardSizeError` for a board larger than the limits. Branches beyond the limit of moves are not checked:
    replay of the record reports that. Thread safety: no other thread may change the document.
    """
    return _Judge(document, header, limits).run()


class _Judge:
    """Walks the branches, with the state of a line in addition to its board."""

    def __init__(self, document: Document, header: Header, limits: Limits) -> None:
        self._document = document
        self._header = header
        self._rules = header.rules
        self._alternates = header.rules.name != "permissive"
        self._cursor = Cursor(document, limits)
        self._most = limits.max_findings
        self._issues: list[MoveIssue] = []
        self._is_cut = False
        self._stops: dict[tuple[int, int], tuple[str, int, int | None, Point | None]] = {}
        self._end: LineEnd | None = None
        self._free = self._free_stones()
        # Stones, or the player to move, were set up since the last move: any color may then play.
        self._edited = False
        self._place: Place = Place(document.tree)
        self._ordinals: list[int] = []  # from the root to the current place
        self._path: str | None = None  # the same as text, made on demand
        self._history = History(self._cursor.board) if self._rules.ko > Ko.SIMPLE else None
        self._branch = 0
        self._step = -1

    def _free_stones(self) -> int:
        """How many handicap stones Black may place in a row at the start of the game."""
        handicap = self._header.handicap or 0
        pre = self._document.tree.pre
        return handicap if handicap > 1 and (pre is None or not pre.stones) else 0

    def run(self) -> JudgedMoves:
        document, cursor = self._document, self._cursor
        numbers = {id(branch): number for number, branch in enumerate(document.tree.walk())}
        waiting: list[Place | None] = [self._place]
        on_main = True
        edited = [False]  # at the end of each branch on the path
        try:
            while waiting:
                place = waiting.pop()
                self._path = None
                if place is None:
                    cursor.leave()
                    if self._history is not None:
                        self._history.leave()
                    if self._ordinals:
                        self._ordinals.pop()
                    edited.pop()
                    self._edited = edited[-1]
                    continue
                waiting.append(None)
                if place.parent is not None:
                    self._ordinals.append(place.ordinal)
                self._place, self._branch = place, numbers[id(place.branch)]
                below = self._judge_branch(place)
                edited.append(self._edited)
                if on_main and not below:
                    self._end = LineEnd(cursor.board.copy(), not self._stops, cursor.has_edits)
                    on_main = False
                waiting.extend(reversed(below))
        except LimitError:
            pass  # what has been found so far is returned
        return JudgedMoves(self._issues, self._is_cut, self._stops, self._end)

    def _judge_branch(self, place: Place) -> list[Place]:
        cursor, branch = self._cursor, place.branch
        self._step = -1
        can_go = cursor.enter(place)
        if self._history is not None:
            self._history.enter()
        if not can_go:
            self._stop(None)
            return []
        if place.parent is None:
            self._look_at_start(branch)
        elif branch.pre is not None and branch.pre.problem is not None:
            self._edited = True
        for index, step in enumerate(branch.steps):
            self._step = index
            action = step.action
            repeated = self._stones_there(action) if isinstance(action, Edit) else 0
            if isinstance(action, Move):
                if not self._judge_move(step, action):
                    return []
            elif not cursor.apply(step):
                self._stop(None)
                return []
            elif isinstance(action, Edit):
                self._look_at_edit(action, repeated)
                if self._history is not None:
                    self._history.edited(cursor.board.hash)
            elif isinstance(action, Takeback):
                self._edited = False
                if self._history is not None:
                    self._history.took_back()
            if not isinstance(action, Move) and _states_player(step):
                self._edited = True
        if branch.steps and _states_player(branch.steps[-1]):
            self._edited = True
        return place.below()

    # --- the start -------------------------------------------------------------------------------

    def _look_at_start(self, branch: Branch) -> None:
        pre = branch.pre
        stones = [] if pre is None else pre.stones
        if stones:
            self._report_blocks(self._cursor.board.blocks(), "set up at the start")
        if pre is not None and pre.problem is not None:
            return
        colors = [stone.color for stone in stones]
        handicap = self._header.handicap
        black, white = colors.count(BLACK), colors.count(WHITE)
        if handicap is not None:
            self._look_at_handicap(handicap, black, white, branch)
        if stones and (white or (handicap is not None and handicap < 2)):
            message = f"the game starts with {black} black and {white} white stones on the board"
            self._report("start-position-mismatch", None, None, None, message, {"black": black, "white": white})

    def _look_at_handicap(self, handicap: int, black: int, white: int, branch: Branch) -> None:
        if white:
            return
        put = black or _leading_stones(branch, handicap)
        if put != handicap and (handicap > 1 or black):
            message = f"the stated handicap is {handicap}, but Black has {counted(put, 'stone')}" + (
                "" if black else " before White's first move"
            )
            evidence = {"handicap": handicap, "stones": put}
            self._report("handicap-count-mismatch", None, None, None, message, evidence, None, "handicap")

    def _report_blocks(self, blocks: Iterable[Block], how: str) -> None:
        """Report the blocks without liberties."""
        for block in blocks:
            if not block.liberties:
                point = min(block, key=lambda point: (point[1], point[0]))
                name = f"{name_of_color(block.color)} ({point[0]}, {point[1]})"
                message = f"the block of {name}, which was {how}, has no liberty"
                self._report("setup-no-liberties", None, block.color, point, message, {"stones": len(block)})

    def _blocks_near(self, points: list[Point]) -> list[Block]:
        """The blocks at points and adjacent to them, in reading order: an edit there can take their liberties.

        The others have been reported before.
        """
        board = self._cursor.board
        near = {(x + dx, y + dy) for x, y in points for dx, dy in ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0))}
        if _MANY * len(near) > board.width * board.height:
            return [block for block in board.blocks() if not block.isdisjoint(near)]
        found: list[Block] = []
        seen: set[Point] = set()
        for x, y in near:
            if 0 <= x < board.width and 0 <= y < board.height and (x, y) not in seen and board[x, y]:
                block = board.block((x, y))
                seen |= block
                found.append(block)
        return sorted(found, key=lambda block: min((y, x) for x, y in block))

    def _stones_there(self, action: Edit) -> int:
        """How many of the stones to add are already on the board (FF[4], setup: bad style)."""
        board = self._cursor.board
        return sum(stone.color != EMPTY and board[stone.point] == stone.color for stone in action.stones)

    def _look_at_edit(self, action: Edit, repeated: int) -> None:
        board = self._cursor.board
        played = board.move_count
        if played and action.stones:
            first = action.stones[0]
            put = sum(stone.color != EMPTY for stone in action.stones)
            message = f"setup after move {played}: {counted(put, 'stone')} added, {len(action.stones) - put} removed"
            evidence = {"put": put, "emptied": len(action.stones) - put}
            if repeated:
                message += f", {repeated} of those added were already there"
                evidence["repeated"] = repeated
            self._report("setup-mid-game", played, None, first.point, message, evidence, "warning")
        if action.stones:
            self._report_blocks(self._blocks_near([stone.point for stone in action.stones]), "set up after a move")
            self._edited = True

    # --- one move --------------------------------------------------------------------------------

    def _judge_move(self, step: Step, action: Move) -> bool:
        cursor, rules = self._cursor, self._rules
        board: Board = cursor.board
        color, point, number = action.color, action.point, board.move_count + 1
        verdict, is_retake = Verdict.LEGAL, False
        if self._alternates:
            self._judge_turn(board, color, point, number)
        if point is None:
            if number <= latest_early_pass(board.width * board.height) and number > self._free:
                message = f"move {number}, {name_of_color(color)}, is a pass too early in the game"
                self._report("pass-early", number, color, None, message)
        else:
            if rules.passes and last_passes(board, rules.passes) >= rules.passes:
                self._judge_resumption(color, point, number)
            try:
                verdict = board.is_legal(color, point, rules)
            except ValueError:
                verdict = Verdict.OFF_BOARD
            if verdict in (Verdict.OCCUPIED, Verdict.OFF_BOARD):
                self._stop((color, point))
                if verdict is Verdict.OFF_BOARD or not self._document.replaces:
                    return False
                if self._history is not None:
                    self._history.edited(_hash_without(board, point))
            elif not verdict:
                is_retake = self._is_retake(board, verdict, color, point)
        own = board.black_captured if color == BLACK else board.white_captured
        if not cursor.apply(step):
            self._stop((color, point))
            return False
        if point is not None and not verdict and verdict is not Verdict.OCCUPIED:
            lost = (board.black_captured if color == BLACK else board.white_captured) - own
            self._report_verdict(verdict, color, point, number, lost, is_retake)
        if self._history is not None:
            self._history.played()
        self._edited = False
        return True

    def _is_retake(self, board: Board, verdict: Verdict, color: int, point: Point) -> bool:
        if self._rules.ko > Ko.SIMPLE and board.move_count > 1:
            return board.is_legal(color, point, _SIMPLE_KO) is Verdict.KO_RECAPTURE
        return verdict is Verdict.KO_RECAPTURE

    def _judge_turn(self, board: Board, color: int, point: Point | None, number: int) -> None:
        if self._edited or number <= self._free:
            return
        last = board.last_move
        if last is None:
            expected = self._first_player()
            if expected is not None and color != expected:
                message = f"{name_of_color(color)} makes the first move, where {name_of_color(expected)} should"
                self._report("first-player-mismatch", number, color, point, message, {"expected": expected})
        elif last[0] == color and not (self._step and _states_player(self._place.branch.steps[self._step - 1])):
            message = f"move {number}, {_named(color, point)}, has the color of the previous move"
            self._report("turn-order", number, color, point, message)

    def _first_player(self) -> int | None:
        header, pre = self._header, self._document.tree.pre
        if header.first is not None:
            return header.first
        if pre is not None and pre.problem is not None:
            return None  # checked by the decoder
        stones = 0 if pre is None else len(pre.stones)
        if stones:
            return WHITE if stones > 1 and all(stone.color == BLACK for stone in (pre.stones if pre else ())) else None
        return BLACK

    def _judge_resumption(self, color: int, point: Point, number: int) -> None:
        rules = self._rules
        message = f"move {number}, {_named(color, point)}, follows {rules.passes} passes in a row, which end the game"
        severity: FindingSeverity | None = (
            None if rules.dead is Dead.NONE else "info"
        )  # players who disagree about dead stones play on
        self._report("move-after-end", number, color, point, message, {}, severity)

    def _report_verdict(
        self, verdict: Verdict, color: int, point: Point, number: int, size: int, is_retake: bool
    ) -> None:
        """Report the issues of a played move; `size` is the number of stones of its own color it removed."""
        name = f"move {number}, {_named(color, point)},"
        if verdict is Verdict.SUICIDE:
            code = "suicide-single" if size == 1 else "suicide-multi"
            message = f"{name} is suicide of {'one stone' if size == 1 else f'{size} stones'}"
            self._report(code, number, color, point, message, {"stones": size})
            return
        if is_retake:
            message = f"{name} is an immediate ko recapture: it restores the position after move {number - 2}"
            self._report("ko-recapture", number, color, point, message, {"repeats_move": number - 2})
        if verdict in _REPEATS:
            earlier = 0 if self._history is None else self._history.last_like_now()
            message = f"{name} repeats the position after move {earlier}" if earlier else f"{name} repeats the start"
            self._report(_REPEATS[verdict], number, color, point, message, {"repeats_move": earlier})

    # --- the issues ------------------------------------------------------------------------------

    def _report(
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
        if len(self._issues) >= self._most:
            self._is_cut = True
            return
        place = (self._branch, self._step, self._path_text())
        self._issues.append(MoveIssue(code, *place, number, color, point, message, evidence or {}, severity, member))

    def _stop(self, move: tuple[int, Point | None] | None) -> None:
        color, point = move or (None, None)
        number = self._cursor.board.move_count + 1
        if len(self._stops) < self._most:
            self._stops[self._branch, self._step] = (self._path_text(), number, color, point)

    def _path_text(self) -> str:
        if self._path is None:
            self._path = path_text(self._ordinals)
        return self._path


_SIMPLE_KO: Final[Rules] = replace(UNNAMED, name="simple ko", ko=Ko.SIMPLE)


def name_of_color(color: int) -> str:
    """Return `black` or `white`."""
    return "black" if color == BLACK else "white"


def _named(color: int, point: Point | None) -> str:
    return f"{name_of_color(color)} " + ("pass" if point is None else f"({point[0]}, {point[1]})")


def _leading_stones(branch: Branch, wanted: int) -> int:
    """Black's stones before White's first one, ignoring passes of White, on the main line; at most as many as
    needed.
    """
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


def _states_player(step: Step) -> bool:
    """Whether a step states which color plays next: PL of SGF, or the problem of a move."""
    if isinstance(step.action, Move) and step.action.problem is not None:
        return True
    return color_of(next(iter(step.properties.get("PL", ())), "")) is not None


def _hash_without(board: Board, point: Point) -> int:
    after = board.copy(history=False)
    after.edit([(EMPTY, point)])
    return after.hash
