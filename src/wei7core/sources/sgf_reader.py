"""SGF collections, split into games while they are read."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Final

from .._util.lazy_numpy import np
from ..errors import Problem
from ..formats import _native
from ..formats.sgf.charset import Wide, transcode_wide_to_utf8
from ..formats.sgf.games import game_ends, games_in_utf8, wide_ends
from .chunks import Chunk, RawRecord, Run, cut
from .read_buffer import READ_BYTES, ReadBuffer, next_size

if TYPE_CHECKING:
    import numpy.typing as npt

_NEXT_GAME: Final = re.compile(rb"\(\s{0,60};\s{0,60}(?:FF|GM|SZ|CA)\s{0,60}\[")
_LONGEST_START: Final = 256  # of a match of _NEXT_GAME
_LINE_END: Final = re.compile(rb"\r\n|\n\r|\r|\n")
_LEAST_LOOKAHEAD: Final = 1 << 13  # bytes; the start of the next game confirms where a game ends


class CollectionReader:
    """Reads the games of one SGF source, each of `limit` bytes at most, `chunk` bytes at once.

    `head` is the start of the text; `source` and `first` are source and number of the first game; `too_long` is the
    problem of a game beyond the limit. `offset` is the place of the text in its source. Texts in UTF-16 and UTF-32 are
    read as a whole; each of their games gets a byte order mark, which is not counted in places.
    """

    def __init__(
        self,
        buffer: ReadBuffer,
        head: bytes,
        source: str,
        first: int,
        limit: int,
        too_long: Problem,
        chunk: int = READ_BYTES,
        offset: int = 0,
    ) -> None:
        self._buffer = buffer
        self._head = head
        self._source = source
        self._number = first
        self._limit = limit
        self._too_long = too_long
        self._chunk = chunk
        self._offset, self._line, self._column = offset, 1, 1
        self._assumed = -1  # of games without CA

    def items(self) -> Generator[Chunk | RawRecord, None, None]:
        """Yield the games, each marked `one_of_many`, at least one whatever the source contains.

        Each includes the text before it, and the last one that after it. A game beyond the limit is omitted. Where its
        end is not found within some more bytes, reading continues at the next game that starts with FF, GM, SZ or CA.
        Raises the errors of reading the source.
        """
        buffer, chunk, limit = self._buffer, self._chunk, self._limit
        most = limit + max(chunk, _LEAST_LOOKAHEAD)  # fixed, so that no game depends on where buffers end
        _, wide = transcode_wide_to_utf8(self._head[:_LONGEST_START])
        if wide is not None:
            buffer.fill(limit + 1)
            yield from self._wide_games(bytes(buffer.text), wide)
            return
        buffer.fill(chunk)
        while True:
            ends, self._assumed = game_ends(buffer.text, 0, buffer.final, self._assumed)
            yield from self._games(ends)
            is_all = buffer.final
            if len(buffer.text) >= most and not is_all:
                yield self._left_out()
                self._skip()
                is_all = not len(buffer.text)
            if is_all:
                break
            buffer.fill(min(next_size(len(buffer.text), chunk, most), most))
        if len(buffer.text) or self._offset == 0:
            yield from self._games(np.array([len(buffer.text)], np.int64))

    def _games(self, ends: npt.NDArray[np.int64]) -> Iterator[Chunk | RawRecord]:
        """The games that end at `ends` in the buffer, which then moves past them."""
        if not len(ends):
            return
        text = self._buffer.text
        begins = np.concatenate((np.zeros(1, np.int64), ends[:-1]))
        long = np.flatnonzero(ends - begins > self._limit)
        start = 0
        for stop in [*long.tolist(), len(ends)]:
            for first, last in cut(begins[start:stop], ends[start:stop]):
                yield self._block(text, begins[start + first : start + last], ends[start + first : start + last])
            if stop < len(ends):
                yield self._left_out()
                self._pass(text, int(begins[stop]), int(ends[stop]))
            start = stop + 1
        self._buffer.drop(int(ends[-1]))

    def _block(
        self,
        text: memoryview,
        begins: npt.NDArray[np.int64],
        ends: npt.NDArray[np.int64],
    ) -> Chunk:
        begin, end = int(begins[0]), int(ends[-1])
        place = self._offset, self._line, self._column
        runs = (Run(self._source, len(ends), self._number, True),)
        starts = np.zeros(1, np.int64)
        block = Chunk(text[begin:end], begins - begin, ends - begin, "sgf", runs, starts, *place)
        self._number += len(ends)
        if end == len(text) and self._buffer.final:
            self._offset += end - begin  # no game follows whose place is needed
        else:
            self._pass(text, begin, end)
        return block

    def _left_out(self) -> RawRecord:
        """The game that starts here, without its text."""
        self._number += 1
        place = self._offset, self._line, self._column
        return RawRecord(self._source, self._number - 1, None, (self._too_long,), True, "sgf", *place)

    def _pass(self, text: memoryview, begin: int, end: int) -> None:
        self._offset += end - begin
        self._line, self._column = _native.pass_text(text, begin, end, self._line, self._column)

    def _skip(self) -> None:
        """Read to the next recognisable game, or to the end."""
        buffer = self._buffer
        while True:
            passed = _without_half_of_line_end(buffer.text, max(0, len(buffer.text) - _LONGEST_START))
            self._pass(buffer.text, 0, passed)
            buffer.drop(passed)
            known = len(buffer.text)
            buffer.fill(known + self._chunk)
            if len(buffer.text) == known:
                self._pass(buffer.text, 0, known)
                buffer.drop(known)
                return
            found = _NEXT_GAME.finditer(buffer.text)
            start = next((match.start() for match in found if match.end() > known), None)
            if start is not None:
                self._pass(buffer.text, 0, start)
                buffer.drop(start)
                return

    def _wide_games(self, data: bytes, wide: Wide) -> Iterator[Chunk | RawRecord]:
        if len(data) > self._limit:
            yield self._left_out()
            return
        mark = "\ufeff".encode(wide.codec)
        source, of_text = transcode_wide_to_utf8(data)
        assert of_text is not None
        in_utf8 = games_in_utf8(source)
        ends = wide_ends(source, of_text, in_utf8) if len(in_utf8) else np.array([len(data)])
        begins = np.concatenate((np.zeros(1, np.int64), ends[:-1]))
        starts = np.concatenate((np.zeros(1, np.int64), in_utf8[:-1]))
        lines, columns = _native.places_of(source, starts, np.zeros(len(starts), np.int64), 1, 1)
        marks = np.where(begins > 0, len(mark), 0)
        for first, last in cut(begins, ends):
            pieces = zip(begins[first:last].tolist(), ends[first:last].tolist(), strict=True)
            parts = [mark + data[begin:end] if begin else data[:end] for begin, end in pieces]
            lengths = ends[first:last] - begins[first:last] + marks[first:last]
            stops = np.cumsum(lengths)
            runs = (Run(self._source, last - first, self._number, True),)
            places = (begins - marks)[first:last].clip(0), lines[first:last], columns[first:last]
            zero = np.zeros(1, np.int64)
            yield Chunk(b"".join(parts), stops - lengths, stops, "sgf", runs, zero, places=places)
            self._number += last - first


def _without_half_of_line_end(text: memoryview, size: int) -> int:
    """`size`, or one less where the first `size` bytes would end between the two bytes of a line end."""
    read = bytes(text[: size + 1])
    begin = len(read[:size].rstrip(b"\r\n"))
    return size - any(match.start() < size < match.end() for match in _LINE_END.finditer(read, begin))
