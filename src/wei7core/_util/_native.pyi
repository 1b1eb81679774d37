"""Memory of other objects, memory of texts, tables and lines, items of lists, and JSON of a known shape.

The instruction set in use has a module of its own, `cpu`.
"""

from collections.abc import Callable
from typing import Any, Protocol, final

__all__ = [
    "BufferOwner",
    "JsonShape",
    "Later",
    "MappedLines",
    "PooledBuffer",
    "TableMemory",
    "Team",
    "Words",
    "cells_of",
    "joined_items",
    "numbers_with",
    "untrack",
]

class _Pool(Protocol):
    def append(self, memory: bytearray, /) -> Any: ...

@final
class BufferOwner:
    def __new__(cls, view: memoryview) -> BufferOwner: ...
    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class PooledBuffer:
    def __new__(cls, memory: bytearray, pool: _Pool | None) -> PooledBuffer: ...
    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class TableMemory:
    def __new__(cls, size: int) -> TableMemory: ...
    @property
    def is_zero(self) -> bool: ...

@final
class Team:
    def __new__(cls, jobs: int) -> Team: ...

@final
class MappedLines:
    size: int
    def __init__(self, size: int) -> None: ...
    def use(self, memory: Any) -> None: ...
    def add(self, line: bytes) -> bool: ...

@final
class JsonShape:
    def __new__(
        cls, make: Callable[..., Any] | None, members: list[tuple[str, Any, Any]], others: bool = True
    ) -> JsonShape: ...
    def read(self, line: bytes, words: Words | None = None) -> Any: ...

@final
class Later:
    def __new__(cls, kind: Any) -> Later: ...
    def read(self, text: bytes, words: Words | None = None) -> Any: ...

@final
class Words:
    def __new__(cls, values: dict[str, Any], other: Callable[[str], Any]) -> Words: ...

def joined_items(texts: list[str], numbers: list[int], separator: str, /) -> str | None: ...
def numbers_with(values: bytes, value: int, /) -> list[int]: ...
def cells_of(cells: list[object], width: int, height: int, letters: bytes, /) -> tuple[list[int], bytes] | None: ...
def untrack(value: object) -> None: ...
