from typing import Final

__all__ = ["COMPILER", "FORM", "FORMS", "KERNEL"]

VARIABLE: Final[str]
FORMS: Final[tuple[str, ...]]
KERNEL: Final[str]
FORM: Final[int]
COMPILER: Final[str]
