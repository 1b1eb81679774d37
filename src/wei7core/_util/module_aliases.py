"""Second names of modules: public names of inner rooms, and names of release 0.1.0, which its pickles contain.

An alias is the module itself: `wei7core.gtp` is `wei7core.play.gtp`, and so are the modules inside.
"""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_PACKAGE = "wei7core."
PUBLIC = {
    "analysis": "play.analysis",
    "gtp": "play.gtp",
    "names": "record.names",
    "selfplay": "batch.selfplay",
}
FORMER = {
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
_TARGETS = {**PUBLIC, **FORMER}


class _Finder:
    """Finds an alias. Thread safety: it has no state."""

    @staticmethod
    def find_spec(name: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        # A class can be a loader; the stub wants an instance.
        return ModuleSpec(name, _Finder) if _target_of(name) else None  # type: ignore[arg-type]

    @staticmethod
    def create_module(_spec: ModuleSpec) -> None:
        return None

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        # The import system hands out what is in `sys.modules` after this, and makes it the attribute of the parent.
        sys.modules[module.__name__] = importlib.import_module(f"{_PACKAGE}{_target_of(module.__name__)}")


def _target_of(name: str) -> str | None:
    """The name, inside the package, of the module that `name` is an alias of; None where it is no alias."""
    if not name.startswith(_PACKAGE):
        return None
    first, dot, rest = name[len(_PACKAGE) :].partition(".")
    target = _TARGETS.get(first)
    return None if target is None else f"{target}{dot}{rest}"


def install() -> None:
    """Add the finder, once a process. It comes first: else modules inside an alias would be imported a second time."""
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
