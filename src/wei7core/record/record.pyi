from collections.abc import Callable, Iterable, Mapping
from typing import Any, final

import numpy as np
import numpy.typing as npt

from ..errors import Problem

_Table = npt.NDArray[np.void]

def dtype_of(name: str) -> np.dtype[np.void]:
    """Return the NumPy type of the rows of the table `name`, which is a property of `Record`, or `problems`."""

def make_record(
    source: bytes,
    format: str,
    tables: Mapping[str, _Table],
    *,
    size: tuple[int, int],
    size_form: int,
    revision: int = 0,
    encoding: str = "utf-8",
    info: tuple[int, int] | None = None,
    charset: tuple[int, int] | None = None,
    broken_off: bool = False,
    replaces: bool = False,
    describe: Callable[[Record, Any], list[Problem]],
    read_text: Callable[[Record, bytes], str],
    origin: tuple[Any, ...],
) -> Record:
    """Return the `Record` of what a decoder in Python has found in `source`.

    `tables` holds the rows of each table by its name, as an array of `dtype_of`; those of `problems` are
    (offset, number of the code, place, detail). `size` is (width, height), `info` and `charset` are spans of the
    source or None. `replaces`: a move on an occupied point replaces the stone there. `describe(record, raw problems)`
    gives located problems, `read_text(record, bytes of a span)` text; `origin` is the callable and its arguments that
    make the record again.

    Raises `ValueError` where a row names rows or bytes that are not there, `MemoryError` when memory is short.
    Thread safe.
    """

@final
class Record:
    """A game as frozen columns over the text it was read from.

    Made by the decoder of a format (`wei7core.formats`), never directly. Tables are
    read-only NumPy structured arrays over the record's own memory, their fields those of
    `record/record.h`; a span (`begin`, `end`) names bytes of `source`, -1 where a member
    is absent. Row 0 of `trees` is the whole game, and a tree comes before its branches.

    Thread safety: a record never changes, so threads may share it.
    """
    def __init__(self) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    @property
    def source(self) -> bytes: ...
    @property
    def format(self) -> str: ...
    @property
    def revision(self) -> int: ...
    @property
    def width(self) -> int:
        """Points from left to right; 0 where the size could not be read."""
    @property
    def height(self) -> int:
        """Points from top to bottom; 0 where the size could not be read."""
    @property
    def size_form(self) -> int:
        """How the text states the size: 0 not at all, 1 as an integer, 2 as an object."""
    @property
    def charset(self) -> bytes | None:
        """The bytes by which the record names the encoding of its texts, or None; `encoding` is the one in use."""
    @property
    def encoding(self) -> str: ...
    @property
    def broken_off(self) -> bool:
        """Whether reading stopped before the end of the text."""
    @property
    def info_json(self) -> bytes | None:
        """The bytes of the `info` object, or None."""
    @property
    def trees(self) -> _Table:
        """The whole game and its branches, parents first."""
    @property
    def steps(self) -> _Table:
        """Moves, takebacks, results, marks and messages; those of one tree are consecutive."""
    @property
    def details(self) -> _Table:
        """What only some steps have: times, comments, marks, actors, texts."""
    @property
    def pres(self) -> _Table:
        """The preset positions."""
    @property
    def stones(self) -> _Table:
        """The stones of the preset positions."""
    @property
    def marks(self) -> _Table:
        """The marks of steps and preset positions."""
    @property
    def kept(self) -> _Table:
        """Members that the columns cannot hold, as text."""
    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every problem the decoder found, a tuple of `Problem` in the order of their offsets."""
    def locate(self, raw: Iterable[tuple[str, int, int]]) -> list[Problem]:
        """Return the `Problem` of each (code name, byte offset, detail) found after decoding.

        `detail` is an integer whose meaning belongs to the code, 0 where it has none.
        """
    def text(self, begin: int, end: int) -> str:
        """Return the text that the bytes `source[begin:end]` of a span stand for.

        Escapes of the format are undone; bytes that stand for no character
        become U+FFFD.
        """
