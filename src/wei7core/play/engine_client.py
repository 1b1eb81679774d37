"""Base of the clients of engines: starts the process, and ends it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Final, TypeVar

from ..errors import EngineDiedError, EngineError
from .engine_process import EngineProcess, arguments_of

_Client = TypeVar("_Client", bound="EngineClient")

_UNEXPECTED: Final = 50


class EngineClient:
    """An engine run as a process, for `async with`; subclasses implement the protocol.

    Thread safety: for the thread of one event loop.
    """

    def __init__(
        self,
        command: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        timeout: float | None,
        quit_timeout: float,
        cwd: str | os.PathLike[str] | None,
        env: Mapping[str, str] | None,
        on_stderr: Callable[[str], None] | None,
    ) -> None:
        self._arguments = arguments_of(command)
        self.timeout = timeout
        self.quit_timeout = quit_timeout
        self._cwd = cwd
        self._env = env
        self._on_stderr = on_stderr
        self._process: EngineProcess | None = None
        self._end: EngineDiedError | None = None
        self.unexpected: deque[str] = deque(maxlen=_UNEXPECTED)
        """Lines of standard output that belong to no response; the last ones."""

    async def __aenter__(self: _Client) -> _Client:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def start(self) -> None:
        """Start the engine. Raises `OSError` if it cannot be started, `EngineError` if it is running."""
        raise NotImplementedError

    async def close(self) -> None:
        """End the engine. At the return all its processes have ended."""
        raise NotImplementedError

    def _require_stopped(self) -> None:
        """Raise `EngineError` where the engine is running."""
        if self.is_alive:
            raise EngineError(f"{self.name} is running already", engine=self.name)

    @property
    def is_alive(self) -> bool:
        """Whether the process of the engine runs."""
        return self._process is not None and self._process.is_alive

    @property
    def name(self) -> str:
        """The name of the program."""
        return os.path.basename(self._arguments[0])

    @property
    def stderr(self) -> list[str]:
        """The last lines that the engine wrote to standard error."""
        return [] if self._process is None else list(self._process.stderr)
