"""Properties of SGF in a document written as wei7 without conversion: what has no member is a loss."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, Final

from ...record.document import Document, Mark, Move
from ...record.record import noted_steps
from ...replaying.cursor import Place
from .loss_paths import BLACK, LossPath, TextAdapter
from .report import Loss, LossReport
from .sgf_remarks import add_shape, is_in_evaluation
from .wei7_info import InfoForWei7


def properties_dropped(document: Document) -> list[Loss]:
    """Return a loss for each property of the root and of the steps without a member in wei7, and for each shape."""
    losses = LossReport()
    at = LossPath(Place(document.tree), "pre")
    if document.properties:
        _add(losses, _not_in_info(document, at), at)
    owners = ((branch.pre, *noted_steps(branch.steps)) for branch in document.tree.walk())
    waiting = [Place(document.tree)] if any(any(map(_has_more, some)) for some in owners) else []
    while waiting:
        place = waiting.pop()
        if place.branch.pre is not None:
            _add_shapes(losses, place.branch.pre.marks, LossPath(place, "pre"))
        for index, step in enumerate(place.branch.steps):
            at, raw, move = LossPath(place, index), step.properties, step.action
            known = isinstance(move, Move) and [
                name for name in ("TE", "BM") if name in raw and is_in_evaluation(name, raw, move.evaluation)
            ]
            _add(losses, raw, at, known or ())
            _add_shapes(losses, step.marks, at)
        waiting.extend(reversed(place.below()))
    return losses.losses()


_MAPPED: Final = ("C", "TR", "CR", "SQ", "MA", "SL", "LB")


def _not_in_info(document: Document, at: LossPath) -> Iterable[str]:
    """The properties of the root of which `info` and the setup have not the whole meaning."""
    pre, unlisted = document.tree.pre, LossReport()
    blacks = sum(stone.color == BLACK for stone in pre.stones) if pre is not None else 0
    info = InfoForWei7(document, unlisted, TextAdapter(unlisted))
    remaining = info.remaining_properties(blacks, at)
    return [name for name in document.properties if name in remaining or name in ("EV", "RO")]


def _has_more(owner: Any) -> bool:
    """Whether a `pre` or a step has properties or shapes."""
    return owner is not None and bool(getattr(owner, "properties", ()) or any(mark.shape for mark in owner.marks))


def _add(losses: LossReport, names: Iterable[str], at: LossPath, known: Container[str] = ()) -> None:
    for name in names:
        if name not in known and name not in _MAPPED:
            losses.add("property-dropped", at, f"wei7 has no member for all of {name[:40]}", kind=name)


def _add_shapes(losses: LossReport, marks: Iterable[Mark], at: LossPath) -> None:
    for mark in marks:
        if mark.shape:
            add_shape(losses, mark.shape, mark.symbol, at)
