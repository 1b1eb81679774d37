"""Reading Giseong records: the effect of each part of a text, and its problems."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ...limits import Limits
from . import codes
from .codes import CONTROLS, PLACEMENT_KINDS, SIDE, PlainStones, Span
from .stones import StoneMap
from .text import Text
from .to_document import Arranged, Spot, arranged

if TYPE_CHECKING:
    from ..registry import FirstRow


@dataclass(frozen=True, slots=True)
class GiseongProblem:
    """A problem: its code, its clause, its place as a character and as a spot, and its message."""

    code: str
    clause: str
    index: int
    spot: Spot
    message: str


@dataclass(frozen=True, slots=True)
class Name:
    """A name or title: its text, and the characters of the text and of the control after it."""

    text: str
    begin: int
    end: int
    control_end: int


@dataclass(slots=True)
class GiseongRecord:
    """The content of a record. `broken_off`: a limit was reached, and the rest was not read."""

    root: Spot
    branches: list[Arranged] = field(default_factory=list)
    names: dict[int, Name] = field(default_factory=dict)
    declared_moves: int | None = None
    version: int | None = None
    is_posting: bool = False
    problems: list[GiseongProblem] = field(default_factory=list)
    broken_off: bool = False
    has_codes: bool = False


def read(text: Text, first_row: FirstRow, limits: Limits) -> GiseongRecord:
    """Read the first record of a text. Never raises for its content. Thread safe."""
    return _GiseongReader(text, first_row, limits).read()


class _StopError(Exception):
    """Reading ends here."""


_START: Final = re.compile(r"&\[0{0,8}1w")
_BLANK: Final = " \t\x1a\0"
_NAMES: Final = {5: "Black's name", 6: "White's name", 12: "the title"}
_ANYWHERE: Final = frozenset({4, 20, 21, 22, 23, *_NAMES})
_MOST: Final = 999


class _GiseongReader:
    def __init__(self, text: Text, first_row: FirstRow, limits: Limits) -> None:
        self._text = text
        self._from_top = first_row == "top"
        self._limits = limits
        self._spot = Spot(None, 0, 0)
        self._reading = GiseongRecord(self._spot)
        self._screen = StoneMap()
        self._put = 0
        self._saved: tuple[Spot, bytes] | None = None  # with the stones
        # The places before open blocks, the stones there, and the characters of the blocks.
        self._blocks: list[tuple[Spot, bytes, int]] = []
        self._block_count = 0
        self._block = 0
        self._name: tuple[int, list[Span]] | None = None  # the place of &[4w, with its texts
        self._needs_start = _START.search(text.clean) is not None
        self._is_over = False
        self._size = 0
        self._do: Final[dict[str, Callable[[Span], None]]] = {
            "text": self._text_part,
            "open": self._open,
            "close": self._close,
            "@": self._placement,
            "w": self._control,
            "malformed": self._malformed,
        }

    def read(self) -> GiseongRecord:
        reading = self._reading
        if self._text.undecoded >= 0:
            self._problem(
                "text-undecodable",
                "section 4",
                self._text.undecoded,
                "the text has bytes that are invalid in its encoding",
            )
        try:
            at = 0
            while at < len(self._text.clean):
                at = self._read_to_run(at)
            if reading.has_codes:
                self._finish()
        except _StopError:
            pass  # the problem is noted, and what has been read so far is the record
        reading.branches = arranged(reading.root)
        if not reading.broken_off and reading.declared_moves is not None:
            self._compare_moves(reading.declared_moves)
        return reading

    def _read_to_run(self, at: int) -> int:
        """Read from character `at` on, to the end of the first run of plain stones or of the text; returns the end."""
        reading = self._reading
        for part in codes.parts(self._text.clean, at):
            reading.has_codes = reading.has_codes or part.what != "text"
            if self._name is not None and part.what != "text" and not _puts_out(part):
                self._drop_name()
            self._do[part.what](part)
            if part.what == "@" and self._spot.color and self._spot.index == part.begin:
                end = self._stones(part.end)
                if end > part.end:
                    return end
        return len(self._text.clean)

    def _problem(self, code: str, clause: str, index: int, message: str) -> None:
        found = self._reading.problems
        if len(found) > self._limits.max_problems:
            return
        if len(found) == self._limits.max_problems:
            code, clause, message = "limit-problems", "", f"more than {self._limits.max_problems} problems"
        found.append(GiseongProblem(code, clause, index, self._spot, message))

    def _limit(self, code: str, index: int, message: str) -> None:
        self._reading.problems.append(GiseongProblem(code, "", index, self._spot, message))
        self._reading.broken_off = True
        raise _StopError

    def _grow(self, index: int, count: int = 1) -> None:
        self._size += count
        if self._size > self._limits.max_steps:
            self._limit(
                "limit-steps",
                index,
                f"the record has more than {self._limits.max_steps} stones, branches, labels and line breaks",
            )

    def _written(self, part: Span) -> str:
        return self._text.clean[part.begin : min(part.end, part.begin + 40)]

    # --- where the record begins and ends --------------------------------------

    @property
    def _is_outside(self) -> bool:
        return self._needs_start or self._is_over

    @property
    def _where(self) -> str:
        return "before the start" if self._needs_start else "after the end"

    def _finish(self) -> None:
        if self._name is not None:
            self._drop_name()
        end = len(self._text.clean)
        while self._blocks:
            self._unclosed()
        if not _START.search(self._text.clean):
            self._problem("record-unframed", "section 8", 0, "no &[1w marks the start of the record")
        if not self._is_over:
            self._problem("record-unframed", "section 8", end, "no &[2w marks the end of the record")

    def _unclosed(self) -> None:
        self._problem("block-unclosed", "section 9", self._blocks[-1][2], "no }} closes this block")
        self._leave_block()

    def _compare_moves(self, declared: int) -> None:
        moves = 0
        branch = self._reading.branches[0]
        while True:
            moves += sum((spot.color != 0) + spot.size_before for spot in branch.spots)
            if not branch.below:
                break
            branch = branch.below[0]
        if moves != declared:
            message = f"the record says that it has {declared} moves; its main line has {moves}"
            self._spot = self._reading.root
            self._problem("move-count", "section 8", self._declared_at, message)

    # --- text ------------------------------------------------------------------

    def _text_part(self, part: Span) -> None:
        if self._name is not None:
            self._name[1].append(part)
            return
        text = self._text.clean[part.begin : part.end]
        if self._is_outside:
            if text.strip(_BLANK):
                at = part.begin + len(text) - len(text.lstrip(_BLANK))
                message = f"text is {self._where} of the record; it is not read"
                self._problem("text-outside-record", "section 8, G14", at, message)
            return
        for match in codes.RESERVED.finditer(text):
            self._problem(
                "text-character",
                "section 4",
                part.begin + match.start(),
                f"{match[0][:20]} is reserved; comments of properly made records have no such character",
            )
        self._spot.add_text(text, part.begin, part.end)

    def _malformed(self, part: Span) -> None:
        self._refuse(part, f"{self._written(part)} is not a well-formed code; it is skipped")

    def _refuse(self, part: Span, message: str) -> None:
        """Report a code that is skipped. It is kept, so that it is written back."""
        self._problem("code-malformed", "section 2, G18", part.begin, message)
        if not self._is_outside:
            self._keep(part, self._text.clean[part.begin : part.end])

    def _keep(self, part: Span, token: str) -> None:
        self._grow(part.begin)
        self._spot.tokens.append(token)

    # --- blocks ----------------------------------------------------------------

    def _open(self, part: Span) -> None:
        if self._outside(part):
            return
        if self._blocks:
            self._problem("block-nested", "section 9", part.begin, "a block is inside a block")
        if len(self._blocks) >= self._limits.max_depth:
            self._limit("limit-depth", part.begin, f"blocks are nested more than {self._limits.max_depth} levels deep")
        self._grow(part.begin)
        self._blocks.append((self._spot, self._screen.stones(), part.begin))
        self._block_count += 1
        self._block = self._block_count
        self._spot = Spot(self._spot, part.begin, self._block, begins=True)

    def _close(self, part: Span) -> None:
        if self._outside(part):
            return
        if not self._blocks:
            self._problem("block-unopened", "section 9", part.begin, "}} closes no block")
            return
        self._leave_block()

    def _leave_block(self) -> None:
        self._spot, stones, _ = self._blocks.pop()
        self._screen.show(stones)
        self._block = self._spot.block

    def _outside(self, part: Span) -> bool:
        if self._is_outside:
            message = f"{self._written(part)} is {self._where} of the record; it is not read"
            self._problem("placement-outside-record", "section 8, G14", part.begin, message)
        return self._is_outside

    # --- controls --------------------------------------------------------------

    def _control(self, part: Span) -> None:
        number, *values = part.numbers
        control = CONTROLS.get(number)
        if control is None:
            message = f"{self._written(part)} is an unknown control; it is skipped"
            self._problem("control-unknown", "section 8", part.begin, message)
            if not self._is_outside:
                self._keep(part, codes.code("w", *part.numbers))
            return
        if not control.least <= len(values) <= control.most:
            self._refuse(part, f"{self._written(part)} has a wrong number of arguments; it is skipped")
            return
        if any(not 1 <= value <= _MOST for value in values):
            message = f"the arguments of {self._written(part)} are not 1 to {_MOST}; it is skipped"
            self._problem("number-out-of-range", "section 8, G3", part.begin, message)
            return
        if number == 1:
            self._start(part)
        elif self._is_outside and number not in _ANYWHERE:
            if number != 2:
                message = f"{self._written(part)} is {self._where} of the record; it is not read"
                self._problem("text-outside-record", "section 8, G14", part.begin, message)
        elif number == 2:
            while self._blocks:
                self._unclosed()
            self._is_over = True
        elif number == 4:
            self._name = part.begin, []
        elif number in _NAMES:
            self._put_out(part, number)
        elif number == 20:
            self._reading.declared_moves = values[0]
            self._declared_at = part.begin
        elif number == 23:
            self._reading.version = values[0]
        elif number in (21, 22):
            self._reading.is_posting = True
        else:
            if number == 9:
                self._grow(part.begin, values[0] if values else 1)
            self._keep(part, codes.code("w", *part.numbers))

    _declared_at = 0

    def _start(self, part: Span) -> None:
        if self._needs_start:
            self._needs_start = False
            return
        while self._blocks:
            self._unclosed()
        message = "another record begins here; only the first one is read"
        self._problem("more-games", "section 8", part.begin, message)
        raise _StopError

    def _drop_name(self) -> None:
        assert self._name is not None
        begin, self._name = self._name[0], None
        self._problem("name-form", "section 8", begin, "no &[5w, &[6w or &[12w follows &[4w and its text")

    def _put_out(self, part: Span, number: int) -> None:
        if self._name is None:
            message = f"no &[4w is before {self._written(part)}"
            self._problem("name-form", "section 8", part.begin, message)
            return
        begin, texts = self._name
        self._name = None
        text = "".join(self._text.clean[one.begin : one.end] for one in texts)
        name = Name(text, texts[0].begin if texts else part.begin, texts[-1].end if texts else part.begin, part.end)
        known = self._reading.names.get(number)
        if known is not None and known.text != text:
            message = f"{_NAMES[number]} is given again and is another one; the last one counts"
            self._problem("name-repeated", "section 8", begin, message)
        self._reading.names[number] = name

    # --- placements ------------------------------------------------------------

    def _placement(self, part: Span) -> None:
        number, *values = part.numbers
        kind = PLACEMENT_KINDS.get(number)
        if kind is None:
            message = f"{self._written(part)} is an unknown placement; it is skipped"
            self._problem("placement-unknown", "section 6, G2", part.begin, message)
            if not self._is_outside:
                self._keep(part, codes.code("@", *part.numbers))
        elif len(values) != kind.numbers:
            self._refuse(part, f"{self._written(part)} has a wrong number of arguments; it is skipped")
        elif self._outside(part):
            pass
        elif kind.has_point:
            self._on_point(part, kind)
        elif number == codes.SAVE:
            self._saved = self._spot, self._screen.stones()
        elif number == codes.RESTORE:
            self._restore(part)
        elif self._spot.shown:
            self._grow(part.begin)
            self._spot = Spot(self._reading.root, part.begin, self._block, begins=True)
            self._screen.show()

    def _restore(self, part: Span) -> None:
        if self._saved is None:
            message = "no board was saved before; nothing is restored"
            self._problem("restore-unsaved", "section 6, G10", part.begin, message)
        elif self._spot is not self._saved[0]:
            self._grow(part.begin)
            self._spot = Spot(self._saved[0], part.begin, self._block, begins=True)
            self._screen.show(self._saved[1])

    def _stones(self, begin: int) -> int:
        """Read the run of plain stones that begins at `begin`, which follows a stone; returns its end."""
        found = codes.plain_stones(self._text.clean, begin)
        if found is None:
            return begin
        stones, end = found
        count = len(stones.at)
        if self._size + count > self._limits.max_steps or self._put + count > self._limits.max_moves:
            return begin
        self._size += count
        self._put += count
        if not self._from_top:
            stones = stones._replace(row=SIDE + 1 - stones.row)
        self._screen.put_run(stones.listed)
        self._spot = Spot(self._spot, int(stones.at[-1]), self._block)
        self._spot.stone(int(stones.color[-1]), (int(stones.column[-1]) - 1, int(stones.row[-1]) - 1), None)
        self._spot.before = PlainStones(stones.at[:-1], stones.row[:-1], stones.column[:-1], stones.color[:-1])
        return end

    def _on_point(self, part: Span, kind: codes.Kind) -> None:
        number, row, column, *index = part.numbers
        self._grow(part.begin)
        if not (1 <= row <= SIDE and 1 <= column <= SIDE):
            if kind.color:
                self._spot = Spot(self._spot, part.begin, self._block)
                self._spot.raw = self._text.clean[part.begin : part.end]
                self._spot.shown = True
            else:
                self._spot.tokens.append(codes.code("@", *part.numbers))
            message = f"{self._written(part)} is not on the board: rows and columns are 1 to {SIDE}"
            self._problem("point-off-board", "section 6", part.begin, message)
            return
        row = row if self._from_top else SIDE + 1 - row
        token = codes.code("@", number, row, column, *index)
        label = None
        if kind.labels:
            if index[0] < len(kind.labels):
                label = kind.labels[index[0]]
            else:
                message = f"{self._written(part)} has an unknown label: labels are 0 to {len(kind.labels) - 1}"
                self._problem("label-unknown", "section 6, G3", part.begin, message)
        point = column - 1, row - 1
        if not kind.color:
            if number == codes.NEUTRAL and self._screen.color(point):
                message = f"{self._written(part)} is a neutral point on a stone; the meaning is unknown"
                self._problem("neutral-on-stone", "section 6, G6", part.begin, message)
            self._spot.tokens.append(token)
            self._spot.shown = True
        elif kind.labels and self._screen.color(point) == kind.color:
            self._spot.tokens.append(token)
        else:
            self._spot = Spot(self._spot, part.begin, self._block)
            self._spot.stone(kind.color, point, label)
            self._put += 1
            if self._put > self._limits.max_moves:
                self._limit("limit-replay", part.begin, f"the record puts more than {self._limits.max_moves} stones")
            self._screen.put(kind.color, point)


def _puts_out(part: Span) -> bool:
    return part.what == "w" and part.numbers[0] in _NAMES
