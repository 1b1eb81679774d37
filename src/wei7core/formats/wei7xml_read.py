"""The text of a wei7 2.x record, read once from front to back into rows.

The standard library's expat parses; what it hands over is looked at and forgotten, so that a long text takes no more
than its rows. A document type declaration ends the reading at once: there are no entities, and nothing outside of the
text is ever looked for.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final
from xml.parsers import expat

from ..errors import PROBLEM_CODES
from ..limits import Limits
from .columns import MOVE, OF_MARK, OF_PRE, OF_ROOT, OF_STEP, OF_STONE, OF_TREE, RAW, UNREADABLE
from .record_rows import NO_SPAN, Rows
from .wei7xml_game import GameReader
from .wei7xml_places import NAMES, PLACE_OF
from .wei7xml_text import SPACE, Span, Tag, element_end, tag_at
from .wei7xml_values import MARK_SYMBOLS, coordinate, short_text_problem, size_of

__all__ = ["Reader", "StopReadingError", "feed", "make_parser"]

_NUMBER_OF: Final = {code.name: code.number for code in PROBLEM_CODES}
_FEED: Final = 1 << 20
_MOST_WITHOUT_EVENT: Final = 64
"""Pieces of text without any event after which a tag or comment counts as too long: it is parsed anew each time."""
_BLACK: Final = 1
_WHITE: Final = 2
_COLORS: Final = {"black": _BLACK, "white": _WHITE}
_EVALUATIONS: Final = {"bad": 1, "good": 2, "trick": 3}
_TYPES: Final = ("normal", "pass")
_SPLITTERS: Final = ("small", "medium", "large")
_VERSIONS: Final = ("2.0", "2.1", "2.2")
_ORDER: Final = {"size": 0, "game": 1, "moves": 2}
_BOM: Final = b"\xef\xbb\xbf"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")

Attributes = list[str]
Owner = tuple[int, int]


class StopReadingError(Exception):
    """Nothing more is read."""


class NotUtf8Error(StopReadingError):
    """The text is in UTF-16 or UTF-32."""


class _Level:
    """One `moves` that is open."""

    __slots__ = ("at", "begun", "forks", "has_step", "last_is_mark", "marks", "moved", "tree", "wrong_marks")

    def __init__(self, tree: int, at: int, moved: bool) -> None:
        self.at = at
        self.tree = tree  # where steps go
        self.moved = moved  # a step or a stone of `pre` came before on this path
        self.begun = False  # it has a child
        self.has_step = False
        self.last_is_mark = False
        self.forks: list[int] | None = None  # the variations before the step that comes next
        self.marks: list[tuple[int, int, int, int, Tag | None]] = []  # (offset, x, y, symbol) of that step
        self.wrong_marks: list[int] = []


class _Step:
    """What the attributes of a step say."""

    __slots__ = ("comment", "evaluation", "is_pass", "is_wrong", "kept", "problem", "x", "y")

    def __init__(self) -> None:
        self.x: int | None = None
        self.y: int | None = None
        self.comment: Span = NO_SPAN
        self.evaluation = self.problem = 0
        self.is_pass = False
        self.is_wrong = False  # nobody can tell what is played
        self.kept: list[str] = []


def make_parser(reader: object) -> expat.XMLParserType:
    """Return a parser of UTF-8 that calls `start`, `end`, `text`, `remark`, `declaration` of `reader`, and no others.

    A document type declaration calls `doctype`, which must not return.
    """
    parser = expat.ParserCreate("utf-8")
    parser.ordered_attributes = True
    for handler, name in (
        ("StartElementHandler", "start"),
        ("EndElementHandler", "end"),
        ("CharacterDataHandler", "text"),
        ("CommentHandler", "remark"),
        ("ProcessingInstructionHandler", "instruction"),
        ("StartCdataSectionHandler", "cdata"),
        ("XmlDeclHandler", "declaration"),
        ("StartDoctypeDeclHandler", "doctype"),
    ):
        if hasattr(reader, name):
            setattr(parser, handler, getattr(reader, name))
    return parser


def feed(parser: expat.XMLParserType, source: bytes, events: Callable[[], int]) -> None:
    """Give the parser all of `source`; `events` tells a number that changes with every event.

    Raises `expat.ExpatError`, what handlers raise, `StopReadingError` where one tag or comment goes on and on, and
    `NotUtf8Error`, which is one, for UTF-16 and UTF-32.
    """
    if source.startswith(_UTF_16) or b"\0" in source[:4]:
        raise NotUtf8Error  # expat would read it, but not as the format wants it
    view = memoryview(source)
    idle = 0
    for begin in range(0, len(source), _FEED):
        before = events()
        parser.Parse(view[begin : begin + _FEED], False)
        idle = 0 if events() != before else idle + 1
        if idle > _MOST_WITHOUT_EVENT:
            raise StopReadingError
    parser.Parse(b"", True)


class Reader:
    """Reads one text into `rows`; `size`, `info` and `broken_off` say the rest."""

    def __init__(self, source: bytes, limits: Limits) -> None:
        self.rows = Rows()
        self.size = 0
        self.info: Span | None = None
        self.broken_off = False
        self._source = source
        self._limits = limits
        self._parser = make_parser(self)
        self._at = 0
        self._pieces = 0  # of text
        self._stack: list[tuple[_Context, Callable[[], None] | None, Owner | None]] = []
        self._context: _Context = _DOCUMENT
        self._closer: Callable[[], None] | None = None
        self._owner: Owner | None = None
        self._skipped = 0
        self._keep: Callable[[int, int], None] = _forget
        self._skip_from = 0
        self._text_from = -1
        self._cdata = -1
        self._value: list[str] = []
        self._levels: list[_Level] = []
        self._game = GameReader(self._note, source)
        self._last_child = -1
        self._seen: set[str] = set()
        self._known: dict[str, int] = {}  # usual coordinates
        self._pre: tuple[int, ...] = ()
        self._pre_wrong = False
        self._pre_unreadable = False
        self._pre_stones: list[tuple[int, int, int, int, Tag | None]] = []
        self._pre_places: set[tuple[int, int]] = set()
        self._first_mark = 0

    def read(self) -> None:
        """Read all, or as far as it goes; never raises for what the text holds."""
        source = self._source
        if len(source) > self._limits.max_bytes:
            self._note("limit-bytes", "text", self._limits.max_bytes)
            self.broken_off = True
            return
        try:
            feed(self._parser, source, lambda: self._at + self._pieces)
        except NotUtf8Error:
            self._note("encoding-invalid", "text", 0)
            self.broken_off = True
        except StopReadingError:
            if not self.broken_off:
                self._note("limit-bytes", "text", self._at, 1)
            self.broken_off = True
        except expat.ExpatError:
            offset = min(max(self._parser.ErrorByteIndex, 0), len(source))
            self._note("xml-syntax" if _is_text(source, offset) else "encoding-invalid", "text", offset)
            self.broken_off = True
        if self.broken_off:
            self._close_all()

    # --- events ----------------------------------------------------------------

    def start(self, name: str, attributes: Attributes) -> None:
        """A tag opens an element."""
        self._at = at = self._parser.CurrentByteIndex
        if self._text_from >= 0:
            self._end_text(at)
        if len(self._stack) + self._skipped >= self._limits.max_depth:
            self._stop("limit-depth", at)
        if self._skipped:
            self._skipped += 1
            return
        self._stack.append((self._context, self._closer, self._owner))
        opener = self._context.children.get(name)
        if opener is None:
            self._stack.pop()
            self._unknown(at)
            return
        self._context, self._closer = _LEAF, None
        opener[0](self, opener[1], at, attributes)

    def end(self, _name: str) -> None:
        """A tag closes an element, or an empty one has been opened."""
        self._at = at = self._parser.CurrentByteIndex
        if self._text_from >= 0:
            self._end_text(at)
        if self._skipped:
            self._skipped -= 1
            if not self._skipped:
                self._keep(self._skip_from, self._end_of(self._skip_from, at))
            return
        if self._closer is not None:
            self._closer()
        self._context, self._closer, self._owner = self._stack.pop()

    def text(self, data: str) -> None:
        """A piece of text."""
        self._pieces += 1
        if self._skipped:
            return
        if self._context.has_value:
            self._value.append(data)
            return
        if self._text_from >= 0 or not data.strip(SPACE):
            return
        self._at = at = self._parser.CurrentByteIndex
        at += len(data) - len(data.lstrip(SPACE))
        self._text_from = at if self._cdata < 0 else self._cdata
        self._note("text-misplaced", self._context.place, self._text_from)

    def cdata(self) -> None:
        """A CDATA section begins."""
        self._at = self._parser.CurrentByteIndex
        if self._text_from < 0:
            self._cdata = self._at

    def remark(self, _data: str) -> None:
        """A comment of XML."""
        self._at = at = self._parser.CurrentByteIndex
        if self._text_from >= 0:
            self._end_text(at)
        if not self._skipped:
            self._keep_part(OF_ROOT, 0, (at, at + 4), (at, self._source.index(b"-->", at + 4) + 3))

    def instruction(self, _target: str, _data: str) -> None:
        """A processing instruction."""
        self._at = at = self._parser.CurrentByteIndex
        if self._text_from >= 0:
            self._end_text(at)
        if not self._skipped:
            self._keep_part(OF_ROOT, 0, (at, at + 2), (at, self._source.index(b"?>", at) + 2))

    def declaration(self, version: str, encoding: str | None, _standalone: int) -> None:
        """The XML declaration."""
        self._at = at = self._parser.CurrentByteIndex
        if version != "1.0" or (encoding is not None and encoding.lower() != "utf-8"):
            self._note("xml-declaration", "text", at)

    def doctype(self, _name: str, _system: str | None, _public: str | None, _internal: int) -> None:
        """A document type declaration, which could name entities."""
        at = self._parser.CurrentByteIndex
        self._stop("doctype-refused", max(self._source.rfind(b"<!DOCTYPE", 0, at + 1), 0))

    # --- notes, and what is kept -------------------------------------------------

    def _note(self, code: str, place: str, offset: int, detail: int = 0) -> None:
        problems = self.rows.problems
        most = self._limits.max_problems
        if problems.count < most:
            problems.add(offset, _NUMBER_OF[code], PLACE_OF[place], detail)
        elif problems.count == most:
            problems.add(offset, _NUMBER_OF["limit-problems"], PLACE_OF["text"], 0)

    def _stop(self, code: str, offset: int) -> None:
        self._note(code, "text", offset)
        self.broken_off = True
        raise StopReadingError

    def _room(self, count: int, at: int) -> None:
        """Stop where a table has as many rows as it may have."""
        if count >= self._limits.max_steps:
            self._stop("limit-steps", at)

    def _keep_part(self, owner: int, row: int, key: Span, value: Span) -> None:
        self._room(self.rows.kept.count, value[0])
        self.rows.kept.add(*key, *value, row, owner, 0)

    def _skip(self, at: int, keep: Callable[[int, int], None]) -> None:
        """Pass the element that starts at `at` over; `keep` takes its span at its end."""
        self._skipped = 1
        self._skip_from = at
        self._keep = keep

    def _unknown(self, at: int) -> None:
        if self._context is _DOCUMENT:
            self._note("unknown-element", "root", at)
            self.broken_off = True
            raise StopReadingError
        self._note("unknown-element", self._context.place, at)
        self._skip(at, self._keep_content)

    def _keep_content(self, begin: int, end: int) -> None:
        """Keep what the format has no place for where it stands."""
        if self._context is _MOVES:
            self._raw_step(RAW, begin, end)
        elif self._owner is not None:
            self._keep_part(*self._owner, (begin, begin), (begin, end))

    def _end_text(self, at: int) -> None:
        begin, self._text_from, self._cdata = self._text_from, -1, -1
        self._keep_content(begin, begin + len(self._source[begin:at].rstrip(SPACE.encode())))

    def _end_of(self, begin: int, at: int) -> int:
        """The end of the element that began at `begin` and whose end has been told at `at`."""
        tag = tag_at(self._source, begin)
        return tag.end if tag.is_empty else self._source.index(b">", at) + 1

    # --- the root and its children -----------------------------------------------

    def _root(self, _: int, at: int, attributes: Attributes) -> None:
        self._context, self._owner, self._closer = _ROOT, (OF_ROOT, 0), self._end_root
        self._root_at = at
        tag = tag_at(self._source, at)
        has_version = False
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            key, span = tag.attributes[name]
            if name == "version":
                has_version = True
                if value not in _VERSIONS:
                    self._note("value-not-allowed", "version", span[0])
            elif name.startswith(("xmlns:", "xsi:")) or (name == "xmlns" and not value):
                self._note("foreign-attribute", "root", key[0])
            else:
                self._note("unknown-attribute", "root", key[0])
            self._keep_part(OF_ROOT, 0, key, span)
        if not has_version:
            self._note("missing-attribute", "root", at, NAMES.index("version"))

    def _end_root(self) -> None:
        for name in ("size", "moves"):
            if name not in self._seen:
                self._note("missing-element", "document", self._root_at, NAMES.index(name))

    def _child(self, number: int, at: int, attributes: Attributes) -> None:
        """A child of the root: the number says which."""
        name = _CHILDREN[number]
        if name in self._seen:
            self._note("element-repeated", "document", at)
            self._pass_over(at)
            return
        self._seen.add(name)
        if number < self._last_child:
            self._note("element-misplaced", "document", at)
            if name == "size" and "moves" in self._seen:
                self._pass_over(at)  # all points have been read already
                return
        self._last_child = max(number, self._last_child)
        _OPENERS[number](self, at, attributes)

    def _pass_over(self, at: int) -> None:
        self._context, self._closer, self._owner = self._stack.pop()
        self._skip(at, self._keep_content)

    def _size(self, at: int, attributes: Attributes) -> None:
        self._no_attributes("size", at, attributes, None)
        self._context, self._owner = _VALUE["size"], (OF_ROOT, 0)
        self._value = []

        def closer() -> None:
            text = "".join(self._value)
            self.size, code = size_of(text)
            if code is not None:
                self._note(code, "size", self._value_at(at))
            if code is not None or attributes:
                self._keep_part(OF_ROOT, 0, (at + 1, at + 5), (at, self._end_of(at, self._at)))
            if self.size**2 > self._limits.max_points:
                self._note("board-size-unsupported", "size", self._value_at(at))
            self._known = {str(number): number for number in range(self.size)}

        self._closer = closer

    def _value_at(self, at: int) -> int:
        """Where the text of the element at `at` begins; the element where it has none."""
        begin = tag_at(self._source, at).end
        text = self._source[begin : self._at]
        space = len(text) - len(text.lstrip(SPACE.encode()))
        return begin + space if space < len(text) else at

    def _game_element(self, at: int, attributes: Attributes) -> None:
        self._context, self._owner = _GAME, None
        self._game.start("game", at, attributes)

        def closer() -> None:
            self.info = (at, self._end_of(at, self._at))

        self._closer = closer

    def _part_of_game(self, number: int, at: int, attributes: Attributes) -> None:
        name = _PARTS_OF_GAME[number]
        self._context = _VALUE["time"] if name == "time" else _GAME_LEAVES[name]
        self._value = []
        self._game.start(name, at, attributes)
        if name == "time":

            def closer() -> None:
                self._game.time("".join(self._value), self._value_at(at))

            self._closer = closer

    def _no_attributes(self, place: str, at: int, attributes: Attributes, owner: Owner | None) -> None:
        if attributes:
            for key, value in tag_at(self._source, at).attributes.values():
                self._note("unknown-attribute", place, key[0])
                if owner is not None:
                    self._keep_part(*owner, key, value)

    # --- moves ---------------------------------------------------------------------

    def _moves(self, at: int, attributes: Attributes) -> None:
        self._room(len(self.rows.trees), at)
        tree = self.rows.trees.add(at, self.rows.steps.count)
        moved = False
        if self._levels:
            level = self._levels[-1]
            level.begun, level.last_is_mark, moved = True, False, level.moved
            if level.forks is None:
                self.rows.trees.end_steps(level.tree, self.rows.steps.count)
                self.rows.trees.set_branches(level.tree, [])
                level.forks = []
            level.forks.append(tree)
        self._levels.append(_Level(tree, at, moved))
        self._context, self._closer = _MOVES, self._end_moves
        self._owner = (OF_TREE, tree)
        self._no_attributes("moves", at, attributes, self._owner)

    def _variation(self, _: int, at: int, attributes: Attributes) -> None:
        self._moves(at, attributes)

    def _end_moves(self) -> None:
        level = self._levels[-1]
        if level.marks or level.wrong_marks:
            wrong = sorted([*(mark[0] for mark in level.marks), *level.wrong_marks])
            self._note("mark-without-step", "mark-place", wrong[0])
            for at in wrong:
                self._keep_part(OF_TREE, level.tree, (at + 1, at + 5), (at, element_end(self._source, at)))
        if not level.has_step:
            self._note("moves-without-step", "steps", level.at)
        self._end_level(self._levels.pop())

    def _end_level(self, level: _Level) -> None:
        if level.forks is None:
            self.rows.trees.end_steps(level.tree, self.rows.steps.count)
        else:
            self.rows.trees.set_branches(level.tree, level.forks)

    def _close_all(self) -> None:
        """Make rows of what is open where the text broke off."""
        if self._pre:
            with suppress(StopReadingError):
                self._end_pre()
        while self._levels:
            self._end_level(self._levels.pop())

    def _next_step(self, level: _Level, at: int) -> None:
        """Make room for a step: after variations it begins the branch that goes on as played, the first of them."""
        self._room(self.rows.steps.count, at)
        level.begun, level.last_is_mark = True, False
        if level.forks is not None:
            self._room(len(self.rows.trees), at)
            tree = self.rows.trees.add(at, self.rows.steps.count)
            self.rows.trees.set_branches(level.tree, [tree, *level.forks])
            level.tree, level.forks = tree, None

    def _raw_step(self, kind: int, begin: int, end: int) -> None:
        """What is no step, kept in its place among the steps."""
        level = self._levels[-1]
        last_is_mark = level.last_is_mark and kind == RAW
        self._next_step(level, begin)
        level.last_is_mark = last_is_mark
        # What may be a step has the marks before it.
        marks = (0, -1) if kind == RAW else self._step_marks(level, self.rows.steps.count)
        detail = self.rows.details.add(*NO_SPAN, *NO_SPAN, begin, end, -1.0, *marks, -1, 0)
        self.rows.steps.add(begin, 0, 0, detail, kind, 0, 0, 0)

    def _step(self, color: int, at: int, attributes: Attributes) -> None:
        level = self._levels[-1]
        self._next_step(level, at)
        level.has_step = level.moved = True
        known = self._known
        if len(attributes) == 4 and not level.marks and not level.wrong_marks:
            first, x, second, y = attributes
            if first == "x" and second == "y" and x in known and y in known:
                self._owner = (OF_STEP, self.rows.steps.add(at, known[x], known[y], -1, MOVE, color, 0, 0))
                return
        self._general_step(level, color, at, attributes)

    def _general_step(self, level: _Level, color: int, at: int, attributes: Attributes) -> None:
        row = self.rows.steps.count
        tag = tag_at(self._source, at)
        step = self._read_step(at, attributes, tag)
        kind = UNREADABLE if step.is_wrong else MOVE
        marks = self._step_marks(level, row)
        detail = -1
        if step.is_wrong or step.comment != NO_SPAN or step.problem or marks[1] >= 0:
            self._room(self.rows.details.count, at)
            value = (at, at + 1) if step.is_wrong else NO_SPAN
            detail = self.rows.details.add(*NO_SPAN, *step.comment, *value, -1.0, *marks, -1, step.problem)
        x, y = (-1, -1) if step.is_pass or step.is_wrong else (step.x or 0, step.y or 0)
        self.rows.steps.add(at, x, y, detail, kind, color, step.evaluation, 0)
        if not step.is_wrong:
            self._owner = (OF_STEP, row)
            for name in step.kept:
                self._keep_part(OF_STEP, row, *tag.attributes[name])
            return
        self._owner = None

        def closer() -> None:
            value = (at, self._end_of(at, self._at))
            self.rows.details.set(detail, *NO_SPAN, *NO_SPAN, *value, -1.0, *marks, -1, 0)

        self._closer = closer

    def _read_step(self, at: int, attributes: Attributes, tag: Tag) -> _Step:
        step = _Step()
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            begin = tag.attributes[name][1][0]
            if name == "x":
                step.x = self._coordinate(value, begin)
            elif name == "y":
                step.y = self._coordinate(value, begin)
            elif name == "comment":
                step.comment = tag.attributes[name][1]
            elif name == "type":
                step.is_pass = value == "pass"
                if value not in _TYPES:
                    self._note("value-not-allowed", "type", begin)
                    step.is_wrong = True
                if not step.is_pass:
                    step.kept.append(name)
            else:
                number = self._said(name, value, tag, "move")
                if name == "eval" and number:
                    step.evaluation = number
                elif name == "problem" and number:
                    step.problem = number
                else:
                    step.kept.append(name)
        has = [name for name in ("x", "y") if name in tag.attributes]
        if step.is_pass and has:
            self._note("attribute-excluded", "point", tag.attributes[has[0]][0][0])
            step.is_wrong = True
        elif not step.is_pass and not step.is_wrong:
            for name in (name for name in ("x", "y") if name not in has):
                self._note("missing-attribute", "point", at, NAMES.index(name))
            step.is_wrong = step.x is None or step.y is None
        return step

    def _coordinate(self, value: str, at: int) -> int | None:
        number, code = coordinate(value)
        if code is not None:
            self._note(code, "point", at)
        if number is not None and 0 < self.size <= number:
            self._note("point-off-board", "point", at)
            return None
        return number

    def _said(self, name: str, value: str, tag: Tag, place: str) -> int | None:
        """What `eval` and `problem` say as a number, 0 for nothing; None for other names and for wrong values.

        Notes what is wrong.
        """
        key, (begin, _) = tag.attributes[name]
        if name == "eval":
            if value in _EVALUATIONS or value == "normal":
                return _EVALUATIONS.get(value, 0)
            self._note("value-not-allowed", "eval", begin)
        elif name == "problem":
            if value in _COLORS or value == "no":
                return _COLORS.get(value, 0)
            self._note("value-not-allowed", "problem", begin)
        elif name == "splitter" and place == "move":
            if value not in _SPLITTERS:
                self._note("value-not-allowed", "splitter", begin)
        elif name == "title":
            code = short_text_problem(value)
            if code is not None:
                self._note(code, "title", begin, len(value))
        else:
            self._note("unknown-attribute", place, key[0])
        return None

    # --- marks -----------------------------------------------------------------------

    def _mark(self, _: int, at: int, attributes: Attributes) -> None:
        level = self._levels[-1]
        level.begun = level.last_is_mark = True
        self._context = _MARK
        self._room(self.rows.marks.count + len(level.marks) + len(level.wrong_marks), at)
        mark = self._read_mark(at, attributes)
        if mark is None:
            level.wrong_marks.append(at)
        else:
            level.marks.append(mark)
        self._owner = (OF_TREE, level.tree)

    def _read_mark(self, at: int, attributes: Attributes) -> tuple[int, int, int, int, Tag | None] | None:
        """(offset, x, y, symbol, tag where something in it must be kept); None where it is no mark."""
        known = self._known
        if len(attributes) == 6:
            first, x, second, y, third, symbol = attributes
            names = first == "x" and second == "y" and third == "symbol"
            if names and x in known and y in known and symbol in MARK_SYMBOLS:
                return at, known[x], known[y], ord(symbol), None
        tag = tag_at(self._source, at)
        found: dict[str, int | None] = {}
        has_more = False
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            key, (begin, _) = tag.attributes[name]
            if name in ("x", "y"):
                found[name] = self._coordinate(value, begin)
            elif name == "symbol":
                found[name] = ord(value) if value in MARK_SYMBOLS else None
                if found[name] is None:
                    self._note("value-not-allowed", "symbol", begin)
            else:
                has_more = True
                self._note("unknown-attribute", "mark", key[0])
        for name in ("x", "y", "symbol"):
            if name not in found:
                self._note("missing-attribute", "mark", at, NAMES.index(name))
        mark_x, mark_y, mark_symbol = found.get("x"), found.get("y"), found.get("symbol")
        if mark_x is None or mark_y is None or mark_symbol is None:
            return None
        return at, mark_x, mark_y, mark_symbol, tag if has_more else None

    def _add_mark(self, mark: tuple[int, int, int, int, Tag | None]) -> None:
        row = self.rows.marks.add(*mark[:4])
        if mark[4] is not None:
            for name, spans in mark[4].attributes.items():
                if name not in ("x", "y", "symbol"):
                    self._keep_part(OF_MARK, row, *spans)

    def _step_marks(self, level: _Level, row: int) -> tuple[int, int]:
        """Make rows of the marks before a step; returns the first and their number, -1 for none."""
        first = self.rows.marks.count
        for mark in level.marks:
            self._add_mark(mark)
        for at in level.wrong_marks:
            self._keep_part(OF_STEP, row, (at + 1, at + 5), (at, element_end(self._source, at)))
        count = len(level.marks)
        level.marks, level.wrong_marks = [], []
        return (first, count) if count else (0, -1)

    # --- pre ---------------------------------------------------------------------------

    def _pre_element(self, _: int, at: int, attributes: Attributes) -> None:
        level = self._levels[-1]
        if level.begun:
            self._note("element-misplaced", "pre-place", at)
            level.has_step = True
            self._context, self._closer, self._owner = self._stack.pop()
            self._skip(at, lambda begin, end: self._raw_step(UNREADABLE, begin, end))
            return
        self._room(self.rows.pres.count, at)
        level.begun = level.has_step = True
        comment: Span = NO_SPAN
        problem = 0
        row = self.rows.pres.count
        if attributes:
            tag = tag_at(self._source, at)
            for name, value in zip(attributes[::2], attributes[1::2], strict=True):
                span = tag.attributes[name][1]
                if name == "comment":
                    comment = span
                    continue
                number = self._said(name, value, tag, "pre-attributes")
                if name == "title":
                    self.rows.trees.set_title(level.tree, *span)
                elif name == "problem" and number:
                    problem = number
                else:
                    self._keep_part(OF_PRE, row, *tag.attributes[name])
        self._pre = (at, *comment, problem)
        self.rows.pres.add(at, *comment, 0, -1, 0, -1, problem, 0, 0)
        self.rows.trees.set_pre(level.tree, row)
        self._pre_wrong = self._pre_unreadable = False
        self._pre_stones, self._pre_places = [], set()
        self._first_mark = self.rows.marks.count
        self._context, self._owner, self._closer = _PRE, (OF_PRE, row), self._end_pre

    def _stone(self, color: int, at: int, attributes: Attributes) -> None:
        level = self._levels[-1]
        self._context = _STONE
        self._room(self.rows.stones.count + len(self._pre_stones), at)
        if level.moved and not self._pre_stones:
            self._note("setup-after-move", "pre-place", at)
            self._pre_unreadable = True
        point: dict[str, int | None] = {}
        tag: Tag | None = None
        known = self._known
        if len(attributes) == 4 and attributes[0] == "x" and attributes[2] == "y":
            point = {"x": known.get(attributes[1]), "y": known.get(attributes[3])}
        if len(point) != 2 or None in point.values():
            point, tag = self._general_stone(at, attributes)
        x, y = point["x"], point["y"]
        if x is None or y is None:
            self._pre_wrong = True
            x = y = -1
        elif (x, y) in self._pre_places:
            self._note("setup-point-taken", "setup", at)
            self._pre_unreadable = True
        self._pre_places.add((x, y))
        self._pre_stones.append((at, x, y, color, tag))

    def _general_stone(self, at: int, attributes: Attributes) -> tuple[dict[str, int | None], Tag | None]:
        tag = tag_at(self._source, at)
        point: dict[str, int | None] = {}
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            key, (begin, _) = tag.attributes[name]
            if name in ("x", "y"):
                point[name] = self._coordinate(value, begin)
            else:
                self._note("unknown-attribute", "stone", key[0])
        for name in ("x", "y"):
            if name not in point:
                self._note("missing-attribute", "stone", at, NAMES.index(name))
                point[name] = None
        return point, tag

    def _mark_in_pre(self, _: int, at: int, attributes: Attributes) -> None:
        self._context = _MARK
        self._room(self.rows.marks.count, at)
        mark = self._read_mark(at, attributes)
        if mark is not None:
            self._add_mark(mark)
        elif self._owner is not None:
            self._keep_part(*self._owner, (at, at), (at, element_end(self._source, at)))

    def _end_pre(self) -> None:
        at, comment, comment_end, problem = self._pre
        self._pre = ()
        row, level = self.rows.pres.count - 1, self._levels[-1]
        first, count = self.rows.stones.count, len(self._pre_stones)
        for stone_at, x, y, color, tag in self._pre_stones:
            if self._pre_wrong:
                # One stone that cannot be read spoils the position: all of them are kept as they stand.
                end = element_end(self._source, stone_at)
                self._keep_part(OF_PRE, row, (stone_at + 1, stone_at + 6), (stone_at, end))
                continue
            stone = self.rows.stones.add(stone_at, x, y, color)
            for name, spans in tag.attributes.items() if tag is not None else ():
                if name not in ("x", "y"):
                    self._keep_part(OF_STONE, stone, *spans)
        level.moved = level.moved or count > 0
        marks = self.rows.marks.count - self._first_mark
        self.rows.pres.set(
            row,
            at,
            comment,
            comment_end,
            first,
            count if count and not self._pre_wrong else -1,
            self._first_mark,
            marks or -1,
            problem,
            self._pre_unreadable or self._pre_wrong,
            0,
        )
        self._pre_stones, self._pre_places = [], set()


def _forget(_begin: int, _end: int) -> None:
    """Keep nothing."""


def _is_text(source: bytes, offset: int) -> bool:
    """Whether a character of UTF-8 starts at `offset`, or the text ends there."""
    if offset == 0 and source.startswith(_BOM):
        return True
    piece = source[offset : offset + 4]
    for size in range(1, 5):
        try:
            piece[:size].decode()
        except UnicodeDecodeError:
            continue
        return True
    return not piece


Opener = Callable[[Reader, int, int, Attributes], None]


class _Context:
    """What may stand in an element: children by name, each with the number that its opener is told, or a value."""

    __slots__ = ("children", "has_value", "place")

    def __init__(self, place: str, children: dict[str, tuple[Opener, int]] | None = None, value: bool = False) -> None:
        self.place = place
        self.children = children or {}
        self.has_value = value


_CHILDREN: Final = tuple(_ORDER)
_PARTS_OF_GAME: Final = ("rules", "time", "black", "white", "result")
_OPENERS: Final = (Reader._size, Reader._game_element, Reader._moves)
_DOCUMENT: Final = _Context("root", {"wei7": (Reader._root, 0)})
_ROOT: Final = _Context("document", {name: (Reader._child, number) for name, number in _ORDER.items()})
_GAME: Final = _Context("game", {name: (Reader._part_of_game, number) for number, name in enumerate(_PARTS_OF_GAME)})
_VALUE: Final = {name: _Context(name, value=True) for name in ("size", "time")}
_GAME_LEAVES: Final = {
    "rules": _Context("rules"),
    "black": _Context("player"),
    "white": _Context("player"),
    "result": _Context("result"),
}
_LEAF: Final = _Context("move")
_STONE: Final = _Context("stone")
_MARK: Final = _Context("mark")
_MOVES: Final = _Context(
    "moves",
    {
        "black": (Reader._step, _BLACK),
        "white": (Reader._step, _WHITE),
        "mark": (Reader._mark, 0),
        "moves": (Reader._variation, 0),
        "pre": (Reader._pre_element, 0),
    },
)
_PRE: Final = _Context(
    "pre", {"black": (Reader._stone, _BLACK), "white": (Reader._stone, _WHITE), "mark": (Reader._mark_in_pre, 0)}
)
