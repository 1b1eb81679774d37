from typing import final

__all__ = ["TableMemory"]

@final
class TableMemory:
    def __new__(cls, size: int) -> TableMemory: ...
    @property
    def is_zero(self) -> bool: ...
