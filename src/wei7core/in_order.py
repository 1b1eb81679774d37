"""Work for several threads, with results in its order."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .options import Options

__all__ = ["in_order", "in_pieces"]

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


def in_pieces(work: Callable[[int, int], _Made], count: int, size: int, jobs: int) -> list[_Made]:
    """Return what `work` makes of numbers `begin` up to `end`, `size` of the `count` at once, in their order.

    This thread is one of the `jobs` that do it. Raises what `work` raises first, when no thread is at work any more.
    """
    made: dict[int, _Made] = {}
    errors: list[BaseException] = []
    lock = threading.Lock()
    begins = iter(range(0, count, size))

    def run() -> None:
        try:
            while not errors:
                with lock:
                    begin = next(begins, None)
                if begin is None:
                    return
                made[begin] = work(begin, min(begin + size, count))
        except BaseException as error:
            errors.append(error)

    # Bare threads, where `in_order` has a pool: the whole work may take a millisecond, which a pool takes to start.
    threads = [threading.Thread(target=run, name="wei7core") for _ in range(min(jobs, -(-count // size)) - 1)]
    started: list[threading.Thread] = []
    try:
        for thread in threads:
            thread.start()
            started.append(thread)
        run()
    finally:
        for thread in started:
            thread.join()
    if errors:
        raise errors[0]
    return [made[begin] for begin in range(0, count, size)]
