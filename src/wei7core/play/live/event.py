"""`Event`: one action of a live game with its number, and its JSON form, a step of wei7 3.0 (clause 3.15.3)."""

from __future__ import annotations

import json
from typing import Any, Final

from ...errors import ActionRefusedError
from ...formats.wei7.json_text import encode_text, read_number
from ...record.document import MarkAction, Message, Move, Number, Result, Step, Takeback
from ...replaying.cursor import NumberedAction

LiveAction = Move | Takeback | Result | MarkAction | Message
"""The five kinds of action that wei7 has (clause 3.15.3.2)."""

_CLAUSE: Final = "3.15.3"


MOVE_PIECES: Final = (
    b'{"number":',
    b',"step":{',
    b'"time":',
    b",",
    b'"action":{"type":"move","value":{"color":',
    b',"point":null}}',
    b',"point":{"x":',
    b',"y":',
    b"}}}",
    b',"actor":',
    b"}}\n",
)
"""The text of `Event.to_json` and a line feed before and after the numbers of a move, for `GrowingLine.pieces`."""


class Event(NumberedAction):
    """One action of a live game.

    Attributes: `number`, from 0, its place among the actions of the game; `action`; `actor`, an index of participants,
    or None; `time` in seconds since the start, or None. Events are not changed once made.
    """

    __slots__ = ()

    def __init__(self, number: int, action: LiveAction, actor: int | None = None, time: Number | None = None) -> None:
        super().__init__(number, action, actor, time)

    def to_json(self) -> str:
        """Return `{"number": .., "step": ..}` in one line: the step as a record of wei7 has it."""
        time = "" if self.time is None else f'"time":{_number_text(self.time)},'
        actor = "" if self.actor is None else f',"actor":{self.actor}'
        return f'{{"number":{self.number},"step":{{{time}"action":{action_to_json(self.action)}{actor}}}}}'

    @staticmethod
    def from_json(text: str | bytes) -> Event:
        """Return the event of such a text. Raises `ActionRefusedError` for another text."""
        try:
            value = json.loads(text, parse_float=read_number)
        except (ValueError, RecursionError) as error:
            raise ActionRefusedError(f"the event is not JSON: {str(error)[:200]}", reason="syntax") from None
        return event_from_obj(value)

    def to_step(self) -> Step:
        """Return the event as a step of a record."""
        return Step(self.action, time=self.time, actor=self.actor)

    def _key(self) -> tuple[Any, ...]:
        return self.number, self.action, self.actor, self.time

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Event) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.number)

    def __repr__(self) -> str:
        return f"Event({self.number}, {self.action!r}, actor={self.actor!r}, time={self.time!r})"


def _number_text(number: Number) -> str:
    # A whole number and a float are written as `json` writes them; a Decimal exactly.
    return repr(number) if type(number) is int or type(number) is float else encode_text(number)


def action_to_json(action: LiveAction) -> str:
    """Return the `action` of a step as JSON."""
    if isinstance(action, Move):
        if action.point is None:
            return f'{{"type":"move","value":{{"color":{action.color},"point":null}}}}'
        x, y = action.point
        return f'{{"type":"move","value":{{"color":{action.color},"point":{{"x":{x},"y":{y}}}}}}}'
    if isinstance(action, Takeback):
        return f'{{"type":"takeback","value":{action.count}}}'
    if isinstance(action, Message):
        return f'{{"type":"message","value":{json.dumps(action.text)}}}'
    if isinstance(action, MarkAction):
        x, y = action.point
        return f'{{"type":"mark","value":{{"point":{{"x":{x},"y":{y}}},"symbol":{json.dumps(action.symbol)}}}}}'
    winner = "null" if action.winner is None else str(action.winner)
    margin = "" if action.margin is None else f',"margin":{_number_text(action.margin)}'
    return f'{{"type":"result","value":{{"winner":{winner}{margin}}}}}'


def event_from_obj(value: Any) -> Event:
    """Return the event of parsed JSON. Raises `ActionRefusedError` for anything else."""
    step = _member(value, "step")
    _only(value, ("number", "step"))
    _only(step, ("time", "action", "actor"))
    number = _member(value, "number")
    if type(number) is not int or number < 0:
        raise _wrong(f"the number of an event counts from 0, and is not {number!r:.40}")
    return Event(number, action_from_obj(_member(step, "action")), step.get("actor"), step.get("time"))


def action_from_obj(value: Any) -> LiveAction:
    """Return the action of `{"type": .., "value": ..}`; its content is checked when it is appended."""
    _only(value, ("type", "value"))
    kind, content = _member(value, "type"), _member(value, "value")
    if kind == "move":
        _only(content, ("color", "point"))
        point = _member(content, "point")
        return Move(_member(content, "color"), None if point is None else _point(point))
    if kind == "takeback":
        return Takeback(content)
    if kind == "message":
        return Message(content)
    if kind == "mark":
        _only(content, ("point", "symbol"))
        return MarkAction(_point(_member(content, "point")), _member(content, "symbol"))
    if kind == "result":
        _only(content, ("winner", "margin"))
        return Result(_member(content, "winner"), content.get("margin"))
    raise _wrong(f"the type of an action is move, takeback, result, mark or message, not {kind!r:.40}", "3.15.3.2")


def _point(value: Any) -> tuple[int, int]:
    _only(value, ("x", "y"))
    return _member(value, "x"), _member(value, "y")


def _member(value: Any, name: str) -> Any:
    if not isinstance(value, dict) or name not in value:
        raise _wrong(f"the event lacks the member {name!r}")
    return value[name]


def _only(value: Any, names: tuple[str, ...]) -> None:
    if isinstance(value, dict) and not value.keys() <= set(names):
        other = min(map(str, value.keys() - set(names)))
        raise _wrong(f"the event has the member {other[:40]!r}, which is not known")


def _wrong(message: str, clause: str = _CLAUSE) -> ActionRefusedError:
    return ActionRefusedError(message, reason="syntax", clause=clause)
