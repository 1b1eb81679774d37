"""Copying edits of raw properties to the attributes with the same meaning.

A document contains some values twice: the comment of a step is also its C, the name of Black also PB of the root.
Writers use the attributes. So changes of the properties alone are copied to the attributes before a document is
written; where both were changed, the attributes count, but for a property of the root that the record did not have: in
other formats only the attribute was read. Properties that are moves, setup or the size of the board are refused.

Any thread may call this while no other uses the document.
"""

from __future__ import annotations

from typing import Final

from ...record.document import (
    Document,
    Info,
    Move,
    Properties,
    PropertyDict,
    Setup,
    Step,
    refuse_names,
    require_info,
    require_step,
)
from ...record.record import noted_steps
from .info import MEMBERS, info_from_properties, set_member
from .properties import comment, evaluation, marks, points

_ELSEWHERE: Final = {
    "AB": "stones are set up by the `pre` of a branch or an Edit",
    "AW": "stones are set up by the `pre` of a branch or an Edit",
    "AE": "points are emptied by an Edit",
    "B": "a move is a step",
    "W": "a move is a step",
    "SZ": "the size is that of the game",
}


def apply_properties(document: Document) -> None:
    """Copy edits of all properties of a document to its attributes. Raises `ValueError` for those that are refused."""
    require_info(document)
    apply_root_properties(document)
    size = document.width, document.height
    for branch in document.tree.walk():
        if branch.title is not None and not isinstance(branch.title, str):
            raise TypeError(f"the title of a branch is a text, not {branch.title!r:.80}")
        if (pre := branch.pre) is not None:
            if not isinstance(pre, Setup):
                raise TypeError(f"the pre of a branch is a Setup object, not {pre!r:.80}")
            refuse_names(*pre.stones, *pre.marks)
            if document.replaces and pre == Setup():  # where the comment or marks were removed: SGF has no pause points
                branch.pre = None
        for step in noted_steps(branch.steps):
            require_step(step)
            raw = step.properties
            if (raw or type(raw) is PropertyDict) and _read(raw) is not None:
                apply_step_properties(step, size)


def apply_root_properties(document: Document) -> None:
    """Copy edits of the properties of the root to its attributes. Raises `ValueError` for those that are refused."""
    if document.record_of_root is not None:
        return
    raw, before = document.properties, _read(document.properties)
    if before is None:
        return
    size = document.width, document.height
    _refuse(raw, before, size, "the root")
    apply_info_properties(document.info, before, raw)
    pre = document.tree.pre
    text, shown = (None, []) if pre is None else (pre.comment, pre.marks)
    if text == comment(before) != comment(raw):
        pre = document.tree.pre = pre or Setup()
        pre.comment = comment(raw)
    if _sorted(shown) == _sorted(marks(before, *size)) != _sorted(marks(raw, *size)):
        pre = document.tree.pre = pre or Setup()
        pre.marks = marks(raw, *size)
    document.properties = PropertyDict(raw)


def apply_info_properties(info: Info, before: Properties, raw: Properties) -> None:
    """Apply changes of the properties to `info`."""
    old, new = info_from_properties(before), info_from_properties(raw)
    for name, get, _ in MEMBERS:
        is_added = isinstance(raw, PropertyDict) and name not in before
        if (is_added or get(info) == get(old)) and get(old) != get(new):
            set_member(info, name, new)


def apply_step_properties(step: Step, size: tuple[int, int]) -> None:
    """Copy edits of the properties of a step to its attributes. Raises `ValueError` for those that are refused."""
    raw, before = step.properties, _read(step.properties)
    if before is None:
        return
    _refuse(raw, before, size, "a step")
    if step.comment == comment(before):
        step.comment = comment(raw)
    if _sorted(step.marks) == _sorted(marks(before, *size)):
        step.marks = marks(raw, *size)
    if isinstance(step.action, Move) and step.action.evaluation == evaluation(before) != evaluation(raw):
        step.action.evaluation = evaluation(raw)
    step.properties = PropertyDict(raw)


def _read(raw: Properties) -> Properties | None:
    """The properties before the change; None if unchanged."""
    return raw.read if isinstance(raw, PropertyDict) else {}


def _sorted(shown: object) -> list[str]:
    return sorted(map(repr, shown))  # type: ignore[call-overload]  # a list of property values


def _refuse(raw: Properties, before: Properties, size: tuple[int, int], owner: str) -> None:
    for name, why in _ELSEWHERE.items():
        values = raw.get(name, ())
        if values != before.get(name, ()) and (name in ("B", "W", "SZ") or points(values, *size)):
            raise ValueError(f"the property {name} of {owner} cannot be changed as text: {why}")
