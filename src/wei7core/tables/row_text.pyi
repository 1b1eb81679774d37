from collections.abc import Sequence

from .columns import ColumnData

__all__ = ["TEXT_FORMATS", "text_of_rows"]

TEXT_FORMATS: tuple[str, ...]

def text_of_rows(
    names: Sequence[str], columns: Sequence[ColumnData], kind: str, begin: int = 0, end: int | None = None
) -> bytes: ...
