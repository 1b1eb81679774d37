"""The options of pictures on the command line, by their names in `PictureOptions`."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from ..board.drawing.geometry import COORDINATES
from ..board.drawing.themes import THEMES
from .argument_values import positive
from .arguments import UsageError

if TYPE_CHECKING:
    from ..replaying.picture import NodePictureOptions

_AS_THEY_ARE = ("theme", "size", "region", "numbers", "first_number", "ladder", "title", "alt")
_PAIRS = {"mark": "TR:D4", "arrow": "D4:E5", "line": "D4:E5", "ghost": "B:D4"}
_COLORS = {"B": 1, "W": 2}


def add_picture_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of pictures to a parser."""
    group = parser.add_argument_group("pictures", "points as D4; --terminal shows what characters can represent")
    group.add_argument("--theme", choices=tuple(THEMES), help="colors (default: print)")
    group.add_argument("--size", type=positive, metavar="PIXELS", help="the longer side (default: 28 a line)")
    group.add_argument(
        "--region", metavar="REGION", help="stones, top, left, a corner as 'top left', or two corners as A1:K10"
    )
    group.add_argument("--coordinates", choices=(*COORDINATES, "none"), help="labels around the board")
    group.add_argument("--numbers", type=positive, metavar="N", help="number the moves, starting with move N")
    group.add_argument("--first-number", type=positive, metavar="N", help="number of the first of them")
    group.add_argument("--no-last", action="store_true", help="do not mark the last move")
    group.add_argument("--variations", action="store_true", help="show the next moves of the record")
    group.add_argument("--mark", action="append", metavar="MARK", help="TR, SQ, CR, MA or a text, as TR:D4; repeatable")
    group.add_argument("--ghost", action="append", metavar="STONE", help="as B:D4 or B:D4:a; repeatable")
    group.add_argument("--arrow", action="append", metavar="POINTS", help="as D4:E5; repeatable")
    group.add_argument("--line", action="append", metavar="POINTS", help="as D4:E5; repeatable")
    group.add_argument("--dim", metavar="POINTS", help="points shown faintly, as D4,E5")
    group.add_argument("--view", metavar="POINTS", help="the points shown at all, as D4,E5")
    group.add_argument("--heat", metavar="FILE", help="a heat map: rows of numbers or null, in JSON")
    group.add_argument("--no-legend", action="store_true", help="do not explain the heat map")
    group.add_argument("--ownership", metavar="FILE", help="rows of numbers from -1 (White) to 1 (Black), in JSON")
    group.add_argument("--ladder", metavar="POINT", help="show the ladder of the block at POINT")
    group.add_argument("--pass-alive", action="store_true", help="show unconditionally alive stones")
    group.add_argument("--title", metavar="TEXT", help="the title for screen readers")
    group.add_argument("--alt", metavar="TEXT", help="the description for screen readers (default: what is drawn)")


def picture_options(args: argparse.Namespace) -> NodePictureOptions:
    """Return the options of a picture from the arguments.

    Raises `UsageError` for an argument of another form and a file that is no JSON, `OSError` as `open` does.
    """
    found: Any = {name: value for name in _AS_THEY_ARE if (value := getattr(args, name)) is not None}
    if args.coordinates is not None:
        found["coordinates"] = None if args.coordinates == "none" else args.coordinates
    found |= {name: True for name in ("variations", "pass_alive") if getattr(args, name)}
    if args.no_last:
        found["last"] = None
    if args.no_legend:
        found["legend"] = False
    for name in _PAIRS:
        if getattr(args, name):
            found[f"{name}s"] = [_parts(name, value) for value in getattr(args, name)]
    found |= {name: getattr(args, name).split(",") for name in ("dim", "view") if getattr(args, name) is not None}
    found |= {name: _values(getattr(args, name)) for name in ("heat", "ownership") if getattr(args, name) is not None}
    return found  # type: ignore[no-any-return]  # the names are those of the options


def _parts(name: str, value: str) -> tuple[Any, ...]:
    from ..board.drawing.arguments import SHAPE_NAMES

    parts = tuple(value.split(":", 2) if name == "ghost" else value.rsplit(":", 1))
    if len(parts) < 2 or not all(parts) or (name == "ghost" and parts[0] not in _COLORS):
        raise UsageError(f"--{name} has parts with a colon between them, as {_PAIRS[name]}, not {value!r}")
    if name == "ghost":
        return (_COLORS[parts[0]], *parts[1:])
    return parts[::-1] if name == "mark" and parts[0] not in SHAPE_NAMES else parts


def _values(path: str) -> Any:
    try:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
    lengths = {len(row) if isinstance(row, list) else -1 for row in rows} if isinstance(rows, list) else {-1}
    if len(lengths) != 1 or -1 in lengths or not all(_is_number(value) for row in rows for value in row):
        raise UsageError(f"{path}: expected rows of numbers or null, all of one length")
    return rows


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
