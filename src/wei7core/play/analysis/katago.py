"""`KataGo`: an analysis engine as a process that asyncio programs send queries to."""

from __future__ import annotations

import asyncio
import json
import os
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from ...coordinates import to_gtp
from ...errors import EngineDiedError, EngineError, EngineTimeoutError
from ...game.game import Game
from ...rules import Rules, named
from ..engine_client import EngineClient
from ..engine_process import EngineProcess
from ..katago_rules import rules_of
from ..lines_of_play import Line, Moves, Segment, line_of, line_of_moves
from .rows import Row, read_row

__all__ = ["KataGo"]

_LETTERS: Final = {1: "B", 2: "W"}
_SHOWN: Final = 300
_encode: Final = json.JSONEncoder(separators=(",", ":")).encode
_decode: Final = json.JSONDecoder().decode


class _Query:
    """A query whose responses are not all here; `over` is called once: with its rows, an `error`, or neither."""

    __slots__ = ("error", "expected", "first_turn", "game", "id", "is_over", "line", "over", "rows", "timer")

    def __init__(
        self,
        identity: str,
        line: Line,
        game: int,
        first_turn: int,
        turns: Collection[int],
        over: Callable[[_Query], None],
    ) -> None:
        self.id = identity
        self.line = line
        self.game = game
        self.first_turn = first_turn
        self.expected = set(turns)
        self.rows: list[Row] = []
        self.error: Exception | None = None
        self.is_over = False
        self.over = over
        self.timer: asyncio.TimerHandle | None = None


class _Finished:
    """The queries of one call that are over, in their order, and a wait for the next one."""

    __slots__ = ("queries", "wake")

    def __init__(self) -> None:
        self.queries: deque[_Query] = deque()
        self.wake = asyncio.Event()

    def add(self, query: _Query) -> None:
        self.queries.append(query)
        self.wake.set()

    async def wait(self) -> None:
        """Wait until there is one."""
        while not self.queries:
            self.wake.clear()
            await self.wake.wait()


class KataGo(EngineClient):
    """KataGo's analysis engine, run as a process.

        async with w7.analysis.KataGo("katago analysis -config analysis.cfg") as katago:
            rows = await katago.query(game, turns=[0, 10])

    `command` is a text, split as a shell does, or a list of arguments. `timeout`: seconds for all responses of a query,
    None: no limit. `quit_timeout`: seconds for the engine to end before it is killed. `cwd`, `env`: of the process.
    `on_stderr` is called with each line that it writes to standard error, `on_warning` with each warning about a query.

    Queries of several tasks run in parallel and return as the engine finishes them. A query that times out or is
    cancelled is terminated in the engine; its later responses are dropped.

    Errors: `EngineError` if the engine refuses a query or sends an invalid answer, with query and answer,
    `EngineTimeoutError`, `EngineDiedError`. `OSError` if the program cannot be started.

    Thread safety: for the thread of one event loop.
    """

    def __init__(
        self,
        command: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        timeout: float | None = None,
        quit_timeout: float = 2.0,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        on_stderr: Callable[[str], None] | None = None,
        on_warning: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(command, timeout=timeout, quit_timeout=quit_timeout, cwd=cwd, env=env, on_stderr=on_stderr)
        self._on_warning = on_warning
        self._queries: dict[str, _Query] = {}
        self._next_id = 0
        self._unsent: list[str] = []  # written together, at the next turn of the event loop at the latest

    # --- start and end ---

    async def start(self) -> None:
        """Start the engine. Raises `OSError` where it cannot be started, `EngineError` where it is running."""
        self._require_stopped()
        self._end = None
        self._unsent.clear()
        self._process = EngineProcess(on_lines=self._received, on_end=self._ended, on_stderr=self._on_stderr)
        await self._process.start(self._arguments, cwd=self._cwd, env=self._env)

    async def close(self) -> None:
        """End the engine; queries that wait fail with `EngineDiedError`. At the return no process of it remains."""
        if self._process is not None:
            self._flush()
            await self._process.close(b'{"id":"end","action":"terminate_all"}\n', self.quit_timeout)

    # --- queries ---

    async def query(
        self,
        game: Game | Moves,
        turns: Iterable[int] | None = None,
        *,
        size: int | tuple[int, int] = 19,
        max_visits: int | None = None,
        komi: float | None = None,
        rules: Rules | str | None = None,
        ownership: bool = False,
        timeout: float | None = None,
        **options: Any,
    ) -> list[Row]:
        """Analyse positions of one game: return a row for each of `turns`, in order.

        `game` is a game (its main line) or a list of moves `(color, point)` on an empty board of `size`.
        `turns` count moves: 0 is the start; None is the position at the end. `komi` and `rules` override those of the
        record; without any, KataGo's defaults apply. `options` are further members of the query, under KataGo's names.

        Raises `IndexError` for a turn beyond the line, and the errors of the class.
        """
        line = line_of(game) if isinstance(game, Game) else line_of_moves(game, size)
        wanted = [line.turns] if turns is None else list(turns)
        settings = {"maxVisits": max_visits, "includeOwnership": ownership or None, **options}
        seconds = self.timeout if timeout is None else timeout
        finished = _Finished()
        queries: list[_Query] = []
        found: dict[int | None, Row] = {}
        try:
            self._ask(queries, line, 0, wanted, _common(line, komi, rules, settings), seconds, finished)
            await self._drain()
            for _ in queries:
                found.update((row.turn, row) for row in await _next_rows(finished))
        finally:
            self._give_up(queries)
        return [found[turn] for turn in wanted]

    async def analyze(
        self,
        games: Iterable[Game | Moves],
        every: int = 1,
        *,
        in_flight: int = 64,
        done: Collection[tuple[int, int]] = (),
        size: int | tuple[int, int] = 19,
        max_visits: int | None = None,
        komi: float | None = None,
        rules: Rules | str | None = None,
        ownership: bool = False,
        **options: Any,
    ) -> AsyncIterator[Row]:
        """Yield a row for every `every`th position of many games, as the engine finishes them.

        At most `in_flight` games are queried at once; the iterable is read as needed. `done` has pairs of a game and a
        turn to skip. A game that the engine refuses, or that cannot be read, has one row with `error`.
        `contextlib.aclosing` around the loop terminates the remaining queries when the loop ends.

        Raises `ValueError` if `every` or `in_flight` is less than 1, and the errors of the class.
        """
        if every < 1 or in_flight < 1:
            raise ValueError("every and in_flight are 1 or more")
        settings = {"maxVisits": max_visits, "includeOwnership": ownership or None, **options}
        finished = _Finished()
        waiting: dict[str, _Query] = {}
        commons: dict[Any, str] = {}
        source = enumerate(games)
        more = True
        try:
            while more or waiting:
                while more and len(waiting) < in_flight:
                    number, game = next(source, (-1, None))
                    if game is None:
                        more = False
                        break
                    try:
                        line = line_of(game) if isinstance(game, Game) else line_of_moves(game, size)
                    except (ValueError, TypeError) as error:
                        yield Row(game=number, error=str(error))
                        continue
                    turns = [turn for turn in range(0, line.turns + 1, every) if (number, turn) not in done]
                    key = line.size, line.rules, line.komi
                    if key not in commons:
                        commons[key] = _common(line, komi, rules, settings)
                    asked: list[_Query] = []
                    try:
                        self._ask(asked, line, number, turns, commons[key], self.timeout, finished)
                    finally:
                        waiting.update((query.id, query) for query in asked)
                await self._drain()
                if waiting:
                    await finished.wait()
                while finished.queries:
                    query = finished.queries.popleft()
                    del waiting[query.id]
                    for row in _rows_or_error(query):
                        yield row
        finally:
            self._give_up(waiting.values())

    async def version(self) -> str:
        """Return the version that the engine reports. Raises the errors of the class."""
        finished = _Finished()
        query = self._new_query(line_of_moves([]), 0, 0, (), finished)
        self._send(_encode({"id": query.id, "action": "query_version"}))
        self._set_timer(query, self.timeout)
        try:
            (row,) = await _next_rows(finished)
        finally:
            self._give_up([query])
        return str(row.extra.get("version", ""))

    def _ask(
        self,
        queries: list[_Query],
        line: Line,
        game: int,
        turns: Sequence[int],
        common: str,
        timeout: float | None,
        finished: _Finished,
    ) -> None:
        """Send the queries of one line, one for each of its segments that has a turn, and add them to `queries`."""
        by_segment: dict[int, tuple[Segment, list[int]]] = {}
        for turn in dict.fromkeys(turns):
            segment = line.at(turn)
            by_segment.setdefault(id(segment), (segment, []))[1].append(turn)
        for segment, asked in by_segment.values():
            relative = [turn - segment.first_turn for turn in asked]
            query = self._new_query(line, game, segment.first_turn, relative, finished)
            queries.append(query)
            self._send(f'{{"id":"{query.id}",{_position(line, segment)},{common},"analyzeTurns":{relative}}}')
            self._set_timer(query, timeout)

    def _new_query(self, line: Line, game: int, first_turn: int, turns: Collection[int], finished: _Finished) -> _Query:
        if not self.is_alive:
            raise self._end or EngineDiedError(f"{self.name} is not running", engine=self.name)
        self._next_id += 1
        query = _Query(f"q{self._next_id}", line, game, first_turn, turns, finished.add)
        self._queries[query.id] = query
        return query

    def _send(self, message: str) -> None:
        if not self._unsent:
            asyncio.get_running_loop().call_soon(self._flush)
        self._unsent.append(message)

    def _flush(self) -> None:
        if self._unsent and self._process is not None:
            self._process.write("\n".join([*self._unsent, ""]).encode())
        self._unsent.clear()

    async def _drain(self) -> None:
        self._flush()
        if self._process is not None:
            await self._process.drain()

    def _set_timer(self, query: _Query, seconds: float | None) -> None:
        if seconds is not None:
            query.timer = asyncio.get_running_loop().call_later(seconds, self._timed_out, query, seconds)

    def _timed_out(self, query: _Query, seconds: float) -> None:
        error = EngineTimeoutError(
            f"{self.name} did not answer the query {query.id} within {seconds:g} s", engine=self.name, command=query.id
        )
        self._finish(query, error)
        self._terminate(query)

    def _give_up(self, queries: Iterable[_Query]) -> None:
        """Terminate unanswered queries, for which no task waits any more."""
        for query in queries:
            if query.id in self._queries:
                self._finish(query, None)
                self._terminate(query)

    def _terminate(self, query: _Query) -> None:
        if self.is_alive:
            self._send(_encode({"id": f"t{query.id}", "action": "terminate", "terminateId": query.id}))

    def _finish(self, query: _Query, error: Exception | None) -> None:
        """End a query: with an error, with its rows, or, where these are not complete, because it is given up."""
        self._queries.pop(query.id, None)
        if query.timer is not None:
            query.timer.cancel()
        if not query.is_over:
            query.is_over = True
            query.error = error
            query.over(query)

    # --- responses ---

    def _received(self, lines: list[bytes]) -> None:
        for line in lines:
            text = line.decode("utf-8", "replace").strip()
            if not text.startswith("{"):
                if text:
                    self.unexpected.append(text[:_SHOWN])
                continue
            try:
                response = _decode(text)
            except (ValueError, RecursionError) as error:
                raise EngineError(
                    f"{self.name} sent invalid JSON: {error}: {text[:_SHOWN]!r}",
                    engine=self.name,
                    answer=text[:_SHOWN],
                ) from None
            self._take(response, text)

    def _take(self, response: dict[str, Any], text: str) -> None:
        identity = response.get("id")
        query = self._queries.get(identity) if isinstance(identity, str) else None
        if query is None:
            if "error" in response and identity is None:
                # It belongs to one of the queries, but the engine does not name it.
                raise EngineError(f"{self.name} refused a query: {text[:_SHOWN]}", engine=self.name)
            if not (isinstance(identity, str) and identity[:1] in ("q", "t", "e")):
                self.unexpected.append(text[:_SHOWN])
            return
        if "warning" in response:
            if self._on_warning is not None:
                self._on_warning(f"{response.get('field', '')}: {response['warning']}")
            return
        if "error" in response:
            field = f"{response['field']}: " if "field" in response else ""
            self._fail(query, f"refused the query: {field}{response['error']}", text)
            return
        if response.get("isDuringSearch"):
            return
        if response.get("action") == "query_version":
            query.rows.append(Row(extra=response))
            self._finish(query, None)
            return
        self._take_turn(query, response, text)

    def _take_turn(self, query: _Query, response: dict[str, Any], text: str) -> None:
        turn = response.get("turnNumber")
        if isinstance(turn, bool) or not isinstance(turn, int):
            self._fail(query, "answered without a turn", text)
        elif response.get("noResults"):
            self._fail(query, f"has no result for turn {query.first_turn + turn}", text)
        elif turn in query.expected:
            try:
                row = read_row(response, query.line.size, query.game, query.first_turn + turn)
            except ValueError as error:
                self._fail(query, f"answered nonsense: {error}", text)
                return
            query.expected.discard(turn)
            query.rows.append(row)
            if not query.expected:
                self._finish(query, None)
        elif not any(row.turn == query.first_turn + turn for row in query.rows):
            self._fail(query, f"answered for turn {turn}, which was not requested", text)

    def _fail(self, query: _Query, what: str, text: str) -> None:
        error = EngineError(
            f"{self.name} {what} (query {query.id}, answer {text[:_SHOWN]!r})",
            engine=self.name,
            command=query.id,
            answer=text[:_SHOWN],
        )
        self._finish(query, error)
        self._terminate(query)

    def _ended(self, error: EngineDiedError) -> None:
        self._end = error
        for query in list(self._queries.values()):
            self._finish(query, error)


async def _next_rows(finished: _Finished) -> list[Row]:
    """The rows of the next query that is over. Raises its error."""
    await finished.wait()
    query = finished.queries.popleft()
    if query.error is not None:
        raise query.error
    return query.rows


def _rows_or_error(query: _Query) -> list[Row]:
    error = query.error
    if error is None:
        rows = query.rows
        if len(rows) > 1:
            rows.sort(key=lambda row: row.turn or 0)
        return rows
    if isinstance(error, (EngineDiedError, EngineTimeoutError)):
        raise error
    return [Row(game=query.game, error=str(error), size=query.line.size)]


def _common(line: Line, komi: float | None, rules: Rules | str | None, settings: Mapping[str, Any]) -> str:
    """The members that queries of lines of one size, komi and rules share."""
    found: dict[str, Any] = {"boardXSize": line.size[0], "boardYSize": line.size[1]}
    rule_set = line.rules if rules is None else named(rules)
    found["rules"] = "tromp-taylor" if rule_set is None else rules_of(rule_set)
    points = line.komi if komi is None else komi
    if points is not None:
        found["komi"] = points
    found.update((name, value) for name, value in settings.items() if value is not None)
    return _encode(found)[1:-1]


def _position(line: Line, segment: Segment) -> str:
    """The members of a query for the moves of a segment, and the stones before them."""
    width, height = line.size
    moves = ",".join([_move_text(color, point, width, height) for color, point in segment.moves])
    found = f'"moves":[{moves}]'
    if segment.stones:
        stones = ",".join([_move_text(color, point, width, height) for color, point in segment.stones])
        found += f',"initialStones":[{stones}]'
    if not segment.moves or segment.first_turn == 0:
        player = _LETTERS[segment.moves[0][0] if segment.moves else line.to_play]
        found += f',"initialPlayer":"{player}"'
    return found


@lru_cache(maxsize=4096)
def _move_text(color: int, point: tuple[int, int] | None, width: int, height: int) -> str:
    return f'["{_LETTERS[color]}","{to_gtp(point, width, height)}"]'
