"""Documents as SGF: FF[4] in UTF-8, one game tree.

A property of the source is written unchanged while it agrees with the typed attributes (comment, marks, evaluation,
info); otherwise these are written in its place. FF, CA and SZ are always written anew, GM unless it names another game
than Go; TM is in seconds, and M and L of FF[1] become MA and LB. Properties are in the order of the table in
`properties`, others after them in their own order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from ...coordinates import sgf_name
from ...errors import BoardSizeError
from ...record.document import (
    Branch,
    Document,
    Edit,
    Evaluation,
    Mark,
    Move,
    Note,
    Point,
    Properties,
    Setup,
    Step,
    Stone,
    Unreadable,
    path_of_branch,
    require_no_cycle,
)
from ...record.move_runs import MoveRun
from ...record.record import move_codes
from .info import changed_properties, seconds
from .properties import (
    LABELS,
    MOST_POINTS,
    PROPERTIES,
    SHAPE_MARKS,
    comment,
    escape,
    evaluation,
    game_number,
    in_ff4,
    is_name,
    is_value,
    marks,
    points,
)

NODES_IN_A_LINE: Final = 10

_MOVES: Final = {1: "B", 2: "W"}
_STONES: Final = {1: "AB", 2: "AW", 0: "AE"}
_OF_THE_TEXT: Final = ("FF", "CA", "GM", "SZ")
_BEGINS_GAME: Final = (*_OF_THE_TEXT, "AP")
_OF_STONES: Final = frozenset(_STONES.values())
_OF_MARKS: Final = frozenset((*SHAPE_MARKS, *LABELS))
_SHAPE_NAMES: Final = {
    shape: [name for name in SHAPE_MARKS if SHAPE_MARKS[name][0] == shape] for shape, _ in SHAPE_MARKS.values()
}
_NAME: Final = re.compile(r"[A-Z][A-Z0-9]*|[A-Za-z][A-Za-z0-9_]*[0-9_][A-Za-z0-9_]*")
_PROPERTY: Final = re.compile(r"([A-Z][A-Z0-9]*)((?:\[(?:[^\\\]]|\\.)*\])+|\[.*)", re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_VALUE: Final = re.compile(r"\[((?:[^\\\]]|\\.)*)\]", re.DOTALL)


def document_to_sgf(document: Document, root: bytes | None = None) -> bytes:
    """Return the document as one SGF game tree.

    `root` is the text of the root node, if that is known; it has no move, and no setup or comment of the first `pre`.

    A joined step is written in the node of the previous step if SGF allows it: a move of the other colour, or the move
    of a node that sets stones up. Of changed marks only the first of several shapes or labels on one point is written.
    Members of `info` without a property in SGF are skipped, and so are properties with names that FF[4] does not allow
    (with digits or underscores; `conversion.to_sgf` lists them).

    Raises `ValueError` for steps that SGF cannot express (takebacks, claims of results, messages, live marks, times,
    actors, problems, titles, splitters: convert the record first), for points off the board, for raw properties that
    would break the text, and for a branch that contains itself; `BoardSizeError`, a `ValueError`, for a board wider or
    higher than 52 points. Works at any nesting depth; the document must not change during the call.
    """
    return _SgfWriter(document, root).text().encode()


def text_of_moves(codes: list[int], width: int, height: int, left: int) -> tuple[str, int]:
    """Return the nodes of moves by their codes (`record.move_runs`), and how many more fit in their last line.

    `left` is how many nodes the line takes that they begin in.
    """
    texts = _move_texts(width, height)
    if codes and not 0 <= min(codes) <= max(codes) < len(texts):
        raise ValueError("a code is that of no move")
    nodes = list(map(texts.__getitem__, codes))
    nodes[left::NODES_IN_A_LINE] = [f"\n{node}" for node in nodes[left::NODES_IN_A_LINE]]
    rest = left - len(nodes)
    return "".join(nodes), rest if rest >= 0 else rest % NODES_IN_A_LINE


@lru_cache(maxsize=4)
def _move_texts(width: int, height: int) -> list[str]:
    if max(width, height) > MOST_POINTS:
        raise BoardSizeError("the board is too large for SGF")
    points = [*(sgf_name((x, y)) for y in range(height) for x in range(width)), ""]
    return [f";{color}[{point}]" for color in _MOVES.values() for point in points]


Values = dict[str, Sequence[str]]


class _SgfWriter:
    def __init__(self, document: Document, root: bytes | None = None) -> None:
        self._document = document
        self._root_text = root
        self._width, self._height = document.width, document.height
        if not (1 <= self._width <= MOST_POINTS and 1 <= self._height <= MOST_POINTS):
            raise BoardSizeError(
                f"SGF has boards of 1 to {MOST_POINTS} points a side, not {self._width} x {self._height}"
            )
        self._parts: list[str] = []
        self._left_in_line = 0

    def text(self) -> str:
        parts = self._parts
        require_no_cycle(self._document.tree)
        waiting: list[Branch | None] = [self._document.tree]  # None ends the branch whose text comes before it
        while waiting:
            branch = waiting.pop()
            if branch is None:
                parts.append(")")
                continue
            parts.append("\n(" if parts else "(")
            self._branch(branch)
            waiting.append(None)
            waiting.extend(reversed(branch.branches))
        parts.append("\n")
        return "".join(parts)

    def _branch(self, branch: Branch) -> None:
        is_root = branch is self._document.tree and len(self._parts) == 1
        self._left_in_line = NODES_IN_A_LINE
        at = None
        try:
            pre = branch.pre
            steps = branch.steps
            if pre is not None and (pre.problem is not None or pre.evaluation is not None):
                raise ValueError("SGF has no problems and no evaluations of positions: convert the record first")
            head = is_root or (pre is not None and bool(pre.stones or pre.marks or pre.comment is not None))
            title = branch.title
            begin = 0
            if head:
                end = _node_end(steps, 0, joined=True)
                if is_root and self._root_text is not None and end == 0:
                    self._parts.append(self._root_text.decode())
                    self._left_in_line = 0
                else:
                    self._head(branch, steps[:end], is_root)
                title, begin = None, end
            while begin < len(steps):
                at = begin
                run = steps[begin]
                if isinstance(run, MoveRun):
                    if title is not None:
                        raise ValueError("a run of moves has no title")
                    self._run(run.codes)
                    begin += 1
                    continue
                codes = move_codes(steps, begin, self._width, self._height) if title is None else []
                if codes:
                    self._run(codes)
                    begin += len(codes)
                    continue
                end = _node_end(steps, begin, joined=False)
                self._node(steps[begin:end], title, begins_branch=begin == 0)
                title, begin = None, end
            if not head and not steps:
                self._put(self._named({}, title))
        except ValueError as error:
            place = f"branch {path_of_branch(self._document.tree, branch)}" + ("" if at is None else f", step {at}")
            raise ValueError(f"{place}: {error}") from error

    def _head(self, branch: Branch, joined: Sequence[Step], is_root: bool) -> None:
        """The node before the steps of a branch; in SGF the root node is always there."""
        pre = branch.pre or Setup()
        raw = self._root() if is_root else {}
        stones = [stone for stone in pre.stones if stone.color != 0]
        out = self._properties(raw, stones, joined, pre.comment, pre.marks)
        out = self._named(out, branch.title)
        if is_root:
            size = str(self._width) if self._width == self._height else f"{self._width}:{self._height}"
            out.update(FF=("4",), CA=("UTF-8",), GM=(str(game_number(self._document.properties)),), SZ=(size,))
        self._put(out, root=is_root)
        self._left_in_line = 0

    def _root(self) -> Properties:
        raw = {name: values for name, values in self._document.properties.items() if name not in _OF_THE_TEXT}
        changes = {} if self._document.has_info_as_read else changed_properties(self._document.info, raw)
        for name, change in changes.items():
            raw.pop(name, None)
            if change is not None:
                raw[name] = change
        if "TM" in raw:
            raw["TM"] = seconds(raw["TM"], self._document.properties)
        return raw

    def _node(self, steps: Sequence[Step], title: str | None, *, begins_branch: bool) -> None:
        first = steps[0]
        action = first.action
        stones = action.stones if isinstance(action, Edit) else []
        out = self._properties(first.properties, stones, steps, first.comment, first.marks)
        self._put(self._named(out, title), begins_branch=begins_branch)

    def _run(self, codes: list[int]) -> None:
        text, self._left_in_line = text_of_moves(codes, self._width, self._height, self._left_in_line)
        self._parts.append(text)

    def _properties(
        self,
        raw: Properties,
        stones: Iterable[Stone],
        steps: Iterable[Step],
        text: str | None,
        shown: Sequence[Mark],
    ) -> Values:
        """The properties of a node: those of `raw` that still agree with the typed values, and the typed values for the
        rest.
        """
        out: Values = {}
        raw = in_ff4(raw)
        for name, values in raw.items():
            if not (name in PROPERTIES or _NAME.fullmatch(name)) or not all(map(is_value, values)):
                raise ValueError(f"the property {name[:40]!r} or a value of it cannot be written as it is")
            if values and is_name(name):
                out[name] = values
        stones = tuple(stones)
        if stones or not _OF_STONES.isdisjoint(raw):
            self._set_up(out, raw, stones)
        moves = self._act(out, steps)
        if moves and evaluation(raw) != moves[0].evaluation:
            _evaluate(out, moves[0].evaluation)
        if comment(raw) != text:
            _replace(out, ("C",), "C", None if text is None else (escape(text),))
        if shown or not _OF_MARKS.isdisjoint(raw):
            self._mark(out, raw, shown)
        return out

    def _set_up(self, out: Values, raw: Properties, stones: Iterable[Stone]) -> None:
        last = {stone.point: stone.color for stone in stones}
        wanted: dict[str, list[Point]] = {name: [] for name in _STONES.values()}
        for point, color in last.items():
            wanted[_of_color(_STONES, color)].append(point)
        for name, of_color in wanted.items():
            # What could not be read stays; points that are still there are now among the stones, or gone.
            rest = (value for value in raw.get(name, ()) if not points((value,), self._width, self._height))
            _replace(out, (name,), name, (*self._points(of_color), *rest))

    def _act(self, out: Values, steps: Iterable[Step]) -> list[Move]:
        """Add the moves of a node, unreadable ones included, to its properties; return the moves."""
        moves: list[Move] = []
        for step in steps:
            if step.time is not None or step.actor is not None:
                raise ValueError("SGF has no times and actors of steps: convert the record first")
            if step.title is not None or step.splitter is not None:
                raise ValueError("SGF has the name of a node in N, and no splitters: convert the record first")
            action = step.action
            if isinstance(action, Move):
                name, value = self._move(action)
                _replace(out, (name,), name, (value,))
                moves.append(action)
            elif isinstance(action, Unreadable):
                name, values = _unreadable(action)
                if values:
                    _replace(out, (name,), name, values)
            elif not isinstance(action, (Edit, Note)):
                raise ValueError(f"SGF has no {type(action).__name__}: convert the record first")
        return moves

    def _move(self, move: Move) -> tuple[str, str]:
        name = _of_color(_MOVES, move.color)
        if move.problem is not None:
            raise ValueError("SGF has no problems: convert the record first")
        return name, "" if move.point is None else self._point(move.point)

    def _mark(self, out: Values, raw: Properties, shown: Sequence[Mark]) -> None:
        shapes: dict[str, list[Point]] = {shape: [] for shape in _SHAPE_NAMES}
        labels: list[tuple[Point, str]] = []
        for mark in shown:
            self._point(mark.point)
            if mark.shape is None:
                labels.append((mark.point, mark.symbol))
            elif mark.shape in shapes:
                shapes[mark.shape].append(mark.point)
            else:
                raise ValueError(f"SGF has no mark of shape {mark.shape!r}")
        old = marks(raw, self._width, self._height) if raw else []
        taken: set[Point] = set()
        changed = []
        for shape, wanted in shapes.items():
            if {mark.point for mark in old if mark.shape == shape} == set(wanted):
                taken.update(wanted)
            else:
                changed.append(shape)
        for shape in changed:
            free = set(shapes[shape]) - taken
            taken |= free
            _replace(out, _SHAPE_NAMES[shape], shape, self._points(free))
        if sorted((mark.point, mark.symbol) for mark in old if mark.shape is None) != sorted(labels):
            first = dict(reversed(labels))
            texts = (f"{self._point(at)}:{escape(first[at], composed=True)}" for at in sorted(first))
            _replace(out, LABELS, "LB", tuple(texts))

    def _points(self, wanted: Iterable[Point]) -> tuple[str, ...]:
        return tuple(map(self._point, sorted(wanted)))

    def _point(self, point: Point) -> str:
        x, y = point
        if not (0 <= x < self._width and 0 <= y < self._height):
            raise ValueError(f"the point {(x, y)} is off the board")
        return sgf_name(point)

    def _named(self, out: Values, title: str | None) -> Values:
        if title is not None:
            out["N"] = (escape(title),)
        return out

    def _put(self, out: Values, *, root: bool = False, begins_branch: bool = False) -> None:
        names = sorted(out, key=_RANKS.__getitem__ if root else _rank_below)
        if begins_branch and names and names[0] in _BEGINS_GAME:
            # A variation that begins with one of these would be read as the next game.
            names = [name for name in names if name not in _BEGINS_GAME]
        self._put_text(";" + "".join(f"{name}[{']['.join(out[name])}]" for name in names))

    def _put_text(self, node: str) -> None:
        if not node.isascii() and _SURROGATE.search(node):
            raise ValueError("a text holds half of a surrogate pair, which UTF-8 does not have")
        if self._left_in_line == 0:
            self._parts.append("\n")
            self._left_in_line = NODES_IN_A_LINE
        self._left_in_line -= 1
        self._parts.append(node)


class _Ranks(dict[str, int]):
    """The places of properties in a node by their names, of unknown ones too."""

    def __missing__(self, name: str) -> int:
        return len(PROPERTIES)


# Several moves of a node stay in their order.
_RANKS: Final = _Ranks({name: PROPERTIES["B" if name == "W" else name].rank for name in PROPERTIES})


def _rank_below(name: str) -> int:
    """The place of a property in a node other than the root, without those of the root."""
    return len(PROPERTIES) + 1 if name in _BEGINS_GAME else _RANKS[name]


def _node_end(steps: Sequence[Step], begin: int, *, joined: bool) -> int:
    """The end of the steps from `begin` on that share a node; `joined`: with one that precedes them."""
    names: set[str] = set()
    for k in range(begin, len(steps)):
        step = steps[k]
        name = _name_of_move(step)
        goes_on = step.joined and name is not None and name not in names and _has_action_only(step, alone=not names)
        if not goes_on and (joined or k > begin):
            return k
        if name is not None:
            names.add(name)
    return len(steps)


def _name_of_move(step: Step) -> str | None:
    """The property for a step that is a move, or that replaces one."""
    if isinstance(step.action, Move):
        return _MOVES.get(step.action.color)
    return _unreadable(step.action)[0] if isinstance(step.action, Unreadable) else None


def _has_action_only(step: Step, *, alone: bool) -> bool:
    """Whether a step has only its action, and an evaluation only as the single move of its node."""
    if step.comment is not None or step.properties or step.marks:
        return False
    return alone or not (isinstance(step.action, Move) and step.action.evaluation is not None)


def _unreadable(action: Unreadable) -> tuple[str, tuple[str, ...]]:
    """The property of an unreadable step; without values if the text ended in the first one."""
    match = _PROPERTY.fullmatch(action.text.decode("utf-8", "replace"))
    if match is None:
        raise ValueError("the text of an unreadable step is not SGF")
    return match[1], tuple(_VALUE.findall(match[2]))


def _replace(out: Values, names: Iterable[str], name: str, values: Sequence[str] | None) -> None:
    for old in names:
        out.pop(old, None)
    if values:
        out[name] = values


def _evaluate(out: Values, worth: Evaluation | None) -> None:
    if worth not in (None, "good", "bad"):
        raise ValueError(f"SGF has no move that is {worth}: convert the record first")
    _replace(out, ("TE", "BM"), "TE" if worth == "good" else "BM", None if worth is None else ("1",))


def _of_color(names: dict[int, str], color: int) -> str:
    name = names.get(color)
    if name is None:
        raise ValueError(f"{color!r} is not a color")
    return name
