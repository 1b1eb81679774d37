"""Findings as rows of a table, for files and other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from ..tables.columns import Column, ColumnData, Texts, columns_of_rows
from .finding import Finding

FINDING_COLUMNS: Final = (
    Column("code", "text"),
    Column("severity", "text"),
    Column("source", "text"),
    Column("record", "integer"),
    Column("id", "text", optional=True),
    Column("branch", "text", optional=True),
    Column("move_number", "integer", optional=True, type="int32"),
    Column("color", "integer", optional=True, type="int8"),
    Column("x", "integer", optional=True, type="int32"),
    Column("y", "integer", optional=True, type="int32"),
    Column("offset", "integer"),
    Column("line", "integer"),
    Column("column", "integer"),
    Column("path", "text"),
    Column("message", "text"),
)
"""The columns of a CSV file of findings, in order."""

EVIDENCE_COLUMN: Final = Column("evidence", "text")
"""The additional column of other files: the evidence as a JSON object."""


def finding_columns(findings: Sequence[Finding], columns: Iterable[Column]) -> dict[str, ColumnData]:
    """Return the data of `columns`, by name, of `findings`."""
    columns = tuple(columns)
    data = columns_of_rows([column for column in columns if column != EVIDENCE_COLUMN], findings)
    if EVIDENCE_COLUMN in columns:
        data["evidence"] = Texts.of([json.dumps(dict(each.evidence), ensure_ascii=False) for each in findings])
    return data
