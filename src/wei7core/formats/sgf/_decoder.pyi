from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from ...limits import Limits
from ...record.record import Record

PROPERTIES: tuple[str, ...]

def decode(
    source: bytes, double_byte: int, limits: Limits, isa: int = ..., plainness: int = 0
) -> tuple[Record, tuple[int, int], int, bool, bool]: ...
def finish(
    record: Record,
    encoding: str,
    problems: list[tuple[int, int, int]],
    max_problems: int,
    describe: Callable[..., Any],
    read_text: Callable[[Record, bytes], str],
    origin: tuple[Any, ...],
) -> Record: ...
def find_value(source: bytes, offset: int) -> int: ...
def locate(source: bytes, offsets: list[int], double_byte: int, characters: int) -> list[tuple[int, int, str]]: ...
def locate_each(
    data: Any,  # collections.abc.Buffer from Python 3.12 on
    begins: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    offsets: npt.NDArray[np.int64],
    double_bytes: npt.NDArray[np.uint8],
    characters: npt.NDArray[np.uint8],
) -> tuple[list[int], list[int], list[str]]: ...
def guess_charset(text: bytes, tables: bytes) -> int: ...
def choose_charset(text: bytes, tables: bytes, is_utf8: bool, said: int, wanted: int) -> tuple[int, bool, int, int]: ...

@disjoint_base
class Writer:
    def __new__(
        cls,
        ranks: bytes,
        kinds: bytes,
        labels: list[bytes | None],
        read: Callable[[str, bytes], tuple[bytes | None, bytes | None, bool, bool, bool] | None],
        read_info: Callable[[bytes, int, int], tuple[bytes, Any] | None],
    ) -> Writer: ...
    def write(self, record: Record, as_wei7: bool, only_root: bool = False) -> tuple[bytes, Any] | None: ...
    def write_texts(
        self, texts: Iterable[bytes | None], as_wei7: bool, limits: Limits, isa: int = ...
    ) -> list[tuple[bytes, Any] | None]: ...

@disjoint_base
class Writing:
    made: dict[int, tuple[bytes, Any]]
    def __new__(cls, writer: Writer, as_wei7: bool) -> Writing: ...
