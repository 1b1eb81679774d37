from typing import Final

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer

LINE_TOO_LONG: Final[int]
LINE_CUT: Final[int]
LINE_REST: Final[int]

def games(
    text: Buffer, start: int, final: bool, double_byte: int, tables: bytes | None = None, assumed: int = -1
) -> tuple[npt.NDArray[np.int64], tuple[int, int] | None, int]: ...
def usual_games(text: bytes) -> bytes | None: ...
def lines(
    text: Buffer, start: int, final: bool, limit: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int, int]: ...
def is_of_lines(text: Buffer, final: bool, limit: int) -> bool | None: ...
def pass_text(text: Buffer, begin: int, end: int, line: int, column: int) -> tuple[int, int]: ...
def places_of(
    text: Buffer, places: npt.NDArray[np.int64], starts: npt.NDArray[np.int64], line: int, column: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]: ...
