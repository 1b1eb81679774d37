"""Records with findings, read again: a finding names its record, without the text."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from ..limits import DEFAULT_LIMITS, Limits
from ..sources.archives import MEMBER_SEPARATOR
from ..sources.chunks import RawRecord
from ..sources.sources import Input, Sources


class Again(NamedTuple):
    """A record and whether it is the only one of its file."""

    text: RawRecord
    is_alone: bool


class _RecordPlace(NamedTuple):
    source: str
    record: int
    text: Callable[[], RawRecord]


def record_places(inputs: Input | Iterable[Input], limits: Limits) -> Iterator[_RecordPlace]:
    """The places of all records, in input order; most texts are never copied."""
    for item in Sources(inputs, limits=limits).blocks():
        if isinstance(item, RawRecord):
            yield _RecordPlace(item.source, item.record, partial(_itself, item))
            continue
        for index in range(len(item)):
            (run,) = item.runs_of(index, index + 1)
            yield _RecordPlace(run.source, run.first, partial(item.text, index))


def _itself(text: RawRecord) -> RawRecord:
    return text


def reread_records(
    inputs: Input | Iterable[Input], wanted: Mapping[str, Container[int]], *, limits: Limits = DEFAULT_LIMITS
) -> Iterator[Again]:
    """Yield the records of `inputs` that `wanted` names, by source and number in it, in input order.

    They are found if the inputs are unchanged. Thread safety: one thread at a time.
    """
    before: str | None = None
    waiting: tuple[_RecordPlace, str | None] | None = None  # the next place shows whether it is alone
    for place in record_places(inputs, limits):
        if waiting is not None:
            yield _again(*waiting, place.source)
            waiting = None
        if place.record in wanted.get(place.source, ()):
            waiting = place, before
        before = place.source
    if waiting is not None:
        yield _again(*waiting, None)


def _again(place: _RecordPlace, before: str | None, after: str | None) -> Again:
    text = place.text()
    archive = place.source + MEMBER_SEPARATOR
    shared = any(
        other is not None and (other == place.source or other.startswith(archive)) for other in (before, after)
    )
    return Again(text, not shared and not text.one_of_many)


class RecordReader:
    """The texts of records, requested in input order.

    Thread safety: one thread at a time.
    """

    def __init__(self, inputs: Input | Iterable[Input], *, limits: Limits = DEFAULT_LIMITS) -> None:
        self._places = record_places(inputs, limits)
        self._last: RawRecord | None = None

    def text(self, source: str, record: int) -> RawRecord | None:
        """Return a record by its source and number; None if it no longer comes."""
        if self._last is not None and (self._last.source, self._last.record) == (source, record):
            return self._last
        for place in self._places:
            if (place.source, place.record) == (source, record):
                self._last = place.text()
                return self._last
        return None
