"""`Position`: a small immutable value, what a transposition table is made of."""

from ._values import Position

__all__ = ["Position"]
