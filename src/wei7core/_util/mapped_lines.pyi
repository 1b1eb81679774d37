"""Lines that are added to memory, such as that of a mapped file."""

from typing import Any, final

__all__ = ["MappedLines"]

@final
class MappedLines:
    size: int
    def __init__(self, size: int) -> None: ...
    def use(self, memory: Any) -> None: ...
    def add(self, line: bytes) -> bool: ...
