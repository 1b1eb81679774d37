"""Labels, texts and names of players for Giseong, and its labels as symbols of wei7."""

from __future__ import annotations

import re
from typing import Final

from ...formats.giseong.codes import HANGUL, LABEL_KINDS, RESERVED, SYMBOLS
from ...record.document import Info, Mark, Participant, Player
from .loss_paths import BLACK, WHITE, LossPath, TextAdapter
from .report import LossReport

WEI7_SYMBOLS: Final = {
    **dict(zip(HANGUL, "abcdefghijklmn", strict=True)),
    **dict(zip(SYMBOLS, "%&#@????", strict=True)),
}
"""Labels of Giseong -> the symbols of wei7 that represent them."""

_OF_LETTERS: Final = {symbol: letter for letter, symbol in WEI7_SYMBOLS.items() if letter in HANGUL}
_OF_SHAPES: Final = {symbol: shape for shape, symbol in WEI7_SYMBOLS.items() if symbol in "%&#@"}


def _wide(match: re.Match[str]) -> str:
    return "".join(chr(ord(one) + _TO_WIDE) for one in match[0])


_TO_WIDE: Final = 0xFEE0
_BREAKS: Final = re.compile(r"\r\n|\n\r|\r")
_SPACES: Final = re.compile(r"[\t\v\f]")
_RANK: Final = re.compile(r"([0-9]{1,2})\s*(?:(d|dan|段|단|p)|(k|kyu|級|级|급))", re.IGNORECASE)


class GiseongTexts:
    """Adapts texts and labels, and lists the changes."""

    def __init__(self, losses: LossReport, texts: TextAdapter) -> None:
        self._losses = losses
        self._texts = texts

    def text(self, text: str, at: object) -> str | None:
        """Return `text` with the wide forms of reserved characters; None for an empty text."""
        made = _SPACES.sub(" ", _BREAKS.sub("\n", self._texts.decodable(text, at)))
        if made != text or not made.strip():
            self._losses.add("text-changed", at)
        wide = RESERVED.sub(_wide, made)
        if wide != made:
            self._losses.add("reserved-character", at)
        return wide if wide.strip() else None

    def line(self, text: str | None, at: object) -> str | None:
        """Return `text` on one line."""
        made = self.text(text, at) if text else None
        if made is None or "\n" not in made:
            return made
        self._losses.add("text-changed", at)
        return made.replace("\n", " ")

    def labels(self, marks: list[Mark], colors: list[int], at: LossPath) -> tuple[list[Mark], list[str]]:
        """Return the labels for marks on points with stones of `colors`, and lines about the changed ones."""
        made: list[Mark] = []
        notes: list[str] = []
        kept = [_label(mark, color) for mark, color in zip(marks, colors, strict=True)]
        free = iter([letter for letter in HANGUL if letter not in kept])
        for mark, label in zip(marks, kept, strict=True):
            symbol = label or next(free, None)
            if symbol is None:
                self._losses.add("mark-dropped", at, f"there is no letter left for the label {mark.symbol[:40]!r}")
                continue
            if symbol != mark.symbol:
                self._losses.add("label-replaced", at, f"the label {mark.symbol[:40]!r} became {symbol}")
            if label is None:
                notes.append(f"{symbol}: {mark.symbol}")
            made.append(Mark(mark.point, symbol))
        return made, notes


def _label(mark: Mark, color: int) -> str | None:
    """The label that represents a mark, or None."""
    symbol = mark.symbol
    if color:
        symbol = _OF_SHAPES.get(symbol, symbol)
        if (color, symbol) in LABEL_KINDS:
            return symbol
    letter = _OF_LETTERS.get(symbol, symbol)
    return letter if letter in HANGUL else None


def info_for_giseong(info: Info, losses: LossReport, texts: GiseongTexts) -> Info:
    """Return the title and the names of the players, with ranks in the form of Giseong."""
    out = Info(name=texts.line(info.name, "info.name"))
    people = []
    for color in (BLACK, WHITE):
        rows = [player.participant for player in info.players if player.color == color]
        known = [info.participants[row] for row in rows if 0 <= row < len(info.participants)]
        at = f"info.participants[{rows[0]}]" if rows else "info.participants"
        name = texts.line(", ".join(one.name for one in known if one.name), f"{at}.name")
        rank = next((one.rank for one in known if one.rank), None)
        people.append(_named(name, texts.line(rank, f"{at}.rank"), at, losses))
    if people != [Participant(), Participant()]:
        out.participants = people
        out.players = [Player(0, BLACK), Player(1, WHITE)]
    return out


def _named(name: str | None, rank: str | None, at: str, losses: LossReport) -> Participant:
    if rank is None:
        return Participant(name)
    match = _RANK.fullmatch(rank.strip())
    korean = f"{match[1]}{'단' if match[2] else '급'}" if match else rank
    if korean != rank or match is None or name is None:
        losses.add("rank-in-name", f"{at}.rank")
    if match is None or name is None:
        return Participant(" ".join(filter(None, (name, korean))))
    return Participant(name, rank=korean)
