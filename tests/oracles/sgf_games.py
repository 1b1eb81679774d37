"""SGF collections cut into games one by one: the obvious form of `wei7core.sources.sgf_reader`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from wei7core._util.files import chunks
from wei7core.formats.sgf.charset import Wide, transcode_wide_to_utf8
from wei7core.formats.sgf.games import game_ends, split

__all__ = ["CHUNK", "GameText", "games"]

CHUNK: Final = 1 << 20
"""Bytes that are read at once."""

_NEXT_GAME: Final = re.compile(rb"\(\s{0,60};\s{0,60}(?:FF|GM|SZ|CA)\s{0,60}\[")
_LINE_END: Final = re.compile(rb"\r\n|\n\r|\r|\n")
_LONGEST_START: Final = 256  # of what _NEXT_GAME finds
_LEAST_LOOKAHEAD: Final = 1 << 13  # bytes in which the next game has begun
_CONTINUATIONS: Final = bytes(range(0x80, 0xC0))


@dataclass(frozen=True, slots=True)
class GameText:
    """One game tree with the text before it, and after it where it is the last one.

    `data` is None where it is longer than the limit. `offset`, `line` and
    `column` are those of its start in the whole. In UTF-16 and UTF-32 every
    text has a byte order mark, which the place allows for.
    """

    data: bytes | None
    offset: int
    line: int
    column: int


class _Place:
    """Where reading is: columns count characters of UTF-8, and of what has one byte for each."""

    def __init__(self) -> None:
        self.offset, self.line, self.column = 0, 1, 1

    def text(self, data: bytes, limit: int) -> GameText:
        """`data` as the text that starts here; then the place is after it."""
        game = GameText(data if len(data) <= limit else None, self.offset, self.line, self.column)
        self.advance(data)
        return game

    def advance(self, data: bytes) -> None:
        self.offset += len(data)
        self.advance_text(data)

    def advance_text(self, data: bytes) -> None:
        ends = data.count(b"\n") if b"\r" not in data else len(_LINE_END.findall(data))
        if ends:
            self.line += ends
            self.column = 1
            data = data[max(data.rfind(b"\n"), data.rfind(b"\r")) + 1 :]
        self.column += len(data.translate(None, _CONTINUATIONS))


def games(file: BinaryIO, head: bytes, limit: int, chunk: int = CHUNK) -> Iterator[GameText]:
    """Yield the games of an SGF collection, at least one text whatever `file` holds.

    `head` is how the file starts. A game longer than `limit` bytes is omitted;
    where its end is not among the first `limit` and some more bytes, reading
    continues at the next game that starts with FF, GM, SZ or CA. Texts in UTF-16
    and UTF-32 are read as a whole. Raises what reading `file` raises.
    """
    _, wide = transcode_wide_to_utf8(head[:_LONGEST_START])
    if wide is not None:
        yield from _wide_games(b"".join(chunks(file, limit + 1)), wide, limit)
        return
    place = _Place()
    text = b""
    wanted = chunk
    most = limit + max(chunk, _LEAST_LOOKAHEAD)
    final = False
    assumed = -1
    while not final:
        text, final = _filled(file, text, wanted, chunk)
        found_ends, assumed = game_ends(text, 0, final, assumed)
        ends = found_ends.tolist()
        found = list(zip([0, *ends], ends, strict=False))
        for begin, end in found:
            yield place.text(text[begin:end], limit)
        text = text[found[-1][1] :] if found else text
        if len(text) >= most and not final:
            yield GameText(None, place.offset, place.line, place.column)
            text, final = _skipped(file, text, chunk, place)
        # A game that is not whole yet is looked at again only when there is twice as much of it.
        wanted = min(max(len(text) + chunk, 2 * len(text)), most)
    if text or place.offset == 0:
        yield place.text(text, limit)


def _filled(file: BinaryIO, text: bytes, wanted: int, chunk: int) -> tuple[bytes, bool]:
    """`text` with what follows, `wanted` bytes where there are so many; and whether that is all."""
    parts = [text]
    size = len(text)
    while size < wanted:
        data = file.read(min(chunk, wanted - size))
        if not data:
            return b"".join(parts), True
        parts.append(data)
        size += len(data)
    return b"".join(parts), False


def _skipped(file: BinaryIO, text: bytes, chunk: int, place: _Place) -> tuple[bytes, bool]:
    """Read on to the next game that can be recognised: the text from there, and whether the end was reached."""
    while True:
        place.advance(text[:-_LONGEST_START])
        text = text[-_LONGEST_START:]
        known = len(text)
        data = file.read(chunk)
        if not data:
            place.advance(text)
            return b"", True
        text += data
        start = next((found.start() for found in _NEXT_GAME.finditer(text) if found.end() > known), None)
        if start is not None:
            place.advance(text[:start])
            return text[start:], False


def _wide_games(data: bytes, wide: Wide, limit: int) -> Iterator[GameText]:
    if len(data) > limit:
        yield GameText(None, 0, 1, 1)
        return
    mark = "\ufeff".encode(wide.codec)
    place = _Place()
    for begin, end in split(data, 0, True) or [(0, len(data))]:
        part = data[begin:end]
        if begin == 0:
            yield GameText(part, 0, 1, 1)
        else:
            yield GameText(mark + part, begin - len(mark), place.line, place.column)
        place.advance_text(part[0 if begin else wide.mark :].decode(wide.codec, "replace").encode())
