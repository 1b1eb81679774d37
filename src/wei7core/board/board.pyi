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
    without liberties is removed; then every own block without liberties is removed. Suicide, immediate ko
    recapture, passes at any time and several moves of one color in a row are legal. What stricter rules make of a
    move, `is_legal` says. (`edit` alone can leave blocks without liberties; a move then removes those of them that it
    touches.)

    Boards are equal when their size and stones are; they are mutable and have no hash() (see `hash` for a key).
    They can be copied and pickled; pickling keeps the moves and edits. The class cannot be subclassed.

    Thread safety: every method locks the board on free-threaded Python, so that calls do not mix; a sequence of
    calls is not one step. Different boards are independent.

    Raises `BoardSizeError` if a side is below 1 or the board has more than `max_points` points (default
    4,194,304, `wei7core.limits.MAX_POINTS`).
    """
    def __init__(
        self, width: SupportsIndex, height: SupportsIndex | None = None, *, max_points: SupportsIndex | None = None
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
        """The last move in force as `(color, point)`, with point None for a pass; None where there is no move."""
    @property
    def to_play(self) -> int:
        """The color whose turn it is, as the moves in force say: the opponent of the last one, be it a move or a pass.

        Where no move is in force it is White if at least two black stones and no white ones are on the board, which
        is how a handicap looks, and else Black. Edits after a move do not change it. `copy(history=False)` and boards
        made of stones alone have no moves; who knows more about the turn gives the color to `play`. SGF's PL is a fact
        of a record: see `wei7core.Node.to_play`.
        """
    @property
    def ko(self) -> tuple[int, int] | None:
        """The empty point where `to_play` may not retake a ko at once, or None where there is none.

        It is the ko of `wei7core.rules.Ko.SIMPLE`: a stone there would bring back the position before the last move.
        `position(color, ko=True).ko` asks for a color that is named. `play` and `move` accept the point: only rules
        forbid it.
        """
    def is_legal(
        self, color: SupportsIndex, point: _Point | None, rules: Rules | str = ..., *, system: str = "gtp"
    ) -> Verdict:
        """Return what a rule set says of a move by a color whose turn it is, as a `wei7core.rules.Verdict`.

        It is true where the move is legal, and else names the rule that fired: `if not board.is_legal(...)`, then
        `verdict.reason`. `rules` is a `wei7core.rules.Rules` or the name of one, such as "aga". A pass (None) is legal
        always. Superko looks at the moves in force, back to the start or the last `edit` (see `wei7core.rules.Ko`);
        a repeated position is compared stone by stone. Whose turn it is and whether play has ended are not judged.

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
        """Play a move and return how many stones it removed: of the opponent or, by suicide, of its own color.

        `point` is `(x, y)` or text of `system`, None or "pass" a pass. Raises `IllegalMoveError` where the point is
        occupied or off the board, `ValueError` for another color; the board is then unchanged.
        """
    def move(self, point: _Point | None, *, system: str = "gtp") -> int:
        """Play a move of the color whose turn it is (`to_play`) and return how many stones it removed, as `play` does.

        Thread safety: the turn is found and the move played in one step. Raises `IllegalMoveError` where the point is
        occupied or off the board, `ValueError` for text that is no point; the board is then unchanged.
        """
    def undo(self, n: SupportsIndex = 1) -> None:
        """Take back the last n moves in force, passes included, and restore the position exactly.

        What `edit` changed after the first of these moves is undone with them. Raises `IllegalMoveError` (reason
        `too-deep`) if fewer moves are in force, `ValueError` for a negative n; the board is then unchanged.
        """
    def setup(self, stones: Iterable[tuple[SupportsIndex, _Point]], *, system: str = "gtp") -> None:
        """Add stones before the first move; all of them or, if anything is wrong, none.

        `stones` is an iterable of `(color, (x, y))`. Raises `IllegalPositionError` where a point is off the board
        or not empty, where a block would lose its last liberty or have none (clause P-8), and where moves or edits
        are in force.
        """
    def handicap(self, n: SupportsIndex, placement: Literal["fixed", "free"] = "fixed") -> list[tuple[int, int]]:
        """Put handicap stones of Black on an empty board and return their points, row by row, as a list of (x, y).

        `placement` is "fixed", the places of GTP 2 (section 4.1; 2 to 9 stones, at most 4 where a side is even or
        7, none where one is shorter), or "free": any number from 2, on the fixed places where those suffice, further
        ones as far from the stones and the outside of the board as they can be. The stones are no moves; `to_play` is
        White after them.

        Raises `ValueError` for another placement and where there are no places for so many stones,
        `IllegalPositionError` where moves or edits are in force, a stone is on the board or, with so many free ones, a
        block would have no liberty. The board is then unchanged.

        Thread safety: the look for stones and the setup are two steps.
        """
    def edit(self, stones: Iterable[tuple[SupportsIndex, _Point]], *, system: str = "gtp") -> None:
        """Put stones on the board or take them away at any time; all of them or, if anything is wrong, none.

        `stones` is an iterable of `(color, (x, y))`, carried out in order: the point gets that color, whatever it
        holds, and with `EMPTY` (0) no stone. This is what AB, AW and AE of SGF do (FF[4], setup properties): it is no
        move, nothing is captured, and blocks may be left without liberties. `undo` of an earlier move undoes it.

        Thread safety: one step, as every method is. Raises `OffBoardError` (an `IndexError` and a `ValueError`) for
        a point off the board, `ValueError` for another color.
        """
    def copy(self, history: bool = True) -> Board:
        """Return an independent board of the same stones and captures.

        Without `history` the copy has no moves and edits to take back, and stones may be set up on it: what a search
        wants. With it the copy reads the moves where the board keeps them, until it plays itself; only then they are
        copied.
        """
    def transformed(self, symmetry: SupportsIndex) -> Board:
        """Return the board turned or mirrored, with its captures but without moves.

        `symmetry` is 0 to 7, a sum: 4 lets x and y change places, and width and height with them; then 1 counts
        columns from the other side, and 2 rows. Raises `ValueError` for another number.
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
        """Return the board that a diagram shows, without moves: `print(board)`, or the ways that people draw it.

        Black is one of `X x # @ ●`, white `O o ○`, an empty point `. , + ·`, with spaces between the points or none.
        Row numbers, names of columns, edges (`+---+`, `|`) and the brackets of a last move may be there. Boards are
        read as GNU Go, Pachi and KataGo print them, and diagrams of Sensei's Library (`$$`) with their numbered moves
        as stones; see `wei7core.board.parse_diagram`.

        Raises `DiagramError` (a `ValueError`) with line and column of what is no diagram, `BoardSizeError` as
        `Board()` does and `IllegalPositionError` where a block has no liberty.
        """
    def __getitem__(self, point: _Point, /) -> int: ...
    def block(self, point: _Point, *, system: str = "gtp") -> Block:
        """Return the `Block` at a point: a frozenset of its stones that knows its color, liberties and neighbours.

        It is empty where there is no stone, and describes the position as it is now, whatever happens to the board.
        Raises `OffBoardError` (an `IndexError` and a `ValueError`) off the board.
        """
    def blocks(self, color: SupportsIndex | None = None) -> list[Block]:
        """Return all blocks, or those of one color, as a list in reading order of their first stones.

        One pass over the board finds them all. As `block` they tell of the position as it is now.
        """
    def liberties(self, point: _Point, *, system: str = "gtp") -> frozenset[tuple[int, int]]:
        """Return the liberties of the block at a point as a frozenset of points; empty where there is no stone.

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

        `first` is the color that moves first; by default the owner of a block in atari, and the opponent of any
        other. In a ladder every move of the opponent leaves the block one liberty or takes it. Its owner captures a
        adjacent block that is in atari, or extends on a liberty. The block escapes where it gets three liberties,
        or two while the opponent has no such move; one of three or more to begin with escapes at once, one without
        liberties, which an edit left, counts as captured. Neither side plays suicide or brings back a position of
        the line or the one before the board's last move: a ko is not taken back at once, and one that cannot be
        taken back saves the block.

        At most `max_nodes` moves are tried, by default 100,000, some tenths of a second (less of them where blocks of
        hundreds of stones are followed); where that is not enough, `captured` is None. Raises `ValueError` where there
        is no stone, `OffBoardError` off the board.
        """
    def is_eye(self, point: _Point, color: SupportsIndex, *, system: str = "gtp") -> bool:
        """Say whether a point is an eye of a color in this position.

        It is empty, with stones of that color on every side; and these are one block, or the opponent has a stone on
        one of its diagonals at most, and on none where the point is at the edge. Empty diagonals do not count
        against it. Raises `OffBoardError` off the board.
        """
    def pass_alive(self, color: SupportsIndex) -> PassAlive:
        """Return what of a color lives though its owner passes for ever, as `PassAlive`: `stones` and `territory`.

        By the algorithm of D. B. Benson, Life in the game of Go, Information Sciences 10 (1976). The blocks of the
        color cut the board into regions; a region is vital to a block where each of its empty points is a liberty of
        that block. Blocks with less than two vital regions are given up, and the adjacent regions, until nothing
        more is. `stones` are the blocks that are left, `territory` the regions vital to one of them, with the
        opponent's stones there. It holds by rules that forbid suicide: where several stones may take themselves off,
        they can open a region again.
        """
    def moves(self) -> list[tuple[int, tuple[int, int] | None]]:
        """Return the moves in force, the first one first, as `(color, point)` with point None for a pass."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]  # unhashable, as the data model says it
    def position(self, to_play: SupportsIndex | None = None, *, ko: bool = False) -> Position:
        """Return the stones on the board as a `Position`, a small value for tables and sets.

        With `to_play` the position is one where that color plays next. With `ko` too, the point is part of it where
        that color may not retake a ko at once (see `wei7core.rules.Ko.SIMPLE`). Captures and moves are left out.

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
