"""`PassAlive`: what lives whatever the opponent plays, though its owner never answers."""

from ._values import PassAlive

__all__ = ["PassAlive"]
