"""SGF collections cut into games while they are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from .files import chunks
from .formats.registry import wide_encoding
from .formats.sgf import split

__all__ = ["CHUNK", "GameText", "games"]

CHUNK: Final = 1 << 20
"""Bytes that are read at once."""

_NEXT_GAME: Final = re.compile(rb"\(\s*;\s*(?:FF|GM|SZ|CA)\s*\[")
_LONGEST_START: Final = 256  # of what _NEXT_GAME finds
_CONTINUATIONS: Final = bytes(range(0x80, 0xC0))


@dataclass(frozen=True, slots=True)
class GameText:
    """One game tree with the text before it, and behind it where it is the last one.

    `data` is None where it is longer than the limit. `offset`, `line` and
    `column` are those of its start in the whole; `encoding` is UTF-16 or
    UTF-32 where the whole is.
    """

    data: bytes | None
    offset: int
    line: int
    column: int
    encoding: str | None = None


class _Place:
    """Where reading stands: columns count characters of UTF-8, and of what has one byte for each."""

    def __init__(self) -> None:
        self.offset, self.line, self.column = 0, 1, 1

    def text(self, data: bytes, limit: int) -> GameText:
        """`data` as the text that starts here; then the place is behind it."""
        game = GameText(data if len(data) <= limit else None, self.offset, self.line, self.column)
        self.advance(data)
        return game

    def advance(self, data: bytes) -> None:
        self.offset += len(data)
        ends = data.count(b"\n")
        if ends:
            self.line += ends
            self.column = 1
            data = data[data.rindex(b"\n") + 1 :]
        self.column += len(data.translate(None, _CONTINUATIONS))


def games(file: BinaryIO, head: bytes, limit: int, chunk: int = CHUNK) -> Iterator[GameText]:
    """Yield the games of an SGF collection, at least one text whatever `file` holds.

    `head` is how the file starts. Two games are in memory at a time. A game
    longer than `limit` bytes is left out; then reading goes on at the next game
    that starts with FF, GM, SZ or CA. Texts in UTF-16 and UTF-32 are read as a
    whole. Raises what reading `file` raises.
    """
    encoding, mark = wide_encoding(head)
    if encoding is not None:
        yield from _wide_games(b"".join(chunks(file, limit + 1)), encoding, mark, limit)
        return
    place = _Place()
    text = b""
    wanted = chunk
    final = False
    while not final:
        text, final = _filled(file, text, wanted, chunk)
        found = split(text, 0, final)
        # Text behind the last game belongs to it, so it waits for the next one.
        ready = found if final or len(text) > limit else found[:-1]
        for begin, end in ready:
            yield place.text(text[begin:end], limit)
        text = text[ready[-1][1] :] if ready else text
        if len(text) > limit:
            yield GameText(None, place.offset, place.line, place.column)
            text, final = _skipped(file, text, chunk, place)
        # A game that is not whole yet is looked at again only when there is twice as much of it.
        wanted = max(len(text) + chunk, min(2 * len(text), limit + 1))
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


def _wide_games(data: bytes, encoding: str, mark: int, limit: int) -> Iterator[GameText]:
    if len(data) > limit:
        yield GameText(None, 0, 1, 1, encoding)
        return
    text = data[mark:].decode(encoding, "replace").encode("utf-8", "replace")
    place = _Place()
    begin = 0
    found = split(text, 0, True) or [(0, len(text))]
    for start, stop in found:
        part = text[start:stop]
        end = begin + len(part.decode().encode(encoding)) + (mark if start == 0 else 0)
        end = len(data) if stop == len(text) else end
        yield GameText(data[begin:end], begin, place.line, place.column, encoding)
        place.advance(part)
        begin = end
