"""`Children`: every move of one color, and what each does."""

from ._values import Children

__all__ = ["Children"]
