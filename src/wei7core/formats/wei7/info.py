"""The `info` object of a wei7 record: JSON text -> `Info` (clause 3.10).

Nothing is judged here. A member that `Info` cannot hold (unknown, or of another
type) is kept as text in `extra` of its owner, whatever its nesting depth.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final, TypeVar

from ...record.document import GameRules, HasExtra, Info, Number, Participant, Player, Result
from ...record.record import Record
from .json_text import read_number, split

Reader = Callable[[bytes], Any]


_T = TypeVar("_T")
_O = TypeVar("_O", bound=HasExtra)


def read_info(text: bytes) -> Info:
    """Return the info object in `text`, which must be a valid JSON object. Any thread may call this."""
    try:
        return _known(text)
    except (ValueError, RecursionError):
        pass  # some member is kept as text
    info = _fill(Info(), text, _INFO)
    named = {_name(quoted) for quoted in split(text)[::2]} - info.extra.keys()
    info.kept_empty = frozenset(name for name in ("participants", "players") if name in named)
    return info


def record_id(record: Record) -> str | None:
    """Return the `id` in the info of a record, or None if there is none or it is invalid. Thread safe."""
    return None if record.info_json is None else id_in(record.info_json)


def id_in(text: bytes) -> str | None:
    """Return the `id` in the text of an info object, or None if there is none or it is invalid. Thread safe."""
    if b'"id"' not in text and b"\\" not in text:
        return None  # as in most records; a search is faster than reading the whole object
    try:
        value = json.loads(text.decode()).get("id")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def _known(text: bytes) -> Info:
    """The info object in a text of which `Info` can hold each member. Raises `ValueError` for any other."""
    members = _DECODER.decode(text.decode())
    info = _hold(Info(), members, _KNOWN)
    info.kept_empty = frozenset(name for name in ("participants", "players") if name in members)
    return info


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a repeated member")
    return members


def _hold(target: _T, members: Any, known: Mapping[str, Callable[[Any], Any]]) -> _T:
    if type(members) is not dict:
        raise ValueError("not an object")
    for name, value in members.items():
        read = known.get(name)
        if read is None:
            raise ValueError("an unknown member")
        setattr(target, name, read(value))
    return target


def _is(*types: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if type(value) not in types:
            raise ValueError("of another type")
        return value

    return read


def _known_player(value: Any) -> Player:
    player = _hold(Player(-1), value, _PLAYER)
    return player if player.participant != -1 else _refuse("a player without participant")


def _known_result(value: Any) -> Result:
    result = _hold(Result(-1), value, _RESULT)
    return result if result.winner != -1 else _refuse("a result without winner")


def _refuse(what: str) -> Any:
    raise ValueError(what)


def _each(read: Callable[[Any], _T]) -> Callable[[Any], list[_T]]:
    def elements(value: Any) -> list[_T]:
        if type(value) is not list:
            raise ValueError("not an array")
        return [read(element) for element in value]

    return elements


_DECODER: Final = json.JSONDecoder(
    parse_float=read_number, parse_int=read_number, parse_constant=_refuse, object_pairs_hook=_members
)
_NUMBER: Final = _is(int, float, Decimal)
_INTEGER: Final = _is(int)
_STRING: Final = _is(str)
_RULES: Final = {"scoring": _STRING, "komi": _NUMBER, "type": _STRING}
_PARTICIPANT: Final = dict.fromkeys(("domain", "id", "name", "title", "rank"), _STRING)
_PLAYER: Final = {"participant": _INTEGER, "color": _INTEGER}
_RESULT: Final = {"winner": _is(int, type(None)), "margin": _NUMBER}
_KNOWN: Final[dict[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("domain", "id", "name", "time", "place"), _STRING),
    "rules": lambda value: _hold(GameRules(), value, _RULES),
    "participants": _each(lambda value: _hold(Participant(), value, _PARTICIPANT)),
    "players": _each(_known_player),
    "result": _known_result,
}


def _fill(target: _O, text: bytes, readers: Mapping[str, Reader]) -> _O:
    """Set what `readers` can read and keep the rest in `target.extra`."""
    if not text.startswith(b"{"):
        raise ValueError("not an object")
    parts = split(text)
    for quoted, value in zip(parts[::2], parts[1::2], strict=True):
        name = _name(quoted)
        try:
            setattr(target, name, readers[name](value))
        except (KeyError, ValueError):
            target.extra[name] = value
    return target


def _name(quoted: bytes) -> str:
    """The name of a member; the decoder has reported invalid UTF-8 and control characters."""
    name: str = json.loads(quoted.decode("utf-8", "replace"), strict=False)
    return name


def _text(value: bytes) -> str:
    if not value.startswith(b'"'):
        raise ValueError("not a string")
    text: str = json.loads(value)
    return text


def _number(value: bytes) -> Number:
    return read_number(value.decode("ascii", "replace"))


def _integer(value: bytes) -> int:
    number = _number(value)
    if isinstance(number, int):
        return number
    raise ValueError("not an integer")


def _winner(value: bytes) -> int | None:
    return None if value == b"null" else _integer(value)


def _elements(value: bytes, read: Callable[[bytes], _T]) -> list[_T]:
    if not value.startswith(b"["):
        raise ValueError("not an array")
    return [read(element) for element in split(value)]


def _rules(value: bytes) -> GameRules:
    return _fill(GameRules(), value, {"scoring": _text, "komi": _number, "type": _text})


def _participant(value: bytes) -> Participant:
    return _fill(Participant(), value, dict.fromkeys(("domain", "id", "name", "title", "rank"), _text))


def _player(value: bytes) -> Player:
    player = _fill(Player(-1), value, {"participant": _integer, "color": _integer})
    return player if player.participant != -1 else _refuse("a player without participant")


def _result(value: bytes) -> Result:
    result = _fill(Result(-1), value, {"winner": _winner, "margin": _number})
    return result if result.winner != -1 else _refuse("a result without winner")


def _participants(value: bytes) -> list[Participant]:
    return _elements(value, _participant)


def _players(value: bytes) -> list[Player]:
    return _elements(value, _player)


_INFO: Final[dict[str, Reader]] = {
    "domain": _text,
    "id": _text,
    "name": _text,
    "rules": _rules,
    "time": _text,
    "place": _text,
    "participants": _participants,
    "players": _players,
    "result": _result,
}
