"""Large files of many records, split between records into parts that can be read independently, on any machine."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, NamedTuple, cast

from .._util.lazy_numpy import np
from ..errors import Problem, whole_problem
from ..formats.sgf.games import game_ends
from .chunks import Chunk, RawRecord
from .read_buffer import READ_BYTES, FileReadBuffer
from .record_lines import line_items
from .sgf_reader import CollectionReader

Items = Generator[Chunk | RawRecord, None, None]

_LOOKED_AT: Final = 1 << 16
# Games nearly always start with one of these. A false match inside a comment is detected when the games before it are
# counted.
_BETWEEN_GAMES: Final = re.compile(rb"\)\s*\(\s*;\s*(?:FF|GM|SZ|CA)\s*\[")
_LONGEST: Final = 256  # of a match of _BETWEEN_GAMES
_BEYOND: Final = 64  # of the bytes that splitting examines after it
_TOO_LONG: Final = whole_problem("limit-bytes")


class FilePart(NamedTuple):
    """Bytes `begin` up to `end` of a file, which are whole records; the first one has the number `first` in the file.

    `open` opens the file in binary mode; it will be closed. Rows name it `source`. `format` is `sgf`, or `wei7` with a
    record a line.
    """

    source: str
    open: Callable[[], BinaryIO]
    format: str
    begin: int
    end: int
    first: int

    def items(self, file: BinaryIO, limit: int, too_long: Problem, chunk: int) -> Items:
        """Yield the records of the part of the open file; arguments and exceptions are those of `line_items`.

        Places are relative to the file, except line numbers: the lines before are not counted.
        """
        buffer = FileReadBuffer(_within(file, self.begin, self.end))
        if self.format == "sgf":
            reader = CollectionReader(buffer, b"", self.source, self.first, limit, too_long, chunk, self.begin)
            yield from reader.items()
        else:
            yield from line_items(buffer, self.source, limit, too_long, chunk, self.first)


@dataclass(frozen=True, slots=True)
class Split:
    """Bytes `begin` up to `end` of a file, and the number of records in them.

    `count` is None if they are not whole records, and 0 for the rest of the file, whose records need not be counted.
    """

    begin: int
    end: int
    count: int | None


def split_between(file: BinaryIO, format: str, size: int, begin: int, step: int, limit: int) -> Split | None:
    """Return the records that start in the `step` bytes from `begin` on, in a file of `size` bytes and one of the
    formats of `FilePart`; None if no record is found to start there, and the previous split continues.

    The splits for `begin` of 0, `step`, 2 `step` and so on together cover the whole file. Each is right if all previous
    ones are right and have a `count`. Raises the errors of reading the file.
    """
    found = (0, 0) if begin == 0 else _start(file, format, begin, begin + step)
    if found is None:
        return None
    start, end, seen = found[0], size, size
    for place in range(begin + step, size, step):
        following = _start(file, format, place, place + step)
        if following is not None:
            end, seen = following
            break
    if end == size:
        return Split(start, end, 0)
    if format == "sgf":
        return Split(start, end, _count_games(file, start, end, min(seen + _BEYOND, size), size, limit))
    return Split(start, end, _count_lines(file, start, end, limit))


def split_offsets(cuts: Iterable[Split | None], size: int) -> Iterator[tuple[int, int, int]]:
    """Yield (begin, end, first), as in `FilePart`, of the parts that the splits of a file of `size` bytes form.

    If a split is wrong, or the file has changed between two of them, the rest of the file is one part.
    """
    begin = first = 0
    for cut in cuts:
        if cut is None:
            continue
        if cut.begin != begin or cut.count is None:
            break
        yield cut.begin, cut.end, first
        begin, first = cut.end, first + cut.count
    if begin < size:
        yield begin, size, first


def _start(file: BinaryIO, format: str, begin: int, end: int) -> tuple[int, int] | None:
    """The start of the first record at bytes `begin` up to `end`, and the end of the bytes needed to find it."""
    file.seek(begin - 1)
    text = b""
    room = _LOOKED_AT
    while True:
        more = file.read(min(room, end - begin + 1 + _LONGEST - len(text)))
        text += more
        if format == "sgf":
            match = _BETWEEN_GAMES.search(text)
            place = -1 if match is None else match.start()
            seen = 0 if match is None else match.end()
        else:
            place = text.find(b"\n")
            seen = place + 1
        if place >= 0 or not more:
            return (begin + place, begin - 1 + seen) if 0 <= place < end - begin else None
        room *= 2


def _count_lines(file: BinaryIO, begin: int, end: int, limit: int) -> int:
    buffer = FileReadBuffer(_within(file, begin, end))
    items = line_items(buffer, "", limit, _TOO_LONG)
    return sum(len(item) if isinstance(item, Chunk) else 1 for item in items)


def _count_games(file: BinaryIO, begin: int, end: int, seen: int, size: int, limit: int) -> int | None:
    """The games up to `end`, None if no game ends there, or one exceeds the limit; reading ends at `seen`."""
    buffer = FileReadBuffer(_within(file, begin, seen))
    passed = begin
    count = 0
    assumed = -1
    while passed < end:
        held = len(buffer.text)
        buffer.fill(max(held + READ_BYTES, 2 * held))
        ends, assumed = game_ends(buffer.text, 0, buffer.final and seen == size, assumed)
        ends = ends[ends <= end - passed]
        if len(ends):
            passed += int(ends[-1])
            count += len(ends)
            buffer.drop(int(ends[-1]))
        is_long = min(len(buffer.text), end - passed) > limit or np.diff(ends, prepend=0).max(initial=0) > limit
        if is_long or (buffer.final and not len(ends)):
            return None
    return count if passed == end else None


def _within(file: BinaryIO, begin: int, end: int) -> BinaryIO:
    """Bytes `begin` up to `end` of another file, which must not be read by others in the meantime."""
    file.seek(begin)
    part: Any = _Part(file, end - begin)
    return cast("BinaryIO", part)


class _Part(io.RawIOBase):
    def __init__(self, file: Any, size: int) -> None:
        self._file = file
        self._left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = int(self._file.readinto(memoryview(buffer)[: self._left]) or 0)
        self._left -= count
        return count
