from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, final

import numpy as np
import numpy.typing as npt

from ..formats._native import Writing
from ..limits import Limits
from ..record.record import Record

__all__ = [
    "ENGINE_FORMATS",
    "FOUND",
    "LINES_MEMORY",
    "EngineResult",
    "LinesResult",
    "TextList",
    "bulk_format",
    "failure_type",
    "metadata_type",
    "position_run_type",
    "record_positions",
    "replay_block",
    "replay_lines",
    "replay_records",
    "row_columns",
    "row_type",
]

ENGINE_FORMATS: dict[str, int]
FOUND: dict[int, str]
LINES_MEMORY: int

class EngineResult(NamedTuple):
    rows: npt.NDArray[np.void]
    ids: bytes
    letters: bytes | None
    positions: dict[str, npt.NDArray[Any]] | None
    facts: npt.NDArray[np.void] | None = None
    counts: bytes = b""
    failures: tuple[npt.NDArray[np.void], npt.NDArray[np.int64], Any] | None = (
        None  # collections.abc.Buffer from Python 3.12 on
    )
    metadata: dict[str, Any] | None = None

    @property
    def records(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def arrays(self) -> EngineResult: ...

@final
class LinesResult:
    @property
    def rows(self) -> Any: ...  # collections.abc.Buffer from Python 3.12 on
    @property
    def records(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def arrays(self) -> EngineResult: ...

def row_columns(pieces: Iterable[EngineResult | LinesResult]) -> dict[str, npt.NDArray[Any]]: ...
def row_type() -> np.dtype[np.void]: ...
def metadata_type() -> np.dtype[np.void]: ...
def position_run_type() -> np.dtype[np.void]: ...
def record_positions(
    record: Record, *, canonical: bool = False, sparse: bool = False, limits: Limits = ..., isa: int = ...
) -> dict[str, npt.NDArray[Any]]: ...
def replay_records(
    records: list[Record],
    *,
    first: int = 0,
    board: bool = False,
    positions: bool = False,
    canonical: bool = False,
    metadata: bool = False,
    counted: bytes = b"",
    limits: Limits = ...,
    isa: int = ...,
) -> EngineResult: ...
def failure_type() -> np.dtype[np.void]: ...
def bulk_format(format: str, revision: int) -> str: ...
def replay_block(
    data: Any,  # collections.abc.Buffer from Python 3.12 on
    begins: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    format: str | None,
    *,
    first: int = 0,
    board: bool = False,
    positions: bool = False,
    canonical: bool = False,
    facts: bool = False,
    metadata: bool = False,
    sparse: bool = False,
    counted: bytes = b"",
    charsets: Callable[[], bytes] | None = None,
    wanted_charset: int = -1,
    in_utf8: Callable[[bytes], tuple[bytes, Callable[[list[int]], list[int]]] | None] | None = None,
    failures: bool = False,
    problems: bool = False,
    strict: bool = False,
    writing: Writing | None = None,
    limits: Limits = ...,
    isa: int = ...,
) -> EngineResult: ...
def replay_lines(
    file: int,
    begin: int,
    end: int | None,
    memory: Any,  # collections.abc.Buffer from Python 3.12 on
    format: str,
    *,
    limit: int,
    board: bool = False,
    positions: bool = False,
    canonical: bool = False,
    metadata: bool = False,
    counted: bytes = b"",
    failures: bool = False,
    strict: bool = False,
    limits: Limits = ...,
    isa: int = ...,
) -> tuple[
    LinesResult,
    dict[int, bytes],
    tuple[npt.NDArray[np.void], npt.NDArray[np.int64], Any] | None,
    int | None,
    int | None,
]: ...

@final
class TextList:
    def __new__(
        cls,
        data: Any,  # collections.abc.Buffer from Python 3.12 on
        ends: npt.NDArray[np.int64],
        kinds: Any,
    ) -> TextList: ...
    def taken(
        self, codes: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8], npt.NDArray[np.bool_]]: ...
    def distinct(self, codes: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
    def days(self, codes: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.uint8]]: ...
