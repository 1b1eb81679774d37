"""Work that is done ahead in another thread: what unpacks the next records runs while these are replayed."""

from __future__ import annotations

import threading
from collections.abc import Generator
from queue import SimpleQueue
from typing import Final, TypeVar

__all__ = ["ahead"]

Item = TypeVar("Item")

_MOST: Final = 4  # items that wait, so that memory stays flat


def ahead(items: Generator[Item, None, None]) -> Generator[Item, None, None]:
    """Iterate over `items`, which is run in a thread of its own, a few items in advance.

    What it raises is raised here, behind the items before it. When the iterator is closed, `items` is closed by its
    thread, which then ends: what it does must not wait for anything without end, as reading from a pipe may.
    """
    found: SimpleQueue[tuple[bool, Item | BaseException | None]] = SimpleQueue()
    room = threading.Semaphore(_MOST)
    is_over = threading.Event()

    def run() -> None:
        end: BaseException | None = None
        try:
            room.acquire()
            for item in items:
                found.put((True, item))
                room.acquire()
                if is_over.is_set():
                    break
        except BaseException as error:
            end = error
        finally:
            try:
                items.close()
            except BaseException as error:
                end = end or error
            found.put((False, end))

    thread = threading.Thread(target=run, name="wei7core-reader", daemon=True)
    thread.start()
    try:
        while True:
            is_item, item = found.get()
            if not is_item:
                if item is not None:
                    raise item  # type: ignore[misc]
                return
            room.release()
            yield item  # type: ignore[misc]
    finally:
        is_over.set()
        room.release()
        thread.join()
