"""Tables as HTML for notebooks: the first rows and the last ones, texts escaped and cut."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .table import Table

_FIRST: Final = 15
_LAST: Final = 5
_LONGEST: Final = 60  # characters of a cell
_HASHES: Final = "hash"


def table_html(table: Table) -> str:
    """Return a table of at most 20 rows, a line with the number of rows omitted in the middle, and a caption."""
    count = len(table)
    shown: list[Sequence[tuple[int, Any]]]
    if count <= _FIRST + _LAST:
        shown = [list(enumerate(table[:count]))]
    else:
        begin = count - _LAST
        shown = [list(enumerate(table[:_FIRST])), list(enumerate(table[begin:], begin))]
    names = [column.name for column in table.columns]
    hashes = {column.name for column in table.columns if column.kind == _HASHES}
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    between = f'<tr><td colspan="{len(names) + 1}">\u2026 {count - _FIRST - _LAST:,} rows \u2026</td></tr>'
    bodies = [
        "".join(
            f"<tr><th>{number:,}</th>{''.join(_cell(getattr(row, name), name in hashes) for name in names)}</tr>"
            for number, row in part
        )
        for part in shown
    ]
    return (
        f"<table><caption>{escape(repr(table))}</caption><thead><tr><th></th>{head}</tr></thead>"
        f"<tbody>{between.join(bodies)}</tbody></table>"
    )


def _cell(value: Any, is_hash: bool) -> str:
    if value is None:
        return "<td></td>"
    text = f"{value:016x}" if is_hash and isinstance(value, int) else str(value)
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1] + "\u2026"
    # Half of a surrogate pair, as in file names, is not allowed in HTML.
    return f"<td>{escape(text.encode('utf-8', 'replace').decode('utf-8'))}</td>"
