"""The values of an Arrow column as records: formats detected, and values of one format and buffer in one block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import whole_problem
from ..formats.registry import FORMATS, detect_format
from ..limits import Limits
from ..sources.archives import is_packed
from ..sources.chunks import IN_MEMORY_SOURCE, Chunk, RawRecord, Run, after_space
from ..sources.sources import Sources
from .values import Values

if TYPE_CHECKING:
    import numpy.typing as npt

_LOOKED_AT: Final = 1 << 16
_NAMES: Final = tuple(FORMATS)
_ABSENT: Final = len(_NAMES)
_OTHER: Final = len(_NAMES) + 1
_NULL: Final = whole_problem("format-unknown", "no record: the value is null")
# The usual starts of records: a byte, the bytes that may follow after white space, and the format.
_USUAL: Final = ((b"(", b";", _NAMES.index("sgf")), (b"{", b'"}', _NAMES.index("wei7")))
_FORMAT: Final = b'"format"'


def records_of(values: Values, limits: Limits) -> tuple[list[Chunk | RawRecord], npt.NDArray[np.int64]]:
    """Return the records, grouped by format and buffer, and the number of the value of each, from 0.

    A value is one record: of several in a value the first is read, or none, which is reported as a problem. A
    compressed value, or an archive of one record, is decompressed. The text of blocks is not copied. Thread safe.
    """
    kinds = _kinds(values, limits)
    keys = values.places * (_OTHER + 1) + kinds
    order = np.argsort(keys, kind="stable")
    starts = [0, *(np.flatnonzero(np.diff(keys[order])) + 1).tolist(), len(order)]
    items: list[Chunk | RawRecord] = []
    for begin, end in pairwise(starts):
        numbers = order[begin:end]
        if not len(numbers):
            continue
        kind = int(kinds[numbers[0]])
        if kind >= _ABSENT:
            items += _texts(values, numbers.tolist(), begin, limits, is_there=kind == _OTHER)
            continue
        data = values.buffers[values.places[numbers[0]]]
        begins, ends = values.begins[numbers], values.ends[numbers]
        runs = (Run(IN_MEMORY_SOURCE, end - begin, begin, True),)
        items.append(Chunk(data, begins, ends, _NAMES[kind], runs, np.arange(end - begin)))
    return items, order


def _kinds(values: Values, limits: Limits) -> npt.NDArray[np.int64]:
    """The number of the format of each value among `_NAMES`, `_ABSENT` or `_OTHER`."""
    kinds = np.full(len(values), _OTHER)
    sizes = values.ends - values.begins
    is_read = sizes <= limits.max_bytes
    if values.valid is not None:
        kinds[~values.valid] = _ABSENT
        is_read &= values.valid
    for place, buffer in enumerate(values.buffers):
        numbers = np.flatnonzero(is_read & (values.places == place) & (sizes >= 4))
        if len(numbers):
            found = _usual_kinds(np.frombuffer(buffer, np.uint8), values.begins[numbers], values.ends[numbers])
            kinds[numbers] = found
    for number in np.flatnonzero(is_read & (kinds == _OTHER)).tolist():
        head = _text(values, number, _LOOKED_AT)
        name = None if is_packed(head) else detect_format(head)
        if name is not None:
            kinds[number] = _NAMES.index(name)
    return kinds


def _usual_kinds(
    text: npt.NDArray[np.uint8], begins: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The formats of values of 4 bytes or more with a usual start, many at once; `_OTHER` for those of
    `detect_format`.

    `detect_format` would return the same: UTF-16 and UTF-32 have zeros among the first four bytes, and games of OGS in
    JSON have no `format`.
    """
    kinds = np.full(len(begins), _OTHER)
    is_narrow = np.ones(len(begins), bool)
    for k in range(4):
        is_narrow &= text[begins + k] != 0
    ends = np.minimum(ends, begins + _LOOKED_AT)  # its limit
    first, is_first = after_space(text, begins, ends)
    second, is_second = after_space(text, np.minimum(first + 1, ends), ends)
    is_sure = is_narrow & is_first & is_second
    # At the end of the text they decide nothing.
    one, two = text[np.minimum(first, len(text) - 1)], text[np.minimum(second, len(text) - 1)]
    for start, others, kind in _USUAL:
        kinds[is_sure & (one == start[0]) & np.isin(two, list(others))] = kind
    is_format = np.ones(len(begins), bool)
    for k, letter in enumerate(_FORMAT):
        is_format &= text[np.minimum(second + k, len(text) - 1)] == letter
    kinds[(one == ord("{")) & (two == _FORMAT[0]) & ~is_format] = _OTHER
    return kinds


def _text(values: Values, number: int, most: int | None = None) -> bytes:
    begin, end = int(values.begins[number]), int(values.ends[number])
    if most is not None:
        end = min(end, begin + most)
    return bytes(values.buffers[values.places[number]][begin:end])


def _texts(values: Values, numbers: list[int], first: int, limits: Limits, *, is_there: bool) -> Iterator[RawRecord]:
    for place, number in enumerate(numbers, first):
        if is_there:
            yield replace(
                _unpacked(_text(values, number), limits), source=IN_MEMORY_SOURCE, record=place, one_of_many=True
            )
        else:
            yield RawRecord(IN_MEMORY_SOURCE, place, None, (_NULL,), True)


def _unpacked(data: bytes, limits: Limits) -> RawRecord:
    """The record of a value that is compressed, too long, or of an unknown format."""
    found: Any = iter(Sources(data, limits=limits))
    with closing(found):
        records: list[RawRecord] = list(islice(found, 2))
    if len(records) == 1:
        return records[0]
    if records:
        problem = whole_problem("more-games", "the value contains several records; only one is read")
    else:
        problem = whole_problem("format-unknown", "the value contains no record")
    return RawRecord(IN_MEMORY_SOURCE, 0, None, (problem,))
