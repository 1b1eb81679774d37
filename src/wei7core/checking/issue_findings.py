"""The findings of the headers and ends of many records of a chunk: their places are found together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..batch._engine import EngineResult
from ..batch.examined import ids_of
from ..formats.sgf import _decoder as _sgf
from ..formats.sgf.charset import characters, double_byte
from ..formats.sgf.charset_tables import CODECS
from ..formats.wei7 import _decoder as _wei7
from ..sources.chunks import Chunk, numbers_of, owners_of
from .finding import Finding
from .header import HeaderIssue
from .header_cache import MEMBER_SPANS, WIDE_CODECS
from .judge import severity_of

if TYPE_CHECKING:
    import numpy.typing as npt

_MEMBERS: Final = {**MEMBER_SPANS, None: -1}
_DOUBLE_BYTE: Final = np.array([double_byte(codec) for codec in CODECS], np.uint8)
_UNITS: Final = np.array([len("x".encode(codec)) for codec in WIDE_CODECS])
_CHARACTERS: Final = np.array([characters(codec) for codec in CODECS], np.uint8)


def findings_of_issues(
    chunk: Chunk, first: int, piece: EngineResult, issues: Mapping[int, Sequence[HeaderIssue]]
) -> dict[int, list[Finding]]:
    """Return the findings of records of `piece`, which begins with record `first` of the chunk.

    `issues` are those of each record by its ascending place in the piece, at least one; the findings of a record are in
    the order of their offsets. Thread safe.
    """
    if not issues:
        return {}
    assert piece.facts is not None
    places = np.fromiter(issues, np.int64, len(issues))
    counts = np.fromiter(map(len, issues.values()), np.int64, len(issues))
    numbers = np.repeat(np.arange(len(places)), counts)  # of the record of each issue, among `places`
    wanted = list(chain.from_iterable(issues.values()))
    begins, ends = chunk.begins[places + first], chunk.ends[places + first]
    facts = piece.facts[places]
    offsets = _offsets(chunk, facts, numbers, wanted, begins, ends)
    if len(wanted) > len(places):
        order = np.lexsort((offsets, numbers))
        offsets = offsets[order]
        wanted = [wanted[k] for k in order.tolist()]
    charsets = piece.rows["charset"][places[numbers]]
    wide = facts["wide"][numbers]
    lines, columns, paths = _located(chunk, begins[numbers], ends[numbers], offsets, charsets, wide)
    indices = places + first
    runs = chunk.runs_of(first, first + piece.records)
    owners, records = owners_of(runs, places).tolist(), numbers_of(runs)[places]
    before, first_lines, first_columns = chunk.places_of(indices, chunk.begins[indices])
    ids = ids_of(piece, places)
    of = numbers.tolist()
    rows = zip(
        [issue.code for issue in wanted],
        map(severity_of, wanted),
        [runs[owners[number]].source for number in of],
        records[numbers].tolist(),
        [ids[number] for number in of],
        *[repeat(None)] * 5,
        (before[numbers] + offsets).tolist(),
        (first_lines[numbers] + lines - 1).tolist(),
        np.where(lines == 1, columns + first_columns[numbers] - 1, columns).tolist(),
        paths,
        [issue.message for issue in wanted],
        [issue.evidence for issue in wanted],
        strict=False,
    )
    findings = map(tuple.__new__, repeat(Finding), rows)  # as Finding._make, without a call of Python for each
    return {place: list(islice(findings, len(some))) for place, some in issues.items()}


def _offsets(
    chunk: Chunk,
    facts: npt.NDArray[np.void],
    numbers: npt.NDArray[np.int64],
    issues: Sequence[HeaderIssue],
    begins: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """The places of issues in their records, of those numbers."""
    members = np.array([_MEMBERS[issue.member] for issue in issues])
    spans, wide = facts["spans"], facts["wide"][numbers]
    found = np.where((members < 0) | facts["is_lifted"][numbers], -1, spans[numbers, members, 0].astype(np.int64))
    if chunk.format == "sgf":
        # A value begins after its bracket, the place of findings of a property.
        found -= np.where(found >= 0, _UNITS[wide], 0)
    for k in np.flatnonzero(found < 0).tolist():
        found[k] = _start_offset(chunk, int(begins[numbers[k]]), int(ends[numbers[k]]), wide[k])
    return np.asarray(found)


def _start_offset(chunk: Chunk, begin: int, end: int, wide: int) -> int:
    """The place of findings of a record as a whole: in SGF its first node."""
    if chunk.format != "sgf":
        return 0
    text = bytes(memoryview(chunk.data)[begin:end])
    if not wide:
        return max(text.find(b";"), 0)
    codec, unit = WIDE_CODECS[wide], int(_UNITS[wide])  # as long as the mark
    before, node, _ = text[unit:].decode(codec).partition(";")
    return unit + len(before.encode(codec)) * bool(node)


def _located(
    chunk: Chunk,
    begins: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    offsets: npt.NDArray[np.int64],
    charsets: npt.NDArray[np.uint8],
    wide: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], list[str]]:
    """Lines, columns and paths of an offset of each record, as if it were a text of its own."""
    if chunk.format == "sgf":
        marks = _DOUBLE_BYTE[charsets], _CHARACTERS[charsets]
        data: Any = chunk.data
        if wide.any():
            data, begins, ends, offsets = _in_utf8(_texts(chunk, begins, ends), offsets.tolist(), wide.tolist())
        lines, columns, paths = _sgf.locate_each(data, begins, ends, offsets, *marks)
        return np.array(lines), np.array(columns), paths
    texts = _texts(chunk, begins, ends)
    places = [_wei7.locate(text, [offset])[0] for text, offset in zip(texts, offsets.tolist(), strict=True)]
    return np.array([one[0] for one in places]), np.array([one[1] for one in places]), [one[2] for one in places]


def _texts(chunk: Chunk, begins: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]) -> Iterator[bytes]:
    view = memoryview(chunk.data)
    return (bytes(view[begin:end]) for begin, end in zip(begins.tolist(), ends.tolist(), strict=True))


def _in_utf8(
    texts: Iterable[bytes], offsets: list[int], wide: list[int]
) -> tuple[bytes, npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Texts in UTF-8 in one buffer, without the marks of those of `wide`; their begins, ends and `offsets`."""
    parts = []
    for k, text in enumerate(texts):
        codec, unit = WIDE_CODECS[wide[k]], int(_UNITS[wide[k]])
        parts.append(text[unit:].decode(codec).encode() if wide[k] else text)
        if wide[k]:
            offsets[k] = len(text[unit : offsets[k]].decode(codec).encode())
    sizes = np.array(list(map(len, parts)))
    ends = np.cumsum(sizes)
    return b"".join(parts), ends - sizes, ends, np.array(offsets)
