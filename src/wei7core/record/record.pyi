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

def dtype_of(name: str) -> np.dtype[np.void]: ...
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
    header: Any = None,
) -> Record: ...

@final
class Record:
    def __init__(self) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @property
    def source(self) -> bytes: ...
    @property
    def format(self) -> str: ...
    @property
    def revision(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def size_form(self) -> int: ...
    @property
    def charset(self) -> bytes | None: ...
    @property
    def encoding(self) -> str: ...
    @property
    def header(self) -> Any: ...
    @property
    def broken_off(self) -> bool: ...
    @property
    def info_json(self) -> bytes | None: ...
    @property
    def trees(self) -> _Table: ...
    @property
    def steps(self) -> _Table: ...
    @property
    def moves(self) -> npt.NDArray[np.int32]: ...
    @property
    def colors(self) -> npt.NDArray[np.uint8]: ...
    @property
    def details(self) -> _Table: ...
    @property
    def pres(self) -> _Table: ...
    @property
    def stones(self) -> _Table: ...
    @property
    def marks(self) -> _Table: ...
    @property
    def kept(self) -> _Table: ...
    @property
    def problems(self) -> tuple[Problem, ...]: ...
    def locate(self, raw: Iterable[tuple[str, int, int]]) -> list[Problem]: ...
    def text(self, begin: int, end: int) -> str: ...

@disjoint_base
class Move:
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
    def is_pass(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __deepcopy__(self, memo: object) -> Self: ...
    def __replace__(self, **changes: Any) -> Self: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    __match_args__: ClassVar[tuple[str, ...]]

@disjoint_base
class Step:
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
    def __deepcopy__(self, memo: object) -> Self: ...
    def __replace__(self, **changes: Any) -> Self: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    __match_args__: ClassVar[tuple[str, ...]]

def bare_steps(record: Record, with_entries: Iterable[int]) -> tuple[list[Step], list[int]]: ...
def commented_rows(record: Record) -> list[tuple[int, int, int]]: ...
def kept_texts(record: Record, *, of_root: bool) -> list[tuple[bytes, bytes, int]]: ...
def tree_rows(record: Record) -> list[tuple[int, int, int, int]]: ...
def stone_rows(record: Record) -> list[tuple[int, int, int]]: ...
def line_of_moves(record: Record, most: int, shown: frozenset[bytes]) -> list[int] | None: ...
def move_codes(steps: list[Step], begin: int, width: int, height: int) -> list[int]: ...
def inherited_properties(steps: list[Step], end: int, found: dict[str, tuple[str, ...]]) -> None: ...
def noted_steps(steps: Iterable[Step]) -> list[Step]: ...
