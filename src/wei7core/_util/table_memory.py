"""Memory of large tables, reused for the next table when the last reference to it is gone."""

from ._native import TableMemory

__all__ = ["TableMemory"]
