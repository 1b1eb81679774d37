"""The formats that records can be converted to: each a document that it can hold, and that as bytes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from ..document import Document
from ..formats.registry import write_document
from ..limits import DEFAULT_LIMITS, Limits
from ..losses import Loss, LossList
from .from_giseong import without_codes
from .to_giseong import to_giseong
from .to_sgf import to_sgf
from .to_wei7 import to_wei7
from .to_wei7xml import to_wei7xml

__all__ = ["TARGETS", "Target", "convert_document", "encode_document", "format_of", "target_named"]


@dataclass(frozen=True, slots=True)
class Target:
    """What a record can be converted to.

    `format` is the name by which the result is recognised, `revision` that of the wei7 specification it follows;
    `suffix` is that of a file of one record, `suffix_of_many` that of a file of any number, empty where there is none.
    """

    name: str
    format: str
    revision: int
    suffix: str
    suffix_of_many: str

    @property
    def suffixes(self) -> tuple[str, ...]:
        """All suffixes of its files."""
        return tuple(dict.fromkeys(suffix for suffix in (self.suffix, self.suffix_of_many) if suffix))


TARGETS: Final = {
    row.name: row
    for row in (
        Target("wei7", "wei7", 7, ".wei7", ".jsonl"),
        Target("wei7-rev2", "wei7", 2, ".wei7", ".jsonl"),
        Target("wei7-2.2", "wei7-2.2", 7, ".wei7", ""),
        Target("sgf", "sgf", 7, ".sgf", ".sgf"),
        Target("giseong", "giseong", 7, ".giseong", ""),
    )
}
"""By name, as `--to` and `dumps` take it."""


def target_named(format: str) -> Target:
    """Return the row of `TARGETS`; raises `ValueError` where there is none. Thread safe."""
    if format not in TARGETS:
        raise ValueError(f"records cannot be written as {format!r}, only as {', '.join(TARGETS)}")
    return TARGETS[format]


def format_of(path: str) -> str | None:
    """Return the name of the target that the suffix of a file stands for, in any case, or None. Thread safe."""
    suffix = os.path.splitext(path)[1].lower()
    return next((row.name for row in TARGETS.values() if suffix in row.suffixes), None)


def convert_document(document: Document, format: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Document, list[Loss]]:
    """Return a new document that the format named `format` can hold, and what was lost.

    Raises `ValueError` for a format that is not in `TARGETS`, and what `to_sgf`,
    `to_wei7`, `to_wei7xml` and `to_giseong` raise. No other thread may change the document meanwhile.
    """
    target = target_named(format)
    if target.format == "giseong":
        return to_giseong(document, limits=limits)
    before = LossList()
    document = without_codes(document, before, symbols=target.format != "sgf")
    if target.format == "sgf":
        converted, losses = to_sgf(document)
    elif target.format == "wei7-2.2":
        converted, losses = to_wei7xml(document, limits=limits)
    else:
        converted, losses = to_wei7(document, target.revision, limits=limits)
    return converted, before.losses() + losses


def encode_document(document: Document, format: str, limits: Limits = DEFAULT_LIMITS) -> tuple[bytes, list[Loss]]:
    """Return the document, converted, as the bytes of a format, and what was lost; see `convert_document`."""
    converted, losses = convert_document(document, format, limits)
    return write_document(converted, target_named(format).format), losses
