"""A guess at the encoding of a text."""

from __future__ import annotations

from typing import Final

__all__ = ["guess"]

_ORDER: Final = ("gb18030", "big5hkscs", "cp932", "cp949", "cp1252")


def guess(text: bytes) -> str | None:
    """Return the codec that fits `text` best, or None where none does. Thread safe."""
    for encoding in _ORDER:
        try:
            text.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return None
