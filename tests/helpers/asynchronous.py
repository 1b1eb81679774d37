"""Tests that are coroutines."""

from __future__ import annotations

import asyncio
import functools
import gc
from collections.abc import Callable, Coroutine
from typing import Any

SECONDS = 600.0


def run_async(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a coroutine as a test: within ten minutes, with nothing left in the event loop.

    What asyncio would only log is an error: an exception that nobody took, and a callback that failed.
    """

    @functools.wraps(test)
    def run(*args: Any, **named: Any) -> None:
        reports: list[dict[str, Any]] = []

        async def whole() -> None:
            loop = asyncio.get_running_loop()
            loop.set_exception_handler(lambda _, context: reports.append(context))
            await asyncio.wait_for(test(*args, **named), SECONDS)
            gc.collect()  # a future whose exception was not taken reports it when it is collected
            await asyncio.sleep(0)
            others = asyncio.all_tasks() - {asyncio.current_task()}
            assert not others, f"tasks are left: {others}"

        asyncio.run(whole())
        assert not reports, reports

    return run
