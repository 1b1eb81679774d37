"""Positions as input planes of networks."""

from .board import PLANES, to_planes

__all__ = ["PLANES", "to_planes"]
