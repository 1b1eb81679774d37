"""The process of an engine: start, input, output line by line, and an end after which no process runs.

Everything runs in callbacks of the event loop. It uses neither tasks nor threads that a cancellation could leak, and
nothing that the Proactor loop of Windows lacks.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import subprocess
import sys
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from ..errors import EngineDiedError, EngineError

MAX_LINE: Final = 64 << 20
"""Bytes of one line of output. KataGo's longest, with the ownership after each move, has a few megabytes."""
_STDERR_LINES: Final = 100
_STDERR_LINE: Final = 2000
_QUOTED: Final = 300
_GRACE: Final = 1.0  # seconds between one sign of the end, an exit or a closed output, and the others
_REAPED_WITHIN: Final = 5.0  # seconds that a killed process may take to disappear


def arguments_of(command: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    """Return the arguments of a command line: a text is split as a shell does, quotes included, without running one.

    Raises `ValueError` for an empty command and for quotes that do not match.
    """
    if isinstance(command, str):
        # A backslash is a separator of folders on Windows.
        parts = shlex.split(command, posix=os.name != "nt")
        arguments = parts if os.name != "nt" else [part.strip('"') for part in parts]
    elif isinstance(command, os.PathLike):
        arguments = [os.fspath(command)]
    else:
        arguments = [os.fspath(part) for part in command]
    if not arguments:
        raise ValueError("the command of an engine is empty")
    return arguments


async def wait_for(future: asyncio.Future[Any], seconds: float | None) -> bool:
    """Wait until `future` is done, at most `seconds`; return whether it is. It is neither cancelled nor awaited."""
    if not future.done():
        await asyncio.wait([future], timeout=seconds)
    return future.done()


class EngineProcess:
    """A child process that reads lines and writes lines.

    `on_lines` is called with the lines of each piece of standard output, without line ends; `on_end` once, with the
    error that describes the end of the process: no line follows it. Standard error is read continuously; the last lines
    are in `stderr`, and each is passed to `on_stderr` if given.

    On POSIX systems the process leads a new session: Ctrl-C reaches only this program, and children of the process are
    ended with it.

    Thread safety: for the thread of its event loop.
    """

    def __init__(
        self,
        *,
        on_lines: Callable[[list[bytes]], None],
        on_end: Callable[[EngineDiedError], None],
        on_stderr: Callable[[str], None] | None = None,
        max_line: int = MAX_LINE,
    ) -> None:
        self.name = ""
        self.pid: int | None = None
        self.returncode: int | None = None
        self.stderr: deque[str] = deque(maxlen=_STDERR_LINES)
        self._on_lines = on_lines
        self._on_end = on_end
        self._on_stderr = on_stderr
        self._max_line = max_line
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.SubprocessTransport | None = None
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._writable: asyncio.Future[None] | None = None  # while the pipe to the engine is full
        self._output: list[bytes] = []  # of a line that is not complete
        self._output_size = 0
        self._error_line = b""
        self._input_lost = False
        self._is_killed = False
        self._why = ""
        self._timer: asyncio.TimerHandle | None = None
        self._finalizer: weakref.finalize[..., Any] | None = None

    async def start(
        self,
        arguments: Sequence[str],
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Start the program. Raises `OSError` where it cannot be started."""
        self.name = os.path.basename(arguments[0])
        options: dict[str, Any] = {"cwd": cwd, "env": None if env is None else dict(env)}
        if sys.platform == "win32":
            options["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP
        else:
            options["start_new_session"] = True
        try:
            transport, _ = await self._loop.subprocess_exec(lambda: _Protocol(self), *arguments, **options)
        except BaseException:
            if self._transport is None and not self._ended.done():
                self._ended.set_result(None)  # for `close`, which another task may have called
            raise
        self._transport = transport
        self.pid = transport.get_pid()
        if not self._ended.done():
            # For a process whose owner was deleted, and for the end of the interpreter.
            self._finalizer = weakref.finalize(self, _kill, self.pid)

    @property
    def is_alive(self) -> bool:
        """Whether lines may still come."""
        return self._transport is not None and not self._ended.done()

    # --- talking ---

    def write(self, data: bytes) -> None:
        """Write bytes, later where the pipe is full (see `drain`). Does nothing where the process reads no more."""
        pipe = self._input()
        if pipe is not None:
            pipe.write(data)

    async def drain(self) -> None:
        """Wait while the process has much to read that was written before."""
        while self._writable is not None and not self._ended.done():
            await asyncio.wait([self._writable, self._ended], return_when=asyncio.FIRST_COMPLETED)

    @property
    def is_congested(self) -> bool:
        """Whether the process has much to read that was written before."""
        return self._writable is not None

    def pause_reading(self) -> None:
        """Leave the output of the process in its pipe, until `resume_reading`."""
        self._set_reading("pause_reading")

    def resume_reading(self) -> None:
        """Read on after `pause_reading`."""
        self._set_reading("resume_reading")

    def _set_reading(self, method: str) -> None:
        pipe = None if self._transport is None else self._transport.get_pipe_transport(1)
        if pipe is not None and not pipe.is_closing():
            getattr(pipe, method)()

    def _input(self) -> Any:
        if self._transport is None or self._input_lost or self._ended.done():
            return None
        pipe = self._transport.get_pipe_transport(0)
        return None if pipe is None or pipe.is_closing() else pipe

    # --- the end ---

    async def close(self, farewell: bytes = b"", patience: float = 2.0) -> None:
        """End the process: ask, wait `patience` seconds, ask the system to terminate it, kill it.

        `farewell` is written first, and standard input is closed after it. On return the process and its children have
        ended and are reaped. A cancellation takes effect only after that.
        """
        try:
            pipe = self._input()
            if pipe is not None:
                self.resume_reading()
                pipe.write(farewell)
                with suppress(OSError):
                    pipe.close()
            if self.is_alive and not await wait_for(self._ended, patience):
                self._signal("terminate")
                await wait_for(self._ended, min(patience, _GRACE))
        finally:
            self.kill()
            await _uninterrupted(self._ended)

    def kill(self) -> None:
        """Kill the process and its children at once, or as soon as it is started. `on_end` is called soon after."""
        self._is_killed = True
        if self.is_alive:
            self._signal("kill")
            self._later(_REAPED_WITHIN, self._end)

    def fail(self, why: str) -> None:
        """Kill the process for an error of its own; `why` becomes the message of its end."""
        self._why = self._why or why
        self.kill()

    def _signal(self, method: str) -> None:
        if sys.platform == "win32":
            with suppress(OSError):
                getattr(self._transport, method)()
        elif self.pid is not None:
            _kill(self.pid, signal.SIGKILL if method == "kill" else signal.SIGTERM)

    def _later(self, seconds: float, callback: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, callback)

    def _end(self) -> None:
        if self._ended.done():
            return
        if self._timer is not None:
            self._timer.cancel()
        if self._output:
            self._emit([b"".join(self._output)])
        if self._error_line:
            self._add_stderr(self._error_line)
        self._ended.set_result(None)
        self._release()
        if self._finalizer is not None:
            self._finalizer.detach()
        if self._transport is not None:
            self._transport.close()
        self._on_end(EngineDiedError(self._description(), engine=self.name))

    def _description(self) -> str:
        code = self.returncode
        if self._why or code is None:
            how = self._why or f"{self.name} was ended"
        elif code < 0:
            how = f"{self.name} was ended by {_signal_name(-code)}"
        else:
            how = f"{self.name} ended with status {code}"
        last = next((line for line in reversed(self.stderr) if line.strip()), "")
        return f"{how}; last line of standard error: {last[:_QUOTED]}" if last else how

    # --- what the event loop reports ---

    def _received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            *lines, rest = data.split(b"\n")
            if lines:
                if self._output:
                    self._output.append(lines[0])
                    lines[0] = b"".join(self._output)
                    self._output.clear()
                    self._output_size = 0
                self._emit(lines)
            if rest:
                self._output.append(rest)
                self._output_size += len(rest)
                if self._output_size > self._max_line:
                    self._output.clear()
                    self._output_size = 0
                    self.fail(f"{self.name} wrote a line of more than {self._max_line} bytes")
        else:
            *lines, rest = (self._error_line + data).split(b"\n")
            for line in lines[-_STDERR_LINES:] if self._on_stderr is None else lines:
                self._add_stderr(line)
            self._error_line = rest[:_STDERR_LINE]

    def _emit(self, lines: list[bytes]) -> None:
        try:
            self._on_lines(lines)
        except EngineError as error:
            self.fail(str(error))

    def _add_stderr(self, line: bytes) -> None:
        text = line[:_STDERR_LINE].decode("utf-8", "replace").rstrip("\r")
        self.stderr.append(text)
        if self._on_stderr is not None:
            self._on_stderr(text)

    def _lost(self, fd: int) -> None:
        if fd == 0:
            self._input_lost = True
            self._release()
        elif fd == 1:
            self._later(_GRACE, self._close_without_output)

    def _close_without_output(self) -> None:
        """End a process that closed its output and did not exit."""
        self.fail(f"{self.name} closed its output")

    def _exited(self) -> None:
        if self._transport is not None:
            self.returncode = self._transport.get_returncode()
        self.resume_reading()  # the end of a pipe is seen only where it is read
        if self.pid is not None and sys.platform != "win32":
            _kill(self.pid)  # remaining children in its session
        self._later(_GRACE, self._end)

    def _pause_writing(self) -> None:
        if self._writable is None:
            self._writable = self._loop.create_future()

    def _release(self) -> None:
        if self._writable is not None:
            if not self._writable.done():
                self._writable.set_result(None)
            self._writable = None


class _Protocol(asyncio.SubprocessProtocol):
    """Forwards the events of the loop to an `EngineProcess`."""

    def __init__(self, process: EngineProcess) -> None:
        self._process = process

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._process._transport = transport
        self._process.pid = transport.get_pid()
        if self._process._is_killed:
            self._process.kill()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._process._received(fd, data)

    def pipe_connection_lost(self, fd: int, _error: Exception | None) -> None:
        self._process._lost(fd)

    def process_exited(self) -> None:
        self._process._exited()

    def connection_lost(self, _error: Exception | None) -> None:
        self._process._end()

    def pause_writing(self) -> None:
        self._process._pause_writing()

    def resume_writing(self) -> None:
        self._process._release()


def _kill(pid: int, number: int = getattr(signal, "SIGKILL", signal.SIGTERM)) -> None:
    """Send a signal to the group of processes that `pid` leads; on Windows to the process alone."""
    with suppress(OSError):
        if sys.platform == "win32":
            os.kill(pid, number)
        else:
            os.killpg(pid, number)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


async def _uninterrupted(future: asyncio.Future[None]) -> None:
    """Wait for `future` even where the task is cancelled; the cancellation takes effect afterwards."""
    cancelled: asyncio.CancelledError | None = None
    while not future.done():
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
