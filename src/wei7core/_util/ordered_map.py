"""A thread pool that yields results in the order of their tasks, and a parallel loop over a range."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

_Task = TypeVar("_Task")
_Made = TypeVar("_Made")


def refuse_fork(process: int) -> None:
    """Raise `RuntimeError` in another process than `process`: one made by `os.fork` has none of its threads."""
    if os.getpid() != process:
        raise RuntimeError("an iteration with threads cannot continue in a process made by os.fork: begin another one")


def ordered_map(
    work: Callable[[_Task], _Made], tasks: Iterable[_Task], jobs: int
) -> Generator[tuple[_Task, _Made], None, None]:
    """Yield each task and its result, in order. `jobs` threads run the work, or the calling thread if it is 1.

    With threads raises `RuntimeError` in a process made by `os.fork`.
    """
    if jobs == 1:
        for task in tasks:
            yield task, work(task)
        return
    from concurrent.futures import ThreadPoolExecutor

    pending: deque[tuple[_Task, Future[_Made]]] = deque()
    executor = ThreadPoolExecutor(jobs, thread_name_prefix="wei7core")
    process = os.getpid()
    try:
        for task in tasks:
            refuse_fork(process)
            pending.append((task, executor.submit(work, task)))
            if len(pending) > 2 * jobs:
                first, made = pending.popleft()
                yield first, made.result()
        while pending:
            refuse_fork(process)
            first, made = pending.popleft()
            yield first, made.result()
    finally:
        if os.getpid() == process:
            executor.shutdown(cancel_futures=True)


def parallel_ranges(work: Callable[[int, int], _Made], count: int, size: int, jobs: int) -> list[_Made]:
    """Call `work(begin, end)` for consecutive ranges of `size` of `count` numbers; return the results in order.

    The calling thread is one of the `jobs` threads. Raises the first exception of `work`, once all threads have ended.
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

    # Plain threads: all of the work may take a millisecond, as long as a pool takes to start.
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
