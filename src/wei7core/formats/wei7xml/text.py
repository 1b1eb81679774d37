"""Texts of XML as bytes: the places of attributes in a tag, their values, and their escapes.

All functions are pure; any thread may call them.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from xml.parsers import expat

Span = tuple[int, int]

SPACE: Final = " \t\r\n"
"""White space of XML; Python's definition has more characters."""

_NAME: Final = re.compile(rb"<([^\s/>]+)")
_ATTRIBUTE: Final = re.compile(rb"""\s+([^\s=<>/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_TAG_END: Final = re.compile(rb"\s*(/?)>")
# Constructs that may contain tags without being one, the end tag of a name, and its tag.
_MARKUP: Final = (
    rb"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|(</%s\s*>)|(<%s(?=[\s/>])(?:[^<>"']|"[^"]*"|'[^']*')*>)"""
)
_REMARK: Final = re.compile(rb"(<!\[CDATA\[.*?\]\]>)|<!--.*?-->|<\?.*?\?>", re.DOTALL)
_LINE_END: Final = re.compile(r"\r\n|[\r\n\t]")
_REFERENCE: Final = re.compile(r"&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|(\w+));")
_ENTITIES: Final = {"lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": '"'}
_ESCAPED: Final = re.compile('[&<"\t\n\r]')
_ESCAPES: Final = {"&": "&amp;", "<": "&lt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot represent."""
_MOST_DIGITS: Final = 8


class Tag(NamedTuple):
    """The tag that starts an element: spans of names and values by the name, and whether it ends the element too."""

    name: Span
    attributes: dict[str, tuple[Span, Span]]
    end: int
    is_empty: bool


def tag_at(source: bytes, at: int) -> Tag:
    """Return the tag at offset `at`, which must be that of a well-formed start of an element."""
    found = _NAME.match(source, at)
    assert found is not None
    name = found.span(1)
    end = found.end()
    attributes: dict[str, tuple[Span, Span]] = {}
    while (match := _ATTRIBUTE.match(source, end)) is not None:
        attributes[match[1].decode("utf-8", "replace")] = match.span(1), match.span(match.lastindex or 2)
        end = match.end()
    closing = _TAG_END.match(source, end)
    assert closing is not None
    return Tag(name, attributes, closing.end(), closing[1] == b"/")


def element_end(source: bytes, at: int) -> int:
    """Return the end of the element at `at`, which is well-formed so far; -1 where it has none."""
    tag = tag_at(source, at)
    if tag.is_empty:
        return tag.end
    name = re.escape(source[slice(*tag.name)])
    depth = 1
    for match in re.compile(_MARKUP % (name, name), re.DOTALL).finditer(source, tag.end):
        if match[1] is not None:
            depth -= 1
        elif match[2] is not None:
            depth += not match[2].endswith(b"/>")
        if not depth:
            return match.end()
    return -1


def without_remarks(raw: bytes) -> bytes:
    """Return XML without its comments and processing instructions."""
    return _REMARK.sub(lambda match: match[1] or b"", raw)


def element_text(raw: bytes) -> str:
    """Return the text of an element, without that of the elements in it; "" where it is not well-formed."""
    parts: list[str] = []
    depth = 0

    def start(_name: str, _attributes: object) -> None:
        nonlocal depth
        depth += 1

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    def text(data: str) -> None:
        if depth == 1:
            parts.append(data)

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    try:
        parser.Parse(raw, True)
    except expat.ExpatError:
        return ""
    return "".join(parts)


def value_text(raw: bytes) -> str:
    """Return the value of an attribute from `raw`, the bytes between the quotes.

    White space becomes spaces, and references become characters, by XML 1.0. Bytes that are no UTF-8 become U+FFFD.
    """
    text = _LINE_END.sub(" ", raw.decode("utf-8", "replace"))
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    hexadecimal, decimal, name = match.groups()
    if name is not None:
        return _ENTITIES.get(name, match[0])
    digits = (hexadecimal or decimal).lstrip("0")
    number = int(digits, 16 if hexadecimal else 10) if 0 < len(digits) <= _MOST_DIGITS else 0
    return chr(number) if number <= 0x10FFFF else "\ufffd"


def escape(text: str) -> str:
    """Return `text` as an attribute value between double quotes; line ends and tabs are preserved."""
    return _ESCAPED.sub(lambda match: _ESCAPES[match[0]], text)


def is_xml(text: str) -> bool:
    """Return whether XML 1.0 can hold the characters of `text`."""
    return NO_XML.search(text) is None


def attribute(name: str, text: str) -> str:
    """Return an attribute with the space before it. Raises `ValueError` for characters that XML cannot hold."""
    if not is_xml(text):
        raise ValueError(f"XML has no character like one of {name}: {text[:40]!r}")
    return f' {name}="{escape(text)}"'


def raw_attribute(name: str, raw: bytes) -> str:
    """Return an attribute, the space before it included, whose value was written so between quotes of some kind."""
    quote = "'" if b'"' in raw else '"'
    return f" {name}={quote}{raw.decode('utf-8', 'replace')}{quote}"
