"""Positions as planes of numbers, for networks that learn from them."""

from .board import PLANES, to_planes

__all__ = ["PLANES", "to_planes"]
