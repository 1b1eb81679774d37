"""Memory that texts of records lie in while several threads read them."""

from ._native import LentMemory, SharedBytes

__all__ = ["LentMemory", "SharedBytes"]
