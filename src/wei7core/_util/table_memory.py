"""Memory of large tables, used again for the next one when nobody holds the table any more."""

from ._native import TableMemory

__all__ = ["TableMemory"]
