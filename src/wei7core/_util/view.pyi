from typing import Any, final

__all__ = ["View"]

@final
class View:
    def __new__(cls, owner: Any, size: int = 1, writable: bool = False) -> View: ...
