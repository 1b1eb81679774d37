"""wei7 3.0 (JSON): decoding, and messages of problems."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

from ...errors import PROBLEM_CODE_BY_NAME, PROBLEM_CODES, Problem, ProblemCode
from ...limits import DEFAULT_LIMITS, Limits
from ...record.record import Record
from .. import _native
from .clauses import CONSTRUCTS, Construct

REVISIONS: Final = (7, 2)
"""The revisions of the 3.0 draft; a text does not name its revision."""

_CONSTRUCTS: Final = {place.name: place for place in CONSTRUCTS}

# The place of each problem found after decoding.
_PLACE_OF: Final = {
    "setup-no-liberty": "setup",
    "move-occupied": "go",
    "limit-replay": "text",
    "limit-positions": "text",
    "limit-problems": "text",
}

_END: Final = "the end of the text"
_LONGEST_TOKEN: Final = 400
_OPENING: Final = b"{["
_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|[^\s,\]}:]+')


def decode(data: bytes, *, revision: int = 7, limits: Limits = DEFAULT_LIMITS) -> Record:
    """Decode the bytes of one wei7 3.0 record (clauses 3.1 to 3.16).

    Never raises for the content of the bytes: every violation of a clause of `revision` (7 or 2), except those found on
    a board, is in the record's `problems`. Raises `ValueError` for another revision and `MemoryError`. Thread safe; the
    GIL is released.
    """
    if revision not in REVISIONS:
        raise ValueError(f"revision {revision!r} is not known; use 7 or 2")
    return _native.decode_wei7(data, revision, limits, describe, read_text, (_decode_again, (data, revision, limits)))


def read_text(_record: Record, span: bytes) -> str:
    """Return what `string_of` does."""
    return string_of(span)


def string_of(span: bytes) -> str:
    """Return the string whose JSON text, quotes included, is `span`.

    Bytes that are not UTF-8 and halves of surrogate pairs become U+FFFD.
    """
    raw = span[1:-1]
    if b"\\" not in raw:
        return raw.decode("utf-8", "replace")
    value: str = json.loads('"' + raw.decode("utf-8", "replace") + '"', strict=False)
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _decode_again(data: bytes, revision: int, limits: Limits) -> Record:
    return decode(data, revision=revision, limits=limits)


def describe(record: Record, raw: Iterable[tuple[int, int, int, int] | tuple[str, int, int]]) -> list[Problem]:
    """Return located problems in the order of their offsets.

    `raw` holds (code number, place number, offset, detail) rows of the decoder or (code name,
    offset, detail) rows found later.
    """
    rows = []
    for row in raw:
        if len(row) == 4:
            rows.append((PROBLEM_CODES[row[0]], CONSTRUCTS[row[1]], row[2], row[3]))
        else:
            # Replay reports the step; the place of an occupied point is the point itself.
            offset = _native.find_in_wei7_step(record.source, row[1], b"point") if row[0] == "move-occupied" else row[1]
            rows.append((PROBLEM_CODE_BY_NAME[row[0]], _CONSTRUCTS[_PLACE_OF[row[0]]], offset, row[2]))
    rows.sort(key=lambda row: row[2])
    places = _native.locate_wei7(record.source, [row[2] for row in rows])
    problems = []
    for (code, place, offset, detail), at in zip(rows, places, strict=True):
        message = _message(code, place, detail, _excerpt(record.source, offset))
        problems.append(Problem(code.name, _clause(code, place, record.revision), code.severity, offset, *at, message))
    return problems


def clause_and_message(record: Record, code: ProblemCode, where: int | None, detail: int) -> tuple[str, str]:
    """Return clause and message of a problem of the decoder, whose text is `record.source` as `quoted` returns it;
    `where` is None for one that was found later.
    """
    place = _CONSTRUCTS[_PLACE_OF[code.name]] if where is None else CONSTRUCTS[where]
    return _clause(code, place, record.revision), _message(code, place, detail, _excerpt(record.source, 0))


def quoted(_code: ProblemCode, data: memoryview, begin: int, end: int) -> bytes:
    """Return the part of a text that ends at `end` which the message of a problem at `begin` depends on."""
    found = _TOKEN.match(data, begin, min(end, begin + _LONGEST_TOKEN))
    return bytes(data[begin : min(end, begin + 1)]) if found is None or data[begin] in _OPENING else found.group()


def _clause(code: ProblemCode, place: Construct, revision: int) -> str:
    if code.limit:
        return ""
    return code.clause or place.clauses[REVISIONS.index(revision)]


def _excerpt(source: bytes, offset: int) -> str:
    """The value or member name at `offset`, cut to a length that fits a line."""
    if offset >= len(source):
        return _END
    start = source[offset : offset + 1]
    if start in b"{[":
        return "an object" if start == b"{" else "an array"
    found = _TOKEN.match(source, offset, offset + _LONGEST_TOKEN)
    token = (found.group() if found else start).decode("utf-8", "replace")
    if not token.isprintable():
        token = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in token)
    return token if len(token) <= 40 else token[:36] + " ..."


def _message(code: ProblemCode, place: Construct, detail: int, found: str) -> str:
    name = code.name
    if name == "json-syntax" and found == _END:
        return "the text is not JSON: it ends too early"
    if name == "json-syntax":
        return f"the text is not JSON: {found} is unexpected here"
    if name == "unknown-member":
        return f"{place.noun} has a member that the format does not name: {found}"
    if name == "duplicate-member":
        return f"{place.noun} has the member {found} twice"
    if name == "missing-member":
        return f'{place.noun} lacks the required member "{_native.MEMBER_NAMES[detail]}"'
    if name in ("type-mismatch", "value-not-allowed", "number-not-integer", "number-out-of-range", "number-not-half"):
        return f"{place.noun} must be {place.expected}, not {found}"
    if name == "datetime-invalid":
        return f"{place.noun} must be {place.expected}, not {found}"
    if name == "string-too-long":
        return f"{place.noun} has {detail} characters, 128 are allowed"
    if name == "point-off-board":
        return f"the point is outside the board: coordinate {found}"
    if name == "participant-index":
        return f"participant {found} does not exist" + (f": the record has {detail}" if detail >= 0 else "")
    if name == "takeback-too-deep":
        return f"a takeback of {found} moves, but {detail if detail >= 0 else 'fewer'} are in force"
    return code.summary
