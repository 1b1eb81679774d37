"""The controller side of GTP: an engine as a process that asyncio programs send commands to."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Final

from ...coordinates import Point
from ...errors import CommandError, EngineDiedError, EngineError, EngineTimeoutError
from ...game.game import Game
from ..engine_client import EngineClient
from ..engine_process import EngineProcess
from ..evaluation import Report
from ..lines_of_play import line_of
from .protocol import COLOR_LETTERS, Response, ResponseReader, color_of, vertex_of, vertex_text
from .reports import parse_report
from .set_up import Session, commands_for

_DEFAULT: Final = -1.0
_MOST_REPORTS: Final = 256  # of an analysis, that nobody has read; older ones are dropped
_MAX_RESPONSE: Final = 16 << 20  # characters
_ID_WITHIN: Final = 0.05  # seconds in which a first answer without an id may be followed by the one with it
_SHOWN: Final = 200


class _Pending:
    """A command whose response is not complete."""

    __slots__ = ("command", "future", "id", "last", "lines", "noise", "timer", "wakeup")

    def __init__(self, identity: int, command: str, future: asyncio.Future[Response], *, streams: bool) -> None:
        self.id = identity
        self.command = command
        self.future = future
        self.timer: asyncio.TimerHandle | None = None
        self.lines: deque[str] | None = deque(maxlen=_MOST_REPORTS) if streams else None
        self.last = ""  # line of a stream
        self.noise = ""  # what came instead of a response
        self.wakeup: asyncio.Future[None] | None = None  # of the caller that waits for a line

    def wake(self) -> None:
        if self.wakeup is not None and not self.wakeup.done():
            self.wakeup.set_result(None)


class Client(EngineClient):
    """An engine that speaks GTP, run as a process.

        async with w7.gtp.Client("gnugo --mode gtp", timeout=60) as client:
            await client.set_up(game)
            print(await client.genmove(w7.BLACK))

    `command` is a text, split as a shell does, or a list of arguments. `timeout`: seconds for an answer, from when the
    command is sent; None: no limit. `quit_timeout`: seconds for the engine to end after `quit`, before it is killed.
    `restarts`: how many times an engine that ended by itself is started again, at the next command, and brought back to
    its position. `cwd`, `env`: of the process. `on_stderr` is called with each line that it writes to standard error.

    Commands of several tasks are sent one after the other, in the order of the calls; each is sent once the one before
    is answered or abandoned. The answer to a command that was abandoned, by a timeout or a cancellation, is dropped and
    never taken for another one.

    Errors: `CommandError` if the engine refuses a command, `EngineTimeoutError`, `EngineDiedError`, and `EngineError`,
    the base of these, for an invalid answer. Each names command and answer. `OSError` if the program cannot be started.

    Thread safety: for the thread of one event loop.
    """

    def __init__(
        self,
        command: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        timeout: float | None = 60.0,
        quit_timeout: float = 2.0,
        restarts: int = 0,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        on_stderr: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(command, timeout=timeout, quit_timeout=quit_timeout, cwd=cwd, env=env, on_stderr=on_stderr)
        self.restarts = restarts
        self._is_closed = False  # by the caller, so that it is not started again
        self._turn = asyncio.Lock()
        self._pending: deque[_Pending] = deque()
        self._answering: _Pending | None = None
        self._reader = ResponseReader(_MAX_RESPONSE)
        self._next_id = 1
        self._echoes: bool | None = None  # whether the engine repeats ids; None if unknown
        self._known: frozenset[str] | None = None
        self._session = Session()
        self._size = (19, 19)

    # --- start and end ---

    async def start(self) -> None:
        """Start the engine. Raises `OSError` if it cannot be started, `EngineError` if it is running."""
        self._require_stopped()
        self._end = None
        self._is_closed = False
        self._known = None
        self._reader = ResponseReader(_MAX_RESPONSE)
        self._answering = None
        self._echoes = None
        process: EngineProcess
        process = EngineProcess(
            on_lines=self._received,
            on_end=lambda error: self._ended(process, error),
            on_stderr=self._on_stderr,
            max_line=_MAX_RESPONSE,
        )
        self._process = process
        await process.start(self._arguments, cwd=self._cwd, env=self._env)

    async def close(self) -> None:
        """End the engine: `quit`, then a kill after `quit_timeout`. Does nothing if it has ended.

        On return all its processes have ended, even if the task is cancelled during the call.
        """
        self._is_closed = True
        if self._process is not None:
            await self._process.close(b"quit\n", self.quit_timeout)

    def kill(self) -> None:
        """Kill the engine at once; commands that wait fail with `EngineDiedError`. `close` waits for its end."""
        self._is_closed = True
        if self._process is not None:
            self._process.kill()

    async def restart(self) -> None:
        """Kill the engine where it runs, start it again and bring it back to its position.

        The position is that of the commands which succeeded: size, komi, rules, time settings, handicap, moves.
        Commands that wait for their turn are sent to the new process.
        """
        async with self._turn:
            await self._restart()

    async def _restart(self) -> None:
        self.kill()
        if self._process is not None:
            await self._process.close()
        await self.start()
        for command in self._session.commands():
            await self._exchange(command, self.timeout)

    @property
    def pid(self) -> int | None:
        """The id of the process; None before the start."""
        return None if self._process is None else self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit status of the process, negative for a signal; None while it runs."""
        return None if self._process is None else self._process.returncode

    # --- commands ---

    async def send(self, command: str, *, timeout: float | None = _DEFAULT) -> str:
        """Send a command and return the text of its response.

        `timeout` is as that of the client, which is the default. After a timeout or a cancellation the engine continues
        with the command: an abandoned `genmove` may still be played on its board.

        Raises `CommandError` if the engine refuses, `ValueError` for a text that is not a single command, and the other
        errors of the client.
        """
        text = _command_text(command)
        async with self._turn:
            await self._ensure_running()
            return await self._exchange(text, self.timeout if timeout == _DEFAULT else timeout)

    async def stream(self, command: str, *, timeout: float | None = _DEFAULT) -> AsyncIterator[str]:
        """Send a command that keeps answering, as `kata-analyze b 50`, and yield the lines of its response.

        `timeout` counts for each line. The iteration ends with the response: when another command is sent, or when the
        loop ends, in which case a stop is sent to the engine. If lines are not read in time the oldest are dropped.

        Raises what `send` raises.
        """
        text = _command_text(command)
        async with self._turn:
            await self._ensure_running()
            pending = self._post(text, streams=True)
        limit = self.timeout if timeout == _DEFAULT else timeout
        assert pending.lines is not None
        try:
            while True:
                while pending.lines:
                    yield pending.lines.popleft()
                if pending.future.done():
                    break
                await self._next_line(pending, limit)
            self._result(pending)
        finally:
            if not pending.future.done():
                pending.future.cancel()
                if self._process is not None and self._next_id == pending.id + 1:
                    self._process.write(b"\n")  # no other command has ended it
            _mark_seen(pending)

    async def commands(self) -> frozenset[str]:
        """Return the names of the engine's commands (`list_commands`), which is sent once."""
        if self._known is None:
            self._known = frozenset((await self.send("list_commands")).split())
        return self._known

    async def set_up(self, game: Game, turn: int | None = None) -> None:
        """Bring the engine to the position of a game's main line after `turn` moves (None: at its end).

        Size, komi and rules are sent too. Moves are sent in their order, never as stones, so that ko and history are
        right; handicap stones as a handicap. Stones that the record sets up in the middle cannot be sent as moves: the
        position after them becomes the start.

        Raises `IndexError` if the line has fewer moves, and the exceptions of `send`.
        """
        for command in commands_for(line_of(game), turn, await self.commands()):
            await self.send(command)

    async def play(self, color: int | str, point: Point | str | None) -> None:
        """Play a move: `point` is (x, y), None for a pass, or the name of a vertex."""
        await self.send(f"play {_letter(color)} {vertex_text(point, *self._size)}")

    async def genmove(self, color: int | str, *, timeout: float | None = _DEFAULT) -> Point | str | None:
        """Let the engine choose and play a move: a point (x, y), None for a pass, or "resign".

        Raises `EngineError` where the answer is none of these.
        """
        command = f"genmove {_letter(color)}"
        answer = await self.send(command, timeout=timeout)
        try:
            return vertex_of(answer, *self._size)
        except ValueError as error:
            raise EngineError(
                f"{self.name} answered {command!r} with {answer[:_SHOWN]!r}, which is not a move: {error}",
                engine=self.name,
                command=command,
                answer=answer,
            ) from None

    async def analyze(
        self,
        color: int | str | None = None,
        *,
        interval: float = 0.5,
        command: str = "kata-analyze",
        options: str = "",
        timeout: float | None = _DEFAULT,
    ) -> AsyncIterator[Report]:
        """Yield the engine's reports on the position, about every `interval` seconds, until the loop ends.

        `command` is `kata-analyze`, `lz-analyze` or another of their form; `options` are its further words, as
        `"ownership true"`. Values are from the side configured in the engine, usually that of `color`.
        `contextlib.aclosing` around the loop makes the engine stop as soon as the loop ends.

        Raises `EngineError` for a line that is not an analysis, and the exceptions of `send`.
        """
        words = [command, *([] if color is None else [_letter(color)]), str(max(round(interval * 100), 1)), options]
        text = " ".join(filter(None, words))
        lines = self.stream(text, timeout=timeout)
        try:
            async for line in lines:
                if not line.startswith(("info", "rootInfo", "ownership")):
                    continue  # a move chosen, or a remark
                try:
                    report = parse_report(line, *self._size, is_lz=command.startswith("lz-"))
                except ValueError as error:
                    raise EngineError(
                        f"{self.name} answered {text!r} with an invalid analysis: {error}: {line[:_SHOWN]!r}",
                        engine=self.name,
                        command=text,
                        answer=line,
                    ) from None
                yield report
        finally:
            await lines.aclose()  # type: ignore[attr-defined]  # an asynchronous generator

    # --- one command at a time ---

    async def _ensure_running(self) -> None:
        if self.is_alive:
            return
        if self._process is None or self._is_closed or self.restarts <= 0:
            raise self._death("")
        self.restarts -= 1
        await self._restart()

    async def _exchange(self, command: str, timeout: float | None) -> str:
        pending = self._post(command)
        if timeout is not None:
            pending.timer = asyncio.get_running_loop().call_later(timeout, self._timed_out, pending, timeout)
        try:
            await pending.future
        finally:
            if pending.timer is not None:
                pending.timer.cancel()
            _mark_seen(pending)
        return self._result(pending)

    def _post(self, command: str, *, streams: bool = False) -> _Pending:
        if self._process is None or not self._process.is_alive:
            raise self._death(command)
        future: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        pending = _Pending(self._next_id, command, future, streams=streams)
        self._next_id += 1
        self._pending.append(pending)
        self._process.write(f"{pending.id} {command}\n".encode("utf-8", "surrogateescape"))
        return pending

    def _result(self, pending: _Pending) -> str:
        response = pending.future.result()
        if not response.ok:
            text = " ".join(response.text.split()) or "no reason given"
            raise CommandError(
                f"{self.name} refused {pending.command[:_SHOWN]!r}: {text[:_SHOWN]}",
                engine=self.name,
                command=pending.command,
                answer=response.text,
            )
        return response.text

    async def _next_line(self, pending: _Pending, timeout: float | None) -> None:
        loop = asyncio.get_running_loop()
        pending.wakeup = loop.create_future()
        timer = None if timeout is None else loop.call_later(timeout, self._timed_out, pending, timeout)
        try:
            await pending.wakeup
        finally:
            if timer is not None:
                timer.cancel()

    def _timed_out(self, pending: _Pending, seconds: float) -> None:
        if not pending.future.done():
            message = f"{self.name} did not answer {pending.command[:_SHOWN]!r} within {seconds:g} s"
            if pending is self._answering:
                pending.noise = "\n".join(self._reader.lines)[:_SHOWN]
                message += f"; it wrote {pending.noise!r}, and no empty line after it"
            elif pending.noise:
                message += f"; it wrote {pending.noise!r}, which is not a response"
            pending.future.set_exception(
                EngineTimeoutError(message, engine=self.name, command=pending.command, answer=pending.noise)
            )
            pending.wake()

    def _death(self, command: str) -> EngineDiedError:
        how = str(self._end) if self._end is not None else f"{self.name} is not running"
        while_what = f" (command {command[:_SHOWN]!r})" if command else ""
        return EngineDiedError(how + while_what, engine=self.name, command=command)

    # --- what the engine writes ---

    def _received(self, lines: list[bytes]) -> None:
        reader = self._reader
        for line in lines:
            was_open = reader.header is not None
            try:
                result = reader.feed(line.decode("utf-8", "surrogateescape"))
            except ValueError as error:
                raise EngineError(f"{self.name}: {error}", engine=self.name) from None
            if reader.header is not None:
                if not was_open:
                    self._answering = self._match(reader.header[1])
                pending = self._answering
                if pending is not None and pending.lines is not None and reader.header[0]:
                    for text in reader.take_lines():
                        pending.lines.append(text)
                        pending.last = text
                    pending.wake()
            elif isinstance(result, Response):
                self._complete(result)
            elif result is not None:
                self._hear(result)

    def _match(self, identity: int | None) -> _Pending | None:
        """Return the command that a response with this id answers, and remove it from those that wait."""
        if identity is None:
            # Every engine answers in order, those too that leave ids out.
            is_certain = self._echoes is False or (self._pending and self._pending[0].lines is not None)
            return self._pending.popleft() if self._pending and is_certain else None
        self._echoes = True
        if not any(pending.id == identity for pending in self._pending):
            return None
        while (pending := self._pending.popleft()).id != identity:
            message = f"{self.name} answered command {identity} and left out {pending.command[:_SHOWN]!r}"
            self._fail(pending, message, "")
        return pending

    def _complete(self, response: Response) -> None:
        pending, self._answering = self._answering, None
        if pending is not None:
            self._take(pending, response)
            return
        waiting = next((pending for pending in self._pending if not pending.future.done()), None)
        if response.id is None and self._echoes is None and waiting is not None:
            # Some engines write a response before any command. The right one has the id, if it ever comes.
            asyncio.get_running_loop().call_later(_ID_WITHIN, self._take_without_id, waiting, response)
        elif response.id is not None and response.id >= self._next_id and waiting is not None:
            message = (
                f"{self.name} answered {waiting.command[:_SHOWN]!r}, which has the id {waiting.id}, "
                f"with the id {response.id}: {response.text[:_SHOWN]!r}"
            )
            self._fail(waiting, message, response.text)
        else:
            self._hear(response.text)

    def _take_without_id(self, pending: _Pending, response: Response) -> None:
        if self._echoes is None and pending in self._pending:
            self._echoes = False
            while self._pending.popleft() is not pending:
                pass  # given up before
            self._take(pending, response)
        else:
            self._hear(response.text)

    def _take(self, pending: _Pending, response: Response) -> None:
        if response.ok:
            self._note(pending.command, response.text if pending.lines is None else pending.last)
        if not pending.future.done():
            pending.future.set_result(response)
        pending.wake()

    def _hear(self, text: str) -> None:
        """Store a text that belongs to no command."""
        self.unexpected.append(text[:_SHOWN])
        if self._pending:
            self._pending[-1].noise = text[:_SHOWN]

    def _note(self, command: str, answer: str) -> None:
        self._session.note(command, answer)
        name, *words = command.split()
        if name in ("boardsize", "rectangular_boardsize") and all(word.isdecimal() for word in words) and words:
            self._size = int(words[0]), int(words[-1])

    def _fail(self, pending: _Pending, message: str, answer: str) -> None:
        if not pending.future.done():
            pending.future.set_exception(EngineError(message, engine=self.name, command=pending.command, answer=answer))
            pending.wake()

    def _ended(self, process: EngineProcess, error: EngineDiedError) -> None:
        if process is not self._process:
            return
        self._end = error
        waiting = [*([self._answering] if self._answering is not None else []), *self._pending]
        self._pending.clear()
        self._answering = None
        for pending in waiting:
            if not pending.future.done():
                pending.future.set_exception(self._death(pending.command))
                pending.wake()


def _mark_seen(pending: _Pending) -> None:
    """Keep asyncio from reporting an exception that a cancelled task did not take."""
    if pending.future.done() and not pending.future.cancelled():
        pending.future.exception()


def _command_text(command: str) -> str:
    """Return a command without surrounding spaces. Raises `ValueError` for an empty one, or more than one line."""
    text = command.strip()
    if not text or text.startswith("#"):
        raise ValueError("a command has a name")
    if text[0].isdecimal():
        raise ValueError(f"a command begins with its name, the client adds the id: {text[:_SHOWN]!r}")
    if any(ord(character) < 32 and character != "\t" for character in text) or "\x7f" in text:
        raise ValueError(f"a command is one line without control characters, not {text[:_SHOWN]!r}")
    if "#" in text:
        raise ValueError(f"engines ignore what follows a #: {text[:_SHOWN]!r}")
    return text


def _letter(color: int | str) -> str:
    number = color_of(color) if isinstance(color, str) else color
    if number not in (1, 2):
        raise ValueError(f'a color is 1, 2, "black" or "white", not {color!r:.40}')
    return COLOR_LETTERS[number]
