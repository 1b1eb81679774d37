"""Files of wei7: one record, or a record a line, cut while they are read."""

from __future__ import annotations

from collections.abc import Iterator

from .._util.lazy_numpy import np
from ..errors import Problem
from ..formats import _split
from .chunks import MOST_BYTES, RecordBlock, RecordText, cut
from .read_buffer import CHUNK, Window

__all__ = ["is_of_lines", "line_items", "whole_item"]


def is_of_lines(window: Window, limit: int, chunk: int = CHUNK) -> bool:
    """Return whether a source holds a record a line: a whole JSON object, and on the next line another one begins.

    Reads on until that is known. Raises what reading the source raises.
    """
    while (known := _split.is_of_lines(window.text, window.final, limit)) is None:
        window.fill(max(2 * len(window.text), len(window.text) + chunk))
    return known


def line_items(
    window: Window, source: str, limit: int, too_long: Problem, chunk: int = CHUNK, number: int = 0
) -> Iterator[RecordBlock | RecordText]:
    """Yield the records of a source that holds one a line, counted from `number`; blank lines are passed over.

    A line of more than `limit` bytes is left out with the problem `too_long`. Raises what reading the source raises.
    """
    start = 0
    while True:
        text = window.text
        begins, ends, start, stop = _split.lines(text, start, window.final, limit)
        for first, last in cut(begins, ends, max(chunk, MOST_BYTES)):
            begin, end = int(begins[first]), int(ends[last - 1])
            parts = slice(first, last)
            yield RecordBlock(text[begin:end], begins[parts] - begin, ends[parts] - begin, "wei7", source, number, True)
            number += last - first
        if stop == _split.LINE_REST:
            if window.final:
                return
            window.drop(start)
            start = 0
            size = len(window.text)
            window.fill(max(size + chunk, min(2 * size, limit + 4)))
            continue
        yield RecordText(source, number, None, (too_long,), True)
        number += 1
        if stop == _split.LINE_CUT:
            window.drop(start)
            start = _line_end(window, chunk)


def _line_end(window: Window, chunk: int) -> int:
    """Read on to where a line ends, and return where the next one starts in the window."""
    while True:
        end = bytes(window.text).find(b"\n") + 1
        if end or window.final:
            return end or len(window.text)
        window.drop(len(window.text))
        window.fill(chunk)


def whole_item(
    window: Window, source: str, limit: int, problems: tuple[Problem, ...], too_long: Problem, format: str = "wei7"
) -> RecordBlock | RecordText:
    """Return what a source holds as one record; `problems` are those of the file. Raises as reading does."""
    window.fill(limit + 1)
    size = len(window.text)
    if size > limit:
        return RecordText(source, 0, None, (*problems, too_long), False, format)
    if problems:
        return RecordText(source, 0, bytes(window.text), problems, False, format)
    return RecordBlock(window.text, np.zeros(1, np.int64), np.array([size], np.int64), format, source, 0, False)
