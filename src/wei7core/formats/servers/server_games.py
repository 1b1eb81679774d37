"""Games of Go servers: a record and a document from a header and a line or a tree.

The header becomes properties of an SGF root node, where all users of documents expect it.
"""

from __future__ import annotations

import functools
import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from ...errors import PROBLEM_CODE_BY_NAME, Problem
from ...limits import Limits
from ...record.document import Branch, Document, Info, Move, Point, Properties, Setup, Step, Stone, Unreadable
from ...record.record import Record, make_record
from ..record_columns import OF_ROOT, rows_of
from ..record_rows import NO_SPAN, Rows
from ..sgf.charset import codec
from ..sgf.info import info_from_properties
from ..sgf.properties import escape
from .move_lines import Moves, TextLine, lines_of
from .places import Lines, Place, add_lines, add_marks, branch_of, lines_from

BLACK: Final = 1
WHITE: Final = 2


@dataclass(frozen=True, slots=True)
class ServerProblem:
    """A problem: its code, its offset, the part of the record, and the message."""

    code: str
    offset: int
    path: str
    message: str


@dataclass(slots=True)
class ServerGame:
    """The content found by a reader.

    With `root`, the game is a tree from there and `moves` is empty. `asks`: the colour to play in a problem, or 0.
    """

    size: int = 19
    height: int = 0  # of a board that is no square
    header: dict[str, str] = field(default_factory=dict)
    title: tuple[int, int] | None = None
    stones: list[Point] = field(default_factory=list)
    white_stones: list[Point] = field(default_factory=list)
    head: int = 0
    moves: Moves = field(default_factory=Moves)
    problems: list[ServerProblem] = field(default_factory=list)
    root: Place | None = None
    asks: int = 0
    is_game: bool = False
    encoding: str = "utf-8"

    def report(self, code: str, offset: int, path: str, message: str) -> None:
        """Note a problem; see `ServerProblem`."""
        self.problems.append(ServerProblem(code, offset, path, message))

    def check_points(self) -> None:
        """Report a move off the board, which ends the game."""
        sides = self.size, self.height or self.size
        for row, offset, point in self.moves.refuse_outside(*sides):
            message = f"the point {point} is not on the board of {sides[0]} x {sides[1]}"
            self.report("point-off-board", offset, f"move {row + 1}", message)


Reader = Callable[[bytes, "str | None"], ServerGame]


_END_OF_LINE: Final = re.compile(rb"\r\n?|\n")


def encoding_of(data: bytes, otherwise: str) -> str:
    """Return UTF-8 if all bytes are valid, else the encoding `otherwise`. Thread safe."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return otherwise
    return "utf-8"


def shown(line: TextLine, encoding: str = "ascii") -> str:
    """Return the first 40 characters of a line, printable. Thread safe."""
    start = line.text[: 4 * _SHOWN].decode(encoding, "replace")[:_SHOWN]
    return "".join(c if c.isprintable() else " " for c in start)


_SHOWN: Final = 40


def handicap_stones(count: int) -> list[Point]:
    """Return the points of 2 to 9 handicap stones on a board of 19 x 19, as Tygem sets them; none for other numbers."""
    if not _LEAST_STONES <= count <= len(_HANDICAPS):
        return []
    if count in (6, 8):
        return [point for point in _HANDICAPS[: count + 1] if point != _CENTRE]
    return list(_HANDICAPS[:count])


_LEAST_STONES: Final = 2
_CENTRE: Final = (9, 9)
_HANDICAPS: Final = ((3, 15), (15, 3), (3, 3), (15, 15), _CENTRE, (3, 9), (15, 9), (9, 3), (9, 15))


def decode_with(format: str, read: Reader, data: bytes, encoding: str | None, limits: Limits) -> Record:
    """Decode one record with the reader of its format. Never raises for the content of the bytes. Thread safe."""
    wanted = None if encoding is None else codec(encoding.encode())
    if encoding is not None and wanted is None:
        raise LookupError(f"{encoding!r} is not an encoding that records can have")
    origin = (_decode_again, (format, read, data, encoding, limits))
    rows = Rows()
    game = ServerGame()
    broken_off = len(data) > limits.max_bytes
    if broken_off:
        game.report("limit-bytes", 0, "-", f"the record has {len(data)} bytes")
    else:
        game = read(data, wanted)
        broken_off = len(game.moves) > limits.max_steps
        if broken_off:
            offset = game.moves.end_before(limits.max_steps)
            game.report("limit-steps", offset, "-", f"there are more than {limits.max_steps} moves")
        lines = None if game.root is None else lines_from(game.root, limits.max_steps)
        if lines is not None and lines.cut is not None:
            broken_off = True
            message = f"there are more than {limits.max_steps} moves, branches or marks"
            game.report("limit-steps", lines.cut, "-", message)
        if game.is_game:
            _add_game(rows, game, lines)
    game.problems.sort(key=lambda one: one.offset)
    if len(game.problems) > limits.max_problems:
        last = game.problems[limits.max_problems]
        message = f"more than {limits.max_problems} problems"
        game.problems[limits.max_problems :] = [ServerProblem("limit-problems", last.offset, last.path, message)]
    for row, found in enumerate(game.problems):
        rows.problems.add(found.offset, PROBLEM_CODE_BY_NAME[found.code].number, 0, row)
    return make_record(
        data,
        format,
        rows.tables(),
        size=(game.size, game.height or game.size),
        size_form=0,
        encoding=game.encoding,
        broken_off=broken_off,
        replaces=True,
        describe=functools.partial(_describe, game.problems),
        read_text=_read_text,
        origin=origin,
        header=game.header,
    )


def _decode_again(format: str, read: Reader, data: bytes, encoding: str | None, limits: Limits) -> Record:
    return decode_with(format, read, data, encoding, limits)


def _read_text(record: Record, span: bytes) -> str:
    text = span.decode(record.encoding, "replace")
    try:
        return str(json.loads(f'"{text}"')) if record.format == "ogs" else text
    except ValueError:
        return text


def _add_game(rows: Rows, game: ServerGame, lines: Lines | None) -> None:
    pre = _setup(game)
    if pre is not None:
        for stone in pre.stones:
            rows.stones.add(game.head, *stone.point, stone.color)
        span = NO_SPAN if game.root is None else game.root.span
        first, count = (0, add_marks(rows, game.head, pre.marks)) if pre.marks else (0, -1)
        rows.pres.add(game.head, *span, 0, len(pre.stones) or -1, first, count, game.asks, 0, 0)
    if game.root is not None and lines is not None:
        add_lines(rows, game.root, lines)
    else:
        tree = rows.trees.add(game.head, 0)
        if game.moves:
            rows.steps.extend(game.moves.steps())
        rows.trees.end_steps(tree, rows.steps.count)
    if pre is not None:
        rows.trees.set_pre(0, 0)
    if game.title is not None:
        rows.kept.add(*game.title, *game.title, -1, OF_ROOT, 0)


def _stones(game: ServerGame) -> list[Stone]:
    points = [(BLACK, point) for point in game.stones] + [(WHITE, point) for point in game.white_stones]
    sides = game.size, game.height or game.size
    return [Stone(color, point) for color, point in points if point[0] < sides[0] and point[1] < sides[1]]


def _setup(game: ServerGame) -> Setup | None:
    stones, root = _stones(game), game.root
    comment, marks = (None, []) if root is None else (root.comment or None, list(root.marks))
    if not (stones or comment or marks or game.asks):
        return None
    return Setup(stones, game.asks or None, marks, comment)


def title_of(record: Record) -> str | None:
    """Return the title of the game, or None. Thread safe."""
    for begin, end in record.kept["value"].tolist():
        return record.text(begin, end).strip() or None
    return None


def header_of(record: Record) -> tuple[Info, Properties]:
    """Return the information about the game, and the properties that contain it. Thread safe."""
    header: dict[str, str] = record.header if len(record.trees) else {}
    properties: Properties = {name: (escape(value),) for name, value in header.items() if value.strip()}
    return info_from_properties(properties), properties


def document_of(record: Record) -> Document:
    """Return a new document with the whole content of the record. Thread safe."""
    _, read, data, encoding, limits = record.__reduce__()[1]
    document = Document(record.width, record.height, replaces=True)
    document.info, document.properties = header_of(record)
    if not len(record.trees):
        return document
    game = read(data, None if encoding is None else codec(encoding.encode()))
    pre = _setup(game)
    if game.root is not None:
        lines = lines_from(game.root, limits.max_steps)
        document.tree = branch_of(lines, pre, lambda place: _as_json(data[place.offset : place.offset + _LONGEST]))
        return document
    document.tree = Branch(pre=pre, steps=[_step(record, *row) for row in rows_of(record.steps, *_OF_STEP)])
    return document


_OF_STEP: Final = ("offset", "color", "x", "y")


def _step(record: Record, offset: int, color: int, x: int, y: int) -> Step:
    if color:
        return Step(Move(color, None if x < 0 else (x, y)))
    return Step(Unreadable(_as_json(record.source[offset : offset + _LONGEST])))


_LONGEST: Final = 200


def _as_json(text: bytes) -> bytes:
    """The line that `text` begins with, as JSON text."""
    return json.dumps(next(iter(lines_of(text))).text.decode("ascii", "replace")).encode()


def _describe(
    problems: list[ServerProblem],
    record: Record,
    raw: Iterable[tuple[int, int, int, int] | tuple[str, int, int]],
) -> list[Problem]:
    """The located problems: those of decoder rows, each an index into `problems`, and those found later."""
    described = []
    breaks: list[int] = []
    number_at: Callable[[int], int] | None = None
    known = (0, 0, 1)  # a line, a byte in it, and the column there
    for row in raw:
        if len(row) == 4:
            found = problems[row[3]]
        else:
            number_at = number_at or _numbers(record)
            found = ServerProblem(row[0], row[1], f"move {number_at(row[1])}", PROBLEM_CODE_BY_NAME[row[0]].summary)
        breaks = breaks or _breaks(record.source)
        line = bisect_right(breaks, found.offset)
        if known[0] != line or known[1] > found.offset:
            known = line, breaks[line - 1], 1
        between = record.source[known[1] : found.offset]
        column = known[2] + len(between.decode(record.encoding, "replace"))
        known = line, found.offset, column
        code: Any = PROBLEM_CODE_BY_NAME[found.code]
        clause = "" if code.limit else f"{record.format.upper()}, {found.path.split()[0]}"
        described.append(
            Problem(code.name, clause, code.severity, found.offset, line, column, found.path, found.message)
        )
    return described


def _numbers(record: Record) -> Callable[[int], int]:
    """The number of a move on its line by its byte offset."""
    offsets = record.steps["offset"].tolist()
    if len(record.trees) == 1:
        return lambda offset: bisect_right(offsets, offset)
    numbers: dict[int, int] = {}
    ends: list[int] = []
    for parent, first, count in rows_of(record.trees, "parent", "first_step", "step_count"):
        before = ends[parent] if parent >= 0 else 0
        ends.append(before + count)
        numbers.update((offsets[first + row], before + row + 1) for row in range(count))
    return lambda offset: numbers.get(offset, 0)


def _breaks(source: bytes) -> list[int]:
    """The bytes with which lines begin."""
    return [0, *(match.end() for match in _END_OF_LINE.finditer(source))]
