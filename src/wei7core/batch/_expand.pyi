from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np
import numpy.typing as npt

from .._util._native import Team
from ..board.board import Board
from ..rules import Rules

__all__ = ["ChildBatch", "InputSlots", "SampleBuffer", "sample_row_type", "sample_rows"]

__all__ += ["MOST_BOARD_MOVES", "STEP_BYTES", "Boards", "boards_fit"]

MOST_BOARD_MOVES: int
STEP_BYTES: int

def boards_fit(width: int, height: int) -> bool: ...

@final
class Boards:
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
        found: npt.NDArray[np.uint8],
        resets: bool,
        team: Team,
    ) -> None: ...
    def clear(self, chosen: npt.NDArray[np.uint8], begin: int, end: int) -> None: ...
    def undo(self, chosen: npt.NDArray[np.uint8], undone: npt.NDArray[Any], begin: int, end: int) -> None: ...
    def write(self, legal: npt.NDArray[Any] | None, planes: npt.NDArray[np.uint8] | None, team: Team) -> None: ...
    def features(
        self,
        planes: npt.NDArray[np.uint8],
        type: int,
        out: npt.NDArray[np.uint8],
        globals: npt.NDArray[np.float32] | None,
        taxes_seki: bool,
        team: Team,
    ) -> None: ...
    def stones(self, out: npt.NDArray[np.uint8], begin: int, end: int) -> None: ...
    def count_points(
        self,
        margins: npt.NDArray[np.float64],
        owners: npt.NDArray[np.uint8] | None,
        is_territory: bool,
        begin: int,
        end: int,
    ) -> None: ...
    def playouts(
        self,
        margins: npt.NDArray[np.float32],
        owned: npt.NDArray[np.int32],
        times: int,
        seed: int,
        most_moves: int,
        begin: int,
        end: int,
    ) -> None: ...
    def state(
        self,
        hashes: npt.NDArray[np.uint64] | None,
        to_play: npt.NDArray[np.uint8] | None,
        done: npt.NDArray[Any] | None,
        captured: npt.NDArray[np.int32] | None,
        move_counts: npt.NDArray[np.int32] | None,
        passes: npt.NDArray[np.uint8] | None = None,
    ) -> None: ...
    def begin_at(self, stones: npt.NDArray[np.uint8], color: int) -> None: ...
    def moves(self, index: int) -> list[int]: ...
    def gather(self, origin: Boards, indices: npt.NDArray[np.int64]) -> None: ...

@final
class ChildBatch:
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
    def is_wide(self) -> bool: ...
    def make_room(self) -> None: ...
    def read(
        self,
        data: npt.NDArray[np.uint8] | bytes,
        offsets: npt.NDArray[np.int64],
        packed: bool,
        begin: int,
        end: int,
    ) -> int: ...
    def keep(self, boards: Sequence[Board]) -> None: ...
    def lay_out(self) -> int: ...
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
    ) -> None: ...

def sample_row_type() -> np.dtype[np.void]: ...

@final
class InputSlots:
    def __new__(cls, width: int, height: int, planes: npt.NDArray[np.uint8], suicide: bool) -> InputSlots: ...

def sample_rows(
    positions: Mapping[str, npt.NDArray[Any]],
    texts: Mapping[str, npt.NDArray[Any]],
    width: int,
    height: int,
    ownership: bool,
    kos: bool,
) -> tuple[npt.NDArray[np.void], npt.NDArray[np.uint8] | None, npt.NDArray[np.int64]]: ...

@final
class SampleBuffer:
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
    def room(self) -> int: ...
    def put(
        self,
        rows: npt.NDArray[np.void],
        boards: npt.NDArray[np.uint8],
        areas: npt.NDArray[np.uint8] | None,
        picks: npt.NDArray[np.int64],
        group: int,
        team: Team,
        places: npt.NDArray[np.int64] | None = None,
    ) -> None: ...
    def filled(self, count: int) -> None: ...
    def origins(self) -> npt.NDArray[np.int64]: ...
    def draw(self, count: int, shuffled: bool, symmetries: int, state: int) -> int: ...
    def write(
        self,
        planes: npt.NDArray[Any],
        policy: npt.NDArray[np.int32],
        value: npt.NDArray[np.float32],
        margin: npt.NDArray[np.float32],
        game: npt.NDArray[np.int64],
        number: npt.NDArray[np.int32],
        symmetry: npt.NDArray[np.uint8],
        legal: npt.NDArray[np.bool_] | None,
        ownership: npt.NDArray[np.int8] | None,
        team: Team,
        features: tuple[npt.NDArray[np.uint8] | None, int, int, bool, bool, bool, float],
        globals: npt.NDArray[np.float32] | None,
    ) -> None: ...
