"""The findings of the headers and ends of many records of a chunk: their places are found together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from ..batch._engine import EngineResult
from ..formats.sgf import _decoder as _sgf
from ..formats.sgf.charset import characters, double_byte
from ..formats.sgf.guess_charset import CODECS
from ..formats.wei7 import _decoder as _wei7
from ..sources.chunks import Chunk
from .finding import Finding
from .header import HeaderIssue
from .header_cache import MEMBER_SPANS
from .judge import severity_of

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["findings_of_issues"]

_MEMBERS: Final[dict[str | None, int]] = {member: index for index, member in enumerate((*MEMBER_SPANS, None))}
_DOUBLE_BYTE: Final = np.array([double_byte(codec) for codec in CODECS], np.uint8)
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
    begins, ends = chunk.begins[places + first], chunk.ends[places + first]
    spans = piece.facts["spans"][places][:, list(MEMBER_SPANS.values()), 0].astype(np.int64)
    if chunk.format == "sgf":
        spans -= spans >= 0  # a value begins after its bracket, the place of findings of a property
    numbers: list[int] = []  # of records of `places`
    offsets: list[int] = []
    wanted: list[HeaderIssue] = []
    for number, (some, members) in enumerate(zip(issues.values(), spans.tolist(), strict=True)):
        members.append(-1)
        of_issues = [members[_MEMBERS[issue.member]] for issue in some]
        if min(of_issues) < 0:
            start = _start_offset(chunk, int(begins[number]), int(ends[number]))
            of_issues = [start if offset < 0 else offset for offset in of_issues]
        if len(some) > 1:
            order = sorted(range(len(some)), key=of_issues.__getitem__)
            wanted += [some[k] for k in order]
            of_issues.sort()
        else:
            wanted += some
        numbers += [number] * len(some)
        offsets += of_issues
    located = _located(chunk, begins[numbers], ends[numbers], offsets, piece.rows["charset"][places[numbers]])
    of_records = list(zip(*_records(chunk, places + first), _ids(piece, places), strict=True))
    found: dict[int, list[Finding]] = {place: [] for place in issues}
    lists = list(found.values())
    for number, issue, offset, (line, column, path) in zip(numbers, wanted, offsets, located, strict=True):
        source, record, before, first_line, first_column, id = of_records[number]
        lists[number].append(
            Finding(
                issue.code,
                severity_of(issue),
                source,
                record,
                id,
                None,
                None,
                None,
                None,
                None,
                before + offset,
                first_line + line - 1,
                column + (first_column - 1 if line == 1 else 0),
                path,
                issue.message,
                issue.evidence,
            )
        )
    return found


def _start_offset(chunk: Chunk, begin: int, end: int) -> int:
    """The place of findings of a record as a whole: in SGF its first node."""
    return max(bytes(memoryview(chunk.data)[begin:end]).find(b";"), 0) if chunk.format == "sgf" else 0


def _located(
    chunk: Chunk,
    begins: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    offsets: list[int],
    charsets: npt.NDArray[np.uint8],
) -> Sequence[tuple[int, int, str]]:
    """Line, column and path of an offset of each record, as if it were a text of its own."""
    if chunk.format == "sgf":
        marks = _DOUBLE_BYTE[charsets], _CHARACTERS[charsets]
        return _sgf.locate_each(chunk.data, begins, ends, np.array(offsets, np.int64), *marks)
    view = memoryview(chunk.data)
    texts = [bytes(view[begin:end]) for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]
    return [_wei7.locate(text, [offset])[0] for text, offset in zip(texts, offsets, strict=True)]


def _records(chunk: Chunk, indices: npt.NDArray[np.int64]) -> tuple[Sequence[object], ...]:
    """The source, number, offset, line and column of records of the chunk."""
    places = (chunk.source_offsets_of(indices), *chunk.places_of(indices))
    columns = [column.tolist() for column in places]
    if isinstance(chunk.sources, tuple):
        return [chunk.sources[index] for index in indices.tolist()], [0] * len(indices), *columns
    return [chunk.sources] * len(indices), (indices + chunk.first).tolist(), *columns


def _ids(piece: EngineResult, places: npt.NDArray[np.int64]) -> Iterator[str | None]:
    sizes = piece.rows["id_size"]
    ends = np.cumsum(np.maximum(sizes, 0))[places]
    for size, end in zip(sizes[places].tolist(), ends.tolist(), strict=True):
        yield None if size < 0 else piece.ids[end - size : end].decode("utf-8")
