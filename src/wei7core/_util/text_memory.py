"""Memory for the text of records that several threads read."""

from ._native import LentMemory, SharedBytes

__all__ = ["LentMemory", "SharedBytes"]
