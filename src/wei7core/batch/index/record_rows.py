"""The record table of an index: one row for each record, as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..._util.lazy_numpy import Array

_NUMBERS: Final = ("record", "width", "height", "moves")


@dataclass(frozen=True, slots=True)
class RecordRows:
    """The rows of consecutive records.

    `sources` are runs: a source and its number of consecutive records. The others have one value a record: `record`
    counts in the source; `width` is 0 if no board could be made; `errors` has the codes of those that have one.
    """

    sources: list[tuple[str, int]]
    record: Array
    width: Array
    height: Array
    moves: Array
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.record)

    @classmethod
    def joined(cls, parts: Sequence[RecordRows]) -> RecordRows:
        """The rows of `parts`, concatenated."""
        runs: list[tuple[str, int]] = []
        errors: dict[int, str] = {}
        first = 0
        for part in parts:
            for source, count in part.sources:
                before = runs.pop()[1] if runs and runs[-1][0] == source else 0
                runs.append((source, before + count))
            errors.update((first + place, code) for place, code in part.errors.items())
            first += len(part)
        none = np.zeros(0, np.int64)
        record, width, height, moves = (
            np.concatenate([none, *(getattr(part, name) for part in parts)]) for name in _NUMBERS
        )
        return cls(runs, record, width, height, moves, errors)

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Array]) -> RecordRows:
        """The rows that `arrays` returned."""
        names = texts_of_arrays(arrays)
        sources, places = arrays["source"].astype(np.int64), np.flatnonzero(arrays["error"])
        begins = np.flatnonzero(np.diff(sources, prepend=-1))
        counts = np.diff(begins, append=len(sources))
        runs = [(names[number], count) for number, count in zip(sources[begins].tolist(), counts.tolist(), strict=True)]
        errors = {place: names[arrays["error"][place]] for place in places.tolist()}
        record, width, height, moves = (arrays[name].astype(np.int64) for name in _NUMBERS)
        return cls(runs, record, width, height, moves, errors)

    def arrays(self) -> dict[str, Array]:
        """The arrays of the rows in a segment file: texts are numbers of those in `texts`, UTF-8 with their ends."""
        texts: dict[str, int] = {"": 0}
        sources = [texts.setdefault(source, len(texts)) for source, _ in self.sources]
        errors = np.zeros(len(self), "<u4")
        for place, code in self.errors.items():
            errors[place] = texts.setdefault(code, len(texts))
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        return {
            "source": np.repeat(np.array(sources, "<u4"), [count for _, count in self.sources]),
            "error": errors,
            "record": self.record.astype("<i8"),
            "width": self.width.astype("<i4"),
            "height": self.height.astype("<i4"),
            "moves": self.moves.astype("<i4"),
            "texts": np.frombuffer(b"".join(encoded), np.uint8),
            "text_ends": np.cumsum([len(text) for text in encoded]).astype("<i8"),
        }


def texts_of_arrays(arrays: Mapping[str, Array]) -> list[str]:
    """The texts that sources and errors count."""
    data, ends = arrays["texts"].tobytes(), arrays["text_ends"].tolist()
    pieces = (data[begin:end] for begin, end in zip([0, *ends[:-1]], ends, strict=True))
    return [piece.decode("utf-8", "surrogatepass") for piece in pieces]
