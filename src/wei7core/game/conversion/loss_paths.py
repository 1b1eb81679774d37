"""Paths of losses in the tree of a converted document, and conversion of its texts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ...board.board import BLACK, WHITE
from ...formats.wei7xml.text import NO_XML, is_xml
from ...record.document import Branch, HasExtra, Result
from ...replaying.cursor import Place
from .report import LossReport

__all__ = ["BLACK", "COLOR_WORDS", "WHITE", "LossPath", "TextAdapter", "claimed", "drop_extra", "joined", "to_play"]

COLOR_WORDS: Final = {BLACK: "Black", WHITE: "White"}


@dataclass(frozen=True, slots=True)
class LossPath:
    """A place in the source: a branch and a part of it. Its text is made on demand."""

    place: Place
    inside: int | str

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.place.path)) or '-'};{self.inside}"


def drop_extra(losses: LossReport, at: object, owner: HasExtra) -> None:
    """List the members kept by lenient reading, and the comments of XML."""
    for name, text in owner.extra.items():
        if name == "#comments":
            losses.add("xml-comments-dropped", at)
            continue
        if (name, text) in _DEFAULTS:
            continue
        member = name if isinstance(name, str) else ".".join(name)
        losses.add("member-dropped", at, f"the member {member[:80]!r} is left out")


# The meaning of absent attributes in wei7 2.x.
_DEFAULTS: Final = {
    ("type", b"normal"),
    ("eval", b"normal"),
    ("problem", b"no"),
    ("splitter", b"small"),
}


def to_play(color: int) -> str | None:
    """Return the line of a comment that describes a problem; None for an invalid colour."""
    return f"Problem: {COLOR_WORDS[color]} to play." if color in COLOR_WORDS else None


def claimed(result: Result) -> str:
    """Return the text of a claim of a result."""
    if result.winner is None:
        return "the game is a draw"
    color = COLOR_WORDS.get(result.winner, "nobody")
    return f"{color} has won" if result.margin is None else f"{color} has won by {result.margin}"


def joined(*texts: str | None) -> str | None:
    """Return the non-empty texts, each on lines of its own; None if all are empty."""
    return "\n".join(text for text in texts if text) or None


class TextAdapter:
    """Adapts texts to another format, and lists the changes."""

    def __init__(self, losses: LossReport) -> None:
        self._losses = losses

    def decodable(self, text: str, at: object) -> str:
        """Return `text` without halves of surrogate pairs."""
        if text.isascii() or not _SURROGATE.search(text):
            return text
        self._losses.add("text-undecodable", at)
        return _SURROGATE.sub("\ufffd", text)

    def xml(self, text: str, at: object) -> str:
        """Return `text` with only characters allowed in XML."""
        if is_xml(text):
            return text
        self._losses.add("text-changed", at)
        return NO_XML.sub("\ufffd", text)

    def xml_line(self, text: str, at: object) -> tuple[str, str | None]:
        """Return `text` as a short text of wei7 2.x on one line, and the whole line if it was cut."""
        return self._cut(self.xml(text, at), _NO_XML_LINE, at)

    def sgf(self, text: str, at: object) -> str:
        """Return `text` with only spaces and plain line breaks as white space, as in a Text of SGF."""
        text = self.decodable(text, at)
        if not _NO_SGF.search(text):
            return text
        self._losses.add("text-changed", at)
        return _NO_SGF.sub(lambda match: "\n" if "\r" in match[0] else " ", text)

    def sgf_line(self, text: str | None, at: object) -> str | None:
        """Return `text` as a SimpleText of SGF, on one line; None for an empty text."""
        if not text:
            return None
        line = self.sgf(text, at)
        if "\n" not in line and line.strip():
            return line
        self._losses.add("text-changed", at)
        return line.replace("\n", " ") if line.strip() else None

    def short(self, text: str, at: object) -> tuple[str, str | None]:
        """Return `text` as a short string of wei7 (clause 3.4), and the whole line if it was cut."""
        return self._cut(self.decodable(text, at), _NO_SHORT, at)

    def _cut(self, line: str, breaks: re.Pattern[str], at: object) -> tuple[str, str | None]:
        """A text with spaces in place of `breaks`, as far as it is short, and the whole one if it was cut."""
        if breaks.search(line):
            self._losses.add("text-changed", at)
            line = breaks.sub(" ", line)
        if len(line) <= MOST_CHARACTERS:
            return line, None
        self._losses.add("text-cut", at)
        return line[:MOST_CHARACTERS], line


MOST_CHARACTERS: Final = 128
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_NO_XML_LINE: Final = re.compile("\r\n|[\t\n\r]")
_NO_SGF: Final = re.compile(r"\r\n|\n\r|[\r\t\v\f]")
_NO_SHORT: Final = re.compile("\r\n|[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class CutError(Exception):
    """The steps of a branch from `index` on cannot be written; `code` is that of the loss."""

    def __init__(self, code: str, index: int) -> None:
        self.code = code
        self.index = index

    def report(self, losses: LossReport, at: LossPath, branch: Branch, why: str) -> None:
        """List the loss of these steps of the branch and of those after it."""
        left_out = sum(len(one.steps) for one in branch.walk()) - self.index
        losses.add(self.code, at, f"{why}; steps left out from here on: {left_out}")
