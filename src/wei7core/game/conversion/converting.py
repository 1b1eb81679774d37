"""Conversion of documents to another format, and to its bytes."""

from __future__ import annotations

from collections.abc import Iterable

from ...errors import ERROR, Problem
from ...formats.record_columns import SETUP
from ...formats.registry import read_document, write_document
from ...limits import DEFAULT_LIMITS, Limits
from ...record.document import Document, require_no_cycle
from ...record.record import Record
from ..output_formats import target_named
from .from_giseong import without_codes
from .plain_records import moved_losses, plain_record
from .plain_sgf import is_plain_sgf
from .report import Loss, LossReport
from .to_giseong import to_giseong
from .to_sgf import to_sgf
from .to_wei7 import to_wei7, without_empty_lists
from .to_wei7xml import to_wei7xml


def convert_document(document: Document, format: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Document, list[Loss]]:
    """Return a new document for the format named `format`, and the losses.

    Raises `ValueError` for a format that is not in `TARGETS` and for a branch that contains itself, and the exceptions
    of `to_sgf`, `to_wei7`, `to_wei7xml` and `to_giseong`. No other thread may change the document during the call.
    """
    target = target_named(format)
    require_no_cycle(document.tree)
    if target.format == "giseong":
        return to_giseong(document, limits=limits)
    before = LossReport()
    document = without_codes(document, before, symbols=target.format != "sgf")
    if target.format == "sgf":
        converted, losses = to_sgf(document)
    elif target.format == "wei7-2.2":
        converted, losses = to_wei7xml(document, limits=limits)
    else:
        converted, losses = to_wei7(document, target.revision, limits=limits)
    return converted, before.losses() + losses


def encode_document(document: Document, format: str, limits: Limits = DEFAULT_LIMITS) -> tuple[bytes, list[Loss]]:
    """Return the converted document as bytes of a format, and the losses; see `convert_document`."""
    converted, losses = convert_document(document, format, limits)
    return write_document(converted, target_named(format).format), losses


def encode_record(
    record: Record, format: str, problems: Iterable[Problem], limits: Limits = DEFAULT_LIMITS
) -> tuple[bytes, list[Loss]]:
    """Return a converted record as bytes of a format, and the losses; see `convert_document`.

    `problems` are all problems of the record. Moves of a record of SGF or wei7 without errors may need no objects.
    """
    problems = list(problems)
    if not any(problem.severity == ERROR for problem in problems):
        plain = plain_record(record, format, problems)
        if plain is not None:
            data, moved = plain
            return data, list(moved_losses(moved))
        target = target_named(format)
        if record.format == target.format == "wei7" and record.revision == target.revision and not problems:
            return write_document(without_empty_lists(read_document(record, runs=True)), "wei7"), []
        if record.format == target.format == "sgf" and SETUP not in record.steps["kind"]:
            document = read_document(record, runs=True)
            if is_plain_sgf(document, is_as_read=True):
                return write_document(document, "sgf"), []
    return encode_document(read_document(record), format, limits)
