"""Threads that share the work of one object."""

from ._native import Team

__all__ = ["Team"]
