"""`PassAlive`: unconditionally alive stones and territory."""

from ._values import PassAlive

__all__ = ["PassAlive"]
