"""Moves as engines are sent them."""

from ._values import moves_to_json

__all__ = ["moves_to_json"]
