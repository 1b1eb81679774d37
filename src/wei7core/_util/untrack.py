"""Objects that the garbage collector does not walk."""

from ._native import untrack

__all__ = ["untrack"]
