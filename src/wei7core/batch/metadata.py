"""Columns of metadata: texts that C found in headers and their values; each distinct text is parsed once per batch."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from .._util.lazy_numpy import np
from ..coordinates import to_gtp
from ..formats.headers import (
    ENDINGS,
    handicap_of,
    header_texts,
    komi_of,
    named_set,
    result_of,
    rules_of,
    time_limit_of,
    with_implied_komi,
)
from ..formats.registry import read_document, read_header
from ..formats.sgf.charset_tables import CODECS
from ..formats.sgf.info import info_from_properties
from ..formats.sgf.properties import escape
from ..formats.sgf.text_values import simple_text
from ..formats.wei7.info import read_info
from ..record.dates import iso_date
from ..record.document import Info, Properties
from ..record.points import komi_in_points
from ..rules import CHINESE
from ..tables.columns import ColumnData, Numbers, Texts
from ._engine import EngineResult, TextList, metadata_type
from .results import METADATA_COLUMNS

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..record.record import Record
    from ..replaying.replay import Replayed

__all__ = ["Metadata", "metadata_columns", "metadata_of"]

_T = TypeVar("_T")

Array: TypeAlias = "npt.NDArray[Any]"

Metadata: TypeAlias = tuple[Any, ...]
"""A value for each of `METADATA_COLUMNS`."""

# in the order of batch/metadata.h
_FIELDS: Final = (
    "black", "white", "black_rank", "white_rank", "black_team", "white_team", "event", "round", "place", "date_raw",
    "komi", "rules_raw", "handicap", "time", "overtime", "result_raw", "source_program", "version", "info",
)  # fmt: skip
_COPIED: Final = (*_FIELDS[:10], "overtime", "source_program")
_FIRST_MOVES: Final = 12
_SGF_NAMES: Final = {
    "komi": "KM",
    "rules_raw": "RU",
    "handicap": "HA",
    "time": "TM",
    "result_raw": "RE",
    "version": "FF",
}


_RAW: Final = 128  # added to the encoding of the values of a property as they are written, as in batch/metadata.h
_DAY_BYTES: Final = 10
_REMEMBERED: Final = 4096
_MOST_REMEMBERED_LETTERS: Final = 200


def _remembered(read: Callable[..., _T]) -> Callable[..., _T]:
    """`read` with a cache of its results for short texts: results, rules and dates recur in each batch."""
    remembered = functools.lru_cache(_REMEMBERED)(read)

    @functools.wraps(read)
    def answer(*arguments: Any) -> _T:
        letters = sum(len(text) for text in arguments if isinstance(text, str))
        return remembered(*arguments) if letters <= _MOST_REMEMBERED_LETTERS else read(*arguments)

    return answer


class _Values(NamedTuple):
    """Texts of headers: their bytes, their ends, and whether each is of wei7."""

    data: Array
    ends: Array
    is_wei7: Array

    def bytes(self, numbers: Array) -> list[bytes]:
        ends, begins = self.ends[numbers].tolist(), np.where(numbers > 0, self.ends[numbers - 1], 0).tolist()
        data = self.data.data
        return [bytes(data[begin:end]) for begin, end in zip(begins, ends, strict=True)]

    def texts(self, numbers: Array) -> list[str]:
        return [text.decode("utf-8", "surrogatepass") for text in self.bytes(numbers)]

    def listed(self) -> TextList:
        """The same texts for C."""
        return TextList(self.data, self.ends, self.is_wei7)

    def distinct(self, codes: Array) -> tuple[Array, Array]:
        """The number of the text of each code (-1: absent) among the distinct ones, and the codes of these."""
        return self.listed().distinct(np.ascontiguousarray(codes))

    def column(self, codes: Array) -> Texts:
        """The column of the texts `codes`; -1 is absent."""
        offsets, data, valid = self.listed().taken(np.ascontiguousarray(codes))
        return Texts(offsets, data, None if len(valid) and valid.all() else valid)

    def late_column(self, codes: Array) -> Texts:
        """The same column, made on demand."""
        return Texts.late(len(codes), functools.partial(self.column, codes))


def metadata_of(record: Record, replayed: Replayed) -> Metadata:
    """Return the metadata of one record of any format; `replayed` is the replay of its main line. Thread safe."""
    from .summaries import opening_key

    document = read_document(record)
    stones = 0 if document.tree.pre is None else document.tree.pre.handicap
    first_moves = opening = None
    board = replayed.board
    moves = [] if board is None else board.moves()[:_FIRST_MOVES]
    if board is not None and moves:
        first_moves = " ".join(to_gtp(point, board.width, board.height) for _, point in moves)
        # The pickled state of a board is its setup, moves and edits.
        _, (width, height, cells, _, played, edits) = board.__reduce__()
        setup = [(cell, (place % width, place // width)) for place, cell in enumerate(cells) if cell]
        opening = opening_key(width, height, setup, played, edits=edits)
    info = document.info if document.version is None else with_implied_komi(document.info)
    return _metadata(info, document.properties, stones if len(record.trees) else None, first_moves, opening)


def metadata_of_decoded(records: Sequence[Record], result: EngineResult) -> dict[int, Metadata]:
    """Return the metadata of the records of `result` that C has replayed, by their places. Thread safe."""
    assert result.metadata is not None
    rows = np.frombuffer(result.metadata["rows"], metadata_type())
    sizes = rows["first_size"].tolist()
    first_moves = memoryview(result.metadata["first_moves"])
    keys, stones = rows["opening_key"].tolist(), rows["handicap"].tolist()
    found = {}
    end = 0
    for place, is_deferred in enumerate(result.rows["is_deferred"].tolist()):
        if is_deferred:
            continue
        begin, end = end, end + max(sizes[place], 0)
        has_moves = sizes[place] >= 0
        first = str(first_moves[begin:end], "ascii") if has_moves else None
        info, properties = read_header(records[place])
        if records[place].format == "wei7-2.2":
            info = with_implied_komi(info)
        found[place] = _metadata(info, properties, stones[place], first, keys[place] if has_moves else None)
    return found


def _metadata(
    info: Info, properties: Properties, stones: int | None, first_moves: str | None, opening: int | None
) -> Metadata:
    """The metadata of a record with this header; `stones` counts those set up as a handicap, None without a game."""
    values = {
        **_header_values(info, properties),
        "handicap": None if stones is None else handicap_of(properties, stones),
        "first_moves": first_moves,
        "opening_key": opening,
    }
    return tuple(values[column.name] for column in METADATA_COLUMNS)


def _header_values(info: Info, properties: Properties) -> dict[str, Any]:
    """The columns that the header alone gives, by name."""
    rules = rules_of(info, properties)
    result = result_of(info, properties)
    texts = header_texts(info, properties)
    raw_date = texts["date_raw"]
    return {
        **texts,
        "date": None if raw_date is None else iso_date(raw_date),
        "komi": _float(komi_of(info, rules)),
        "rules": named_set(rules),
        "time_limit": time_limit_of(properties),
        "winner": None if result is None else result.winner,
        "margin": None if result is None or result.margin is None else float(komi_in_points(result.margin, rules)),
        "ending": None if result is None else ENDINGS[result.ending],
    }


def _float(number: Fraction | None) -> float | None:
    return None if number is None else float(number)


def metadata_columns(
    pieces: Sequence[EngineResult], formats: Sequence[str], places: Array, found: Sequence[Metadata | None]
) -> dict[str, ColumnData]:
    """Return the columns of metadata of the records of all `pieces`, with the formats `formats`.

    The records at `places` are not in the pieces: their metadata are `found`, None if the header was not read.
    """
    rows, numbers, values, first_moves = _joined(pieces, formats)
    codes = dict(zip(_FIELDS, numbers, strict=True))
    data: dict[str, ColumnData] = {name: values.late_column(codes[name]) for name in _COPIED}
    data["date"] = _dates(values, codes["date_raw"])
    _put_rules(data, values, codes)
    _put_results(data, values, codes["result_raw"])
    data["handicap"] = _handicaps(values, codes["handicap"], rows["handicap"])
    data["time_limit"] = _times(values, codes["time"], codes["version"])
    sizes = rows["first_size"].astype(np.int64)
    data["first_moves"] = Texts.sized(sizes, first_moves)
    data["opening_key"] = _numbers(rows["opening_key"].astype(np.uint64), sizes >= 0, 0)
    unusual = np.flatnonzero(codes["info"] >= 0)
    if len(unusual):
        infos = map(read_info, values.bytes(codes["info"][unusual]))
        headers = [_header_values(info, {}) for info in infos]
        _put_rows(data, list(headers[0]), unusual, [[*header.values()] for header in headers])
    if len(places):
        nothing = (None,) * len(METADATA_COLUMNS)
        _put_rows(data, [column.name for column in METADATA_COLUMNS], places, [row or nothing for row in found])
    return data


def _put_rows(data: dict[str, ColumnData], names: Sequence[str], places: Array, rows: Sequence[Sequence[Any]]) -> None:
    for name, values in zip(names, zip(*rows, strict=True), strict=True):
        data[name] = _replaced(data[name], places, values)


def _joined(pieces: Sequence[EngineResult], formats: Sequence[str]) -> tuple[Array, Array, _Values, bytes]:
    """Rows, numbers of texts by `_FIELDS`, texts and first moves of all pieces; those without metadata are absent."""
    absent = np.zeros(1, metadata_type())
    absent["value_numbers"] = absent["first_size"] = -1
    rows, data, ends, charsets, is_wei7, first_moves = [], [], [], [], [], []
    bases = []
    numbers = size = 0
    for piece, format in zip(pieces, formats, strict=True):
        bases.append(numbers)
        metadata = piece.metadata
        if metadata is None:
            rows.append(absent.tobytes() * piece.records)
            continue
        rows.append(metadata["rows"])
        data.append(metadata["values"])
        ends.append(np.frombuffer(metadata["ends"], np.int64) + size)
        charsets.append(metadata["charsets"])
        is_wei7.append(np.full(len(ends[-1]), format != "sgf"))
        first_moves.append(metadata["first_moves"])
        numbers += len(ends[-1])
        size += len(data[-1])
    every = np.frombuffer(b"".join(rows), metadata_type())
    codes = np.array(every["value_numbers"].T, order="C")
    codes += np.where(
        codes >= 0, np.repeat(np.array(bases, np.int32), [piece.records for piece in pieces]), np.int32(0)
    )
    values = _Values(
        np.frombuffer(b"".join(data), np.uint8),
        np.concatenate([np.zeros(0, np.int64), *ends]),
        np.concatenate([np.zeros(0, bool), *is_wei7]),
    )
    values = _in_utf8(codes, values, np.frombuffer(b"".join(charsets), np.uint8))
    return every, codes, values, b"".join(first_moves)


def _in_utf8(codes: Array, values: _Values, charsets: Array) -> _Values:
    """The texts transcoded to UTF-8; those that are white space then become absent."""
    places = np.flatnonzero(charsets)
    if not len(places):
        return values
    texts = list(map(_text_of_value, values.bytes(places), charsets[places].tolist()))
    column = Texts(np.concatenate([np.zeros(1, np.int64), values.ends]), values.data).replaced(places, texts)
    blank = places[[not text.strip() for text in texts]]
    if len(blank):
        codes[np.isin(codes, blank)] = -1
    return _Values(column.data, column.offsets[1:].astype(np.int64), values.is_wei7)


def _text_of_value(value: bytes, charset: int) -> str:
    """A text in an encoding; "" for a property without one."""
    codec = CODECS[charset % _RAW]
    if charset < _RAW:
        return value.decode(codec, "replace")
    from ..formats.sgf.to_document import values_of  # for texts with undecodable bytes

    return simple_text(*values_of(value, codec)[:1] or ("",))


def _each(values: _Values, codes: Array, read: Callable[[str, bool], Any]) -> tuple[Array, list[Any]]:
    """The index of the value of each code (-1: absent), and the values, which `read` returns for the distinct texts."""
    places, firsts = values.distinct(codes)
    return places, [read(*key) for key in zip(values.texts(firsts), values.is_wei7[firsts].tolist(), strict=True)]


def _column(places: Array, texts: Iterable[str | None]) -> Texts:
    """The column of `texts` by their numbers; None and -1 are absent."""
    listed = list(texts)
    made = Texts.of(listed)
    absent = np.array([*(text is None for text in listed), True])
    codes = np.where(absent[places], np.int32(-1), places)
    return _Values(made.data, made.offsets[1:].astype(np.int64), absent[:-1]).column(codes)


def _reals(places: Array, numbers: Iterable[float | None]) -> Numbers:
    values = np.array([*(float("nan") if number is None else number for number in numbers), float("nan")])[places]
    return _numbers(values, ~np.isnan(values), float("nan"))


def _numbers(values: Array, valid: Array, absent: float) -> Numbers:
    if len(valid) and valid.all():
        return Numbers(values)
    return Numbers(np.where(valid, values, np.array(absent, values.dtype)), valid)


@_remembered
def _date(text: str, _: bool) -> str | None:
    return iso_date(text)


def _dates(values: _Values, codes: Array) -> Texts:
    """ISO dates. `2016-03-15`, alone or before a time of day, is copied: most dates are written so."""
    places, firsts = values.distinct(codes)
    is_day, days = values.listed().days(firsts)
    others = [_date(text, False) for text in values.texts(firsts[~is_day])]
    read = Texts.of(others)
    number_of = np.full(len(firsts) + 1, -1, np.int32)  # the last value is that of place -1
    number_of[:-1][is_day] = np.arange(len(others), len(others) + len(days) // _DAY_BYTES)
    number_of[:-1][~is_day] = [-1 if text is None else number for number, text in enumerate(others)]
    ends = np.concatenate(
        [read.offsets[1:], np.arange(len(read.data), len(read.data) + len(days), _DAY_BYTES) + _DAY_BYTES]
    )
    known = _Values(np.concatenate([read.data, days]), ends.astype(np.int64), np.zeros(len(ends), bool))
    return known.column(number_of[places])


def _header(**texts: str | None) -> tuple[Info, Properties]:
    """The header of an SGF record with these texts in its root, by the names of `_FIELDS`."""
    properties: Properties = {_SGF_NAMES[name]: (escape(text),) for name, text in texts.items() if text is not None}
    return info_from_properties(properties), properties


def _put_rules(data: dict[str, ColumnData], values: _Values, codes: dict[str, Array]) -> None:
    """Rules and komi, which depends on them."""
    komi_places, komis = _each(values, codes["komi"], lambda text, _: text)
    rules_places, all_rules = _each(values, codes["rules_raw"], lambda *key: key)
    pairs, places = np.unique(
        (komi_places.astype(np.int64) + 1) * (len(all_rules) + 1) + rules_places + 1, return_inverse=True
    )
    found = []
    for pair in pairs.tolist():
        komi, rules = divmod(pair, len(all_rules) + 1)
        text, is_wei7 = all_rules[rules - 1] if rules else (None, False)
        found.append(_rules_and_komi(komis[komi - 1] if komi else None, text, is_wei7))
    data["rules"] = _column(places.astype(np.int32), [rules for rules, _, _ in found])
    data["rules_raw"] = _column(places.astype(np.int32), [raw for _, raw, _ in found])
    data["komi"] = _reals(places, [komi for _, _, komi in found])


@_remembered
def _rules_and_komi(komi: str | None, text: str | None, is_wei7: bool) -> tuple[str | None, str | None, float | None]:
    properties: Properties = {}
    if is_wei7 and text is not None:
        info = read_info(b'{"rules":%b}' % text.encode("utf-8", "surrogatepass"))
        info_rules = info.rules
        text = None if info_rules is None else info_rules.type or info_rules.scoring
        text = text if text and text.strip() else None
    else:
        info, properties = _header(komi=komi, rules_raw=text)
    rules = rules_of(info, properties)
    return named_set(rules), text, _float(komi_of(info, rules))


def _put_results(data: dict[str, ColumnData], values: _Values, codes: Array) -> None:
    places, found = _each(values, codes, _result)
    data["result_raw"] = _column(places, [raw for raw, _, _, _ in found])
    data["ending"] = _column(places, [ending for _, ending, _, _ in found])
    data["margin"] = _in_points(_reals(places, [margin for _, _, _, margin in found]), data["rules"])
    winners = np.array([*(winner or -1 for _, _, winner, _ in found), -1], np.int8)[places]
    data["winner"] = _numbers(winners, winners > 0, -1)


def _in_points(margins: Numbers, rules: ColumnData) -> Numbers:
    """Margins with those in quarters under Chinese rules doubled, as by `komi_in_points`."""
    assert isinstance(rules, Texts)
    values = margins.values.copy()
    for place in np.flatnonzero(values * 4 % 2 == 1).tolist():
        if rules.data[rules.offsets[place] : rules.offsets[place + 1]].tobytes() == CHINESE.name.encode():
            values[place] *= 2
    return Numbers(values, margins.valid)


@_remembered
def _result(text: str, is_wei7: bool) -> tuple[str | None, str | None, int | None, float | None]:
    properties: Properties = {}
    if is_wei7:
        info = read_info(b'{"result":%b}' % text.encode("utf-8", "surrogatepass"))
    else:
        info, properties = _header(result_raw=text)
    found = result_of(info, properties)
    if found is None:
        return None if is_wei7 else text, None, None, None
    return str(found) if is_wei7 else text, ENDINGS[found.ending], found.winner, _float(found.margin)


def _handicaps(values: _Values, codes: Array, stones: Array) -> Numbers:
    places, found = _each(values, codes, _handicap)
    counts = np.array([*found, 0], np.int64)[places]
    has_game = stones >= 0
    counts = np.where(has_game & (places < 0), stones, np.where(has_game, counts, -1))
    return Numbers(counts, None if len(counts) and has_game.all() else has_game)


@_remembered
def _handicap(text: str, _: bool) -> int:
    return handicap_of(_header(handicap=text)[1], 0)


def _times(values: _Values, codes: Array, versions: Array) -> Numbers:
    is_first, found = _each(values, versions, lambda text, _: text.strip() == "1")
    in_minutes = np.array([*found, False])[is_first]
    places, times = _each(values, codes, _both_times)
    seconds, minutes = (_reals(places, [pair[k] for pair in times]).values for k in (0, 1))
    both = np.where(in_minutes, minutes, seconds)
    return _numbers(both, ~np.isnan(both), float("nan"))


@_remembered
def _both_times(text: str, _: bool) -> tuple[float | None, float | None]:
    """The time limit in later versions of SGF, and in version 1."""
    plain, first = (_header(time=text, version=version)[1] for version in (None, "1"))
    return time_limit_of(plain), time_limit_of(first)


def _replaced(column: ColumnData, places: Array, replacements: Sequence[Any]) -> ColumnData:
    if isinstance(column, Texts):
        return column.replaced(places, replacements)
    assert isinstance(column, Numbers)
    values = column.values.copy()
    valid = np.ones(len(values), bool) if column.valid is None else column.valid.copy()
    absent = {"u": 0, "f": float("nan")}.get(values.dtype.kind, -1)
    values[places] = [absent if value is None else value for value in replacements]
    valid[places] = [value is not None for value in replacements]
    return Numbers(values, None if valid.all() else valid)
