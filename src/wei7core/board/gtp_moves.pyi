"""Moves as engines are sent them."""

from collections.abc import Sequence
from typing import Any

__all__ = ["moves_to_json"]

def moves_to_json(moves: Sequence[Any], width: int, height: int) -> str | None: ...
