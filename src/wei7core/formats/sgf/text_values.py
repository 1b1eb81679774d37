"""Decoding of the two kinds of text in SGF values, such as comments: escapes and line breaks."""

from __future__ import annotations

import re
from typing import Final

from ...record.record import Record

_BREAK: Final = "\r\n|\n\r|\r|\n"
_PARTS: Final = re.compile(rf"\\(?P<soft>{_BREAK})|\\(?P<escaped>.?)|(?P<hard>{_BREAK})|(?P<space>[\t\v\f])", re.DOTALL)
_VALUE: Final = re.compile(r"\[((?:[^\\\]]|\\.)*)\]?", re.DOTALL)
_PLAIN: Final = re.compile(r"[^\\\r\t\v\f]*")


def _part(match: re.Match[str]) -> str:
    if match["escaped"] is not None:
        return " " if match["escaped"] in ("\t", "\v", "\f") else match["escaped"]
    if match["hard"] is not None:
        return "\n"
    return "" if match["soft"] is not None else " "


def unescape(text: str) -> str:
    r"""Return the meaning of `text`, a value of the kind Text (FF[4], Text).

    `\` keeps the next character as it is and removes a line break after it; every other line break
    (LF, CR, CRLF or LFCR) becomes `\n`, other white space a space. Thread safe.
    """
    if text.isprintable() and "\\" not in text:
        return text  # true of most texts, and faster than a search for others
    return text if _PLAIN.fullmatch(text) else _PARTS.sub(_part, text)


def simple_text(text: str) -> str:
    """Return the meaning of `text`, a value of the kind SimpleText: as `unescape`, on one line. Thread safe."""
    return unescape(text).replace("\n", " ")


def first_simple_text(values: bytes, encoding: str = "utf-8") -> str | None:
    """Return the first of `values`, which include their brackets, as SimpleText; None without a bracket.

    Invalid bytes become U+FFFD. Thread safe.
    """
    # The last bracket is one, also after half a character.
    end = len(values) - values.endswith(b"]")
    found = _VALUE.match(values[:end].decode(encoding, "replace") + values[end:].decode("ascii"))
    return None if found is None else simple_text(found[1])


def read_text(record: Record, span: bytes) -> str:
    """Decode the Text of a value in the encoding of `record`.

    Invalid bytes become U+FFFD. Thread safe.
    """
    return unescape(span.decode(record.encoding, "replace"))
