"""Tasks for several threads, with results in the order of the tasks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .options import Options

__all__ = ["in_order"]

_Task = TypeVar("_Task")
_Made = TypeVar("_Made")


def in_order(
    work: Callable[[_Task, Options], _Made], tasks: Iterable[_Task], options: Options, jobs: int
) -> Generator[tuple[_Task, _Made], None, None]:
    """Yield each task and what `work` makes of it, in order; with `jobs` threads at work, or in this one."""
    if jobs == 1:
        for task in tasks:
            yield task, work(task, options)
        return
    from concurrent.futures import ThreadPoolExecutor

    pending: deque[tuple[_Task, Future[_Made]]] = deque()
    executor = ThreadPoolExecutor(jobs, thread_name_prefix="wei7core")
    try:
        for task in tasks:
            pending.append((task, executor.submit(work, task, options)))
            if len(pending) > 2 * jobs:
                first, made = pending.popleft()
                yield first, made.result()
        while pending:
            first, made = pending.popleft()
            yield first, made.result()
    finally:
        executor.shutdown(cancel_futures=True)
