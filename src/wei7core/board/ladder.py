"""`Ladder`: what reading one has found."""

from ._values import Ladder

__all__ = ["Ladder"]
