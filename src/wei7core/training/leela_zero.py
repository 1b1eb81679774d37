"""Training rows of Leela Zero: text files, bare or compressed.

Sources of the layout, all of https://github.com/leela-zero/leela-zero:

- README.md, "Training data format": 19 lines a row. 16 lines of hexadecimal digits for the first 16 input planes, 1
  line with the side to move (0 black, 1 white), 1 line with 362 numbers, the search probabilities with the pass last, 1
  line with 1 or -1, the outcome for the player to move.
- README.md, "Weights format": planes 1 to 8 are the stones of the side to move now and after each of the 7 moves
  before, planes 9 to 16 those of the other side, all 0 before the game began.
- training/tf/chunkparser.py, comments of `convert_v1_to_v2`: the first 360 points are 90 digits, the most significant
  bit first, and the last one is a digit of its own, 0 or 1.
- src/config.h on BOARD_SIZE: other boards are possible, of odd sizes; the documents name only 19.

The documents do not specify at which end of the board the planes begin. The program names point 0 A1
(`FastBoard::move_to_text` in src/FastBoard.cpp), the lower left corner: so `first_row` is `"bottom"` unless given
otherwise; rows by other programs may begin at the top.

Not in the rows, and not checked: ko, which game and move a row is of, the komi and the rules. The documents call the
rules Tromp-Taylor (FAQ.md); `wei7core.check_rows` takes rules for suicide and ko. The packed form of the same
rows ("v2" in chunkparser.py) is not read.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import IO, Final, Literal

import numpy as np

from .._util.lazy_numpy import Array
from .._util.numbers import integer
from ..errors import TrainingFileError
from ..limits import DEFAULT_LIMITS
from ..sources.archives import Member, OutputLimit
from .rows import TrainingRows, source_name

STEPS: Final = 8
"""Positions in a row: the present one and those before the last 7 moves."""
LINES: Final = 2 * STEPS + 3
"""Lines of a row: planes, side to move, policy, outcome."""

_BLOCK: Final = 1 << 20
_PACKED: Final = b"\x01\0\0\0"
_LONGEST_NUMBER: Final = 64


def read(
    source: str | os.PathLike[str] | bytes | IO[bytes],
    *,
    size: int = 19,
    first_row: Literal["bottom", "top"] = "bottom",
    rows_at_once: int = 1024,
) -> Iterator[TrainingRows]:
    """Yield the rows of a file of Leela Zero, at most `rows_at_once` at a time.

    `source` is a path, bytes or a binary file, as text or compressed with gzip, bzip2, xz or zstd, recognised by
    its first bytes. `size` is that of the board, odd. `first_row` is where on the board the planes begin. The rows
    have `own`, `opponent`, `to_move`, `policy`, `outcome` and `history` of 7 moves.

    Raises `TrainingFileError`, with row, line and column, for a wrong layout: missing lines, invalid digits, a wrong
    number of values; `OSError` where the file cannot be read, `ValueError` and `TypeError` for other arguments. NaN,
    negative numbers and the like are read: `wei7core.check_rows` judges them. Memory is that of the rows yielded.
    """
    if not (isinstance(source, (str, os.PathLike, bytes)) or hasattr(source, "read")):
        raise TypeError(f"the rows of Leela Zero are in a path, bytes or a binary file, not {source!r:.80}")
    size, rows_at_once = integer("size", size), integer("rows_at_once", rows_at_once)
    if size < 3 or size % 2 == 0:
        raise ValueError(f"a board of Leela Zero has an odd size of at least 3, not {size}")
    if first_row not in {"bottom", "top"}:
        raise ValueError(f"first_row is 'bottom' or 'top', not {first_row!r}")
    if rows_at_once < 1:
        raise ValueError(f"at least one row is read at once, not {rows_at_once}")
    return _read(source, size, first_row == "bottom", rows_at_once)


def _read(
    source: str | os.PathLike[str] | bytes | IO[bytes], size: int, from_bottom: bool, rows_at_once: int
) -> Iterator[TrainingRows]:
    name = source_name(source)
    reader = _RowReader(name, size, from_bottom)
    lines: list[bytes] = []
    rest = b""
    longest = (size * size + 1) * _LONGEST_NUMBER
    for block in _unpacked(source, name):
        *whole, rest = (rest + block).split(b"\n")
        if len(rest) > longest:
            raise reader.error("the line is longer than any of a row", len(lines) + len(whole))
        lines += whole
        while len(lines) >= LINES * rows_at_once:
            yield reader.rows(lines[: LINES * rows_at_once])
            del lines[: LINES * rows_at_once]
    if rest:
        lines.append(rest)
    whole_rows = len(lines) // LINES
    if whole_rows:
        yield reader.rows(lines[: LINES * whole_rows])
    remaining = len(lines) - LINES * whole_rows
    if remaining:
        raise reader.error(f"the file ends within a row, after {remaining} of its {LINES} lines", remaining - 1)


def _unpacked(source: str | os.PathLike[str] | bytes | IO[bytes], name: str | None) -> Iterator[bytes]:
    """The text in blocks."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            yield from _unpacked(file, name)
        return
    packed = io.BytesIO(source) if isinstance(source, bytes) else source
    text = Member(name or "", "", packed, OutputLimit(DEFAULT_LIMITS.max_expansion), is_input=True)
    if text.head.startswith(_PACKED):
        raise TrainingFileError("packed rows (v2) are not supported; only the text format is", source=name)
    while block := text.file.read(_BLOCK):
        yield block
    if text.failure is not None:
        raise TrainingFileError(text.failure.message, source=name)


class _RowReader:
    """Makes rows of lines, with their places in the file."""

    def __init__(self, name: str | None, size: int, from_bottom: bool) -> None:
        self._name = name
        self._size = size
        self._from_bottom = from_bottom
        self._points = size * size
        self._digits = self._points // 4
        self._row = 0  # of the next lines

    def error(self, message: str, line: int, column: int | None = None) -> TrainingFileError:
        """The error at `line`, counted from 0 from the next row on."""
        place = f"line {self._row * LINES + line + 1}" + ("" if column is None else f", column {column + 1}")
        return TrainingFileError(message, source=self._name, row=self._row + line // LINES, place=place)

    def rows(self, lines: list[bytes]) -> TrainingRows:
        count = len(lines) // LINES
        lines = [line[:-1] if line.endswith(b"\r") else line for line in lines]
        planes = self._planes(lines, count).reshape(count, 2, STEPS, self._size, self._size)
        policy = np.empty((count, self._points + 1), np.float32)
        to_move = np.empty(count, np.uint8)
        outcome = np.empty(count, np.float32)
        for row in range(count):
            at = row * LINES + 2 * STEPS
            to_move[row] = self._one_of(lines, at, (b"0", b"1"), "the side to move is 0 (black) or 1 (white)") + 1
            policy[row] = self._policy(lines, at + 1)
            outcome[row] = 2 * self._one_of(lines, at + 2, (b"-1", b"1"), "the outcome is 1 or -1") - 1
        if self._from_bottom:
            planes = planes[..., ::-1, :]
            policy[:, :-1] = policy[:, :-1].reshape(count, self._size, self._size)[:, ::-1].reshape(count, -1)
        rows = TrainingRows(
            own=np.ascontiguousarray(planes[:, 0, 0]),
            opponent=np.ascontiguousarray(planes[:, 1, 0]),
            to_move=to_move,
            policy=policy,
            outcome=outcome,
            history=np.ascontiguousarray(planes[:, :, 1:].transpose(0, 2, 1, 3, 4)),
            source=self._name,
            first_row=self._row,
        )
        self._row += count
        return rows

    def _planes(self, lines: list[bytes], count: int) -> Array:
        """The 16 planes of each row: (rows * 16, points)."""
        wanted = self._digits + 1
        chosen = [lines[row * LINES + plane] for row in range(count) for plane in range(2 * STEPS)]
        text = b"".join(chosen)
        characters = np.frombuffer(text, np.uint8)
        if len(text) == wanted * len(chosen) and set(map(len, chosen)) == {wanted}:
            each = characters.reshape(len(chosen), wanted)
            values = _DIGITS[each]
            if not (values > 15).any() and not (values[:, -1] > 1).any():
                bits = np.unpackbits(values[:, :-1, None], axis=2)[:, :, 4:]
                return np.concatenate([bits.reshape(len(chosen), -1), values[:, -1:]], axis=1)
        for row in range(count):
            for plane in range(2 * STEPS):
                self._check_plane(lines, row * LINES + plane)
        raise AssertionError("a plane was refused that nothing is wrong with")

    def _check_plane(self, lines: list[bytes], at: int) -> None:
        line = lines[at]
        for column, character in enumerate(line[: self._digits + 1]):
            if _DIGITS[character] > 15:
                raise self.error(f"{chr(character)!r} is not a hexadecimal digit", at, column)
        if len(line) != self._digits + 1:
            raise self.error(
                f"a plane has {self._digits + 1} digits, {self._digits} for 4 points each and one for the last point, "
                f"not {len(line)}",
                at,
            )
        if _DIGITS[line[-1]] > 1:
            raise self.error(f"the last point of a plane is 0 or 1, not {chr(line[-1])!r}", at, self._digits)

    def _one_of(self, lines: list[bytes], at: int, choice: tuple[bytes, bytes], wanted: str) -> int:
        text = lines[at].strip()
        if text in choice:
            return choice.index(text)
        try:  # programs write 1 as 1.0 too
            return [float(one) for one in choice].index(float(text))
        except ValueError:
            raise self.error(f"{wanted}, not {_shown(lines[at])}", at) from None

    def _policy(self, lines: list[bytes], at: int) -> list[float]:
        words = lines[at].split()
        if len(words) != self._points + 1:
            raise self.error(f"a policy has {self._points + 1} numbers, not {len(words)}", at)
        try:
            if b"_" not in lines[at]:  # Python's own spelling of numbers
                return list(map(float, words))
        except ValueError:
            pass  # the number that is wrong is found below
        column = 0
        for word in words:
            column = lines[at].index(word, column)
            try:
                if b"_" in word:
                    raise ValueError
                float(word)
            except ValueError:
                raise self.error(f"{_shown(word)} is not a number", at, column) from None
            column += len(word)
        raise AssertionError("a policy was refused that nothing is wrong with")


def _shown(text: bytes) -> str:
    return repr(text[:20].decode("utf-8", "replace")) + ("..." if len(text) > 20 else "")


_DIGITS: Final = np.full(256, 16, np.uint8)
for _value, _characters in enumerate(b"0123456789abcdef"):
    _DIGITS[_characters] = _DIGITS[ord(chr(_characters).upper())] = _value
