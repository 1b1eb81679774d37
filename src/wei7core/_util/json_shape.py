"""JSON objects of a known shape, read into calls without dicts and lists between."""

from ._native import JsonShape, Later, Words

__all__ = ["JsonShape", "Later", "Words"]
