"""The picture of a `Board`: what its moves, its ladders and its living stones add to the cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..._util.numbers import integer
from .arguments import PictureOptions, point_of
from .svg import svg

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..board import Board


def board_svg(board: Board, **options: Unpack[PictureOptions]) -> str:
    """Draw a board. Raises what `svg` raises, and `TypeError` for an unknown option."""
    return svg(board.to_array(), **cell_options(board, options))


def cell_options(board: Board, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `svg` for the options of a picture of `board`."""
    unknown = options.keys() - PictureOptions.__annotations__.keys()
    if unknown:
        known = ", ".join(PictureOptions.__annotations__)
        raise TypeError(f"a picture has no option {', '.join(sorted(unknown))}; it has {known}")
    found = dict(options)
    size = board.size
    last = found.get("last", True)
    if last is True or last is False:
        move = board.last_move if last else None
        found["last"] = None if move is None else move[1]
    numbers, first = found.pop("numbers", None), found.pop("first_number", None)
    first = None if first is None else integer("first_number", first)
    if isinstance(numbers, bool):
        numbers = 1 if numbers else None
    if numbers is not None and not isinstance(numbers, Mapping):
        numbers = _move_numbers(board, integer("numbers", numbers), first)
    found["numbers"] = numbers
    ladder = found.pop("ladder", None)
    if ladder is not None:
        line = board.ladder(point_of(ladder, size)).line
        rows = [(color, point, number) for number, (color, point) in enumerate(line, start=1)]
        found["ghosts"] = [*rows, *found.get("ghosts", ())]
    if found.pop("pass_alive", False):
        both = [board.pass_alive(color) for color in (1, 2)]
        found["alive"] = [point for alive in both for points in (alive.stones, alive.territory) for point in points]
    return found


def _move_numbers(board: Board, start: int, first: int | None) -> dict[tuple[int, int], str]:
    """The numbers of the moves from number `start` on whose stones are still there, by their points."""
    stones, width = board.to_array().tobytes(), board.width
    first = start if first is None else first
    moves = board.moves()[max(0, start - 1) :]
    return {
        point: str(number)
        for number, (color, point) in enumerate(moves, start=first + max(0, 1 - start))
        if point is not None and stones[point[1] * width + point[0]] == color
    }
