from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

from ..errors import Problem
from .document import (
    Edit,
    Evaluation,
    Extra,
    Mark,
    MarkAction,
    Message,
    Note,
    Number,
    Point,
    Properties,
    Result,
    Splitter,
    Takeback,
    Unreadable,
)

_Table = npt.NDArray[np.void]

def dtype_of(name: str) -> np.dtype[np.void]:
    """Return the NumPy type of the rows of the table `name`, which is a property of `Record`, or `problems`."""

def make_record(
    source: bytes,
    format: str,
    tables: Mapping[str, _Table],
    *,
    size: tuple[int, int],
    size_form: int,
    revision: int = 0,
    encoding: str = "utf-8",
    info: tuple[int, int] | None = None,
    charset: tuple[int, int] | None = None,
    broken_off: bool = False,
    replaces: bool = False,
    describe: Callable[[Record, Any], list[Problem]],
    read_text: Callable[[Record, bytes], str],
    origin: tuple[Any, ...],
) -> Record:
    """Return the `Record` made by a decoder in Python from `source`.

    `tables` holds the rows of each table by its name, as an array of `dtype_of`; those of `problems` are (offset,
    number of the code, place, detail). `size` is (width, height), `info` and `charset` are spans of the source or None.
    `replaces`: a move on an occupied point replaces the stone there. `describe(record, raw problems)` returns located
    problems, `read_text(record, bytes of a span)` text; `origin` is the callable and its arguments that recreate the
    record.

    Raises `ValueError` if a row references rows or bytes out of range, `MemoryError` when memory is short. Thread safe.
    """

@final
class Record:
    """A game as frozen columns over the text it was read from.

    Made by the decoder of a format (`wei7core.formats`), never directly. Tables are
    read-only NumPy structured arrays over the record's own memory, their fields those of
    `record/record.h`; a span (`begin`, `end`) names bytes of `source`, -1 where a member
    is absent. Row 0 of `trees` is the whole game, and a tree comes before its branches.

    Thread safety: a record never changes, so threads may share it.
    """
    def __init__(self) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @property
    def source(self) -> bytes: ...
    @property
    def format(self) -> str: ...
    @property
    def revision(self) -> int: ...
    @property
    def width(self) -> int:
        """Points from left to right; 0 if the size could not be read."""
    @property
    def height(self) -> int:
        """Points from top to bottom; 0 if the size could not be read."""
    @property
    def size_form(self) -> int:
        """The form of the size in the text: 0 absent, 1 an integer, 2 an object."""
    @property
    def charset(self) -> bytes | None:
        """The encoding of texts as stated in the record, as bytes, or None; `encoding` is the one in use."""
    @property
    def encoding(self) -> str: ...
    @property
    def broken_off(self) -> bool:
        """Whether reading stopped before the end of the text."""
    @property
    def info_json(self) -> bytes | None:
        """The bytes of the `info` object, or None."""
    @property
    def trees(self) -> _Table:
        """The whole game and its branches, parents first."""
    @property
    def steps(self) -> _Table:
        """Moves, takebacks, results, marks and messages; those of one tree are consecutive."""
    @property
    def moves(self) -> npt.NDArray[np.int32]:
        """The points (x, y) of the moves of the main line as an array of n x 2, (-1, -1) for a pass; as written.

        Takebacks, and moves that cannot be played, are among them. A new array each time.
        """
    @property
    def colors(self) -> npt.NDArray[np.uint8]:
        """The colours of the moves of the main line (`moves`), 1 and 2."""
    @property
    def details(self) -> _Table:
        """The optional members of steps: times, comments, marks, actors, texts."""
    @property
    def pres(self) -> _Table:
        """The preset positions."""
    @property
    def stones(self) -> _Table:
        """The stones of the preset positions."""
    @property
    def marks(self) -> _Table:
        """The marks of steps and preset positions."""
    @property
    def kept(self) -> _Table:
        """Members without a column, as text."""
    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every problem the decoder found, a tuple of `Problem` in the order of their offsets."""
    def locate(self, raw: Iterable[tuple[str, int, int]]) -> list[Problem]:
        """Return the `Problem` of each (code name, byte offset, detail) found after decoding.

        `detail` is an integer whose meaning depends on the code, 0 by default.
        """
    def text(self, begin: int, end: int) -> str:
        """Return the decoded text of the bytes `source[begin:end]` of a span.

        Escapes of the format are resolved; invalid bytes become U+FFFD.
        """

@disjoint_base
class Move:
    """One move; `point` None is a pass, which counts as a move (clause 3.15.3.2.1).

    `evaluation` rates the move, in a problem as right or wrong. `problem` (revision 2 only) makes the position after
    the move a question: the colour to play.
    """

    color: int
    point: Point | None
    evaluation: Evaluation | None
    problem: int | None
    extra: Extra
    def __init__(
        self,
        color: int,
        point: Point | None,
        evaluation: Evaluation | None = None,
        problem: int | None = None,
        *,
        extra: Extra | None = None,
    ) -> None: ...
    @property
    def is_pass(self) -> bool:
        """Whether the move is a pass."""
    def __eq__(self, other: object, /) -> bool: ...
    def __replace__(self, **changes: Any) -> Self: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    __match_args__: ClassVar[tuple[str, ...]]

@disjoint_base
class Step:
    """One action and its properties (clause 3.15.3).

    `time` is in seconds since the start of the whole game, 0 <= time < 86400; the order of the steps prevails if the
    times contradict it. `actor` is an index into `Info.participants`. `marks` and `comment` belong to the position
    after the action. `properties` are those of an SGF node besides its moves and setup; a writer of SGF keeps those
    that agree with the other attributes. `joined`: the step belongs to the same SGF node as the one before it, which
    has the properties of both. In wei7 2.x a step has a `title`, and a `splitter`, the size of the gap before it; None
    is a small one.
    """

    action: Move | Takeback | Result | MarkAction | Message | Edit | Note | Unreadable
    time: Number | None
    actor: int | None
    marks: list[Mark]
    comment: str | None
    properties: Properties
    joined: bool
    title: str | None
    splitter: Splitter | None
    extra: Extra
    kept_empty: frozenset[str]
    def __init__(
        self,
        action: Move | Takeback | Result | MarkAction | Message | Edit | Note | Unreadable,
        *,
        time: Number | None = None,
        actor: int | None = None,
        marks: list[Mark] | None = None,
        comment: str | None = None,
        properties: Properties | None = None,
        joined: bool = False,
        title: str | None = None,
        splitter: Splitter | None = None,
        extra: Extra | None = None,
        kept_empty: frozenset[str] | tuple[()] = (),
    ) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __replace__(self, **changes: Any) -> Self: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    __match_args__: ClassVar[tuple[str, ...]]

def bare_steps(record: Record, with_entries: Iterable[int]) -> tuple[list[Step], list[int]]:
    """Return a list of the steps of `record` by their rows, None for those that have more than a colour and a point.

    The latter are listed as well. `with_entries` are rows with entries in other tables. Where several steps are one
    SGF node, all of them are among the others or none. Thread safe.
    """

def commented_rows(record: Record) -> list[tuple[int, int, int]]:
    """Return (row, begin, end) of each step with a comment: the bytes of the source that it takes. Thread safe."""

def kept_texts(record: Record, *, of_root: bool) -> list[tuple[bytes, bytes, int]]:
    """Return (key, value, row of the owner) of each kept member, texts as bytes: of the root, or of all others.

    Thread safe.
    """

def tree_rows(record: Record) -> list[tuple[int, int, int, int]]:
    """Return (parent, first step, number of steps, pre) of each tree. Thread safe."""

def stone_rows(record: Record) -> list[tuple[int, int, int]]:
    """Return (x, y, color) of each stone. Thread safe."""

def line_of_moves(record: Record, most: int, shown: frozenset[bytes]) -> list[int] | None:
    """Return the first `most` moves of a record that is one line of moves and shows no more there, else None.

    A move is `(y + 1 << 32) + (x + 1 << 2) + color`; that of a pass has x and y of -1. Comments, marks, evaluations,
    problems and kept members of steps with a name in `shown` are more. Thread safe.
    """

def move_codes(steps: list[Step], begin: int, width: int, height: int) -> list[int]:
    """Return the codes (see `MoveRun`) of the steps from `begin` on, up to the first that is more than a move.

    The last of them is left out where the step after it belongs to the same SGF node. One thread at a time.
    """

def last_properties(steps: list[Step], end: int, names: tuple[str, ...], found: dict[str, tuple[str, ...]]) -> None:
    """Add to `found` the values of those properties of SGF that it lacks, from the last step before `end` that has one.

    One thread at a time.
    """

def noted_steps(steps: Iterable[Step]) -> list[Step]:
    """Return those of `steps` that are more than a move with a colour and a point. One thread at a time."""
