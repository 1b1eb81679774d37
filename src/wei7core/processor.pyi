from typing import Final

__all__ = ["FORM", "FORMS", "build_info"]

VARIABLE: Final[str]
FORMS: Final[tuple[str, ...]]
KERNEL: Final[str]
FORM: Final[int]

def build_info() -> dict[str, str]: ...
