"""JSON text on any nesting depth: write objects, split objects and arrays, read numbers.

The standard library's `json` recurses and keeps numbers as floats; records may
nest a million levels and their numbers keep the value as written. All functions are pure and may run in any thread.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NamedTuple

quote: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Encodes a string, or a shallow value of the types that `json` supports, without unnecessary escapes."""

# Far beyond every number of a record; prevents 1e999999999 from becoming a billion digits.
_MOST_WHOLE_DIGITS: Final = 400


@dataclass(frozen=True, slots=True)
class Raw:
    """JSON text that `encode` copies unchanged."""

    text: str


class _Open(NamedTuple):
    """An object or array that is being written."""

    value: dict[str, Any] | list[Any] | tuple[Any, ...]
    entries: Iterator[tuple[str | int, Any]]
    close: str


def encode(value: Any) -> bytes:
    """Return `value` as compact JSON in UTF-8: `encode_text` as bytes."""
    return encode_text(value).encode("utf-8", "backslashreplace")


def encode_text(value: Any) -> str:
    """Return `value` as compact JSON.

    Takes what `orjson.dumps` takes of the plain types (dict with str keys, list, tuple, str, int, float, bool, None),
    also `decimal.Decimal` and `Raw`. Values that JSON does not allow are written so that a decoder refuses them at
    their place: NaN and infinities by their names, an unpaired surrogate as an escape in the bytes. Works on any
    nesting depth.

    Raises `TypeError`, with the place, for any other type and for an object that contains itself.
    """
    parts: list[str] = []
    path: list[str | int] = []
    stack: list[_Open] = []
    open_ids: set[int] = set()
    entries: Iterator[tuple[str | int, Any]] = iter([("$", value)])
    first = True
    while True:
        for key, item in entries:
            if stack:
                if not first:
                    parts.append(",")
                if isinstance(stack[-1].value, dict):
                    if not isinstance(key, str):
                        raise TypeError(f"{_place(path)}: a member name is {type(key).__name__}, not str")
                    parts.append(quote(key))
                    parts.append(":")
            first = False
            if isinstance(item, Raw):
                parts.append(item.text)
            elif isinstance(item, (dict, list, tuple)):
                path.append(key)
                if id(item) in open_ids:
                    raise TypeError(f"{_place(path)}: the object contains itself")
                open_ids.add(id(item))
                is_object = isinstance(item, dict)
                parts.append("{" if is_object else "[")
                stack.append(_Open(item, entries, "}" if is_object else "]"))
                entries = iter(item.items()) if isinstance(item, dict) else enumerate(item)
                first = True
                break
            else:
                text = _scalar(item)
                if text is None:
                    raise TypeError(f"{_place([*path, key])}: {type(item).__name__} is not a JSON type")
                parts.append(text)
        else:
            if not stack:
                return "".join(parts)
            done = stack.pop()
            path.pop()
            open_ids.discard(id(done.value))
            parts.append(done.close)
            entries = done.entries
            first = False


def _place(path: list[str | int]) -> str:
    """A JSON path; the first element is the root."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def _scalar(value: object) -> str | None:
    """The JSON text of a string, number, boolean or null; None for anything else."""
    if isinstance(value, str):
        return quote(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        # int refuses to print more than some thousand digits, Decimal does not.
        return int.__repr__(value) if -(1 << 64) < value < 1 << 64 else str(Decimal(int(value)))
    if isinstance(value, float):
        if math.isfinite(value):
            return float.__repr__(value)
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Decimal):
        return str(value).replace("e", "E")  # which of the two depends on the decimal context of the thread
    return None


def plain_number(value: Any) -> Any:
    """Return a number in its canonical type: int if it is whole (1.0, -0.0), float if its repr is the value."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Decimal) and value.is_finite() and value.adjusted() < _MOST_WHOLE_DIGITS:
        whole = value.to_integral_value()
        if whole == value:
            return int(whole)
        near = float(value)
        return near if math.isfinite(near) and Decimal(repr(near)) == value else value
    return value


def without_exponent(value: int | float | Decimal, format: str) -> str:
    """Return the digits of a number. Raises `ValueError` where they would be too many, and for NaN and the infinite.

    A few bytes of an exponent would be a gigabyte of zeros.
    """
    plain = plain_number(value)
    exact = Decimal(repr(plain)) if isinstance(plain, float) else Decimal(plain)
    if not exact.is_finite() or abs(exact.adjusted()) > max(_MOST_WHOLE_DIGITS, len(exact.as_tuple().digits)):
        raise ValueError(f"{format} has no number for {plain}")
    return f"{exact:f}"


def read_number(text: str) -> int | float | Decimal:
    """Return the value of a JSON number: int where whole, float where its repr gives the value back, else Decimal.

    A number with an exponent so small that Decimal cannot hold it is 0.
    Raises `ValueError` where `text` is no number, or one too large to hold.
    """
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a JSON number")
    if len(text) < 16 and text.lstrip("-").isdecimal():
        return int(text)
    try:
        exact = Decimal(text)
    except InvalidOperation:
        exact = Decimal("NaN")  # as where the decimal context of the thread does not raise it
    if exact.is_nan():
        digits, _, exponent = text.lower().partition("e")
        if exponent.startswith("-") or not digits.strip("-0."):
            return 0
        raise ValueError(f"{text[:40]!r} is too large")
    number: int | float | Decimal = plain_number(exact)
    return number


_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_TOKEN: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^\s{}\[\]:,"]+', re.DOTALL)


def split(text: bytes) -> list[bytes]:
    """Return the texts of what an object or array holds: its elements, or its names and values in turn.

    `text` must be a valid JSON object or array. Works on any nesting depth.
    """
    found: list[bytes] = []
    depth = 0
    start = 0
    for token in _TOKEN.finditer(text):
        if token[0] in b"{[":
            depth += 1
            if depth == 2:
                start = token.start()
        elif token[0] in b"}]":
            depth -= 1
            if depth == 1:
                found.append(text[start : token.end()])
        elif depth == 1:
            found.append(token[0])
    return found
