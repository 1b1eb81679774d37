"""Errors of records replayed in C: code and offset are available at once, path and message are made when first read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

from ..errors import PROBLEM_CODES
from ..record.record import Record

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Failures"]

Array: TypeAlias = "npt.NDArray[Any]"

_COLORS: Final = {1: "black", 2: "white"}


class _Text(NamedTuple):
    """The attributes of a record that describing a problem needs."""

    source: bytes
    encoding: str
    revision: int
    width: int
    height: int


class Failures:
    """The errors of an `EngineResult`, in the order of its records.

    `rows`, `offsets` and `texts` are its `failures`, `piece` are its rows, `begins` the offsets of its records in their
    source, None where each is a separate source. The attribute `offsets` has those of the errors in the sources.

    Thread safety: threads may share it; concurrent calls of `words` return the same texts.
    """

    __slots__ = ("_sizes", "_texts", "_words", "format", "offsets", "revision", "rows")

    def __init__(
        self, rows: Array, offsets: Array, texts: Any, piece: Array, begins: Array | None, format: str, revision: int
    ):
        places = rows["text"]
        self.rows = rows
        self.offsets = offsets if begins is None else offsets + begins[places]
        self.format = format
        self.revision = revision
        self._sizes = list(zip(piece["width"][places].tolist(), piece["height"][places].tolist(), strict=True))
        self._texts = memoryview(texts)
        self._words: tuple[list[str], list[str]] | None = None

    @property
    def nbytes(self) -> int:
        """Bytes of the texts stored for the messages; 0 once those are made."""
        return len(self._texts)

    @property
    def codes(self) -> list[str]:
        """The names of the codes."""
        return [PROBLEM_CODES[number].name for number in self.rows["code"].tolist()]

    def words(self) -> tuple[list[str], list[str]]:
        """Return the paths and the messages of the errors."""
        texts, words = self._texts, self._words
        if words is None:
            described = list(self._described(texts))
            words = self._words = [path for path, _ in described], [message for _, message in described]
            self._texts = memoryview(b"")
        return words

    def _described(self, texts: memoryview) -> Iterator[tuple[str, str]]:
        from ..formats.sgf.charset_tables import CODECS
        from ..formats.sgf.decode import describe_problem
        from ..formats.wei7._decoder import locate
        from ..formats.wei7.decode import describe

        end = 0
        for row, size in zip(self.rows.tolist(), self._sizes, strict=True):
            _, kept, base, in_text, code, where, detail, number, x, y, step, color, charset, _ = row
            begin, end = end, end + kept
            offset = in_text - base
            prefix = "" if step < 0 else f"$.tree.steps[{step}]"
            source = bytes(texts[begin:end])
            if color:
                ((_, _, path),) = locate(source, [offset])
                yield _joined(prefix, path), f"move {number}, {_COLORS[color]} ({x}, {y}), is on an occupied point"
                continue
            record = cast("Record", _Text(source, CODECS[charset], self.revision, *size))
            raw = [(code, where, offset, detail)]
            (problem,) = describe_problem(record, raw[0]) if self.format == "sgf" else describe(record, raw)
            yield _joined(prefix, problem.path), problem.message


def _joined(prefix: str, path: str) -> str:
    """The path in a record of `path` in the value at `prefix`."""
    return prefix + path[1:] if prefix else path
