"""The lines of `lz-analyze`, `kata-analyze` and similar commands, written from reports and read as reports.

The form is that of KataGo's document "GTP Extensions"; fields come in any order, and unknown ones are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from ...coordinates import from_gtp, to_gtp
from ..evaluation import MoveInfo, Report

_SCALE: Final = 10_000  # of the probabilities of lz-analyze, which are integers

# name in the line, attribute, whether lz-analyze has it, and as an integer
_MOVE_NUMBERS: Final = (
    ("utility", "utility", False),
    ("winrate", "winrate", True),
    ("scoreStdev", "score_stdev", False),
    ("scoreLead", "score_lead", False),
    ("prior", "prior", True),
    ("lcb", "lcb", True),
)
_ROOT_NUMBERS: Final = (
    ("utility", "utility"),
    ("winrate", "winrate"),
    ("scoreStdev", "score_stdev"),
    ("scoreLead", "score_lead"),
)
_VERTEX: Final = re.compile(r"(?:[A-HJ-Za-hj-z]+[0-9]+|pass)", re.ASCII | re.IGNORECASE)
_NUMBER: Final = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+|nan|inf)", re.ASCII | re.IGNORECASE)
_SECTIONS: Final = frozenset({"info", "rootInfo", "ownership", "ownershipStdev"})
_LISTS: Final = frozenset({"pvVisits", "pvEdgeVisits", "movesOwnership", "movesOwnershipStdev"})


def format_report(report: Report, width: int, height: int, *, is_lz: bool = False, root: bool = False) -> str:
    """Return the line of a report: that of `lz-analyze` where `is_lz`, else that of `kata-analyze`.

    `root` adds `rootInfo`; ownership is written where the report has it. Raises `OffBoardError` for a move that the
    board does not have.
    """
    words: list[str] = []
    for info in report.moves:
        words += ["info", "move", to_gtp(info.move, width, height), "visits", str(info.visits)]
        for name, attribute, in_lz in _MOVE_NUMBERS:
            value = getattr(info, attribute)
            if value is not None and (in_lz or not is_lz):
                words += [name, str(round(value * _SCALE)) if is_lz else _number(value)]
        words += ["order", str(info.order), "pv"]
        words += [to_gtp(point, width, height) for point in info.pv or (info.move,)]
        if info.pv_visits and not is_lz:
            words += ["pvVisits", *map(str, info.pv_visits)]
    if root and not is_lz:
        words += ["rootInfo", "visits", str(report.visits or 0)]
        for name, attribute in _ROOT_NUMBERS:
            if getattr(report, attribute) is not None:
                words += [name, _number(getattr(report, attribute))]
    for name, values in (("ownership", report.ownership), ("ownershipStdev", report.ownership_stdev)):
        if values is not None and not is_lz:
            words += [name, *map(_number, values)]
    return " ".join(words)


def parse_report(line: str, width: int, height: int, *, is_lz: bool = False) -> Report:
    """Return the report that a line holds; probabilities of `lz-analyze` are divided by 10,000.

    Raises `ValueError` where the line is none: it does not begin with a section, or a number or vertex is none.
    """
    words = _Words(line.split())
    report = Report()
    while (section := words.take()) is not None:
        if section == "info":
            report.moves.append(_move_info(words, width, height, _SCALE if is_lz else 1))
        elif section == "rootInfo":
            for name, value in _fields(words):
                _put(report, name, value, _ROOT_NUMBERS, 1)
        elif section == "ownership":
            report.ownership = words.numbers()
        elif section == "ownershipStdev":
            report.ownership_stdev = words.numbers()
        else:
            raise ValueError(f"a line of analysis begins with info, rootInfo or ownership, not {section[:20]!r}")
    return report


class _Words:
    """The words of a line, taken one by one."""

    __slots__ = ("_at", "_words")

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._at = 0

    def peek(self) -> str | None:
        return self._words[self._at] if self._at < len(self._words) else None

    def take(self) -> str | None:
        word = self.peek()
        self._at += 1
        return word

    def while_matching(self, pattern: re.Pattern[str]) -> list[str]:
        begin = self._at
        while self._at < len(self._words) and pattern.fullmatch(self._words[self._at]):
            self._at += 1
        return self._words[begin : self._at]

    def numbers(self) -> list[float]:
        return [float(word) for word in self.while_matching(_NUMBER)]


def _fields(words: _Words) -> Iterator[tuple[str, Any]]:
    """Yield the names and values up to the next section."""
    while (name := words.peek()) is not None and name not in _SECTIONS:
        words.take()
        if name == "pv":
            yield name, words.while_matching(_VERTEX)
        elif name in _LISTS:
            yield name, words.numbers()
        else:
            value = words.take()
            if value is None:
                raise ValueError(f"the line of analysis ends after {name[:20]!r}")
            yield name, value


def _move_info(words: _Words, width: int, height: int, scale: int) -> MoveInfo:
    info = MoveInfo(None)
    has_move = False
    for name, value in _fields(words):
        if name == "move":
            info.move = from_gtp(value, width, height)
            has_move = True
        elif name == "order":
            info.order = int(value)
        elif name == "pv":
            info.pv = tuple(from_gtp(vertex, width, height) for vertex in value)
        elif name == "pvVisits":
            info.pv_visits = tuple(int(number) for number in value)
        else:
            _put(info, name, value, _MOVE_NUMBERS, scale)
    if not has_move:
        raise ValueError("a candidate of the analysis has no move")
    return info


def _put(target: MoveInfo | Report, name: str, value: Any, numbers: tuple[tuple[Any, ...], ...], scale: int) -> None:
    """Set the attribute of `name`, else store the value under its name; `scale` divides probabilities."""
    for known, attribute, *in_lz in numbers:
        if known == name:
            divisor = scale if in_lz and in_lz[0] else 1
            setattr(target, attribute, float(value) / divisor)
            return
    if name == "visits":
        target.visits = int(value)
    else:
        target.extra[name] = _plain(value)


def _plain(value: Any) -> Any:
    convert: Callable[[str], Any]
    for convert in (int, float) if isinstance(value, str) else ():
        try:
            return convert(value)
        except ValueError:
            pass
    return value


def _number(value: float) -> str:
    return format(value, ".6g")
