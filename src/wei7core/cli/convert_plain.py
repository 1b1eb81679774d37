"""Conversion of records for `wei7core convert`: plain records in batches, all others one by one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby, repeat
from typing import Final

import numpy as np

from ..batch.examined import ExaminedRecords, examine_chunk
from ..batch.options import Options
from ..batch.run import in_utf8_of
from ..batch.single_records import ReplayedRecord, replay_raw_record
from ..errors import PROBLEM_CODES, Problem
from ..formats.sgf.charset_tables import CODECS
from ..game.conversion.plain_records import Moved, plain_writing
from ..game.conversion.reading_losses import is_reading_loss
from ..sources.chunks import Chunk
from ..sources.sources import Sources
from .convert_names import Origin

_AT_ONCE: Final = 128
_GUESS: Final = "charset-assumed"
_IS_NOTED: Final = np.array(
    [code.name == "text-undecodable" or code.name.startswith("charset-") for code in PROBLEM_CODES]
)


class PlainRun:
    """Consecutive records without errors that were converted at once.

    `data` are the converted records, `moved` the values from which `moved_losses` makes their losses. `guesses` are the
    assumed encodings of texts that name none, by place in the run; `lossy` are the places of records with a problem
    that is a loss. `moves` is the number of moves in force, `problems` are counted by severity and code.
    """

    def __init__(self, records: ExaminedRecords, begin: int, made: list[tuple[bytes, Moved]], notes: _Notes) -> None:
        self._records = records
        self._begin = begin
        end = begin + len(made)
        self.data = [data for data, _ in made]
        self.moved = [moved for _, moved in made]
        self.moves, self.problems = records.figures(begin, end)
        self.guesses = {place - begin: codec for place, codec in notes.guesses.items() if begin <= place < end}
        self.lossy = {place - begin for place in notes.lossy if begin <= place < end}

    def source(self, place: int) -> str:
        """Return the source of a record by its place in the run."""
        return self._records.sources[self._begin + place]

    def origin(self, place: int) -> Origin:
        """Return the origin of a record of the run."""
        run, name = self._records.run_of(self._begin + place), self._records.ids[self._begin + place]
        return Origin(run.source, run.first, name, run.one_of_many)

    def problems_of(self, place: int) -> tuple[Problem, ...]:
        """Return the problems of a record by its place in the run."""
        return self._records.problems(self._begin + place)


def outcomes(sources: Sources, done: int, format: str, options: Options) -> Iterator[PlainRun | ReplayedRecord]:
    """Yield the records after the first `done`, in order: runs of plain records converted to `format`, and all others
    replayed, for the caller to convert.
    """
    for item in sources.blocks():
        count = len(item) if isinstance(item, Chunk) else 1
        begin, done = min(done, count), done - min(done, count)
        if begin == count:
            continue
        if not isinstance(item, Chunk):
            yield replay_raw_record(item, options)
        elif plain_writing(item.format, format) is None:
            yield from (replay_raw_record(item.text(number), options) for number in range(begin, count))
        else:
            for first in range(begin, count, _AT_ONCE):
                yield from _some(item, first, min(first + _AT_ONCE, count), format, options)


def _some(chunk: Chunk, begin: int, end: int, format: str, options: Options) -> Iterator[PlainRun | ReplayedRecord]:
    writing = plain_writing(chunk.format, format)
    assert writing is not None
    in_utf8 = partial(in_utf8_of, options=options)
    for records in examine_chunk(chunk, begin, end, options, writing=writing, in_utf8=in_utf8):
        notes = _Notes(records)
        numbers = range(records.first, records.first + len(records))
        made = list(map(writing.made.pop, numbers, repeat(None)))
        for is_plain, group in groupby(range(len(records)), lambda place: made[place] is not None):  # noqa: B023
            places = list(group)
            if is_plain:
                some = [one for one in made[places[0] : places[-1] + 1] if one is not None]
                yield PlainRun(records, places[0], some, notes)
            else:
                yield from (replay_raw_record(records.text(place), options) for place in places)


class _Notes:
    """The problems of records that matter for their conversion: `PlainRun.guesses` and `lossy`, by place."""

    def __init__(self, records: ExaminedRecords) -> None:
        self.lossy: set[int] = set()
        guessed = []
        rows = records.rows[_IS_NOTED[records.rows["code"]]]
        for place, number, detail in zip(*(rows[name].tolist() for name in ("text", "code", "detail")), strict=True):
            code = PROBLEM_CODES[number].name
            if is_reading_loss(code, detail):
                self.lossy.add(place)
            if code == _GUESS:
                guessed.append(place)
        charsets = records.result.rows["charset"][guessed].tolist()
        self.guesses = {place: CODECS[charset] for place, charset in zip(guessed, charsets, strict=True)}
