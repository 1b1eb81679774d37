"""Module names of release 0.1.0, which its pickles contain.

A finder at the end of `sys.meta_path` resolves them, so that it is consulted only for modules that do not exist.
"""

from __future__ import annotations

import importlib
import sys
from functools import partial
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__all__ = ["install"]

_PACKAGE = "wei7core"
_MODULES = {
    "archives": "sources.archives",
    "blocks": "board.blocks",
    "document": "record.document",
    "game_result": "record.result",
    "ladder": "board.ladder",
    "life": "board.life",
    "point_set": "board.point_set",
    "position": "board.position",
    "results": "batch.results",
    "scoring": "game.scoring",
}


class _Finder:
    """Finds a former name as a module that forwards to the present one. Thread safety: it has no state."""

    @staticmethod
    def find_spec(name: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        package, _, module = name.partition(".")
        return ModuleSpec(name, _Finder) if package == _PACKAGE and module in _MODULES else None  # type: ignore[arg-type]

    @staticmethod
    def create_module(_spec: ModuleSpec) -> None:
        return None

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        present = importlib.import_module(f"{_PACKAGE}.{_MODULES[module.__name__.partition('.')[2]]}")
        vars(module)["__getattr__"] = partial(getattr, present)


def install() -> None:
    """Add the finder, once a process."""
    if _Finder not in sys.meta_path:
        sys.meta_path.append(_Finder)
