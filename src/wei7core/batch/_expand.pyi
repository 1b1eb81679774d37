from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np
import numpy.typing as npt

from .._util.team import Team
from ..board.board import Board
from ..rules import Rules

__all__ = ["ChildBatch", "InputSlots", "SampleBuffer", "sample_row_type", "sample_rows"]

__all__ += ["MOST_BOARD_MOVES", "Boards", "boards_fit"]

MOST_BOARD_MOVES: int

def boards_fit(width: int, height: int) -> bool:
    """Whether a batch can have boards of this size."""

@final
class Boards:
    """`count` boards of one size, which play and score by `rules`.

    The arrays that methods write to are contiguous and have an element or a row for each board. With a `team` a method
    works on all boards, on its threads; others work on boards `begin` up to `end`.

    Raises `MemoryError`, and `ValueError` for sizes that do not fit. Thread safety: threads may call the methods for
    different boards at once.
    """
    def __new__(
        cls,
        count: int,
        width: int,
        height: int,
        rules: Rules | str,
        *,
        komi: float,
        passes: int,
        last_pass: int,
        is_territory: bool,
        tie: int,
        move_limit: int,
        isa: int = ...,
    ) -> Boards: ...
    @property
    def count(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    def step(
        self,
        actions: npt.NDArray[np.int32],
        legal: npt.NDArray[Any] | None,
        planes: npt.NDArray[np.uint8] | None,
        done: npt.NDArray[Any],
        rewards: npt.NDArray[np.float32],
        margins: npt.NDArray[np.float64],
        errors: npt.NDArray[np.uint8],
        lengths: npt.NDArray[np.int32],
        resets: bool,
        team: Team,
    ) -> None:
        """Play a move on each board: int32 actions; uint8 legal, planes, done, errors; float32 rewards, float64
        margins, int32 lengths. `legal` and `planes` may be None.
        """
    def clear(self, chosen: npt.NDArray[np.uint8], begin: int, end: int) -> None:
        """Make boards empty, those where `chosen`, uint8, is not 0."""
    def undo(self, chosen: npt.NDArray[np.uint8], undone: npt.NDArray[Any], begin: int, end: int) -> None:
        """Take the last move back of boards where `chosen`, uint8, is not 0; `undone`, uint8: where there was one."""
    def write(self, legal: npt.NDArray[Any] | None, planes: npt.NDArray[np.uint8] | None, team: Team) -> None:
        """Write where a move is legal, the pass last, and the planes of AlphaGo Zero: uint8; either may be None."""
    def features(
        self,
        planes: npt.NDArray[np.uint8],
        type: int,
        out: npt.NDArray[np.uint8],
        globals: npt.NDArray[np.float32] | None,
        taxes_seki: bool,
        team: Team,
    ) -> None:
        """Write planes by their numbers, uint8, as `type` says (batch/inputs/inputs.h), and float32 globals or None."""
    def stones(self, out: npt.NDArray[np.uint8], begin: int, end: int) -> None:
        """Write the color of every point: uint8."""
    def count_points(
        self,
        margins: npt.NDArray[np.float64],
        owners: npt.NDArray[np.uint8] | None,
        is_territory: bool,
        begin: int,
        end: int,
    ) -> None:
        """Write the margin of Black, float64, and unless `owners` is None the owner of each point, uint8."""
    def playouts(
        self,
        margins: npt.NDArray[np.float32],
        owned: npt.NDArray[np.int32],
        times: int,
        seed: int,
        most_moves: int,
        begin: int,
        end: int,
    ) -> None:
        """Play each board to its end `times` times, at random: float32 margins of each, and int32 `owned`, the number
        of playouts in which Black owned a point less those in which White did.
        """
    def state(
        self,
        hashes: npt.NDArray[np.uint64] | None,
        to_play: npt.NDArray[np.uint8] | None,
        done: npt.NDArray[Any] | None,
        captured: npt.NDArray[np.int32] | None,
        move_counts: npt.NDArray[np.int32] | None,
        passes: npt.NDArray[np.uint8] | None = None,
    ) -> None:
        """Write what all boards know: uint64, uint8, uint8, int32 for each color, int32, uint8. Any may be None."""
    def begin_at(self, stones: npt.NDArray[np.uint8], color: int) -> None:
        """Make every board a game that begins with these stones, uint8 of each point of one board, and this color.

        Chains without liberties, and other values, are a `ValueError`. For playouts only: White begins no other game.
        """
    def moves(self, index: int) -> list[int]:
        """The moves in force of a board, as numbers of points."""
    def gather(self, origin: Boards, indices: npt.NDArray[np.int64]) -> None:
        """Copy boards of others that play by the same rules to these: that of int64 index k to board k."""

@final
class ChildBatch:
    """Positions to expand, copied.

    `sizes` lists (width, height), and position k has size `which[k]`, moves of `colors[k]`, and `kos[k]`, the number
    (row by row) of the point that simple ko forbids, or -1. `read` or `keep` sets the stones of each position,
    `lay_out` allocates its rows, `write` fills them. `isa` chooses the instruction set: all give the same rows.

    Raises `BoardSizeError` for invalid sizes, and `MemoryError`. Thread safety: threads may call `read`, and
    then `write`, for different positions at once.
    """
    def __new__(
        cls,
        sizes: Sequence[tuple[int, int]],
        which: npt.NDArray[np.int32],
        colors: npt.NDArray[np.uint8],
        kos: npt.NDArray[np.int64],
        rules: Rules | str,
        isa: int = ...,
    ) -> ChildBatch: ...
    @property
    def is_wide(self) -> bool:
        """Whether a board has more than 32,767 points, so that numbers of points have 4 bytes, not 2."""
    def make_room(self) -> None:
        """Make room for the stones of positions that are no boards, before they are read."""
    def read(
        self,
        data: npt.NDArray[np.uint8] | bytes,
        offsets: npt.NDArray[np.int64],
        packed: bool,
        begin: int,
        end: int,
    ) -> int:
        """Read the stones of positions `begin` up to `end`; return the number of one that is wrong, or -1.

        Position k is bytes `offsets[k]` up to `offsets[k + 1]` of `data`: two bits a point if they are packed, else a
        byte a point.
        """
    def keep(self, boards: Sequence[Board]) -> None:
        """Take the positions of boards, with their moves; each is locked while it is copied."""
    def lay_out(self) -> int:
        """Allocate the rows of all positions, once all are read, and return their number.

        Raises `ValueError` if a ko point is not an empty point of its position.
        """
    def write(
        self,
        parent: npt.NDArray[np.int32],
        x: npt.NDArray[Any],
        y: npt.NDArray[Any],
        legal: npt.NDArray[np.bool_],
        reason: npt.NDArray[np.uint8],
        captured: npt.NDArray[Any],
        lost: npt.NDArray[Any],
        hash: npt.NDArray[np.uint64],
        self_atari: npt.NDArray[np.bool_],
        begin: int,
        end: int,
        is_zero: bool,
    ) -> None:
        """Write the rows of positions `begin` up to `end` to arrays with an element for each row of all.

        They are of the types of `wei7core.batch.expansion.CHILD_COLUMNS`. `is_zero`: the arrays that are mostly 0
        (`reason`, `captured`, `lost`, `self_atari`) are filled with 0 already.
        """

def sample_row_type() -> np.dtype[np.void]:
    """Return the dtype of the rows of `sample_rows`. Thread safe."""

@final
class InputSlots:
    """What boards of a size have in common, for inputs of networks: the numbers of their planes, and whether suicide is
    legal; `ValueError` for sizes and planes that do not fit.
    """
    def __new__(cls, width: int, height: int, planes: npt.NDArray[np.uint8], suicide: bool) -> InputSlots: ...

def sample_rows(
    positions: Mapping[str, npt.NDArray[Any]],
    texts: Mapping[str, npt.NDArray[Any]],
    width: int,
    height: int,
    ownership: bool,
) -> tuple[npt.NDArray[np.void], npt.NDArray[np.uint8] | None]:
    """Return (rows, areas) of the pause points `positions` of some texts, those of an `EngineResult`.

    `rows` is an array of `sample_row_type` with a row for each move in force at the end of the main line, of the texts
    that are used and have boards of that size. `texts` is a dict of arrays with an element for each text: `is_used`
    (uint8), `games` and `moves` (int64), `winners` (uint8, 3 for a draw), `margins` and `komis` (float32). `areas` are
    the packed owners of all points at the end of each game, None without `ownership`.

    Raises `ValueError` for columns that do not fit each other, `MemoryError` when memory is short. Thread safety: any
    number of threads may call it; the GIL is not held while rows are made.
    """

@final
class SampleBuffer:
    """A buffer of at most `capacity` rows of `sample_rows`, each with a copy of its positions.

    Rows are in the order in which they were added. Raises `ValueError` for invalid sizes, `MemoryError` when memory is
    short.

    Thread safety: one thread at a time; those of a `team` share its work.
    """
    def __new__(
        cls,
        width: int,
        height: int,
        capacity: int,
        ownership: bool,
        inputs: InputSlots | None = None,
        *,
        isa: int = ...,
    ) -> SampleBuffer: ...
    def __len__(self) -> int: ...
    @property
    def ownership(self) -> bool: ...
    @property
    def room(self) -> int:
        """The number of rows that can be added."""
    def put(
        self,
        rows: npt.NDArray[np.void],
        boards: npt.NDArray[np.uint8],
        areas: npt.NDArray[np.uint8] | None,
        picks: npt.NDArray[np.int64],
        group: int,
        team: Team,
        places: npt.NDArray[np.int64] | None = None,
    ) -> None:
        """Add rows: `picks` (int64) are `number of the row << 3 | symmetry`, `boards` the packed boards they name.

        They are appended, or with `places` (int64) stored there. `group` and the picks are what `origins` returns.
        Raises `ValueError` for a row out of range and if the buffer is full; the buffer is then unchanged, or, with
        `places`, unusable.
        """
    def filled(self, count: int) -> None:
        """Set the number of rows that were stored with `places`."""
    def origins(self) -> npt.NDArray[np.int64]:
        """Return the group and the pick of each row, as an int64 array of two columns, in the order of the buffer."""
    def draw(self, count: int, shuffled: bool, symmetries: int, state: int) -> int:
        """Take `count` rows out, at random or the first ones, for `write`; return the next state of the generator.

        Not shuffled, they are the last `count` of the buffer in their order: it must hold no others. With more than
        one of `symmetries` each row gets one of them at random.
        """
    def write(
        self,
        planes: npt.NDArray[np.uint8],
        policy: npt.NDArray[np.int32],
        value: npt.NDArray[np.float32],
        margin: npt.NDArray[np.float32],
        game: npt.NDArray[np.int64],
        number: npt.NDArray[np.int32],
        symmetry: npt.NDArray[np.uint8],
        legal: npt.NDArray[np.bool_] | None,
        ownership: npt.NDArray[np.int8] | None,
        team: Team,
        features: tuple[npt.NDArray[np.uint8], int, int, bool, bool, bool, float] | None = None,
        globals: npt.NDArray[np.float32] | None = None,
    ) -> None:
        """Write the rows drawn last to arrays with an element for each; before the next `put`.

        `planes` is uint8 of 17 planes a row, `policy` and `number` int32, `value` and `margin` float32, `game` int64,
        `symmetry` uint8; `legal`, a byte a point and one for the pass, and `ownership`, int8 a point, may be None.
        `features` is None, or (numbers of planes, type, ko, suicide, is_territory, taxes_seki, komi) as for
        `Boards.features`; then `globals`, float32, may be given.
        """
