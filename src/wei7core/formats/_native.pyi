from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, disjoint_base

from ..limits import Limits
from ..record.record import Record

CAN_READ_SMALL_FILES: Final[bool]
CURRENT_FOLDER: Final[int]
LINE_CUT: Final[int]
LINE_REST: Final[int]
LINE_TOO_LONG: Final[int]
MEMBER_NAMES: tuple[str, ...]
PROPERTIES: tuple[str, ...]

def split_games(
    text: Buffer, start: int, final: bool, double_byte: int, tables: bytes | None = None, assumed: int = -1
) -> tuple[npt.NDArray[np.int64], tuple[int, int] | None, int]: ...
def split_usual_games(text: bytes) -> bytes | None: ...
def join_texts(
    texts: list[Any], first: int, buffer: Buffer, longest: int, most: int, most_of_text: int, limit: int
) -> tuple[str, int, npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]: ...
def read_texts(
    folder: int, names: bytes, is_sgf: bool, buffer: Buffer, longest: int, most: int, most_of_text: int, limit: int
) -> tuple[str, int, npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]: ...
def split_lines(
    text: Buffer, start: int, final: bool, limit: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int, int]: ...
def is_of_lines(text: Buffer, final: bool, limit: int) -> bool | None: ...
def pass_text(text: Buffer, begin: int, end: int, line: int, column: int) -> tuple[int, int]: ...
def places_of(
    text: Buffer, places: npt.NDArray[np.int64], starts: npt.NDArray[np.int64], line: int, column: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]: ...
def decode_sgf(
    source: bytes, double_byte: int, limits: Limits, isa: int = ..., plainness: int = 0
) -> tuple[Record, tuple[int, int], int, bool, bool]: ...
def finish_sgf(
    record: Record,
    encoding: str,
    problems: list[tuple[int, int, int]],
    max_problems: int,
    describe: Callable[..., Any],
    read_text: Callable[[Record, bytes], str],
    origin: tuple[Any, ...],
) -> Record: ...
def find_sgf_value(source: bytes, offset: int) -> int: ...
def locate_sgf(source: bytes, offsets: list[int], double_byte: int, characters: int) -> list[tuple[int, int, str]]: ...
def locate_each(
    data: Any,  # collections.abc.Buffer from Python 3.12 on
    begins: list[int],
    ends: list[int],
    offsets: list[int],
    double_bytes: bytes | None = None,
    characters: bytes | None = None,
) -> list[tuple[int, int, str]]: ...
def guess_charset(text: bytes, tables: bytes) -> int: ...
def choose_charset(
    text: bytes, tables: bytes, is_utf8: bool, declared: int, wanted: int
) -> tuple[int, bool, int, int]: ...
def decode_wei7(
    source: bytes,
    revision: int,
    limits: Limits,
    describe: Callable[..., Any],
    read_text: Callable[[Record, bytes], str],
    origin: tuple[Any, ...],
    *,
    general_only: bool = False,
    isa: int = ...,
) -> Record: ...
def find_in_wei7_step(source: bytes, step: int, name: bytes) -> int: ...
def locate_wei7(source: bytes, offsets: list[int]) -> list[tuple[int, int, str]]: ...

@disjoint_base
class Writer:
    def __new__(
        cls,
        ranks: bytes,
        kinds: bytes,
        labels: list[bytes | None],
        codec_of: Callable[[int], bytes | None],
        read: Callable[[bytes, bytes], tuple[bytes | None, bytes | None, bool, bool, bool] | None],
        read_info: Callable[[bytes, int, int, bool, bool], tuple[tuple[bytes, ...], bytes, Any] | bytes | None],
        lost_in_tree: Callable[[list[tuple[int, int, int, bytes, bytes]], int, Any], Any],
    ) -> Writer: ...
    def write(self, record: Record, as_wei7: bool, only_root: bool = False) -> tuple[bytes, Any] | None: ...
    def write_in(
        self, text: bytes, charset: int, as_wei7: bool, limits: Limits, isa: int = ...
    ) -> tuple[bytes, Any] | None: ...

@disjoint_base
class Writing:
    made: dict[int, tuple[int, int, Any]]
    def __new__(cls, writer: Writer, as_wei7: bool) -> Writing: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def clear(self) -> bool: ...
