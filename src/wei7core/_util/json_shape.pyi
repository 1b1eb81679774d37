"""JSON objects of a known shape, read into calls without dicts and lists between."""

from collections.abc import Callable
from typing import Any, final

__all__ = ["JsonShape", "Later", "Words"]

@final
class JsonShape:
    def __init__(
        self, make: Callable[..., Any] | None, members: list[tuple[str, Any, Any]], others: bool = True
    ) -> None: ...
    def read(self, line: bytes, words: Words | None = None) -> Any: ...

@final
class Later:
    def __init__(self, kind: Any) -> None: ...
    def read(self, text: bytes, words: Words | None = None) -> Any: ...

@final
class Words:
    def __init__(self, values: dict[str, Any], other: Callable[[str], Any]) -> None: ...
