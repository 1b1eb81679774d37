from typing import Final

__all__ = ["COMPILER", "ISA", "ISAS", "KERNEL"]

VARIABLE: Final[str]
ISAS: Final[tuple[str, ...]]
KERNEL: Final[str]
ISA: Final[int]
COMPILER: Final[str]
