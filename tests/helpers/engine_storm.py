"""Engines that are killed, stopped and given up at random moments, and what must hold after each of them.

`cd tests; python -m helpers.engine_storm [N]`: N events, 10,000 unless it is said. Every call ends, with an answer or
an error; every answer is that of its command; no process is left, and the system keeps no entry of one.
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

from samples import gtp_stub

import wei7core as w7

CLIENTS = 8
MODES = ("well", "well", "well", "late", "skips", "swaps", "noise", "stubborn", "silent", "dies-in-answer", "twice")
STUCK = 30.0  # seconds; nothing here takes one


class StuckError(AssertionError):
    """A call did not end."""


async def storm(events: int, seed: int) -> Counter[str]:
    """Run `events` kills, timeouts and cancellations over several clients; return how often each kind happened."""
    counts: Counter[str] = Counter()
    pids: set[int] = set()
    await asyncio.gather(
        *(_user(events, random.Random(seed * 100 + number), counts, pids) for number in range(CLIENTS))
    )
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 0)
            raise AssertionError(f"process {pid} is left")
    counts["processes"] = len(pids)
    return counts


async def _user(events: int, rng: random.Random, counts: Counter[str], pids: set[int]) -> None:
    while _total(counts) < events:
        command = [sys.executable, "-S", "-E", gtp_stub.__file__, rng.choice(MODES)]
        client = w7.gtp.Client(command, timeout=5.0, quit_timeout=0.05, restarts=rng.randrange(3))
        async with client:
            for _ in range(rng.randrange(1, 30)):
                pids.add(client.pid or 0)
                await _event(client, rng, counts)
                if not client.is_alive:
                    break
        pids.discard(0)


async def _event(client: w7.gtp.Client, rng: random.Random, counts: Counter[str]) -> None:
    calls = [
        asyncio.ensure_future(_call(client, f"{rng.random()}", rng.choice([0.0, 0.001, 0.003, 0.02, 0.1])))
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
    for outcome in await _in_time(asyncio.gather(*calls, return_exceptions=True), "send"):
        if isinstance(outcome, w7.EngineTimeoutError):
            counts["timeout"] += 1
        elif isinstance(outcome, BaseException) and not isinstance(outcome, (w7.EngineError, asyncio.CancelledError)):
            raise outcome
        else:
            counts["other" if isinstance(outcome, BaseException) else "answer"] += 1


async def _call(client: w7.gtp.Client, text: str, timeout: float) -> None:
    answer = await client.send(f"echo {text}", timeout=timeout)
    assert answer == text, (answer, text)


async def _in_time(call, what: str):  # type: ignore[no-untyped-def]  # any awaitable
    try:
        return await asyncio.wait_for(call, STUCK)
    except asyncio.TimeoutError:
        raise StuckError(f"{what} did not end") from None


def _total(counts: Counter[str]) -> int:
    return sum(counts[kind] for kind in ("kill", "signal", "term", "stop", "cancel", "restart", "close", "timeout"))


if __name__ == "__main__":
    begin = time.perf_counter()
    found = asyncio.run(storm(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, seed=random.randrange(10**6)))
    print(f"{_total(found)} events in {time.perf_counter() - begin:.0f} s:", dict(found))
