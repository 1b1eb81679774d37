"""One position and the moves that led to it: the board, its points, blocks and children, pictures of it.

May import `_util`, `errors`, `limits`, `rules` and `coordinates`; independent of records and formats. `kernel/` is the
C code: start with `kernel/board.h`, then `board.pyx`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._util.lazy_import import lazy_attributes

if TYPE_CHECKING:
    from .board import BLACK, EMPTY, WHITE, Board

__all__ = ["BLACK", "EMPTY", "WHITE", "Board"]

# Pickles of 0.1.0 name `_rebuild` here.
__getattr__, __dir__ = lazy_attributes(__name__, {"board": (*__all__, "_rebuild")})
