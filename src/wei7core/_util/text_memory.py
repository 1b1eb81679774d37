"""Memory for the text of records that several threads read."""

from ._native import BufferOwner, PooledBuffer

__all__ = ["BufferOwner", "PooledBuffer"]
