"""Columns of a table: numbers, texts and boards in contiguous buffers, laid out as Arrow lays them out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from operator import mul
from typing import Any, ClassVar, Final, Literal, TypeVar

from .._util.lazy_numpy import Array, np
from .packed_boards import letters_of, pack_letters, packed_size

_Made = TypeVar("_Made", bound="_Late")
Kind = Literal["text", "integer", "number", "hash", "board"]

_SURROGATE: Final = re.compile(rb"\xed[\xa0-\xbf]")
_MOST_NARROW: Final = (1 << 31) - 1


def frozen(array: Array) -> Array:
    """Return `array`, made read-only."""
    array.flags.writeable = False
    return array


class _Late:
    """A column whose buffers may be made when they are first read, by several threads at once.

    `_BUFFERS` names them, in the order of the constructor; `_of_parts` joins columns.
    """

    __slots__ = ("_make", "_size")

    _BUFFERS: ClassVar[tuple[str, ...]]
    _make: Callable[[], Any] | None
    _size: int
    _of_parts: ClassVar[Callable[..., Any]]

    @classmethod
    def late(cls: type[_Made], size: int, make: Callable[[], _Made]) -> _Made:
        """Return a column of `size` items that `make`, which always returns the same, makes when they are read."""
        column = cls.__new__(cls)
        column._size = size
        column._make = make
        return column

    @classmethod
    def joined(cls: type[_Made], parts: Sequence[_Made]) -> _Made:
        """Return `parts`, at least one, of one type, as one column, a late one."""
        if len(parts) == 1:
            return parts[0]
        return cls.late(sum(map(len, parts)), partial(cls._of_parts, parts))

    def __getattr__(self, name: str) -> Any:
        """The buffers of a late column, which are not there yet."""
        if name not in self._BUFFERS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        make = self._make
        if make is not None:
            made = make()
            for buffer in self._BUFFERS:
                setattr(self, buffer, getattr(made, buffer))
            self._make = None  # only now: until then another thread makes them too
        return object.__getattribute__(self, name)

    def __reduce__(self) -> tuple[type[_Late], tuple[Array | None, ...]]:
        return type(self), tuple(getattr(self, name) for name in self._BUFFERS)

    def __len__(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        """Bytes of the buffers."""
        return sum(0 if buffer is None else buffer.nbytes for buffer in self.__reduce__()[1])


class Numbers(_Late):
    """Numbers, some of which may be absent.

    `values` is an array of any number type, shape (n,); an absent one is -1, or 0 for an unsigned type, or NaN. `valid`
    is a boolean array of the same shape, None if all are present.

    Thread safety: frozen; threads may share it. A `late` column may be made by several at once.
    """

    __slots__ = _BUFFERS = ("values", "valid")

    values: Array
    valid: Array | None

    def __init__(self, values: Array, valid: Array | None = None) -> None:
        self._size = len(values)
        self._make = None
        self.values = frozen(values)
        self.valid = None if valid is None else frozen(valid)

    @classmethod
    def of(cls, values: Sequence[float | None], dtype: str) -> Numbers:
        """Return the column of `values`, None for an absent one."""
        type = np.dtype(dtype)
        absent = 0 if type.kind == "u" else float("nan") if type.kind == "f" else -1
        valid = None
        if values and values.count(None) == len(values):
            return cls(np.full(len(values), absent, type), np.zeros(len(values), bool))
        if None in values:
            valid = np.array([value is not None for value in values], dtype=bool)
            values = [absent if value is None else value for value in values]
        return cls(np.array(values, dtype=type), valid)

    @classmethod
    def _of_parts(cls, parts: Sequence[Numbers]) -> Numbers:
        return cls(np.concatenate([part.values for part in parts]), _joined_valid(parts))

    def to_list(self, begin: int, end: int) -> list[Any]:
        """Return numbers `begin` up to `end`, None for an absent one."""
        values: list[Any] = self.values[begin:end].tolist()
        return _with_none(values, self.valid, begin, end)


class Texts(_Late):
    """Texts, some of which may be absent.

    `data` is the concatenation of all texts in UTF-8; half of a surrogate pair, as in file names that are not UTF-8,
    has three bytes. Text k is bytes `offsets[k]` up to `offsets[k + 1]`; `offsets`, shape (n + 1,), are int32, or int64
    for 2 GiB and more. `valid` is a boolean array, None if all are present.

    Thread safety: frozen; threads may share it. Several threads may make a `late` column at once.
    """

    __slots__ = _BUFFERS = ("offsets", "data", "valid")

    data: Array
    offsets: Array
    valid: Array | None

    def __init__(self, offsets: Array, data: Array, valid: Array | None = None) -> None:
        narrow = np.int32 if offsets[-1] <= _MOST_NARROW else np.int64
        self._size = len(offsets) - 1
        self._make = None
        self.offsets = frozen(offsets.astype(narrow, copy=False))
        self.data = frozen(data)
        self.valid = None if valid is None else frozen(valid)

    @classmethod
    def of(cls, values: Iterable[str | None]) -> Texts:
        """Return the column of `values`, None for an absent one."""
        values = list(values)
        if not values or values.count(values[0]) == len(values):
            return cls.runs([(values[0], len(values))] if values else [])
        valid = np.array([value is not None for value in values], bool) if None in values else None
        texts = [value or "" for value in values]
        data = "".join(texts).encode("utf-8", "surrogatepass")
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        if len(data) > lengths.sum():  # not all of them are ASCII
            lengths = np.fromiter((len(text.encode("utf-8", "surrogatepass")) for text in texts), np.int64, len(texts))
        return cls(_ends(lengths), np.frombuffer(data, np.uint8), valid)

    @classmethod
    def runs(cls, runs: Sequence[tuple[str | None, int]]) -> Texts:
        """Return the column in which each text is repeated as often as the number with it."""
        texts, times = [text for text, _ in runs], [count for _, count in runs]
        if texts and texts.count(texts[0]) == len(texts):  # the usual case
            texts, times = texts[:1], [sum(times)]
        encoded = [b"" if text is None else text.encode("utf-8", "surrogatepass") for text in texts]
        lengths = np.repeat(np.array(list(map(len, encoded)), np.int64), times)
        valid = np.repeat(np.array([text is not None for text in texts], bool), times) if None in texts else None
        data = b"".join(map(mul, encoded, times))
        return cls(_ends(lengths), np.frombuffer(data, np.uint8), valid)

    @classmethod
    def sized(cls, sizes: Array, data: bytes | Array) -> Texts:
        """Return the column of texts of `sizes` bytes in `data`; a size of -1 is an absent one."""
        valid = sizes >= 0
        return cls(_ends(np.maximum(sizes, 0)), np.frombuffer(data, np.uint8), None if valid.all() else valid)

    @classmethod
    def _of_parts(cls, parts: Sequence[Texts]) -> Texts:
        offsets = np.zeros(sum(map(len, parts)) + 1, np.int64)
        end = bytes_before = 0
        for part in parts:
            np.add(part.offsets[1:], bytes_before, out=offsets[end + 1 : end + 1 + len(part)])
            end += len(part)
            bytes_before = int(offsets[end])
        return cls(offsets, np.concatenate([part.data for part in parts]), _joined_valid(parts))

    def replaced(self, places: Array, values: Sequence[str | None]) -> Texts:
        """Return the column with `values` at `places`, in ascending order."""
        encoded = [b"" if value is None else value.encode("utf-8", "surrogatepass") for value in values]
        lengths = np.diff(self.offsets).astype(np.int64, copy=False)
        lengths[places] = [len(value) for value in encoded]
        whole = self.data.data
        pieces: list[bytes | memoryview] = []
        last = 0
        starts, stops = self.offsets[places].tolist(), self.offsets[places + 1].tolist()
        for start, stop, value in zip(starts, stops, encoded, strict=True):
            pieces += [whole[last:start], value]
            last = stop
        pieces.append(whole[last:])
        valid = np.ones(len(self), dtype=bool) if self.valid is None else self.valid.copy()
        valid[places] = [value is not None for value in values]
        return Texts(_ends(lengths), np.frombuffer(b"".join(pieces), np.uint8), None if valid.all() else valid)

    def to_list(self, begin: int, end: int) -> list[str | None]:
        """Return texts `begin` up to `end`, None for an absent one."""
        offsets = self.offsets[begin : end + 1].tolist()
        data = self.data[offsets[0] : offsets[-1]].tobytes()
        start = offsets[0]
        values: list[str | None]
        if data.isascii():
            text = data.decode("ascii")
            values = [text[a - start : b - start] for a, b in pairwise(offsets)]
        else:
            values = [data[a - start : b - start].decode("utf-8", "surrogatepass") for a, b in pairwise(offsets)]
        return _with_none(values, self.valid, begin, end)

    def in_utf8(self) -> Texts:
        """Return the column as UTF-8: half of a surrogate pair is written as an escape."""
        if not _SURROGATE.search(self.data.data):
            return self
        values = self.to_list(0, len(self))
        return Texts.of(
            [None if value is None else value.encode("utf-8", "backslashreplace").decode() for value in values]
        )


class Boards(_Late):
    """Positions, packed: two bits a point as `wei7core.unpack_boards` describes.

    `data` is the concatenation of all boards; board k is bytes `offsets[k]` up to `offsets[k + 1]`, and has `widths[k]`
    times `heights[k]` points.

    Thread safety: frozen; threads may share it. What is made when it is read may be made by several at once.
    """

    __slots__ = ("_offsets", "_parts", "_runs", "data", "heights", "widths")
    _BUFFERS = ("widths", "heights", "data")

    widths: Array
    heights: Array
    data: Array
    _parts: Sequence[Array]
    _runs: tuple[Array, Array, Array] | None

    def __init__(self, widths: Array, heights: Array, data: Array) -> None:
        self._size = len(widths)
        self._runs = None
        self._parts = (data,)
        self.widths = frozen(widths)
        self.heights = frozen(heights)
        self.data = frozen(data)
        self._offsets: Array | None = None

    @classmethod
    def in_runs(cls, widths: Array, heights: Array, counts: Array, data: Array) -> Boards:
        """Return positions in runs: `counts` consecutive ones each have the sizes `widths` and `heights`."""
        return cls._of_parts(widths, heights, counts, (data,))

    @classmethod
    def _of_parts(cls, widths: Array, heights: Array, counts: Array, parts: Sequence[Array]) -> Boards:
        column = cls.__new__(cls)
        column._size = int(counts.sum())
        column._runs = widths, heights, counts
        column._parts = parts
        column._offsets = None
        return column

    def __getattr__(self, name: str) -> Any:
        """The sizes of positions in runs, and the bytes of several columns, which are made when they are read."""
        if name == "data":
            parts = self._parts
            self.data = frozen(parts[0] if len(parts) == 1 else np.concatenate(parts))
            self._parts = (self.data,)  # only now: until then another thread makes them too
        elif name in ("widths", "heights"):
            widths, heights, counts = self.runs
            self.widths, self.heights = frozen(np.repeat(widths, counts)), frozen(np.repeat(heights, counts))
        else:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return object.__getattribute__(self, name)

    @property
    def offsets(self) -> Array:
        """The offsets of the boards in `data`, int64, shape (n + 1,)."""
        if self._offsets is None:  # two threads may both compute them, with the same result
            self._offsets = frozen(_ends(packed_size(self.widths.astype(np.int64), self.heights)))
        return self._offsets

    @property
    def size(self) -> int | None:
        """Bytes of a board if all have the same number; else None."""
        sizes = np.diff(self.offsets)
        return int(sizes[0]) if len(sizes) and (sizes == sizes[0]).all() else None

    @classmethod
    def of(cls, letters: Sequence[str], widths: Sequence[int], heights: Sequence[int]) -> Boards:
        """Return the column of positions given as texts of a letter a point."""
        data = b"".join([pack_letters(board) for board in letters])
        return cls(np.array(widths, np.int32), np.array(heights, np.int32), np.frombuffer(data, np.uint8))

    @classmethod
    def joined(cls, parts: Sequence[Boards]) -> Boards:
        """Return `parts`, at least one, as one column, whose bytes are put together when they are read."""
        if len(parts) == 1:
            return parts[0]
        widths, heights, counts = map(np.concatenate, zip(*[part.runs for part in parts], strict=True))
        return cls._of_parts(widths, heights, counts, [data for part in parts for data in part._parts])

    @property
    def runs(self) -> tuple[Array, Array, Array]:
        """The widths and heights, and the number of consecutive positions that have them."""
        return self._runs or (self.widths, self.heights, np.ones(len(self), np.int64))

    def packed(self, begin: int, end: int) -> Iterator[bytes]:
        """Iterate over the bytes of boards `begin` up to `end`."""
        offsets = self.offsets[begin : end + 1].tolist()
        for start, stop in pairwise(offsets):
            yield self.data[start:stop].tobytes()

    def to_list(self, begin: int, end: int) -> list[str]:
        """Return boards `begin` up to `end`, a letter a point."""
        areas = (self.widths[begin:end].astype(np.int64) * self.heights[begin:end]).tolist()
        return [letters_of(board, area) for board, area in zip(self.packed(begin, end), areas, strict=True)]


ColumnData = Numbers | Texts | Boards


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, the kind of its values, and whether they may be absent (None).

    A `hash` is an unsigned 64-bit integer that texts show as 16 hex digits. A `board` is a position, packed
    as `wei7core.unpack_boards` describes; texts show a letter a point. `type` is that of an `integer`; a `number` is a
    float64. `distinct`: most values differ, so that Parquet has no dictionary of them.
    """

    name: str
    kind: Kind
    optional: bool = False
    type: str = "int64"
    distinct: bool = False

    def of(self, values: Sequence[Any]) -> ColumnData:
        """Return `values`, None for an absent one, as data of this column."""
        if self.kind == "text":
            return Texts.of(values)
        if self.kind == "board":
            raise ValueError("packed boards require their sizes: see wei7core.tables.columns.Boards")
        return Numbers.of(values, {"hash": "uint64", "number": "float64"}.get(self.kind, self.type))


_KINDS: Final = {"int": "int64", "float": "number", "bool": "bool"}


def columns_for(row: type[tuple[Any, ...]], distinct: Collection[str] = (), **kinds: str) -> tuple[Column, ...]:
    """Return a column for each field of a named tuple, optional if the field may be None.

    Fields are integers of 64 bits, numbers, bools or texts by their annotations. `kinds` has the other kinds, and types
    of integers, by the names of fields: `hash`, `board`, `int8`.
    """
    columns = []
    for name, annotation in row.__annotations__.items():
        # `typing.get_type_hints` would take a millisecond for one long row.
        text, _, absent = str(getattr(annotation, "__forward_arg__", annotation)).partition(" | ")
        kind: Any = kinds.get(name) or _KINDS.get(text, "text")
        is_type = kind not in ("text", "number", "hash", "board")
        columns.append(
            Column(name, "integer" if is_type else kind, bool(absent), kind if is_type else "int64", name in distinct)
        )
    return tuple(columns)


def columns_of_rows(columns: Sequence[Column], rows: Sequence[Any]) -> dict[str, ColumnData]:
    """Return the data of `columns`, by name, from the fields of `rows`, which are named tuples."""
    if not rows:
        return {column.name: column.of([]) for column in columns}
    values = dict(zip(rows[0]._fields, zip(*rows, strict=True), strict=True))
    return {column.name: column.of(values[column.name]) for column in columns}


def joined_columns(tables: Sequence[Mapping[str, ColumnData]]) -> Mapping[str, ColumnData]:
    """Return the concatenated data of `tables`, at least one, all of the same columns."""
    if len(tables) == 1:
        return tables[0]
    data = {}
    for name, values in tables[0].items():
        join: Callable[[Any], ColumnData] = type(values).joined
        data[name] = join([table[name] for table in tables])
    return data


def _ends(lengths: Array) -> Array:
    """The offsets of consecutive items of `lengths`, and the end of the last one."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _joined_valid(parts: Sequence[Numbers] | Sequence[Texts]) -> Array | None:
    if all(part.valid is None for part in parts):
        return None
    return np.concatenate([np.ones(len(part), dtype=bool) if part.valid is None else part.valid for part in parts])


def _with_none(values: list[Any], valid: Array | None, begin: int, end: int) -> list[Any]:
    if valid is None:
        return values
    return [value if there else None for value, there in zip(values, valid[begin:end].tolist(), strict=True)]
