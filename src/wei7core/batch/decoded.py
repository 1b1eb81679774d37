"""Records of the formats that are decoded in Python: their columns are replayed and packed in C, a chunk a call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from .._util.lazy_numpy import np
from ..errors import ERROR, PROBLEM_CODES
from ..formats.registry import record_id
from ..sources.chunks import Chunk
from ._engine import EngineResult, replay_records
from .assemble import ReplayedChunk
from .options import COUNTED, Options
from .single_records import record_of, single_row

if TYPE_CHECKING:
    from ..record.record import Record

_COUNTED_IF_STRICT: Final = bytes(
    0 if code.severity == ERROR else flags for flags, code in zip(COUNTED, PROBLEM_CODES, strict=True)
)


def replay_decoded(chunk: Chunk, begin: int, end: int, options: Options) -> Iterator[ReplayedChunk]:
    """Decode records `begin` up to `end` of a chunk and replay them; those with an error are replayed one by one."""
    texts = [chunk.text(number) for number in range(begin, end)]
    records = [record_of(text, options) for text in texts]
    while records:
        result = replay_records(
            records,
            first=begin,
            board=options.board,
            positions=options.positions,
            canonical=options.canonical,
            metadata=options.metadata,
            counted=_COUNTED_IF_STRICT if options.strict else COUNTED,
            limits=options.limits,
        )
        places = np.flatnonzero(result.rows["is_deferred"]).tolist()
        others = {place: single_row(texts[place], options, records[place]) for place in places}
        headers = {}
        if options.metadata:
            from .metadata import metadata_of_decoded

            headers = metadata_of_decoded(records, result)
        kept = _with_ids(result, records)._replace(metadata=None)
        runs = chunk.runs_of(begin, begin + result.records)
        yield ReplayedChunk(runs, chunk.format, begin, kept, others, None, headers)
        begin += result.records
        texts, records = texts[result.records :], records[result.records :]


def _with_ids(result: EngineResult, records: list[Record]) -> EngineResult:
    """The result with the identifiers of its records."""
    deferred = result.rows["is_deferred"].tolist()
    names = [None if is_deferred else record_id(record) for record, is_deferred in zip(records, deferred, strict=False)]
    ids = [None if name is None else name.encode("utf-8", "surrogatepass") for name in names]
    result.rows["id_size"] = [-1 if name is None else len(name) for name in ids]
    return result._replace(ids=b"".join([name for name in ids if name]))
