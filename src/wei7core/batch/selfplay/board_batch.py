"""Thousands of boards played on at once, for self-play and search.

batch = w7.BoardBatch(1024, 19, rules="tromp-taylor", komi=7.5)
while True:
    actions = choose(batch.planes(), batch.legal)       # int32[n]
    batch.step(actions)
    learn(batch.rewards, batch.done)
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, SupportsIndex, TypeVar, overload

import numpy as np
import numpy.typing as npt

from ..._util._native import Team
from ..._util.numbers import flag
from ..._util.ordered_map import parallel_ranges
from ...board.board import BLACK, Board
from ...errors import BoardSizeError
from ...rules import Rules, Scoring, komi_of, named
from .._expand import MOST_BOARD_MOVES, STEP_BYTES, Boards, boards_fit
from ..inputs.features import GLOBALS, Features, layout_of

_Number = TypeVar("_Number", bound=np.generic)

_PLANES = 17
_MOST_THREADS = 1024
_MOST_PASSES = 200
_BOOL, _UINT8, _INT32 = np.dtype(np.bool_), np.dtype(np.uint8), np.dtype(np.int32)


class BoardBatch:
    """`n` boards of one size in one block of memory, each a game from an empty board, Black first, colors in turn.

    `size`: of a square board, or (width, height); `(width + 1) * (height + 2)` is at most 1,023, so that 30 x 30 is the
    largest square. `rules`: a `wei7core.rules.Rules` or the name of one; they decide what is legal (`Rules.ko`, exact
    superko by comparing positions, and `Rules.suicide`), how many passes in a row end a game and which color passes
    last, whether area or territory counts (area where the rules know no result), and who wins a tie. `komi`: in points
    (目); None takes that of the rules, 0 where they leave it open. `jobs`: threads that a call uses; what it writes
    does not depend on it. `auto_reset`: a game that ends is replaced by an empty board in the same step. `max_moves`:
    moves, passes included, after which a game ends; None is twice the number of points, at most 32,767.

    A move is the number of a point, `y * width + x`, or `width * height` for a pass. A board of 19 x 19 takes 23 kB.

    Attributes that are arrays have an element or a row for each board. Each access makes an array, so take one once a
    step, not once a board; no call changes one that was returned. After a step:

    - `done`: bool, whether the step ended the game, or, without `auto_reset`, whether it is over
    - `rewards`: float32, of games that this step ended: 1 where Black won, -1 where White did, 0 for a draw; 0 for
      all others
    - `margins`: float64, of the same games: the margin of Black in points, komi included; negative if White won
    - `lengths`: int32, of the same games: moves, passes included
    - `errors`: uint8, 0 if the move was played, else the reason, a value of `wei7core.rules.Verdict`, or 8 if the game
      was over; the board is unchanged then

    `copy.copy` and `copy.deepcopy` are `copy`; a pickle has the moves of the games. Raises `BoardSizeError` (a
    `ValueError`) for other sizes, `ValueError` for other arguments, `TypeError` for other types, `MemoryError`. Thread
    safety: one thread at a time; calls let other threads run.
    """

    def __init__(
        self,
        n: SupportsIndex,
        size: SupportsIndex | tuple[SupportsIndex, SupportsIndex],
        *,
        rules: Rules | str = "tromp-taylor",
        komi: float | None = None,
        jobs: SupportsIndex = 1,
        auto_reset: bool = True,
        max_moves: SupportsIndex | None = None,
    ) -> None:
        width, height = sides_of(size)
        if not (0 < width < 2**31 and 0 < height < 2**31 and boards_fit(width, height)):
            raise BoardSizeError(
                f"a batch has boards of (width + 1) * (height + 2) from 6 to 1,023, not of {width} x {height}"
            )
        count, threads = operator.index(n), operator.index(jobs)
        if not 1 <= count < 2**31:
            raise ValueError(f"a batch has 1 board or more, up to 2^31 - 1, not {count}")
        if threads < 1:
            raise ValueError(f"the number of threads is 1 or more, not {threads}")
        limit = min(2 * width * height, MOST_BOARD_MOVES) if max_moves is None else operator.index(max_moves)
        if not 1 <= limit <= MOST_BOARD_MOVES:
            raise ValueError(f"the limit of moves is from 1 to {MOST_BOARD_MOVES:,}, not {limit}")
        self._rules = named(rules)
        if self._rules.passes > _MOST_PASSES:
            raise ValueError(f"a game ends after {_MOST_PASSES} passes at most, not {self._rules.passes}")
        self._komi = komi_of((self._rules.komi or 0) if komi is None else komi)
        self._size = width, height
        self._jobs = threads
        self._team = Team(min(threads, _MOST_THREADS))
        self._auto_reset = flag("auto_reset", auto_reset)
        self._max_moves = limit
        self._boards = self._make(count)
        self._is_legal_wanted = False
        self._forget()

    def _make(self, count: int) -> Boards:
        return Boards(
            count,
            *self._size,
            self._rules,
            komi=self._komi,
            passes=self._rules.passes,
            last_pass=self._rules.last_pass,
            is_territory=self._rules.scoring is Scoring.TERRITORY,
            tie=self._rules.tie,
            move_limit=self._max_moves,
        )

    def _forget(self) -> None:
        """Clear the results of the last step."""
        count = self._boards.count
        self._legal: npt.NDArray[np.bool_] | None = None
        self._legal_shape = count, self._points + 1
        self._planes_shape = count, _PLANES, self._size[1], self._size[0]
        self._found = np.zeros(count * STEP_BYTES, np.uint8)
        self._boards.state(None, None, self._of_step(16, np.uint8), None, None)

    def _of_step(self, place: int, dtype: type[_Number]) -> npt.NDArray[_Number]:
        """A result array of the last step, one element a board, at offset `place` bytes a board."""
        count = self._boards.count
        return self._found[place * count : (place + np.dtype(dtype).itemsize) * count].view(dtype)

    def _run(self, work: Callable[[int, int], None]) -> None:
        """Call `work` for all boards, on every thread."""
        count = self._boards.count
        if self._jobs == 1:
            work(0, count)
        else:
            parallel_ranges(work, count, -(-count // (4 * self._jobs)), self._jobs)

    # --- state -----------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """The number of boards."""
        return self._boards.count

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of each board."""
        return self._size

    @property
    def rules(self) -> Rules:
        """The rules of all boards."""
        return self._rules

    @property
    def komi(self) -> float:
        """The komi, in points for White."""
        return self._komi

    @property
    def jobs(self) -> int:
        """Threads that a call uses."""
        return self._jobs

    @property
    def auto_reset(self) -> bool:
        """Whether a game that ends is replaced by an empty board in the same step."""
        return self._auto_reset

    @property
    def max_moves(self) -> int:
        """Moves, passes included, after which a game ends."""
        return self._max_moves

    def __copy__(self) -> BoardBatch:
        return self.copy()

    def __deepcopy__(self, memo: object) -> BoardBatch:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        options = {"rules": self._rules, "komi": self._komi, "jobs": self._jobs}
        options |= {"auto_reset": self._auto_reset, "max_moves": self._max_moves}
        return _restored, (len(self), self._size, options, [self.moves(index) for index in range(len(self))])

    def __repr__(self) -> str:
        width, height = self._size
        return f"<wei7core.BoardBatch of {len(self):,} boards {width} x {height}, {self._rules.name}>"

    # --- playing -------------------------------------------------------------------------------------

    def step(self, actions: npt.ArrayLike, *, legal: Any = None, planes: Any = None) -> None:
        """Play a move on every board; `errors` then names those that could not be played.

        `actions`: n integers, numbers of points, or `width * height` for a pass. `legal`, an array as that of the
        attribute, and `planes`, as that of the method, are filled in the same pass where they are given, which is
        faster than a separate call: NumPy arrays, or other objects with the buffer protocol or `__array__`.

        Raises `TypeError` for actions that are no integers, and for an object without memory to write to; `ValueError`
        for other shapes and types and for memory that is read-only.
        """
        moves = self._actions(actions)
        mask = None if legal is None else _writable("legal", legal, _BOOL, self._legal_shape)
        rows = None if planes is None else _writable("planes", planes, _UINT8, self._planes_shape)
        if mask is None and self._is_legal_wanted:
            mask = np.empty(self._legal_shape, np.bool_)
        found = np.empty(self._boards.count * STEP_BYTES, np.uint8)
        self._boards.step(moves, mask, rows, found, self._auto_reset, self._team)
        # An array of the caller's may change before it is asked for.
        self._legal = mask if legal is None else None
        self._found = found

    def _actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.int32]:
        array = np.asarray(actions)
        if array.dtype is _INT32 and array.shape == (self._boards.count,) and array.flags.c_contiguous:
            return array
        if array.dtype.kind not in "iu":
            raise TypeError(f"actions are integers, not {array.dtype}")
        if array.shape != (self._boards.count,):
            raise ValueError(f"there are {self._boards.count} boards, and actions of shape {array.shape}")
        if array.dtype.itemsize > 4 or array.dtype == np.uint32:
            array = np.clip(array, -1 if array.dtype.kind == "i" else 0, self._points + 1)
        return np.ascontiguousarray(array, dtype=np.int32)

    def undo(self, mask: npt.ArrayLike | None = None) -> npt.NDArray[np.bool_]:
        """Take the last move of every board back, or of those where `mask`, n booleans, is true.

        Returns where a move was taken back. A game that was replaced by an empty board is not restored. The
        arrays of the last step become those of no step. Raises `ValueError` for another shape.
        """
        chosen = self._chosen(mask)
        undone = np.empty(self._boards.count, np.bool_)
        self._run(lambda begin, end: self._boards.undo(chosen, undone.view(np.uint8), begin, end))
        self._forget()
        return undone

    def reset(self, mask: npt.ArrayLike | None = None) -> None:
        """Make every board empty, or those where `mask`, n booleans, is true: each a new game.

        The arrays of the last step become those of no step. Raises `ValueError` for another shape.
        """
        chosen = self._chosen(mask)
        self._run(lambda begin, end: self._boards.clear(chosen, begin, end))
        self._forget()

    def _chosen(self, mask: npt.ArrayLike | None) -> npt.NDArray[np.uint8]:
        if mask is None:
            return np.ones(self._boards.count, np.uint8)
        array = np.asarray(mask)
        if array.dtype != np.bool_ or array.shape != (self._boards.count,):
            raise ValueError(f"a mask has {self._boards.count} booleans, not {array.dtype} of shape {array.shape}")
        return np.ascontiguousarray(array).view(np.uint8)

    # --- the last step -------------------------------------------------------------------------------

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Whether the last step ended the game; without `auto_reset`, whether the game is over."""
        return self._of_step(16, np.bool_).copy()

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """1 where the last step ended a game that Black won, -1 where White did; 0 elsewhere."""
        return self._of_step(8, np.float32).copy()

    @property
    def margins(self) -> npt.NDArray[np.float64]:
        """The margins of Black in points of games that the last step ended; 0 elsewhere."""
        return self._of_step(0, np.float64).copy()

    @property
    def lengths(self) -> npt.NDArray[np.int32]:
        """Moves of games that the last step ended; 0 elsewhere."""
        return self._of_step(12, np.int32).copy()

    @property
    def errors(self) -> npt.NDArray[np.uint8]:
        """0 where the last step played its move, else why it did not: a `wei7core.rules.Verdict`, or 8."""
        return self._of_step(17, np.uint8).copy()

    # --- the positions -------------------------------------------------------------------------------

    @property
    def _points(self) -> int:
        return self._size[0] * self._size[1]

    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """Where a move is legal: bool of shape (n, width * height + 1), the pass last; nowhere where a game is over."""
        self._is_legal_wanted = True
        mask, self._legal = self._legal, None  # the caller may change it
        if mask is None:
            mask = np.empty(self._legal_shape, np.bool_)
            self._boards.write(mask, None, self._team)
        return mask

    @overload
    def planes(self, features: Features = "alphago-zero", out: Any = None) -> npt.NDArray[np.uint8]: ...
    @overload
    def planes(
        self, features: Features = "alphago-zero", out: Any = None, *, dtype: npt.DTypeLike
    ) -> npt.NDArray[Any]: ...
    def planes(
        self, features: Features = "alphago-zero", out: Any = None, *, dtype: npt.DTypeLike = np.uint8
    ) -> npt.NDArray[Any]:
        """Return the input planes of networks, from the side to move: of shape (n, planes, height, width).

        `features`: "alphago-zero", the 17 planes of `w7.to_planes(features="alphago-zero")`: stones of the last 8
        positions of the game, own ones and the opponent's, and 1 everywhere in the last plane where Black is to play;
        "katago-v7", the 22 planes of KataGo, with which go the numbers of `global_inputs`; or a list of planes:

        - `own`, `own-1` .. `own-7`: own stones now, and before the last 1 to 7 moves; `opponent`, ..: the opponent's
        - `empty`, `board` (all points), `nothing`, `black-to-play`, `white-to-play` (all points, or none)
        - `legal`: where a stone may be put; `ko`: where ko forbids to capture the last stone
        - `liberties-1` .. `liberties-3`: stones of blocks with that many; `own-liberties-1` .. `own-liberties-4` and
          `opponent-liberties-1` ..: of one player, 4 for 4 and more
        - `move-1` .. `move-5`: the last moves, the latest first
        - `ladder`, `ladder-1`, `ladder-2`: stones that ladders take, now and before the last moves, as KataGo reads
          ladders; `ladder-moves`: the points where the player to move begins one
        - `own-area`, `opponent-area`: KataGo's area under area rules: pass-alive groups, regions without a stone of the
          other color, and all other stones
        - `own-alive`, `opponent-alive`: pass-alive stones, by rules with suicide where the rules allow it, and the
          regions of KataGo that only they enclose: those without a stone of the other color, and those with at most
          one inner point. `Board.pass_alive` has other regions as territory, and no suicide

        `dtype`: uint8, float16, float32, or "bits": uint8 of shape (n, planes, bytes), eight points a byte, the first
        one highest, as `numpy.packbits` has them. `out`, an array of that shape and type, is filled and returned as a
        NumPy array.

        Raises `ValueError` for other features, shapes and types and for memory that is read-only, and `TypeError` for
        an object without memory to write to.
        """
        layout = layout_of(features, dtype, *self._size)
        shape = (self._boards.count, *layout.shape)
        rows = np.empty(shape, layout.dtype) if out is None else _writable("out", out, layout.dtype, shape)
        is_of_zero = isinstance(features, str) and features == "alphago-zero"
        if is_of_zero and layout.dtype == np.uint8 and len(layout.shape) == 3:
            self._boards.write(None, rows, self._team)
        else:
            flat = rows.reshape(-1).view(np.uint8)
            self._boards.features(layout.numbers, layout.type, flat, None, self._taxes_seki, self._team)
        return rows

    @property
    def _taxes_seki(self) -> bool:
        return not self._rules.seki

    def global_inputs(self, features: Literal["katago-v7"] = "katago-v7", out: Any = None) -> npt.NDArray[np.float32]:
        """Return the numbers that go with the planes of "katago-v7", from the side to move: float32 of shape (n, 19).

        0 to 4: whether the last 5 moves were passes; 5: komi over 20, with what the rules add; 6 and 7: superko; 8:
        suicide; 9: territory counts; 10: not in seki; 14: a pass would end the game; 18: the parity of komi. The
        others, of asymmetric play, buttons and the encore, are 0. `out` as that of `planes`.
        """
        if features != "katago-v7":
            raise ValueError(f"global inputs are those of 'katago-v7', not of {features!r}")
        shape = (self._boards.count, GLOBALS)
        numbers = np.empty(shape, np.float32) if out is None else _writable("out", out, np.dtype(np.float32), shape)
        self._boards.features(np.empty(0, np.uint8), 0, np.empty(0, np.uint8), numbers, self._taxes_seki, self._team)
        return numbers

    def to_array(self, out: Any = None) -> npt.NDArray[np.uint8]:
        """Return the stones: uint8 of shape (n, height, width), 0 empty, 1 black, 2 white.

        `out`, an array of that shape, is filled and returned as a NumPy array. Raises as `planes` does.
        """
        shape = (self._boards.count, self._size[1], self._size[0])
        stones = np.empty(shape, np.uint8) if out is None else _writable("out", out, _UINT8, shape)
        self._run(lambda begin, end: self._boards.stones(stones, begin, end))
        return stones

    @property
    def to_play(self) -> npt.NDArray[np.uint8]:
        """The color to play: uint8."""
        colors = np.empty(self._boards.count, np.uint8)
        self._boards.state(None, colors, None, None, None)
        return colors

    @property
    def hash(self) -> npt.NDArray[np.uint64]:
        """`Board.hash` of each position: uint64."""
        hashes = np.empty(self._boards.count, np.uint64)
        self._boards.state(hashes, None, None, None, None)
        return hashes

    @property
    def captured(self) -> npt.NDArray[np.int32]:
        """Stones that were removed, black and white ones: int32 of shape (n, 2)."""
        captured = np.empty((self._boards.count, 2), np.int32)
        self._boards.state(None, None, None, captured, None)
        return captured

    @property
    def move_count(self) -> npt.NDArray[np.int32]:
        """Moves in force, passes included: int32."""
        counts = np.empty(self._boards.count, np.int32)
        self._boards.state(None, None, None, None, counts)
        return counts

    @property
    def passes(self) -> npt.NDArray[np.uint8]:
        """Passes in a row at the end of each game: uint8, at most 255."""
        passes = np.empty(self._boards.count, np.uint8)
        self._boards.state(None, None, None, None, None, passes)
        return passes

    def _is_territory(self, scoring: Scoring | str | None) -> bool:
        chosen = self._rules.scoring if scoring is None else Scoring(scoring)
        if chosen is Scoring.NONE and scoring is not None:
            raise ValueError("a score counts area or territory")
        return chosen is Scoring.TERRITORY

    def score(self, scoring: Scoring | str | None = None) -> npt.NDArray[np.float64]:
        """Return the margin of Black in points, komi included, as if all games were over: float64.

        Every stone counts as alive. `scoring`: "area" (stones, and empty points that reach one color only) or
        "territory" (such empty points, and captured stones); None is what the rules count, area where they count
        nothing. Raises `ValueError` for anything else.
        """
        is_territory = self._is_territory(scoring)
        margins = np.empty(self._boards.count, np.float64)
        self._run(lambda begin, end: self._boards.count_points(margins, None, is_territory, begin, end))
        return margins

    def ownership(self, out: Any = None) -> npt.NDArray[np.uint8]:
        """Return the owner of each point: uint8 of shape (n, height, width), 0 neutral, 1 Black, 2 White.

        A point is of the color of its stone, or of the only color that it reaches. `out` as that of `to_array`.
        """
        shape = (self._boards.count, self._size[1], self._size[0])
        owners = np.empty(shape, np.uint8) if out is None else _writable("out", out, _UINT8, shape)
        margins = np.empty(self._boards.count, np.float64)
        self._run(lambda begin, end: self._boards.count_points(margins, owners, False, begin, end))
        return owners

    # --- boards --------------------------------------------------------------------------------------

    def moves(self, index: SupportsIndex) -> list[int]:
        """Return the moves in force of board `index`, as numbers of points. Raises `IndexError` for no board."""
        return self._boards.moves(self._index(index))

    def board(self, index: SupportsIndex) -> Board:
        """Return board `index` as a `Board` with its moves, independent of the batch. Raises `IndexError`."""
        board = Board(*self._size)
        color = BLACK
        for move in self.moves(index):
            board.play(color, None if move == self._points else (move % self._size[0], move // self._size[0]))
            color = 3 - color
        return board

    def _index(self, index: SupportsIndex) -> int:
        number, count = operator.index(index), self._boards.count
        if not -count <= number < count:
            raise IndexError(f"board {number} out of range (there are {count})")
        return number % count

    def copy(self) -> BoardBatch:
        """Return a batch of the same boards, with their moves; the arrays of the last step are those of no step."""
        return self.select(np.arange(self._boards.count))

    def select(self, indices: npt.ArrayLike) -> BoardBatch:
        """Return a batch of the boards of these numbers, with their moves, in this order; a number may come again.

        `indices`: integers from 0, at least one. Raises `IndexError` for no board, `TypeError` for other types, and
        `ValueError` for other shapes.
        """
        array = np.asarray(indices)
        if array.ndim != 1 or array.size == 0:
            raise ValueError(f"indices are one or more in a row, not of shape {array.shape}")
        if array.dtype.kind not in "iu":
            raise TypeError(f"indices are integers, not {array.dtype}")
        for index in (array.min(), array.max()):
            if not 0 <= index < self._boards.count:
                raise IndexError(f"board {index} out of range (there are {self._boards.count})")
        made = BoardBatch.__new__(BoardBatch)
        made.__dict__.update(self.__dict__)
        made._boards = self._make(array.size)
        made._boards.gather(self._boards, np.ascontiguousarray(array, dtype=np.int64))
        made._forget()
        return made


def on_boards(batch: BoardBatch, work: Callable[[Boards, int, int], None]) -> None:
    """Call `work` with the boards of a batch and ranges of their numbers, on every thread of the batch."""
    batch._run(partial(work, batch._boards))


def sides_of(size: Any) -> tuple[int, int]:
    """Return (width, height) of a side or of such a pair. Raises `BoardSizeError`, and `TypeError` for no integers."""
    sides = size if isinstance(size, tuple) else (size, size)
    if len(sides) != 2:
        raise BoardSizeError(f"a size is the side of a square or (width, height), not {size!r}")
    if any(isinstance(side, bool) for side in sides):
        raise TypeError(f"the sides of a board are integers, not {size!r}")
    return operator.index(sides[0]), operator.index(sides[1])


def _restored(count: int, size: tuple[int, int], options: dict[str, Any], moves: list[list[int]]) -> BoardBatch:
    """The batch of a pickle: its games played once more."""
    batch = BoardBatch(count, size, **options)
    for number in range(max(map(len, moves))):
        batch.step(np.array([game[number] if number < len(game) else -1 for game in moves], np.int32))
    batch._forget()
    return batch


def _writable(name: str, out: Any, dtype: np.dtype[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """The array over the caller's memory."""
    if type(out) is np.ndarray and out.dtype is dtype and out.shape == shape and out.flags.carray:
        return out
    array: npt.NDArray[Any] = np.asarray(out)
    if array is not out and array.base is None:
        raise TypeError(f"{name} is an array that can be written to in place, not {type(out).__name__}")
    if array.dtype != dtype:
        raise ValueError(f"{name} holds {array.dtype}, not {dtype}")
    if array.shape != shape:
        raise ValueError(f"{name} has the shape {array.shape}, not {shape}")
    if not array.flags.carray:
        raise ValueError(f"{name} is not C-contiguous, aligned and writable")
    return array
