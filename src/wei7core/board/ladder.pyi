from typing import NamedTuple

__all__ = ["Ladder"]

class Ladder(NamedTuple):
    captured: bool | None
    line: tuple[tuple[int, tuple[int, int]], ...]
    nodes: int
