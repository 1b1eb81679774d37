"""The findings of the headers and ends of many records of a chunk: their places are found together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..batch._engine import EngineResult
from ..batch.examined import ids_of
from ..batch.located import located
from ..batch.options import Options
from ..batch.run import in_utf8_of
from ..sources.chunks import Chunk, numbers_of, owners_of
from .finding import Finding
from .header import HeaderIssue
from .header_cache import MEMBER_SPANS
from .judge import severity_of

if TYPE_CHECKING:
    import numpy.typing as npt

_MEMBERS: Final = {**MEMBER_SPANS, None: -1}


class InUtf8(NamedTuple):
    """A chunk with the texts of some records in UTF-8 that are in UTF-16 or UTF-32, and by their numbers the functions
    that map ascending offsets in them to those in the original texts.
    """

    chunk: Chunk
    offsets_of: dict[int, Callable[[list[int]], list[int]]]


def in_utf8(chunk: Chunk, first: int, piece: EngineResult, options: Options) -> InUtf8:
    """Return the chunk with the texts of `piece`, which begins with record `first`, in the encoding of the replay."""
    assert piece.facts is not None
    offsets_of = {}
    if piece.facts["is_wide"].any():
        places = zip(chunk.begins.tolist(), chunk.ends.tolist(), strict=True)
        texts = [bytes(memoryview(chunk.data)[begin:end]) for begin, end in places]
        for number in (first + np.flatnonzero(piece.facts["is_wide"])).tolist():
            found = in_utf8_of(texts[number], options)
            assert found is not None
            texts[number], offsets_of[number] = found
        sizes = np.array(list(map(len, texts)))
        ends = np.cumsum(sizes)
        chunk = replace(chunk, data=b"".join(texts), begins=ends - sizes, ends=ends)
    return InUtf8(chunk, offsets_of)


def findings_of_issues(
    chunk: Chunk, first: int, piece: EngineResult, narrow: InUtf8, issues: Mapping[int, Sequence[HeaderIssue]]
) -> dict[int, list[Finding]]:
    """Return the findings of records of `piece`, which begins with record `first` of the chunk; `narrow` is `in_utf8`.

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
    indices = places + first
    begins, ends = narrow.chunk.begins[indices], narrow.chunk.ends[indices]
    offsets = _offsets(narrow.chunk, piece.facts[places], numbers, wanted, begins, ends)
    if len(wanted) > len(places):
        order = np.lexsort((offsets, numbers))
        offsets = offsets[order]
        wanted = [wanted[k] for k in order.tolist()]
    charsets = piece.rows["charset"][places[numbers]]
    lines, columns, paths = located(narrow.chunk, begins[numbers], ends[numbers], offsets, charsets)
    for k, number in enumerate(indices[numbers].tolist() if narrow.offsets_of else ()):
        if number in narrow.offsets_of:
            offsets[k : k + 1] = narrow.offsets_of[number]([int(offsets[k])])
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
    is_elsewhere = (members < 0) | facts["is_lifted"][numbers]
    found = np.where(is_elsewhere, -1, facts["spans"][numbers, members, 0].astype(np.int64))
    if chunk.format == "sgf":
        found -= found >= 0  # a value begins after its bracket, the place of findings of a property
    for k in np.flatnonzero(found < 0).tolist():
        found[k] = _start_offset(chunk, int(begins[numbers[k]]), int(ends[numbers[k]]))
    return np.asarray(found)


def _start_offset(chunk: Chunk, begin: int, end: int) -> int:
    """The place of findings of a record as a whole: in SGF its first node."""
    return max(bytes(memoryview(chunk.data)[begin:end]).find(b";"), 0) if chunk.format == "sgf" else 0
