"""The result that a record states, read from the bytes of its header or from the record itself."""

from __future__ import annotations

from ..formats.registry import read_document
from ..formats.sgf.text_values import simple_text
from ..formats.wei7.info import read_info
from ..record.record import Record
from ..record.result import GameResult


def result_stated(format: str, value: bytes, charset: str = "utf-8") -> GameResult | None:
    """Return the result in the bytes of a header, as written; None where they are no result. Thread safe."""
    try:
        if format == "sgf":
            return GameResult.parse(simple_text(value.decode(charset)))
        result = read_info(b'{"result":%b}' % value).result
        return None if result is None else GameResult.from_result(result)
    except ValueError:
        return None


def result_of_record(record: Record) -> GameResult | None:
    """Return the result that a record states; None where it states none that can be read. Thread safe."""
    try:
        document = read_document(record)
        values = document.properties.get("RE") if record.format == "sgf" else None
        if values:
            return GameResult.parse(simple_text(values[0]))
        result = document.info.result
        return None if result is None else GameResult.from_result(result)
    except ValueError:
        return None
