"""Documents as wei7 2.x (XML), in the layout of the specification's examples.

A variation is written before the step it replaces, and marks before their step. XML that the reader has kept is written
at its place unless another value has it; comments and processing instructions are all before the root, and the children
of `game`, whose order means nothing (clause 3.5), in the usual order. Only values that XML cannot represent are
checked: other invalid ones are written, and a decoder refuses them.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from typing import Any, Final, Literal

from ...record.document import (
    Branch,
    Document,
    Extra,
    Info,
    Mark,
    Move,
    Number,
    Setup,
    Step,
    Stone,
    Unreadable,
    require_no_cycle,
)
from ..wei7.json_text import without_exponent
from .game import PERSON
from .text import SPACE, attribute, element_text, escape, is_xml, raw_attribute
from .values import size_of

XML_VERSION: Final = "2.2"
"""The version of a new text."""

_MOST_INDENT: Final = 32
_COLORS: Final = {1: "black", 2: "white"}
_HEAD: Final = '<?xml version="1.0" encoding="utf-8"?>\n'


def holds_moves(branch: Branch) -> bool:
    """Return whether one of the steps of a branch is a move, or may be one."""
    return any(
        isinstance(step.action, Move) or (isinstance(step.action, Unreadable) and step.action.may_be_move)
        for step in branch.steps
    )


def first_branch_form(branch: Branch, played: bool) -> Literal["steps", "nothing", "moves"]:
    """Return how the first branch below `branch` is written.

    `steps`: as the continuation of the same `moves`. `nothing`: it is empty, and the game as played ends where the
    variations start. `moves`: as the first `moves` of its own, because it has a `pre`, which a `moves` cannot have in
    its middle, or because nothing shows where a continuation without steps begins. `played`: whether the same
    `moves` holds a move so far: where it does, a `moves` of its own is a variation (clause 3.12), else an entry of a
    table of contents (3.11).
    """
    if not branch.branches:
        return "moves"
    first = branch.branches[0]
    if first.pre is None and first.steps and (played or "moves" not in first.kept_empty):
        return "steps"
    if played and first.pre is None and first.title is None and not (first.steps or first.branches or first.extra):
        return "nothing"
    return "moves"


def document_to_xml(document: Document) -> bytes:
    """Return the document as wei7 2.x in UTF-8, of the version it was read from, or 2.2.

    Raises `ValueError` for what 2.x does not define (takebacks, claims of results, messages, live marks, times and
    actors of steps, players that are not one Black and one White, rectangles, a title of a branch that has neither a
    `pre` nor a first step to carry it: convert the record first), for characters that XML cannot hold and for a branch
    that contains itself; `TypeError` for a value of a wrong type. Works at any nesting depth; the document must not
    change during the call.
    """
    return "".join(_XmlWriter(document).parts()).encode("utf-8", "surrogatepass")


class _XmlWriter:
    def __init__(self, document: Document) -> None:
        self._document = document

    def parts(self) -> Iterator[str]:
        document = self._document
        yield _HEAD
        if "#comments" in document.extra:
            yield _raw(document.extra["#comments"]) + "\n"
        version = XML_VERSION if document.version is None else document.version
        yield "<wei7" + (attribute("version", version) if version else "") + _kept_attributes(document.extra) + ">\n"
        yield self._size()
        if "info" in document.kept_empty or not document.info.is_empty:
            yield from _game(document.info)
        yield from self._tree()
        if "#content" in document.extra:
            yield f"  {_raw(document.extra['#content'])}\n"
        yield "</wei7>\n"

    def _size(self) -> str:
        width, height = index(self._document.width), index(self._document.height)
        if width != height:
            raise ValueError(f"wei7 2.x has no board of {width} x {height} points")
        kept = self._document.extra.get("<size>")
        if kept is not None and size_of(element_text(kept))[0] == width:
            return f"  {_raw(kept)}\n"
        return f"  <size>{width}</size>\n" if width else ""

    # --- moves -----------------------------------------------------------------

    def _tree(self) -> Iterator[str]:
        require_no_cycle(self._document.tree)
        waiting: list[tuple[str, Branch, int, bool, bool]] = [("open", self._document.tree, 1, True, False)]
        while waiting:
            what, branch, depth, own, played = waiting.pop()
            if what == "close":
                if own:
                    yield f"{_indent(depth)}</moves>\n"
                continue
            if own:
                yield f"{_indent(depth)}<moves{_kept_attributes(branch.extra)}>\n"
            yield from self._content(branch, _indent(depth + 1))
            waiting.append(("close", branch, depth, own, played))
            played = played or holds_moves(branch)
            form = first_branch_form(branch, played)
            if form == "steps":
                waiting.append(("open", branch.branches[0], depth, False, played))
            others = branch.branches[form != "moves" :]
            waiting += [("open", one, depth + 1, True, False) for one in reversed(others)]

    def _content(self, branch: Branch, indent: str) -> Iterator[str]:
        """The `pre` and the steps of a branch."""
        title = branch.title
        if branch.pre is not None:
            yield from self._pre(branch.pre, title, indent)
            title = None
        for number, step in enumerate(branch.steps):
            yield from self._step(step, title if number == 0 else None, indent)
        if title is not None and not branch.steps:
            raise ValueError(f"wei7 2.x has no place for the title of {branch!r}")
        if "#content" in branch.extra:
            yield f"{indent}{_raw(branch.extra['#content'])}\n"

    def _pre(self, pre: Setup, title: str | None, indent: str) -> Iterator[str]:
        attributes = attribute("title", title) if title is not None else ""
        attributes += attribute("comment", pre.comment) if pre.comment is not None else ""
        attributes += _problem(pre.problem)
        attributes += attribute("eval", pre.evaluation) if pre.evaluation is not None else ""
        attributes += _kept_attributes(pre.extra, attributes)
        inner = [
            _element(_color(stone.color), _point(stone) + _kept_attributes(stone.extra), stone.extra)
            for stone in pre.stones
        ]
        if not pre.stones and "<stones>" in pre.extra:
            inner.append(_raw(pre.extra["<stones>"]))
        inner += [_mark(mark) for mark in pre.marks]
        if "#content" in pre.extra:
            inner.append(_raw(pre.extra["#content"]))
        if not inner:
            yield f"{indent}<pre{attributes} />\n"
            return
        yield f"{indent}<pre{attributes}>\n"
        for line in inner:
            yield f"{indent}  {line}\n"
        yield f"{indent}</pre>\n"

    def _step(self, step: Step, title: str | None, indent: str) -> Iterator[str]:
        if not isinstance(step, Step):
            raise TypeError(f"a branch holds steps, not {type(step).__name__}")
        action = step.action
        if step.time is not None or step.actor is not None:
            raise ValueError("wei7 2.x has no times and no actors of steps")
        for mark in step.marks:
            yield f"{indent}{_mark(mark)}\n"
        if "<mark>" in step.extra:
            yield f"{indent}{_raw(step.extra['<mark>'])}\n"
        if isinstance(action, Unreadable):
            yield f"{indent}{_raw(action.text)}\n"
            return
        if not isinstance(action, Move):
            raise ValueError(f"wei7 2.x has no step for {type(action).__name__}")
        if title is not None and step.title not in (None, title):
            raise ValueError(f"wei7 2.x has one title for a branch and its first step: {title[:40]!r}")
        title = step.title if title is None else title
        attributes = ' type="pass"' if action.point is None else _point(action)
        attributes += attribute("splitter", step.splitter) if step.splitter is not None else ""
        attributes += attribute("eval", action.evaluation) if action.evaluation is not None else ""
        attributes += attribute("title", title) if title is not None else ""
        attributes += attribute("comment", step.comment) if step.comment is not None else ""
        attributes += _problem(action.problem)
        attributes += _kept_attributes(step.extra, attributes)
        yield f"{indent}{_element(_color(action.color), attributes, step.extra)}\n"


def _indent(depth: int) -> str:
    return "  " * min(depth, _MOST_INDENT)


def _raw(xml: bytes) -> str:
    return xml.decode("utf-8", "replace")


def _kept_attributes(extra: Extra, written: str = "") -> str:
    """The attributes of `extra` except those in `written`."""
    if not extra:
        return ""
    kept = ((name, raw) for name, raw in extra.items() if isinstance(name, str) and not name.startswith(("<", "#")))
    return "".join(raw_attribute(name, raw) for name, raw in kept if f" {name}=" not in written)


def _element(name: str, attributes: str, extra: Extra) -> str:
    if "#content" in extra:
        return f"<{name}{attributes}>{_raw(extra['#content'])}</{name}>"
    return f"<{name}{attributes} />"


def _color(color: int) -> str:
    name = _COLORS.get(index(color))
    if name is None:
        raise ValueError(f"wei7 2.x has no colour {color}")
    return name


def _problem(color: int | None) -> str:
    return "" if color is None else attribute("problem", _color(color))


def _point(owner: Stone | Mark | Move) -> str:
    assert owner.point is not None
    x, y = owner.point
    return f' x="{index(x)}" y="{index(y)}"'


def _mark(mark: Mark) -> str:
    attributes = _point(mark) + attribute("symbol", mark.symbol)
    return _element("mark", attributes + _kept_attributes(mark.extra, attributes), mark.extra)


# --- game ------------------------------------------------------------------------


def _game(info: Info) -> Iterator[str]:
    if info.place is not None:
        raise ValueError("wei7 2.x has no place where the game was played")
    attributes = _texts(info, ("domain", "id", "name"))
    attributes += _kept_attributes(info.extra, attributes)
    children = list(_parts_of_game(info))
    if "#content" in info.extra:
        children.append(_raw(info.extra["#content"]))
    if not children:
        yield f"  <game{attributes} />\n"
        return
    yield f"  <game{attributes}>\n"
    for child in children:
        yield f"    {child}\n"
    yield "  </game>\n"


def _parts_of_game(info: Info) -> Iterator[str]:
    rules = info.rules
    if rules is not None:
        attributes = _texts(rules, ("scoring",))
        attributes += f' komi="{_number(rules.komi)}"' if rules.komi else ""
        attributes += _texts(rules, ("type",))
        yield _element("rules", attributes + _kept_attributes(rules.extra, attributes), rules.extra)
    kept = info.extra.get("<time>")
    if kept is not None and element_text(kept).strip(SPACE) == info.time:
        yield _raw(kept)
    elif info.time is not None:
        yield f"<time>{_text(info.time)}</time>"
    players = sorted(info.players, key=lambda player: player.color or 0)
    if [player.color for player in players] not in ([], [1], [2], [1, 2]) or len(info.participants) != len(players):
        raise ValueError("wei7 2.x has one Black and one White, and nobody else")
    for player in players:
        person = info.participants[player.participant]
        attributes = _texts(person, PERSON)
        attributes += _kept_attributes(person.extra, attributes)
        yield _element(_color(player.color or 0), attributes, person.extra)
    if info.result is not None:
        winner = info.result.winner
        attributes = attribute("winner", "neither" if winner is None else _color(winner))
        attributes += f' margin="{_number(info.result.margin)}"' if info.result.margin is not None else ""
        yield _element("result", attributes + _kept_attributes(info.result.extra, attributes), info.result.extra)


def _texts(owner: Any, names: tuple[str, ...]) -> str:
    return "".join(attribute(name, value) for name in names if (value := getattr(owner, name)) is not None)


def _text(text: str) -> str:
    if not is_xml(text):
        raise ValueError(f"XML has no character like one of time: {text[:40]!r}")
    return escape(text).replace(">", "&gt;")


def _number(number: Number) -> str:
    """A number without needless zeros and without an exponent."""
    written = without_exponent(number, "XML")
    return written.rstrip("0").rstrip(".") if "." in written else written
