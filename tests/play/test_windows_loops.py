"""The clients of engines on an event loop that has no more than the Proactor loop of Windows, taken for Windows.

The loop refuses what that one has not: readers and writers of descriptors, signal handlers, child watchers; processes
may have no option that subprocess refuses there. What is written for POSIX alone is made to raise.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import os
import subprocess
import sys
import types
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from samples import gtp_stub, quick_katago

import wei7core as w7
from wei7core.play import engine_process

ROOMS = Path(w7.__file__).parent / "play"
LACKING = ("add_reader", "remove_reader", "add_writer", "remove_writer", "add_signal_handler", "remove_signal_handler")
LACKING += ("connect_read_pipe", "connect_write_pipe", "create_unix_connection", "create_unix_server")
REFUSED_OPTIONS = ("preexec_fn", "pass_fds", "start_new_session", "process_group", "umask", "restore_signals")
POSIX_NAMES = {"killpg", "fork", "setsid", "getpgid", "waitpid", "SIGKILL", "SIGSTOP", "SIGCHLD", "set_child_watcher"}
ON_WINDOWS = sys.platform == "win32"
PATIENCE = 20.0


class SystemOfWindows(types.ModuleType):
    """A module without the names that it has on POSIX systems alone."""

    def __init__(self, module: types.ModuleType, hidden: set[str], **values: Any) -> None:
        super().__init__(module.__name__)
        self.__dict__.update({name: value for name, value in vars(module).items() if name not in hidden} | values)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """Let the module of the processes take this system for Windows; yields the options of each process."""
    options: list[dict[str, Any]] = []
    if not ON_WINDOWS:
        monkeypatch.setattr(engine_process, "sys", SystemOfWindows(sys, set(), platform="win32"))
        monkeypatch.setattr(engine_process, "os", SystemOfWindows(os, POSIX_NAMES))
        monkeypatch.setattr(engine_process, "signal", SystemOfWindows(engine_process.signal, POSIX_NAMES))
        monkeypatch.setattr(
            engine_process, "subprocess", SystemOfWindows(subprocess, set(), CREATE_NEW_PROCESS_GROUP=0x200)
        )
    yield options


class WindowsLoop(asyncio.SelectorEventLoop if not ON_WINDOWS else object):  # type: ignore[misc]  # one of two classes
    """A loop whose callers find no more than the Proactor loop has; its own parts use the rest."""

    options: list[dict[str, Any]]

    async def subprocess_exec(self, protocol_factory: Any, *args: Any, **options: Any) -> Any:
        assert not set(REFUSED_OPTIONS) & set(options)
        self.options.append(dict(options))
        options["creationflags"] = 0  # which is for Windows
        return await super().subprocess_exec(protocol_factory, *args, **options)


def refuse(name: str) -> Callable[..., Any]:
    own = getattr(asyncio.SelectorEventLoop, name, None)

    def method(self: Any, *args: Any, **options: Any) -> Any:
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if not caller.startswith("asyncio") or own is None:
            raise NotImplementedError(name)
        return own(self, *args, **options)

    return method


if not ON_WINDOWS:
    for lacking in LACKING:
        setattr(WindowsLoop, lacking, refuse(lacking))


def run(options: list[dict[str, Any]], use: Awaitable[Any]) -> Any:
    """Run on such a loop; on Windows, on its own."""
    loop = asyncio.new_event_loop() if ON_WINDOWS else WindowsLoop()
    if not ON_WINDOWS:
        loop.options = options
    try:
        return loop.run_until_complete(asyncio.wait_for(use, 3 * PATIENCE))
    finally:
        loop.close()


def is_running(pid: int | None) -> bool:
    assert pid is not None
    if ON_WINDOWS:
        found = subprocess.run(["tasklist", "/FI", f"PID eq {pid}"], capture_output=True, text=True, check=False)
        return str(pid) in found.stdout
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


def client_of(mode: str) -> w7.gtp.Client:
    command = [sys.executable, "-S", "-E", gtp_stub.__file__, mode]
    return w7.gtp.Client(command, timeout=PATIENCE, quit_timeout=0.1, restarts=1)


def test_the_loop_of_the_tests_refuses() -> None:
    if ON_WINDOWS:
        assert isinstance(asyncio.new_event_loop(), asyncio.ProactorEventLoop)
        return
    loop = WindowsLoop()
    with pytest.raises(NotImplementedError):
        loop.add_reader(0, print)
    with pytest.raises(NotImplementedError):
        loop.add_signal_handler(2, print)
    loop.close()


@pytest.mark.parametrize("mode", ["well", "crlf", "bytes", "noise", "stubborn"])
def test_commands_answers_and_the_end(windows: list[dict[str, Any]], mode: str) -> None:
    async def use() -> int | None:
        async with client_of(mode) as client:
            assert await client.send("echo one two") == "one two"
            assert await asyncio.gather(*(client.send(f"echo {number}") for number in range(5))) == list("01234")
            return client.pid

    assert not is_running(run(windows, use()))
    if not ON_WINDOWS:
        assert windows[0]["creationflags"] == 0x200


@pytest.mark.parametrize("mode", ["dies", "dies-in-answer", "closes-output", "silent"])
def test_deaths_timeouts_kills_and_restarts(windows: list[dict[str, Any]], mode: str) -> None:
    async def use() -> list[int | None]:
        client = client_of(mode)
        await client.start()
        pids = [client.pid]
        with pytest.raises(w7.EngineError):
            await client.send("echo 1", timeout=1.0)
        with contextlib.suppress(w7.EngineError):
            await client.restart()
        pids.append(client.pid)
        client.kill()
        await client.close()
        return pids

    assert not any(map(is_running, run(windows, use())))


def test_an_engine_that_is_closed_while_it_starts(windows: list[dict[str, Any]]) -> None:
    async def use() -> int | None:
        client = client_of("stubborn")
        starting = asyncio.ensure_future(client.start())
        await asyncio.sleep(0)
        await client.close()
        await starting
        await client.close()
        return client.pid

    assert not is_running(run(windows, use()))


def test_queries_to_an_analysis_engine(windows: list[dict[str, Any]]) -> None:
    async def use() -> list[tuple[int, int | None]]:
        line = [(1, (3, 3)), (2, (15, 15)), (1, (3, 15))]
        async with w7.analysis.KataGo([sys.executable, "-S", "-E", quick_katago.__file__], timeout=PATIENCE) as katago:
            rows = await katago.query(line, turns=[3, 0])
            assert [(row.turn, row.visits) for row in rows] == [(3, 3003), (0, 3000)]
            return [(row.game, row.turn) async for row in katago.analyze([line] * 20, every=3)]

    assert sorted(run(windows, use())) == [(game, turn) for game in range(20) for turn in (0, 3)]


def test_what_only_posix_has_is_used_behind_a_test_of_the_system() -> None:
    """Every name of POSIX alone is in one file, and there in branches for other systems than Windows."""
    found: dict[str, set[str]] = {}
    for path in ROOMS.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        names |= {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        if used := names & (POSIX_NAMES | set(LACKING) | set(REFUSED_OPTIONS)):
            found[path.name] = used
    assert found == {"engine_process.py": {"killpg", "SIGKILL", "start_new_session"}}
