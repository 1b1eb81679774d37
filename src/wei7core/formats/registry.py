"""The formats of records: detection by content, and the decoder and the writer of each."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from .._util.lazy_import import imported
from ..limits import DEFAULT_LIMITS, Limits, check_limits
from .sgf.charset import codec, transcode_wide_to_utf8

if TYPE_CHECKING:
    from ..record.document import Document, Info, Properties
    from ..record.record import Record

_LOOKED_AT: Final = 1 << 16
_BOM: Final = b"\xef\xbb\xbf"
_OBJECT: Final = re.compile(rb'\s*\{\s*(?:["}]|\Z)')
_BRACE: Final = re.compile(rb"\s*\{")
_TREE: Final = re.compile(rb"\s*\(\s*(?:;|[A-Z]{1,2}\s*\[)")  # some servers omit the first semicolon
_USUAL: Final = re.compile(rb'(?:\(;|\{")[^\0]{2}')  # no UTF-16 and no UTF-32, where one of four bytes is zero
_TREE_LATER: Final = re.compile(rb"\(\s*;\s*[A-Za-z]+\s*\[")
_PROPERTY: Final = re.compile(rb"[A-Za-z]\s*\[")
_XML: Final = re.compile(rb"\s*<")
_GISEONG: Final = re.compile(rb"&[\r\n]*\[[\r\n]*[0-9][0-9;\r\n]{0,40}[@w]")
_OGS: Final = re.compile(rb'"(?:(?:gamedata|move_tree)"\s*:\s*\{|full_state"\s*:\s*\[|moves"\s*:\s*\[\s*\[\s*-?[0-9])')
_UNDOCUMENTED: Final = {".bdx": "BDX", ".gos": "GOS", ".go": "GO of the China Game Center or of Ishi"}
_LHA: Final = re.compile(rb"[^\0]{0,2}.{2}-lh[0-9d]-", re.DOTALL)  # before it, UGZ has two letters
_WEI7_ELEMENT: Final = re.compile(rb"<(?:!DOCTYPE\s+)?wei7[\s/>\[]")


FirstRow = Literal["top", "bottom"]
"""The position of row 1 of a Giseong board, which the description of the format leaves open (G1)."""


class Format(NamedTuple):
    """One format: its `name`, its `title` in messages, the `suffixes` of its files, and the names of its functions.

    Their modules, in this folder, are imported at the first call: few programs read every format.

    `decode` makes a record of bytes and takes those arguments of `wei7core.formats.registry.decode` that `options`
    names; `document` makes a document of a record, `write` bytes of a document; `id` is the identifier of a record, and
    `id_in` reads it from the part of the text that contains it; `header` returns the information about the game and the
    properties, in formats where that is faster than a document.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    options: tuple[str, ...]
    decode: str
    document: str
    write: str | None = None
    id: str | None = None
    id_in: str | None = None
    header: str | None = None


def _server(name: str, title: str, *suffixes: str) -> Format:
    """A read-only format of game servers."""
    return Format(
        name,
        title,
        suffixes,
        ("encoding",),
        f"servers.{name}.decode",
        "servers.server_games.document_of",
        id="servers.server_games.title_of",
        header="servers.server_games.header_of",
    )


FORMATS: Final[dict[str, Format]] = {
    row.name: row
    for row in (
        Format(
            "wei7",
            "wei7 3.0 (JSON)",
            (".wei7", ".jsonl"),
            ("revision",),
            "wei7.decode.decode",
            "wei7.to_document.document_from_record",
            "wei7.write.document_to_json",
            "wei7.info.record_id",
            "wei7.info.id_in",
        ),
        Format(
            "wei7-2.2",
            "wei7 2.x (XML)",
            (".wei7",),
            (),
            "wei7xml.decode.decode",
            "wei7xml.to_document.document_from_record",
            "wei7xml.write.document_to_xml",
            "wei7xml.to_document.record_id",
            "wei7xml.game.game_id",
            "wei7xml.to_document.header_of",
        ),
        Format(
            "sgf",
            "SGF",
            (".sgf", ".sgfs"),
            ("encoding",),
            "sgf.decode.decode",
            "sgf.to_document.document_from_record",
            "sgf.write.document_to_sgf",
            "sgf.to_document.game_name",
            "sgf.text_values.first_simple_text",
        ),
        Format(
            "giseong",
            "Giseong",
            (".giseong",),
            ("encoding", "first_row"),
            "giseong.decode.decode",
            "giseong.decode.document_from_record",
            "giseong.write.document_to_giseong",
            "giseong.decode.record_title",
            header="giseong.decode.header_of",
        ),
        _server("gib", "GIB (Tygem)", ".gib"),
        _server("ngf", "NGF (wBaduk)", ".ngf"),
        _server("ugf", "UGF (PandaNet)", ".ugf", ".ugi"),
        _server("ogs", "JSON of OGS"),
    )
}
"""All formats, by their names."""

DECODED_IN_PYTHON: Final = frozenset(FORMATS) - {"wei7", "sgf"}
"""The formats whose decoders are in Python; those of the others are in C."""

_WITH_RUNS: Final = ("wei7", "sgf")
_SERVERS: Final = ("gib", "ugf", "ngf")


def _function(name: str) -> Any:
    return imported(f"{__package__}.{name}")


def detect_format(data: bytes, name: str = "") -> str | None:
    """Return the name of the format of `data`, which is one of `FORMATS`, or None for an unknown format.

    The first 64 KiB count; a byte order mark, white space and, before an SGF game or a code of Giseong, other text may
    come first, also in UTF-16 and UTF-32. `name` decides by its suffix only where
    the content is ambiguous. Thread safe.
    """
    if _USUAL.match(data):
        return "sgf" if data.startswith(b"(") else _wei7_or_ogs(data[:_LOOKED_AT])
    head, _ = transcode_wide_to_utf8(data[:_LOOKED_AT])
    head = head.removeprefix(_BOM)
    if _OBJECT.match(head):
        return _wei7_or_ogs(head)
    if _XML.match(head) and (_WEI7_ELEMENT.search(head) or name.lower().endswith(FORMATS["wei7-2.2"].suffixes)):
        return "wei7-2.2"
    if _TREE.match(head):
        return "sgf"
    for server in _SERVERS:
        if _function(f"servers.{server}.is_{server}")(head):
            return server
    name = name.lower()
    if name.endswith(FORMATS["wei7"].suffixes) and not _GISEONG.match(head.lstrip()):
        return "wei7"
    if name.endswith(FORMATS["sgf"].suffixes) and _PROPERTY.search(head):
        return "sgf"
    if _TREE_LATER.search(head):
        return "sgf"
    if _GISEONG.search(head):
        return "giseong"
    return "wei7" if _BRACE.match(head) else None


def _wei7_or_ogs(head: bytes) -> str:
    """`wei7`, or `ogs` for a game of OGS, which has none of the members of wei7."""
    is_known = b'"format"' in head or b'"steps"' in head
    return "wei7" if is_known or _OGS.search(head) is None else "ogs"


def decode(
    data: bytes,
    format: str,
    *,
    revision: int = 7,
    encoding: str | None = None,
    first_row: FirstRow = "top",
    limits: Limits = DEFAULT_LIMITS,
) -> Record:
    """Decode the bytes of one record of a format that `detect_format` names.

    `revision` applies to wei7, `encoding` (of texts that name none, or a wrong one) to SGF, Giseong and servers,
    `first_row` (the position of row 1, `top` or `bottom`) to Giseong. Never raises for the content of the bytes. Raises
    `ValueError` for a format that cannot be read, and for an unknown revision, encoding or first row. Thread safe.
    """
    check_limits(limits)
    row = FORMATS.get(format)
    if row is None:
        raise ValueError(f"records of format {format!r} cannot be read")
    if revision not in (2, 7):
        raise ValueError(f"revision {revision!r} is not known; use 7 or 2")
    if encoding is not None and not is_encoding(encoding):
        raise ValueError(f"the encoding {encoding!r} is not known")
    if first_row not in ("top", "bottom"):
        raise ValueError(f"the first row is {first_row!r}; use top or bottom")
    options: dict[str, Any] = {"limits": limits}
    for name in row.options:
        options[name] = revision if name == "revision" else encoding if name == "encoding" else first_row
    record: Record = _function(row.decode)(data, **options)
    return record


def read_document(record: Record, *, runs: bool = False) -> Document:
    """Return a new document with the whole content of the record. Thread safe.

    With `runs` moves of wei7 and SGF are in `MoveRun` where that is possible: such a document is only written.
    """
    read: Callable[..., Document] = _function(FORMATS[record.format].document)
    return read(record, runs=True) if runs and record.format in _WITH_RUNS else read(record)


def read_header(record: Record) -> tuple[Info, Properties]:
    """Return new information about the game, and the properties of its root, of a document. Thread safe."""
    name = FORMATS[record.format].header
    if name is not None:
        header: tuple[Info, Properties] = _function(name)(record)
        return header
    document = read_document(record)
    return document.info, document.properties


def write_document(document: Document, format: str) -> bytes:
    """Return the bytes of a document that the format can hold.

    Raises `TypeError` for a value of a wrong type, and `ValueError` for content that the format cannot represent, a
    branch that contains itself, and a format that cannot be written. No other thread may change the document.
    """
    row = FORMATS.get(format)
    if row is None or row.write is None:
        raise ValueError(f"records of format {format!r} cannot be written")
    data: bytes = _function(row.write)(document)
    return data


def record_id(record: Record) -> str | None:
    """Return the identifier of a record, None where it has none: `id` of the game in wei7, GN in SGF.

    Thread safe.
    """
    name = FORMATS[record.format].id
    assert name is not None
    found: str | None = _function(name)(record)
    return found


def id_in(format: str, part: bytes) -> str | None:
    """Return the `record_id` of a record without problems; `part` is the text that contains it: `info` in wei7 3.0, the
    element `game` in 2.x, the value of GN with its brackets in SGF.

    The bytes are in UTF-8. Thread safe.
    """
    name = FORMATS[format].id_in
    assert name is not None
    found: str | None = _function(name)(part)
    return found


def is_encoding(name: str) -> bool:
    """Return whether a name is that of an encoding supported for texts of records. Raises `TypeError`."""
    if not isinstance(name, str):
        raise TypeError(f"encoding is the name of one, not {name!r}")
    return codec(name.encode("utf-8", "replace")) is not None


def describe_unknown(data: bytes, name: str = "") -> str:
    """Return a message about data of an unknown format, with the supported ones. `name` is the name of its file."""
    *others, last = (row.title for row in FORMATS.values())
    readable = f"{', '.join(others)} and {last}"
    if not data:
        return f"the data is empty; supported formats are {readable}"
    if _LHA.match(data):
        return "the data is compressed by LHA, as UGZ is, which is not supported; unpack it first"
    undocumented = next((title for suffix, title in _UNDOCUMENTED.items() if name.lower().endswith(suffix)), None)
    if undocumented is not None:
        return f"unsupported format: this may be {undocumented}, which is not documented"
    return f"unknown format; supported formats are {readable}"
