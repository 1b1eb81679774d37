"""`Ladder`: the result of reading a ladder."""

from ._values import Ladder

__all__ = ["Ladder"]
