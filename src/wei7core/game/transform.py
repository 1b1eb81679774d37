"""A game rotated or reflected: every point of its record, in moves, setup, marks and properties."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final, SupportsIndex

from .._util.numbers import integer
from ..coordinates import Point, gtp_point, point_name, sgf_name, sgf_point
from ..formats.giseong.codes import code, read_code
from ..formats.giseong.tokens import TOKENS
from ..formats.sgf.properties import PROPERTIES
from ..record.document import (
    Document,
    Edit,
    MarkAction,
    Move,
    Properties,
    PropertyDict,
    Setup,
    Step,
    refuse_names,
    require_step,
)
from .analysis import LIZZIE, REST

_OF_POINTS: Final = ("point", "stone", "move", "point:simple", "point:point")
_VERTEX: Final = re.compile("[A-HJ-Za-hj-z]{1,2}[0-9]{1,2}")
_VERTICES: Final = re.compile(rf"\b(?:move|pv)(?: (?:{_VERTEX.pattern}|pass)\b)+", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Symmetry:
    """A symmetry of a board of `width` by `height` points, by its number."""

    number: int
    width: int
    height: int

    @property
    def size(self) -> Point:
        """(width, height) of the transformed board."""
        return (self.height, self.width) if self.number & 4 else (self.width, self.height)

    def __call__(self, point: Point) -> Point:
        width, height = self.size
        x, y = point[::-1] if self.number & 4 else point
        return width - 1 - x if self.number & 1 else x, height - 1 - y if self.number & 2 else y

    def has(self, x: int, y: int) -> bool:
        """Whether the board has a point."""
        return 0 <= x < self.width and 0 <= y < self.height


def transformed_document(document: Document, number: SupportsIndex) -> Document:
    """Return a copy of a document with its points transformed as by `Board.transformed`. Raises `ValueError` as that
    does.
    """
    symmetry = integer("a symmetry", number)
    if not 0 <= symmetry <= 7:
        raise ValueError(f"a symmetry is a number from 0 to 7, not {symmetry!r}")
    out = deepcopy(document)
    moved = _Symmetry(symmetry, document.width, document.height)
    out.width, out.height = moved.size
    out.properties = _properties(out.properties, moved)
    for branch in out.tree.walk():
        if branch.pre is not None:
            _set_up(branch.pre, moved)
        for step in branch.steps:
            _step(step, moved)
    return out


def _set_up(pre: Setup, moved: _Symmetry) -> None:
    refuse_names(*pre.stones, *pre.marks)
    for stone in pre.stones:
        stone.point = moved(stone.point)
    for mark in pre.marks:
        mark.point = moved(mark.point)


def _step(step: Step, moved: _Symmetry) -> None:
    require_step(step)
    action: Any = step.action
    if isinstance(action, (Move, MarkAction)) and action.point is not None:
        action.point = moved(action.point)
    elif isinstance(action, Edit):
        for stone in action.stones:
            stone.point = moved(stone.point)
    for mark in step.marks:
        mark.point = moved(mark.point)
    if step.properties:
        step.properties = _properties(step.properties, moved)


def _properties(raw: Properties, moved: _Symmetry) -> Properties:
    """Properties with transformed points, those of analyses and of the codes of Giseong included."""
    out: Properties = {}
    for name, values in raw.items():
        known = PROPERTIES.get(name)
        if known is not None and known.value in _OF_POINTS:
            out[name] = tuple(_value(value, known.value, moved) for value in values)
        elif name == TOKENS:
            out[name] = tuple(_token(value, moved) for value in values)
        elif name == REST:
            out[name] = tuple(":".join(_value(part, "point", moved) for part in value.split(":")) for value in values)
        elif name == LIZZIE:
            out[name] = tuple(_analysis(value, moved) for value in values)
        else:
            out[name] = values
    return PropertyDict(out)


def _token(text: str, moved: _Symmetry) -> str:
    """A text or a code of Giseong, which has the row before the column, both from 1."""
    part = read_code(text)
    if part is None or part.what != "@" or len(part.numbers) < 3:
        return text
    kind, row, column, *label = part.numbers
    if not moved.has(column - 1, row - 1):
        return text
    x, y = moved((column - 1, row - 1))
    return code("@", kind, y + 1, x + 1, *label)


def _analysis(text: str, moved: _Symmetry) -> str:
    """An analysis of Lizzie, with the vertices of its moves and lines transformed."""

    def vertex(found: re.Match[str]) -> str:
        point = gtp_point(found[0], moved.height)
        return point_name(moved(point), moved.size[1]) if point is not None and moved.has(*point) else found[0]

    return _VERTICES.sub(lambda line: _VERTEX.sub(vertex, line[0]), text)


def _value(value: str, kind: str, moved: _Symmetry) -> str:
    """One value; other texts than points do not change."""
    first, colon, second = value.partition(":")
    one, two = (sgf_point(text, moved.width, moved.height) for text in (first, second))
    if one is None:
        return value
    one = moved(one)
    if kind == "point:simple" or not colon or two is None:
        return f"{sgf_name(one)}{colon}{second}"
    two = moved(two)
    if kind != "point:point":
        # Of a rectangle, the upper left corner and the lower right one.
        one, two = (min(one[0], two[0]), min(one[1], two[1])), (max(one[0], two[0]), max(one[1], two[1]))
    return f"{sgf_name(one)}:{sgf_name(two)}"
