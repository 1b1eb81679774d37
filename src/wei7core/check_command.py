"""`wei7core check`: findings as lines, tables and pictures, records put aside, codes explained."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from .checking.codes import CODES, GROUPS, Code
from .checking.finding import Finding
from .checking.finding_table import EVIDENCE_COLUMN, FINDING_COLUMNS, finding_columns
from .checking.selection import codes_called
from .columns import Column
from .console import counted, plain, stdout_for
from .table_files import TableWriter, table_kind, write_table

if TYPE_CHECKING:
    from .checking.quarantine import PutAside, Quarantine

__all__ = ["Job", "check_line", "explained", "print_findings", "summary_lines"]

_MOST_WAITING: Final = 1024
_WIDTH: Final = 80
_INDENT: Final = "    "
_RECORD_FREE: Final = "-"


def check_line(finding: Finding) -> str:
    """Return one line about a finding; it starts as compilers write it, so editors can jump to the place."""
    label = f"{finding.source}#{finding.record}" if finding.record else finding.source
    return plain(
        f"{label}:{finding.line}:{finding.column}: {finding.severity}: {finding.message} "
        f"[{finding.code}] {finding.path}"
    )


# --- codes in words ------------------------------------------------------------


def explained(name: str) -> Iterator[str]:
    """Yield the lines that explain a code, or that list the codes of a group, or all of them (`all`).

    Raises `wei7core.checking.selection.UnknownCodeError`.
    """
    codes = codes_called(name)
    if len(codes) == 1:
        yield from _one(codes[0])
        return
    width = max(len(code.name) for code in codes)
    for group, title in GROUPS.items():
        listed = [code for code in codes if code.group == group]
        if listed:
            yield f"{group}: {title}"
            for code in listed:
                yield f"  {code.name:<{width}}  {code.severity:<7}  {code.summary}"
            yield ""
    yield "wei7core check --explain CODE tells what a code means, why it matters and what usually causes it."


def _one(code: Code) -> Iterator[str]:
    severity = code.severity if code.gravest is None else f"{code.severity}, or {code.gravest}"
    yield f"{code.name} ({severity}; {code.group}: {GROUPS[code.group]})"
    yield from _wrapped(f"{code.summary[0].upper()}{code.summary[1:]}.", "")
    for title, text in (
        ("What it means", code.meaning),
        ("Why it matters", code.why),
        ("What usually causes it", code.causes),
    ):
        yield ""
        yield title
        yield from _wrapped(text, _INDENT)


def _wrapped(text: str, indent: str) -> list[str]:
    import textwrap

    return textwrap.wrap(
        text, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
