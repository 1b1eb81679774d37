"""Training rows of a group of records: decoded, replayed, filtered."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..._util.lazy_numpy import Array
from ...batch._engine import bulk_format, replay_block
from ...batch._expand import InputSlots, sample_rows
from ...batch.options import COUNTED, Options
from ...batch.run import Task
from ...batch.single_records import positions_of_record, record_of, replay_raw_record
from ...formats.headers import komi_of, result_of, rules_of, with_implied_komi
from ...formats.registry import read_header
from ...formats.sgf.charset import engine_tables
from ...formats.sgf.charset_tables import CODECS
from ...formats.sgf.info import info_from_properties
from ...formats.sgf.text_values import simple_text
from ...formats.wei7.info import read_info
from ...record.document import Info, Properties
from ...record.points import komi_in_points
from ...record.result import GameResult
from ...rules import Rules
from ...sources.chunks import Chunk, RawRecord
from .filters import GameFilter

_RESULT = 1  # of the spans of the facts of a record
_OF_KOMI = [0, 3, 4]  # of wei7 `rules.komi`, `.type` and `.scoring`, of SGF KM, RU and another
_MOST_RESULTS = 1 << 16  # that are kept as they were read, as are as many of komi and rules
_MOST_KOMI = 1000
_DRAW = 3  # W7_SAMPLE_DRAW
_FEW, _MANY = 16, 128  # records of the first group, and of the largest ones: their memory is reused


_HeaderTexts: TypeAlias = "tuple[str, int, bytes | None, bytes | None, bytes | None]"


class Outcome(NamedTuple):
    """What the result of a game determines: whether it is used, the winner (3: a draw, 0: unknown), and the margin."""

    is_taken: bool
    winner: int = 0
    margin: float = math.nan


@dataclass(frozen=True, slots=True)
class Plan:
    """Options of sampling: how records are read, which are used, and the size of the boards."""

    options: Options
    games: GameFilter
    width: int
    height: int
    shard: int
    shards: int
    ownership: bool
    inputs: InputSlots | None = None
    results: dict[tuple[str, bytes, int], Outcome] = field(default_factory=dict, compare=False)
    komis: dict[_HeaderTexts, float] = field(default_factory=dict, compare=False)

    def is_own(self, numbers: Array | int) -> Any:
        """Whether records of these numbers belong to the shard."""
        return numbers % self.shards == self.shard


class NumberedTask(NamedTuple):
    """A group of records: its number, that of its first record in the input, and whether its rows are wanted."""

    number: int
    first: int
    group: Task
    is_wanted: bool


class RowsOfPiece(NamedTuple):
    """Rows of `wei7core.batch._expand.sample_rows`, the packed boards and areas they name, and int64 `picks` of those
    that are used, as `SampleBuffer.put` takes them.
    """

    rows: Array
    boards: Array
    areas: Array | None
    picks: Array


@dataclass(slots=True)
class GroupRows:
    """The rows of the records of a group, how many records were used or filtered out, and the names of those with an
    error.
    """

    pieces: list[RowsOfPiece] = field(default_factory=list)
    games: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: int = 0

    def add(self, rows: RowsOfPiece, begin: int, end: int) -> None:
        """Add those from `begin` up to `end` of the used rows of a piece."""
        if begin < end:
            self.pieces.append(rows._replace(picks=rows.picks[begin:end]))


def few_first(tasks: Iterable[Task]) -> Iterator[Task]:
    """Yield the work of tasks in parts of at most _MANY records, at first of few, so that the first rows come soon."""
    few = _FEW
    group, room = Task([]), few
    for task in tasks:
        for item in task.items:
            begin, end = (0, 1) if isinstance(item, RawRecord) else item[1:]
            while begin < end:
                after = min(begin + room, end)
                group.items.append(item if isinstance(item, RawRecord) else (item[0], begin, after))
                room -= after - begin
                begin = after
                if room == 0:
                    yield group
                    few = min(2 * few, _MANY)
                    group, room = Task([]), few
        # Records of a task that has been read do not wait for the next one.
        if group.items:
            yield group
            group, room = Task([]), few


def numbered(groups: Iterable[Task], wanted: frozenset[int], first_wanted: int) -> Generator[NumberedTask, None, None]:
    """Yield groups with their numbers; those from `first_wanted` on are wanted, and those of `wanted`."""
    first = 0
    for number, group in enumerate(groups):
        yield NumberedTask(number, first, group, number >= first_wanted or number in wanted)
        first += sum(1 if isinstance(item, RawRecord) else item[2] - item[1] for item in group.items)


def rows_of_group(task: NumberedTask, plan: Plan) -> GroupRows:
    """Return the rows of a group, in the order of its records. Thread safe. Raises what the filter's `where` raises."""
    made = GroupRows()
    if not task.is_wanted:
        return made
    number = task.first
    for item in task.group.items:
        if isinstance(item, RawRecord):
            if plan.is_own(number) and plan.games.takes_source(item.source):
                _add_alone(item, number, plan, made)
            number += 1
        else:
            _add_block(*item, number, plan, made)
            number += item[2] - item[1]
    return made


def _own_places(block: Chunk, begin: int, end: int, number: int, plan: Plan) -> tuple[Array, Array]:
    """The places in a chunk of the records to read, and their numbers in the input."""
    places = np.arange(begin, end)
    numbers = number + places - begin
    own = plan.is_own(numbers)
    if plan.games.source is not None:
        runs = block.runs_of(begin, end)
        own &= np.repeat([plan.games.takes_source(run.source) for run in runs], [run.records for run in runs])
    return places[own], numbers[own].astype(np.int64)


def _add_block(block: Chunk, begin: int, end: int, number: int, plan: Plan, made: GroupRows) -> None:
    """Add the rows of records `begin` up to `end` of a block, the first of which is that `number` of the input."""
    options = plan.options
    places, numbers = _own_places(block, begin, end, number, plan)
    begins, ends = block.begins[places], block.ends[places]
    done = 0
    while done < len(places):
        piece = replay_block(
            block.data,
            begins,
            ends,
            bulk_format(block.format, options.revision),
            first=done,
            positions=True,
            facts=True,
            counted=COUNTED,
            charsets=engine_tables,
            wanted_charset=options.wanted_charset,
            failures=True,
            strict=options.strict,
            limits=options.limits,
        )
        assert piece.positions is not None and piece.facts is not None
        count = done + piece.records
        read = piece.rows
        is_deferred = read["is_deferred"] != 0
        is_read = ~is_deferred
        if piece.failures is not None:
            is_read[piece.failures[0]["text"]] = False
        for place in np.flatnonzero(~(is_deferred | is_read)).tolist():
            made.failed.append(_name(block.text(int(places[done + place]))))
        spans = piece.facts["spans"] + begins[done:count, None, None]
        spans[piece.facts["spans"] < 0] = -1
        outcomes = _outcomes(plan, block, spans[:, _RESULT], read["charset"])
        taken, winners, margins = zip(*outcomes, strict=True)
        is_used = is_read & (read["width"] == plan.width) & (read["height"] == plan.height) & np.array(taken, bool)
        is_used &= (read["moves"] >= plan.games.moves[0]) & (read["moves"] <= plan.games.moves[1])
        if plan.games.needs_info:
            for place in np.flatnonzero(is_used).tolist():
                is_used[place] = _takes_info(block.text(int(places[done + place])), plan)
        used = int(np.count_nonzero(is_used))
        made.games += used
        made.skipped += int(np.count_nonzero(is_read)) - used
        texts = _no_texts(count)
        texts["games"][:] = numbers[:count]
        texts["is_used"][done:] = is_used
        texts["moves"][done:] = read["moves"]
        texts["winners"][done:] = winners
        texts["margins"][done:] = margins
        for place in np.flatnonzero(np.array(margins) * 4 % 2 == 1).tolist():
            key = _texts_of(block, spans[place, _OF_KOMI].tolist(), int(read["charset"][place]))
            texts["margins"][done + place] = komi_in_points(margins[place], rules_of(*_header_stated(*key)))
        if plan.inputs is not None:
            texts["komis"][done:] = _komis(plan, block, spans[:, _OF_KOMI], read["charset"])
        deferred = (done + np.flatnonzero(is_deferred)).tolist()
        rows = _rows_of(piece.positions, texts, plan)
        begin = 0
        for at in deferred:
            end = int(np.searchsorted(rows.rows["game"][rows.picks >> 3], numbers[at]))
            made.add(rows, begin, end)
            _add_alone(block.text(int(places[at])), int(numbers[at]), plan, made)
            begin = end
        made.add(rows, begin, len(rows.picks))
        done = count


def _name(text: RawRecord) -> str:
    return f"{text.source}#{text.record}" if text.one_of_many else text.source


def _add_alone(text: RawRecord, number: int, plan: Plan, made: GroupRows) -> None:
    """Add the rows of a record that the compiled replay defers."""
    outcome = replay_raw_record(text, plan.options)
    row, record = outcome.row, outcome.record
    if row.error is not None or record is None:
        made.failed.append(outcome.label)
        return
    info, properties = read_header(record)
    outcome_of_game = _outcome_of(plan, result_of(info, properties), rules_of(info, properties))
    fewest, most = plan.games.moves
    is_used = (row.width, row.height) == (plan.width, plan.height) and fewest <= row.moves <= most
    is_used = is_used and outcome_of_game.is_taken
    if is_used and plan.games.needs_info:
        is_used = plan.games.takes_info(info)
    if not is_used:
        made.skipped += 1
        return
    made.games += 1
    texts = _no_texts(1)
    texts["games"][0] = number
    texts["moves"][0] = row.moves
    texts["is_used"][0] = 1
    _, texts["winners"][0], texts["margins"][0] = outcome_of_game
    if plan.inputs is not None:
        texts["komis"][0] = _points(with_implied_komi(info) if record.format == "wei7-2.2" else info, properties)
    rows = _rows_of(positions_of_record(outcome, plan.options), texts, plan)
    made.add(rows, 0, len(rows.picks))


def _takes_info(text: RawRecord, plan: Plan) -> bool:
    return plan.games.takes_info(read_header(record_of(text, plan.options))[0])


def _outcomes(plan: Plan, block: Chunk, spans: Array, charsets: Array) -> list[Outcome]:
    """The outcomes of the results at `spans` of a block, -1 for none; texts read before are not read again."""
    data, known, made = memoryview(block.data), plan.results, list[Outcome]()
    none = _outcome_of(plan, None)
    for (begin, end), charset in zip(spans.tolist(), charsets.tolist(), strict=True):
        if begin < 0:
            made.append(none)
            continue
        key = (block.format, bytes(data[begin:end]), charset)
        outcome = known.get(key)
        if outcome is None:
            codec = CODECS[charset] if charset > 0 else "utf-8"
            outcome = _outcome_of(plan, _result_stated(block.format, key[1], codec))
            if len(known) >= _MOST_RESULTS:
                known.clear()
            known[key] = outcome
        made.append(outcome)
    return made


def _result_stated(format: str, value: bytes, charset: str) -> GameResult | None:
    """The result in the bytes of a header; None where they are no result."""
    try:
        if format == "sgf":
            return GameResult.parse(simple_text(value.decode(charset)))
        result = read_info(b'{"result":%b}' % value).result
        return None if result is None else GameResult.from_result(result)
    except ValueError:
        return None


def _outcome_of(plan: Plan, result: GameResult | None, rules: Rules | None = None) -> Outcome:
    endings = plan.games.endings
    if result is None:
        return Outcome(endings is None)
    is_taken = endings is None or result.ending in endings
    if result.winner is None:
        return Outcome(is_taken, _DRAW, 0) if result.ending.value == "draw" else Outcome(is_taken)
    margin = math.nan if result.margin is None else float(komi_in_points(result.margin, rules))
    return Outcome(is_taken, result.winner, margin)


def _komis(plan: Plan, block: Chunk, spans: Array, charsets: Array) -> list[float]:
    """The komi of each record, in points, NaN for none; those of the same texts are read once."""
    known, made = plan.komis, list[float]()
    for places, charset in zip(spans.tolist(), charsets.tolist(), strict=True):
        key = _texts_of(block, places, charset)
        komi = known.get(key)
        if komi is None:
            if len(known) >= _MOST_RESULTS:
                known.clear()
            komi = known[key] = math.nan if key[2] is None else _points(*_header_stated(*key))
        made.append(komi)
    return made


def _texts_of(block: Chunk, spans: list[list[int]], charset: int) -> _HeaderTexts:
    """The texts of a header at spans of a block, with its format and encoding."""
    data = memoryview(block.data)
    komi, rules, scoring = (None if begin < 0 else bytes(data[begin:end]) for begin, end in spans)
    return block.format, charset, komi, rules, scoring


def _header_stated(
    format: str, charset: int, komi: bytes | None, rules: bytes | None, scoring: bytes | None
) -> tuple[Info, Properties]:
    """The komi and rules in the bytes of a header."""
    if format != "sgf":
        members = ((b"komi", komi), (b"type", rules), (b"scoring", scoring))
        text = b",".join(b'"%b":%b' % (name, value) for name, value in members if value is not None)
        return read_info(b'{"rules":{%b}}' % text), {}
    codec = CODECS[charset] if charset > 0 else "utf-8"
    texts = (("KM", komi), ("RU", rules))
    properties: Properties = {name: (text.decode(codec, "replace"),) for name, text in texts if text is not None}
    return info_from_properties(properties), properties


def _points(info: Info, properties: Properties) -> float:
    """The komi of a header, in points, NaN for none and for one that no game has."""
    komi = komi_of(info, rules_of(info, properties))
    return math.nan if komi is None or abs(komi) >= _MOST_KOMI else float(komi)


def _no_texts(count: int) -> dict[str, Array]:
    return {
        "games": np.zeros(count, np.int64),
        "moves": np.zeros(count, np.int64),
        "margins": np.full(count, np.nan, np.float32),
        "komis": np.full(count, np.nan, np.float32),
        "is_used": np.zeros(count, np.uint8),
        "winners": np.zeros(count, np.uint8),
    }


def _rows_of(positions: Mapping[str, Array], texts: dict[str, Array], plan: Plan) -> RowsOfPiece:
    kos = plan.inputs is not None
    rows, areas, picks = sample_rows(positions, texts, plan.width, plan.height, plan.ownership, kos)
    return RowsOfPiece(rows, positions["boards"], areas, picks)
