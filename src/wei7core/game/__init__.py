"""The document view of one game: load, walk, edit, score, convert and save.

May import `replaying`, `formats`, `board`, `record` and `sources`. Start with `game.py`; `load.py` and `dump.py` are
the functions of that name, `conversion/` makes a document of one format fit another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._util.lazy_import import lazy_attributes

if TYPE_CHECKING:
    from .game import Game

__all__ = ["Game"]

__getattr__, __dir__ = lazy_attributes(__name__, {"game": ("Game", "_restore")})
