"""Conversion of records for `wei7core convert`: plain records in batches, all others one by one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import numpy as np

from ..batch.examined import ExaminedRecords, examine_chunk
from ..batch.options import COUNTED, Options
from ..batch.run import in_utf8_of
from ..batch.single_records import ReplayedRecord, replay_raw_record
from ..errors import PROBLEM_CODES, Problem
from ..formats._native import Writing
from ..formats.sgf.charset_tables import CODECS
from ..game.conversion.plain_records import Moved, plain_writing
from ..game.conversion.reading_losses import is_reading_loss
from ..game.output_formats import target_named
from ..sources.chunks import Chunk
from ..sources.sources import Sources
from .convert_names import Origin

if TYPE_CHECKING:
    import numpy.typing as npt

_AT_ONCE: Final = 128
_LINE_FEED: Final = 10
_GUESS: Final = "charset-assumed"
_IS_NOTED: Final = np.array(
    [code.name == "text-undecodable" or code.name.startswith("charset-") for code in PROBLEM_CODES]
)

_WRITTEN: Final = {
    ("sgf", "sgf"): ("tree-unclosed", "move-occupied", "move-invalid", "point-off-board"),
    ("sgf", "wei7"): ("tree-unclosed",),
    ("wei7", "sgf"): (
        *("json-syntax", "unknown-member", "move-occupied", "point-off-board", "type-mismatch", "missing-member"),
        *("value-not-allowed", "number-not-integer", "number-out-of-range", "number-not-half", "string-too-long"),
    ),
}
"""Errors with which records of a format are converted to another at once."""

_Written: TypeAlias = tuple[int, int, Moved]
"""The begin and the end of a record in the text of its run, and what `moved_losses` makes its losses of."""


class PlainRun:
    """Consecutive records that were converted at once.

    `moved` has the values from which `moved_losses` makes their losses. `guesses` are the
    assumed encodings of texts that name none, by place in the run; `lossy` are the places of records with a problem
    that is a loss. `moves` is the number of moves in force, `problems` are counted by severity and code.
    """

    def __init__(
        self, records: ExaminedRecords, begin: int, text: memoryview, made: list[_Written], notes: _Notes
    ) -> None:
        self._records = records
        self._begin = begin
        end = begin + len(made)
        self._text = text
        self._made = made
        self.moved = [moved for _, _, moved in made]
        self.moves, self.problems = records.figures(begin, end)
        self.guesses = {place - begin: codec for place, codec in notes.guesses.items() if begin <= place < end}
        self.lossy = {place - begin for place in notes.lossy if begin <= place < end}
        self._failures = notes.failures[np.searchsorted(notes.failures["text"], begin) :]
        self._failures = self._failures[: np.searchsorted(self._failures["text"], end)]

    def __len__(self) -> int:
        return len(self._made)

    @property
    def data(self) -> list[bytes]:
        """The records as they are converted."""
        return [bytes(self._text[begin:end]) for begin, end, _ in self._made]

    @property
    def text(self) -> memoryview:
        """The records one after the other, each with a line feed at its end, not copied."""
        end = self._made[-1][1]
        return self._text[self._made[0][0] : end + (self._text[end - 1] != _LINE_FEED)]

    def source(self, place: int) -> str:
        """Return the source of a record by its place in the run."""
        return self._records.sources[self._begin + place]

    def label(self, place: int) -> str:
        """Return the label of a record by its place in the run, as `ReplayedRecord.label`."""
        run = self._records.run_of(self._begin + place)
        return f"{run.source}#{run.first}" if run.one_of_many else run.source

    def origin(self, place: int) -> Origin:
        """Return the origin of a record of the run."""
        run, name = self._records.run_of(self._begin + place), self._records.ids[self._begin + place]
        return Origin(run.source, run.first, name, run.one_of_many)

    def errors(self) -> list[tuple[int, Problem]]:
        """Return the first problem of records that end with an error which has its code, by their places in the run."""
        described = self._records.described(self._failures)
        return [(place - self._begin, Problem(*problem)) for place, (problem,) in described]

    def problems_of(self, place: int) -> tuple[Problem, ...]:
        """Return the problems of a record by its place in the run."""
        return self._records.problems(self._begin + place)


def outcomes(sources: Sources, done: int, format: str, options: Options) -> Iterator[PlainRun | ReplayedRecord]:
    """Yield the records after the first `done`, in order: runs of plain records converted to `format`, and all others
    replayed, for the caller to convert.
    """
    writings: dict[str, list[Writing]] = {}
    target = target_named(format).format
    counted = {source: _counted(source, target) for source in ("sgf", "wei7")}
    for item in sources.blocks():
        count = len(item) if isinstance(item, Chunk) else 1
        begin, done = min(done, count), done - min(done, count)
        if begin == count:
            continue
        if not isinstance(item, Chunk):
            yield replay_raw_record(item, options)
        elif plain_writing(item.format, format, options.revision) is None:
            yield from (replay_raw_record(item.text(number), options) for number in range(begin, count))
        else:
            while begin < count:
                writing = _unused(writings.setdefault(item.format, []), item.format, format, options)
                end = min(begin + _AT_ONCE, count)
                in_utf8 = partial(in_utf8_of, options=options)
                # One call of the engine a text: the next one would add to what the caller still holds.
                columns = {"writing": writing, "in_utf8": in_utf8, "counted": counted[item.format]}
                records = next(examine_chunk(item, begin, end, options, **columns))
                yield from _some(records, writing, options, without_problems=item.format == target == "wei7")
                begin += len(records)


def _counted(source: str, target: str) -> bytes:
    """`COUNTED` with the errors with which a record is written."""
    written = _WRITTEN.get((source, target), ())
    return bytes(flags + 64 * (code.name in written) for flags, code in zip(COUNTED, PROBLEM_CODES, strict=True))


def _unused(writings: list[Writing], source: str, format: str, options: Options) -> Writing:
    """One of `writings` whose text nobody holds any more, or a new one."""
    writing = next((one for one in writings if one.clear()), None)
    if writing is None:
        writing = plain_writing(source, format, options.revision)
        assert writing is not None
        writings.append(writing)
    return writing


def _some(
    records: ExaminedRecords, writing: Writing, options: Options, *, without_problems: bool
) -> Iterator[PlainRun | ReplayedRecord]:
    """Yield what becomes of records that were replayed; plain ones may have to be `without_problems`."""
    notes = _Notes(records)
    made = list(map(writing.made.get, range(records.first, records.first + len(records))))
    if without_problems:
        for place in np.flatnonzero(records.result.rows["problems"]).tolist():
            made[place] = None
    text = memoryview(writing)
    if all(made):
        yield PlainRun(records, 0, text, cast("list[_Written]", made), notes)
        return
    for is_plain, group in groupby(range(len(records)), lambda place: made[place] is not None):
        places = list(group)
        if is_plain:
            yield PlainRun(records, places[0], text, [one for place in places if (one := made[place])], notes)
        else:
            yield from (replay_raw_record(records.text(place), options) for place in places)


class _Notes:
    """The problems of records that matter for their conversion: `PlainRun.guesses`, `lossy` and `errors`, by place."""

    def __init__(self, records: ExaminedRecords) -> None:
        self.lossy: set[int] = set()
        guessed = []
        self.guesses: dict[int, str] = {}
        self.failures: npt.NDArray[np.void] = records.rows[:0]
        if not len(records.rows):
            return
        codes = np.full(len(records), -1)
        failed = records.rows[records.rows["is_error"]]
        codes[failed["text"]] = failed["code"]
        alike = records.rows[records.rows["code"] == codes[records.rows["text"]]]
        alike = alike[np.lexsort((alike["offset"], alike["text"]))]
        self.failures = alike[np.unique(alike["text"], return_index=True)[1]]
        rows = records.rows[_IS_NOTED[records.rows["code"]]]
        for place, number, detail in zip(*(rows[name].tolist() for name in ("text", "code", "detail")), strict=True):
            code = PROBLEM_CODES[number].name
            if is_reading_loss(code, detail):
                self.lossy.add(place)
            if code == _GUESS:
                guessed.append(place)
        charsets = records.result.rows["charset"][guessed].tolist()
        self.guesses = {place: CODECS[charset] for place, charset in zip(guessed, charsets, strict=True)}
