from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "PREFIX_MOVES",
    "dtype_of_struct",
    "game_facts",
    "header_keys",
    "keys_of_texts",
    "opening_key",
    "summary_dtype",
    "text_keys",
]

PREFIX_MOVES: tuple[int, ...]

def dtype_of_struct(fields: Sequence[tuple[Any, ...]], size: int) -> np.dtype[np.void]: ...
def summary_dtype() -> np.dtype[np.void]: ...
def game_facts(
    width: int,
    height: int,
    setup: Iterable[tuple[int, tuple[int, int]]],
    moves: Iterable[tuple[int, tuple[int, int] | None]],
    *,
    edits: Iterable[tuple[int, int, tuple[int, int]]] = (),
    isa: int = ...,
) -> np.void: ...
def opening_key(
    width: int,
    height: int,
    setup: Iterable[tuple[int, tuple[int, int]]],
    moves: Iterable[tuple[int, tuple[int, int] | None]],
    *,
    edits: Iterable[tuple[int, int, tuple[int, int]]] = (),
) -> int: ...
def text_keys(
    text: Any,  # collections.abc.Buffer from Python 3.12 on
    *,
    isa: int = ...,
) -> tuple[int, int]: ...
def keys_of_texts(
    data: Any,  # collections.abc.Buffer from Python 3.12 on
    begins: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    *,
    isa: int = ...,
) -> npt.NDArray[np.uint64]: ...
def header_keys(
    data: Any,  # collections.abc.Buffer from Python 3.12 on
    begins: npt.NDArray[np.int64],
    facts: npt.NDArray[np.void],
    charsets: npt.NDArray[np.uint8],
    wanted: npt.NDArray[np.bool_],
    format: int,
) -> list[bytes]: ...
