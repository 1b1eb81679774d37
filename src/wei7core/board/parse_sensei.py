"""Diagrams of Sensei's Library, whose lines begin with `$$`, made plain ones of the same lines and columns.

Stones are `X O`, with marks `B # Y Z` (black) and `W @ Q P` (white). Digits are the moves 1 to 10 (0), and read as
stones; the first move is White's where the title begins with `$$W`. Labels `a` to `z` and the marks `C S T M` are on
empty points. The title, links `[..]` and arrows `{..}` place no stones. Pure functions; any thread may call them.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from typing import Final

from ..errors import DiagramError

_SIGN: Final = "$$"
_OPTIONS: Final = re.compile(r"(?P<first>[BW]?)c?\d*(?:m\d+)?(?!\S)")
_EDGES: Final = frozenset("|+-=_")
_POINTS: Final = {
    **dict.fromkeys(".,CSTM" + string.ascii_lowercase, "."),
    **dict.fromkeys("XB#YZ", "X"),
    **dict.fromkeys("OW@QP", "O"),
}
_FIRST: Final = "13579"
_SECOND: Final = "24680"


def is_sensei(lines: Sequence[str]) -> bool:
    """Return whether the first line that is not empty begins with `$$`."""
    return next((line for line in lines if line.strip()), "").lstrip().startswith(_SIGN)


def plain_lines(lines: Sequence[str]) -> list[str]:
    """Return as many lines, with every point as `.`, `X` or `O` in its column, and nothing that is not of the board.

    What cannot be a point is kept for the reader of plain diagrams to refuse. Raises `DiagramError` for a line without
    `$$`.
    """
    table = dict(_POINTS)
    plain, is_first = [], True
    for number, line in enumerate(lines, 1):
        if not line.strip():
            plain.append("")
            continue
        begin = len(line) - len(line.lstrip())
        if not line.startswith(_SIGN, begin):
            raise DiagramError("the line has no $$, unlike the first one", line=number, column=begin + 1)
        content = line[begin + len(_SIGN) :]
        if is_first:
            options = _OPTIONS.match(content)
            white = options is not None and options["first"] == "W"
            table |= {**dict.fromkeys(_FIRST, "XO"[white]), **dict.fromkeys(_SECOND, "OX"[white])}
        if (is_first and _is_title(content)) or content.lstrip()[:1] in ("[", "{"):
            content = ""
        is_first = False
        plain.append(" " * (begin + len(_SIGN)) + "".join(table.get(letter, letter) for letter in content))
    return plain


def _is_title(content: str) -> bool:
    """Whether a first line is a title: it begins with options, or it looks like neither an edge nor a row."""
    options = _OPTIONS.match(content)
    if options is not None and options.end() > 0:
        return True
    words = content.split()
    if not words or words[0][0] in _EDGES or words[-1][-1] in _EDGES:
        return False
    return any(len(word) > 1 for word in words) and (len(words) > 1 or not set(".,") & set(words[0]))
