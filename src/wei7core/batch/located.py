"""Places in the texts of records of a chunk, as lines, columns and paths."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .._util.lazy_numpy import Array, np
from ..formats import _native

if TYPE_CHECKING:
    from ..sources.chunks import Chunk


@cache
def _ways_of_codecs() -> Array:
    """How `_native.locate_each` reads each encoding, and how it counts its characters."""
    from ..formats.sgf.charset import characters, double_byte
    from ..formats.sgf.charset_tables import CODECS

    return np.array([[of(codec) for codec in CODECS] for of in (double_byte, characters)], np.uint8)


def located(
    chunk: Chunk, begins: Array, ends: Array, offsets: Array, charsets: Array
) -> tuple[Array, Array, list[str]]:
    """Return lines, columns and paths of an offset of each record, as if the record were a text of its own.

    A record may occur more than once: in one pass over its text where its offsets ascend one after the other.
    `charsets` are the numbers of the encodings in `CODECS`. Thread safe.
    """
    ways = [way[charsets].tobytes() for way in _ways_of_codecs()] if chunk.format == "sgf" else ()
    found = _native.locate_each(chunk.data, begins.tolist(), ends.tolist(), offsets.tolist(), *ways)
    lines, columns = (np.array([place[field] for place in found], np.int64) for field in (0, 1))
    return lines, columns, [path for _, _, path in found]
