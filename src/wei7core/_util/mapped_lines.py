"""Lines that are added to memory, such as that of a mapped file."""

from ._native import MappedLines

__all__ = ["MappedLines"]
