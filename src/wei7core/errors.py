"""Every exception, problem code and severity of the package.

This module imports nothing of the package, so every layer may use it. The exceptions are ordinary
immutable-by-convention objects that can be pickled and passed between threads.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar, Final, Literal, TypeAlias

__all__ = [
    "ERROR",
    "PROBLEM_CODES",
    "WARNING",
    "ActionRefusedError",
    "BoardSizeError",
    "CommandError",
    "ConversionError",
    "DiagramError",
    "EngineDiedError",
    "EngineError",
    "EngineTimeoutError",
    "IllegalMoveError",
    "IllegalPositionError",
    "LimitError",
    "LossWarning",
    "OffBoardError",
    "OffBoardMoveError",
    "Problem",
    "ProblemCode",
    "RecordError",
    "RecordSyntaxError",
    "Severity",
    "TrainingFileError",
    "Wei7Error",
    "record_error",
    "whole_problem",
]

Severity = Literal["error", "warning"]
ERROR: Final = "error"
WARNING: Final = "warning"


@dataclass(frozen=True, slots=True)
class ProblemCode:
    """One kind of problem.

    `number` is its index in `PROBLEM_CODES` and the value the C code uses; `clause` names the clause that rules
    wherever the code appears (empty: the clause belongs to the place); `syntax` marks text that is not JSON at all;
    `limit` marks a limit of this package, not a breach of the format.
    """

    number: int
    name: str
    severity: Severity
    summary: str
    clause: str = ""
    syntax: bool = False
    limit: bool = False


def _codes(*rows: tuple[Any, ...]) -> tuple[ProblemCode, ...]:
    return tuple(ProblemCode(number, *row) for number, row in enumerate(rows))


# The order is the C enumeration `w7_code` in record/problem_codes.h; a test holds them together.
PROBLEM_CODES: Final = _codes(
    ("json-syntax", ERROR, "the text is not JSON", "3.1", True),
    ("encoding-invalid", ERROR, "the text is not UTF-8", "3.1", True),
    ("byte-order-mark", WARNING, "the text starts with a byte order mark", "3.1"),
    ("surrogate-lone", ERROR, "a string holds half of a surrogate pair", "3.1"),
    ("file-suffix", ERROR, "the file name does not end in .wei7", "3.1"),
    ("file-suffix-case", WARNING, "the file name suffix should be lower case, .wei7", "3.1"),
    ("file-unreadable", ERROR, "the file cannot be read"),
    ("type-mismatch", ERROR, "a value has the wrong JSON type"),
    ("unknown-member", ERROR, "an object has a member that the format does not name"),
    ("duplicate-member", ERROR, "an object names a member twice"),
    ("missing-member", ERROR, "a required member is missing"),
    ("value-not-allowed", ERROR, "a value is not one of those the format lists"),
    ("number-not-integer", ERROR, "a number is not an integer"),
    ("number-out-of-range", ERROR, "a number is outside its range"),
    ("number-not-half", ERROR, "a number is not a multiple of 0.5"),
    ("string-too-long", ERROR, "a short string has more than 128 characters", "3.4"),
    ("string-control-character", ERROR, "a short string holds a control character", "3.4"),
    ("string-line-break", ERROR, "a short string has more than one line", "3.4"),
    ("datetime-invalid", ERROR, "a time is not one of the three ISO 8601 forms or not a real date"),
    ("datetime-unusual", WARNING, "a time is a leap second or 24 o'clock"),
    ("point-off-board", ERROR, "a point is outside the board", "3.6"),
    ("participant-index", ERROR, "there is no participant of that index", "3.7"),
    ("setup-point-taken", ERROR, "two preset stones share a point"),
    ("setup-no-liberty", ERROR, "a block of preset stones has no liberty"),
    ("setup-after-move", ERROR, "preset stones come after a move or other preset stones"),
    ("problem-nested", ERROR, "a problem is inside another problem"),
    ("evaluation-missing", ERROR, "a move of a problem has no evaluation"),
    ("takeback-too-deep", ERROR, "a takeback withdraws more moves than are in force"),
    ("move-occupied", ERROR, "a move is on an occupied point"),
    ("takeback-of-parent", WARNING, "a takeback reaches moves of an earlier branch"),
    ("time-decreasing", WARNING, "an action is earlier than the one before it"),
    ("result-margin-draw", WARNING, "a draw has a margin"),
    ("result-contradicts", WARNING, "the last claimed result differs from the result of the record"),
    ("marks-on-one-point", WARNING, "different marks share a point"),
    ("mark-action-untimed", WARNING, "a mark action is in a record that is not a timeline"),
    ("player-duplicate", WARNING, "two players are identical"),
    ("evaluation-missing-later", WARNING, "a move of the answer of a problem has no evaluation"),
    ("problem-first-color", WARNING, "the first move of a problem is not of its colour"),
    ("no-game-tree", ERROR, "the text holds no game tree", "FF[4], EBNF"),
    ("game-not-go", ERROR, "the record is of another game than Go", "FF[4], GM"),
    ("more-games", ERROR, "the text holds more games than one", "FF[4], EBNF"),
    ("text-outside-tree", WARNING, "text is outside of the game tree", "FF[4], EBNF"),
    ("tree-unclosed", ERROR, "a closing parenthesis is missing", "FF[4], EBNF"),
    ("tree-empty", WARNING, "a variation has no node", "FF[4], EBNF"),
    ("node-unmarked", WARNING, "properties precede the first semicolon of a tree", "FF[4], EBNF"),
    (
        "node-after-variation",
        WARNING,
        "a node follows a variation; it is read as one more variation",
        "FF[4], EBNF",
    ),
    ("stray-text", WARNING, "characters belong to no property", "FF[4], EBNF"),
    ("property-without-value", WARNING, "a property has no value", "FF[4], EBNF"),
    ("property-duplicate", WARNING, "a node has a property twice", "FF[4], properties"),
    (
        "property-name-long",
        WARNING,
        "a property name of FF[4] has lower-case letters, which are not read",
        "FF[4], EBNF",
    ),
    (
        "property-misplaced",
        WARNING,
        "a property is in a node where it does not belong",
        "FF[4], root",
    ),
    ("value-unclosed", ERROR, "a value is not closed before the text ends", "FF[4], EBNF"),
    (
        "values-too-many",
        WARNING,
        "a property has more values than it can have; the first one counts",
        "FF[4], properties",
    ),
    ("value-invalid", WARNING, "a value is not of the kind that its property takes", "FF[4], value types"),
    ("move-invalid", ERROR, "a move is neither a point nor a pass", "FF[4], Move"),
    ("point-invalid", ERROR, "a stone to set up is not on a point of the board; it is left out", "FF[4], Stone"),
    ("mark-invalid", WARNING, "a mark is not on a point of the board", "FF[4], Point"),
    ("point-upper-case", WARNING, "a point is written in capitals; it is read as small letters", "FF[4], Point"),
    ("setup-repeated", WARNING, "a point is set up twice in one node; the last one counts", "FF[4], setup"),
    ("move-with-setup", WARNING, "a node has a move and sets stones up; the setup is done first", "FF[4], setup"),
    ("moves-in-one-node", WARNING, "a node has more than one move; all are played, in their order", "FF[4], move"),
    ("size-invalid", ERROR, "the size is not one that SGF allows; 19 x 19 is assumed", "FF[4], SZ"),
    ("charset-assumed", WARNING, "the record does not say how its text is encoded", "FF[4], CA"),
    ("charset-contradicted", WARNING, "the text is not encoded as the record says", "FF[4], CA"),
    ("charset-unknown", WARNING, "the record names an encoding that is not known", "FF[4], CA"),
    ("text-undecodable", WARNING, "bytes of a text encode no character", "FF[4], CA"),
    ("xml-syntax", ERROR, "the text is not well-formed XML", "3.1"),
    (
        "doctype-refused",
        ERROR,
        "a document type declaration is refused: entities and external references are not read",
        "3.1",
    ),
    ("xml-declaration", ERROR, "the XML declaration names another version than 1.0 or another encoding than UTF-8"),
    ("unknown-element", ERROR, "an element is not one that the format has there"),
    ("unknown-attribute", ERROR, "an element has an attribute that the format does not name there"),
    ("foreign-attribute", WARNING, "the root element has an attribute of another namespace"),
    ("missing-element", ERROR, "a required element is missing"),
    ("missing-attribute", ERROR, "a required attribute is missing"),
    ("element-repeated", ERROR, "an element is there twice"),
    ("element-misplaced", ERROR, "an element is not in its place"),
    ("text-misplaced", ERROR, "text is where none may be"),
    ("number-spelling", ERROR, "a number is not spelled as the format wants it"),
    ("attribute-excluded", ERROR, "a pass has a point"),
    ("mark-without-step", ERROR, "no step follows a mark"),
    ("moves-without-step", ERROR, "a variation holds no step"),
    ("format-unknown", ERROR, "the format of the data is unknown"),
    ("archive-invalid", ERROR, "the archive or compressed file is damaged"),
    ("no-codes", ERROR, "the text holds no code of Giseong", "section 1"),
    ("code-malformed", ERROR, "a code is not written as codes are; it is skipped", "section 2, G18"),
    ("placement-unknown", ERROR, "a placement is of no kind that is known; it is skipped", "section 6, G2"),
    ("control-unknown", WARNING, "a control is none that is known; it is skipped", "section 8"),
    ("label-unknown", ERROR, "a label is not one of its kind", "section 6, G3"),
    ("neutral-on-stone", ERROR, "a neutral point is on a stone", "section 6, G6"),
    ("restore-unsaved", WARNING, "a board is restored and none was saved", "section 6, G10"),
    ("placement-outside-record", ERROR, "a placement or block is outside of the record", "section 8, G14"),
    ("text-outside-record", WARNING, "text or a control is outside of the record", "section 8, G14"),
    ("record-unframed", WARNING, "the start or the end of the record is not marked", "section 8"),
    ("text-character", WARNING, "a comment has a character that is reserved", "section 4"),
    ("name-form", ERROR, "a name is not between its two controls", "section 8"),
    ("name-repeated", WARNING, "a name or title is given twice and differs", "section 8"),
    ("move-count", WARNING, "the record has another number of moves than it says", "section 8"),
    ("block-nested", ERROR, "a block is inside a block", "section 9"),
    ("block-unclosed", ERROR, "a block is not closed", "section 9"),
    ("block-unopened", ERROR, "a block is closed and none is open", "section 9"),
    ("board-size-unsupported", ERROR, "the board has more points than the limit allows", "", False, True),
    ("limit-bytes", ERROR, "the record has more bytes than the limit allows", "", False, True),
    ("limit-steps", ERROR, "the record has more steps than the limit allows", "", False, True),
    ("limit-depth", ERROR, "the record nests deeper than the limit allows", "", False, True),
    ("limit-replay", ERROR, "replaying the record takes more moves than the limit allows", "", False, True),
    ("limit-positions", ERROR, "the positions of the record take more text than the limit allows", "", False, True),
    ("limit-archive", ERROR, "the archive or compressed file holds more than the limit allows", "", False, True),
    ("limit-problems", ERROR, "the record has more problems than are listed", "", False, True),
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, or odd, in one place of a record.

    `offset` counts bytes from 0 in the record's text, `line` and `column` count from 1 (columns in characters); `path`
    is the JSON path of the value (for a missing member, of the object that lacks it), in wei7 2.x the XPath of the
    element or attribute (`/wei7/moves/black[3]/@x`), in SGF the branch, node and property (`0.1;3.AB`), in Giseong
    branch and step (`0.1;3`); `clause` is a clause of the specification revision that was asked for, in wei7 2.x of
    version 2.2, in SGF the part of the FF[4] specification, in Giseong the section of its description, with a letter
    and number where that is open and the package has taken a reading.
    """

    code: str
    clause: str
    severity: Severity
    offset: int
    line: int
    column: int
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message} [{self.code}, {self.clause_text}]"

    @property
    def place(self) -> str:
        """Line, column and path as one short text."""
        return f"line {self.line}, column {self.column}, {self.path}"

    @property
    def clause_text(self) -> str:
        """The clause with the word before it; where no clause rules, `limit` or `file`, whichever is to blame."""
        return clause_text(self.code, self.clause)


ProblemFields: TypeAlias = tuple[str, str, Severity, int, int, int, str, str]
"""The fields of a `Problem`, in their order."""

fields_of: Final[Callable[[Problem], ProblemFields]] = attrgetter(*Problem.__match_args__)
"""The fields of a problem."""


def clause_text(code: str, clause: str) -> str:
    """Return the `clause_text` of a problem with this code and clause."""
    if clause:
        return f"clause {clause}" if clause[0].isdigit() else clause
    return "limit" if PROBLEM_CODE_BY_NAME[code].limit else "file"


class Wei7Error(Exception):
    """Base of every exception that this package raises by itself."""

    _FIELDS: ClassVar[tuple[str, ...]] = ()  # the keyword arguments after the message, which are attributes too

    def __init__(self, *args: object) -> None:  # for its signature
        super().__init__(*args)

    def __reduce__(self) -> Any:
        if not self._FIELDS:
            return super().__reduce__()
        fields = {name: getattr(self, name) for name in self._FIELDS}
        return _rebuild, (type(self), getattr(self, "message", self.args[0]), fields), self.__dict__


def _rebuild(kind: type[Wei7Error], message: str, *fields: Any) -> Wei7Error:
    """The exception of a pickle; those of 0.1.0 have fields without names."""
    named = fields[0] if fields and isinstance(fields[0], dict) else dict(zip(kind._FIELDS, fields, strict=True))
    return kind(message, **named)


# The names in pickles of 0.1.0.
_rebuild_illegal_move = _rebuild_off_board = _rebuild_illegal_position = _rebuild_diagram = _rebuild
_rebuild_training_file = _rebuild


class RecordError(Wei7Error, ValueError):
    """A record breaks its format, in a known place.

    Attributes: `problem` (a `Problem`) and its fields `code`, `clause`, `offset`, `line`, `column`, `path`, `message`;
    `source`, the name of the file or None.
    """

    def __init__(self, problem: Problem, source: str | None = None) -> None:
        ValueError.__init__(self, str(problem) if source is None else f"{source}: {problem}")
        self.problem = problem
        self.source = source

    code = property(lambda self: self.problem.code)
    clause = property(lambda self: self.problem.clause)
    offset = property(lambda self: self.problem.offset)
    line = property(lambda self: self.problem.line)
    column = property(lambda self: self.problem.column)
    path = property(lambda self: self.problem.path)
    message = property(lambda self: self.problem.message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.source), self.__dict__


class RecordSyntaxError(RecordError, json.JSONDecodeError):
    """The text is not JSON in UTF-8; also a `json.JSONDecodeError`.

    `msg`, `pos` (a byte offset), `lineno` and `colno` are filled; `doc` is empty, because the text is not kept.
    """

    def __init__(self, problem: Problem, source: str | None = None) -> None:
        RecordError.__init__(self, problem, source)
        self.msg = problem.message
        self.doc = ""
        self.pos = problem.offset
        self.lineno = problem.line
        self.colno = problem.column


class LimitError(RecordError):
    """A record is larger, deeper or longer than a limit of this package."""


class ActionRefusedError(Wei7Error, ValueError):
    """An action of a live game is refused, and has changed nothing.

    Attributes: `reason` (one word: `syntax`, `order`, `conflict`, `closed`, `time`, `actor`, `role`, `color`, `rules`,
    `takeback`, `occupied`, `off-board`) and `clause` of wei7 3.0, revision 7; empty where no clause rules.
    """

    _FIELDS = ("reason", "clause")

    def __init__(self, message: str, *, reason: str = "", clause: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.clause = clause

    def __str__(self) -> str:
        return f"{self.args[0]} [clause {self.clause}]" if self.clause else str(self.args[0])


class IllegalMoveError(Wei7Error, ValueError):
    """A move, or a takeback, cannot be played in this position.

    Attributes: `move_number` (of the refused move, from 1), `color` (1, 2 or None for a takeback), `point` ((x, y) or
    None), `reason` (one word: `occupied`, `off-board`, `too-deep`).
    """

    _FIELDS: ClassVar[tuple[str, ...]] = ("move_number", "color", "point", "reason")

    def __init__(
        self,
        message: str,
        *,
        move_number: int,
        color: int | None,
        point: tuple[int, int] | None,
        reason: str,
    ) -> None:
        super().__init__(message)
        self.move_number = move_number
        self.color = color
        self.point = point
        self.reason = reason


class OffBoardError(Wei7Error, IndexError, ValueError):
    """A requested point is off the board; `point` is its (x, y).

    An `IndexError`, as for any container that is indexed past its end, and a `ValueError`, as for
    every other point that cannot be.
    """

    _FIELDS: ClassVar[tuple[str, ...]] = ("point",)

    def __init__(self, message: str, *, point: tuple[int, int]) -> None:
        super().__init__(message)
        self.point = point


class OffBoardMoveError(IllegalMoveError, OffBoardError):
    """A move off the board cannot be played: an `IndexError` too, as for every other point off the board."""

    point: tuple[int, int]

    def __init__(
        self,
        message: str,
        *,
        move_number: int,
        color: int | None,
        point: tuple[int, int],
        reason: str = "off-board",
    ) -> None:
        Wei7Error.__init__(self, message)
        self.move_number = move_number
        self.color = color
        self.point = point
        self.reason = reason


class IllegalPositionError(Wei7Error, ValueError):
    """The stones are not a legal position (clause 3.15.2.5).

    Attributes: `point` ((x, y) of an offending stone, or None) and `reason`
    (`off-board`, `occupied`, `no-liberty`, `after-move`).
    """

    _FIELDS = ("point", "reason")

    def __init__(self, message: str, *, point: tuple[int, int] | None, reason: str) -> None:
        super().__init__(message)
        self.point = point
        self.reason = reason


class DiagramError(Wei7Error, ValueError):
    """A text is no diagram of a board.

    Attributes: `line` and `column`, from 1, in characters, of what is wrong; `message`, what is wrong.
    """

    _FIELDS = ("line", "column")

    def __init__(self, message: str, *, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.message = message
        self.line = line
        self.column = column


class BoardSizeError(Wei7Error, ValueError):
    """A board size is not positive, or has more points than `max_points`."""


class ConversionError(Wei7Error, ValueError):
    """A record cannot be written in another format at all; the message gives the reason."""


class IndexFileError(Wei7Error, ValueError):
    """An index of games cannot be read: it is of another version, truncated, or has a wrong checksum.

    Attributes: `source`, the path of its file; `message`, what is wrong with it.
    """

    _FIELDS = ("source",)

    def __init__(self, message: str, *, source: str) -> None:
        super().__init__(f"{source}: {message}")
        self.message = message
        self.source = source


class TrainingFileError(Wei7Error, ValueError):
    """A file of training rows is not laid out as its engine writes it.

    Attributes: `source`, the name of the file or None; `row`, from 0, or None where the whole file is concerned;
    `place`, a line and column or the name of an array.
    """

    _FIELDS = ("source", "row", "place")

    def __init__(self, message: str, *, source: str | None = None, row: int | None = None, place: str = "") -> None:
        where = [source or "", "" if row is None else f"row {row}", place]
        super().__init__(": ".join([", ".join(filter(None, where)), message]) if any(where) else message)
        self.message = message
        self.source = source
        self.row = row
        self.place = place


class EngineError(Wei7Error):
    """An engine violated its protocol; the message describes what it did.

    Attributes: `engine`, the name of its program or ""; `command`, the command or query that it was given, "" where
    none was; `answer`, what it answered, "" where it did not.
    """

    _FIELDS = ("engine", "command", "answer")

    def __init__(self, message: str, *, engine: str = "", command: str = "", answer: str = "") -> None:
        super().__init__(message)
        self.engine = engine
        self.command = command
        self.answer = answer


class CommandError(EngineError):
    """An engine refuses a command: the failure response of GTP, or the error of an analysis query.

    Handlers of `wei7core.gtp.Engine` raise it to answer so.
    """


class EngineTimeoutError(EngineError, TimeoutError):
    """An engine did not answer in time. Also a `TimeoutError`."""


class EngineDiedError(EngineError):
    """The process of an engine ended before it had answered, or it is not running."""


class LossWarning(UserWarning):
    """Something of a record could not be carried into another format."""

    def __init__(self, *args: object) -> None:  # for its signature
        super().__init__(*args)


PROBLEM_CODE_BY_NAME: Final = {code.name: code for code in PROBLEM_CODES}


def record_error(problem: Problem, source: str | None = None) -> RecordError:
    """Return the exception of the right class for `problem`."""
    code = PROBLEM_CODE_BY_NAME[problem.code]
    if code.syntax:
        return RecordSyntaxError(problem, source)
    if code.limit:
        return LimitError(problem, source)
    return RecordError(problem, source)


def whole_problem(code: str, message: str = "") -> Problem:
    """Return a problem of a file or record as a whole; the summary of its code is the message where none is given."""
    row = PROBLEM_CODE_BY_NAME[code]
    return Problem(code, row.clause, row.severity, 0, 1, 1, "$", message or row.summary)
