"""The `game` element of wei7 2.x: its problems (clauses 3.5 to 3.9), and its content as `Info`.

Komi that is absent means none where there are `rules` (clause 3.6), and stays None here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from xml.parsers import expat

from ...record.document import GameRules, HasExtra, Info, Participant, Player, Result
from .clauses import REQUIRED_NAMES
from .text import SPACE, Span, Tag, element_end, tag_at, value_text, without_remarks
from .values import half, is_date_time, short_text_problem

KOMI_BELOW: Final = 10
MARGIN_BELOW: Final = 512

PERSON: Final = ("domain", "id", "name", "title", "rank")
"""Attributes of a player, in the order they are written."""

_GAME: Final = ("domain", "id", "name")
_WINNERS: Final[dict[str, int | None]] = {"black": 1, "white": 2, "neither": None}
_COLORS: Final = {"black": 1, "white": 2}

Note = Callable[..., None]
Check = Callable[[str], str | None]


def _one_of(*values: str) -> Check:
    return lambda value: None if value in values else "value-not-allowed"


# The place and the test of each attribute, by element.
_ATTRIBUTES: Final[dict[str, dict[str, tuple[str, Check]]]] = {
    "game": dict.fromkeys(_GAME, ("game-text", short_text_problem)),
    "rules": {
        "scoring": ("scoring", _one_of("area", "territory")),
        "komi": ("komi", lambda value: half(value, KOMI_BELOW)[1]),
        "type": ("rules-type", _one_of("Chinese", "Japanese", "Korean")),
    },
    "time": {},
    "black": dict.fromkeys(PERSON, ("player-text", short_text_problem)),
    "white": dict.fromkeys(PERSON, ("player-text", short_text_problem)),
    "result": {
        "winner": ("winner", _one_of(*_WINNERS)),
        "margin": ("margin", lambda value: half(value, MARGIN_BELOW)[1]),
    },
}
_UNKNOWN: Final[tuple[str, Check]] = ("", lambda _: "unknown-attribute")
_PLACES: Final = {"game": "game-attributes", "black": "player", "white": "player"}


class GameReader:
    """Reports the problems of one `game` while its tags are read."""

    def __init__(self, note: Note, source: bytes) -> None:
        self._note = note
        self._source = source
        self._seen: set[str] = set()

    def start(self, name: str, at: int, attributes: list[str]) -> None:
        """Check the tag of `game` or of one of its children, and its attributes."""
        place = _PLACES.get(name, name)
        if name in self._seen:
            self._note("element-repeated", "game", at)
        self._seen.add(name)
        known = _ATTRIBUTES[name]
        tag: Tag | None = None  # most have no problem, and need no places
        for attribute, value in zip(attributes[::2], attributes[1::2], strict=True):
            where, check = known.get(attribute, _UNKNOWN)
            code = check(value)
            if code is None:
                continue
            tag = tag or tag_at(self._source, at)
            key, (begin, _) = tag.attributes[attribute]
            if attribute in known:
                self._note(code, where, begin, len(value))
            else:
                self._note(code, place, key[0])
        if name == "result" and "winner" not in attributes[::2]:
            self._note("missing-attribute", "winner", at, REQUIRED_NAMES.index("winner"))

    def time(self, text: str, at: int) -> None:
        """Check the text of `time`, which begins at `at`."""
        if not is_date_time(text.strip(SPACE)):
            self._note("datetime-invalid", "time", at)


def info_from_game(raw: bytes) -> Info:
    """Return the content of a well-formed `game` element; what `Info` does not define is kept in `extra`, as written.

    Any thread may call this.
    """
    return _InfoReader(raw).info()


def game_id(raw: bytes) -> str | None:
    """Return the `id` of a well-formed `game` element, or None. Any thread may call this."""
    spans = tag_at(raw, 0).attributes.get("id")
    return None if spans is None else value_text(raw[slice(*spans[1])])


class _InfoReader:
    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._info = Info()
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartCdataSectionHandler = lambda: self._section(self._parser.CurrentByteIndex)
        self._parser.EndCdataSectionHandler = lambda: self._section(-1)
        self._depth = 0
        self._seen: set[str] = set()
        self._owner: HasExtra = self._info
        self._cdata = -1  # where the CDATA section begins that is open
        self._from = -1  # where unexpected text begins
        self._inner: tuple[HasExtra, int] | None = None  # whose element is not known, and where it begins
        self._time: list[str] | None = None
        self._time_at = 0

    def info(self) -> Info:
        self._parser.Parse(self._raw, True)
        return self._info

    def _start(self, name: str, _attributes: Any) -> None:
        at = self._parser.CurrentByteIndex
        self._end_text(at)
        self._depth += 1
        if self._inner is not None:
            return
        tag = tag_at(self._raw, at)
        if self._depth == 1:
            self._fill(self._info, tag, dict.fromkeys(_GAME, _text))
        elif self._depth == 2 and name in _READERS and name not in self._seen:
            self._seen.add(name)
            _READERS[name](self, tag, name)
        elif self._depth == 2 and name == "time" and name not in self._seen:
            self._seen.add(name)
            self._time, self._time_at = [], at
            self._owner = self._info
            if tag.attributes:
                self._keep_time()
        elif self._time is not None:  # an element in `time`, which means nothing outside it
            self._inner = self._info, self._depth
            self._keep_time()
        else:
            self._inner = (self._owner if self._depth > 2 else self._info), self._depth
            self._keep(self._inner[0], (at, element_end(self._raw, at)))

    def _keep_time(self) -> None:
        at = self._time_at
        self._info.extra["<time>"] = without_remarks(self._raw[at : element_end(self._raw, at)])

    def _end(self, _name: str) -> None:
        self._end_text(self._parser.CurrentByteIndex)
        self._depth -= 1
        if self._inner is not None:
            if self._depth < self._inner[1]:
                self._inner = None
            return
        if self._time is not None:
            self._info.time = "".join(self._time).strip(SPACE)
            self._time = None
        self._owner = self._info

    def _section(self, at: int) -> None:
        self._cdata = at

    def _text(self, data: str) -> None:
        if self._inner is not None:
            return
        if self._time is not None:
            self._time.append(data)
        elif self._from < 0 and data.strip(SPACE):
            self._from = self._parser.CurrentByteIndex if self._cdata < 0 else self._cdata

    def _end_text(self, at: int) -> None:
        if self._from >= 0:
            self._keep(self._owner, (self._from, at))
            self._from = -1

    def _keep(self, owner: HasExtra, span: Span, *, is_known: bool = False) -> None:
        """Keep unknown content; comments in a known element are kept separately."""
        raw = self._raw[slice(*span)].strip(SPACE.encode())
        owner.extra["#content"] = owner.extra.get("#content", b"") + (without_remarks(raw) if is_known else raw)

    def _fill(self, owner: HasExtra, tag: Tag, readers: dict[str, Callable[[str], Any]]) -> None:
        self._owner = owner
        for name, (_, value) in tag.attributes.items():
            raw = self._raw[slice(*value)]
            try:
                setattr(owner, name, readers[name](value_text(raw)))
            except (KeyError, ValueError):
                owner.extra[name] = raw

    def _rules(self, tag: Tag, _name: str) -> None:
        self._info.rules = GameRules()
        self._fill(self._info.rules, tag, {"scoring": _text, "komi": _half(KOMI_BELOW), "type": _text})

    def _result(self, tag: Tag, _name: str) -> None:
        result = Result(-1)
        self._fill(result, tag, {"winner": _winner, "margin": _half(MARGIN_BELOW)})
        if result.winner == -1:
            at = tag.name[0] - 1
            self._keep(self._info, (at, element_end(self._raw, at)), is_known=True)
            self._inner = self._info, self._depth
            return
        self._info.result = result

    def _player(self, tag: Tag, name: str) -> None:
        person = Participant()
        self._fill(person, tag, dict.fromkeys(PERSON, _text))
        people = self._info.participants
        player = Player(len(people), _COLORS[name])
        people.append(person)
        self._info.players.append(player)
        if name == "black" and len(people) > 1:
            # Black comes first, regardless of the order of the elements.
            people.reverse()
            self._info.players = [Player(0, _COLORS["black"]), Player(1, _COLORS["white"])]


_READERS: Final[dict[str, Callable[[_InfoReader, Tag, str], None]]] = {
    "rules": _InfoReader._rules,
    "black": _InfoReader._player,
    "white": _InfoReader._player,
    "result": _InfoReader._result,
}


def _text(value: str) -> str:
    return value


def _winner(value: str) -> int | None:
    if value not in _WINNERS:
        raise ValueError("no winner")
    return _WINNERS[value]


def _half(below: int) -> Callable[[str], Any]:
    def read(value: str) -> Any:
        number, _ = half(value, below)
        if number is None:
            raise ValueError("no number")
        return number

    return read
