"""The values of wei7 2.x attributes and elements: their problems, and their meaning despite them.

All functions are pure; any thread may call them.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from ...record.document import Number
from ...record.points import to_json_number
from .text import SPACE

SIZES: Final = (7, 9, 11, 13, 15, 17, 19)
"""Points on a side of a board (clause 3.4)."""

MARK_SYMBOLS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$%&*?")
"""Symbols of marks (clause 3.18)."""

_MOST_CHARACTERS: Final = 128
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,9}", re.ASCII)
_REAL: Final = re.compile(r"[+-]?(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})", re.ASCII)
_PLAIN_HALF: Final = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.5)?", re.ASCII)
_PLAIN_WHOLE: Final = re.compile(r"0|[1-9][0-9]*", re.ASCII)
_MOST_SIZE: Final = 100
_DATE_TIME: Final = re.compile(
    r"-?([1-9][0-9]{3,}|0[0-9]{3})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))?",
    re.ASCII,
)
_DAYS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def coordinate(text: str) -> tuple[int | None, str | None]:
    """Return the number of a coordinate, or None, and the code of the problem of its spelling."""
    plain = text.strip(SPACE)
    if not _WHOLE.fullmatch(plain):
        return None, "number-not-integer" if _REAL.fullmatch(plain) else "value-not-allowed"
    number = int(plain)
    if number < 0:
        return None, "number-out-of-range"
    return number, None if _PLAIN_WHOLE.fullmatch(plain) else "number-spelling"


def size_of(text: str) -> tuple[int, str | None]:
    """Return the size as points on a side, 0 without one, and the code of its problem."""
    plain = text.strip(SPACE)
    if not _WHOLE.fullmatch(plain):
        return 0, "value-not-allowed"
    number = int(plain)
    if number not in SIZES:
        return number if 0 < number <= _MOST_SIZE else 0, "value-not-allowed"
    return number, None if _PLAIN_WHOLE.fullmatch(plain) else "number-spelling"


def half(text: str, below: int) -> tuple[Number | None, str | None]:
    """Return the number of a komi or margin, or None, and the code of its problem."""
    plain = text.strip(SPACE)
    return _exact_half(plain, below) if _REAL.fullmatch(plain) else (None, "value-not-allowed")


@lru_cache(256)  # records of one source have few distinct ones
def _exact_half(plain: str, below: int) -> tuple[Number | None, str | None]:
    exact = Fraction(plain)
    number = to_json_number(exact)
    if not 0 < exact < below:
        return number, "number-out-of-range"
    if exact * 2 % 1:
        return number, "number-not-half"
    return number, None if _PLAIN_HALF.fullmatch(plain) else "number-spelling"


def short_text_problem(text: str) -> str | None:
    """Return the code of the problem of a text of one line and at most 128 characters, or None."""
    if len(text) > _MOST_CHARACTERS:
        return "string-too-long"
    if "\n" in text or "\r" in text:
        return "string-line-break"
    return "string-control-character" if "\t" in text else None


def is_date_time(text: str) -> bool:
    """Return whether `text`, without white space around it, is a dateTime of XML Schema and an existing time."""
    match = _DATE_TIME.fullmatch(text)
    if match is None:
        return False
    year = match[1]
    # Four digits determine a leap year, and there may be very many.
    last = int(year[-4:])
    month, day, hour, minute, second = (int(part) for part in match.groups()[1:6])
    if not year.strip("0") or not 1 <= month <= 12 or not 1 <= day <= _DAYS[month - 1]:
        return False
    is_leap = last % 4 == 0 and (last % 100 != 0 or last % 400 == 0)
    if (month, day) == (2, 29) and not is_leap:
        return False
    if hour == 24:
        return minute == second == 0 and not (match[7] or "").strip("0")
    return hour < 24 and minute < 60 and second < 60
