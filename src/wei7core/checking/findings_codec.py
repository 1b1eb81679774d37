"""Serialisation of the findings of a part of a check and the keys of its games, for a checkpoint."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..batch.resume import Checkpoint, ResumeError
from ..batch.run import ResumePoint
from ..batch.summaries import summary_dtype
from .finding import Finding

if TYPE_CHECKING:
    from .game_rows import GameRows

_COLUMNS: Final = ("records", "moves", "canonical_hashes", "id_sizes", "offsets", "lines", "columns")
_PART_BYTES: Final = 1 << 26  # of text, and of findings
_FORM: Final = 1  # version of a part, which also has the fields; incremented when its content changes


def layout() -> list[Any]:
    """Return the layout of parts for `wei7core.batch.resume.open_checkpoint`."""
    return [_FORM, Finding._fields, _COLUMNS, summary_dtype().descr]


class FinishedPart(NamedTuple):
    """Consecutive records, checked. `place` is after them; numbers are those in their sources."""

    place: ResumePoint
    records: int
    findings: list[Finding]
    games: list[GameRows]


class PartKeeper:
    """Collects finished parts until they are large enough for a file of the checkpoint `kept`. For one thread at a
    time.
    """

    def __init__(self, kept: Checkpoint) -> None:
        self._kept = kept
        self._start_anew()

    def _start_anew(self) -> None:
        self._records = self._size = 0
        self._findings: list[bytes] = []
        self._games: list[GameRows] = []

    def add(self, part: FinishedPart, size: int) -> None:
        """Add the next part, made of `size` bytes of text."""
        self._place = part.place
        self._records += part.records
        # Evidence is a view of a dict; its integers may be NumPy's.
        lines = [json.dumps([*found[:-1], dict(found.evidence)], default=index).encode() for found in part.findings]
        self._findings += lines
        self._games += part.games
        self._size += size + sum(map(len, lines))
        if self._size >= _PART_BYTES:
            self.close()

    def close(self) -> None:
        """Write the collected parts."""
        if self._records:
            self._kept.add(_written(self._place, self._records, self._findings, self._games))
            self._start_anew()


def _written(place: ResumePoint, records: int, findings: Sequence[bytes], games: Sequence[GameRows]) -> bytes:
    sources = [run for rows in games for run in rows.sources]
    head = {"tasks": place.tasks, "lines": place.lines, "records": records, "sources": sources}
    arrays: dict[str, Any] = {
        "head": np.frombuffer(json.dumps(head).encode(), np.uint8),
        "findings": np.frombuffer(b"\n".join(findings), np.uint8),
    }
    if games:
        arrays |= {name: np.concatenate([getattr(rows, name) for rows in games]) for name in _COLUMNS}
        arrays["ids"] = np.frombuffer(b"".join(rows.ids for rows in games), np.uint8)
        arrays["facts"] = np.concatenate([rows.facts for rows in games]).view(np.uint8)
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def read_part(data: bytes) -> FinishedPart:
    """Return the part in these bytes. Raises `ResumeError` if they are no part."""
    from zipfile import BadZipFile

    from .game_rows import GameRows

    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = dict(file)
        head = json.loads(arrays["head"].tobytes())
        findings = [Finding(*json.loads(line)) for line in arrays["findings"].tobytes().splitlines()]
        games = []
        if "facts" in arrays:
            columns = {name: arrays[name] for name in _COLUMNS}
            facts, ids = arrays["facts"].view(summary_dtype()), arrays["ids"].tobytes()
            runs = [(name, count) for name, count in head["sources"]]
            games.append(GameRows(sources=runs, facts=facts, ids=ids, **columns))
        return FinishedPart(ResumePoint(head["tasks"], head["lines"]), head["records"], findings, games)
    except (KeyError, TypeError, ValueError, BadZipFile) as error:
        raise ResumeError(f"a part of the unfinished run cannot be read: {error}") from None
