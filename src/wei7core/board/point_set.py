"""`PointSet`: a set of points of one size of board, on bits."""

from ._values import PointSet

__all__ = ["PointSet"]

from ._values import _rebuild_point_set as _rebuild  # noqa: F401 - pickles of 0.1.0 name it here
