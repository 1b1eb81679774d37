"""JSON objects of a known shape, read into calls without dicts and lists between."""

from ._native import JsonShape

__all__ = ["JsonShape"]
