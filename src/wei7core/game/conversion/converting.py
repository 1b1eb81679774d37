"""A document as one that another format can hold, and that as bytes."""

from __future__ import annotations

from ...formats.registry import write_document
from ...limits import DEFAULT_LIMITS, Limits
from ...record.document import Document, require_no_cycle
from .from_giseong import without_codes
from .output_formats import target_named
from .report import Loss, LossList
from .to_giseong import to_giseong
from .to_sgf import to_sgf
from .to_wei7 import to_wei7
from .to_wei7xml import to_wei7xml

__all__ = ["convert_document", "encode_document"]


def convert_document(document: Document, format: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Document, list[Loss]]:
    """Return a new document that the format named `format` can hold, and what was lost.

    Raises `ValueError` for a format that is not in `TARGETS` and for a branch that contains itself, and what `to_sgf`,
    `to_wei7`, `to_wei7xml` and `to_giseong` raise. No other thread may change the document meanwhile.
    """
    target = target_named(format)
    require_no_cycle(document.tree)
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
