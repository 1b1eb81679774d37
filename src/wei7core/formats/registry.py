"""The formats of records: which one bytes are of, and the decoder of each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ..document import Document
from ..limits import DEFAULT_LIMITS, Limits
from ..record import Record
from . import sgf, sgf_tree, wei7, wei7_tree
from .sgf_charset import narrow

__all__ = ["FORMATS", "Format", "decode", "described", "document_from_record", "is_encoding", "recognise", "record_id"]

_OWNER_ROOT: Final = 0  # W7_OWNER_ROOT of _record/record.h
_LOOKED_AT: Final = 1 << 16
_LETTERS: Final = re.compile(rb"[a-z]+")
_FIRST_VALUE: Final = re.compile(r"\[((?:[^\]\\]|\\.)*)", re.DOTALL)
_BOM: Final = b"\xef\xbb\xbf"
_OBJECT: Final = re.compile(rb'\s*\{\s*(?:["}]|\Z)')
_BRACE: Final = re.compile(rb"\s*\{")
_TREE: Final = re.compile(rb"\s*\(\s*;")
_TREE_LATER: Final = re.compile(rb"\(\s*;\s*[A-Za-z]+\s*\[")
_PROPERTY: Final = re.compile(rb"[A-Za-z]\s*\[")
_XML: Final = re.compile(rb"\s*<")
_WEI7_ELEMENT: Final = re.compile(rb"<wei7[\s/>]")


@dataclass(frozen=True, slots=True)
class Format:
    """One format: `suffixes` of its files, `many` where one may hold several records, `decode` where it can be read."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    many: bool
    decode: Callable[[bytes, int, str | None, Limits], Record] | None


def _decode_wei7(data: bytes, revision: int, _encoding: str | None, limits: Limits) -> Record:
    return wei7.decode(data, revision=revision, limits=limits)


def _decode_sgf(data: bytes, _revision: int, encoding: str | None, limits: Limits) -> Record:
    return sgf.decode(data, encoding=encoding, limits=limits)


FORMATS: Final = {
    row.name: row
    for row in (
        Format("wei7", "wei7 3.0 (JSON)", (".wei7", ".jsonl"), True, _decode_wei7),
        Format("wei7-2.2", "wei7 2.x (XML)", (), False, None),
        Format("sgf", "SGF", (".sgf",), True, _decode_sgf),
    )
}
"""All formats, by their names."""


def recognise(data: bytes, name: str = "") -> str | None:
    """Return the name of the format of `data` (`wei7`, `wei7-2.2`, `sgf`), or None where it is of none.

    The first 64 KiB count; a byte order mark, white space and, before an SGF
    game, other text may come first, also in UTF-16 and UTF-32. Only where they
    leave it open, `name` decides by its suffix. Thread safe.
    """
    head, _ = narrow(data[:_LOOKED_AT])
    head = head.removeprefix(_BOM)
    if _OBJECT.match(head):
        return "wei7"
    if _XML.match(head) and _WEI7_ELEMENT.search(head):
        return "wei7-2.2"
    if _TREE.match(head):
        return "sgf"
    name = name.lower()
    if name.endswith(FORMATS["wei7"].suffixes):
        return "wei7"
    if name.endswith(FORMATS["sgf"].suffixes) and _PROPERTY.search(head):
        return "sgf"
    if _TREE_LATER.search(head):
        return "sgf"
    return "wei7" if _BRACE.match(head) else None


def decode(
    data: bytes, format: str, *, revision: int = 7, encoding: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> Record:
    """Decode the bytes of one record of a format that `recognise` names.

    `revision` counts for wei7, `encoding` (that of texts which do not say theirs,
    or say it wrong) for SGF. Never raises for what the
    bytes hold. Raises `ValueError` for a format that cannot be read or a revision that is
    not known, `LookupError` for such an encoding. Thread safe.
    """
    row = FORMATS.get(format)
    if row is None or row.decode is None:
        raise ValueError(f"records of format {format!r} cannot be read")
    return row.decode(data, revision, encoding, limits)


def document_from_record(record: Record) -> Document:
    """Return a new editable document with all that a record of any format says. Thread safe."""
    if record.format == "sgf":
        return sgf_tree.document_from_record(record)
    return wei7_tree.document_from_record(record)


def record_id(record: Record) -> str | None:
    """Return what a record is called by its origin: `info.id` in wei7, GN in SGF; None where it does not say."""
    return _sgf_id(record) if record.format == "sgf" else _wei7_id(record.info_json)


def _wei7_id(info: bytes | None) -> str | None:
    if info is None or (b'"id"' not in info and b"\\" not in info):
        return None
    try:
        value = json.loads(info.decode()).get("id")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def _sgf_id(record: Record) -> str | None:
    source, kept = record.source, record.kept
    for row in kept[kept["owner"] == _OWNER_ROOT]:
        key, value = row["key"], row["value"]
        name = source[key["begin"] : key["end"]]
        if name == b"GN" or _LETTERS.sub(b"", name) == b"GN":
            text = source[value["begin"] : value["end"]].decode(record.encoding, "replace")
            first = _FIRST_VALUE.match(text)
            return None if first is None else sgf.simple_text(first[1])
    return None


def is_encoding(name: str) -> bool:
    """Return whether Python knows a text encoding of that name."""
    try:
        " ".encode(name)
    except (LookupError, ValueError):
        return False
    return True


def described(format: str | None, data: bytes) -> str:
    """Return a sentence about data that cannot be read: what it looks like, and what can be read instead."""
    readable = " and ".join(row.title for row in FORMATS.values() if row.decode is not None)
    if format is not None:
        return f"this looks like {FORMATS[format].title}, which cannot be read; {readable} can"
    if not data:
        return f"there is nothing in it; {readable} can be read"
    return f"the data is of no format that is known; {readable} can be read"
