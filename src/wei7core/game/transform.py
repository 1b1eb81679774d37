"""A game rotated or reflected: every point of its record, in moves, setup, marks and properties."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, Final, SupportsIndex

from .._util.numbers import integer
from ..coordinates import Point, sgf_name, sgf_point
from ..formats.sgf.properties import PROPERTIES
from ..record.document import Document, Edit, MarkAction, Move, Properties, PropertyDict, Setup, Step

_OF_POINTS: Final = ("point", "stone", "move", "point:simple", "point:point")


def transformed_document(document: Document, number: SupportsIndex) -> Document:
    """Return a copy of a document with its points transformed as by `Board.transformed`. Raises `ValueError` as that
    does.
    """
    symmetry = integer("a symmetry", number)
    if not 0 <= symmetry <= 7:
        raise ValueError(f"a symmetry is a number from 0 to 7, not {symmetry!r}")
    out = deepcopy(document)
    before = document.width, document.height
    width, height = before[::-1] if symmetry & 4 else before

    def moved(point: Point) -> Point:
        x, y = point[::-1] if symmetry & 4 else point
        return width - 1 - x if symmetry & 1 else x, height - 1 - y if symmetry & 2 else y

    out.width, out.height = width, height
    out.properties = _properties(out.properties, before, moved)
    for branch in out.tree.walk():
        if branch.pre is not None:
            _set_up(branch.pre, moved)
        for step in branch.steps:
            _step(step, before, moved)
    return out


def _set_up(pre: Setup, moved: Callable[[Point], Point]) -> None:
    for stone in pre.stones:
        stone.point = moved(stone.point)
    for mark in pre.marks:
        mark.point = moved(mark.point)


def _step(step: Step, size: Point, moved: Callable[[Point], Point]) -> None:
    action: Any = step.action
    if isinstance(action, (Move, MarkAction)) and action.point is not None:
        action.point = moved(action.point)
    elif isinstance(action, Edit):
        for stone in action.stones:
            stone.point = moved(stone.point)
    for mark in step.marks:
        mark.point = moved(mark.point)
    if step.properties:
        step.properties = _properties(step.properties, size, moved)


def _properties(raw: Properties, size: Point, moved: Callable[[Point], Point]) -> Properties:
    """Properties with transformed points. The codes of Giseong, which only repeat the points, are omitted."""
    out: Properties = {}
    for name, values in raw.items():
        known = PROPERTIES.get(name)
        if known is not None and known.value in _OF_POINTS:
            out[name] = tuple(_value(value, known.value, size, moved) for value in values)
        elif name != "giseong":
            out[name] = values
    return PropertyDict(out)


def _value(value: str, kind: str, size: Point, moved: Callable[[Point], Point]) -> str:
    """One value; other texts than points do not change."""
    first, colon, second = value.partition(":")
    one, two = sgf_point(first, *size), sgf_point(second, *size)
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
