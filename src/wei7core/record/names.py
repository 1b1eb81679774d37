"""Normalisation of player names: `wei7core.names`.

    names.normalized("ＬＥＥ  Sedol (9p)") == names.normalized("lee sedol")

The functions return new texts, for separate columns. All functions are pure; any thread may call them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

__all__ = ["normalized", "normalized_all", "split_rank"]

_NUMERAL: Final = "[0-9]{1,2}|[一二三四五六七八九初초]"
_RANK: Final = rf"(?:[0-9]{{1,2}}\s?(?:dan|kyu|pro|p|d|k)[*?+-]?|(?:{_NUMERAL})\s?[段级級단급])"
_BEHIND: Final = re.compile(
    rf"(?P<name>.*\S)(?:\s*[(\[]\s*(?P<bracketed>{_RANK})\s*[)\]]|\s+(?P<plain>{_RANK})"
    rf"|(?<![0-9一二三四五六七八九十])(?P<joined>(?:{_NUMERAL})[段级級단급]))\s*",
    re.IGNORECASE | re.DOTALL,
)
_DEGREES: Final = "一二三四五六七八九"
_STRENGTH: Final = re.compile(
    r"(?:(pro|프로|プロ|职业|職業)|アマ|아마|业余|業余|業餘)? ?([1-9][0-9]?|[一二三四五六七八九初초]) ?"
    r"(k|kyu|gup|級|级|급|d|dan|段|단|p|pro|[dp]p|dan pro|段p)[?*]?"
)
_MOST_LETTERS: Final = 200
"""Longer texts are not searched for a rank."""


def split_rank(name: str) -> tuple[str, str | None]:
    """Return a name without the rank at its end, and that rank, None without one.

    A rank follows a space or has brackets: `Lee Sedol 9p`, `lee (3d)`, `Cho 9 dan`; those of East Asia (`九段`) need
    neither: `柯洁九段`. A text that is only a rank is a name.
    """
    text = unicodedata.normalize("NFKC", name)
    match = _BEHIND.fullmatch(text) if len(text) <= _MOST_LETTERS else None
    if match is None:
        return name.strip(), None
    return match["name"].strip(), match["bracketed"] or match["plain"] or match["joined"]


def rank_parts(rank: str | None) -> tuple[int, str] | None:
    """Return the number of a rank and its grade, `k` (kyu), `d` (dan) or `p` (professional dan); None for another text.

    Read are the words of East Asia and their numerals, too: `九段`, `초단`, `프로 9단`, `业余5段`.
    """
    found = None if rank is None else _STRENGTH.fullmatch(_folded(rank))
    if found is None:
        return None
    professional, digits, grade = found.groups()
    number = int(digits) if digits.isdigit() else _DEGREES.find(digits) + 1 or 1
    return number, "k" if grade[0] in "kg級级급" else "p" if professional or "p" in grade else "d"


def normalized(name: str, table: Mapping[str, str] | None = None) -> str:
    """Return a name in its normal form for comparison.

    Width and composition of characters (NFKC), case and white space are unified, and a rank at the end is removed.
    `table` maps names in any spelling to the names to return instead (`{"이세돌": "Lee Sedol"}`), unchanged.
    """
    return _in_table(_plain(name), _plain_table(table))


def normalized_all(names: Iterable[str | None], table: Mapping[str, str] | None = None) -> list[str | None]:
    """Return `normalized` of each name, None for None; each distinct name is processed once."""
    plain_table = _plain_table(table)
    made: dict[str, str] = {}
    found: list[str | None] = []
    for name in names:
        if name is None:
            found.append(None)
            continue
        if name not in made:
            made[name] = _in_table(_plain(name), plain_table)
        found.append(made[name])
    return found


def _plain(name: str) -> str:
    return _folded(split_rank(name)[0])


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).split())


def _plain_table(table: Mapping[str, str] | None) -> dict[str, str]:
    """The table by normal forms; the first of several equal ones counts."""
    plain: dict[str, str] = {}
    for name, wanted in (table or {}).items():
        plain.setdefault(_plain(name), wanted)
    return plain


def _in_table(plain: str, table: dict[str, str]) -> str:
    return table.get(plain, plain)
