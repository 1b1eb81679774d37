"""`wei7core expand`: the possible moves in a position of a record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .._util.words import counted
from ..batch.expansion import expand
from ..coordinates import point_name
from ..game.moves import COLOR_WORDS
from ..rules import Rules, Verdict
from ..tables.columns import Texts, columns_for
from ..tables.table import Table
from ..tables.writers import write_table
from .arguments import check_paths
from .console import plain, report
from .show import ShownPosition, find_view

if TYPE_CHECKING:
    import argparse

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


CHOICE_COLUMNS: Final = columns_for(ChoiceRow, x="int32", y="int32", captured="int32", lost="int32", hash="hash")
"""The columns of the moves of a position, in order."""

_TO_RIGHT: Final = {"captured", "lost"}
_LEFT_OUT: Final = {"x", "y"}


def expand_position(args: argparse.Namespace) -> bool:
    """List the possible moves of a position; return whether its record has no error. Raises `UsageError`."""
    check_paths([args.path], [args.output])
    outcome, view = find_view(args)
    if view is None:
        return False
    color = COLOR_WORDS[args.color] if args.color else view.to_play
    table = _choices(view, color, args.rules)
    if args.output:
        with write_table(args.output, CHOICE_COLUMNS) as writer:
            writer.write_columns(table.data)
    else:
        for line in _lines(table):
            print(line)
    legal = sum(row.verdict == Verdict.LEGAL.reason for row in table)
    summary = (
        f"move {view.node.move_number}, {_COLORS[color]} to play: {counted(len(table), 'empty point')}, "
        f"{legal} legal by {args.rules.name} rules"
    )
    report([f"{plain(outcome.label)}: {summary}"], quiet=args.quiet)
    return not outcome.row.error


def _choices(view: ShownPosition, color: int, rules: Rules) -> Table:
    """Every move of a color at a place in a record; superko considers the moves that led there."""
    board = view.node.board
    data: dict[str, Any] = dict(expand(board, color, rules).data)
    x, y, reasons = (data[name].to_list(0, len(data[name])) for name in ("x", "y", "reason"))
    names = {verdict.value: verdict.reason for verdict in Verdict}
    data["point"] = Texts.of([point_name(point, board.height) for point in zip(x, y, strict=True)])
    data["verdict"] = Texts.of([names[reason] for reason in reasons])
    return Table(CHOICE_COLUMNS, data, ChoiceRow)


def _lines(table: Table) -> Iterator[str]:
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
