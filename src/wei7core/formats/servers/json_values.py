"""JSON values with their byte offsets: at any depth, and up to the first error.

The module `json` gives no offsets and recurses, which the depth of game trees does not allow.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

_STRING: Final = rb'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"'
_SCALAR: Final = re.compile(
    rb"(?P<string>"
    + _STRING
    + rb")|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|NaN|-?Infinity"
)
_KEY: Final = re.compile(rb"(" + _STRING + rb")[ \t\r\n]*:")
_SPACE: Final = re.compile(rb"[ \t\r\n]*")
_decoded: Final = json.JSONDecoder().decode
_CLOSING: Final = {dict: b"}", list: b"]"}


class JsonObject(dict[str, Any]):
    """An object, the byte where it begins, and the bytes between the quotes of each text among its members."""

    __slots__ = ("offset", "spans")

    def __init__(self, offset: int) -> None:
        super().__init__()
        self.offset = offset
        self.spans: dict[str, tuple[int, int]] = {}


class JsonError(ValueError):
    """A syntax error: the code of the problem, the byte, the message, and the value read before it."""

    def __init__(self, code: str, offset: int, message: str, value: Any) -> None:
        super().__init__(message)
        self.code, self.offset, self.message, self.value = code, offset, message, value


def parse(data: bytes, depth: int) -> tuple[Any, list[tuple[str, int]]]:
    """Return the value of the JSON text `data`, and repeated members as (name, byte offset).

    Raises `JsonError`, whose value contains everything before the error. More than `depth` levels are an error. Thread
    safe.
    """
    return _Parser(data, depth).parsed()


class _Parser:
    def __init__(self, data: bytes, depth: int) -> None:
        self._data, self._depth = data, depth
        self._at = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        self._open: list[Any] = []
        self._value: Any = None
        self._key = ""
        self._twice: list[tuple[str, int]] = []

    def parsed(self) -> tuple[Any, list[tuple[str, int]]]:
        self._skip()
        is_open = self._read_value()
        while self._open:
            above = self._open[-1]
            closing = _CLOSING[list if isinstance(above, list) else dict]
            here = self._data[self._at : self._at + 1]
            if here == closing:
                self._at += 1
                self._open.pop()
                is_open = False
            else:
                if not is_open:
                    if here != b",":
                        raise self._error(f"',' or '{closing.decode()}' is expected")
                    self._at += 1
                    self._skip()
                if not isinstance(above, list):
                    self._read_key(above)
                is_open = self._read_value()
            self._skip()
        if self._at < len(self._data):
            raise self._error("there is text after the value")
        return self._value, self._twice

    def _skip(self) -> None:
        space = _SPACE.match(self._data, self._at)
        self._at = space.end() if space else self._at

    def _read_key(self, owner: JsonObject) -> None:
        key = _KEY.match(self._data, self._at)
        if key is None:
            raise self._error("a member is expected")
        self._key = self._text(key[1])
        if self._key in owner:
            self._twice.append((self._key, self._at))
        self._at = key.end()
        self._skip()

    def _read_value(self) -> bool:
        """Read a scalar, or the beginning of an object or an array; whether it is a beginning."""
        begin = self._data[self._at : self._at + 1]
        if begin in (b"{", b"["):
            if len(self._open) >= self._depth:
                raise self._error("the JSON nests too deeply", "limit-depth")
            made: Any = JsonObject(self._at) if begin == b"{" else []
            self._put(made)
            self._open.append(made)
            self._at += 1
            self._skip()
            return True
        scalar = _SCALAR.match(self._data, self._at)
        if scalar is None:
            raise self._error("a value is expected")
        if scalar["string"] is not None:
            self._put(self._text(scalar[0]))
            if self._open and isinstance(self._open[-1], JsonObject):
                self._open[-1].spans[self._key] = scalar.start() + 1, scalar.end() - 1
        else:
            try:
                self._put(_decoded(scalar[0].decode()))
            except ValueError:  # an integer of thousands of digits
                raise self._error("a number is too long") from None
        self._at = scalar.end()
        self._skip()
        return False

    def _put(self, value: Any) -> None:
        if not self._open:
            self._value = value
        elif isinstance(self._open[-1], list):
            self._open[-1].append(value)
        else:
            self._open[-1][self._key] = value
            self._open[-1].spans.pop(self._key, None)

    def _text(self, token: bytes) -> str:
        text = token.decode("utf-8", "replace")
        if "\\" not in text:
            return text[1:-1]
        try:
            text = str(_decoded(text))
        except ValueError:
            raise self._error("a text has an escape that JSON does not have") from None
        # An unpaired surrogate is no character and cannot be written.
        return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _error(self, message: str, code: str = "json-syntax") -> JsonError:
        return JsonError(code, self._at, message, self._value)
