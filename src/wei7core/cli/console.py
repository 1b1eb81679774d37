"""The output of the command line for people: a table of results, lines of problems, a summary."""

from __future__ import annotations

import io
import os
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Literal, Protocol, TextIO

from .._util.words import counted
from ..errors import ERROR, Problem, ProblemFields, clause_text, fields_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

    from ..batch.examined import ExaminedRecords
    from ..batch.results import Results
    from ..batch.single_records import ReplayedRecord

_HEADINGS: Final = ("record", "size", "moves", "passes", "takebacks", "B lost", "W lost", "hash", "result")
_TO_RIGHT: Final = (False, False, True, True, True, True, True, False, False)
_SHOWN: Final = (
    *("width", "height", "moves", "passes", "takebacks", "black_captured", "white_captured"),
    *("hash", "problems"),
)
_LEFT_OUT: Final = ("passes", "takebacks")  # on a narrow terminal
_LEAST_NAME: Final = 20
_USUAL_RESULT: Final = 10
_RICH_RESULT: Final = 30
_RICH_ROOM: Final = 72  # the least for the figures, a name and a few words
_GAP: Final = "  "
_ROWS_MEASURED: Final = 200


def plain(text: str) -> str:
    """Return `text` with control and unprintable characters escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def has_colors(file: TextIO) -> bool:
    """Whether colors can be used: on a terminal that is not `dumb`, and without NO_COLOR."""
    environment = os.environ
    return file.isatty() and environment.get("TERM") != "dumb" and not environment.get("NO_COLOR")


def has_stones(file: TextIO) -> bool:
    """Whether the encoding of a file has the stones and lines of boards that `board.draw.terminal` draws."""
    try:
        "\u25cf\u25cb\u254b\u251c".encode(file.encoding or "utf-8")
    except (UnicodeError, LookupError):
        return False
    return True


def finding_line(label: str, problem: Problem) -> str:
    """Return one line about a problem, in the format of compilers, so that editors can jump to the place."""
    return problem_line(label, fields_of(problem))


def problem_line(label: str, problem: ProblemFields) -> str:
    """Return what `finding_line` does, of the fields of a problem."""
    code, clause, severity, _, line, column, path, message = problem
    return plain(f"{label}:{line}:{column}: {severity}: {message} [{code}, {clause_text(code, clause)}] {path}")


class ResultPrinter:
    """Prints records as a table with aligned columns, as they arrive.

    The first rows set the widths; a longer later row exceeds them. On a terminal with too few columns (`room`) some
    figures are omitted and long names lose their beginning. Where rich is installed (the extra `cli`), it draws what a
    terminal shows, a table for each 200 records: errors in color, with sentences that continue in the next line.
    """

    def __init__(self, file: TextIO, room: int | None = None) -> None:
        self._file = file
        self._room = room
        self._places: Sequence[int] = range(len(_HEADINGS))
        self._longest_name: int | None = None
        self._waiting: list[Sequence[str]] = [_HEADINGS]
        self._widths: list[int] = []
        self._console = None if room is None or room < _RICH_ROOM else rich_console(file)

    def add(self, cells: Sequence[str]) -> None:
        """Print one of `result_cells`, or buffer it until the widths are known."""
        if self._widths and self._console is None:
            self._print(cells)
            return
        self._waiting.append(cells)
        if len(self._waiting) > _ROWS_MEASURED:
            self.close()

    def close(self) -> None:
        """Print the buffered records."""
        waiting, self._waiting = self._waiting, []
        if waiting and not self._widths:
            self._widths = [max(map(_width, column)) for column in zip(*waiting, strict=True)]
            self._fit()
        if self._console is not None:
            if waiting:
                self._console.print(self._rich_table(waiting))
            return
        for cells in waiting:
            self._print(cells)

    def _fit(self) -> None:
        # Errors are sentences, which may continue in the next line.
        usual = _USUAL_RESULT if self._console is None else min(_RICH_RESULT, self._widths[-1])
        widths = [*self._widths[:-1], usual]
        if self._room is None or sum(widths) + len(_GAP) * (len(widths) - 1) <= self._room:
            return
        self._places = [place for place, heading in enumerate(_HEADINGS) if heading not in _LEFT_OUT]
        others = sum(len(_GAP) + widths[place] for place in self._places[1:])
        self._longest_name = max(_LEAST_NAME, self._room - others)
        self._widths[0] = min(self._widths[0], self._longest_name)

    def _cell(self, cells: Sequence[str], place: int) -> str:
        longest = None if place else self._longest_name
        return cells[place] if longest is None else _end_of(cells[place], longest)

    def _rich_table(self, rows: Iterable[Sequence[str]]) -> RichTable:
        from rich.table import Table as RichTable
        from rich.text import Text

        table = RichTable(box=None, pad_edge=False, padding=(0, len(_GAP), 0, 0), show_header=False)
        for place in self._places:
            is_last = place == len(_HEADINGS) - 1
            justify: Literal["right", "left"] = "right" if _TO_RIGHT[place] else "left"
            table.add_column(justify=justify, no_wrap=not is_last, min_width=None if is_last else self._widths[place])
        for cells in rows:
            style = "bold" if cells is _HEADINGS else "red" if cells[-1].startswith("error") else ""
            table.add_row(*(Text(self._cell(cells, place)) for place in self._places), style=style)
        return table

    def _print(self, cells: Sequence[str]) -> None:
        parts = []
        for place in self._places:
            cell = self._cell(cells, place)
            space = " " * (self._widths[place] - _width(cell))
            parts.append(space + cell if _TO_RIGHT[place] else cell + space)
        self._file.write(_GAP.join(parts).rstrip() + "\n")


def rich_console(file: TextIO) -> Console | None:
    """Return the console of the optional package rich for a terminal, None where it is not installed."""
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console(file=file, highlight=False)


def result_cells(records: ExaminedRecords) -> list[Sequence[str]]:
    """Return the cells of the table for each record."""
    from ..batch.assemble import LACKS_GAME  # which loads the engine

    rows, names = records.result.rows, list(map(plain, records.labels()))
    columns = [rows[name].tolist() for name in _SHOWN]
    lacks = rows["lacks"].tolist()
    made: list[Sequence[str]] = []
    for name, *figures, hash, problems in zip(names, *columns, strict=True):
        lack = lacks[len(made)]
        size, result = (
            "-" if lack >= LACKS_GAME else _size(*figures[:2]),
            counted(problems, "problem") if problems else "ok",
        )
        shown = "-" if lack else f"{hash:016x}"[:8]
        made.append((name, size, *map(str, figures[2:]), shown, result))
    failed = records.rows[records.rows["is_error"]]
    for place, (error,) in records.described(failed):
        problem = Problem(*error)
        made[place] = (*made[place][:-1], plain(_failure(problem.message, problem, int(rows["problems"][place]))))
    for place in records.single_places():
        made[place] = _cells(records.outcome(place))
    return made


def _cells(outcome: ReplayedRecord) -> tuple[str, ...]:
    row = outcome.row
    figures = (row.moves, row.passes, row.takebacks, row.black_captured, row.white_captured)
    short_hash = "-" if row.hash is None else f"{row.hash:016x}"[:8]
    return (plain(outcome.label), _size(row.width, row.height), *map(str, figures), short_hash, plain(_result(outcome)))


def _size(width: int | None, height: int | None) -> str:
    return f"{width}x{height}" if width and height else "-"


def _result(outcome: ReplayedRecord) -> str:
    row = outcome.row
    if row.error is None:
        return counted(row.problems, "problem") if row.problems else "ok"
    problem = next((p for p in outcome.problems if (p.code, p.offset) == (row.error, row.error_offset)), None)
    assert row.error_message is not None
    return _failure(row.error_message, problem if outcome.record is not None else None, row.problems)


def _failure(message: str, place: Problem | None, problems: int) -> str:
    where = f" (line {place.line}, column {place.column})" if place else ""
    others = f"; {counted(problems - 1, 'other problem')}" if problems > 1 else ""
    return f"error: {message}{where}{others}"


def _width(text: str) -> int:
    """The width of `text` in columns of a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _end_of(text: str, room: int) -> str:
    """`text`, or three dots and as much of its end as fits into `room` columns."""
    if _width(text) <= room:
        return text
    remaining = room - 3
    begin = len(text)
    while remaining >= (width := _width(text[begin - 1])):
        begin -= 1
        remaining -= width
    return "..." + text[begin:]


class _Passing(Protocol):
    """A source that skips files, such as `wei7core.sources.Sources`."""

    def name_passed_over(self, tell: Callable[[str], object]) -> None: ...


class Tally:
    """The counts for the summary and the exit status.

    `failures` counts the records with an error in their row, by its code; `codes` all problems that are errors, by
    their codes: in a tolerant replay most of them do not stop the record.
    """

    def __init__(self) -> None:
        self.records = 0
        self.moves = 0
        self.warnings = 0
        self.failures: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self._start = time.perf_counter()

    def add(self, outcome: ReplayedRecord) -> None:
        """Count one outcome."""
        problems: Counter[tuple[str, str]] = Counter([(problem.severity, problem.code) for problem in outcome.problems])
        error = outcome.row.error
        self.count(1, outcome.row.moves, {} if error is None else {error: 1}, problems)

    def count(
        self, records: int, moves: int, failures: Mapping[str, int], problems: Mapping[tuple[str, str], int]
    ) -> None:
        """Count many records and their moves; records with an error by its code, problems by (severity, code)."""
        self.records += records
        self.moves += moves
        self.failures.update(failures)
        for (severity, code), count in problems.items():
            if severity == ERROR:
                self.codes[code] += count
            else:
                self.warnings += count

    @property
    def not_replayed(self) -> int:
        """The number of records with an error in their row, which were not replayed to their end."""
        return self.failures.total()

    @property
    def errors(self) -> int:
        """The number of problems that are errors."""
        return sum(self.codes.values())

    def add_results(self, results: Results) -> None:
        """Count a table of records."""
        self.count(len(results), results.move_count, results.error_codes, results.problems)

    @property
    def seconds(self) -> float:
        """Seconds since the tally was made."""
        return time.perf_counter() - self._start


def replay_summary(tally: Tally, passed_over: int, seconds: float) -> list[str]:
    """Return the summary lines of a replay: figures, errors that stopped records, other errors."""
    moves = tally.moves
    parts = [counted(tally.records, "record"), counted(moves, "move")]
    parts.append(f"{counted(tally.not_replayed, 'record')} with an error")
    parts.append(counted(tally.errors + tally.warnings, "problem"))
    if passed_over:
        parts.append(f"{counted(passed_over, 'other file')} skipped")
    parts.append(f"{seconds:.1f} s")
    if moves and seconds > 0:
        parts.append(f"{moves / seconds:,.0f} moves a second")
    lines = [", ".join(parts)]
    if tally.failures:
        lines.append(f"not replayed to their end: {_by_code(tally.failures)}")
    if tally.codes:
        lines.append(f"errors among the problems of all records: {_by_code(tally.codes)}")
    return lines


def _by_code(codes: Mapping[str, int]) -> str:
    """The codes with their counts, the most frequent ones first."""
    ordered = sorted(codes.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count:,} {code}" for code, count in ordered)


def name_passed_over(sources: _Passing) -> None:
    """Name each file that `sources` skips on standard error."""
    sources.name_passed_over(lambda name: print(f"skipped: {plain(name)}", file=sys.stderr))


def report(lines: Iterable[str], *, quiet: bool) -> None:
    """Print the summary of a job to standard error, after all other output; nothing if quiet."""
    sys.stdout.flush()
    if not quiet:
        print("\n".join(lines), file=sys.stderr)


class _Lenient(io.TextIOWrapper):
    """Text output that drops what cannot be written."""

    def write(self, text: str, /) -> int:
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()


def drop_lost_messages() -> None:
    """Let the process go on, and keep its status, where standard error cannot be written."""
    stderr = sys.stderr
    if isinstance(stderr, io.TextIOWrapper):
        sys.stderr = _Lenient(stderr.buffer, stderr.encoding, stderr.errors, line_buffering=True)


def stdout_for(kind: str) -> TextIO:
    """Return standard output, configured so that every text can be written: escaped, or UTF-8 for tables of data."""
    stdout = sys.stdout
    if isinstance(stdout, io.TextIOWrapper):
        if kind == "table":
            stdout.reconfigure(errors="backslashreplace")
        else:
            stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="")
    return stdout
