"""The text of GTP, version 2: lines of commands, responses, colors and vertices.

Sections are those of the draft 2 of the specification (Gunnar Farnebäck, 2002).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ...coordinates import Point, from_gtp, to_gtp
from ...game.moves import COLOR_WORDS

COLOR_LETTERS: Final = {1: "B", 2: "W"}
_CONTROL: Final = dict.fromkeys((*range(9), *range(11, 32), 127))
"""Characters that are discarded before anything else is read (2.2): all controls but the tab and the line feed."""
_HEADER: Final = re.compile(r"([=?])([0-9]*)(?![=?0-9])(.*)", re.DOTALL)
_LONGEST_ID: Final = 19

RESIGN: Final = "resign"


@dataclass(frozen=True, slots=True)
class Command:
    """One command line: `id` as written or "", name, arguments."""

    id: str
    name: str
    arguments: tuple[str, ...]


def parse_command(line: str) -> Command | None:
    """Return the command of a line, None without one: an empty line or a comment (2.9, 3.1)."""
    words = line.translate(_CONTROL).partition("#")[0].split()
    if words and words[0].isascii() and words[0].isdecimal():
        identity, *words = words
        if not words:
            return Command(identity, "", ())
    else:
        identity = ""
    return Command(identity, words[0], tuple(words[1:])) if words else None


def format_response(ok: bool, identity: str, text: str) -> str:
    """Return a response with its two line ends (2.6).

    Empty lines, which would end it, are left out; a text that begins with a line end begins on a line of its own.
    """
    first, *rest = [line.rstrip() for line in text.translate(_CONTROL).replace("\t", " ").split("\n")]
    body = "\n".join([first, *(line for line in rest if line)])
    return f"{'=' if ok else '?'}{identity}{' ' if first else ''}{body}\n\n"


# --- entities (2.11) ------------------------------------------------------------------------------------


def color_of(word: str) -> int:
    """Return the color that `word` names: 1 (black) or 2 (white). Raises `ValueError` for another word."""
    try:
        return COLOR_WORDS[word.lower()]
    except KeyError:
        raise ValueError(f'a color is "b", "black", "w" or "white", not {word[:20]!r}') from None


def vertex_of(word: str, width: int, height: int) -> Point | str | None:
    """Return the point that `word` names, None for a pass, "resign" for that word.

    Raises `ValueError` for another word and `OffBoardError` for a point that the board does not have.
    """
    return RESIGN if word.strip().lower() == RESIGN else from_gtp(word, width, height)


def vertex_text(move: Point | str | None, width: int, height: int) -> str:
    """Return the vertex that names a move: a point, None for a pass, or a text that is a vertex already.

    Raises `ValueError` for other values, and `OffBoardError` for a point off the board.
    """
    point = vertex_of(move, width, height) if isinstance(move, str) else move
    return point if isinstance(point, str) else to_gtp(point, width, height)


# --- responses, as the controller reads them ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Response:
    """A complete response: whether it is a success, its id or None, and its text without the empty line."""

    ok: bool
    id: int | None
    text: str


class ResponseReader:
    """Puts responses together from lines.

    `feed` takes one line and returns the response that it completes, or None. While a response is incomplete, `header`
    is (ok, id) and `lines` are the lines of its text so far. A line outside of any response is returned by `feed` as
    text: engines print such lines although they should not.
    """

    __slots__ = ("_size", "header", "lines", "max_size")

    def __init__(self, max_size: int = 64 << 20) -> None:
        self.max_size = max_size
        self.header: tuple[bool, int | None] | None = None
        self.lines: list[str] = []
        self._size = 0

    def feed(self, line: str) -> Response | str | None:
        """Take one line without its end. Raises `ValueError` where a response is longer than `max_size` characters."""
        if not line.isprintable():
            line = line.translate(_CONTROL).replace("\t", " ")
        if self.header is None:
            match = _HEADER.match(line)
            if match is None or len(match[2]) > _LONGEST_ID:
                return line if line.strip() else None
            self.header = match[1] == "=", int(match[2]) if match[2] else None
            text = match[3].strip()
            self.lines = [text] if text else []
            self._size = len(line)
            return None
        if line.strip():
            self._size += len(line)
            if self._size > self.max_size:
                raise ValueError(f"a response has more than {self.max_size} characters")
            self.lines.append(line.rstrip())
            return None
        ok, identity = self.header
        self.header = None
        return Response(ok, identity, "\n".join(self.lines))

    def take_lines(self) -> list[str]:
        """Return the lines of the incomplete response so far, and remove them."""
        lines, self.lines, self._size = self.lines, [], 0
        return lines
