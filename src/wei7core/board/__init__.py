"""One position and the moves that led to it: the board, its points, blocks and children, pictures of it.

May import `_util`, `errors`, `limits`, `rules` and `coordinates`; independent of records and formats. `kernel/` is the
C code: start with `kernel/board.h`, then `board.pyx`.
"""

from . import board
from .board import BLACK, EMPTY, WHITE, Board

__all__ = ["BLACK", "EMPTY", "WHITE", "Board"]

_rebuild = board._rebuild  # type: ignore[attr-defined]  # pickles of 0.1.0 name it here
