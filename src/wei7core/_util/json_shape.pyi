"""JSON objects of a known shape, read into calls without dicts and lists between."""

from collections.abc import Callable, Mapping
from typing import Any, final

__all__ = ["JsonShape"]

@final
class JsonShape:
    def __init__(
        self, make: Callable[..., Any] | None, members: list[tuple[str, Any, Any]], others: bool = True
    ) -> None: ...
    def read(self, line: bytes, table: Mapping[str, Any] | None = None) -> Any: ...
