from typing import Any, SupportsIndex, TypeAlias, final

import numpy as np
import numpy.typing as npt

__all__ = ["Position"]

_Point: TypeAlias = tuple[SupportsIndex, SupportsIndex] | str

@final
class Position:
    """The stones of a board as a value: immutable, hashable, picklable, 91 bytes of stones for 19 x 19.

    Two positions are equal if their size and stones are equal, and so are the color `to_play` and the `ko` point that
    is forbidden to it. Both are optional (None). Moves and captures are not part of a position, so that transpositions
    are equal in a table.

    `Board.position` makes one of a board, `Board.from_position` a board of it. `Position(width, height, packed)` is for
    packed stones, two bits a point, as in the column `board` of replayed positions and `wei7core.unpack_boards`.

    Raises `BoardSizeError` if a side is below 1, `ValueError` if `packed` is no board of that size or `ko` is no empty
    point of it, or is given without `to_play`. Positions may be shared by threads.
    """
    def __init__(
        self,
        width: SupportsIndex,
        height: SupportsIndex,
        packed: bytes | bytearray | memoryview | npt.NDArray[np.uint8],
        to_play: SupportsIndex | None = None,
        ko: _Point | None = None,
    ) -> None: ...
    @property
    def packed(self) -> bytes: ...
    @property
    def width(self) -> int:
        """Number of columns."""
    @property
    def height(self) -> int:
        """Number of rows."""
    @property
    def size(self) -> tuple[int, int]:
        """`(width, height)`."""
    @property
    def hash(self) -> int:
        """The `Board.hash` of these stones, without `to_play` and `ko`; the same in every release."""
    @property
    def to_play(self) -> int | None:
        """The color to play, or None."""
    @property
    def ko(self) -> tuple[int, int] | None:
        """The point that `to_play` may not play on at once, as a ko, or None."""
    def to_array(self) -> npt.NDArray[np.uint8]:
        """Return the stones as a new `uint8` array of shape `(height, width)`: `array[y, x]` is 0, 1 or 2."""
    def __getitem__(self, point: _Point, /) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, memo: object) -> Position: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __sizeof__(self) -> int: ...
