from collections.abc import Iterable, Iterator, Set
from typing import Any, SupportsIndex, TypeAlias, final

import numpy as np
import numpy.typing as npt

__all__ = ["PointSet"]

_Point: TypeAlias = tuple[int, int]

@final
class PointSet(Set[_Point]):
    """A set of points of one size of board, stored as bits.

    `PointSet(points, 19)` is a set on a square, `PointSet(points, width, height)` on any rectangle from 1 x 1;
    `points` is an iterable of `(x, y)`, counted from 0 at the top left. It is iterated in reading order: row by
    row from the top, each from the left.

    It works as a frozenset of pairs does: immutable, with the same operators, methods and comparisons, equal to
    any set of the same points and with the same hash, so that it can be a key. Operators take sets, methods any
    iterables; what they return is a `PointSet` of this size. Points off the board are never in it: adding some
    (`|`, `^`) raises, other operations ignore them. In addition to a frozenset it has a board: `~points` are all
    others, `dilate`, `neighbours` and `components` follow the lines, and it prints as a diagram.

    Raises `OffBoardError` (an `IndexError` and a `ValueError`) for a point off the board, `BoardSizeError` for a
    size that `Board` refuses. Safe to share by threads. The class cannot be subclassed.
    """
    def __init__(
        self,
        points: Iterable[tuple[SupportsIndex, SupportsIndex] | str],
        width: SupportsIndex,
        height: SupportsIndex | None = None,
        *,
        max_points: SupportsIndex | None = None,
    ) -> None: ...
    @property
    def width(self) -> int:
        """Number of columns of the board."""
    @property
    def height(self) -> int:
        """Number of rows of the board."""
    @property
    def size(self) -> tuple[int, int]:
        """`(width, height)` of the board."""
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __contains__(self, point: object, /) -> bool: ...
    def __iter__(self) -> Iterator[_Point]: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __le__(self, other: Set[Any], /) -> bool: ...
    def __lt__(self, other: Set[Any], /) -> bool: ...
    def __ge__(self, other: Set[Any], /) -> bool: ...
    def __gt__(self, other: Set[Any], /) -> bool: ...
    def issubset(self, other: Iterable[object]) -> bool:
        """Return whether all points are in another set or iterable."""
    def issuperset(self, other: Iterable[object]) -> bool:
        """Return whether all points of another set or iterable are here."""
    def isdisjoint(self, other: Iterable[object]) -> bool:
        """Return whether no point of another set or iterable is here."""
    def __or__(self, other: Set[_Point], /) -> PointSet: ...  # type: ignore[override]  # a set of points only
    def __ror__(self, other: Set[_Point], /) -> PointSet: ...
    def __and__(self, other: Set[Any], /) -> PointSet: ...
    def __rand__(self, other: Set[Any], /) -> PointSet: ...
    def __xor__(self, other: Set[_Point], /) -> PointSet: ...  # type: ignore[override]  # a set of points only
    def __rxor__(self, other: Set[_Point], /) -> PointSet: ...
    def __sub__(self, other: Set[Any], /) -> PointSet: ...
    def __rsub__(self, other: Set[_Point], /) -> PointSet: ...
    def __invert__(self) -> PointSet: ...
    def union(self, *others: Iterable[tuple[SupportsIndex, SupportsIndex]]) -> PointSet:
        """Return these points and those of the others, which are iterables."""
    def intersection(self, *others: Iterable[object]) -> PointSet:
        """Return the points that all others, which are iterables, have too."""
    def difference(self, *others: Iterable[object]) -> PointSet:
        """Return the points that none of the others, which are iterables, has."""
    def symmetric_difference(self, other: Iterable[tuple[SupportsIndex, SupportsIndex]]) -> PointSet:
        """Return the points that are here or in the other iterable, but not in both."""
    def dilate(self) -> PointSet:
        """Return these points and all adjacent ones."""
    def neighbours(self) -> PointSet:
        """Return the points adjacent to these that are not here themselves."""
    def components(self) -> list[PointSet]:
        """Return the connected parts as a list of sets, in reading order of their first points.

        Each of them takes the memory of a whole board, a bit a point.
        """
    def to_array(self) -> npt.NDArray[np.bool_]:
        """Return a new bool array of shape `(height, width)`: `array[y, x]` says whether (x, y) is here."""
    @staticmethod
    def from_array(array: npt.NDArray[np.bool_], *, max_points: SupportsIndex | None = None) -> PointSet:
        """Return the set of the points where a bool array of shape `(height, width)` is true.

        Raises `ValueError` for another number of dimensions, `TypeError` for other elements and `BoardSizeError` as
        `PointSet()` does.
        """
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> PointSet: ...
    def __deepcopy__(self, memo: object) -> PointSet: ...
