"""An extension of Griffe, which collects the reference: stubs, and not their implementation.

A stub gets the docstrings of its module, as in a wheel.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import griffe

sys.path.insert(0, str(Path(__file__).parent))

from stub_docstrings import MODULES, docstrings


class Stubs(griffe.Extension):
    """Prefers stubs to imports from compiled modules, and shows a function that has overloads only by the last."""

    def on_module_members(self, *, mod: griffe.Module, **_: Any) -> None:
        """Prepare one module or stub, before stubs are merged into modules."""
        for name, overloads in mod.overloads.items():
            if name not in mod.members and overloads:
                mod.set_member(name, overloads[-1])
        path = mod.filepath
        if isinstance(path, Path) and path.suffix == ".py" and path.stem != "__init__":
            imported = [name for name, member in mod.members.items() if member.is_alias]
            for name in imported if path.with_suffix(".pyi").exists() else ():
                mod.del_member(name)
        if isinstance(path, Path) and path.suffix == ".pyi" and mod.path.removeprefix("wei7core.") in MODULES:
            for name, text in docstrings(path.with_suffix("")).items():
                owner, _, member = name.rpartition(".")
                within: Any = mod.members.get(owner) if owner else mod
                if within is not None and member in within.members and not (owner and member.startswith("_")):
                    within.members[member].docstring = griffe.Docstring(text, parent=within.members[member])
