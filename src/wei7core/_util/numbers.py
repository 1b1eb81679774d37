"""Integers that callers pass, refused by name where they are something else."""

from __future__ import annotations

import operator
from typing import Any


def integer(name: str, value: Any) -> int:
    """Return an argument that has to be an integer. Raises `TypeError` for other types, bools among them."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is an integer, not {value!r}")
    return operator.index(value)
