"""Findings as rows of a table, for files and other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from ..tables.columns import Column, ColumnData, Texts, columns_for, columns_of_rows
from .finding import Finding

*_COLUMNS, _EVIDENCE = columns_for(Finding, move_number="int32", color="int8", x="int32", y="int32")

FINDING_COLUMNS: Final = tuple(_COLUMNS)
"""The columns of a CSV file of findings, in order."""

EVIDENCE_COLUMN: Final = _EVIDENCE
"""The additional column of other files: the evidence as a JSON object."""


def finding_columns(findings: Sequence[Finding], columns: Iterable[Column]) -> dict[str, ColumnData]:
    """Return the data of `columns`, by name, of `findings`."""
    columns = tuple(columns)
    data = columns_of_rows([column for column in columns if column != EVIDENCE_COLUMN], findings)
    if EVIDENCE_COLUMN in columns:
        data["evidence"] = Texts.of([json.dumps(dict(each.evidence), ensure_ascii=False) for each in findings])
    return data
