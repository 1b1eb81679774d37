"""Integers and flags that callers pass, refused by name where they are something else."""

from __future__ import annotations

import operator
from typing import Any


def integer(name: str, value: Any) -> int:
    """Return an argument that has to be an integer. Raises `TypeError` for other types, bools among them."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is an integer, not {value!r}")
    return operator.index(value)


def flag(name: str, value: Any) -> bool:
    """Return an argument that has to be true or false: those of NumPy, 1 and 0 too. Raises `TypeError` for others."""
    if getattr(value, "shape", ()) != () or value not in (True, False):  # arrays compare element by element
        raise TypeError(f"{name} is True or False, not {value!r}")
    return bool(value)
