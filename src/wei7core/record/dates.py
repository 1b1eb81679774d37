"""Dates of records, converted to ISO 8601. All functions are pure; any thread may call them."""

from __future__ import annotations

import datetime
import re
import unicodedata
from typing import Final

_MOST_LETTERS: Final = 200
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MIDNIGHT: Final = re.compile(r"t24:00(?::00(?:\.0+)?)?(?:z|[+-][0-9]{2}:[0-9]{2})?", re.ASCII)
_MONTH: Final = rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*\.?"

# The year comes first, as FF[4] requires, or is the only number of four digits; a day before the month has no name.
_PATTERNS: Final = (
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})(?![0-9])",
    r"(?P<year>[0-9]{4})[./](?P<month>[0-9]{1,2})[./](?P<day>[0-9]{1,2})(?![0-9])",
    r"(?P<year>[0-9]{4})\s*[年년]\s*(?P<month>[0-9]{1,2})\s*[月월]\s*(?P<day>[0-9]{1,2})\s*[日일]?",
    r"(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})(?![0-9])",
    rf"(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?\.?[\s-]+{_MONTH}[\s,-]+(?P<year>[0-9]{{4}})(?![0-9])",
    rf"{_MONTH}\s+(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(?P<year>[0-9]{{4}})(?![0-9])",
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})(?![0-9-])",
    r"(?P<year>[0-9]{4})[./](?P<month>[0-9]{1,2})(?![0-9./])",
    r"(?P<year>[0-9]{4})\s*[年년]\s*(?P<month>[0-9]{1,2})\s*[月월]",
    rf"{_MONTH}[\s,-]+(?P<year>[0-9]{{4}})(?![0-9])",
    r"(?P<year>[0-9]{4})\s*[年년]?(?![0-9])",
)


def iso_date(text: str) -> str | None:
    """Return the first date in a text as ISO 8601: `2016-03-15`, `2016-03` or `2016`; None without one.

    Reads DT of SGF, as FF[4] defines it, and free texts: `2016-03-15,16`, `2016/3/15`, `2016年3月15日`,
    `15 March 2016`, `Mar 15, 2016`, with a time of day. `15/03/2016` and two-digit years are ambiguous and give none.
    A day beyond the end of its month is no date; 24 o'clock of ISO 8601 (`2016-03-15T24:00Z`) is on the next day.
    """
    normalized = unicodedata.normalize("NFKC", text[:_MOST_LETTERS]).strip().casefold()
    for pattern in _PATTERNS:
        match = re.match(pattern, normalized, re.ASCII)
        if match is not None:
            date = _checked(match.groupdict())
            return date if date is None or not _MIDNIGHT.fullmatch(normalized, match.end()) else _day_after(date)
    return None


def _day_after(date: str) -> str | None:
    try:
        return (datetime.date.fromisoformat(date) + datetime.timedelta(1)).isoformat()
    except (ValueError, OverflowError):  # a month or a year; the last day of all
        return None


def _checked(parts: dict[str, str | None]) -> str | None:
    year = int(parts["year"] or 0)
    name = parts.get("name")
    month = _MONTHS.index(name) + 1 if name else int(parts.get("month") or 1)
    day = parts.get("day")
    try:
        date = datetime.date(year, month, int(day or 1))
    except ValueError:
        return None
    if day is not None:
        return date.isoformat()
    return f"{year:04}-{month:02}" if name or parts.get("month") else f"{year:04}"
