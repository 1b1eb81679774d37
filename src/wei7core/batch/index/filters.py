"""Filters that select the games of a search by columns of the index and by metadata."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..._util.lazy_numpy import Array
from ...record.names import rank_parts
from ..results import METADATA_COLUMNS

if TYPE_CHECKING:
    import numpy.typing as npt

    from .segment import Segment

_GAME_COLUMNS: Final = ("game", "source", "record", "width", "height", "moves", "winner", "error")
_EITHER: Final = {
    "player": ("black", "white"),
    "rank": ("black_rank", "white_rank"),
    "team": ("black_team", "white_team"),
    "result": ("result_raw",),
}
_KINDS: Final = {column.name: column.kind for column in METADATA_COLUMNS}
FILTERS: Final = (*_GAME_COLUMNS, *_EITHER, *(name for name in _KINDS if name not in _GAME_COLUMNS))
"""The names of all filters."""

DATE_AND_RANKS: Final = ("date", "black_rank", "white_rank")
"""The columns of metadata that `dates_and_strengths` reads."""

_DATE: Final = re.compile(r"[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?")
_FIRST_PROFESSIONAL: Final = 7.0
_PROFESSIONAL_STEP: Final = 0.3
_SPACES: Final = re.compile(r"\s+")


def chosen_games(segments: Sequence[Segment], where: Any, metadata: Callable[[Sequence[str] | None], Any]) -> Array:
    """A boolean for each game: whether `where` selects it; see `wei7core.Index.find`.

    `metadata` returns the named columns of the metadata of all games as a `pyarrow.Table`; None: all columns.
    """
    count = sum(segment.count for segment in segments)
    chosen = np.ones(count, bool)
    if isinstance(where, Mapping):
        for name, wanted in where.items():
            chosen &= _matching(segments, name, wanted, metadata)
        return chosen
    games: Array
    if type(where).__name__ == "Expression":
        games = metadata(None).filter(where)["game"].to_numpy()
    else:
        games = np.asarray(where)
    if games.dtype == bool:
        if games.shape != (count,):
            raise ValueError(f"there are {count} games, and a filter of shape {games.shape}")
        return games
    if games.size and (games.dtype.kind not in "iu" or games.ndim != 1 or games.min() < 0 or games.max() >= count):
        raise ValueError(f"games are whole numbers from 0 to {count - 1}")
    chosen[:] = False
    chosen[games.astype(np.int64)] = True
    return chosen


def is_text_filter(name: str) -> bool:
    """Whether a condition of the filter `name`, one of `FILTERS`, is about texts."""
    return name in ("source", "error", *_EITHER) or _KINDS.get(name) == "text"


def _matching(
    segments: Sequence[Segment], name: str, wanted: Any, metadata: Callable[[Sequence[str] | None], Any]
) -> Array:
    if name in _GAME_COLUMNS:
        values = _values(segments, name)
        optional = name in ("width", "height", "winner")  # 0 if unknown
        is_known = values > 0 if optional else values != np.array(None) if values.dtype == object else values >= 0
        _refuse_other_types(name, values.dtype != object, wanted)
        return _test_values(values, is_known, wanted)
    if name not in FILTERS:
        raise ValueError(f"games have no column {name!r}; there are {', '.join(FILTERS)}")
    names = _EITHER.get(name, (name,))
    table = metadata(names)
    columns = [_test_column(table[column], column, wanted) for column in names]
    matching: Array = np.logical_or.reduce(columns)
    return matching


def _values(segments: Sequence[Segment], name: str) -> Array:
    if name in ("source", "error"):
        return np.array(texts_of(segments, name), object)
    if name == "game":
        return np.arange(sum(segment.count for segment in segments))
    return joined_rows(segments, name, np.int64)


def joined_rows(segments: Sequence[Segment], name: str, dtype: npt.DTypeLike) -> Array:
    """One column of numbers of the rows of all records."""
    joined: Array = np.concatenate([np.zeros(0, dtype), *(segment.rows[name] for segment in segments)])
    return joined.astype(dtype)


def texts_of(segments: Sequence[Segment], name: str) -> list[str | None]:
    """One column of texts of the rows of all records."""
    values: list[str | None] = []
    for segment in segments:
        names: list[str | None] = list(segment.names())
        if name == "error":
            names[0] = None
        values += [names[number] for number in segment.rows[name].tolist()]
    return values


# --- values ------------------------------------------------------------------


def _test_values(values: Array, is_known: Array, wanted: Any) -> Array:
    """A boolean for each of `values`, some of which are unknown: whether the condition holds."""
    if callable(wanted):
        found = np.asarray(wanted(values))
        if found.shape != values.shape or found.dtype != bool:
            raise ValueError("a filter returns a boolean for each game")
        return found
    if values.dtype != object and _is_range(wanted):
        low, high = wanted
        inside = is_known.copy()
        if low is not None:
            inside &= values >= low
        if high is not None:
            inside &= values <= high
        return inside
    allowed = set(_several(wanted))
    among = np.fromiter((value in allowed for value in values.tolist()), bool, len(values)) & is_known
    return among | ~is_known if None in allowed else among


def _refuse_other_types(name: str, is_number: bool, wanted: Any) -> None:
    allowed = (Real, Decimal) if is_number else str
    for one in () if callable(wanted) else _several(wanted):
        if one is not None and not isinstance(one, allowed):
            what = "a number" if is_number else "a text"
            raise TypeError(f"{name}: a filter is {what}, several of them, a range or a function, not {one!r}")


def _is_range(wanted: Any) -> bool:
    return isinstance(wanted, tuple) and len(wanted) == 2


def _several(wanted: Any) -> Collection[Any]:
    return wanted if isinstance(wanted, Collection) and not isinstance(wanted, (str, bytes)) else (wanted,)


def _test_column(column: Any, name: str, wanted: Any) -> Array:
    """A boolean for each value of a column of an Arrow table: whether the condition holds."""
    if _KINDS[name] != "text":
        _refuse_other_types(name, True, wanted)
        absent = {"number": float("nan"), "hash": 0}.get(_KINDS[name], -1)
        return _test_values(column.fill_null(absent).to_numpy(), column.is_valid().to_numpy(), wanted)
    if callable(wanted):
        return _test_values(np.array(column.to_pylist(), object), column.is_valid().to_numpy(), wanted)
    test = _text_test(name, wanted)
    parts = [np.zeros(0, bool)]
    for chunk in column.chunks:
        coded = chunk.dictionary_encode() if not hasattr(chunk, "dictionary") else chunk
        known = [test(text) for text in coded.dictionary.to_pylist()]
        codes = coded.indices.fill_null(len(known)).to_numpy(zero_copy_only=False)
        parts.append(np.array([*known, test(None)], bool)[codes])
    return np.concatenate(parts)


def _text_test(name: str, wanted: Any) -> Callable[[str | None], bool]:
    """The test of a text against a condition."""
    if _is_range(wanted) and name == "date":
        low, high = (None if end is None else _as_date(end) for end in wanted)
        return lambda text: (
            text is not None
            and (low is None or text >= low[: len(text)])
            and (high is None or text[: len(high)] <= high)
        )
    if _is_range(wanted) and name.endswith("_rank"):
        ends = [None if end is None else strength(end) for end in wanted]
        if any(number is None and end is not None for number, end in zip(ends, wanted, strict=True)):
            raise ValueError(f"{name}: a range of ranks has two of them, such as ('5d', '9p'), not {wanted!r}")
        return lambda text: _is_between(strength(text), *ends)
    tests = [_one_test(name, one) for one in _several(wanted)]
    return lambda text: any(test(text) for test in tests)


def _is_between(number: float | None, low: float | None, high: float | None) -> bool:
    return number is not None and (low is None or number >= low) and (high is None or number <= high)


def _one_test(name: str, wanted: Any) -> Callable[[str | None], bool]:
    if wanted is None:
        return lambda text: text is None
    wanted_text = _as_text(wanted)
    if name == "date" and "*" not in wanted_text:
        wanted_text = _as_date(wanted_text)
        return lambda text: text is not None and (text == wanted_text or text.startswith(wanted_text + "-"))
    parts = [_folded(part) for part in wanted_text.split("*")]
    return lambda text: text is not None and _has_parts(_folded(text), parts)


def _has_parts(text: str, parts: list[str]) -> bool:
    """Whether a text is `parts` with any letters between them, in linear time."""
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        return text == first
    place, end = len(first), len(text) - len(last)
    if place > end or not text.startswith(first) or not text.endswith(last):
        return False
    for part in parts[1:-1]:
        place = text.find(part, place, end)
        if place < 0:
            return False
        place += len(part)
    return True


def _as_text(wanted: Any) -> str:
    if isinstance(wanted, datetime.date):
        return wanted.isoformat()[:10]
    if not isinstance(wanted, str):
        raise TypeError(f"a filter of texts is a text, a list of them or a function, not {wanted!r}")
    return wanted


def _as_date(wanted: Any) -> str:
    text = _as_text(wanted).strip()
    if not _DATE.fullmatch(text):
        raise ValueError(f"date: {wanted!r} is no day, month or year, such as '2016-03-15', '2016-03' or '2016'")
    return text


def _folded(text: str) -> str:
    """A text with letter width, letter case and runs of spaces normalised."""
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text).casefold())


def strength(rank: str | None) -> float | None:
    """The number of a rank: 1 dan is 1, 1 kyu 0, 2 kyu -1; None for another text.

    Professional ranks are those of the European Go Federation: 1 dan is 7, and each further one 0.3 more.
    """
    found = rank_parts(rank)
    if found is None:
        return None
    number, grade = found
    if grade == "p":
        return _FIRST_PROFESSIONAL + _PROFESSIONAL_STEP * (number - 1)
    return 1.0 - number if grade == "k" else float(number)


def dates_and_strengths(table: Any) -> Array:
    """The day of each game, as `datetime.date.toordinal`, and the mean strength of its players; NaN if unknown.

    `table` has the columns `DATE_AND_RANKS` of the metadata. A month or year alone counts as the day in its middle.
    """
    made = np.full((len(table), 2), np.nan)
    made[:, 0] = _numbers_of(table["date"], _day)
    ranks = np.stack([_numbers_of(table[name], strength) for name in DATE_AND_RANKS[1:]])
    known = ~np.isnan(ranks)
    np.divide(np.where(known, ranks, 0.0).sum(axis=0), known.sum(axis=0), out=made[:, 1], where=known.any(axis=0))
    return made


def _numbers_of(column: Any, read: Callable[[str | None], float | None]) -> Array:
    """The number that `read` returns for each text of an Arrow column, NaN for None; distinct texts are read once."""
    parts = [np.zeros(0)]
    for chunk in column.chunks:
        coded = chunk.dictionary_encode() if not hasattr(chunk, "dictionary") else chunk
        known = [read(text) for text in coded.dictionary.to_pylist()]
        codes = coded.indices.fill_null(len(known)).to_numpy(zero_copy_only=False)
        parts.append(np.array([*(np.nan if one is None else one for one in known), np.nan])[codes])
    return np.concatenate(parts)


def _day(text: str | None) -> float | None:
    year, month, day = [*map(int, (text or "0").split("-")), 0, 0][:3]
    if not year:
        return None
    if day:
        return datetime.date(year, month, day).toordinal()
    return datetime.date(year, month or 7, 15 if month else 2).toordinal()
