"""What the command line shows to people: a table of results, lines of problems, progress, a summary."""

from __future__ import annotations

import io
import sys
import time
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TextIO

from .errors import ERROR, Problem

if TYPE_CHECKING:
    from .batch import Outcome
    from .results import Results

__all__ = ["Progress", "ResultPrinter", "Tally", "counted", "finding_line", "plain", "stdout_for"]

_HEADINGS: Final = ("record", "size", "moves", "passes", "takebacks", "B lost", "W lost", "hash", "result")
_TO_RIGHT: Final = (False, False, True, True, True, True, True, False, False)
_LEFT_OUT: Final = ("passes", "takebacks")  # on a narrow terminal
_LEAST_NAME: Final = 20
_USUAL_RESULT: Final = 10
_GAP: Final = "  "
_ROWS_MEASURED: Final = 200
_FIRST_PROGRESS: Final = 1.0
_NEXT_PROGRESS: Final = 0.25


def plain(text: str) -> str:
    """Return `text` with what would move the cursor or cannot be shown written as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def counted(number: int, noun: str) -> str:
    """Return number and noun, with an s where the number is not one."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def finding_line(label: str, problem: Problem) -> str:
    """Return one line about a problem; it starts as compilers write it, so editors can jump to the place."""
    return plain(
        f"{label}:{problem.line}:{problem.column}: {problem.severity}: {problem.message} "
        f"[{problem.code}, {problem.clause_text}] {problem.path}"
    )


class ResultPrinter:
    """Prints outcomes as a table with aligned columns, as they come.

    The first rows set the widths; a later one that needs more room takes it.
    Where a terminal has only `room` columns and the table needs more, some
    figures are left out and long names lose their beginning.
    """

    def __init__(self, file: TextIO, room: int | None = None) -> None:
        self._file = file
        self._room = room
        self._places: Sequence[int] = range(len(_HEADINGS))
        self._longest_name: int | None = None
        self._waiting: list[Sequence[str]] = [_HEADINGS]
        self._widths: list[int] = []

    def add(self, outcome: Outcome) -> None:
        """Print one outcome, or keep it until the widths are known."""
        cells = _cells(outcome)
        if self._widths:
            self._print(cells)
            return
        self._waiting.append(cells)
        if len(self._waiting) > _ROWS_MEASURED:
            self.close()

    def close(self) -> None:
        """Print what was kept."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._widths = [max(map(_width, column)) for column in zip(*waiting, strict=True)]
            self._fit()
        for cells in waiting:
            self._print(cells)

    def _fit(self) -> None:
        # Errors are sentences, which may go on in the next line.
        widths = [*self._widths[:-1], _USUAL_RESULT]
        if self._room is None or sum(widths) + len(_GAP) * (len(widths) - 1) <= self._room:
            return
        self._places = [place for place, heading in enumerate(_HEADINGS) if heading not in _LEFT_OUT]
        others = sum(len(_GAP) + widths[place] for place in self._places[1:])
        self._longest_name = max(_LEAST_NAME, self._room - others)
        self._widths[0] = min(self._widths[0], self._longest_name)

    def _print(self, cells: Sequence[str]) -> None:
        parts = []
        for place in self._places:
            cell = cells[place]
            if place == 0 and self._longest_name is not None:
                cell = _end_of(cell, self._longest_name)
            space = " " * (self._widths[place] - _width(cell))
            parts.append(space + cell if _TO_RIGHT[place] else cell + space)
        self._file.write(_GAP.join(parts).rstrip() + "\n")


def _cells(outcome: Outcome) -> tuple[str, ...]:
    row = outcome.row
    size = f"{row.width}x{row.height}" if row.width and row.height else "-"
    figures = (row.moves, row.passes, row.takebacks, row.black_captured, row.white_captured)
    short_hash = "-" if row.hash is None else f"{row.hash:016x}"[:8]
    return (plain(outcome.label), size, *map(str, figures), short_hash, plain(_result(outcome)))


def _result(outcome: Outcome) -> str:
    row = outcome.row
    if row.error is None:
        return counted(row.problems, "problem") if row.problems else "ok"
    problem = next((p for p in outcome.problems if (p.code, p.offset) == (row.error, row.error_offset)), None)
    place = f" (line {problem.line}, column {problem.column})" if problem and outcome.record is not None else ""
    others = f"; {counted(row.problems - 1, 'other problem')}" if row.problems > 1 else ""
    return f"error: {row.error_message}{place}{others}"


def _width(text: str) -> int:
    """Columns that a terminal needs for `text`."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _end_of(text: str, room: int) -> str:
    """`text`, or as much of its end as fits into `room` columns after three dots."""
    if _width(text) <= room:
        return text
    left = room - 3
    begin = len(text)
    while left >= (width := _width(text[begin - 1])):
        begin -= 1
        left -= width
    return "..." + text[begin:]


class Tally:
    """Counts what went by, for the summary and the exit status."""

    def __init__(self) -> None:
        self.records = 0
        self.moves = 0
        self.not_replayed = 0
        self.errors = 0
        self.warnings = 0
        self._start = time.perf_counter()

    def add(self, outcome: Outcome) -> None:
        """Count one outcome."""
        self.records += 1
        self.moves += outcome.row.moves
        self.not_replayed += outcome.row.error is not None
        for problem in outcome.problems:
            if problem.severity == ERROR:
                self.errors += 1
            else:
                self.warnings += 1

    def add_results(self, results: Results) -> None:
        """Count a table of records."""
        self.records += len(results)
        self.moves += results.move_count
        self.not_replayed += results.error_count
        for (severity, _), count in results.problems.items():
            if severity == ERROR:
                self.errors += count
            else:
                self.warnings += count

    @property
    def seconds(self) -> float:
        """Seconds since the tally was made."""
        return time.perf_counter() - self._start


class Progress:
    """Says on a terminal how far a long job has come; silent elsewhere, and in the first second."""

    def __init__(self, tally: Tally, file: TextIO, *, wanted: bool = True) -> None:
        self._tally = tally
        self._file = file
        self._wanted = wanted and file.isatty()
        self._next = _FIRST_PROGRESS
        self._shown = False

    def step(self) -> None:
        """Show the state if it is time to."""
        if not self._wanted or (seconds := self._tally.seconds) < self._next:
            return
        self._next = seconds + _NEXT_PROGRESS
        self._shown = True
        rate = self._tally.records / seconds
        self._file.write(f"\r{counted(self._tally.records, 'record')}, {rate:,.0f} a second\x1b[K")
        self._file.flush()

    def close(self) -> None:
        """Wipe the line."""
        if self._shown:
            self._file.write("\r\x1b[K")
            self._file.flush()


def stdout_for(kind: str) -> TextIO:
    """Return standard output, set up so that no text can fail to be written: escaped, or UTF-8 for tables of data."""
    stdout = sys.stdout
    if isinstance(stdout, io.TextIOWrapper):
        if kind == "table":
            stdout.reconfigure(errors="backslashreplace")
        else:
            stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="")
    return stdout
