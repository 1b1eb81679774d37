"""Pending queries of an engine: the awaited responses of each, its deadline, and its text."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from math import inf
from typing import Any, Final, Protocol

from ...board.gtp_moves import moves_to_json
from ...coordinates import to_gtp
from ...rules import Rules, named
from ..katago_rules import rules_of
from ..lines_of_play import Line, LineSegment
from .rows import Row

_LETTERS: Final = {1: "B", 2: "W"}
_MOST_TEXTS: Final = 4096
_SHORTEST_WAIT: Final = 0.002  # seconds between two looks at all queries
encode: Final = json.JSONEncoder(separators=(",", ":")).encode


class Call(Protocol):
    """A call that waits for queries."""

    def add(self, query: Query) -> None:
        """Take a query that is over."""


class Query:
    """A query whose responses are not all here; when it is over it is added to its `call`.

    It ends with its `rows`, with an `error`, or, given up, with neither. `missing` are the turns without a response,
    counted from `first_turn`, and the last one that came.
    """

    # Few objects that the garbage collector looks at: with thousands of queries it took a third of the time.
    __slots__ = ("call", "due", "error", "first_turn", "game", "id", "missing", "rows", "size")

    def __init__(
        self,
        identity: str,
        size: tuple[int, int],
        game: int,
        first_turn: int,
        turns: Sequence[int],
        call: Call,
        due: Deadline,
    ) -> None:
        self.id = identity
        self.size = size
        self.game = game
        self.first_turn = first_turn
        self.missing: Sequence[int] | set[int] = turns if len(turns) == 1 else set(turns)
        self.call = call
        self.due = due
        self.rows: list[Row] | None = None
        self.error: Exception | None = None

    def add(self, row: Row, turn: int) -> bool:
        """Add the row of a missing turn; return whether it was the last."""
        if self.rows is None:
            self.rows = [row]
        else:
            self.rows.append(row)
        missing = self.missing
        if len(missing) == 1:
            return True
        assert isinstance(missing, set)
        missing.remove(turn)
        return False


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


class Answer(asyncio.Future["list[Row]"], Coroutine[Any, Any, "list[Row]"]):
    """The rows of one call of `KataGo.query`, once its queries are over.

    It can be awaited and cancelled, and made a task, as a coroutine can. But it is a future: a task of each call would
    take longer than all else that is done for a query.
    """

    __slots__ = ("_steps", "_waiting", "give_up", "queries", "turns")
    _steps: Generator[Any, None, list[Row]]  # of the coroutine, if it is one
    _waiting: int  # for other queries than the last
    give_up: Callable[[Query], None]
    queries: Sequence[Query]  # which are given up if the call is
    turns: Sequence[int]

    def wait_for(self, queries: Sequence[Query], turns: Sequence[int]) -> None:
        """Wait for queries; the rows of turns are wanted then."""
        self.queries = queries
        self.turns = turns
        self._waiting = len(queries) - 1

    def add(self, query: Query) -> None:
        """Take a query that is over."""
        if self.done():
            return
        if query.error is not None:
            self.fail(query.error)
        elif self._waiting:
            self._waiting -= 1
        else:
            rows = query.rows or []
            if len(self.turns) > 1:
                found = {row.turn: row for part in self.queries for row in part.rows or ()}
                rows = [found[turn] for turn in self.turns]
            self.queries = ()
            self.set_result(rows)

    def fail(self, error: Exception) -> None:
        """End with an error, and give up the queries that are not over."""
        self.set_exception(error)
        self._give_up_all()

    def _give_up_all(self) -> None:
        queries, self.queries = self.queries, ()
        for query in queries:
            self.give_up(query)

    def cancel(self, msg: Any = None) -> bool:
        """Cancel the call; its queries are given up."""
        is_cancelled = super().cancel(msg)
        if is_cancelled:
            self._give_up_all()
        return is_cancelled

    def send(self, value: Any) -> Any:
        """Go on, as a coroutine does."""
        return self._going().send(value)

    def throw(self, *error: Any) -> Any:
        """Raise an error where it waits, as a coroutine does."""
        self.cancel()
        return self._going().throw(*error)

    def _going(self) -> Generator[Any, None, list[Row]]:
        try:
            return self._steps
        except AttributeError:
            self._steps = self.__await__()
            return self._steps

    def close(self) -> None:
        """End, as a coroutine does."""
        self.cancel()


class Deadline:
    """The time when queries that are sent together are over; without a limit it never comes."""

    __slots__ = ("at", "seconds")

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds  # from the time when they are sent
        self.at = inf


class _UnsentDeadlines(dict["float | None", Deadline]):
    """The deadline of the queries that are not sent yet, by their seconds."""

    def __missing__(self, seconds: float | None) -> Deadline:
        deadline = self[seconds] = Deadline(seconds)
        return deadline


class Deadlines:
    """One timer for the deadlines of many queries, those of `queries`.

    A query that is over costs nothing: it is only missed when the timer looks at those that are not. `expired` is
    called with each query whose time is over.
    """

    def __init__(self, queries: Mapping[str, Query], expired: Callable[[Query], None]) -> None:
        self._queries = queries
        self._expired = expired
        self.unsent = _UnsentDeadlines()
        self._timer: asyncio.TimerHandle | None = None
        self._next = inf

    def start(self) -> None:
        """Count the seconds of the queries that are not sent yet from now on."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for deadline in self.unsent.values():
            if deadline.seconds is not None:
                deadline.at = now + deadline.seconds
                if deadline.at < self._next:
                    self._set(loop, deadline.at)
        self.unsent.clear()

    def _set(self, loop: asyncio.AbstractEventLoop, time: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._next = time
        self._timer = loop.call_at(time, self._check)

    def _check(self) -> None:
        self.clear()
        loop = asyncio.get_running_loop()
        now = loop.time()
        following = inf
        for query in list(self._queries.values()):
            if query.due.at <= now:
                self._expired(query)
            else:
                following = min(following, query.due.at)
        if following < self._next:
            self._set(loop, max(following, now + _SHORTEST_WAIT))

    def clear(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._next = inf


class Settings:
    """The settings shared by the queries of a call; `size` is that of games that are lists of moves."""

    __slots__ = ("_komi", "_members", "_rules", "_texts", "ends_of_one", "size")

    def __init__(
        self, size: int | tuple[int, int], komi: float | None, rules: Rules | str | None, members: Mapping[str, Any]
    ) -> None:
        self.size = (size, size) if isinstance(size, int) else (size[0], size[1])
        self._komi = komi
        self._rules = None if rules is None else named(rules)
        self._members = {name: value for name, value in members.items() if value is not None}
        self._texts: dict[Any, str] = {}
        self.ends_of_one: dict[int, str] = {}  # of queries for one turn, by that

    def end_of_moves(self, turns: Sequence[int]) -> str:
        """Return the last members of a query for turns of a list of moves."""
        end = f'{self.common(self.size)},"analyzeTurns":{list(dict.fromkeys(turns))}}}'
        if len(turns) == 1 and len(self.ends_of_one) < _MOST_TEXTS:
            self.ends_of_one[turns[0]] = end
        return end

    def common(self, size: tuple[int, int], rules: Rules | None = None, komi: float | None = None) -> str:
        """Return the members of queries about games of that size, and of those rules and komi unless others are set."""
        key = size, rules, komi
        text = self._texts.get(key)
        if text is None:
            rule_set = self._rules or rules
            points = komi if self._komi is None else self._komi
            found: dict[str, Any] = {"boardXSize": size[0], "boardYSize": size[1]}
            found["rules"] = "tromp-taylor" if rule_set is None else rules_of(rule_set)
            if points is not None:
                found["komi"] = points
            text = encode({**found, **self._members})[1:-1]
            if len(self._texts) < _MOST_TEXTS:
                self._texts[key] = text
        return text


def position_members(line: Line, segment: LineSegment) -> str:
    """Return the members of a query for the moves of a segment, and the stones before them."""
    moves = segment.moves
    found = f'"moves":[{text_of_moves(moves, line.size)}]'
    if segment.stones:
        found += f',"initialStones":[{text_of_moves(segment.stones, line.size)}]'
    if not moves or segment.first_turn == 0:
        player = _LETTERS[moves[0][0] if moves else line.to_play]
        found += f',"initialPlayer":"{player}"'
    return found


def text_of_moves(moves: Sequence[Any], size: tuple[int, int]) -> str:
    """Return moves, or stones, as elements of an array. Raises `ValueError` for one that the board cannot have."""
    text = moves_to_json(moves, size[0], size[1]) if type(moves) is list else None
    return ",".join([_text_of(color, point, size) for color, point in moves]) if text is None else text


def _text_of(color: Any, point: Any, size: tuple[int, int]) -> str:
    if color not in _LETTERS:
        raise ValueError(f"a color is 1 or 2, not {color!r:.40}")
    return f'["{_LETTERS[color]}","{to_gtp(None if point is None else tuple(point), *size)}"]'
