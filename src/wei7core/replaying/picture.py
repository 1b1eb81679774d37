"""The picture of a node: its board, with the marks and shapes of the record.

Reads the SGF properties of steps that concern pictures; nothing else of SGF.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from ..board.drawing.arguments import PictureOptions, Places, places_in
from ..board.drawing.of_board import cell_options
from ..board.drawing.svg import svg
from ..coordinates import SGF_LETTERS, Point, sgf_point
from ..record.document import Branch, Document, Move, Properties
from ..record.record import inherited_properties

if TYPE_CHECKING:
    from .cursor import Node

# The number of each letter, 255 for none.
_LETTERS: Final = bytes(SGF_LETTERS.find(chr(code)) & 255 for code in range(128))


class NodePictureOptions(PictureOptions, total=False):
    """The options of `Node.svg`: those of a board, and `variations`: True shows the next moves as ghosts.

    Included are the marks of the record at the node, and AR, LN, DD, VW, TB and TW of SGF. `marks` and `ghosts` are
    added to it; `arrows`, `lines`, `dim` and `view` replace it.
    """

    variations: bool


def node_svg(node: Node, document: Document, options: NodePictureOptions) -> str:
    """Draw the position of a node of a document. Raises as `Board.svg` does."""
    board = node.board
    return svg(board.to_array(), **cell_options(board, picture_options(node, document, options)))


def picture_options(node: Node, document: Document, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a board's picture for the marks and shapes at a node, combined with `options`."""
    size = (document.width, document.height)
    own = options_of_record(node, document)
    found = {**own, **options, "marks": [*own["marks"], *options.get("marks", ())]}
    inherited = _inherited(node, document)
    for name, option in (("DD", "dim"), ("VW", "view")):
        if option not in found and name in inherited:
            points = _points(inherited[name], size)
            if points:
                found[option] = points
    if found.pop("variations", False):
        found["ghosts"] = [*found.get("ghosts", ()), *_next_moves(node)]
    return found


def options_of_record(node: Node, document: Document) -> dict[str, Any]:
    """Return the marks, arrows and lines of the record at a node."""
    size = (document.width, document.height)
    properties = _properties(node, document)
    found: dict[str, Any] = {
        option: _pairs(properties[name], size)
        for name, option in (("AR", "arrows"), ("LN", "lines"))
        if name in properties
    }
    marks = [(name, _points(properties[name], size)) for name in ("TB", "TW") if name in properties]
    return {**found, "marks": [*marks, *node.marks]}


def _properties(node: Node, document: Document) -> Properties:
    if node.step is not None:
        return node.step.properties
    return document.properties if node.branch is document.tree else {}


def _points(values: Iterable[str], size: Point) -> Places:
    """The points of a list of SGF, rectangles included; invalid points are skipped."""
    known = places_in(values, size, _LETTERS)
    if known is not None:
        return known
    places = Places()
    for value in values:
        first, colon, second = value.partition(":")
        one, two = sgf_point(first, *size), sgf_point(second if colon else first, *size)
        if one is not None and two is not None:
            xs, ys = sorted((one[0], two[0])), sorted((one[1], two[1]))
            places += [y * size[0] + x for y in range(ys[0], ys[1] + 1) for x in range(xs[0], xs[1] + 1)]
    return places


def _pairs(values: Iterable[str], size: Point) -> list[tuple[Point, Point]]:
    pairs = []
    for value in values:
        first, _, second = value.partition(":")
        one, two = sgf_point(first, *size), sgf_point(second, *size)
        if one is not None and two is not None:
            pairs.append((one, two))
    return pairs


def _inherited(node: Node, document: Document) -> Properties:
    """The values of DD and VW, each from the nearest node that has it."""
    if node.place.is_linked(document.tree):
        branches = [place.branch for place in node.place.chain()]
    else:
        branches = [document.tree]
        for ordinal in node.path:
            branches.append(branches[-1].branches[ordinal])
    found: Properties = {}
    end = node.step_index + 1
    for branch in reversed(branches):
        inherited_properties(branch.steps, end, found)
        end = sys.maxsize
    for name in ("DD", "VW"):
        if name in document.properties:
            found.setdefault(name, document.properties[name])
    return found


def _next_moves(node: Node) -> Iterator[tuple[int, Point, str]]:
    """The next moves after a node, with letters if there are several."""
    branch: Branch = node.branch
    following = node.step_index + 1
    first = (
        [branch.steps[following]] if following < len(branch.steps) else [b.steps[0] for b in branch.branches if b.steps]
    )
    moves = [step.action for step in first if isinstance(step.action, Move) and step.action.point is not None]
    for index, move in enumerate(moves):
        text = "" if len(moves) == 1 else chr(ord("A") + index) if index < 26 else str(index + 1)
        assert move.point is not None
        yield move.color, move.point, text
