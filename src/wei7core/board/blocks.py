"""`Block`: stones of one color that are joined along lines."""

from ._values import Block

__all__ = ["Block"]

from ._values import _rebuild_block as _rebuild  # noqa: F401 - pickles of 0.1.0 name it here
