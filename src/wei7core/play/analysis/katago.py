"""`KataGo`: an analysis engine as a process that asyncio programs send queries to."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import index
from typing import Any, Final

from ...errors import EngineDiedError, EngineError, EngineTimeoutError
from ...game.game import Game
from ...rules import Rules
from ..engine_client import EngineClient
from ..engine_process import EngineProcess
from ..lines_of_play import Line, LineSegment, Moves, line_of, out_of_range
from .queries import (
    Answer,
    Call,
    Deadlines,
    Finished,
    Query,
    Settings,
    encode,
    position_members,
    text_of_moves,
)
from .rows import Row, plain_row, read_plain, read_row, words_of

_SHOWN: Final = 300
_START: Final = (0,)  # the turns of a game that is shorter than `every`
_MOST_SETTINGS: Final = 64
_SENT_TOGETHER: Final = 64
_decode: Final = json.JSONDecoder().decode


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
        self._queries: dict[str, Query] = {}
        self._deadlines = Deadlines(self._queries, self._timed_out)
        self._settings: dict[Any, Settings] = {}
        self._next_id = 0
        self._takes_queries = False  # whether the process is alive
        self._size = (19, 19)  # of the board of the last query that was answered
        self._words = words_of(self._size)
        self._give_up_one = self._give_up  # one method object for all answers
        self._unsent: list[str] = []  # written together, at the next turn of the event loop at the latest

    # --- start and end ---

    async def start(self) -> None:
        """Start the engine. Raises `OSError` if it cannot be started, `EngineError` if it is running."""
        self._require_stopped()
        self._end = None
        self._unsent.clear()
        self._process = EngineProcess(on_lines=self._received, on_end=self._ended, on_stderr=self._on_stderr)
        await self._process.start(self._arguments, cwd=self._cwd, env=self._env)
        self._takes_queries = self.is_alive

    async def close(self) -> None:
        """End the engine; queries that wait fail with `EngineDiedError`. At the return no process of it remains."""
        if self._process is not None:
            self._flush()
            await self._process.close(b'{"id":"end","action":"terminate_all"}\n', self.quit_timeout)

    # --- queries ---

    def query(
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
    ) -> Answer:
        """Analyse positions of one game: `await` it for a row for each of `turns`, in order.

        `game` is a game (its main line) or a list of moves `(color, point)` on an empty board of `size`.
        `turns` count moves: 0 is the start; None is the position at the end. `komi` and `rules` override those of the
        record; without any, KataGo's defaults apply. `options` are further members of the query, under KataGo's names.

        The query is sent at once. What is returned is a future that is also a coroutine: several are awaited together
        by `asyncio.gather`, and `cancel` terminates the query. Awaited, it raises `IndexError` for a turn beyond the
        line, and the errors of the class.
        """
        loop = asyncio.get_running_loop()
        answer = Answer(loop=loop)
        answer.give_up = self._give_up_one
        answer.queries = ()
        seconds = self.timeout if timeout is None else timeout
        try:
            settings = self._settings_of(size, komi, rules, max_visits, ownership, options)
            line: Line | Moves = line_of(game) if isinstance(game, Game) else game
            last = line.turns if isinstance(line, Line) else len(line)
            wanted = [last] if turns is None else list(map(index, turns))
            for turn in wanted:
                if not 0 <= turn <= last:
                    raise out_of_range(turn, last)
            if not wanted:
                answer.set_result([])
            elif isinstance(line, Line):
                answer.wait_for(self._ask(answer, line, 0, wanted, settings, seconds), wanted)
            else:
                answer.wait_for((self._ask_moves(answer, line, 0, wanted, settings, seconds),), wanted)
        except Exception as error:
            answer.fail(error)  # raised where it is awaited
        return answer

    def _settings_of(self, size: Any, komi: Any, rules: Any, visits: Any, ownership: bool, options: Any) -> Settings:
        """The settings of a call of `query`; those of the last calls are kept."""
        key = size, komi, rules, visits, ownership
        settings = None if options else self._settings.get(key)
        if settings is None:
            members = {"maxVisits": visits, "includeOwnership": ownership or None, **options}
            settings = Settings(size, komi, rules, members)
            if not options:
                if len(self._settings) >= _MOST_SETTINGS:
                    self._settings.clear()
                self._settings[key] = settings
        return settings

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
        settings = Settings(
            size, komi, rules, {"maxVisits": max_visits, "includeOwnership": ownership or None, **options}
        )
        finished = Finished()
        source = enumerate(games)
        known = frozenset(done)
        waiting = 0
        more = True
        try:
            while more or waiting:
                if more and waiting < in_flight:
                    asked, more = self._ask_games(finished, source, in_flight - waiting, every, known, settings)
                    waiting += asked
                self._flush()
                if self._is_congested:
                    await self._drain()
                if waiting and not finished.queries:
                    await finished.wait()
                # Not all of them: the engine is to have new queries before it has answered the others.
                for _ in range(min(len(finished.queries), in_flight // 2 + 1)):
                    query = finished.queries.popleft()
                    waiting -= 1
                    rows = query.rows or () if query.error is None else (_row_of_error(query),)
                    if len(rows) > 1:
                        rows.sort(key=lambda row: row.turn or 0)
                    for row in rows:
                        yield row
        finally:
            if waiting:
                self._give_up_all(finished)

    async def version(self) -> str:
        """Return the version that the engine reports. Raises the errors of the class."""
        finished = Finished()
        self._require_running()
        query = self._new_query((0, 0), 0, 0, (), self.timeout, finished)
        self._send(encode({"id": query.id, "action": "query_version"}))
        try:
            await finished.wait()
        finally:
            self._give_up(query)
        if query.error is not None:
            raise query.error
        return str(query.rows[0].extra.get("version", "")) if query.rows else ""

    def _ask_games(
        self,
        call: Call,
        games: Iterator[tuple[int, Game | Moves]],
        most: int,
        every: int,
        done: Collection[tuple[int, int]],
        settings: Settings,
    ) -> tuple[int, bool]:
        """Send queries of `most` games of `analyze`; return the number sent, and whether there may be more."""
        asked = 0
        timeout = self.timeout
        for number, game in games:
            try:
                line: Line | Moves = line_of(game) if isinstance(game, Game) else game
                last = line.turns if isinstance(line, Line) else len(line)
                turns: Sequence[int] = range(0, last + 1, every) if every <= last else _START
                if done:
                    turns = [turn for turn in turns if (number, turn) not in done]
                if isinstance(line, Line):
                    asked += len(self._ask(call, line, number, turns, settings, timeout))
                elif turns:
                    self._ask_moves(call, line, number, turns, settings, timeout)
                    asked += 1
            except (ValueError, TypeError) as error:
                refused = Query("", settings.size, number, 0, (), call, self._deadlines.unsent[timeout])
                refused.error = error
                call.add(refused)
                asked += 1
            if asked >= most:
                return asked, True
        return asked, False

    def _ask(
        self,
        call: Call,
        line: Line,
        game: int,
        turns: Sequence[int],
        settings: Settings,
        timeout: float | None,
    ) -> list[Query]:
        """Send the queries of one line, one for each of its segments that has a turn, and return them."""
        self._require_running()
        by_segment: dict[int, tuple[LineSegment, list[int]]] = {}
        for turn in dict.fromkeys(turns):
            segment = line.at(turn)
            by_segment.setdefault(id(segment), (segment, []))[1].append(turn - segment.first_turn)
        common = settings.common(line.size, line.rules, line.komi)
        parts = [(segment.first_turn, asked, position_members(line, segment)) for segment, asked in by_segment.values()]
        queries = []
        for first_turn, asked, position in parts:
            query = self._new_query(line.size, game, first_turn, asked, timeout, call)
            queries.append(query)
            self._send(f'{{"id":"{query.id}",{position},{common},"analyzeTurns":{asked}}}')
        return queries

    def _ask_moves(
        self,
        call: Call,
        moves: Moves,
        game: int,
        turns: Sequence[int],
        settings: Settings,
        timeout: float | None,
    ) -> Query:
        """Send the query of moves on an empty board, for turns that it has, and return it."""
        if not self._takes_queries:
            self._require_running()
        size = settings.size
        text = text_of_moves(moves, size)
        end = settings.ends_of_one.get(turns[0]) if len(turns) == 1 else None
        if end is None:
            end = settings.end_of_moves(turns)
        self._next_id = number = self._next_id + 1
        name = f"q{number}"
        query = self._queries[name] = Query(name, size, game, 0, turns, call, self._deadlines.unsent[timeout])
        self._send(f'{{"id":"{name}","moves":[{text}],"initialPlayer":"{text[2] if text else "B"}",{end}')
        return query

    def _require_running(self) -> None:
        if not self._takes_queries and not self.is_alive:
            raise self._end or EngineDiedError(f"{self.name} is not running", engine=self.name)

    def _new_query(
        self, size: tuple[int, int], game: int, first_turn: int, turns: Sequence[int], timeout: float | None, call: Call
    ) -> Query:
        self._next_id = number = self._next_id + 1
        name = f"q{number}"
        query = self._queries[name] = Query(name, size, game, first_turn, turns, call, self._deadlines.unsent[timeout])
        return query

    def _send(self, message: str) -> None:
        unsent = self._unsent
        if not unsent:
            asyncio.get_running_loop().call_soon(self._flush)
        unsent.append(message)
        if len(unsent) >= _SENT_TOGETHER:
            self._flush()

    def _flush(self) -> None:
        if self._unsent and self._process is not None:
            self._deadlines.start()
            self._process.write("\n".join([*self._unsent, ""]).encode())
        self._unsent.clear()

    @property
    def _is_congested(self) -> bool:
        return self._process is not None and self._process.is_congested

    async def _drain(self) -> None:
        self._flush()
        if self._process is not None:
            await self._process.drain()

    def _timed_out(self, query: Query) -> None:
        error = EngineTimeoutError(
            f"{self.name} did not answer the query {query.id} within {query.due.seconds:g} s",
            engine=self.name,
            command=query.id,
        )
        self._finish(query, error)
        self._terminate(query)

    def _give_up(self, query: Query) -> None:
        """Terminate an unanswered query, for which no task waits any more."""
        if query.id in self._queries:
            self._finish(query, None)
            self._terminate(query)

    def _give_up_all(self, call: Call) -> None:
        """Terminate the unanswered queries of a call."""
        for query in list(self._queries.values()):
            if query.call is call:
                self._give_up(query)

    def _terminate(self, query: Query) -> None:
        if self.is_alive:
            self._send(encode({"id": f"t{query.id}", "action": "terminate", "terminateId": query.id}))

    def _finish(self, query: Query, error: Exception | None) -> None:
        """End a query: with an error, with its rows, or, where these are not complete, because it is given up."""
        if self._queries.pop(query.id, None) is not None:
            query.error = error
            query.call.add(query)

    # --- responses ---

    def _received(self, lines: list[bytes]) -> None:
        queries = self._queries
        size, words = self._size, self._words
        for line in lines:
            response = read_plain(line, words)
            if response is not None:
                query = queries.get(response[0])
                turn = response[1]
                if query is not None and turn in query.missing and query.size == size and not response[2]:
                    row = plain_row(response, size, query.game, query.first_turn + turn)
                    if row is not None:
                        if query.add(row, turn):
                            del queries[query.id]
                            query.call.add(query)
                        continue
            self._take(line)
            size, words = self._size, self._words

    def _take(self, line: bytes) -> None:
        """Take any line, whatever its content."""
        text = line.decode("utf-8", "replace").strip()
        if not text.startswith("{"):
            if text:
                self.unexpected.append(text[:_SHOWN])
            return
        try:
            response = _decode(text)
        except (ValueError, RecursionError) as error:
            raise EngineError(
                f"{self.name} sent invalid JSON: {error}: {text[:_SHOWN]!r}",
                engine=self.name,
                answer=text[:_SHOWN],
            ) from None
        identity = response.get("id")
        query = self._queries.get(identity) if isinstance(identity, str) else None
        if query is None:
            self._take_other(response, text)
        elif "error" in response or "warning" in response or response.get("isDuringSearch"):
            self._take_notice(query, response, text)
        else:
            self._take_turn(query, response, text)

    def _take_other(self, response: dict[str, Any], text: str) -> None:
        """Take what belongs to no query, or to one that is over."""
        identity = response.get("id")
        if "error" in response and identity is None:
            # It belongs to one of the queries, but the engine does not name it.
            raise EngineError(f"{self.name} refused a query: {text[:_SHOWN]}", engine=self.name)
        if not (isinstance(identity, str) and identity[:1] in ("q", "t", "e")):
            self.unexpected.append(text[:_SHOWN])

    def _take_notice(self, query: Query, response: dict[str, Any], text: str) -> None:
        """Take a warning, an error, or a report during the search."""
        if "warning" in response:
            if self._on_warning is not None:
                self._on_warning(f"{response.get('field', '')}: {response['warning']}")
        elif "error" in response:
            field = f"{response['field']}: " if "field" in response else ""
            self._fail(query, f"refused the query: {field}{response['error']}", text)

    def _take_turn(self, query: Query, response: dict[str, Any], text: str) -> None:
        turn = response.get("turnNumber")
        self._size, self._words = query.size, words_of(query.size)
        if isinstance(turn, bool) or not isinstance(turn, int):
            if response.get("action") == "query_version":
                query.rows = [Row(extra=response)]
                self._finish(query, None)
            else:
                self._fail(query, "answered without a turn", text)
        elif response.get("noResults"):
            self._fail(query, f"has no result for turn {query.first_turn + turn}", text)
        elif turn in query.missing:
            try:
                row = read_row(response, query.size, query.game, query.first_turn + turn)
            except ValueError as error:
                self._fail(query, f"answered nonsense: {error}", text)
                return
            if query.add(row, turn):
                self._finish(query, None)
        elif not any(row.turn == query.first_turn + turn for row in query.rows or ()):
            self._fail(query, f"answered for turn {turn}, which was not requested", text)

    def _fail(self, query: Query, what: str, text: str) -> None:
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
        self._takes_queries = False
        for query in list(self._queries.values()):
            self._finish(query, error)
        self._deadlines.clear()


def _row_of_error(query: Query) -> Row:
    if isinstance(query.error, (EngineDiedError, EngineTimeoutError)):
        raise query.error
    return Row(game=query.game, error=str(query.error), size=query.size)
