from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .limits import Limits

__all__ = ["FORMATS", "Piece", "replay_block", "replay_texts"]

FORMATS: dict[str, int]

class Piece(NamedTuple):
    rows: npt.NDArray[np.void]
    ids: bytes
    letters: bytes | None
    positions: dict[str, npt.NDArray[Any]] | None

def replay_texts(
    texts: Iterable[bytes], formats: Iterable[str | None], *, board: bool = False, limits: Limits = ..., form: int = ...
) -> tuple[npt.NDArray[np.void], bytes | None]: ...
def replay_block(
    data: Any,  # collections.abc.Buffer from Python 3.12 on
    begins: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    format: str | None,
    *,
    first: int = 0,
    board: bool = False,
    positions: bool = False,
    limits: Limits = ...,
    form: int = ...,
) -> Piece: ...
