"""The games of an SGF text: their begins and ends, in any encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._util.lazy_numpy import np
from .. import _native
from . import charset as sgf_charset
from .charset import Wide

if TYPE_CHECKING:
    import numpy.typing as npt


def split(data: bytes, start: int = 0, final: bool = True) -> list[tuple[int, int]]:
    """Return (begin, end) of the games of SGF text from byte `start` on, in order and without gaps.

    Text before a game belongs to it, text after the last one to the last one. Unless `final`, more text will follow:
    the last game is left to the next call, which starts at the end of the last piece, as is a game that is not yet
    followed by more than 40 bytes of the next one. Never raises for the content of the bytes. Thread safe.
    """
    source, wide = sgf_charset.transcode_wide_to_utf8(data, start)
    if wide is not None:
        return _split_wide(source, wide, start, final)
    return _pairs(start, game_ends(data, start, final)[0].tolist())


def game_ends(
    data: bytes | memoryview, start: int = 0, final: bool = True, assumed: int = -1
) -> tuple[npt.NDArray[np.int64], int]:
    """Return the ends of the games as `split` does, and the encoding assumed for the following games. Thread safe.

    The text is neither UTF-16 nor UTF-32. `assumed` is what the call for the text before has returned, -1 where there
    is none: games that name no encoding have one encoding in all of a text.
    """
    ends: list[npt.NDArray[np.int64]] = []
    double_byte = -1
    tables = None
    while True:
        found, unsure, assumed = _native.split_games(data, start, final, double_byte, tables, assumed)
        ends.append(found)
        if unsure is None:
            return found if len(ends) == 1 else np.concatenate(ends), assumed
        start = unsure[0]
        if tables is None:
            tables = sgf_charset.engine_tables()
            double_byte = -1
            continue
        double_byte, named = sgf_charset.double_byte_of(bytes(data[unsure[0] : unsure[1]]), assumed)
        assumed = assumed if named else double_byte


def _split_wide(source: bytes, wide: Wide, start: int, final: bool) -> list[tuple[int, int]]:
    """The pieces of a text in UTF-16 or UTF-32, from those of the same text in UTF-8."""
    return _pairs(start, (start + wide_ends(source, wide, games_in_utf8(source, final))).tolist())


def games_in_utf8(source: bytes, final: bool = True) -> npt.NDArray[np.int64]:
    """Return the ends of the games of a text in UTF-8, regardless of the encodings that they name. Thread safe."""
    return _native.split_games(source, 0, final, 0)[0]


def wide_ends(source: bytes, wide: Wide, ends: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return ascending ends of parts of UTF-8 text, none empty, as offsets of the bytes it was made from.

    Thread safe.
    """
    if not len(ends):
        return ends
    text = np.frombuffer(source, np.uint8)[: ends[-1]]
    width = 4 if "32" in wide.codec else 2
    units = ((text & 0xC0) != 0x80).view(np.uint8)
    if width == 2 and int(text.max()) >= 0xF0:
        units = units + (text >= 0xF0)  # pairs of surrogates
    sizes = np.add.reduceat(units, np.concatenate((np.zeros(1, np.int64), ends[:-1])), dtype=np.int64)
    # The last character may lack bytes.
    return np.asarray(np.minimum(wide.mark + width * np.cumsum(sizes), wide.size))


def _pairs(start: int, ends: list[int]) -> list[tuple[int, int]]:
    return list(zip([start, *ends[:-1]], ends, strict=True)) if ends else []


def wide_offsets(source: bytes, wide: Wide, offsets: list[int]) -> list[int]:
    """Return ascending offsets of UTF-8 text as offsets of the bytes it was made from. Thread safe."""
    found = []
    last, place = 0, wide.mark
    for offset in offsets:
        place += len(source[last:offset].decode("utf-8", "replace").encode(wide.codec))
        last = offset
        found.append(min(place, wide.size))  # the last character may lack bytes
    return found
