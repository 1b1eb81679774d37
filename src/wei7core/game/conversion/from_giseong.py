"""Conversion of a document read from Giseong to one without the codes for viewers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...coordinates import point_name
from ...formats.giseong.codes import CONTROLS, NEUTRAL, read_code
from ...formats.giseong.tokens import MOVES, POSTING, TOKENS, VERSION_TOKEN, label, tokens_of
from ...record.document import Branch, Document, Mark, Note, Setup, Step, Unreadable
from ...replaying.cursor import Place
from .giseong_text import WEI7_SYMBOLS
from .loss_paths import LossPath, joined
from .report import LossReport

_OF_ROOT: Final = {
    MOVES: "the number of moves that the record says it has is left out",
    POSTING: "that the record was posted on a bulletin board is left out",
    VERSION_TOKEN: "the version of Giseong is left out",
}
_NAMES: Final = frozenset({TOKENS, *_OF_ROOT})
_WHAT: Final = {
    "clear-dialogue": "that the dialogue is cleared",
    "sound": "a sound",
    "rest": "a rest",
    "numbers-on": "numbers on stones",
    "numbers-off": "the end of numbers on stones",
}


def without_codes(document: Document, losses: LossReport, *, symbols: bool) -> Document:
    """Return the document with neither codes nor nodes without a move, or itself where it has none of them.

    A node at the start of a branch becomes its `pre`. With `symbols` labels that wei7 lacks become the symbols that
    represent them; a comment that names the label is amended.
    """
    if not any(map(_concerns, _owners(document))) and not (document.properties.keys() & _NAMES):
        return document
    return _Without(document, losses, symbols).converted()


def _owners(document: Document) -> list[Step | Setup]:
    owners: list[Step | Setup] = []
    for branch in document.tree.walk():
        owners += branch.steps
        if branch.pre is not None:
            owners.append(branch.pre)
    return owners


def _concerns(owner: Step | Setup) -> bool:
    if isinstance(owner, Step) and TOKENS in owner.properties:
        return True
    return any(mark.symbol in WEI7_SYMBOLS for mark in owner.marks)


class _Without:
    def __init__(self, document: Document, losses: LossReport, symbols: bool) -> None:
        self._document = document
        self._losses = losses
        self._symbols = symbols

    def converted(self) -> Document:
        document = self._document
        properties = {name: value for name, value in document.properties.items() if name not in _NAMES}
        self._drop(tokens_of(document.properties), LossPath(Place(document.tree), "pre"))
        for name, message in _OF_ROOT.items():
            if name in document.properties:
                self._losses.add("code-dropped", "info", message, kind=name)
        tree = Branch()
        waiting = [(Place(document.tree), tree)]
        while waiting:
            place, out = waiting.pop()
            self._branch(place, out)
            for child in place.below():
                out.branches.append(Branch())
                waiting.append((child, out.branches[-1]))
        return replace(document, tree=tree, properties=properties)

    def _branch(self, place: Place, out: Branch) -> None:
        branch = place.branch
        out.title, out.extra = branch.title, branch.extra
        if branch.pre is not None:
            comment, marks = self._shown(branch.pre, LossPath(place, "pre"))
            out.pre = replace(branch.pre, comment=comment, marks=marks)
        for index, step in enumerate(branch.steps):
            at = LossPath(place, index)
            self._drop(tokens_of(step.properties), at)
            comment, marks = self._shown(step, at)
            properties = {name: value for name, value in step.properties.items() if name != TOKENS}
            is_first = place.parent is not None and index == 0 and TOKENS in step.properties
            if isinstance(step.action, Note) and is_first and not properties and branch.pre is None:
                if comment is not None or marks:
                    out.pre = Setup(marks=marks, comment=comment)
                continue
            out.steps.append(replace(step, comment=comment, marks=marks, properties=properties))

    def _drop(self, tokens: tuple[str, ...], at: LossPath) -> None:
        """List the codes other than labels and text formatting."""
        for token in tokens:
            part = read_code(token)
            if part is None or label(part) is not None:
                continue
            what = f"the code {token}"
            if part.what == "w" and part.numbers[0] in CONTROLS:
                name = CONTROLS[part.numbers[0]].name
                if name == "break":
                    continue
                what = _WHAT.get(name, what)
            elif part.what == "@" and part.numbers[0] == NEUTRAL:
                what = "a neutral point"
            self._losses.add("code-dropped", at, f"{what} is left out", kind=what)

    def _shown(self, owner: Step | Setup, at: LossPath) -> tuple[str | None, list[Mark]]:
        if not self._symbols or isinstance(getattr(owner, "action", None), Unreadable):
            return owner.comment, owner.marks
        marks = []
        notes = []
        for mark in owner.marks:
            symbol = WEI7_SYMBOLS.get(mark.symbol, mark.symbol)
            if symbol == mark.symbol:
                marks.append(mark)
                continue
            self._losses.add("label-replaced", at, f"the label {mark.symbol} became {symbol}")
            marks.append(replace(mark, symbol=symbol))
            if symbol == "?":
                notes.append(f"{point_name(mark.point, self._document.height)} {mark.symbol}")
            elif mark.symbol in (owner.comment or ""):
                notes.append(f"{symbol} = {mark.symbol}")
        if not notes:
            return owner.comment, marks
        return joined(owner.comment, f"Labels: {', '.join(dict.fromkeys(notes))}"), marks
