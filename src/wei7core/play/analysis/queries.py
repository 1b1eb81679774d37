"""Queries that are with an engine: what is awaited of each, until when, and the text that it is sent as."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import inf
from typing import Any, Final

from ...coordinates import to_gtp
from ...rules import Rules, named
from ..katago_rules import rules_of
from ..lines_of_play import Line, LineSegment
from .rows import Row

__all__ = ["Deadlines", "Finished", "Query", "common_members", "encode", "position_members"]

_LETTERS: Final = {1: "B", 2: "W"}
_MOST_TEXTS: Final = 4096
_SHORTEST_WAIT: Final = 0.002  # seconds between two looks at all queries
encode: Final = json.JSONEncoder(separators=(",", ":")).encode


class Query:
    """A query whose responses are not all here; when it is over it is added to `finished`.

    It ends with its rows, with an `error`, or, given up, with neither. `missing` are the turns without a response,
    counted from `first_turn`; `deadline` is None where it may take any time.
    """

    __slots__ = ("deadline", "error", "finished", "first_turn", "game", "id", "missing", "rows", "seconds", "size")

    def __init__(
        self,
        identity: str,
        size: tuple[int, int],
        game: int,
        first_turn: int,
        turns: Sequence[int],
        finished: Finished,
    ) -> None:
        self.id = identity
        self.size = size
        self.game = game
        self.first_turn = first_turn
        self.missing = set(turns)
        self.rows: list[Row] = []
        self.error: Exception | None = None
        self.finished = finished
        self.seconds: float | None = None
        self.deadline: float | None = None


class Finished:
    """The queries of one call that are over, in their order, and a wait for the next one."""

    __slots__ = ("_waiter", "queries")

    def __init__(self) -> None:
        self.queries: deque[Query] = deque()
        self._waiter: asyncio.Future[None] | None = None

    def add(self, query: Query) -> None:
        """Add a query that is over."""
        self.queries.append(query)
        waiter = self._waiter
        if waiter is not None:
            self._waiter = None
            if not waiter.done():
                waiter.set_result(None)

    async def wait(self) -> None:
        """Wait until there is one."""
        while not self.queries:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter


class Deadlines:
    """One timer for the deadlines of many queries, those of `queries`.

    A query that is over costs nothing: it is only missed when the timer looks at those that are not. `expired` is
    called with each query whose time is over.
    """

    def __init__(self, queries: Mapping[str, Query], expired: Callable[[Query], None]) -> None:
        self._queries = queries
        self._expired = expired
        self._timer: asyncio.TimerHandle | None = None
        self._due = inf

    def add(self, query: Query, seconds: float) -> None:
        """Give a query so many seconds from now."""
        loop = asyncio.get_running_loop()
        query.seconds = seconds
        query.deadline = due = loop.time() + seconds
        if due < self._due:
            self._set(loop, due)

    def _set(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._due = due
        self._timer = loop.call_at(due, self._check)

    def _check(self) -> None:
        self.clear()
        loop = asyncio.get_running_loop()
        now = loop.time()
        due = inf
        for query in list(self._queries.values()):
            if query.deadline is not None:
                if query.deadline <= now:
                    self._expired(query)
                else:
                    due = min(due, query.deadline)
        if due < self._due:
            self._set(loop, max(due, now + _SHORTEST_WAIT))

    def clear(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._due = inf


def common_members(line: Line, komi: float | None, rules: Rules | str | None, settings: Mapping[str, Any]) -> str:
    """Return the members that queries of lines of one size, komi and rules share."""
    found: dict[str, Any] = {"boardXSize": line.size[0], "boardYSize": line.size[1]}
    rule_set = line.rules if rules is None else named(rules)
    found["rules"] = "tromp-taylor" if rule_set is None else rules_of(rule_set)
    points = line.komi if komi is None else komi
    if points is not None:
        found["komi"] = points
    found.update((name, value) for name, value in settings.items() if value is not None)
    return encode(found)[1:-1]


def position_members(line: Line, segment: LineSegment) -> str:
    """Return the members of a query for the moves of a segment, and the stones before them."""
    texts = _texts_of_moves(*line.size)
    found = f'"moves":[{",".join([texts[color, point] for color, point in segment.moves])}]'
    if segment.stones:
        found += f',"initialStones":[{",".join([texts[color, point] for color, point in segment.stones])}]'
    if not segment.moves or segment.first_turn == 0:
        player = _LETTERS[segment.moves[0][0] if segment.moves else line.to_play]
        found += f',"initialPlayer":"{player}"'
    return found


class _MoveTexts(dict["tuple[int, Any]", str]):
    """The text of each move on a board of that size, made when it is first asked for."""

    def __init__(self, width: int, height: int) -> None:
        self._size = width, height

    def __missing__(self, move: tuple[int, Any]) -> str:
        color, point = move
        text = f'["{_LETTERS[color]}","{to_gtp(point, *self._size)}"]'
        if len(self) < _MOST_TEXTS:
            self[move] = text
        return text


@lru_cache(maxsize=8)
def _texts_of_moves(width: int, height: int) -> _MoveTexts:
    return _MoveTexts(width, height)
