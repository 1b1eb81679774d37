"""`wei7core expand`: the possible moves in a position of a record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from .._util.words import counted
from ..batch.expansion import expand
from ..coordinates import point_name
from ..rules import Rules, Verdict
from ..tables.columns import Column, Texts
from ..tables.table import Table
from .show import ShownPosition

__all__ = ["CHOICE_COLUMNS", "ChoiceRow", "choice_lines", "choices_of", "summary"]

_COLORS: Final = {1: "Black", 2: "White"}


class ChoiceRow(NamedTuple):
    """One move of one position: its point as in GTP and as (x, y), the verdict of the rules, its effect."""

    point: str
    x: int
    y: int
    verdict: str
    captured: int
    lost: int
    self_atari: bool
    hash: int


CHOICE_COLUMNS: Final = (
    Column("point", "text"),
    Column("x", "integer", type="int32"),
    Column("y", "integer", type="int32"),
    Column("verdict", "text"),
    Column("captured", "integer", type="int32"),
    Column("lost", "integer", type="int32"),
    Column("self_atari", "integer", type="bool"),
    Column("hash", "hash"),
)
"""The columns of the moves of a position, in order."""

_TO_RIGHT: Final = {"captured", "lost"}
_LEFT_OUT: Final = {"x", "y"}


def choices_of(view: ShownPosition, color: int, rules: Rules) -> Table:
    """Return every move of a color at a place in a record; superko considers the moves that led there."""
    board = view.node.board
    data: dict[str, Any] = dict(expand(board, color, rules).data)
    x, y, reasons = (data[name].to_list(0, len(data[name])) for name in ("x", "y", "reason"))
    names = {verdict.value: verdict.reason for verdict in Verdict}
    data["point"] = Texts.of([point_name(point, board.height) for point in zip(x, y, strict=True)])
    data["verdict"] = Texts.of([names[reason] for reason in reasons])
    return Table(CHOICE_COLUMNS, data, ChoiceRow)


def choice_lines(table: Table) -> Iterator[str]:
    """The moves as lines of a table with a header line."""
    names = [column.name for column in CHOICE_COLUMNS if column.name not in _LEFT_OUT]
    rows = [names]
    for row in table:
        shown = row._replace(self_atari="yes" if row.self_atari else "-", hash=f"{row.hash:016x}")
        rows.append([str(getattr(shown, name)) for name in names])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        parts = zip(names, cells, widths, strict=True)
        line = "  ".join(cell.rjust(width) if name in _TO_RIGHT else cell.ljust(width) for name, cell, width in parts)
        yield line.rstrip()


def summary(view: ShownPosition, color: int, rules: Rules, table: Table) -> str:
    """Return the summary line: the color to play, and the number of legal moves."""
    legal = sum(row.verdict == Verdict.LEGAL.reason for row in table)
    return (
        f"move {view.node.move_number}, {_COLORS[color]} to play: {counted(len(table), 'empty point')}, "
        f"{legal} legal by {rules.name} rules"
    )
