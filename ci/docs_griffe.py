"""An extension of Griffe, which collects the reference: what a stub declares counts, however it is implemented."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import griffe


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
