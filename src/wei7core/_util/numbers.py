"""Numbers that callers pass: integers and finite numbers, refused by name where they are something else."""

from __future__ import annotations

import math
import operator
from typing import Any


def integer(name: str, value: Any) -> int:
    """Return an argument that has to be an integer. Raises `TypeError` for other types, bools among them."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is an integer, not {value!r}")
    return operator.index(value)


def finite(name: str, value: Any) -> float:
    """Return an argument that has to be a number. Raises `TypeError` for other types, `ValueError` for nan and inf."""
    if isinstance(value, (bool, str, bytes, bytearray)) or not (
        hasattr(value, "__float__") or hasattr(value, "__index__")
    ):
        raise TypeError(f"{name} is a number, not {value!r}")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name} is a finite number, not {number}")
    return number
