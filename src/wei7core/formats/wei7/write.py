"""Documents as wei7 3.0: bytes, or the plain objects of the same shape.

Members are in the order of the specification's clauses. Nothing is checked: wrong values are written, and a decoder
refuses them. All functions work on any nesting depth; the document must not change during the call.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import cached_property, lru_cache
from operator import index
from typing import Any, Final

from ...errors import Wei7Error
from ...record.document import (
    Branch,
    Document,
    Edit,
    Extra,
    GameRules,
    Info,
    Mark,
    MarkAction,
    Message,
    Move,
    Note,
    Participant,
    Player,
    Point,
    Result,
    Setup,
    Step,
    Stone,
    Takeback,
    Unreadable,
    path_of_branch,
    require_no_cycle,
)
from ...record.move_runs import MOST_POINTS_IN_RUNS, MoveRun, move_of
from ...record.record import move_codes
from .json_text import Raw, encode_text, plain_number, quote

Object = dict[str, Any]


def document_to_json(document: Document) -> bytes:
    """Return the document as compact JSON in UTF-8.

    Raises `TypeError` for a value of a wrong type, and `ValueError` for features of other formats and for a branch that
    contains itself.
    """
    return _object_text(_Wei7Writer(plain_number, _kept_text).document(document)).encode("utf-8", "backslashreplace")


def document_to_obj(document: Document) -> Object:
    """Return the document as new dicts and lists, ready for `json.dumps` or `orjson.dumps`.

    A `decimal.Decimal` becomes the nearest float. Raises `Wei7Error` where a kept member nests too deep for
    `json.loads`, and `ValueError` for a branch that contains itself.
    """
    return _Plain(_float_number, _parse).document(document)


def result_to_obj(result: Result) -> Object:
    """Return the object of a result without kept members, ready for `encode`."""
    return _Plain(plain_number, _kept_text)._result(result)


def info_to_json(info: Info) -> str:
    """Return the object of an `info` as compact JSON."""
    return _object_text(_Wei7Writer(plain_number, _kept_text)._info(info))


def _kept_text(text: bytes) -> Raw:
    return Raw(text.decode("utf-8", "replace"))


def _float_number(value: Any) -> Any:
    plain = plain_number(value)
    return float(plain) if isinstance(plain, Decimal) else plain


def _parse(text: bytes) -> Any:
    try:
        # Lenient reading keeps bytes that are no UTF-8 and control characters, and has reported them.
        return json.loads(text.decode("utf-8", "replace"), strict=False, parse_int=_parse_integer)
    except RecursionError:
        raise Wei7Error(
            f"a kept member of {len(text)} bytes nests too deep for Python objects; dumps can write it"
        ) from None


def _parse_integer(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:  # of more digits than Python reads
        return float(text)


_ACTION_TYPES: Final[dict[type, str]] = {
    Move: "move",
    Takeback: "takeback",
    Result: "result",
    MarkAction: "mark",
    Message: "message",
}


class _Plain:
    """Turns a document into dicts and lists, with two hooks: numbers and kept JSON text."""

    def __init__(self, number: Callable[[Any], Any], raw: Callable[[bytes], Any]) -> None:
        self._number = number
        self._raw = raw

    def document(self, document: Document) -> Object:
        require_no_cycle(document.tree)
        self._root = document.tree
        out: Object = {"format": "wei7", "version": "3.0"}
        if document.size_form == "integer":
            out["size"] = index(document.width)
        elif document.size_form == "object":
            out["size"] = {"width": index(document.width), "height": index(document.height)}
        if "info" in document.kept_empty or not document.info.is_empty:
            out["info"] = self._info(document.info)
        out["tree"] = self._tree(document.tree)
        return self._with_extra(out, document.extra)

    def _with_extra(self, out: Object, extra: Extra) -> Object:
        for key, text in extra.items():
            owner, name = (out, key) if isinstance(key, str) else (out.get(key[0]), key[1])
            if isinstance(owner, dict):
                owner.setdefault(name, self._raw(text))
        return out

    def _tree(self, root: Branch) -> Any:
        top: list[Object] = []
        waiting: list[tuple[Branch, list[Object]]] = [(root, top)]
        while waiting:
            branch, siblings = waiting.pop()
            below: list[Object] = []
            siblings.append(self._branch(branch, below))
            waiting.extend((child, below) for child in reversed(branch.branches))
        return top[0]

    def _branch(self, branch: Branch, below: list[Object]) -> Object:
        out: Object = {}
        if branch.title is not None:
            out["title"] = branch.title
        if branch.pre is not None:
            out["pre"] = self._setup(branch.pre)
        if branch.steps or "steps" in branch.kept_empty:
            try:
                out["steps"] = self._steps(branch.steps)
            except ValueError as error:
                raise ValueError(f"branch {path_of_branch(self._root, branch)}, {error}") from None
        if branch.branches or "branches" in branch.kept_empty:
            out["branches"] = below
        return self._with_extra(out, branch.extra) if branch.extra else out

    def _setup(self, setup: Setup) -> Object:
        if setup.evaluation is not None:
            raise ValueError("wei7 3.0 has no evaluation of a position: convert the record first")
        out: Object = {}
        if setup.stones or "stones" in setup.kept_empty:
            out["stones"] = [self._stone(stone) for stone in setup.stones]
        if setup.problem is not None:
            out["problem"] = {"color": index(setup.problem)}
        if setup.marks or "marks" in setup.kept_empty:
            out["marks"] = [self._mark(mark) for mark in setup.marks]
        if setup.comment is not None:
            out["comment"] = setup.comment
        return self._with_extra(out, setup.extra)

    def _steps(self, steps: list[Step]) -> Any:
        out = []
        for number, step in enumerate(steps):
            try:
                out.append(self._step(step))
            except ValueError as error:
                raise ValueError(f"step {number}: {error}") from None
        return out

    def _step(self, step: Step) -> Any:
        if not isinstance(step, Step):
            raise TypeError(f"a branch holds steps, not {type(step).__name__}")
        if isinstance(step.action, Unreadable):
            return self._raw(step.action.text)
        if isinstance(step.action, (Edit, Note)):
            raise ValueError(f"wei7 has no step for {type(step.action).__name__}")
        if step.title is not None or step.splitter is not None:
            raise ValueError("wei7 3.0 has no titles of steps and no splitters: convert the record first")
        out: Object = {}
        if step.time is not None:
            out["time"] = self._number(step.time)
        out["action"] = {"type": _action_type(step.action), "value": self._value(step.action)}
        if step.actor is not None:
            out["actor"] = index(step.actor)
        if step.marks or "marks" in step.kept_empty:
            out["marks"] = [self._mark(mark) for mark in step.marks]
        if step.comment is not None:
            out["comment"] = step.comment
        return self._with_extra(out, step.extra) if step.extra else out

    def _value(self, action: Move | Takeback | Result | MarkAction | Message) -> Any:
        if isinstance(action, Move):
            out: Object = {"color": index(action.color)}
            out["point"] = None if action.point is None else _point(action.point)
            if action.evaluation is not None:
                out["evaluation"] = action.evaluation
            if action.problem is not None:
                out["problem"] = {"color": index(action.problem)}
            return self._with_extra(out, action.extra) if action.extra else out
        if isinstance(action, Takeback):
            return index(action.count)
        if isinstance(action, Result):
            return self._result(action)
        if isinstance(action, MarkAction):
            return self._mark(action)
        return action.text

    def _stone(self, stone: Stone) -> Object:
        out: Object = {"color": index(stone.color), "point": _point(stone.point)}
        return self._with_extra(out, stone.extra) if stone.extra else out

    def _mark(self, mark: Mark | MarkAction) -> Object:
        out: Object = {"point": _point(mark.point), "symbol": mark.symbol}
        return self._with_extra(out, mark.extra) if mark.extra else out

    def _result(self, result: Result) -> Object:
        out: Object = {"winner": None if result.winner is None else index(result.winner)}
        if result.margin is not None:
            out["margin"] = self._number(result.margin)
        return self._with_extra(out, result.extra)

    def _info(self, info: Info) -> Object:
        out = _texts(info, ("domain", "id", "name"))
        if info.rules is not None:
            out["rules"] = self._rules(info.rules)
        out.update(_texts(info, ("time", "place")))
        if info.participants or "participants" in info.kept_empty:
            out["participants"] = [self._participant(participant) for participant in info.participants]
        if info.players or "players" in info.kept_empty:
            out["players"] = [self._player(player) for player in info.players]
        if info.result is not None:
            out["result"] = self._result(info.result)
        return self._with_extra(out, info.extra)

    def _rules(self, rules: GameRules) -> Object:
        out = _texts(rules, ("scoring",))
        if rules.komi is not None:
            out["komi"] = self._number(rules.komi)
        out.update(_texts(rules, ("type",)))
        return self._with_extra(out, rules.extra)

    def _participant(self, participant: Participant) -> Object:
        out = _texts(participant, ("domain", "id", "name", "title", "rank"))
        return self._with_extra(out, participant.extra)

    def _player(self, player: Player) -> Object:
        out: Object = {"participant": index(player.participant)}
        if player.color is not None:
            out["color"] = index(player.color)
        return self._with_extra(out, player.extra)


class _Wei7Writer(_Plain):
    """Writes each branch as text at once, since a million branches as objects would slow the garbage collector.

    The steps of a branch are encoded together by the C encoder of the standard library if it supports them.
    """

    def document(self, document: Document) -> Object:
        self._size = document.width, document.height
        return super().document(document)

    @cached_property
    def _run_texts(self) -> list[str]:
        return _texts_of_moves(*self._size)

    def _tree(self, root: Branch) -> Any:
        parts: list[str] = []
        # Branches to write and texts to put between and after them.
        waiting: list[Branch | str] = [root]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                parts.append(item)
                continue
            members = self._branch(item, [])
            if not item.branches:
                parts.append(_object_text(members))
                continue
            opening, closing = _around_branches(members)
            parts.append(opening)
            waiting.append(closing)
            for child in reversed(item.branches):
                waiting += (child, ",")
            waiting.pop()
        return Raw("".join(parts))

    def _steps(self, steps: list[Step]) -> Any:
        parts: list[str] = []
        others: list[Step] = []
        row = 0
        try:
            while row < len(steps):
                step = steps[row]
                run = isinstance(step, MoveRun)
                codes = step.codes if isinstance(step, MoveRun) else self._codes(steps, row)
                if codes:
                    if others:
                        parts.append(self._others(others))
                        others = []
                    parts.append(",".join(map(self._run_texts.__getitem__, codes)))
                else:
                    others.append(step)
                row += 1 if run or not codes else len(codes)
            if others:
                parts.append(self._others(others))
            return Raw(f"[{','.join(parts)}]")
        except (TypeError, ValueError):
            if any(isinstance(step, MoveRun) for step in steps):
                raise
            # Kept text, a Decimal, or a wrong value, whose place `encode` can name.
            return super()._steps(steps)

    def _codes(self, steps: list[Step], begin: int) -> list[int]:
        width, height = self._size
        if type(width) is not int or type(height) is not int or width * height > MOST_POINTS_IN_RUNS:
            return []
        return move_codes(steps, begin, width, height)

    def _others(self, steps: list[Step]) -> str:
        values = super()._steps(steps)
        try:
            return quote(values)[1:-1]
        except (TypeError, ValueError):  # kept text or a Decimal
            return encode_text(values)[1:-1]


@lru_cache(maxsize=8)
def _texts_of_moves(width: int, height: int) -> list[str]:
    """The steps of moves by the codes of `MoveRun`."""
    writer = _Wei7Writer(plain_number, _kept_text)
    moves = (move_of(code, width, height) for code in range(2 * (width * height + 1)))
    return [encode_text(writer._step(Step(Move(*move)))) for move in moves]


def _object_text(members: Object) -> str:
    """The text of an object of few members; those that are no `Raw` through the C encoder where it can take them."""
    try:
        texts = (value.text if isinstance(value, Raw) else quote(value) for value in members.values())
        return f"{{{','.join([f'{quote(name)}:{text}' for name, text in zip(members, texts, strict=True)])}}}"
    except (TypeError, ValueError):
        return encode_text(members)


def _around_branches(members: Object) -> tuple[str, str]:
    """The text of a branch before the first and after the last of its branches."""
    names = list(members)
    place = names.index("branches")
    before = encode_text({name: members[name] for name in names[:place]})[:-1]
    after = encode_text({name: members[name] for name in names[place + 1 :]})[1:]
    return (
        before + ("," if place else "") + '"branches":[',
        "]" + ("," if place + 1 < len(names) else "") + after,
    )


def _action_type(action: object) -> str:
    name = _ACTION_TYPES.get(type(action))
    if name is None:
        raise TypeError(f"{type(action).__name__} is not an action of a step")
    return name


def _texts(owner: object, names: Iterable[str]) -> Object:
    return {name: value for name in names if (value := getattr(owner, name)) is not None}


def _point(point: Point) -> Object:
    x, y = point
    return {"x": index(x), "y": index(y)}
