"""The formats that records can be converted to: each a document that it can hold, and that as bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ..document import Document
from ..formats.sgf_write import document_to_sgf
from ..formats.wei7_write import document_to_json
from ..limits import DEFAULT_LIMITS, Limits
from ..losses import Loss
from .to_sgf import to_sgf
from .to_wei7 import to_wei7

__all__ = ["TARGETS", "Target", "convert_document", "encode_document"]

Converted = tuple[Document, list[Loss]]


@dataclass(frozen=True, slots=True)
class Target:
    """One format: the suffix of a file of one record and of one of many, and how a document gets there."""

    name: str
    suffix: str
    suffix_of_many: str
    convert: Callable[[Document, Limits], Converted]
    write: Callable[[Document], bytes]


def _to_sgf(document: Document, _limits: Limits) -> Converted:
    return to_sgf(document)


def _to_wei7(document: Document, limits: Limits) -> Converted:
    return to_wei7(document, limits=limits)


def _to_revision_2(document: Document, limits: Limits) -> Converted:
    return to_wei7(document, 2, limits=limits)


TARGETS: Final = {
    row.name: row
    for row in (
        Target("wei7", ".wei7", ".jsonl", _to_wei7, document_to_json),
        Target("wei7-rev2", ".wei7", ".jsonl", _to_revision_2, document_to_json),
        Target("sgf", ".sgf", ".sgf", _to_sgf, document_to_sgf),
    )
}
"""By name, as `--to` and `dumps` take it."""


def convert_document(document: Document, format: str, limits: Limits = DEFAULT_LIMITS) -> Converted:
    """Return a new document that the format named `format` can hold, and what was lost.

    Raises `ValueError` for a format that is not in `TARGETS`, and what `to_sgf`
    and `to_wei7` raise.
    """
    return _target(format).convert(document, limits)


def encode_document(document: Document, format: str, limits: Limits = DEFAULT_LIMITS) -> tuple[bytes, list[Loss]]:
    """Return the document, converted, as the bytes of a format, and what was lost; raises as `convert_document`."""
    converted, losses = convert_document(document, format, limits)
    return _target(format).write(converted), losses


def _target(format: str) -> Target:
    if format not in TARGETS:
        raise ValueError(f"records cannot be written as {format!r}, only as {', '.join(TARGETS)}")
    return TARGETS[format]
