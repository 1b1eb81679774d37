"""Engines that are killed, stopped and given up at random moments, and what must hold after each of them.

`cd tests; python -m helpers.engine_storm [N]`: N events, by default 10,000, with engines over GTP and with
analysis engines. Every call ends, with an answer or an error; every answer is that of its command or query; no process
is left, and the system keeps no entry of one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

from samples import gtp_stub

import wei7core as w7

GTP_CLIENTS = 6
ANALYSIS_CLIENTS = 2
MODES = ("well", "well", "well", "late", "skips", "swaps", "noise", "stubborn", "silent", "dies-in-answer", "twice")
ANALYSIS_MODES = ("good", "good", "late", "pieces", "silent", "dies", "stays", "twice", "noise", "refused", "syntax")
ANALYSIS_STUB = Path(gtp_stub.__file__).with_name("stub_katago.py")
TIMEOUTS = (0.0, 0.001, 0.003, 0.02, 0.1, 0.5)
STUCK = 30.0  # seconds; nothing here takes one


class StuckError(AssertionError):
    """A call did not end."""


async def storm(events: int, seed: int) -> Counter[str]:
    """Run `events` kills, timeouts and cancellations over several clients; return how often each kind happened."""
    counts: Counter[str] = Counter()
    pids: set[int] = set()
    await asyncio.gather(
        *(
            user(events, random.Random(seed * 100 + number), counts, pids)
            for number, user in enumerate([_gtp_user] * GTP_CLIENTS + [_analysis_user] * ANALYSIS_CLIENTS)
        )
    )
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 0)
            raise AssertionError(f"process {pid} is left")
    counts["processes"] = len(pids)
    return counts


async def _gtp_user(events: int, rng: random.Random, counts: Counter[str], pids: set[int]) -> None:
    while _total(counts) < events:
        command = [sys.executable, "-S", "-E", gtp_stub.__file__, rng.choice(MODES)]
        client = w7.gtp.Client(command, timeout=5.0, quit_timeout=0.05, restarts=rng.randrange(3))
        await client.start()
        for _ in range(rng.randrange(1, 30)):
            pids.add(client.pid or 0)
            await _event(client, rng, counts)
            if not client.is_alive:
                break
        pids.add(client.pid or 0)
        await _in_time(client.close(), "close")
        pids.discard(0)


async def _analysis_user(events: int, rng: random.Random, counts: Counter[str], pids: set[int]) -> None:
    while _total(counts) < events:
        command = [sys.executable, "-S", "-E", ANALYSIS_STUB, rng.choice(ANALYSIS_MODES)]
        katago = w7.analysis.KataGo(command, quit_timeout=0.05)
        starting = asyncio.ensure_future(katago.start())
        if rng.random() < 0.2:
            for _ in range(rng.randrange(5)):
                await asyncio.sleep(0)
            await _in_time(katago.close(), "close")
            counts["close"] += 1
        await _in_time(starting, "start")
        for _ in range(rng.randrange(1, 20)):
            if not katago.is_alive:
                break
            pids.add(katago._process.pid)
            await _analysis_event(katago, rng, counts)
        await _in_time(katago.close(), "close")
        assert not katago._queries


async def _analysis_event(katago: w7.analysis.KataGo, rng: random.Random, counts: Counter[str]) -> None:
    seconds = rng.choice(TIMEOUTS)
    calls = [asyncio.ensure_future(_query(katago, rng.randrange(9), seconds)) for _ in range(rng.randrange(1, 5))]
    calls.append(asyncio.ensure_future(_analyze(katago, rng.randrange(1, 9), seconds)))
    await asyncio.sleep(rng.choice([0, 0, 0.0005, 0.002, 0.01]))
    kind = rng.choice(["signal", "term", "stop", "cancel", "nothing", "close"])
    pid = katago._process.pid
    if kind in ("signal", "term", "stop") and katago.is_alive:
        number = {"signal": signal.SIGKILL, "term": signal.SIGTERM, "stop": signal.SIGSTOP}[kind]
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
    elif kind == "cancel":
        rng.choice(calls).cancel()
    elif kind == "close":
        await _in_time(katago.close(), "close")
    if kind != "nothing":
        counts[kind] += 1
    await _outcomes(calls, counts)


async def _query(katago: w7.analysis.KataGo, length: int, seconds: float) -> None:
    line = [(1 + number % 2, (number, number)) for number in range(length)]
    rows = await katago.query(line, turns=[length, 0], timeout=seconds)
    assert [(row.turn, row.visits) for row in rows] == [(length, 101 * length), (0, 100 * length)]


async def _analyze(katago: w7.analysis.KataGo, games: int, seconds: float) -> None:
    """Analyze some games, for so many seconds."""
    lines = [[(1 + number % 2, (number, game)) for number in range(game)] for game in range(games)]

    async def rows() -> None:
        async for row in katago.analyze(lines, in_flight=3):
            assert row.error is not None or row.visits == 100 * row.game + row.turn

    await asyncio.wait_for(rows(), seconds)


async def _event(client: w7.gtp.Client, rng: random.Random, counts: Counter[str]) -> None:
    calls = [
        asyncio.ensure_future(_call(client, f"{rng.random()}", rng.choice(TIMEOUTS)))
        for _ in range(rng.randrange(1, 5))
    ]
    await asyncio.sleep(rng.choice([0, 0, 0.0005, 0.002, 0.01]))
    kind = rng.choice(["kill", "kill", "signal", "term", "stop", "cancel", "restart", "nothing", "close"])
    if kind == "kill":
        client.kill()
    elif kind in ("signal", "term", "stop") and client.is_alive and client.pid is not None:
        number = {"signal": signal.SIGKILL, "term": signal.SIGTERM, "stop": signal.SIGSTOP}[kind]
        with contextlib.suppress(ProcessLookupError):
            os.kill(client.pid, number)
    elif kind == "cancel":
        rng.choice(calls).cancel()
    elif kind == "restart":
        with contextlib.suppress(w7.EngineError):
            await _in_time(client.restart(), "restart")
    elif kind == "close":
        closing = asyncio.ensure_future(client.close())
        if rng.random() < 0.5:
            await asyncio.sleep(0)
            closing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await _in_time(closing, "close")
    if kind != "nothing":
        counts[kind] += 1
    await _outcomes(calls, counts)


async def _outcomes(calls: list[asyncio.Future[None]], counts: Counter[str]) -> None:
    for outcome in await _in_time(asyncio.gather(*calls, return_exceptions=True), "send"):
        if isinstance(outcome, (w7.EngineTimeoutError, asyncio.TimeoutError)):
            counts["timeout"] += 1
        elif isinstance(outcome, BaseException) and not isinstance(outcome, (w7.EngineError, asyncio.CancelledError)):
            raise outcome
        else:
            counts["other" if isinstance(outcome, BaseException) else "answer"] += 1


async def _call(client: w7.gtp.Client, text: str, timeout: float) -> None:
    answer = await client.send(f"echo {text}", timeout=timeout)
    assert answer == text, (answer, text)


async def _in_time(call, what: str):  # type: ignore[no-untyped-def]  # any awaitable
    future = asyncio.ensure_future(call)
    if not (await asyncio.wait([future], timeout=STUCK))[0]:  # not wait_for, which waits for the end of what it cancels
        raise StuckError(f"{what} did not end")
    return future.result()


def _total(counts: Counter[str]) -> int:
    return sum(counts[kind] for kind in ("kill", "signal", "term", "stop", "cancel", "restart", "close", "timeout"))


if __name__ == "__main__":
    begin = time.perf_counter()
    found = asyncio.run(storm(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, seed=random.randrange(10**6)))
    print(f"{_total(found)} events in {time.perf_counter() - begin:.0f} s:", dict(found))
