from collections.abc import Iterable
from typing import Any, Final, Literal, SupportsIndex, TypeAlias, final

import numpy as np
import numpy.typing as npt
from typing_extensions import Unpack

from wei7core.board.blocks import Block
from wei7core.board.children import Children
from wei7core.board.drawing.arguments import PictureOptions
from wei7core.board.ladder import Ladder
from wei7core.board.life import PassAlive
from wei7core.board.point_set import PointSet
from wei7core.board.position import Position
from wei7core.rules import Rules, Verdict

__all__ = ["BLACK", "EMPTY", "WHITE", "Board"]

_Point: TypeAlias = tuple[SupportsIndex, SupportsIndex] | str

EMPTY: Final = 0
BLACK: Final = 1
WHITE: Final = 2
PLANE_COLUMNS: Final[int]
PLANE_POINTS: Final[int]

@final
class Board:
    """One position of Go and the moves that led to it, on any width x height.

    `Board(19)` is a square, `Board(width, height)` any rectangle from 1 x 1. A point is a pair `(x, y)` counted
    from 0 at the top left, or text as GTP has it, "D4"; methods take `system="sgf"` for "dd" and "xy" for "3,15"
    (`wei7core.coordinates.SYSTEMS`), and raise `ValueError` for another system.
    Colors are `BLACK` (1), `WHITE` (2) and, for a point without a stone, `EMPTY` (0).

    The rules are those of the wei7 format and no others: a stone is placed on an empty point; then every opponent block
    without liberties is removed; then every own block without liberties is removed. Suicide, immediate ko recapture,
    passes at any time and several moves of one color in a row are legal. `is_legal` applies stricter rules. (Only
    `edit` can create blocks without liberties; a move removes those that it touches.)

    Boards are equal when their size and stones are; they are mutable and have no hash() (see `hash` for a key).
    They can be copied and pickled; pickling keeps the moves and edits. The class cannot be subclassed.

    Thread safety: every method locks the board on free-threaded Python, so that calls do not mix; a sequence of
    calls is not one step. Different boards are independent.

    Raises `BoardSizeError` if a side is below 1 or the board has more than `max_points` points (default
    4,194,304, `wei7core.limits.MAX_POINTS`).
    """
    def __init__(
        self, width: SupportsIndex = 19, height: SupportsIndex | None = None, *, max_points: SupportsIndex | None = None
    ) -> None: ...
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
        """A 64-bit key of size and stones, the same on every platform and in every release.

        With `s(n)` output number n (counted from 1) of SplitMix64 from seed 0, that is

            z = n * 0x9E3779B97F4A7C15
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9
            z = (z ^ z >> 27) * 0x94D049BB133111EB
            s = z ^ z >> 31                                     (all modulo 2 ** 64)

        it is `s(height * 2**31 + width)` XOR `s(color * 2**62 + y * 2**31 + x)` of every stone. The side to move
        and earlier positions have no part in it. Usually written `f"{board.hash:016x}"`.
        """
    @property
    def canonical_hash(self) -> int:
        """The least `hash` among the symmetries that keep width and height: 8 of a square, 4 of a rectangle."""
    @property
    def black_captured(self) -> int:
        """Number of black stones removed by the moves in force, by White or by suicide."""
    @property
    def white_captured(self) -> int:
        """Number of white stones removed by the moves in force, by Black or by suicide."""
    @property
    def move_count(self) -> int:
        """Number of moves in force, passes included."""
    @property
    def last_move(self) -> tuple[int, tuple[int, int] | None] | None:
        """The last move in force as `(color, point)`, with point None for a pass; None without a move."""
    @property
    def to_play(self) -> int:
        """The color to play, by the moves in force: the opponent of the last one, be it a move or a pass.

        Without a move it is White if the board has at least two black stones and no white ones, as with a handicap, and
        else Black. Edits after a move do not change it. `copy(history=False)` and boards made of stones alone have no
        moves; pass the color to `play` if another one is to play. SGF's PL belongs to a record: see
        `wei7core.Node.to_play`.
        """
    @property
    def ko(self) -> tuple[int, int] | None:
        """The empty point where `to_play` may not retake a ko at once, or None.

        It is the ko of `wei7core.rules.Ko.SIMPLE`: a stone there would restore the position before the last move.
        `position(color, ko=True).ko` is that of a given color. `play` and `move` accept the point: only rules forbid
        it.
        """
    def is_legal(
        self, color: SupportsIndex, point: _Point | None, rules: Rules | str = ..., *, system: str = "gtp"
    ) -> Verdict:
        """Return the verdict of a rule set on a move by the color to play, as a `wei7core.rules.Verdict`.

        It is true if the move is legal, and else names the rule that fired: `if not board.is_legal(...)`, then
        `verdict.reason`. `rules` is a `wei7core.rules.Rules` or the name of one, such as "aga". A pass (None) is always
        legal. Superko considers the moves in force, back to the start or the last `edit` (see `wei7core.rules.Ko`); a
        repeated position is compared stone by stone. Turn order and the end of play are not checked.

        Raises `ValueError` for another color or an unknown name.
        """
    def children(self, color: SupportsIndex, rules: Rules | str = ...) -> Children:
        """Return what every move of a color would do, for all points at once: a `wei7core.board.children.Children`.

        It has arrays of shape (height, width): `legal`, `reason` (why not), `captured`, `lost` (by suicide), `hash` and
        `self_atari`; iteration yields `((x, y), board)` for every legal move, its board made when it is reached.
        `rules` is as in `is_legal`. The result does not follow the board when that changes.

        Raises `ValueError` for another color or an unknown name.
        """
    def legal_points(self, color: SupportsIndex, rules: Rules | str = ...) -> list[tuple[int, int]]:
        """Return the points where a rule set allows a color to put a stone, row by row, as a list of (x, y).

        The arguments are those of `children`.
        """
    def legal(self, color: SupportsIndex | None = None, rules: Rules | str = ...) -> PointSet:
        """Return where a rule set allows a color to put a stone, as a `PointSet`.

        `color` is by default the one whose turn it is (`to_play`), and `rules` is as in `is_legal`. A pass is legal
        always and no point. `children` describes every move. Raises `ValueError` for another color or an unknown
        name.
        """
    def play(self, color: SupportsIndex, point: _Point | None, *, system: str = "gtp") -> int:
        """Play a move and return the number of stones it removed: of the opponent or, by suicide, of its own color.

        `point` is `(x, y)` or text of `system`, None or "pass" a pass. Raises `IllegalMoveError` if the point is
        occupied or off the board, `ValueError` for another color; the board is then unchanged.
        """
    def move(self, point: _Point | None, *, system: str = "gtp") -> int:
        """Play a move of the color to play (`to_play`) and return the number of stones it removed, as `play` does.

        Thread safety: the turn is found and the move played in one step. Raises `IllegalMoveError` if the point is
        occupied or off the board, `ValueError` for text that is no point; the board is then unchanged.
        """
    def undo(self, n: SupportsIndex = 1) -> None:
        """Take back the last n moves in force, passes included, and restore the position exactly.

        Edits after the first of these moves are undone with them. Raises `IllegalMoveError` (reason `too-deep`) if
        fewer moves are in force, `ValueError` for a negative n; the board is then unchanged.
        """
    def push(self, point: _Point | None, *, system: str = "gtp") -> int:
        """Play a move of the color to play (`to_play`) and return the number of stones it removed, as `play` does.

        Thread safety: the turn is found and the move played in one step. Raises `IllegalMoveError` if the point is
        occupied or off the board, `ValueError` for text that is no point; the board is then unchanged.
        """
    def pop(self) -> tuple[int, tuple[int, int] | None]:
        """Take back the last move in force, as `undo` does, and return it as `(color, point)`."""
    def setup(self, stones: Iterable[tuple[SupportsIndex, _Point]], *, system: str = "gtp") -> None:
        """Add stones before the first move; all of them or, if anything is wrong, none.

        `stones` is an iterable of `(color, (x, y))`. Raises `IllegalPositionError` if a point is off the board or not
        empty, if a block would lose its last liberty or have none (clause P-8), and if moves or edits are in force.
        """
    def handicap(self, n: SupportsIndex, placement: Literal["fixed", "free"] = "fixed") -> list[tuple[int, int]]:
        """Place handicap stones of Black on an empty board and return their points, row by row, as a list of (x, y).

        `placement` is "fixed", the places of GTP 2 (section 4.1; 2 to 9 stones, at most 4 if a side is even or 7, none
        if one is shorter), or "free": any number from 2, first on the fixed places, further ones as far as possible
        from the stones and the outside of the board. The stones are no moves; `to_play` is White after them.

        Raises `ValueError` for another placement and if there are no places for so many stones, `IllegalPositionError`
        if moves or edits are in force, a stone is on the board or, with so many free ones, a block would have no
        liberty. The board is then unchanged.

        Thread safety: the check for stones and the setup are two steps.
        """
    def edit(self, stones: Iterable[tuple[SupportsIndex, _Point]], *, system: str = "gtp") -> None:
        """Add or remove stones at any time; all of them or, if anything is wrong, none.

        `stones` is an iterable of `(color, (x, y))`, carried out in order: the point gets that color, whatever its
        content, and with `EMPTY` (0) no stone. This is the semantics of AB, AW and AE of SGF (FF[4], setup properties):
        it is no move, nothing is captured, and blocks without liberties are possible. `undo` of an earlier move undoes
        it.

        Thread safety: one step, as every method is. Raises `OffBoardError` (an `IndexError` and a `ValueError`) for
        a point off the board, `ValueError` for another color.
        """
    def copy(self, history: bool = True) -> Board:
        """Return an independent board of the same stones and captures.

        Without `history` the copy has no moves and edits to take back, and allows setup, as for a search. With it the
        copy shares the moves of the board until it plays itself; only then they are copied.
        """
    def transformed(self, symmetry: SupportsIndex) -> Board:
        """Return the board rotated or reflected, with its captures but without moves.

        `symmetry` is 0 to 7, a sum: 4 exchanges x and y, and width and height; then 1 counts columns from the other
        side, and 2 rows. Raises `ValueError` for another number.
        """
    def to_array(self) -> npt.NDArray[np.uint8]:
        """Return the position as a new `uint8` array of shape `(height, width)`: `array[y, x]` is 0, 1 or 2."""
    @staticmethod
    def from_array(array: npt.ArrayLike, *, max_points: SupportsIndex | None = None) -> Board:
        """Return a board with the stones of a 2-D integer array, indexed `[y, x]`, of 0, 1 and 2.

        Raises `ValueError` for another shape or value, `TypeError` for other elements, `BoardSizeError` as
        `Board()` does and `IllegalPositionError` where a block has no liberty.
        """
    @staticmethod
    def from_text(text: str, *, max_points: SupportsIndex | None = None) -> Board:
        """Return the board of a diagram, without moves: `print(board)`, or other common drawings.

        Black is one of `X x # @ ●`, white `O o ○`, an empty point `. , + ·`, with spaces between the points or none.
        Row numbers, names of columns, edges (`+---+`, `|`) and the brackets of a last move are optional. Supported are
        the boards that GNU Go, Pachi and KataGo print, and diagrams of Sensei's Library (`$$`) with their numbered
        moves as stones; see `wei7core.board.parse_diagram`.

        Raises `DiagramError` (a `ValueError`) with line and column of the first error, `BoardSizeError` as `Board()`
        does and `IllegalPositionError` where a block has no liberty.
        """
    def __getitem__(self, point: _Point, /) -> int: ...
    def block(self, point: _Point, *, system: str = "gtp") -> Block:
        """Return the `Block` at a point: a frozenset of its stones with its color, liberties and neighbours.

        It is empty without a stone, and a snapshot of the current position. Raises `OffBoardError` (an `IndexError` and
        a `ValueError`) off the board.
        """
    def blocks(self, color: SupportsIndex | None = None) -> list[Block]:
        """Return all blocks, or those of one color, as a list in reading order of their first stones.

        One pass over the board finds them all. As with `block` they are snapshots of the current position.
        """
    def liberties(self, point: _Point, *, system: str = "gtp") -> frozenset[tuple[int, int]]:
        """Return the liberties of the block at a point as a frozenset of points; empty without a stone.

        Raises `OffBoardError` (an `IndexError` and a `ValueError`) off the board.
        """
    def neighbours(self, point: _Point, *, system: str = "gtp") -> list[tuple[int, int]]:
        """Return the points adjacent to a point, row by row, as a list of two to four (x, y).

        On a board of one row or column there are fewer. Raises `OffBoardError` (an `IndexError` and a `ValueError`) off
        the board.
        """
    def ladder(
        self,
        point: _Point,
        first: SupportsIndex | None = None,
        *,
        max_nodes: SupportsIndex = 100_000,
        system: str = "gtp",
    ) -> Ladder:
        """Read whether the block at a point is captured in a ladder, and return a `Ladder`: `captured` and `line`.

        `first` is the color that moves first; by default the owner of a block in atari, and the opponent of any other.
        In a ladder every move of the opponent leaves the block one liberty or takes it. Its owner captures an adjacent
        block in atari, or extends on a liberty. The block escapes if it gets three liberties, or two while the opponent
        has no such move; one with three or more at the start escapes at once, one without liberties, made by an edit,
        counts as captured. Neither side plays suicide or repeats a position of the line or the one before the board's
        last move: a ko is not retaken at once, and one that cannot be retaken saves the block.

        At most `max_nodes` moves are tried, by default 100,000, some tenths of a second (less of them where blocks of
        hundreds of stones are followed); if that is not enough, `captured` is None. Raises `ValueError` without a
        stone, `OffBoardError` off the board.
        """
    def is_eye(self, point: _Point, color: SupportsIndex, *, system: str = "gtp") -> bool:
        """Return whether a point is an eye of a color in this position.

        It is empty, with stones of that color on every side; and these are one block, or the opponent has a stone on
        one of its diagonals at most, and on none where the point is at the edge. Empty diagonals do not count
        against it. Raises `OffBoardError` off the board.
        """
    def pass_alive(self, color: SupportsIndex) -> PassAlive:
        """Return the unconditionally alive stones and territory of a color as `PassAlive`.

        By the algorithm of D. B. Benson, Life in the game of Go, Information Sciences 10 (1976). The blocks of the
        color cut the board into regions; a region is vital to a block if each of its empty points is a liberty of that
        block. Blocks with fewer than two vital regions are removed, and the regions adjacent to them, until nothing
        changes. `stones` are the remaining blocks, `territory` the regions vital to one of them, with the opponent's
        stones there. It is valid under rules that forbid suicide: suicide of several stones can open a region again.
        """
    def moves(self) -> list[tuple[int, tuple[int, int] | None]]:
        """Return the moves in force, the first one first, as `(color, point)` with point None for a pass."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]  # unhashable, as the data model says it
    def position(self, to_play: SupportsIndex | None = None, *, ko: bool = False) -> Position:
        """Return the stones on the board as a `Position`, a small value for tables and sets.

        With `to_play` the position includes the color to play. With `ko` it also includes the point where that color
        may not retake a ko at once (see `wei7core.rules.Ko.SIMPLE`). Captures and moves are not included.

        Raises `ValueError` for another color, or `ko` without `to_play`.
        """
    @staticmethod
    def from_position(position: Position, *, max_points: SupportsIndex | None = None) -> Board:
        """Return a board with the stones of a `Position`, without captures and moves.

        Raises `BoardSizeError` as `Board()` does.
        """
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, memo: object) -> Board: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def svg(self, **options: Unpack[PictureOptions]) -> str:
        """Return a picture of the board as SVG.

        The options are those of `wei7core.board.drawing.arguments.PictureOptions`: theme, size, region, coordinates,
        last, numbers, first_number, marks, ghosts, heat, legend, ownership, arrows, lines, dim, view, ladder,
        pass_alive, title, alt. Raises `TypeError` for another option, `ValueError` for a value that an option cannot
        have and for a board of more than 100,000 points, `OffBoardError` for a point off the board.
        """
    def _repr_svg_(self) -> str | None: ...
    def _put(self, stones: Iterable[tuple[SupportsIndex, _Point]]) -> None: ...
    def _take_away(self, points: Iterable[_Point]) -> None: ...
    def _rewind(self, move_count: int, edit_count: int) -> None: ...
    def _last_passes(self, most: int) -> int: ...
    @property
    def _edits(self) -> tuple[int, int]: ...
    @property
    def _work(self) -> int: ...
    def _check(self) -> None: ...
