"""The properties of a node of SGF, with what they were when they were read."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

Properties = dict[str, tuple[str, ...]]
"""The properties of an SGF node: property -> values, as written between the brackets, escapes included.

A Giseong record has its codes and texts under `giseong` (see `formats/giseong/tokens.py`).
"""


def _recording(change: Callable[..., Any]) -> Callable[..., Any]:
    """The change of a `PropertyDict` that `dict` makes by this method, with its docstring."""

    @wraps(change)
    def changed(self: PropertyDict, *args: Any, **named: Any) -> Any:
        if self.read is None:
            self.read = dict(self)
        return change(self, *args, **named)

    return changed


class PropertyDict(dict[str, tuple[str, ...]]):
    """Properties that store their state before the first change in `read`; None if unchanged."""

    __slots__ = ("read",)

    def __init__(self, values: Any = (), read: Properties | None = None) -> None:
        super().__init__(values)
        self.read = read

    __setitem__ = _recording(dict.__setitem__)
    __delitem__ = _recording(dict.__delitem__)
    __ior__ = _recording(dict.__ior__)
    update = _recording(dict.update)
    pop = _recording(dict.pop)
    popitem = _recording(dict.popitem)
    clear = _recording(dict.clear)

    @_recording
    def setdefault(self, name: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Change as `dict.setdefault` does, with no values by default."""
        return super().setdefault(name, default)

    def __reduce__(self) -> tuple[Any, ...]:
        return PropertyDict, (dict(self), self.read)
