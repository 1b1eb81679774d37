"""The parser events of wei7 2.x (XML): open elements, general problems, and preserved unknown content.

The standard library's expat parses. A document type declaration ends the reading at once: there are no entities, and
nothing outside of the text is ever read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol
from xml.parsers import expat

from ...errors import PROBLEM_CODES
from ...limits import Limits
from ..record_columns import OF_ROOT
from ..record_rows import Rows
from .clauses import CONSTRUCT_OF
from .text import SPACE, Span, tag_at

_NUMBER_OF: Final = {code.name: code.number for code in PROBLEM_CODES}
_FEED: Final = 1 << 20
_MOST_WITHOUT_EVENT: Final = 64
"""Pieces of text without any event after which a tag or comment counts as too long: it is parsed anew each time."""
_BOM: Final = b"\xef\xbb\xbf"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")

Attributes = list[str]
Owner = tuple[int, int]


class StopReadingError(Exception):
    """Reading ends here."""


class NotUtf8Error(StopReadingError):
    """The text is in UTF-16 or UTF-32."""


class Context:
    """The content of an element, whose `place` problems name: children, or text that is its value.

    Children are a function that opens one, and its number, by name.
    """

    __slots__ = ("children", "has_value", "place")

    def __init__(
        self, place: str, children: dict[str, tuple[Callable[..., None], int]] | None = None, *, has_value: bool = False
    ) -> None:
        self.place = place
        self.children = children or {}
        self.has_value = has_value


_LEAF: Final = Context("move")


_ENDS_TOO_EARLY: Final = frozenset(
    expat.errors.codes[error]
    for error in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)


def make_parser(reader: object) -> expat.XMLParserType:
    """Return a parser of UTF-8 that calls `start`, `end`, `text`, `remark`, `declaration` of `reader`, and no others.

    A document type declaration calls `doctype`, which must not return.
    """
    parser = expat.ParserCreate("utf-8")
    parser.ordered_attributes = True
    for handler, name in (
        ("StartElementHandler", "start"),
        ("EndElementHandler", "end"),
        ("CharacterDataHandler", "text"),
        ("CommentHandler", "remark"),
        ("ProcessingInstructionHandler", "instruction"),
        ("StartCdataSectionHandler", "cdata"),
        ("EndCdataSectionHandler", "cdata_end"),
        ("XmlDeclHandler", "declaration"),
        ("StartDoctypeDeclHandler", "doctype"),
    ):
        if hasattr(reader, name):
            setattr(parser, handler, getattr(reader, name))
    return parser


class Runs(Protocol):
    """Reads parts of a text without the parser; see `feed`."""

    def next(self, begin: int, end: int) -> tuple[int, int, int] | None:
        """Return the ends of the first and of the last but one element of the next run in [begin, end), or None.

        The first number is where the first element begins.
        """

    def read(self, run: tuple[int, int, int]) -> bool:
        """Read from the end of the first element on, which the parser has seen; False where that is not possible."""


def feed(parser: expat.XMLParserType, source: bytes, events: Callable[[], int], runs: Runs | None = None) -> None:
    """Give the parser all of `source`; `events` returns a number that changes with every event.

    What `runs` reads is withheld from the parser, up to the first run that it cannot read: more attempts could have
    the parser begin the same comment again each time.

    Raises `expat.ExpatError`, what handlers raise, `StopReadingError` where one tag or comment has no end, and
    `NotUtf8Error`, which is one, for UTF-16 and UTF-32.
    """
    if source.startswith(_UTF_16) or b"\0" in source[:4]:
        raise NotUtf8Error  # expat would accept it, but the format does not
    view = memoryview(source)
    idle = 0
    for begin in range(0, len(source), _FEED):
        before = events()
        at, end = begin, min(begin + _FEED, len(source))
        while runs is not None and (run := runs.next(at, end)) is not None:
            parser.Parse(view[at : run[1]], False)
            if runs.read(run):
                at = run[2]
            else:
                at, runs = run[1], None
        parser.Parse(view[at:end], False)
        idle = 0 if events() != before else idle + 1
        if idle > _MOST_WITHOUT_EVENT:
            raise StopReadingError
    parser.Parse(b"", True)


class EventReader:
    """Reads one text into `rows`; the function that opens an element sets its context, its owner and the function that
    closes it.
    """

    def __init__(self, source: bytes, limits: Limits, context: Context) -> None:
        self.rows = Rows()
        self.broken_off = False
        self._source = source
        self._limits = limits
        self._parser = make_parser(self)
        self._withheld = 0  # bytes that the parser has not seen
        self._at = 0
        self._pieces = 0  # of text
        self._stack: list[tuple[Context, Callable[[], None] | None, Owner | None]] = []
        self._context = context
        self._closer: Callable[[], None] | None = None
        self._owner: Owner | None = None
        self._skipped = 0
        self._keep: Callable[[int, int], None] = _forget
        self._skip_from = 0
        self._text_from = -1
        self._cdata = -1
        self._value: list[str] = []

    def read(self) -> None:
        """Read all, or as far as possible; never raises for the content of the text."""
        source = self._source
        if len(source) > self._limits.max_bytes:
            self._note("limit-bytes", "text", self._limits.max_bytes)
            self.broken_off = True
            return
        try:
            feed(self._parser, source, lambda: self._at + self._pieces, self._runs())
        except NotUtf8Error:
            self._note("encoding-invalid", "text", 0)
            self.broken_off = True
        except StopReadingError:
            if not self.broken_off:
                self._note("limit-bytes", "text", self._at, 1)
            self.broken_off = True
        except expat.ExpatError as error:
            offset = min(max(self._parser.ErrorByteIndex + self._withheld, 0), len(source))
            if _is_text(source, offset):
                self._note("xml-syntax", "text", offset, int(error.code in _ENDS_TOO_EARLY))
            else:
                self._note("encoding-invalid", "text", offset)
            self.broken_off = True
        if self.broken_off:
            self._close_all()

    def _runs(self) -> Runs | None:
        """The reader of runs of elements without the parser."""
        return None

    # --- events ----------------------------------------------------------------

    def start(self, name: str, attributes: Attributes) -> None:
        """A tag opens an element."""
        self._at = at = self._parser.CurrentByteIndex + self._withheld
        if self._text_from >= 0:
            self._end_text(at)
        if len(self._stack) + self._skipped >= self._limits.max_depth:
            self._stop("limit-depth", at)
        if self._skipped:
            self._skipped += 1
            return
        self._stack.append((self._context, self._closer, self._owner))
        opener = self._context.children.get(name)
        if opener is None:
            self._stack.pop()
            self._unknown(at)
            return
        self._context, self._closer = _LEAF, None
        opener[0](self, opener[1], at, attributes)

    def end(self, _name: str) -> None:
        """A tag closes an element, or an empty one has been opened."""
        self._at = at = self._parser.CurrentByteIndex + self._withheld
        if self._text_from >= 0:
            self._end_text(at)
        if self._skipped:
            self._skipped -= 1
            if not self._skipped:
                self._keep(self._skip_from, self._end_of(self._skip_from, at))
            return
        if self._closer is not None:
            self._closer()
        self._context, self._closer, self._owner = self._stack.pop()

    def text(self, data: str) -> None:
        """A piece of text."""
        self._pieces += 1
        if self._skipped:
            return
        if self._context.has_value:
            self._value.append(data)
            return
        if self._text_from >= 0 or not data.strip(SPACE):
            return
        self._at = at = self._parser.CurrentByteIndex + self._withheld
        at += len(data) - len(data.lstrip(SPACE))
        self._text_from = at if self._cdata < 0 else self._cdata
        self._note("text-misplaced", self._context.place, self._text_from)

    def cdata(self) -> None:
        """A CDATA section begins."""
        self._at = self._parser.CurrentByteIndex + self._withheld
        if self._text_from < 0:
            self._cdata = self._at

    def cdata_end(self) -> None:
        """A CDATA section ends."""
        if self._text_from < 0:
            self._cdata = -1

    def remark(self, _data: str) -> None:
        """A comment of XML."""
        self._at = at = self._parser.CurrentByteIndex + self._withheld
        if self._text_from >= 0:
            self._end_text(at)
        if not self._skipped:
            self._keep_part(OF_ROOT, 0, (at, at + 4), (at, self._source.index(b"-->", at + 4) + 3))

    def instruction(self, _target: str, _data: str) -> None:
        """A processing instruction."""
        self._at = at = self._parser.CurrentByteIndex + self._withheld
        if self._text_from >= 0:
            self._end_text(at)
        if not self._skipped:
            self._keep_part(OF_ROOT, 0, (at, at + 2), (at, self._source.index(b"?>", at) + 2))

    def declaration(self, version: str, encoding: str | None, _standalone: int) -> None:
        """The XML declaration."""
        self._at = at = self._parser.CurrentByteIndex + self._withheld
        if version != "1.0" or (encoding is not None and encoding.lower() != "utf-8"):
            self._note("xml-declaration", "text", at)

    def doctype(self, _name: str, _system: str | None, _public: str | None, _internal: int) -> None:
        """A document type declaration, which could name entities."""
        at = self._parser.CurrentByteIndex + self._withheld
        self._stop("doctype-refused", max(self._source.rfind(b"<!DOCTYPE", 0, at + 1), 0))

    # --- notes, and what is kept -------------------------------------------------

    def _note(self, code: str, place: str, offset: int, detail: int = 0) -> None:
        problems = self.rows.problems
        most = self._limits.max_problems
        if problems.count < most:
            problems.add(offset, _NUMBER_OF[code], CONSTRUCT_OF[place], detail)
        elif problems.count == most:
            problems.add(offset, _NUMBER_OF["limit-problems"], CONSTRUCT_OF["text"], 0)

    def _stop(self, code: str, offset: int) -> None:
        self._note(code, "text", offset)
        self.broken_off = True
        raise StopReadingError

    def _room(self, count: int, at: int) -> None:
        """Stop if a table has reached its limit of rows."""
        if count >= self._limits.max_steps:
            self._stop("limit-steps", at)

    def _keep_part(self, owner: int, row: int, key: Span, value: Span) -> None:
        self._room(self.rows.kept.count, value[0])
        self.rows.kept.add(*key, *value, row, owner, 0)

    def _skip(self, at: int, keep: Callable[[int, int], None]) -> None:
        """Pass the element that starts at `at` over; `keep` takes its span at its end."""
        self._skipped = 1
        self._skip_from = at
        self._keep = keep

    def _unknown(self, at: int) -> None:
        if not self._stack:
            self._note("unknown-element", "root", at)
            self.broken_off = True
            raise StopReadingError
        self._note("unknown-element", self._context.place, at)
        self._skip(at, self._keep_content)

    def _keep_content(self, begin: int, end: int) -> None:
        """Keep content that the format does not define."""
        if self._owner is not None:
            self._keep_part(*self._owner, (begin, begin), (begin, end))

    def _close_all(self) -> None:
        """Make rows of open elements at the end of an incomplete text."""

    def _end_text(self, at: int) -> None:
        begin, self._text_from, self._cdata = self._text_from, -1, -1
        self._keep_content(begin, begin + len(self._source[begin:at].rstrip(SPACE.encode())))

    def _end_of(self, begin: int, at: int) -> int:
        """The end of the element that began at `begin` and whose end was reported at `at`."""
        tag = tag_at(self._source, begin)
        return tag.end if tag.is_empty else self._source.index(b">", at) + 1


def _forget(_begin: int, _end: int) -> None:
    """Keep nothing."""


def _is_text(source: bytes, offset: int) -> bool:
    """Whether a character of UTF-8 starts at `offset`, or the text ends there."""
    if offset == 0 and source.startswith(_BOM):
        return True
    piece = source[offset : offset + 4]
    for size in range(1, 5):
        try:
            piece[:size].decode()
        except UnicodeDecodeError:
            continue
        return True
    return not piece
