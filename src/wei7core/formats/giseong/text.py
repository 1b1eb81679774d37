"""The bytes of a Giseong record as characters, and the places of characters among the bytes.

Line breaks have no effect in a record (section 3), so they are taken out first, also inside codes. CP949 has letters as
second bytes, so that searches require decoded characters.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from ..sgf.charset import transcode_wide_to_utf8

UTF_8: Final = "utf-8"
KOREAN: Final = "cp949"
_ERRORS: Final = "surrogateescape"  # bytes that are no characters keep their places
_LOOKED_AT: Final = 1 << 12
_BOM: Final = "\ufeff"
_WITH_MARK: Final = {
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
}
_BREAK: Final = re.compile(r"\r\n?|\n")
_UNDECODED: Final = re.compile("[\udc80-\udcff\ufffd]")


def choose_encoding(data: bytes) -> str:
    """Return the encoding of a record if the caller names none: UTF-8 if all bytes are valid, else CP949. Thread safe.

    For ASCII text they are the same. UTF-16 and UTF-32 show by their zero bytes.
    """
    _, wide = transcode_wide_to_utf8(data[:_LOOKED_AT])
    if wide is not None:
        return wide.codec
    try:
        data.decode(UTF_8)
    except UnicodeDecodeError:
        return KOREAN
    return UTF_8


def decoded(data: bytes) -> str:
    """Return the characters of a written record, which is in UTF-8 or CP949. Thread safe."""
    return data.decode(choose_encoding(data))


class Text:
    """A record's characters without line breaks (`clean`), and their offsets.

    Thread safety: threads may share it.
    """

    def __init__(self, data: bytes, encoding: str) -> None:
        if encoding in _WITH_MARK and not data.startswith(_WITH_MARK[encoding]):
            encoding += "-le"  # else each machine reads it in its own order, and characters one by one in none
        self._data = data
        self._encoding = encoding
        self._errors = _ERRORS
        try:
            self._whole = data.decode(encoding, _ERRORS)
        except UnicodeDecodeError:  # half a character in an encoding of several bytes each
            self._errors = "replace"
            self._whole = data.decode(encoding, "replace")
        # A byte order mark is no character of the record.
        self._mark = 1 if self._whole.startswith(_BOM) else 0
        self.clean = self._whole[self._mark :].replace("\r", "").replace("\n", "")
        self.undecoded = -1
        """The first clean character that replaces undecodable bytes, or -1."""
        found = None if _is_decoded(self.clean) else _UNDECODED.search(self.clean)
        if found is not None:
            self.undecoded = found.start()
            self.clean = _UNDECODED.sub("\ufffd", self.clean)

    @cached_property
    def _points(self) -> npt.NDArray[np.uint8] | npt.NDArray[np.uint32]:
        """The code points of all characters."""
        if self._whole.isascii():
            return np.frombuffer(self._whole.encode("ascii"), np.uint8)
        return np.frombuffer(self._whole.encode("utf-32-le", "surrogatepass"), "<u4")

    @cached_property
    def _gap_columns(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The characters, of the clean and of the whole text, after each removed line break."""
        points = self._points
        breaks = np.flatnonzero((points == ord("\n")) | (points == ord("\r")))
        last = np.flatnonzero(np.diff(breaks, append=len(points) + 1) != 1)  # of those that follow each other
        whole = breaks[last] + 1
        return np.append(0, whole - self._mark - (last + 1)), np.append(self._mark, whole)

    @cached_property
    def _gaps(self) -> tuple[list[int], list[int]]:
        """The same as lists, which are faster for single places."""
        clean, whole = self._gap_columns
        return clean.tolist(), whole.tolist()

    @cached_property
    def _starts(self) -> npt.NDArray[np.int64] | None:
        """At which byte each character starts, and the end of the last; None where each is one byte."""
        if len(self._whole) == len(self._data):
            return None
        sizes = _sizes(self._points, self._encoding)
        if sizes is None or int(sizes.sum()) != len(self._data):
            sizes = _sizes_by_reading(self._data, self._encoding, self._errors)
        return np.concatenate(([0], np.cumsum(sizes)))

    @cached_property
    def _lines(self) -> list[int]:
        """The characters with which lines begin."""
        return [self._mark, *(match.end() for match in _BREAK.finditer(self._whole))]

    def _place(self, index: int) -> int:
        clean, whole = self._gaps
        gap = bisect_right(clean, index) - 1
        return index - clean[gap] + whole[gap]

    def offset(self, index: int) -> int:
        """Return the byte where the clean character `index` starts; at the end, where the last one ends."""
        return self._byte(self._place(index)) if index < len(self.clean) else len(self._data)

    def offsets(self, index: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the bytes where characters start that are before the end."""
        clean, whole = self._gap_columns
        gap = np.searchsorted(clean, index, "right") - 1
        places, starts = index - clean[gap] + whole[gap], self._starts
        return places if starts is None else starts[places]

    def span(self, begin: int, end: int) -> tuple[int, int]:
        """Return the bytes [begin, end) that the clean characters [begin, end) come from."""
        return self.offset(begin), self._byte(self._place(end - 1) + 1)

    def _byte(self, place: int) -> int:
        starts = self._starts
        return place if starts is None else starts.item(min(place, len(starts) - 1))

    def line_and_column(self, index: int) -> tuple[int, int]:
        """Return line and column, from 1, of the clean character `index`."""
        place = self._place(index)
        line = bisect_right(self._lines, place)
        return max(line, 1), place - self._lines[max(line, 1) - 1] + 1

    def index(self, offset: int) -> int:
        """Return the clean character that starts at byte `offset`, or the next one."""
        starts = self._starts
        place = offset if starts is None else int(np.searchsorted(starts, offset))
        clean, whole = self._gaps
        gap = max(bisect_right(whole, place) - 1, 0)
        return min(clean[gap] + max(place - whole[gap], 0), len(self.clean))


def _is_decoded(text: str) -> bool:
    """Whether certainly no character replaces undecodable bytes."""
    try:
        return b"\xef\xbf\xbd" not in text.encode()
    except UnicodeEncodeError:  # a surrogate
        return False


def _sizes(points: npt.NDArray[np.uint8] | npt.NDArray[np.uint32], encoding: str) -> npt.NDArray[np.int64] | None:
    """The number of bytes of each character, in the two encodings with a rule for it."""
    escaped = (points >= 0xDC80) & (points <= 0xDCFF)
    if encoding == UTF_8:
        sizes = 1 + (points >= 0x80) + (points >= 0x800) + (points >= 0x10000)
    elif encoding == KOREAN:
        sizes = 1 + (points >= 0x80)
    else:
        return None
    return np.where(escaped, 1, sizes).astype(np.int64)


def _sizes_by_reading(data: bytes, encoding: str, errors: str) -> npt.NDArray[np.int64]:
    """The number of bytes of each character, found byte by byte."""
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    sizes: list[int] = []
    begin = 0
    for end in range(1, len(data) + 1):
        made = decoder.decode(data[end - 1 : end], end == len(data))
        if made:
            sizes += [0] * (len(made) - 1) + [end - begin]
            begin = end
    return np.array(sizes, np.int64)
