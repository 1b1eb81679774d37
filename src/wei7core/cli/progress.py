"""The progress of long jobs on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, TextIO

from .._util.words import counted
from .console import rich_console

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from .console import Tally

_FIRST: Final = 1.0
_NEXT: Final = 0.25


class InputProgress(Protocol):
    """The input of a job in progress, such as `wei7core.sources.Sources`."""

    bytes_read: int
    files_read: int

    @property
    def bytes_in_all(self) -> int | None:
        """The final value of `bytes_read`, or None if unknown."""

    @property
    def files_in_all(self) -> int | None:
        """The final value of `files_read`, or None if unknown."""


class Progress:
    """Shows the progress of a long job on a terminal; silent elsewhere, and in the first second.

    Where rich is installed (the extra `cli`), it draws a bar before the line of text.
    `reading` returns the number of bytes read, and their total if known in advance; else, as for folders, those of
    files.
    """

    def __init__(
        self, tally: Tally, file: TextIO, *, wanted: bool = True, reading: InputProgress | None = None
    ) -> None:
        self._tally = tally
        self._file = file
        self._wanted = wanted and file.isatty()
        self._reading = reading
        self._bytes_in_all: int | None = None
        self._files_in_all: int | None = None
        self._next = _FIRST
        self._shown = False
        self._bar: Bar | None = None

    def step(self) -> None:
        """Show the state if it is time to."""
        if not self._wanted or (seconds := self._tally.seconds) < self._next:
            return
        if not self._shown and self._reading is not None:
            self._bytes_in_all = self._reading.bytes_in_all
            self._files_in_all = None if self._bytes_in_all is not None else self._reading.files_in_all
        self._shown = True
        self._bar = self._bar or _started_bar(self._file)
        self._next = seconds + _NEXT
        done, in_all = 0, None
        parts = [counted(self._tally.records, "record"), f"{self._tally.records / seconds:,.0f} a second"]
        if self._reading is not None and (done := self._reading.bytes_read):
            parts.append(f"{done / seconds / 1e6:,.1f} MB/s")
            in_all = self._bytes_in_all
            if self._files_in_all is not None:
                done, in_all = self._reading.files_read, self._files_in_all
                parts.append(f"{done:,} of {counted(in_all, 'file')}")
            if in_all is not None and 0 < done <= in_all:
                parts.append(f"{_clock(seconds * (in_all - done) / done)} left")
        text = ", ".join(parts)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], description=text, completed=done, total=in_all, refresh=True)
            return
        self._file.write(f"\r{text}\x1b[K")
        self._file.flush()

    def close(self) -> None:
        """Clear the line; the next step shows it again."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        elif self._shown:
            self._file.write("\r\x1b[K")
            self._file.flush()


def _started_bar(file: TextIO) -> Bar | None:
    """A bar of rich, None where it is not installed."""
    console = rich_console(file)
    if console is None:
        return None
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    # It is drawn by `step` alone, without a thread, and goes when the job ends. Standard output stays as it is: rich
    # would write it to the terminal of the bar.
    columns = BarColumn(20), TextColumn("{task.description}")
    bar = Bar(*columns, console=console, auto_refresh=False, transient=True, redirect_stdout=False)
    bar.add_task("", total=None)
    bar.start()
    return bar


def _clock(seconds: float) -> str:
    """Seconds as minutes and seconds, with hours if there are any."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
