"""Properties of SGF in a document written as wei7 3.0 without conversion: those without a member are losses."""

from __future__ import annotations

from typing import Final

from ...formats.sgf.info import changed_properties
from ...record.document import Document, Properties
from ...replaying.cursor import Place
from .loss_paths import LossPath
from .report import Loss, LossReport


def properties_dropped(document: Document) -> list[Loss]:
    """Return a loss for each property of the root and of the steps without a member in wei7."""
    losses = LossReport()
    mapped = {name for name, values in changed_properties(document.info, {}).items() if values is not None}
    pre = document.tree.pre
    if pre is not None and pre.stones:
        mapped.add("HA")
    _add(losses, document.properties, LossPath(Place(document.tree), "pre"), {*mapped, *_OF_THE_TEXT})
    if any(step.properties for branch in document.tree.walk() for step in branch.steps):
        waiting = [Place(document.tree)]
        while waiting:
            place = waiting.pop()
            for index, step in enumerate(place.branch.steps):
                _add(losses, step.properties, LossPath(place, index), set())
            waiting.extend(reversed(place.below()))
    return losses.losses()


_OF_THE_TEXT: Final = ("FF", "GM", "CA", "SZ")
_MAPPED: Final = ("C", "TR", "CR", "SQ", "MA", "SL", "LB", "TE", "BM")


def _add(losses: LossReport, properties: Properties, at: LossPath, mapped: set[str]) -> None:
    for name in properties:
        if name not in mapped and name not in _MAPPED:
            losses.add("property-dropped", at, f"wei7 has no member for the property {name[:40]}", kind=name)
