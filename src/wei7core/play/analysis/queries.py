"""Queries that are with an engine: what is awaited of each, until when, and the text that it is sent as."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from functools import lru_cache
from math import inf
from typing import Any, Final, Protocol

from ...coordinates import to_gtp
from ...rules import Rules, named
from ..katago_rules import rules_of
from ..lines_of_play import Line, LineSegment, Moves
from .rows import Row

__all__ = [
    "Answer",
    "Deadlines",
    "Finished",
    "PositionQuery",
    "Query",
    "Settings",
    "encode",
    "members_of_moves",
    "position_members",
]

_LETTERS: Final = {1: "B", 2: "W"}
_MOST_TEXTS: Final = 4096
_SHORTEST_WAIT: Final = 0.002  # seconds between two looks at all queries
encode: Final = json.JSONEncoder(separators=(",", ":")).encode


class Call(Protocol):
    """What waits for queries."""

    def add(self, query: Query) -> None:
        """Take a query that is over."""

    def add_row(self, row: Row) -> None:
        """Take the row of a `PositionQuery`."""


PositionQuery = tuple[Call, tuple[int, int], int, int, "float | None", "float | None"]
"""A query for one position: its call, size, game, turn, seconds and deadline.

It becomes a `Query` where anything but its row comes. Most never do, and a tuple is made in a fraction of the time.
"""


class Query:
    """A query whose responses are not all here; when it is over it is added to its `call`.

    It ends with its rows, with an `error`, or, given up, with neither. `missing` are the turns without a response,
    counted from `first_turn`, and the last one that came; `deadline` is None where it may take any time.
    """

    # Few objects that the garbage collector looks at: with thousands of queries it took a third of the time.
    __slots__ = ("call", "deadline", "error", "first_turn", "game", "id", "missing", "rows", "seconds", "size")

    def __init__(
        self, identity: str, size: tuple[int, int], game: int, first_turn: int, turns: Sequence[int], call: Call
    ) -> None:
        self.id = identity
        self.size = size
        self.game = game
        self.first_turn = first_turn
        self.missing: range | set[int] = range(turns[0], turns[0] + 1) if len(turns) == 1 else set(turns)
        self.rows: list[Row] | None = None
        self.error: Exception | None = None
        self.call = call
        self.seconds: float | None = None
        self.deadline: float | None = None

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
        self.queries: deque[Query | Row] = deque()
        self._waiter: asyncio.Future[None] | None = None

    def add(self, query: Query | Row) -> None:
        """Add a query that is over, or the row of one."""
        self.queries.append(query)
        waiter = self._waiter
        if waiter is not None:
            self._waiter = None
            if not waiter.done():
                waiter.set_result(None)

    add_row = add

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

    # Set when it is needed: calls for one position have no `queries` and are made often.
    __slots__ = ("_steps", "_waiting", "give_up", "identities", "queries", "turns")
    _steps: Generator[Any, None, list[Row]]  # of the coroutine, if it is one
    _waiting: int  # for other queries than the last
    give_up: Callable[[str], None]
    identities: Sequence[str]  # of the queries that are given up if the call is
    queries: Sequence[Query]
    turns: Sequence[int]

    def wait_for(self, queries: Sequence[Query], turns: Sequence[int]) -> None:
        """Wait for queries; the rows of turns are wanted then."""
        self.identities = [query.id for query in queries]
        self.queries = queries
        self.turns = turns
        self._waiting = len(queries) - 1

    def add(self, query: Query) -> None:
        """Take a query that is over."""
        if self.done():
            return
        if query.error is not None:
            self.fail(query.error)
        elif not self.queries:
            self.identities = ()
            self.set_result(query.rows or [])
        elif self._waiting:
            self._waiting -= 1
        else:
            found = {row.turn: row for part in self.queries for row in part.rows or ()}
            self.queries = self.identities = ()
            self.set_result([found[turn] for turn in self.turns])

    def add_row(self, row: Row) -> None:
        """Take the row of the one position."""
        if not self.done():
            self.identities = ()
            self.set_result([row])

    def fail(self, error: Exception) -> None:
        """End with an error, and give up the queries that are not over."""
        self.set_exception(error)
        self._give_up_all()

    def _give_up_all(self) -> None:
        identities, self.identities = self.identities, ()
        self.queries = ()
        for identity in identities:
            self.give_up(identity)

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


class Deadlines:
    """One timer for the deadlines of many queries, those of `queries`.

    A query that is over costs nothing: it is only missed when the timer looks at those that are not. `expired` is
    called with the identity of each query whose time is over.
    """

    def __init__(self, queries: Mapping[str, Query | PositionQuery], expired: Callable[[str], None]) -> None:
        self._queries = queries
        self._expired = expired
        self._timer: asyncio.TimerHandle | None = None
        self._due = inf

    def after(self, seconds: float, loop: asyncio.AbstractEventLoop) -> float:
        """Return the deadline of queries that have so many seconds from now; it is looked at from then on."""
        due = loop.time() + seconds
        if due < self._due:
            self._set(loop, due)
        return due

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
        for identity, query in list(self._queries.items()):
            deadline = query[-1] if isinstance(query, tuple) else query.deadline
            if deadline is not None:
                if deadline <= now:
                    self._expired(identity)
                else:
                    due = min(due, deadline)
        if due < self._due:
            self._set(loop, max(due, now + _SHORTEST_WAIT))

    def clear(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._due = inf


class Settings:
    """What queries of one call share; `size` is that of games that are lists of moves."""

    __slots__ = ("_komi", "_members", "_of_moves", "_rules", "_texts", "size")

    def __init__(
        self, size: int | tuple[int, int], komi: float | None, rules: Rules | str | None, members: Mapping[str, Any]
    ) -> None:
        self.size = (size, size) if isinstance(size, int) else (size[0], size[1])
        self._komi = komi
        self._rules = None if rules is None else named(rules)
        self._members = {name: value for name, value in members.items() if value is not None}
        self._texts: dict[Any, str] = {}
        self._of_moves = ""

    def common_of_moves(self) -> str:
        """Return the members of queries about lists of moves."""
        if not self._of_moves:
            self._of_moves = self.common(self.size)
        return self._of_moves

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
    found = f'"moves":[{_list_of(moves, line.size)}]'
    if segment.stones:
        found += f',"initialStones":[{_list_of(segment.stones, line.size)}]'
    if not moves or segment.first_turn == 0:
        player = _LETTERS[moves[0][0] if moves else line.to_play]
        found += f',"initialPlayer":"{player}"'
    return found


def members_of_moves(moves: Moves, size: tuple[int, int]) -> str:
    """Return the members of a query for moves on an empty board; the color of the first begins."""
    return f'"moves":[{_list_of(moves, size)}],"initialPlayer":"{_LETTERS[moves[0][0]] if moves else "B"}"'


def _list_of(moves: Sequence[Any], size: tuple[int, int]) -> str:
    texts = _texts_of_moves(size)
    try:
        return ",".join(map(texts.__getitem__, moves))
    except TypeError:  # of a move or a point that is a list
        return ",".join([texts[color, None if point is None else tuple(point)] for color, point in moves])


class _MoveTexts(dict["tuple[int, Any]", str]):
    """The text of each move on a board of that size, made when it is first asked for."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size

    def __missing__(self, move: tuple[int, Any]) -> str:
        color, point = move
        if color not in _LETTERS:
            raise ValueError(f"a color is 1 or 2, not {color!r:.40}")
        text = f'["{_LETTERS[color]}","{to_gtp(point, *self._size)}"]'
        if len(self) < _MOST_TEXTS:
            self[move] = text
        return text


@lru_cache(maxsize=8)
def _texts_of_moves(size: tuple[int, int]) -> _MoveTexts:
    return _MoveTexts(size)
